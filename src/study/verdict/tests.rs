//! Tables made for each case, and their verdicts.

use super::*;
use crate::metric::{Curves, Line, Saturation};
use crate::study::format::SPACE;
use crate::study::sureness::{CarriedIntervals, Interval, NoInterval, Repeats};
use crate::study::table::{Mode, Table};

/// Slowdown, response time, packing, fairness and longest wait.
const FIVE: [Metric; 5] = [Metric::Bsld, Metric::Af, Metric::Awf, Metric::P2sf, Metric::MaxWait];

/// The columns in the tests of fairness.
const FAIRNESS: [Metric; 3] = [Metric::Af, Metric::StrictUnfairness, Metric::RelaxedUnfairness];

/// A run of 1,000 jobs, half of which wait.
fn run(scheduler: &str, method: &str, values: &[(Metric, f64)]) -> RunReport {
    RunReport {
        run: Run::new(scheduler.parse().unwrap(), method.parse().unwrap()),
        shrink: 1.0,
        jobs: 1_000,
        values: values.iter().copied().collect(),
        curves: Curves { waits: Line { x: vec![0.0, 50.0], y: vec![0.5, 1.0] }, ..Curves::default() },
        wall_s: 0.0,
        machine: None,
        machine_use: None,
        is_plain: false,
        overfull: None,
        saturation: None,
        is_too_short: false,
    }
}

/// A run with values for [`FIVE`].
fn of_five(scheduler: &str, method: &str, values: [f64; 5]) -> RunReport {
    let values: Vec<(Metric, f64)> = FIVE.into_iter().zip(values).collect();
    run(scheduler, method, &values)
}

fn saturated(report: RunReport) -> RunReport {
    RunReport { saturation: Some(Saturation { left_s: 86_400.0, share: 0.04 }), ..report }
}

fn justbf() -> Baseline {
    Baseline::Scheduler("justbf".parse().unwrap())
}

fn table<'a>(runs: &'a [RunReport], columns: &'a [Metric], baseline: &'a Baseline) -> Judged<'a> {
    Judged {
        reports: runs.iter().collect(),
        missing: Vec::new(),
        columns,
        baseline,
        repeated: None,
        load: Some(0.25),
        has_site: false,
    }
}

fn said_of(table: &Judged<'_>, concern: Concern) -> Verdict {
    let found = judge(table, concern).unwrap();
    Verdict { text: found.text.replace(SPACE, " "), ..found }
}

fn said(runs: &[RunReport], concern: Concern) -> Verdict {
    said_of(&table(runs, &FIVE, &justbf()), concern)
}

#[test]
fn a_run_that_costs_nothing_is_named_with_what_it_brings() {
    let runs = [
        of_five("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("easy-sjbf", "requested", [68.0, 950.0, 501.0, 899.0, 86_400.0]),
        of_five("saf-justbf", "requested", [40.0, 940.0, 1_500.0, 900.0, 864_000.0]),
    ];
    let all = said(&runs, Concern::Everything);
    assert_eq!(all.run.as_ref(), Some(&runs[1].run));
    assert_eq!(
        all.text,
        "EASY-SJBF (requested) is better, at no price, than JustBF: slowdown 32 % lower, response time 5.0 % lower; \
         nothing else is worse by 1 %."
    );
    let slowdown = said(&runs, Concern::Slowdown);
    assert_eq!(slowdown.run.as_ref(), Some(&runs[2].run));
    assert_eq!(
        slowdown.text,
        "For slowdown: SAF-JustBF (requested). Against JustBF: slowdown 60 % lower, response time 6.0 % lower; the \
         price: packing 3.0 times as bad, longest wait 10 d instead of 24 h."
    );
    let packing = said(&runs, Concern::Packing);
    assert_eq!(packing.text, "For packing, nothing here is better than JustBF (requested) by as much as 1 %.");
}

#[test]
fn what_no_scheduler_reaches_is_not_named() {
    let runs = [
        of_five("justbf", "actual", [100.0, 100.0, 100.0, 100.0, 100.0]),
        of_five("opt-balanced", "actual", [47.8, 81.9, 92.0, 89.1, 90.0]),
        of_five("opt-af", "actual", [33.8, 75.5, 105.8, 154.5, 300.0]),
        of_five("off-af", "actual", [30.0, 73.0, 90.0, 80.0, 80.0]),
    ];
    assert_eq!(said(&runs, Concern::Everything).run.as_ref(), Some(&runs[1].run));
    assert_eq!(said(&runs, Concern::Response).run.as_ref(), Some(&runs[2].run));
}

#[test]
fn who_is_better_in_everything_is_said_to_be() {
    let runs = [
        of_five("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("opt-balanced", "requested", [50.0, 800.0, 450.0, 800.0, 80_000.0]),
    ];
    let all = said(&runs, Concern::Everything);
    assert!(
        all.text.starts_with("Opt-balanced (requested) is better in everything than JustBF: slowdown 50 % lower"),
        "{all:?}"
    );
}

#[test]
fn where_all_has_a_price_each_aim_has_its_run() {
    let runs = [
        of_five("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("saf-justbf", "requested", [40.0, 900.0, 1_500.0, 4_000.0, 864_000.0]),
    ];
    let all = said(&runs, Concern::Everything);
    assert_eq!(all.run, None);
    assert_eq!(
        all.text,
        "No run here is better without a price. Best with requested estimates: SAF-JustBF for slowdown and response time; \
         JustBF for packing, P²SF and longest wait."
    );
    // Two equally good rows are both named, and no row is named for what all do alike.
    let runs = [
        of_five("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("saf-justbf", "requested", [40.0, 1000.0, 1_500.0, 4_000.0, 864_000.0]),
        of_five("saf-easy", "requested", [40.1, 1001.0, 1_400.0, 4_000.0, 864_000.0]),
    ];
    assert_eq!(
        said(&runs, Concern::Everything).text,
        "No run here is better without a price. Best with requested estimates: SAF-JustBF or SAF-EASY for slowdown; \
         JustBF for packing, P²SF and longest wait."
    );
}

#[test]
fn who_knows_run_times_beforehand_is_no_choice() {
    let runs = [
        of_five("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("easy", "requested", [90.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("easy", "actual", [10.0, 100.0, 50.0, 90.0, 8_640.0]),
    ];
    assert_eq!(said(&runs, Concern::Slowdown).run.as_ref(), Some(&runs[1].run));
    assert!(judge(&table(&runs[..1], &FIVE, &Baseline::None), Concern::Slowdown).is_none());
}

#[test]
fn a_difference_that_is_not_worth_acting_on_is_no_reason() {
    let runs = [
        of_five("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("easy", "requested", [99.5, 1000.0, 500.0, 700.0, 86_400.0]),
    ];
    assert_eq!(
        said(&runs, Concern::Slowdown).text,
        "For slowdown, nothing here is better than JustBF (requested) by as much as 1 %."
    );
}

#[test]
fn where_nobody_differs_that_is_said_and_why() {
    let mut runs = ["justbf", "easy", "saf-justbf"].map(|id| of_five(id, "requested", [1.0, 100.0, 50.0, 90.0, 0.0]));
    let all = said(&runs, Concern::Everything);
    assert_eq!((all.run, all.text.as_str()), (None, "No scheduler differs by 1 %."), "half of the jobs wait");
    runs.iter_mut().for_each(|run| run.curves.waits.y[0] = 0.97);
    for concern in Concern::NAMED {
        let tie = said(&runs, concern);
        assert_eq!(tie.text, "No scheduler differs by 1 %; hardly anybody waits (load 25 %).");
        assert_eq!(tie.run, None);
    }
}

#[test]
fn rows_that_know_run_times_are_not_spoken_of_where_no_scheduler_differs() {
    // Of the rows with run times known beforehand one is 35 % below the others.
    let runs = [
        run("justbf", "requested", &[(Metric::Af, 100.0)]),
        run("easy", "requested", &[(Metric::Af, 100.3)]),
        run("justbf", "actual", &[(Metric::Af, 99.0)]),
        run("easy", "actual", &[(Metric::Af, 65.0)]),
    ];
    let baseline = justbf();
    let table = table(&runs, &[Metric::Af], &baseline);
    assert_eq!(
        said_of(&table, Concern::Everything).text,
        "No scheduler differs by 1 % among those that could be run without knowing run times beforehand."
    );
}

#[test]
fn few_jobs_and_few_that_wait_tell_nothing() {
    let mut runs = [
        of_five("justbf", "requested", [2.0, 100.0, 50.0, 90.0, 60.0]),
        of_five("easy", "requested", [1.0, 90.0, 40.0, 80.0, 30.0]),
    ];
    runs.iter_mut().for_each(|run| run.jobs = 35);
    let few = said(&runs, Concern::Slowdown);
    assert_eq!(few.run, None);
    assert_eq!(
        few.text,
        "Too few to tell: there are 35 jobs, of which 18 wait, and fewer than 200 say nothing of schedulers."
    );
    assert!(!marks(&runs).contains(&true), "nor is anything marked");
    runs.iter_mut().for_each(|run| run.jobs = 3_000);
    assert!(marks(&runs).contains(&true));
    runs.iter_mut().for_each(|run| run.curves.waits.y[0] = 0.996);
    assert_eq!(
        said(&runs, Concern::Everything).text,
        "Too few to tell: 12 of 3,000 jobs wait, and fewer than 20 say nothing of schedulers."
    );
    assert!(!marks(&runs).contains(&true));
    // The same where no rows differ.
    let runs = ["justbf", "easy"].map(|id| RunReport { jobs: 8, ..of_five(id, "requested", [1.0; 5]) });
    assert_eq!(
        said(&runs, Concern::Everything).text,
        "No scheduler differs by 1 %. Too few to tell: there are 8 jobs, of which 4 wait, and fewer than 200 say nothing \
         of schedulers."
    );
}

/// For each cell of a table, row by row, whether it is marked.
fn marks(runs: &[RunReport]) -> Vec<bool> {
    let table = Table::of(runs, &FIVE, &justbf(), Mode::Change);
    table.rows.iter().flat_map(|row| row.cells.iter().map(|cell| cell.is_some_and(|cell| cell.is_best))).collect()
}

/// Three schedulers with FAIRNESS's measures: PC is fairer in both; DC is faster, but strictly less fair.
fn of_fairness() -> [RunReport; 3] {
    let of = |id: &str, values: [f64; 3]| {
        let mut values: Vec<(Metric, f64)> = FAIRNESS.into_iter().zip(values).collect();
        values.push((Metric::P2sf, if id == "dc" { 94.0 } else { 100.0 }));
        run(id, "requested", &values)
    };
    [of("justbf", [1000.0, 100.0, 200.0]), of("dc", [950.0, 123.0, 190.0]), of("pc", [1000.0, 76.0, 140.0])]
}

#[test]
fn every_shown_column_is_a_price_and_fairness_is_what_is_measured_of_it() {
    let (runs, baseline) = (of_fairness(), justbf());
    let shown = table(&runs, &FAIRNESS, &baseline);
    let fair = said_of(&shown, Concern::Fairness);
    assert_eq!(fair.run.as_ref(), Some(&runs[2].run), "DC is strictly unfairer, whatever its P²SF");
    assert_eq!(
        fair.text,
        "For fairness (strict unfairness and relaxed unfairness): PC (requested). Against JustBF: strict unfairness 24 % \
         lower, relaxed unfairness 30 % lower; it costs nothing else."
    );
    let response = said_of(&shown, Concern::Response);
    assert_eq!(
        response.text,
        "For response time: DC (requested). Against JustBF: response time 5.0 % lower, relaxed unfairness 5.0 % lower; \
         the price: strict unfairness 23 % higher."
    );
    assert_eq!(said_of(&shown, Concern::Everything).run.as_ref(), Some(&runs[2].run), "DC is not free of price");
    // Where no measure of unfairness is there, fairness is P²SF.
    let runs = [("justbf", 900.0), ("easy", 700.0)].map(|(id, p)| run(id, "requested", &[(Metric::P2sf, p)]));
    assert_eq!(
        said_of(&table(&runs, &[Metric::P2sf], &baseline), Concern::Fairness).text,
        "For fairness (P²SF): EASY (requested). Against JustBF: P²SF 22 % lower; it costs nothing else."
    );
}

#[test]
fn what_only_some_do_at_all_is_a_price_of_theirs() {
    let columns = [Metric::Bsld, Metric::Utilisation, Metric::Kills, Metric::R2];
    let runs = [
        run("easy", "requested", &[(Metric::Bsld, 50.0), (Metric::Utilisation, 0.70), (Metric::R2, 0.3)]),
        run(
            "classes-bounded",
            "requested",
            &[(Metric::Bsld, 10.0), (Metric::Utilisation, 0.72), (Metric::Kills, 321.0), (Metric::R2, 0.3)],
        ),
    ];
    let baseline = Baseline::Run(runs[0].run.clone());
    assert_eq!(
        said_of(&table(&runs, &columns, &baseline), Concern::Slowdown).text,
        "For slowdown: Classes, bounded (requested). Against EASY: slowdown 80 % lower, utilisation 2.9 % higher; the price: \
         kills 321 instead of 0."
    );
    assert_eq!(
        said_of(&table(&runs, &columns, &baseline), Concern::Of(Metric::Utilisation)).run.as_ref(),
        Some(&runs[1].run),
        "more is better"
    );
}

#[test]
fn a_saturated_row_is_named_and_left_out() {
    let runs = [
        of_five("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("easy", "requested", [90.0, 1000.0, 500.0, 900.0, 86_400.0]),
        saturated(of_five("saf-justbf", "requested", [10.0, 500.0, 5_000.0, 90.0, 8_640_000.0])),
    ];
    let slowdown = said(&runs, Concern::Slowdown);
    assert_eq!(slowdown.run.as_ref(), Some(&runs[1].run));
    assert_eq!(
        slowdown.text,
        "For slowdown: EASY (requested). Against JustBF: slowdown 10 % lower; it costs nothing else. SAF-JustBF is left \
         out: it is saturated."
    );
    let marked = marks(&runs);
    assert!(marked[5], "EASY's slowdown");
    assert!(!marked[10..].contains(&true), "and none of SAF-JustBF's");
    let shown = Table::of(&runs, &FIVE, &justbf(), Mode::Change);
    let judged: Vec<bool> = shown.rows.iter().map(|row| row.is_judged).collect();
    assert_eq!(judged, [true, true, false], "nor is it coloured");
}

#[test]
fn several_that_grow_are_named_together_and_where_all_do_nothing_is_compared() {
    let five = [10.0, 500.0, 5_000.0, 90.0, 8_640_000.0];
    let grows = |id: &str, method: &str| saturated(of_five(id, method, five));
    let runs = [
        of_five("justbf", "requested", [100.0; 5]),
        of_five("easy", "requested", [90.0; 5]),
        of_five("saf-justbf", "requested", [90.0; 5]),
        grows("saf-justbf", "sp"),
        grows("fcfs", "requested"),
        grows("fcfs", "sp"),
    ];
    let told = said(&runs, Concern::Slowdown).text;
    assert!(told.ends_with(" SAF-JustBF (sp2) and FCFS are left out: they are saturated."), "{told}");
    let runs = [grows("justbf", "requested"), grows("easy", "requested")];
    assert_eq!(
        said(&runs, Concern::Everything),
        Verdict {
            run: None,
            text:
                "Every row is saturated: averages tell how long the log is, and no scheduler can be told to be better."
                    .to_owned()
        }
    );
    // A row that is compared with a saturated one is not judged by it.
    let runs = [grows("justbf", "requested"), of_five("easy", "requested", [90.0; 5])];
    assert_eq!(
        said(&runs, Concern::Slowdown).text,
        "Only EASY (requested) can be judged. JustBF is left out: it is saturated."
    );
    let shown = Table::of(&runs, &FIVE, &justbf(), Mode::Change);
    assert!(!shown.rows[1].is_judged, "a change to what is saturated says nothing");
}

/// Intervals of JustBF and another run. Those of the other run's changes of slowdown, response time and packing have these
/// bounds; one that does not hold the log's own change is none.
fn repeated(runs: &[RunReport], changes: [[f64; 3]; 2]) -> Repeated {
    let metrics = vec![Metric::Bsld, Metric::Af, Metric::Awf];
    let mut carried = CarriedIntervals::of(40);
    for (place, &metric) in metrics.iter().enumerate() {
        let ends = changes.map(|changes| changes[place]);
        let interval = Interval { low: ends[0].min(ends[1]), high: ends[0].max(ends[1]) };
        let [before, after] = [&runs[0], &runs[1]].map(|report| report.values[&metric]);
        let change = if interval.holds(after / before - 1.0) { Ok(interval) } else { Err(NoInterval::Misfit) };
        let about = |value: f64| Ok(Interval { low: 0.9 * value, high: 1.1 * value });
        carried.add(&runs[0].run, metric, about(before), None);
        carried.add(&runs[1].run, metric, about(after), Some((&runs[0].run, change)));
    }
    Repeated::carried(Repeats::of(40), metrics, carried)
}

#[test]
fn what_repeats_leave_open_is_no_fact_and_what_they_bear_out_is_a_range() {
    let runs = [
        of_five("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("easy", "requested", [91.0, 880.0, 505.5, 900.0, 86_400.0]),
    ];
    let (columns, baseline) = ([Metric::Bsld, Metric::Af, Metric::Awf], justbf());
    let unsure = repeated(&runs, [[-0.1, -0.04, -0.02], [0.05, -0.22, 0.03]]);
    let judged = Judged { repeated: Some(&unsure), ..table(&runs, &columns, &baseline) };
    assert_eq!(
        said_of(&judged, Concern::Response).text,
        "For response time: EASY (requested). Against JustBF: response time 4 to 22 % lower; nothing else is surely \
         worse; not sure: slowdown and packing."
    );
    assert_eq!(
        said_of(&judged, Concern::Everything).text,
        "EASY (requested) is better than JustBF: response time 4 to 22 % lower; nothing is surely worse; not sure: \
         slowdown and packing."
    );
    assert_eq!(
        said_of(&judged, Concern::Slowdown).text,
        "For slowdown, nothing here is surely better than JustBF (requested) by as much as 1 %."
    );
    let sure = repeated(&runs, [[-0.1, -0.04, 0.43], [-0.05, -0.22, 1.92]]);
    assert_eq!(
        said_of(&Judged { repeated: Some(&sure), ..judged.clone() }, Concern::Slowdown).text,
        "For slowdown: EASY (requested). Against JustBF: slowdown 5 to 10 % lower, response time 4 to 22 % lower; nothing \
         else is surely worse; not sure: packing.",
        "what has no interval is not gone by"
    );
    // No change is sure.
    let open = repeated(&runs, [[-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]]);
    assert_eq!(
        said_of(&Judged { repeated: Some(&open), ..judged }, Concern::Everything).text,
        "No run here is surely better without a price, and none is ahead of all others in anything."
    );
}

#[test]
fn what_repeats_do_not_bear_out_is_not_marked() {
    let runs = [
        of_five("justbf", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("easy", "requested", [91.0, 880.0, 505.5, 900.0, 86_400.0]),
    ];
    let columns = [Metric::Bsld, Metric::Af, Metric::Awf];
    let marked = |changes| {
        let table = Table::of(&runs, &columns, &justbf(), Mode::Change).with_repeats(&repeated(&runs, changes));
        let of = |row: usize| table.rows[row].cells.iter().map(|cell| cell.unwrap().is_best).collect::<Vec<_>>();
        [of(0), of(1)]
    };
    assert_eq!(
        marked([[-0.1, -0.04, 0.01], [-0.05, -0.22, 0.03]]),
        [[false, false, true], [true, true, false]],
        "all is sure"
    );
    assert_eq!(
        marked([[-0.1, -0.04, -0.02], [0.05, -0.22, 0.03]]),
        [[false, false, false], [false, true, false]],
        "neither EASY's slowdown nor JustBF's packing is"
    );
}

#[test]
fn while_runs_are_missing_nothing_is_named_that_may_change() {
    let done: Vec<RunReport> = ["justbf", "easy", "saf-justbf", "fcfs", "easy-sjbf", "laf-justbf"]
        .into_iter()
        .enumerate()
        .map(|(i, id)| of_five(id, "requested", [100.0 - i as f64 * 10.0; 5]))
        .collect();
    let missing = ["dc", "pc"].map(|id| Run::new(id.parse().unwrap(), "requested".parse().unwrap()));
    let baseline = justbf();
    let all = table(&done, &FIVE, &baseline);
    let some = Judged { missing: missing.iter().collect(), ..all.clone() };
    for concern in Concern::NAMED {
        let told = said_of(&some, concern);
        assert_eq!(
            (told.run, told.text.as_str()),
            (None, "So far 6 of 8 runs are done: which serves best is told once all are.")
        );
    }
    assert!(said_of(&all, Concern::Everything).run.is_some());
    let none = Judged { missing: missing.iter().collect(), ..table(&[], &FIVE, &baseline) };
    assert_eq!(
        said_of(&none, Concern::Slowdown).text,
        "None of the 2 runs is done yet: which serves best is told once all are."
    );
    // A saturated row is still named.
    let first = [saturated(done[1].clone())];
    let some = Judged { missing: missing.iter().collect(), ..table(&first, &FIVE, &baseline) };
    assert_eq!(
        said_of(&some, Concern::Everything).text,
        "So far 1 of 3 runs is done: which serves best is told once all are. EASY is left out: it is saturated."
    );
}

#[test]
fn a_concern_that_no_row_serves_is_answered_too() {
    // What a link to METRICS Table II carries: four columns with their values, and no curves.
    let columns = [Metric::Bsld, Metric::Af, Metric::Awf, Metric::P2sf];
    let carried = |id: &str, values: [f64; 4]| {
        let values: Vec<(Metric, f64)> = columns.into_iter().zip(values).collect();
        RunReport { curves: Curves::default(), ..run(id, "requested", &values) }
    };
    let runs = [carried("justbf", [100.0, 1000.0, 500.0, 900.0]), carried("easy", [80.0, 1000.0, 500.0, 900.0])];
    let baseline = justbf();
    let shown = Judged { load: None, ..table(&runs, &columns, &baseline) };
    let longest = said_of(&shown, Concern::LongestWait);
    assert_eq!(longest.run, None);
    assert_eq!(longest.text, "No row here tells longest wait: add its column, or care for something else.");
    assert_eq!(
        said_of(&shown, Concern::Slowdown).text,
        "For slowdown: EASY (requested). Against JustBF: slowdown 20 % lower; it costs nothing else."
    );
    // There is a sentence for every choice.
    for concern in Metric::ALL.iter().filter_map(|metric| Concern::from_id(metric.about().id).ok()) {
        assert!(judge(&shown, concern).is_some_and(|found| !found.text.is_empty()), "{concern:?}");
    }
    // A measure that only some rows have is served by one of these.
    let runs = [carried("justbf", [100.0; 4]), run("easy", "requested", &[(Metric::Bsld, 90.0), (Metric::Loc, 0.1)])];
    assert_eq!(
        said_of(&table(&runs, &columns, &baseline), Concern::Of(Metric::Loc)).text,
        "For LOC, nothing here is better than EASY (requested)."
    );
}

#[test]
fn what_can_matter_is_what_is_shown() {
    let offered = |columns: &[Metric]| Concern::offered(columns).into_iter().map(Concern::title).collect::<Vec<_>>();
    assert_eq!(
        offered(Metric::DEFAULT_COLUMNS),
        ["Everything", "Slowdown", "Response time", "Packing", "Fairness", "LOC", "Utilisation", "Longest wait"]
    );
    assert_eq!(offered(&FAIRNESS), ["Everything", "Response time", "Fairness"]);
    assert_eq!(offered(&[Metric::Corrections]).len(), Concern::NAMED.len(), "there is always a choice");
    assert_eq!(Concern::Fairness.sorts_by(&FAIRNESS), Some(Metric::StrictUnfairness));
    assert_eq!(Concern::Fairness.sorts_by(&FIVE), Some(Metric::P2sf));
    assert_eq!(Concern::LongestWait.sorts_by(&FAIRNESS), None);
    for concern in Concern::NAMED.into_iter().chain([Concern::Of(Metric::Loc)]) {
        assert_eq!(Concern::from_id(concern.id()), Ok(concern));
        let kept = serde_json::to_string(&concern).unwrap();
        assert_eq!(serde_json::from_str::<Concern>(&kept).unwrap(), concern);
    }
    assert!(Concern::from_id("corrections").unwrap_err().contains("slowdown"));
}

#[test]
fn without_a_baseline_rows_are_compared_with_easy_or_with_each_other() {
    let runs = [
        of_five("easy", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("saf-justbf", "requested", [50.0, 1000.0, 500.0, 900.0, 86_400.0]),
    ];
    let none = Baseline::None;
    assert_eq!(
        said_of(&table(&runs, &FIVE, &none), Concern::Slowdown).text,
        "For slowdown: SAF-JustBF (requested). Against EASY: slowdown 50 % lower; it costs nothing else."
    );
    let runs = [
        of_five("dc", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("saf-justbf", "requested", [50.0, 1000.0, 500.0, 900.0, 86_400.0]),
    ];
    assert_eq!(
        said_of(&table(&runs, &FIVE, &none), Concern::Slowdown).text,
        "For slowdown, nothing here is better than SAF-JustBF (requested)."
    );
}

#[test]
fn schedulers_that_ignore_the_site_are_said_to() {
    let runs = [
        of_five("slurm", "requested", [100.0, 1000.0, 500.0, 900.0, 86_400.0]),
        of_five("easy", "requested", [50.0, 1000.0, 500.0, 900.0, 86_400.0]),
    ];
    let slurm = Baseline::Scheduler("slurm".parse().unwrap());
    let judged = Judged { has_site: true, ..table(&runs, &FIVE, &slurm) };
    assert_eq!(
        said_of(&judged, Concern::Slowdown).text,
        "For slowdown: EASY (requested). Against Slurm: slowdown 50 % lower; it costs nothing else. EASY ignores the site's \
         partitions and limits, which bind Slurm."
    );
    assert!(!said_of(&table(&runs, &FIVE, &slurm), Concern::Slowdown).text.contains("site"));
}

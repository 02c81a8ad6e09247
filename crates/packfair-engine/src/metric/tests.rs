//! Every metric on four jobs, against values worked out by hand.

use super::*;
use crate::model::{Class, Execution, FairStarts, KilledBy, NoteId, Notes, Schedule, SizeClass};
use packfair_workload::{JobId, Seconds, Workload, testing};

/// (submit, processors, run, start, estimate, corrections).
type Row = (Seconds, u32, Seconds, Seconds, f64, u32);

/// Four jobs on four processors. LOC: in [2, 4) and [8, 10) two processors idle, of the four for which the second job
/// waits.
const FOUR: [Row; 4] = [(0, 2, 10, 0, 10.0, 0), (2, 4, 5, 10, 8.0, 0), (4, 2, 4, 4, 2.0, 1), (12, 1, 100, 15, 90.0, 1)];

fn schedule(processors: u32, rows: &[Row]) -> (Workload, Schedule) {
    let jobs: Vec<_> = rows.iter().map(|row| (row.0, row.1, row.2, 1_000)).collect();
    let workload = testing::jobs(processors, &jobs);
    let mut notes = Notes::default();
    notes.set(NoteId::REMADE, 3.0);
    for (job, row) in (0..).map(JobId).zip(rows) {
        notes.set_of_job(NoteId::PROMISE, job, row.3.min(9));
    }
    let schedule = Schedule {
        estimates: rows.iter().map(|row| row.4).collect(),
        corrections: rows.iter().map(|row| row.5).collect(),
        notes,
        fair: Some(FairStarts {
            strict: rows.iter().map(|row| row.3.min(12)).collect(),
            relaxed: rows.iter().map(|row| row.3.min(14)).collect(),
            hybrid: rows.iter().map(|row| row.3.min(11)).collect(),
            independent: rows.iter().map(|row| row.3.min(7)).collect(),
        }),
        ..Schedule::of_starts(&workload, rows.iter().map(|row| row.3).collect())
    };
    (workload, schedule)
}

fn evaluate<'a>((workload, schedule): &'a (Workload, Schedule), counted: Counted) -> Evaluation<'a> {
    Evaluation::new(workload, schedule, &Measure { counted, ..Measure::default() })
}

#[track_caller]
fn close(value: Option<f64>, expected: f64) {
    let value = value.expect("a value");
    assert!((value - expected).abs() <= 1e-14 * expected.abs(), "{value} instead of {expected}");
}

#[test]
fn each_metric_is_as_worked_out_by_hand() {
    let mut four = schedule(4, &FOUR);
    four.1.notes.set(NoteId::KILLS, 0.0);
    four.1.rounds = 7;
    four.1.classes = vec![SizeClass { class: Class::Small, divider: Some(10) }; 4];
    let evaluation = evaluate(&four, Counted::All);
    let is = |metric, expected| close(evaluation.value(metric), expected);
    is(Metric::Bsld, 4.33 / 4.0);
    is(Metric::Af, 32.5);
    is(Metric::Aq, 2.75);
    is(Metric::Awf, 10_792.0 / 148.0);
    is(Metric::Awq, 460.0 / 148.0);
    is(Metric::P0sf, 11_252.0 / 148.0 / 2.0);
    is(Metric::P1sf, 1_101_568.0 / 11_252.0 * 2.0 / 3.0);
    is(Metric::P2sf, 112_669_172.0 / 1_101_568.0 * 3.0 / 4.0);
    is(Metric::P3sf, 11_594_296_648.0 / 112_669_172.0 * 4.0 / 5.0);
    is(Metric::Pasf, 112_669_172.0 / 1_101_568.0 * 3.0 / 4.0);
    is(Metric::Loc, 8.0 / 460.0);
    is(Metric::Makespan, 115.0);
    is(Metric::Utilisation, 148.0 / 460.0);
    is(Metric::UtilisationClipped, 12.0 / 16.0);
    is(Metric::MaxWait, 8.0);
    is(Metric::Lp, 10_894.0_f64.sqrt());
    is(Metric::Artww, 183.0 / 9.0);
    is(Metric::Sldww, 9.03 / 9.0);
    is(Metric::R2, 1.0 - 113.0 / 6_600.75);
    is(Metric::Mae, 3.75);
    is(Metric::UnderRate, 0.5);
    is(Metric::Corrections, 2.0);
    // Equal shares: 2 in [0, 2), 1 in [2, 4), 4/3 in [4, 8), 1 in [8, 10), 4 in [10, 12), 2 in [12, 15), then 1.
    is(Metric::UnfairShare, ((40.0 / 3.0 - 20.0) + (70.0 / 3.0 - 20.0) + (16.0 / 3.0 - 8.0) + (103.0 - 100.0)) / 4.0);
    // By weighted shares, as below, two jobs lack 164/15 and 12/5.
    is(Metric::UnfairShareShort, (164.0 / 15.0 + 12.0 / 5.0) / 4.0);
    is(Metric::StrictUnfairness, 3.0 / 4.0);
    is(Metric::RelaxedUnfairness, 1.0 / 4.0);
    is(Metric::Late, 2.0);
    is(Metric::Remade, 3.0);
    // The jobs of 5 and 4 s are small.
    is(Metric::ClassAccuracy, 0.5);
    is(Metric::ClassPrecision, 0.5);
    is(Metric::ClassRecall, 1.0);
    is(Metric::FalseLarge, 0.0);
    is(Metric::FalseSmall, 0.5);
    // The last job comes at 12: by then the first and the third have ended.
    is(Metric::JobsDone, 2.0);
    is(Metric::WorkDone, 28.0);
    // The waits are 0, 8, 0 and 3.
    is(Metric::WorstWaits5, 8.0);
    is(Metric::WorstWaits1, 8.0);
    // The slowdowns are 1, 1.3, 1 and 1.03.
    is(Metric::Jain, 18.7489 / 19.0036);
    // By equal shares, as above, two jobs lack 10/3 and 3.
    is(Metric::UnfairShareLacking, (10.0 / 3.0 + 3.0) / 4.0);
    // The strict fair starts are 0, 10, 4 and 12.
    is(Metric::FairTurnaround, (10.0 + 13.0 + 4.0 + 100.0) / 4.0);
    is(Metric::FairSlowdown, (1.0 + 1.3 + 1.0 + 1.0) / 4.0);
    // Of the other fair starts, those before the actual starts are 11 (hybrid), and 7 and 7 (scheduler-independent).
    is(Metric::HybridUnfairness, 4.0 / 4.0);
    is(Metric::IndependentUnfairness, (3.0 + 8.0) / 4.0);
    is(Metric::IndependentTurnaround, (10.0 + 10.0 + 4.0 + 95.0) / 4.0);
    is(Metric::IndependentSlowdown, 1.0);
    is(Metric::Rounds, 7.0);
    // 2 of 4 processors for 6 s, 4 for 9 s, 1 for 100 s: mean 37/115.
    is(Metric::UtilisationVariance, 16.75 / 115.0 - (37.0_f64 / 115.0).powi(2));
    // None of these jobs has a logged wait, and no user reacts.
    let of_users = [Metric::SessionsDone, Metric::SessionLength, Metric::LivedSpan];
    // The machine is only a number of processors.
    let of_cells = Metric::OF_CELLS.len();
    // No watts are known.
    let of_others = of_users.len() + of_cells + Metric::OF_POWER.len();
    assert_eq!(evaluation.values().len(), Metric::OWN.len() - Metric::OF_LOG.len() - of_others);
}

#[test]
fn weighted_shares_add_up_to_what_is_used() {
    let (workload, schedule) = schedule(4, &FOUR);
    let all = super::outcomes(&workload, &schedule);
    // For each requested processor: 1 in [0, 2), 1/3 in [2, 4), 1/2 in [4, 8), 1/3 in [8, 10), 1 in [10, 12), 4/5 in
    // [12, 15), then 1.
    for (i, expected) in [-28.0 / 3.0, 164.0 / 15.0, -4.0, 2.4].into_iter().enumerate() {
        let value = fairness::weighted_unfairness(&all[i..=i], &all).unwrap();
        assert!((value - expected).abs() < 1e-12, "{value} instead of {expected}");
    }
    assert!(fairness::weighted_unfairness(&all, &all).unwrap().abs() < 1e-12);
}

#[test]
fn parameters_are_taken_from_the_measure() {
    let (workload, schedule) = schedule(4, &FOUR);
    let measure = Measure {
        counted: Counted::All,
        only: None,
        bsld_bound: 4.0,
        alpha: 0.5,
        norm: 1.0,
        sldww_bound: 5.0,
        ..Measure::default()
    };
    let evaluation = Evaluation::new(&workload, &schedule, &measure);
    close(evaluation.value(Metric::Bsld), (1.0 + 2.6 + 1.0 + 1.03) / 4.0);
    close(evaluation.value(Metric::Lp), 130.0);
    close(evaluation.value(Metric::Sldww), (2.0 + 4.0 * 2.6 + 2.0 + 1.03) / 9.0);
    let (upper, lower) = [(2.0, 10.0, 0.0), (4.0, 13.0, 8.0), (2.0, 4.0, 0.0), (1.0, 103.0, 3.0)]
        .map(|(r, f, q): (f64, f64, f64)| (r * (f.powf(2.5) - q.powf(2.5)), r * (f.powf(1.5) - q.powf(1.5))))
        .into_iter()
        .fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
    let pasf = evaluation.value(Metric::Pasf).unwrap();
    assert!((pasf / (1.5 / 2.5 * upper / lower) - 1.0).abs() < 1e-13);
}

#[test]
fn priority_weights_are_those_of_the_groups() {
    let four = schedule(4, &FOUR);
    let of = |weights: &str| {
        let weights = GroupWeight::read_all(weights, &four.0.header).unwrap();
        let measure = Measure { counted: Counted::All, weights, ..Measure::default() };
        Evaluation::new(&four.0, &four.1, &measure).values()
    };
    // The weights p are 3, 2, 3, 1: p r = 6, 8, 6, 1 and p r D = 60, 40, 24, 100.
    let weighted = of("width=2:3, width=4:2");
    let is = |metric, expected| close(weighted.get(&metric).copied(), expected);
    is(Metric::Awf, (600.0 + 520.0 + 96.0 + 10_300.0) / 224.0);
    is(Metric::Awq, (320.0 + 300.0) / 224.0);
    is(Metric::P0sf, 12_136.0 / 224.0 / 2.0);
    is(Metric::P1sf, 1_112_564.0 / 12_136.0 * 2.0 / 3.0);
    is(Metric::P2sf, 112_808_056.0 / 1_112_564.0 * 3.0 / 4.0);
    is(Metric::Pasf, 112_808_056.0 / 1_112_564.0 * 3.0 / 4.0);
    assert_eq!(of("width=2:6, width=4:4, runtime=10:0.5"), weighted, "who is in two groups has their product");
    assert_eq!(of("width=1:1"), evaluate(&four, Counted::All).values(), "to the last digit");
    let others = |values: &std::collections::BTreeMap<Metric, f64>| {
        let of_weights = |id: &str| matches!(id, "AWF" | "AWQ") || id.starts_with('P') && id.ends_with("SF");
        values.iter().filter(|(metric, _)| !of_weights(metric.about().id)).map(|(_, &value)| value).collect::<Vec<_>>()
    };
    assert_eq!(others(&weighted), others(&evaluate(&four, Counted::All).values()), "others have no weights");
    // A job of weight 0 counts as if it were not there.
    close(of("width=1:0").get(&Metric::Awf).copied(), 492.0 / 48.0);
    assert_eq!(of("width=1:0, runtime=10:0").get(&Metric::Awf), None);
}

#[test]
fn any_exponent_lies_between_its_neighbours_and_none_overflows() {
    let (workload, schedule) = schedule(4, &FOUR);
    let jobs = outcomes(&workload, &schedule);
    let mut last = 0.0;
    for a in [0.0, 1e-9, 0.5, 1.0, 1.5, 2.0, 3.0, 13.9, 14.0, 14.1, 15.0, 100.0, 1_000.0] {
        let value = fairness::priority_weighted_response(&jobs, a).unwrap();
        assert!(value > last && value <= 103.0, "a = {a}: {value} after {last}");
        last = value;
    }
    assert_eq!(fairness::priority_weighted_response(&jobs, -0.1), None);
    assert_eq!(fairness::priority_weighted_response(&jobs, f64::NAN), None);
}

#[test]
fn of_one_group_alone_jobs_count_if_asked() {
    let four = schedule(4, &FOUR);
    let widths: Vec<u32> = four.0.requests().iter().map(|request| request.processors).collect();
    let of_width = |width: u32| {
        let only = CountedGroup::read(&format!("width={width}"), &four.0.header).ok();
        Evaluation::new(&four.0, &four.1, &Measure { counted: Counted::All, only, ..Measure::default() })
    };
    for width in [1, 2, 4] {
        let of_class = |other: &&u32| packfair_workload::width_class(**other) == packfair_workload::width_class(width);
        assert_eq!(of_width(width).jobs(), widths.iter().filter(of_class).count());
    }
    // Metrics of the machine do not change.
    let all = evaluate(&four, Counted::All);
    assert_eq!(of_width(1).value(Metric::Utilisation), all.value(Metric::Utilisation));
    assert_eq!(of_width(4_000).value(Metric::Af), None);
}

#[test]
fn which_jobs_count() {
    let waits = |counted| evaluate(&schedule(4, &FOUR), counted).kept_waits();
    assert_eq!(waits(Counted::All), [0, 8, 0, 3]);
    assert_eq!(waits(Counted::Metrics), [0, 8, 0], "without the last to complete");
    assert_eq!(waits(Counted::Steady), [0, 0], "without those that complete after the last submission, at 12");
    let last_two: Vec<Row> = FOUR.iter().copied().chain([(20, 1, 10, 105, 1.0, 0)]).collect();
    assert_eq!(evaluate(&schedule(4, &last_two), Counted::Metrics).jobs(), 3, "two complete at 115");
    // 200 jobs one after another, in reverse: the first two to complete are the last two of the log.
    let rows: Vec<Row> = (0..200).map(|i| (0, 1, 1, 199 - i, 1.0, 0)).chain([(1_000, 1, 1, 1_000, 1.0, 0)]).collect();
    let kept = evaluate(&schedule(4, &rows), Counted::Steady).kept_waits();
    assert_eq!((kept.len(), kept.last()), (198, Some(&2)));
}

#[test]
fn killed_runs_are_use_of_the_machine_but_not_useful() {
    // The third job was killed at 6, having run from 4 on two processors, and starts anew at 115.
    let rows: Vec<Row> =
        FOUR.iter().enumerate().map(|(i, row)| if i == 2 { (4, 2, 4, 115, 2.0, 1) } else { *row }).collect();
    let (workload, mut schedule) = schedule(4, &rows);
    schedule.killed.push(Execution { job: JobId(2), start: 4, end: 6, by: KilledBy::Scheduler });
    let values =
        Evaluation::new(&workload, &schedule, &Measure { counted: Counted::All, ..Measure::default() }).values();
    let is = |metric, expected| close(values.get(&metric).copied(), expected);
    is(Metric::Kills, 1.0);
    is(Metric::JobsKilled, 1.0);
    is(Metric::LostArea, 4.0);
    is(Metric::Utilisation, 152.0 / 476.0);
    is(Metric::UsefulUtilisation, 148.0 / 476.0);
    is(Metric::MaxWait, 111.0);
    // The third job waits in [6, 115), so until 10 jobs wait for six processors, and two idle.
    let series = time_series(&workload, &schedule, 4.0, 10.0, 3);
    assert_eq!(series.queue_width.low, [4.0, 6.0, 6.0]);
    assert_eq!(series.utilisation.high, [1.0, 0.5, 0.5]);
}

#[test]
fn what_is_not_defined_is_left_out() {
    assert!(evaluate(&schedule(4, &[]), Counted::All).values().is_empty());
    let first = schedule(4, &FOUR[..1]);
    let alone = evaluate(&first, Counted::Metrics);
    assert_eq!(alone.jobs(), 0, "the only job is the last to complete");
    let keys: Vec<Metric> = alone.values().into_keys().collect();
    let of_all = [Metric::JobsDone, Metric::WorkDone, Metric::UtilisationVariance];
    assert_eq!(
        keys,
        [[Metric::Loc, Metric::Makespan, Metric::Utilisation, Metric::Remade].as_slice(), &of_all].concat()
    );
    let nothing_done = evaluate(&schedule(4, &[(0, 1, 0, 0, 1.0, 0); 2]), Counted::All).values();
    for metric in [Metric::Awf, Metric::P0sf, Metric::Pasf, Metric::Loc, Metric::Utilisation, Metric::R2] {
        assert!(!nothing_done.contains_key(&metric), "{metric}");
    }
    assert!(nothing_done.values().all(|value| value.is_finite()));
}

#[test]
fn a_schedule_without_estimates_has_no_metrics_of_them() {
    let (workload, schedule) = schedule(4, &FOUR);
    let not_fair = Schedule { fair: None, ..schedule.clone() };
    let curves = Evaluation::new(&workload, &not_fair, &Measure::default()).curves();
    assert_eq!(curves.strict_unfairness, Line::default());
    let logged = Schedule { estimates: Vec::new(), corrections: Vec::new(), notes: Notes::default(), ..schedule };
    let values = Evaluation::new(&workload, &logged, &Measure::default()).values();
    for metric in [Metric::R2, Metric::Mae, Metric::UnderRate, Metric::Corrections, Metric::Late, Metric::Remade] {
        assert!(!values.contains_key(&metric), "{metric}");
    }
    assert!(values.contains_key(&Metric::Af));
}

#[test]
fn who_has_started_between_two_rounds_is_not_in_the_queue_of_the_next() {
    let reserved = schedule(1, &[(0, 1, 10, 3, 10.0, 0), (20, 1, 5, 20, 5.0, 0)]);
    let curves = evaluate(&reserved, Counted::All).curves();
    // There are rounds at 0, 13, 20 and 25.
    assert_eq!(curves.queue_lengths, Line { x: vec![0.0, 1.0], y: vec![0.5, 1.0] });
}

#[test]
fn curves_are_those_of_the_four_jobs() {
    let curves = evaluate(&schedule(4, &FOUR), Counted::All).curves();
    assert_eq!(curves.cwa, Line { x: vec![8.0, 20.0, 100.0], y: vec![0.0, 32.0, 35.0] });
    assert_eq!(curves.waits, Line { x: vec![0.0, 3.0, 8.0], y: vec![0.5, 0.75, 1.0] });
    assert_eq!(curves.responses, Line { x: vec![4.0, 10.0, 13.0, 103.0], y: vec![0.25, 0.5, 0.75, 1.0] });
    assert_eq!(curves.queue_lengths, Line { x: vec![0.0, 1.0, 2.0], y: vec![0.125, 0.875, 1.0] });
    assert_eq!(curves.slowdowns, Line { x: vec![1.0, 1.03, 1.3], y: vec![0.5, 0.75, 1.0] });
    assert_eq!(curves.strict_unfairness, Line { x: vec![0.0, 3.0], y: vec![0.75, 1.0] });
    assert_eq!(curves.queue_jobs.high.len(), 1_000);
    let highest = |envelope: &Envelope| envelope.high.iter().copied().fold(0.0, f64::max);
    assert_eq!(highest(&curves.queue_jobs), 1.0);
    assert_eq!(highest(&curves.queue_width), 4.0);
    assert_eq!(highest(&curves.utilisation), 1.0);
    let mean = curves.utilisation.mean.iter().sum::<f64>() / 1_000.0;
    assert!((mean - 148.0 / 460.0).abs() < 1e-12);
    let offered: f64 = curves.offered.y.iter().sum::<f64>() / 1_000.0;
    assert!((offered - 148.0 / 460.0).abs() < 1e-12);
    assert_eq!(evaluate(&schedule(4, &[]), Counted::All).curves(), Curves::default());
}

#[test]
fn a_window_of_time_shows_the_jobs_that_touch_it() {
    let (workload, schedule) = schedule(4, &FOUR);
    let series = time_series(&workload, &schedule, 3.0, 13.0, 5);
    // The bins are [3, 5) [5, 7) [7, 9) [9, 11) [11, 13).
    assert_eq!(series.queue_width.low, [4.0, 4.0, 4.0, 0.0, 0.0]);
    assert_eq!(series.queue_width.high, [4.0, 4.0, 4.0, 4.0, 1.0]);
    assert_eq!(series.queue_jobs.mean, [1.0, 1.0, 1.0, 0.5, 0.5]);
    assert_eq!(series.utilisation.low, [0.5, 1.0, 0.5, 0.5, 1.0]);
    assert_eq!(series.utilisation.high, [1.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(series.offered, Line { x: vec![3.0, 5.0, 7.0, 9.0, 11.0], y: vec![1.0, 0.0, 0.0, 0.0, 12.5] });
    let idle = time_series(&workload, &schedule, -50.0, -10.0, 2);
    assert_eq!(idle.utilisation.high, [0.0, 0.0]);
    assert_eq!(time_series(&workload, &schedule, 5.0, 5.0, 10), TimeSeries::default());
    assert_eq!(time_series(&workload, &schedule, 0.0, 5.0, 0), TimeSeries::default());
}

#[test]
fn what_is_computed_together_is_what_each_definition_gives_by_itself() {
    let mut state = 5_u64;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for count in [1, 2, 7, 300, 2_000] {
        let mut submit = 0;
        let rows: Vec<Row> = (0..count)
            .map(|_| {
                submit += below(40) as Seconds;
                let wait = (below(3) * below(500)) as Seconds;
                (submit, 1 + below(64) as u32, below(900) as Seconds, submit + wait, below(900) as f64, below(3) as u32)
            })
            .collect();
        let (workload, mut schedule) = schedule(64, &rows);
        let killed = |job: u32| {
            let submit = rows[job as usize].0;
            Execution { job: JobId(job), start: submit, end: submit.max(rows[job as usize].3), by: KilledBy::Scheduler }
        };
        schedule.killed = (0..count as u32).step_by(50).map(killed).collect();
        for counted in Counted::ALL {
            for norm in [2.0, 3.0] {
                let measure = Measure { counted, norm, ..Measure::default() };
                let evaluation = Evaluation::new(&workload, &schedule, &measure);
                let Evaluation { killed, available, .. } = &evaluation;
                let all = &outcomes(&workload, &schedule)[..];
                let kept = &measure.jobs().of(&workload, all)[..];
                let plain = [
                    (Metric::Bsld, response::bsld(kept, 10.0)),
                    (Metric::Lp, response::norm(kept, norm)),
                    (Metric::Jain, response::jain(kept, 10.0)),
                    (Metric::WorstWaits5, response::worst_waits(kept, 5)),
                    (Metric::P2sf, fairness::priority_weighted_response(kept, 2.0)),
                    (Metric::Loc, capacity::loss_of_capacity(all, killed, available)),
                    (Metric::Makespan, capacity::makespan(all)),
                    (Metric::Utilisation, capacity::utilisation(all, killed, available)),
                    (Metric::UsefulUtilisation, capacity::useful_utilisation(all, available)),
                    (Metric::UtilisationClipped, capacity::steady_utilisation(all, killed, available)),
                    (Metric::UtilisationVariance, capacity::utilisation_variance(all, killed, 64)),
                    (Metric::LostShare, counted::lost_share(killed, all)),
                ];
                let is_finite = |value: Option<f64>| value.filter(|value| value.is_finite());
                let alone: Vec<Option<f64>> = plain.iter().map(|(metric, _)| evaluation.value(*metric)).collect();
                let together = evaluation.values();
                for ((metric, plain), alone) in plain.into_iter().zip(alone) {
                    assert_eq!(alone, is_finite(plain), "{metric} alone, {count} {counted}");
                    assert_eq!(together.get(&metric).copied(), is_finite(plain), "{metric}, {count} {counted}");
                }
            }
        }
        // The definitions of fair shares know nothing of killed executions.
        schedule.killed.clear();
        let evaluation = evaluate_of(&workload, &schedule);
        let all = &outcomes(&workload, &schedule)[..];
        let kept = &Measure::default().jobs().of(&workload, all)[..];
        for (metric, plain) in [
            (Metric::UnfairShare, fairness::unweighted_unfairness(kept, all)),
            (Metric::UnfairShareLacking, fairness::unweighted_shortfall(kept, all)),
            (Metric::UnfairShareWeighted, fairness::weighted_unfairness(kept, all)),
            (Metric::UnfairShareShort, fairness::weighted_shortfall(kept, all)),
        ] {
            assert_eq!(evaluation.value(metric), plain, "{metric}, {count}");
        }
    }
}

fn evaluate_of<'a>(workload: &'a Workload, schedule: &'a Schedule) -> Evaluation<'a> {
    Evaluation::new(workload, schedule, &Measure::default())
}

impl Evaluation<'_> {
    fn kept_waits(&self) -> Vec<Seconds> {
        self.counted().iter().map(Outcome::wait).collect()
    }
}

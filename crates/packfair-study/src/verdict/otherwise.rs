//! What a what-if is worth, compared with what schedulers gain on the machine as it is.

use super::measure::Rows;
use super::sentence::{Measurement, change_interval, is_fact};
use super::{Concern, Judged, measure, sentence};
use crate::format::{SPACE, relative, whole, with_places};
use crate::sureness::{Interval, Repeated};
use crate::{RunReport, format};
use packfair_base::machine::WhatIf;
use packfair_engine::metric::Metric;

/// Most what-ifs in a verdict.
const MOST_TOLD: usize = 4;

/// Two relative changes count as equal if they differ by no more than this.
const AS_MUCH: f64 = 0.02;

/// A sentence for each what-if: what it changes for the scheduler that others are compared with, and which scheduler
/// gains as much on the machine as it is. `own` are the rows on the machine as it is, `others` those with what-ifs.
/// `None` where nothing can be compared.
pub(super) fn sentence_of(own: &Judged<'_>, others: &[&RunReport], concern: Concern) -> Option<String> {
    let rows = Rows::of(&own.reports, own.baseline, own.repeated);
    let repeated = own.repeated;
    let metric = concern.measures(own.columns, &own.reports).first().copied().unwrap_or(Metric::Af);
    let mut machines: Vec<&WhatIf> = Vec::new();
    for what_if in others.iter().filter_map(|report| report.run.what_if.as_ref()) {
        if !machines.contains(&what_if) {
            machines.push(what_if);
        }
    }
    let told = |what_if: &&WhatIf| of_machine(&rows, others, what_if, metric, repeated);
    let sentences: Vec<String> = machines.iter().take(MOST_TOLD).filter_map(told).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What one what-if is worth, as a sentence.
fn of_machine(
    rows: &Rows<'_>,
    others: &[&RunReport],
    what_if: &WhatIf,
    metric: Metric,
    repeated: Option<&Repeated>,
) -> Option<String> {
    let twin_of = |report: &RunReport| {
        let run = report.run.clone().what_if(Some(what_if.clone()));
        others.iter().copied().find(|other| other.run == run)
    };
    // Take the run that others are compared with, else the first.
    let bases = rows.candidates.iter().filter_map(|report| rows.basis(report));
    let mut compared = bases.chain(rows.candidates.iter().copied());
    let found = compared.find_map(|report| Some((report, twin_of(report)?)));
    let Some((basis, twin)) = found else {
        let is_so_no_more = |report: &&&RunReport| twin_of(report).is_some_and(|twin| twin.saturation.is_none());
        let name = sentence::name(&rows.saturated.iter().find(is_so_no_more)?.run);
        return Some(format!("With {}, {name} is not saturated, as it is on the machine as it is.", what_if.name()));
    };
    let name = sentence::name(&basis.run);
    if twin.saturation.is_some() {
        return Some(format!("With {}, {name} is saturated.", what_if.name()));
    }
    let jobs = match twin.jobs.cmp(&basis.jobs) {
        std::cmp::Ordering::Equal => String::new(),
        std::cmp::Ordering::Greater => format!(" (of {} more jobs)", whole((twin.jobs - basis.jobs) as i64)),
        std::cmp::Ordering::Less => format!(" (of {} fewer jobs)", whole((basis.jobs - twin.jobs) as i64)),
    };
    let interval = |metric, change: f64| {
        let (of, than) = (Measurement::of(twin, metric)?, Measurement::of(basis, metric)?);
        repeated.and_then(|repeated| change_interval(repeated, of, than, change, metric).ok())
    };
    if what_if.is_of_power()
        && let Some(said) = of_power(twin, basis, &|change| interval(Metric::Aq, change), repeated.is_some())
    {
        if what_if.deferral().is_none() {
            return Some(format!("With {}, {name} {said}{jobs}.", what_if.name()));
        }
        let price = of_price(twin, basis, &interval, repeated.is_some());
        let assumed = "That these jobs may wait is an assumption.";
        return Some(format!("With {}, {name} {price}{said}{jobs}. {assumed}", what_if.name()));
    }
    let value = |report: &RunReport| report.values.get(&metric).copied();
    let change = relative(value(twin)?, value(basis)?)?;
    let interval_of = |report: &RunReport, change: f64| {
        let (of, than) = (Measurement::of(report, metric)?, Measurement::of(basis, metric)?);
        repeated.and_then(|repeated| change_interval(repeated, of, than, change, metric).ok())
    };
    let is_sure = |report: &RunReport, change: f64| is_fact(repeated.is_some(), interval_of(report, change));
    let sureness = sureness(interval(metric, change), repeated.is_some());
    let begin = format!(
        "With {}, {} of {name} is {}{jobs}{sureness}{}",
        what_if.name(),
        measure::name(metric),
        lower_or_higher(change),
        energy(twin, basis)
    );
    let is_better = measure::sign(metric) * change < 0.0 && is_sure(twin, change);
    // The changes that schedulers with the same estimates make.
    let others =
        rows.candidates.iter().filter(|other| other.run != basis.run && other.run.estimate == basis.run.estimate);
    let brought = others.filter_map(|other| Some((relative(value(other)?, value(basis)?)?, *other)));
    let brought: Vec<(f64, &RunReport)> = brought.filter(|(change, other)| is_sure(other, *change)).collect();
    let gain = |change: f64| -measure::sign(metric) * change;
    let nearest = brought.iter().min_by(|a, b| (a.0 - change).abs().total_cmp(&(b.0 - change).abs()));
    let most = brought.iter().max_by(|a, b| gain(a.0).total_cmp(&gain(b.0)));
    let (Some(nearest), Some(most), true) = (nearest, most, is_better) else { return Some(format!("{begin}.")) };
    let on_own = |(change, report): &(f64, &RunReport)| {
        format!("{} on the machine as it is ({})", report.run.scheduler.name(), lower_or_higher(*change))
    };
    Some(if (nearest.0 - change).abs() <= AS_MUCH && gain(nearest.0) > 0.0 {
        format!("{begin}: that is worth as much as {}.", on_own(nearest))
    } else if gain(most.0) < gain(change) && gain(most.0) > 0.0 {
        format!("{begin}: more than any scheduler here brings, which is {}.", on_own(most))
    } else if gain(most.0) > gain(change) {
        format!("{begin}: less than {}.", on_own(most))
    } else {
        format!("{begin}, which no scheduler here brings on the machine as it is.")
    })
}

/// How sure a change is, where there are repeats.
fn sureness(interval: Option<Interval>, is_repeated: bool) -> String {
    match interval {
        Some(interval) => {
            let (low, high) = (format::change(interval.low), format::change(interval.high));
            format!(" ({low} to {high} on repeats{})", if interval.is_unsure() { ": not sure" } else { "" })
        }
        None if is_repeated => " (not sure: repeats do not tell)".to_owned(),
        None => String::new(),
    }
}

/// What a change of the power of a machine saves, and what it costs in waiting; none where watts are not known.
/// `interval` is that of the relative change of the mean wait.
fn of_power(
    run: &RunReport,
    than: &RunReport,
    interval: &dyn Fn(f64) -> Option<Interval>,
    is_repeated: bool,
) -> Option<String> {
    let both = |metric| Some((*run.values.get(&metric)?, *than.values.get(&metric)?));
    let (energy, before) = both(Metric::Energy)?;
    let (wait, waited) = both(Metric::Aq)?;
    let change = relative(energy, before)?;
    let percent = 100.0 * change.abs();
    let amount = with_places(percent, usize::from(percent < 9.95));
    let energy = match change {
        _ if percent < 0.05 => "takes as much energy".to_owned(),
        less if less < 0.0 => format!("saves {amount}{SPACE}% of the energy"),
        _ => format!("takes {amount}{SPACE}% more energy"),
    };
    let more = wait - waited;
    let sure = relative(wait, waited).map(|change| sureness(interval(change), is_repeated)).unwrap_or_default();
    let wait = match more {
        _ if more.abs() < 0.5 => "leaves the mean wait as it is".to_owned(),
        more if more > 0.0 => format!("adds {} to the mean wait{sure}", format::duration(more)),
        less => format!("takes {} from the mean wait{sure}", format::duration(-less)),
    };
    Some(format!("{energy} and {wait}"))
}

/// How much less a run costs than another, and how much less CO2 it emits, where that is known.
fn of_price(
    run: &RunReport,
    than: &RunReport,
    interval: &dyn Fn(Metric, f64) -> Option<Interval>,
    is_repeated: bool,
) -> String {
    let of = |metric, less: &str, more: &str| {
        let change = relative(*run.values.get(&metric)?, *than.values.get(&metric)?)?;
        let percent = 100.0 * change.abs();
        let amount = with_places(percent, usize::from(percent < 9.95));
        let sure = sureness(interval(metric, change), is_repeated);
        (percent >= 0.05).then(|| format!("{} {amount}{SPACE}%{sure}, ", if change < 0.0 { less } else { more }))
    };
    let cost = of(Metric::Cost, "lowers the cost by", "raises the cost by");
    let carbon = of(Metric::Carbon, "lowers the CO\u{2082} by", "raises the CO\u{2082} by");
    [cost, carbon].into_iter().flatten().collect()
}

/// How much more or less energy a run takes than another, where watts are known.
fn energy(run: &RunReport, than: &RunReport) -> String {
    let of = |report: &RunReport| report.values.get(&Metric::Energy).copied();
    let change = of(run).zip(of(than)).and_then(|(energy, before)| relative(energy, before));
    change.map(|change| format!(", and the energy {}", lower_or_higher(change))).unwrap_or_default()
}

/// The change in words, such as "12 % lower"; "the same" where it rounds to nothing.
fn lower_or_higher(change: f64) -> String {
    let percent = 100.0 * change.abs();
    if percent < 0.05 {
        return "the same".to_owned();
    }
    let amount = with_places(percent, usize::from(percent < 9.95));
    format!("{amount}{SPACE}% {}", if change < 0.0 { "lower" } else { "higher" })
}

#[cfg(test)]
mod tests {
    use super::super::{Concern, Verdict, judge};
    use super::*;
    use crate::sureness::{CarriedIntervals, Repeats};
    use crate::{Baseline, Run};
    use packfair_engine::metric::Curves;

    fn report(scheduler: &str, what_if: Option<&str>, af: f64) -> RunReport {
        let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap());
        RunReport {
            run: run.what_if(what_if.map(|text| text.parse().unwrap())),
            shrink: 1.0,
            jobs: 1_000 + if what_if.is_some_and(|text| text.contains("+9")) { 5 } else { 0 },
            values: [(Metric::Af, af)].into_iter().collect(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            saturation: None,
            is_too_short: false,
        }
    }

    fn table(reports: &[RunReport]) -> Judged<'_> {
        Judged {
            reports: reports.iter().collect(),
            missing: Vec::new(),
            columns: &[Metric::Af],
            baseline: &Baseline::None,
            repeated: None,
            load: None,
            has_site: false,
        }
    }

    fn verdict(reports: &[RunReport]) -> Verdict {
        judge(&table(reports), Concern::Response).unwrap()
    }

    fn text(reports: &[RunReport]) -> String {
        verdict(reports).text.replace(SPACE, " ")
    }

    #[test]
    fn more_nodes_are_worth_as_much_as_a_scheduler() {
        let own = [report("easy", None, 100.0), report("easy-sjbf", None, 80.0)];
        let with = |what_if, af| [own.to_vec(), vec![report("easy", Some(what_if), af)]].concat();
        let said = text(&with("nodes=+20", 79.0));
        assert!(
            said.ends_with(
                "With 20 more nodes, response time of EASY (requested) is 21 % lower: that is worth as much as EASY-SJBF on \
                 the machine as it is (20 % lower)."
            ),
            "{said}"
        );
        assert!(said.starts_with("For response time: EASY-SJBF"), "rows on the machine as it is are judged: {said}");
        let said = text(&with("nodes=+9", 40.0));
        assert!(said.ends_with("is 60 % lower (of 5 more jobs): more than any scheduler here brings, which is EASY-SJBF on the machine as it is (20 % lower)."), "{said}");
        assert!(
            text(&with("nodes=+2", 95.0))
                .ends_with("is 5.0 % lower: less than EASY-SJBF on the machine as it is (20 % lower).")
        );
        assert!(
            text(&with("nodes=-2", 130.0))
                .ends_with("With 2 fewer nodes, response time of EASY (requested) is 30 % higher.")
        );
    }

    #[test]
    fn idle_nodes_that_go_off_save_energy_and_add_to_the_wait() {
        let watted = |what_if, energy, wait| {
            let mut report = report("easy", what_if, 100.0);
            report.values.insert(Metric::Energy, energy);
            report.values.insert(Metric::Aq, wait);
            report
        };
        let own = watted(None, 1_000.0, 1_800.0);
        let said = |what_if, energy, wait| text(&[own.clone(), watted(Some(what_if), energy, wait)]);
        assert_eq!(
            said("suspend=600", 860.0, 1_920.0),
            "With idle nodes off after 10 min, EASY (requested) saves 14 % of the energy and adds 2 min to the mean wait."
        );
        assert_eq!(
            said("power_cap=80%", 1_012.0, 1_800.0),
            "With cap at 80 % of the peak, EASY (requested) takes 1.2 % more energy and leaves the mean wait as it is."
        );
    }

    #[test]
    fn who_waits_for_cheap_hours_lowers_the_cost_and_that_he_may_is_an_assumption() {
        let priced = |what_if, cost, wait| {
            let mut report = report("easy", what_if, 100.0);
            let values = [(Metric::Energy, 1_000.0), (Metric::Cost, cost), (Metric::Aq, wait)];
            report.values.extend(values);
            report
        };
        let said =
            |cost, wait| text(&[priced(None, 80.0, 1_800.0), priced(Some("wait_for=22-6 user=ann"), cost, wait)]);
        assert_eq!(
            said(72.8, 5_400.0),
            "With jobs of ann waiting for 22:00 to 06:00, EASY (requested) lowers the cost by 9.0 %, takes as much energy \
             and adds 60 min to the mean wait. That these jobs may wait is an assumption."
        );
        assert!(said(88.0, 1_800.0).contains("raises the cost by 10 %, takes as much"));
    }

    #[test]
    fn repeats_tell_how_sure_it_is() {
        let reports = [report("easy", None, 100.0), report("easy", Some("nodes=+20"), 79.0)];
        let said = |changes: [f64; 2]| {
            let [own, otherwise] = reports.each_ref().map(|report| &report.run);
            let mut carried = CarriedIntervals::of(40);
            let (value, change) = (Interval { low: 70.0, high: 90.0 }, Interval { low: changes[0], high: changes[1] });
            carried.add(otherwise, Metric::Af, Ok(value), Some((own, Ok(change))));
            let repeated = Repeated::carried(Repeats::of(40), vec![Metric::Af], carried);
            let table = Judged { repeated: Some(&repeated), ..table(&reports) };
            judge(&table, Concern::Response).unwrap().text.replace(SPACE, " ")
        };
        assert_eq!(
            said([-0.24, -0.18]),
            "With 20 more nodes, response time of EASY (requested) is 21 % lower (−24 % to −18 % on repeats)."
        );
        assert_eq!(
            said([-0.24, 0.03]),
            "With 20 more nodes, response time of EASY (requested) is 21 % lower (−24 % to +3 % on repeats: not sure)."
        );
    }

    #[test]
    fn a_run_that_is_saturated_no_more_is_told() {
        let saturated = RunReport {
            saturation: Some(packfair_engine::metric::Saturation { left_s: 86_400.0, share: 0.04 }),
            is_too_short: false,
            ..report("easy", None, 100.0)
        };
        let said = text(&[saturated, report("easy", Some("nodes=+20"), 90.0)]);
        assert!(
            said.ends_with("With 20 more nodes, EASY (requested) is not saturated, as it is on the machine as it is."),
            "{said}"
        );
    }

    #[test]
    fn one_scheduler_on_two_machines_is_told_of_too() {
        let reports = [report("easy", None, 100.0), report("easy", Some("memory=x2"), 90.0)];
        let told = verdict(&reports);
        assert_eq!(told.run, None);
        assert_eq!(told.text.replace(SPACE, " "), "With memory x 2, response time of EASY (requested) is 10 % lower.");
    }
}

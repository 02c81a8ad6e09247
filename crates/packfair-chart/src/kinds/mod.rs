//! A function for each kind of chart: from reports, summaries and answers to figures.

mod by_policy;
mod change;
mod class_slowdowns;
mod distribution;
mod estimates;
mod forecast;
mod gantt;
mod slowdown_course;
mod sweep;
mod timeline;
mod tradeoff;

pub use by_policy::{METRICS_BY_POLICY, by_policy, lost_work};
pub use change::{OnLog, changes, of_baseline};
pub use class_slowdowns::{
    Rate, autocorrelation, class_slowdowns, class_weeks, importance_boxes, importances, user_autocorrelation,
};
pub use distribution::{
    gaps, hours, limits, overestimations, queue_lengths, responses, run_times, slowdowns, unfairness, waits, weekdays,
    widths,
};
pub use estimates::{
    JudgedEstimates, OverTime, estimate_density, estimate_errors, estimates_over_time, joint, requests,
};
pub use forecast::{free_ahead, queue_ahead, start_chances};
pub use gantt::{Colouring, GanttView, gantt, gantt_key, reservation};
pub use slowdown_course::{
    cumulative_slowdown, longer_by, longest_median, monthly_slowdown, wait_change_map, wait_map,
};
pub use sweep::sweeps;
pub use timeline::{area_distribution, cwa, power, queue_jobs, queue_width, utilisation, with_down_times};
pub use tradeoff::tradeoff;

use super::{Data, Ink, Series};
use packfair_base::machine::WhatIf;
use packfair_engine::metric::{ClassCourse, Curves};
use packfair_study::format::factor;
use packfair_study::{Run, RunReport};

/// A charted run and its ink, which is the same in every chart of the page.
#[derive(Clone, Copy, Debug)]
pub struct Charted<'a> {
    pub report: &'a RunReport,
    /// The colour and line pattern of the run.
    pub ink: Ink,
}

/// A run, its ink, and how small and large jobs fared in it.
#[derive(Clone, Copy, Debug)]
pub struct Classed<'a> {
    pub run: &'a Run,
    /// The colour and line pattern of the run.
    pub ink: Ink,
    /// How small and large jobs fared.
    pub course: &'a ClassCourse,
}

/// The text of an empty chart of classes.
const NO_CLASSES: &str = "No run that tells small jobs from large ones is chosen, or its schedule is not here";

/// A series for each run that has any data, and what their names leave out.
fn series_of_classed(runs: &[Classed<'_>], data: impl Fn(&ClassCourse) -> Data) -> (Vec<Series>, String) {
    let named: Vec<&Run> = runs.iter().map(|run| run.run).collect();
    let one = |(run, name): (&Classed<'_>, String)| Series::of_run(name, run.run, run.ink, data(run.course));
    let series = runs.iter().zip(run_names(&named)).map(one).filter(|series| !series.data.is_empty()).collect();
    (series, common_of(&named))
}

fn series_of(runs: &[Charted<'_>], data: impl Fn(&Curves) -> Data) -> Vec<Series> {
    let names = run_names(&runs.iter().map(|r| &r.report.run).collect::<Vec<_>>());
    let one =
        |(run, name): (&Charted<'_>, String)| Series::of_run(name, &run.report.run, run.ink, data(&run.report.curves));
    runs.iter().zip(names).map(one).collect()
}

/// What all the runs have in common, so that their names leave it out.
fn common(runs: &[Charted<'_>]) -> String {
    common_of(&runs.iter().map(|r| &r.report.run).collect::<Vec<_>>())
}

/// The text of an empty chart of runs.
const NO_RUNS: &str = "No run has ended, or the link draws none";

// Short names of runs that are shown side by side.

/// A name for each run, without what all have in common: the scheduler only if all have the same estimates, the
/// estimate only if all have the same scheduler.
pub fn run_names(runs: &[&Run]) -> Vec<String> {
    let same_estimate = runs.windows(2).all(|w| w[0].estimate == w[1].estimate);
    let same_scheduler = runs.windows(2).all(|w| w[0].scheduler == w[1].scheduler);
    let same_arrivals = runs.windows(2).all(|w| arrivals(w[0]) == arrivals(w[1]));
    let name = |run: &&Run| match (same_scheduler, same_estimate) {
        _ if run.scheduler.is_given() => run.scheduler.name(),
        (true, true) if !same_arrivals => arrivals_name(run).unwrap_or_else(|| run.scheduler.name()),
        (_, true) => run.scheduler.name(),
        (true, false) => estimate_name(run),
        (false, false) => format!("{}, {}", run.scheduler.name(), estimate_name(run)),
    };
    let same_partition = runs.windows(2).all(|w| w[0].partition == w[1].partition);
    let name = |run: &&Run| match &run.partition {
        Some(partition) if !same_partition => format!("{}: {}", partition.name, name(run)),
        _ => name(run),
    };
    let with_arrivals = |run: &&Run| match arrivals_name(run) {
        Some(arrivals) if !(same_arrivals || same_scheduler && same_estimate) => format!("{}, {arrivals}", name(run)),
        _ => name(run),
    };
    runs.iter().map(with_arrivals).collect()
}

/// What [`run_names`] leaves out: "estimates: requested", or the scheduler.
pub fn common_of(runs: &[&Run]) -> String {
    let Some(first) = runs.first() else { return String::new() };
    if runs.iter().all(|run| run.estimate == first.estimate) {
        format!("estimates: {}", estimate_name(first))
    } else if runs.iter().all(|run| run.scheduler == first.scheduler) {
        first.scheduler.name()
    } else {
        String::new()
    }
}

/// The submissions and the machine of a run, as far as they differ from those of other runs of its study.
fn arrivals(run: &Run) -> (Option<f64>, Option<f64>, bool, Option<&WhatIf>) {
    (run.shrink, run.users, run.replayed, run.what_if.as_ref())
}

/// The name of a run's submissions and machine, such as "f = 0.8, 1.2 × users, replayed": a further shrinking factor,
/// another number of users, no reactions, or a what-if.
fn arrivals_name(run: &Run) -> Option<String> {
    let (shrink, users, replayed, what_if) = arrivals(run);
    let shrink = shrink.map(|shrink| format!("f = {}", factor(shrink)));
    let users = users.map(|users| format!("{} × users", factor(users)));
    let replayed = replayed.then(|| "replayed".to_owned());
    let each: Vec<String> = shrink.into_iter().chain(users).chain(replayed).chain(what_if.map(WhatIf::name)).collect();
    (!each.is_empty()).then(|| each.join(", "))
}

/// The name of an estimate, such as "actual × 1.5".
fn estimate_name(run: &Run) -> String {
    let method = &run.estimate.method;
    if run.estimate.k == 1.0 { method.short() } else { format!("{} × {}", method.short(), factor(run.estimate.k)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_have_in_common_is_not_said() {
        let run = |scheduler: &str, estimate: &str| Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let (a, b, c) = (run("easy", "actual"), run("justbf", "actual"), run("easy", "requested*1.5"));
        assert_eq!(run_names(&[&a, &b]), ["EASY", "JustBF"]);
        assert_eq!(run_names(&[&a, &c]), ["actual", "requested × 1.5"]);
        assert_eq!(run_names(&[&a, &b, &c]), ["EASY, actual", "JustBF, actual", "EASY, requested × 1.5"]);
        assert_eq!(run_names(&[&a]), ["EASY"]);
        let (d, e) = (a.clone().at_shrink(Some(0.8)), b.clone().at_shrink(Some(0.8)));
        assert_eq!(run_names(&[&a, &d]), ["EASY", "f = 0.8"]);
        assert_eq!(run_names(&[&a, &d, &b, &e]), ["EASY", "EASY, f = 0.8", "JustBF", "JustBF, f = 0.8"]);
        assert_eq!(run_names(&[&d, &e]), ["EASY", "JustBF"]);
        let left_out = [vec![&a, &b], vec![&a, &c], vec![&a, &b, &c], vec![]].map(|runs| common_of(&runs));
        assert_eq!(left_out, ["estimates: actual", "EASY", "", ""]);
    }
}

//! The rows of a table that are judged, and what each is compared with.

use super::contrast::Contrast;
use super::measure;
use crate::change::relative;
use crate::sureness::{NoInterval, Repeated};
use crate::{Baseline, Run, RunReport};
use packfair_engine::estimator::Method;
use packfair_engine::metric::Metric;
use std::collections::HashMap;

/// Results with fewer jobs say nothing about schedulers.
pub const FEWEST_JOBS: usize = 200;

/// Where fewer jobs wait under every scheduler, the results say nothing about schedulers.
pub const FEWEST_WAITING: usize = 20;

/// The number of jobs in the results, and how many wait in the result with the most waiting jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JobTally {
    pub(super) all: usize,
    /// `None` where no result tells it: a link only carries the waits of some runs.
    pub(super) waiting: Option<usize>,
}

impl JobTally {
    pub(super) fn of<'a>(reports: impl IntoIterator<Item = &'a RunReport>) -> Self {
        reports.into_iter().fold(JobTally { all: 0, waiting: None }, |jobs, report| JobTally {
            all: jobs.all.max(report.jobs),
            waiting: jobs.waiting.max(waiting(report)),
        })
    }

    /// Whether they are too few to tell schedulers apart.
    pub(super) fn are_too_few(self) -> bool {
        self.all < FEWEST_JOBS || self.waiting.is_some_and(|waiting| waiting < FEWEST_WAITING)
    }
}

/// How many jobs of a result wait; `None` where it has no distribution of waits.
pub(crate) fn waiting(report: &RunReport) -> Option<usize> {
    let waits = &report.curves.waits;
    let at_once = match (waits.x.first()?, waits.y.first()?) {
        (&least, &share) if least <= 0.0 => share,
        _ => 0.0,
    };
    Some(((1.0 - at_once) * report.jobs as f64).round() as usize)
}

/// Restores how many jobs of a result wait, where a link has carried its distribution of waits only in reduced form.
pub(crate) fn keep_waiting(report: &mut RunReport, jobs: u64) {
    let at_once = 1.0 - jobs as f64 / report.jobs.max(1) as f64;
    let waits = &mut report.curves.waits;
    match (waits.x.first(), waits.y.first_mut()) {
        (Some(&least), Some(share)) if least <= 0.0 => *share = at_once,
        (None, _) => (waits.x, waits.y) = (vec![0.0], vec![at_once]),
        _ => {}
    }
}

/// Whether a scheduler can be chosen. The log's own schedule, that of a file and an off-line one cannot, and distorted
/// estimates are an experiment.
pub(super) fn can_be_chosen(run: &Run) -> bool {
    !run.scheduler.is_given() && !run.scheduler.is_offline() && run.estimate.k == 1.0
}

/// Whether a table with these rows has something to choose from: one workload, and at least two runs that can be
/// chosen.
pub(super) fn have_a_choice<'a>(runs: impl IntoIterator<Item = &'a Run>) -> bool {
    let runs: Vec<&Run> = runs.into_iter().collect();
    let are_comparable = runs.windows(2).all(|pair| pair[0].shares_workload(pair[1]));
    are_comparable && runs.iter().filter(|run| can_be_chosen(run)).count() >= 2
}

/// A key for finding the EASY run to compare a run with: its estimate and its workload.
fn conditions(run: &Run) -> String {
    let Run { scheduler: _, estimate, shrink, partition, users, replayed, what_if } = run;
    let partition = partition.as_ref().map(|of| of.number);
    let what_if = what_if.as_ref().map(ToString::to_string);
    format!("{estimate} {shrink:?} {users:?} {replayed} {partition:?} {what_if:?}")
}

/// The rows of a table, sorted for judging.
pub(super) struct Rows<'a> {
    pub(super) candidates: Vec<&'a RunReport>,
    /// The rows that it cannot name, because they are saturated.
    pub(super) saturated: Vec<&'a RunReport>,
    /// The rows with which candidates can be compared, by run id.
    stable: HashMap<String, &'a RunReport>,
    /// The first EASY row for each estimate and workload.
    easy: HashMap<String, &'a RunReport>,
    baseline: &'a Baseline,
    repeated: Option<&'a Repeated>,
}

impl<'a> Rows<'a> {
    /// Sorts these results. Runs that know run times beforehand are no candidates where at least two others are.
    pub(super) fn of(reports: &[&'a RunReport], baseline: &'a Baseline, repeated: Option<&'a Repeated>) -> Self {
        let chosen: Vec<&RunReport> = reports.iter().copied().filter(|report| can_be_chosen(&report.run)).collect();
        let is_real = |report: &&RunReport| report.run.estimate.method != Method::actual();
        let has_choice = chosen.iter().copied().filter(|report| is_real(report)).count() >= 2;
        let (stable, saturated): (Vec<&RunReport>, Vec<&RunReport>) =
            chosen.into_iter().partition(|report| report.saturation.is_none());
        let candidates = stable.iter().copied().filter(|report| !has_choice || is_real(report)).collect();
        // The first row for each key wins. A table may have thousands of rows.
        let is_easy = |report: &&&RunReport| report.run.scheduler.preset().is_some_and(|preset| preset.id == "easy");
        let easy = stable.iter().filter(is_easy).rev().map(|report| (conditions(&report.run), *report)).collect();
        let stable = stable.iter().rev().map(|report| (report.run.id(), *report)).collect();
        Rows { candidates, saturated, stable, easy, baseline, repeated }
    }

    /// Whether the table has rows that are not judged, for nobody could choose them.
    pub(super) fn leaves_out(&self, reports: &[&RunReport]) -> bool {
        reports.len() > self.candidates.len() + self.saturated.len()
    }

    /// The row that a run is compared with: its baseline if that has a result, else EASY with the same estimate.
    pub(super) fn basis(&self, report: &RunReport) -> Option<&'a RunReport> {
        let own = self.baseline.of(&report.run).and_then(|run| self.stable.get(&run.id()));
        own.or_else(|| self.easy.get(&conditions(&report.run))).copied()
    }

    /// The value of a metric in a row; what a scheduler never does it did 0 times, where another row did it.
    pub(super) fn value(&self, report: &RunReport, metric: Metric) -> Option<f64> {
        let own = report.values.get(&metric).copied();
        let has = |other: &&&RunReport| other.values.contains_key(&metric);
        own.or_else(|| measure::value(report, metric, self.candidates.iter().find(has)?))
    }

    /// A run compared with its basis; `None` where it is its own basis or has none.
    pub(super) fn contrasts(&self, report: &RunReport, measures: &[Metric]) -> Option<(&'a RunReport, Vec<Contrast>)> {
        let basis = self.basis(report).filter(|basis| basis.run != report.run)?;
        Some((basis, Contrast::all(measures, report, basis, self.repeated)))
    }

    /// Whether one run is better than another in a metric: by at least what is worth acting on, and surely where there
    /// are repeats.
    pub(super) fn beats(&self, one: &RunReport, other: &RunReport, metric: Metric) -> bool {
        let values = (measure::value(one, metric, other), measure::value(other, metric, one));
        let (Some(value), Some(than)) = values else { return false };
        let (one, other) = (one.run.id(), other.run.id());
        measure::is_ahead(metric, value, than)
            && self.repeated.is_none_or(|repeated| are_told_apart(repeated, (&one, value), (&other, than), metric))
    }
}

/// Whether repeats tell two runs, given by their ids and values, apart in a metric: the interval of the change from the
/// second to the first does not contain 0, and the repeats of both fit the log's own values. A link carries some changes
/// one way round only; then the interval of the change from the first to the second must not contain 0.
pub(super) fn are_told_apart(
    repeated: &Repeated,
    (one, value): (&str, f64),
    (other, than): (&str, f64),
    metric: Metric,
) -> bool {
    let fits = |of, value| !matches!(repeated.interval_by_id(of, metric, value), Err(NoInterval::Misfit));
    if !fits(one, value) || !fits(other, than) {
        return false;
    }
    let Some(change) = relative(value, than) else { return false };
    let interval = match repeated.change_by_ids(one, other, metric, change) {
        Err(NoInterval::NotRepeated) => repeated.change_by_ids(other, one, metric, 1.0 / (1.0 + change) - 1.0),
        found => found,
    };
    interval.is_ok_and(|interval| !interval.is_unsure())
}

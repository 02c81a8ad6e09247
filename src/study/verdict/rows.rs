//! Which rows of a table are judged, and what each is compared with.

use super::contrast::Contrast;
use super::measure;
use crate::estimator::Method;
use crate::metric::Metric;
use crate::study::sureness::Repeated;
use crate::study::{Baseline, Run, RunReport};
use std::collections::HashMap;

/// Results of fewer jobs tell nothing of schedulers.
pub const FEWEST_JOBS: usize = 200;

/// Results of which fewer jobs wait under any scheduler tell nothing of schedulers.
pub const FEWEST_WAITING: usize = 20;

/// How many jobs the results are of, and how many of them wait where most do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Jobs {
    pub(super) all: usize,
    /// None where no result tells it: a link carries the waits of some runs alone.
    pub(super) waiting: Option<usize>,
}

impl Jobs {
    pub(super) fn of<'a>(reports: impl IntoIterator<Item = &'a RunReport>) -> Self {
        reports.into_iter().fold(Jobs { all: 0, waiting: None }, |jobs, report| Jobs {
            all: jobs.all.max(report.jobs),
            waiting: jobs.waiting.max(waiting(report)),
        })
    }

    /// Whether they are too few to tell schedulers apart.
    pub(super) fn are_too_few(self) -> bool {
        self.all < FEWEST_JOBS || self.waiting.is_some_and(|waiting| waiting < FEWEST_WAITING)
    }
}

/// How many jobs of a result wait; none where its distribution of waits is not there.
pub(in crate::study) fn waiting(report: &RunReport) -> Option<usize> {
    let waits = &report.curves.waits;
    let at_once = match (waits.x.first()?, waits.y.first()?) {
        (&least, &share) if least <= 0.0 => share,
        _ => 0.0,
    };
    Some(((1.0 - at_once) * report.jobs as f64).round() as usize)
}

/// Keeps how many jobs of a result wait, where more of its distribution of waits may have got lost on the way.
pub(in crate::study) fn keep_waiting(report: &mut RunReport, jobs: u64) {
    let at_once = 1.0 - jobs as f64 / report.jobs.max(1) as f64;
    let waits = &mut report.curves.waits;
    match (waits.x.first(), waits.y.first_mut()) {
        (Some(&least), Some(share)) if least <= 0.0 => *share = at_once,
        (None, _) => (waits.x, waits.y) = (vec![0.0], vec![at_once]),
        _ => {}
    }
}

/// Whether a row is one of a scheduler that could be chosen: the log's own schedule, that of a file and an off-line one
/// could not, and distorted estimates are an experiment.
fn can_be_chosen(run: &Run) -> bool {
    !run.scheduler.is_given() && !run.scheduler.is_offline() && run.estimate.k == 1.0
}

/// Whether a table with these rows has something to choose from: rows of one workload, and two of them at least.
pub(super) fn have_a_choice<'a>(runs: impl IntoIterator<Item = &'a Run>) -> bool {
    let runs: Vec<&Run> = runs.into_iter().collect();
    let are_comparable = runs.windows(2).all(|pair| pair[0].shares_workload(pair[1]));
    are_comparable && runs.iter().filter(|run| can_be_chosen(run)).count() >= 2
}

/// What a run has in common with EASY that it can be compared with: its estimate and its workload.
fn beside(run: &Run) -> String {
    let Run { scheduler: _, estimate, shrink, partition, users, replayed } = run;
    let partition = partition.as_ref().map(|of| of.number);
    format!("{estimate} {shrink:?} {users:?} {replayed} {partition:?}")
}

/// The rows of a table by what becomes of them.
pub(super) struct Rows<'a> {
    /// Those that can be named.
    pub(super) candidates: Vec<&'a RunReport>,
    /// Those that cannot, for their queues grow to the end of the log.
    pub(super) growing: Vec<&'a RunReport>,
    /// What candidates can be compared with, by the ids of their runs.
    stable: HashMap<String, &'a RunReport>,
    /// The first of EASY with each estimate on each workload.
    easy: HashMap<String, &'a RunReport>,
    baseline: &'a Baseline,
    repeated: Option<&'a Repeated>,
}

impl<'a> Rows<'a> {
    /// Of these results. Runs that know run times beforehand are no candidates where others are.
    pub(super) fn of(reports: &[&'a RunReport], baseline: &'a Baseline, repeated: Option<&'a Repeated>) -> Self {
        let chosen: Vec<&RunReport> = reports.iter().copied().filter(|report| can_be_chosen(&report.run)).collect();
        let is_real = |report: &&RunReport| report.run.estimate.method != Method::actual();
        let has_choice = chosen.iter().copied().filter(|report| is_real(report)).count() >= 2;
        let (stable, growing): (Vec<&RunReport>, Vec<&RunReport>) =
            chosen.into_iter().partition(|report| report.saturation.is_none());
        let candidates = stable.iter().copied().filter(|report| !has_choice || is_real(report)).collect();
        // the first of those with one key counts; a table may have thousands of rows
        let is_easy = |report: &&&RunReport| report.run.scheduler.preset().is_some_and(|preset| preset.id == "easy");
        let easy = stable.iter().filter(is_easy).rev().map(|report| (beside(&report.run), *report)).collect();
        let stable = stable.iter().rev().map(|report| (report.run.id(), *report)).collect();
        Rows { candidates, growing, stable, easy, baseline, repeated }
    }

    /// What a run is compared with: its baseline where that has a result, else EASY with the same estimate.
    pub(super) fn basis(&self, report: &RunReport) -> Option<&'a RunReport> {
        let own = self.baseline.of(&report.run).and_then(|run| self.stable.get(&run.id()));
        own.or_else(|| self.easy.get(&beside(&report.run))).copied()
    }

    /// A run beside its basis; none where it is that itself, or has none.
    pub(super) fn contrasts(&self, report: &RunReport, measures: &[Metric]) -> Option<(&'a RunReport, Vec<Contrast>)> {
        let basis = self.basis(report).filter(|basis| basis.run != report.run)?;
        Some((basis, Contrast::all(measures, report, basis, self.repeated)))
    }

    /// Whether one run is better than another by a measure: by as much as is worth acting on, and surely where there are
    /// repeats.
    pub(super) fn beats(&self, one: &RunReport, other: &RunReport, metric: Metric) -> bool {
        let values = (measure::value(one, metric, other), measure::value(other, metric, one));
        let (Some(value), Some(than)) = values else { return false };
        measure::is_ahead(metric, value, than) && are_told_apart(self.repeated, &one.run, &other.run, metric)
    }
}

/// Whether repeats, where there are some of both, tell two runs apart by a measure.
pub(super) fn are_told_apart(repeated: Option<&Repeated>, one: &Run, other: &Run, metric: Metric) -> bool {
    let change =
        |repeated: &Repeated| repeated.change(one, other, metric).or_else(|| repeated.change(other, one, metric));
    repeated.and_then(change).is_none_or(|change| !change.is_unsure())
}

//! Parts of a workload by submission, workloads drawn from one of them, and runs that compute only some metrics: what a
//! search among settings needs.

use super::cannot_run::CannotRun;
use super::losses::GroupedWaits;
use super::rules::Rules;
use super::run::Run;
use super::running::{Ended, Running};
use super::{NoFairStarts, fair_starts_of};
use packfair_engine::metric::{Evaluation, Measure, Metric};
use packfair_workload::{JobId, Resampling, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// The least span of submissions from which weeks are drawn to confirm anything, seconds. Of fewer than four weeks, draws
/// hardly differ, and an interval would be too narrow.
const LEAST_DRAWN: Seconds = 28 * 86_400;

/// A part of a workload by submission: the jobs submitted first, those after them, or a workload drawn from the last.
///
/// Each part is a workload of its own. It begins with an empty machine and with estimators that have learned nothing.
/// Submit times stay those of the log; users who react wait only for jobs of the same part.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LogPart {
    /// This share of the jobs, those submitted first. Jobs submitted in the same second stay together.
    First(f64),
    /// The first half of the jobs after that first share.
    Middle(f64),
    /// The second half of the jobs after that first share.
    Last(f64),
    /// A workload drawn from [`LogPart::Last`] by users' weeks ([`Resampling::Users`]); empty where that part spans less
    /// than four weeks.
    Drawn {
        /// The first share.
        share: f64,
        seed: u64,
        index: u32,
    },
    /// The part by which a search chooses or selects, of a workload drawn from the whole by users' weeks; empty where none
    /// can be drawn.
    Again {
        /// The first share.
        share: f64,
        seed: u64,
        index: u32,
        /// Whether it is the part that selects ([`LogPart::Middle`]); else it is the one that chooses
        /// ([`LogPart::First`]).
        selects: bool,
    },
    Whole,
}

impl LogPart {
    pub fn of(self, workload: &Workload) -> Workload {
        let range = match self {
            LogPart::First(share) => 0..boundary(workload, share),
            LogPart::Middle(share) => boundary(workload, share)..boundary(workload, (1.0 + share) / 2.0),
            LogPart::Last(share) => boundary(workload, (1.0 + share) / 2.0)..workload.len(),
            LogPart::Whole => 0..workload.len(),
            LogPart::Drawn { share, seed, index } => {
                let last = LogPart::Last(share).of(workload);
                return if spans_weeks(&last) { drawn(&last, seed, index) } else { none_of(&last) };
            }
            LogPart::Again { share, seed, index, selects } => {
                let part = if selects { LogPart::Middle(share) } else { LogPart::First(share) };
                return part.of(&drawn(workload, seed, index));
            }
        };
        let mut part = Workload::empty(workload.name.clone(), workload.machine, workload.header.clone());
        for job in workload.jobs().skip(range.start).take(range.len()) {
            let wait = workload.logged_wait(job).unwrap_or(-1);
            // A log has fewer records than a u32 counts.
            part.push(workload.request(job).clone(), workload.run(job), wait, workload.record(job) as u32);
        }
        part.set_counting(workload.counting().clone());
        part.set_cluster(workload.cluster().cloned());
        part.take_still_running_of(workload);
        let own: Vec<JobId> = workload.jobs().skip(range.start).take(range.len()).collect();
        part.take_site_of(workload, &own);
        part.react_as_part(workload, range.start);
        part
    }
}

/// Whether a part is long enough to draw weeks of it.
fn spans_weeks(part: &Workload) -> bool {
    let requests = part.requests();
    requests.last().is_some_and(|last| last.submit - requests[0].submit >= LEAST_DRAWN)
}

/// A draw of users' weeks of a part; empty where none can be made.
fn drawn(part: &Workload, seed: u64, index: u32) -> Workload {
    Resampling::Users.workload(part, seed, index).unwrap_or_else(|_| none_of(part))
}

/// A workload like this one without jobs.
fn none_of(part: &Workload) -> Workload {
    Workload::empty(part.name.clone(), part.machine, part.header.clone())
}

/// The number of jobs of the first share.
fn boundary(workload: &Workload, share: f64) -> usize {
    let wanted = ((workload.len() as f64 * share) as usize).min(workload.len());
    let requests = workload.requests();
    let last = wanted.checked_sub(1).map(|last| requests[last].submit);
    last.map_or(0, |last| requests.partition_point(|request| request.submit <= last))
}

/// Why a run has no values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unmeasured {
    #[error("{0}")]
    NoSchedule(#[from] CannotRun),
    #[error("{0}")]
    NotFair(#[from] NoFairStarts),
}

/// Runs `run` on `workload` and gives the values of these metrics only, `None` for a metric that is not defined; then,
/// for each of the waits `before`, the largest loss of a group against it ([`GroupedWaits::largest_loss`]), as a share,
/// 0 where none loses. Fair start times are computed only where a metric needs them.
///
/// # Errors
/// Where the run has no schedule, or a metric needs fair start times that the run does not have.
pub fn measured(
    run: &Run,
    workload: &Workload,
    rules: Rules,
    measure: &Measure,
    metrics: &[Metric],
    before: &[GroupedWaits],
) -> Result<Vec<Option<f64>>, Unmeasured> {
    let Ended { workload, mut schedule } = Running::begin(run, workload, rules)?.ended()?;
    if metrics.iter().any(|metric| Metric::OF_FAIR_STARTS.contains(metric)) {
        schedule.fair = Some(fair_starts_of(run, &workload, rules, &schedule, 0..workload.len())?);
    }
    let loss = |before: &GroupedWaits| {
        let waits = GroupedWaits::of(&workload, &schedule, before.by());
        Some(waits.largest_loss(before).map_or(0.0, |loss| loss.relative()))
    };
    let evaluation = Evaluation::new(&workload, &schedule, measure);
    Ok(metrics.iter().map(|&metric| evaluation.value(metric)).chain(before.iter().map(loss)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Treatment, execute};
    use packfair_workload::lublin;
    use packfair_workload::testing;

    #[test]
    fn parts_have_all_jobs_between_them_and_share_no_second() {
        let workload = testing::workload(4, &[(0, 5, 1), (1, 5, 1), (1, 6, 2), (1, 7, 1), (3, 5, 1)]);
        for (share, jobs) in [(0.0, [0, 4, 1]), (0.2, [1, 3, 1]), (0.6, [4, 0, 1]), (1.0, [5, 0, 0])] {
            let parts = [LogPart::First(share), LogPart::Middle(share), LogPart::Last(share)];
            let parts = parts.map(|part| part.of(&workload));
            assert_eq!(parts.each_ref().map(Workload::len), jobs, "{share}");
            let runs: Vec<_> = parts.iter().flat_map(|part| part.runs().to_vec()).collect();
            assert_eq!(runs, workload.runs());
        }
    }

    #[test]
    fn parts_of_a_drawn_workload_are_those_of_the_draw() {
        let workload = Treatment::default().apply(&lublin(4_000, 32, 3)).unwrap();
        let drawn = Resampling::Users.workload(&workload, 5, 2).unwrap();
        for (selects, part) in [(false, LogPart::First(0.5)), (true, LogPart::Middle(0.5))] {
            let again = LogPart::Again { share: 0.5, seed: 5, index: 2, selects }.of(&workload);
            assert!(!again.is_empty());
            assert_eq!(again.runs(), part.of(&drawn).runs(), "{selects}");
        }
    }

    #[test]
    fn a_metric_alone_is_the_one_of_a_report() {
        let workload = Treatment::default().apply(&lublin(400, 32, 3)).unwrap();
        let run = Run::new("easy-sjbf".parse().unwrap(), "requested".parse().unwrap());
        let (measure, rules) = (Measure::default(), Rules::default());
        let report = execute(&run, &workload, rules, &measure).unwrap().report;
        let metrics = Metric::OWN;
        let values = measured(&run, &workload, rules, &measure, metrics, &[]).unwrap();
        for (metric, value) in metrics.iter().zip(values) {
            if !Metric::OF_FAIR_STARTS.contains(metric) {
                assert_eq!(value, report.values.get(metric).copied(), "{metric}");
            }
        }
    }
}

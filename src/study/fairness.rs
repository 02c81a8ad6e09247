//! Fair start times of a run's jobs.

use super::{Rules, Run};
use crate::simulation::{FairStarts, Schedule, Simulation, fair_starts};
use crate::workload::Workload;
use std::ops::Range;

/// Why a run has no fair start times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFairStarts {
    /// It is the log's own schedule.
    #[error("Nobody can say when the log's jobs would have started without those that came later: take a scheduler.")]
    AsLogged,
    /// Waiting jobs are estimated anew in every round.
    #[error(
        "There are fair start times only where a waiting job keeps the estimate of its submission: \
         set re-estimation to \"submission\"."
    )]
    EstimatesChange,
}

/// Fair start times (FAIRNESS §3.1) of these `jobs`, as indices into `workload`, under the scheduler and
/// the estimates of `run`. `schedule` is what `run` on `workload` came to under the same `rules`.
///
/// This simulates on from the arrival of each job that did not start at once. It can be split: ranges
/// that follow one another give together what the whole range gives.
///
/// # Errors
/// The log's own schedule, and runs in which waiting jobs are estimated anew.
pub fn fair_starts_of(
    run: &Run,
    workload: &Workload,
    rules: impl Into<Rules>,
    schedule: &Schedule,
    jobs: Range<usize>,
) -> Result<FairStarts, NoFairStarts> {
    let scheduler = run.scheduler.build().ok_or(NoFairStarts::AsLogged)?;
    let options = rules.into().options(run);
    let simulation = Simulation::new(workload, scheduler, run.estimate.build(workload), options);
    fair_starts(simulation, &schedule.starts, jobs).ok_or(NoFairStarts::EstimatesChange)
}

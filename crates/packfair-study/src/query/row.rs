//! A job as searches and sorting see it, without formatting or copying.

use super::JobOutcome;
use packfair_workload::{Request, Seconds};

/// A job and its outcomes.
#[derive(Clone, Copy)]
pub(super) struct SimulatedJob<'a> {
    /// The job's request.
    pub(super) request: &'a Request,
    /// Actual run time D.
    pub(super) run: Seconds,
    /// The job's outcome under each run of the question, where it is known.
    pub(super) outcomes: &'a [Option<JobOutcome>],
}

impl SimulatedJob<'_> {
    /// The job's outcome under the run of that index.
    pub(super) fn outcome(&self, run: usize) -> Option<JobOutcome> {
        self.outcomes.get(run).copied().flatten()
    }

    /// The job's wait under the run of that index, seconds.
    pub(super) fn wait(&self, run: usize) -> Option<Seconds> {
        Some(self.outcome(run)?.wait())
    }
}

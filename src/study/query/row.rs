//! A job as searches and sorting see it, without formatting or copying.

use super::JobOutcome;
use crate::workload::{Request, Seconds};

#[derive(Clone, Copy)]
pub(super) struct SimulatedJob<'a> {
    pub(super) request: &'a Request,
    /// Actual run time D.
    pub(super) run: Seconds,
    /// The job's outcome under each run of the question, where it is known.
    pub(super) outcomes: &'a [Option<JobOutcome>],
}

impl SimulatedJob<'_> {
    pub(super) fn outcome(&self, run: usize) -> Option<JobOutcome> {
        self.outcomes.get(run).copied().flatten()
    }

    pub(super) fn wait(&self, run: usize) -> Option<Seconds> {
        Some(self.outcome(run)?.wait())
    }
}

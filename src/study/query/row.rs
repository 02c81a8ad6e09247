//! A job as searching and sorting see it: nothing is formatted or copied.

use super::JobOutcome;
use crate::workload::{Request, Seconds};

/// A job and what became of it.
#[derive(Clone, Copy)]
pub(super) struct SimulatedJob<'a> {
    /// What was asked for it.
    pub(super) request: &'a Request,
    /// Actual run time D.
    pub(super) run: Seconds,
    /// What became of it under each run asked about, where that is known.
    pub(super) outcomes: &'a [Option<JobOutcome>],
}

impl SimulatedJob<'_> {
    /// What became of it under the run of that index.
    pub(super) fn outcome(&self, run: usize) -> Option<JobOutcome> {
        self.outcomes.get(run).copied().flatten()
    }

    /// Start under the run of that index.
    pub(super) fn start(&self, run: usize) -> Option<Seconds> {
        Some(self.outcome(run)?.start)
    }

    /// Estimate at submission under the run of that index.
    pub(super) fn estimate(&self, run: usize) -> Option<f64> {
        Some(self.outcome(run)?.estimate)
    }

    /// Wait under the run of that index.
    pub(super) fn wait(&self, run: usize) -> Option<Seconds> {
        Some(self.start(run)? - self.request.submit)
    }

    /// Response time under the run of that index.
    pub(super) fn response(&self, run: usize) -> Option<Seconds> {
        Some(self.outcome(run)?.end - self.request.submit)
    }

    /// Wait under the second run less wait under the first.
    pub(super) fn difference(&self) -> Option<Seconds> {
        Some(self.wait(1)? - self.wait(0)?)
    }
}

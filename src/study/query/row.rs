//! A job as searching and sorting see it: nothing is formatted or copied.

use super::{JobColumn, JobOutcome, JobRow};
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

    /// Wait under the run of that index.
    pub(super) fn wait(&self, run: usize) -> Option<Seconds> {
        Some(self.outcome(run)?.wait())
    }
}

impl JobRow {
    /// What it has in a column; none where that is not known.
    pub fn value(&self, column: JobColumn) -> Option<f64> {
        column.value_of(&SimulatedJob { request: &self.request, run: self.run, outcomes: &self.outcomes })
    }
}

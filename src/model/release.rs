//! When running jobs free their processors.

use crate::workload::JobId;

/// A scheduler's own name for a job that it started. The simulation hands it back with every [`Release`] of the job and
/// does not interpret it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Token(pub u32);

/// When a running job is expected to free its processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// Estimated end, start + E.
    pub at: f64,
    /// Processors that become free then.
    pub processors: u32,
    pub job: JobId,
    pub token: Token,
}

//! A job of an off-line problem.

use crate::workload::Seconds;

/// A job of the problem. Times are seconds from the first submission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfflineJob {
    pub submit: Seconds,
    /// How long it takes its processors, seconds: its run time, at least 1.
    pub length: Seconds,
    /// Processors r, as profiles count them.
    pub processors: i32,
    /// Processors r, as objectives count them.
    pub width: f64,
    /// Run time D, seconds.
    pub run: f64,
}

//! Dependencies that a log states: which jobs another one came after (SWF fields 17 and 18, Slurm's and PBS's dependencies).

mod followed;
mod of_log;

pub(super) use followed::Followed;
pub(super) use of_log::of_log;

use crate::workload::Seconds;
use serde::{Deserialize, Serialize};

/// A statement of a log: a job comes after something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stated {
    record: u32,
    after: StatedAfter,
    /// The think time that the log states, seconds; -1 where it states none.
    think: Seconds,
}

/// What a job comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum StatedAfter {
    Record(u32),
    /// The end of a job that the log does not have.
    Missing,
    Other,
}

/// What became of the dependencies that a log states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedCounts {
    pub followed: usize,
    /// Dependencies on a job that is not in the workload.
    pub missing: usize,
    pub itself: usize,
    /// Dependencies on a job that was submitted later. Each cycle has one.
    pub later: usize,
    /// Dependencies on a job that had not ended when this one was submitted: the submission did not wait for it.
    pub contradicted: usize,
    /// Dependencies on something else than an end, such as the start of a job.
    pub other: usize,
}

impl StatedCounts {
    /// The number of all stated dependencies.
    pub fn all(&self) -> usize {
        self.followed + self.missing + self.itself + self.later + self.contradicted + self.other
    }
}

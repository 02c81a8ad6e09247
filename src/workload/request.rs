//! A job of a workload, and what is known of it when it is submitted.

pub use crate::machine::Seconds;
use serde::{Deserialize, Serialize};

/// A job of a [`Workload`](super::Workload): its place in log order (submit time, then position in the file).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub u32);

impl JobId {
    /// The job's index into the workload's columns.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a job when it is submitted: all that a scheduler may ever see of it.
///
/// The run time is not here, and no type that a scheduler is given leads to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub number: i64,
    pub submit: Seconds,
    /// Processors r, at least 1 and at most the machine's.
    pub processors: u32,
    /// Requested time L, the time limit, seconds, at least 1.
    pub limit: Seconds,
    /// User, -1 where unknown.
    pub user: i32,
    /// Group, -1 where unknown.
    pub group: i32,
    /// Executable ("job name"), -1 where unknown.
    pub executable: i32,
    /// Queue, -1 where unknown.
    pub queue: i32,
    /// Partition, -1 where unknown.
    pub partition: i32,
}

//! Which of a log's jobs are taken.

use super::Seconds;
use serde::{Deserialize, Serialize};

/// Which of a log's jobs are taken; empty lists and missing bounds take all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Submitted at this time of the log or later.
    pub from: Option<Seconds>,
    /// Submitted before this time of the log.
    pub until: Option<Seconds>,
    /// Of these users only.
    pub users: Vec<i32>,
    /// Of these queues only.
    pub queues: Vec<i32>,
    /// Of these partitions only.
    pub partitions: Vec<i32>,
}

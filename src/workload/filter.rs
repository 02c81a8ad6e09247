//! Which of a log's jobs are taken.

use super::{Record, Seconds};
use serde::{Deserialize, Serialize};

/// Which of a log's jobs are taken; empty lists and missing bounds take all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

impl Filter {
    /// Whether a job is taken.
    pub fn takes(&self, record: &Record) -> bool {
        let of = |list: &[i32], value: i32| list.is_empty() || list.contains(&value);
        self.from.is_none_or(|from| record.submit >= from)
            && self.until.is_none_or(|until| record.submit < until)
            && of(&self.users, record.user)
            && of(&self.queues, record.queue)
            && of(&self.partitions, record.partition)
    }
}

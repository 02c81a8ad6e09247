//! The filter of a log: which of its jobs are taken.

use super::{Record, Seconds};
use serde::{Deserialize, Serialize};

/// Which of a log's jobs are taken; empty lists and missing bounds take all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// Only jobs submitted at this time of the log or later.
    pub from: Option<Seconds>,
    /// Only jobs submitted before this time of the log.
    pub until: Option<Seconds>,
    pub users: Vec<i32>,
    pub queues: Vec<i32>,
    pub partitions: Vec<i32>,
}

impl Filter {
    /// The filter in the form that decides about jobs. It is made once for a log, and finds a number in time that
    /// hardly grows with the length of the lists.
    pub(super) fn sieve(&self) -> Sieve {
        Sieve {
            from: self.from.unwrap_or(Seconds::MIN),
            until: self.until,
            users: TakenNumbers::of(&self.users),
            queues: TakenNumbers::of(&self.queues),
            partitions: TakenNumbers::of(&self.partitions),
        }
    }
}

/// A filter in the form that decides about single jobs.
pub(super) struct Sieve {
    from: Seconds,
    until: Option<Seconds>,
    users: TakenNumbers,
    queues: TakenNumbers,
    partitions: TakenNumbers,
}

impl Sieve {
    pub(super) fn takes(&self, record: &Record) -> bool {
        record.submit >= self.from
            && self.until.is_none_or(|until| record.submit < until)
            && self.users.take(record.user)
            && self.queues.take(record.queue)
            && self.partitions.take(record.partition)
    }
}

/// The numbers that are taken, in order. An empty list takes all.
struct TakenNumbers(Vec<i32>);

impl TakenNumbers {
    fn of(list: &[i32]) -> Self {
        let mut numbers = list.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        TakenNumbers(numbers)
    }

    fn take(&self, number: i32) -> bool {
        self.0.is_empty() || self.0.binary_search(&number).is_ok()
    }
}

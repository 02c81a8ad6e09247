//! The orders in which the schedulers of lessons take the queue.

use super::jobs::TaughtJob;
use packfair_schedulers::{Order, Policy};
use packfair_workload::Seconds;

/// The order in which a queue is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueOrder {
    /// First come, first served.
    #[default]
    Fcfs,
    /// The shortest limit first.
    Sjf,
    /// The longest limit first.
    Ljf,
}

impl QueueOrder {
    /// The order in force at a time: that of `course`, which has places among all orders, or else the policy's own.
    pub(super) fn at(at: Seconds, policy: &Policy, course: &[(Seconds, f64)]) -> QueueOrder {
        let of_course = course[..course.partition_point(|&(from, _)| from <= at)].last();
        let own = || policy.settings().iter().find(|(parameter, _)| parameter.id == "order");
        match of_course {
            Some(&(_, place)) => QueueOrder::of_id(Order::OPTIONS.get(place as usize).map_or("", |&(id, _)| id)),
            None => own().map_or(QueueOrder::Fcfs, |_| QueueOrder::of_id(policy.settings().choice("order"))),
        }
    }

    fn of_id(id: &str) -> QueueOrder {
        match id {
            "sjf" => QueueOrder::Sjf,
            "ljf" => QueueOrder::Ljf,
            _ => QueueOrder::Fcfs,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            QueueOrder::Fcfs => "FCFS",
            QueueOrder::Sjf => "SJF",
            QueueOrder::Ljf => "LJF",
        }
    }

    /// What it takes first.
    pub fn first(self) -> &'static str {
        match self {
            QueueOrder::Fcfs => "first come first",
            QueueOrder::Sjf => "shortest limit first",
            QueueOrder::Ljf => "longest limit first",
        }
    }

    /// Whether it takes a job before one that came earlier.
    pub(super) fn is_before(self, job: &TaughtJob, earlier: &TaughtJob) -> bool {
        match self {
            QueueOrder::Fcfs => false,
            QueueOrder::Sjf => job.limit < earlier.limit,
            QueueOrder::Ljf => job.limit > earlier.limit,
        }
    }
}

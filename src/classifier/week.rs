//! The weeks in which a classifier is trained.

use crate::workload::{Seconds, Workload};

/// A week, in seconds.
pub const WEEK: Seconds = 7 * 86_400;

/// The weeks of a workload, counted from its first submission (CLASSIFY §4.2). Week 0 is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weeks {
    first: Seconds,
}

impl Weeks {
    /// The weeks of a workload.
    pub fn of(workload: &Workload) -> Self {
        Weeks { first: workload.requests().first().map_or(0, |request| request.submit) }
    }

    /// The week of a point in time.
    pub fn week(&self, time: Seconds) -> usize {
        ((time - self.first) / WEEK).max(0) as usize
    }

    /// When a week begins.
    pub fn begin(&self, week: usize) -> Seconds {
        self.first + week as Seconds * WEEK
    }
}

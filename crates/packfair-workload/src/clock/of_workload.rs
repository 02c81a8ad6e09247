//! The clock of a workload.

use super::Clock;
use crate::Workload;

impl Clock {
    /// The clock of a workload, for the times of its submissions.
    pub fn of_workload(workload: &Workload) -> Self {
        let submits = || workload.requests().iter().map(|request| request.submit);
        Clock::of(&workload.header, submits().next().unwrap_or(0), submits().next_back().unwrap_or(0))
    }
}

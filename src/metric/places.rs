//! Where the jobs that count are among each other, by their places in the log.

use super::Outcome;
use crate::workload::{JobId, Workload};

/// The places of some jobs among each other.
pub(super) struct Places(Vec<u32>);

/// In place of that of a job that is not among them.
const ABSENT: u32 = u32::MAX;

impl Places {
    /// Of some of a workload's jobs.
    pub(super) fn of(workload: &Workload, jobs: &[Outcome]) -> Self {
        let mut places = vec![ABSENT; workload.len()];
        for (job, place) in jobs.iter().zip(0..) {
            places[job.job.index()] = place;
        }
        Places(places)
    }

    /// That of a job; none, if it is not among them.
    pub(super) fn of_job(&self, job: JobId) -> Option<usize> {
        let place = self.0[job.index()];
        (place != ABSENT).then_some(place as usize)
    }
}

//! The positions of the jobs that count among each other, by their places in the log.

use super::Outcome;
use packfair_workload::{JobId, Workload};

/// The position of each job of a workload among some of its jobs.
pub(super) struct Places(Vec<u32>);

/// The position of a job that is not among them.
const ABSENT: u32 = u32::MAX;

impl Places {
    /// The positions of `jobs`, which are jobs of `workload`.
    pub(super) fn of(workload: &Workload, jobs: &[Outcome]) -> Self {
        let mut places = vec![ABSENT; workload.len()];
        for (job, place) in jobs.iter().zip(0..) {
            places[job.job.index()] = place;
        }
        Places(places)
    }

    /// The position of a job; `None` if it is not among them.
    pub(super) fn of_job(&self, job: JobId) -> Option<usize> {
        let place = self.0[job.index()];
        (place != ABSENT).then_some(place as usize)
    }
}

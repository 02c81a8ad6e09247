//! The running jobs and their expected ends.

use crate::model::Release;
use crate::workload::JobId;

/// The running jobs by their expected ends.
#[derive(Clone, Debug, Default)]
pub struct ExpectedEnds {
    /// Expected end, job and processors, sorted by end, then job.
    ends: Vec<(f64, JobId, u32)>,
}

impl ExpectedEnds {
    /// Adds a job that starts and is expected to end at `end`.
    pub fn insert(&mut self, end: f64, job: JobId, processors: u32) {
        let at = self.ends.partition_point(|&(other, id, _)| (other, id) < (end, job));
        self.ends.insert(at, (end, job, processors));
    }

    /// Removes a job that ends, or that is expected to end at another time.
    pub fn remove(&mut self, release: Release) {
        let at = self.ends.partition_point(|&(other, id, _)| (other, id) < (release.at, release.job));
        if self.ends.get(at).is_some_and(|&(_, job, _)| job == release.job) {
            self.ends.remove(at);
        } else {
            // it was inserted with another expected end, so look for the job itself
            self.ends.retain(|&(_, job, _)| job != release.job);
        }
    }

    /// The expected end of each running job and its processors, the soonest first.
    pub fn releases(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        self.ends.iter().map(|&(end, _, processors)| (end, processors))
    }
}

//! The running jobs and their expected ends.

use crate::model::Release;
use crate::workload::JobId;

/// The running jobs by their expected ends.
#[derive(Clone, Debug, Default)]
pub struct ExpectedEnds {
    /// By end, then job.
    ends: Vec<(f64, JobId, u32)>,
}

impl ExpectedEnds {
    /// A job starts, and is expected to end at `end`.
    pub fn insert(&mut self, end: f64, job: JobId, processors: u32) {
        let at = self.ends.partition_point(|&(other, id, _)| (other, id) < (end, job));
        self.ends.insert(at, (end, job, processors));
    }

    /// A job ends, or is expected to do so at another time.
    pub fn remove(&mut self, release: Release) {
        let at = self.ends.partition_point(|&(other, id, _)| (other, id) < (release.at, release.job));
        if self.ends.get(at).is_some_and(|&(_, job, _)| job == release.job) {
            self.ends.remove(at);
        } else {
            // it is expected to end at another time than at its start: look for the job itself
            self.ends.retain(|&(_, job, _)| job != release.job);
        }
    }

    /// When each is expected to end, and its processors, the soonest first.
    pub fn releases(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        self.ends.iter().map(|&(end, _, processors)| (end, processors))
    }
}

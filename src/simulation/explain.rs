//! Why a job is estimated as it is.

use super::Simulation;
use crate::estimator::Explanation;
use crate::workload::JobId;

impl Simulation<'_> {
    /// Lives on to the submission of `job`, whose estimate the estimator then explains; none where the job
    /// has arrived already.
    pub fn explain(mut self, job: JobId) -> Option<Explanation> {
        while let Some(now) = self.next_instant() {
            self.open(now);
            while let Some(arrived) = self.arrive(now) {
                if arrived.job == job {
                    return Some(self.explain_arrived(job, now));
                }
            }
            self.close(now);
        }
        None
    }
}

//! Why a job is estimated as it is.

use super::Simulation;
use crate::estimator::Explanation;
use crate::workload::JobId;

impl Simulation<'_> {
    /// Lives through up to `instants` further instants, up to the submission of `job` at most: then the estimator explains
    /// its estimate, and the simulation is of no further use. None if the job is still to come.
    pub fn explain(&mut self, job: JobId, instants: usize) -> Option<Explanation> {
        for _ in 0..instants {
            let now = self.next_instant()?;
            self.open(now);
            while let Some(arrived) = self.arrive(now) {
                if arrived.job == job {
                    return Some(self.world.explain_arrived(job, now));
                }
            }
            self.close(now);
        }
        None
    }
}

//! Why a job is estimated as it is, and why it waits.

use super::Simulation;
use crate::estimator::Explanation;
use packfair_workload::{JobId, Seconds};

impl Simulation<'_> {
    /// Lives through up to `instants` further instants, at most up to the submission of `job`. Then returns the
    /// estimator's explanation of its estimate, after which the simulation is of no further use. None if the job is
    /// still to come.
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

/// A search for the reason that a scheduler gives for a waiting job. It follows a simulation.
pub struct ReasonSearch<'a> {
    simulation: Simulation<'a>,
    job: JobId,
}

impl<'a> ReasonSearch<'a> {
    /// A search for the reason of `job`; none where the scheduler gives no reasons. `simulation` must not have begun.
    pub fn begin(simulation: Simulation<'a>, job: JobId) -> Option<Self> {
        simulation.scheduler_explains().then_some(ReasonSearch { simulation, job })
    }

    /// Lives through up to `instants` further instants; none as long as the search is not over. Then returns what the
    /// scheduler said of the job after the first round in which it did not start, and when that was; nothing if the job
    /// did not wait.
    pub fn advance(&mut self, instants: usize) -> Option<Option<(Seconds, String)>> {
        for _ in 0..instants {
            let Some(now) = self.simulation.next_instant() else { return Some(None) };
            if let Some(found) = self.look_at(now) {
                return Some(found);
            }
        }
        None
    }

    /// Lives through an instant. Returns the result once the search is over.
    fn look_at(&mut self, now: Seconds) -> Option<Option<(Seconds, String)>> {
        let ReasonSearch { simulation, job } = self;
        simulation.open(now);
        while simulation.arrive(now).is_some() {}
        simulation.close(now);
        if simulation.world.next_arrival().is_some_and(|next| next <= *job) {
            return None;
        }
        if !simulation.world.is_waiting(*job) {
            return Some(simulation.scheduler_told(*job).map(|told| (now, told)));
        }
        simulation.scheduler_says(*job).map(|said| Some((now, said)))
    }
}

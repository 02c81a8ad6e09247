//! Why a job is estimated as it is, and why it waits.

use super::Simulation;
use crate::classifier::Classified;
use crate::estimator::Explanation;
use crate::workload::{JobId, Seconds};

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

/// Why a job waited, in the words of who decided.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WaitReasons {
    /// What the classifier said of the job at its submission; nothing where none was at work.
    pub class: Option<Classified>,
    /// What the scheduler said of it after the first round in which it did not start, and when that was; nothing where
    /// it says none, or the job did not wait.
    pub scheduler: Option<(Seconds, String)>,
}

/// The reasons of a job, as a simulation gets there.
pub struct ReasonSearch<'a> {
    simulation: Simulation<'a>,
    job: JobId,
    found: WaitReasons,
}

impl<'a> ReasonSearch<'a> {
    /// Those of `job`. `simulation` has not begun.
    pub fn new(simulation: Simulation<'a>, job: JobId) -> Self {
        ReasonSearch { simulation, job, found: WaitReasons::default() }
    }

    /// Whether scheduler or classifier give reasons at all: where they do not, there is nothing to live through.
    pub fn is_worthwhile(&self) -> bool {
        self.simulation.scheduler_explains() || self.simulation.world.classifies()
    }

    /// Lives through up to `instants` further instants; the reasons, once the scheduler has given one or the job has
    /// started.
    pub fn advance(&mut self, instants: usize) -> Option<WaitReasons> {
        for _ in 0..instants {
            let now = self.simulation.next_instant();
            if now.is_none_or(|now| self.has_found_at(now)) {
                return Some(std::mem::take(&mut self.found));
            }
        }
        None
    }

    /// Lives through an instant; whether nothing more is to be found.
    fn has_found_at(&mut self, now: Seconds) -> bool {
        let ReasonSearch { simulation, job, found } = self;
        simulation.open(now);
        while let Some(next) = simulation.world.arriving_at(now) {
            if next == *job {
                found.class = simulation.world.foresee_class(next, now);
            }
            simulation.arrive(now);
        }
        simulation.close(now);
        if simulation.world.next_arrival().is_some_and(|next| next <= *job) {
            return false;
        }
        if !simulation.world.is_waiting(*job) || !simulation.scheduler_explains() {
            return true;
        }
        found.scheduler = simulation.scheduler_says(*job).map(|said| (now, said));
        found.scheduler.is_some()
    }
}

//! Simulations of users who react.

use super::world::World;
use super::{Driven, Options, Progress};
use crate::classifier::Classifier;
use crate::estimator::Estimator;
use crate::model::{Printed, Schedule, SchedulerFailure};
use crate::workload::{Reactions, Workload};

/// A workload whose users react, under one scheduler and one estimator.
///
/// Its result is a lived workload and the schedule of that. All else that can be asked of a simulation (fair starts,
/// reservations, explanations) is asked of a simulation of the lived workload, which does the same again: at each
/// instant the same jobs arrive.
pub struct ReactingSimulation<'a> {
    scheduler: Box<dyn Driven + 'a>,
    world: World<'a>,
    workload: &'a Workload,
}

impl<'a> ReactingSimulation<'a> {
    /// A simulation at the moment before the first job arrives. `estimator` must be made for `workload`.
    pub fn new(
        workload: &'a Workload,
        reactions: &'a Reactions,
        scheduler: Box<dyn Driven + 'a>,
        estimator: Box<dyn Estimator + 'a>,
        options: Options,
    ) -> Self {
        let world = World::reacting(workload, reactions, estimator, options);
        let world = world.asked_by(&*scheduler);
        ReactingSimulation { scheduler, world, workload }
    }

    /// The simulation with a classifier, which tells the scheduler which jobs are small. It must be made for the
    /// workload.
    pub fn with_classifier(self, classifier: Option<Box<dyn Classifier + 'a>>) -> Self {
        ReactingSimulation { world: self.world.with_classifier(classifier), ..self }
    }

    /// Lives through up to `instants` further instants.
    pub fn advance(&mut self, instants: usize) -> Progress {
        self.scheduler.advance(&mut self.world, instants);
        self.world.progress()
    }

    /// What the scheduler has printed so far.
    pub fn printed(&self) -> Printed {
        self.scheduler.printed()
    }

    /// Whether nothing happens any more.
    pub fn is_at_rest(&self) -> bool {
        self.world.next_instant().is_none()
    }

    /// Why the scheduler decides nothing any more; then the simulation has no result. None if it still decides.
    pub fn failure(&self) -> Option<SchedulerFailure> {
        self.scheduler.failure()
    }

    /// Runs to the end. Returns the lived workload and its schedule.
    pub fn finish(mut self) -> (Workload, Schedule) {
        let progress = self.advance(usize::MAX);
        debug_assert!(progress.is_done() || self.scheduler.may_fail(), "a scheduler left jobs in its queue for ever");
        let submits = self.world.lived_submits().unwrap_or_default().to_vec();
        let lived = self.workload.lived(&submits);
        let schedule = self.world.into_lived_schedule(&*self.scheduler, &lived);
        (lived, Schedule { submits: Some(submits), ..schedule })
    }
}

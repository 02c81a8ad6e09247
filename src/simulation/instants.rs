//! A simulation, from its first instant to its last.

use super::world::World;
use super::{Correction, Driven};
use crate::classifier::Classifier;
use crate::estimator::Estimator;
use crate::model::{Failure, Printed, Reestimation, Reservation, RoundTrigger, Schedule, SizeClass, Waiting};
use crate::workload::{JobId, Seconds, Workload};

/// Options of a run that are neither the scheduler's nor the estimator's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What becomes of an estimate that runs out.
    pub correction: Correction,
    /// When waiting jobs are estimated.
    pub reestimation: Reestimation,
    /// Which submissions trigger a round.
    pub trigger: RoundTrigger,
}

/// How far a simulation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Jobs that have completed.
    pub completed: usize,
    /// Jobs in all.
    pub jobs: usize,
}

impl Progress {
    /// Whether every job has completed.
    pub fn is_done(self) -> bool {
        self.completed == self.jobs
    }
}

/// A workload under one scheduler and one estimator, advanced instant by instant.
pub struct Simulation<'a> {
    scheduler: Box<dyn Driven + 'a>,
    pub(super) world: World<'a>,
}

impl<'a> Simulation<'a> {
    /// A simulation at the moment before the first job arrives.
    pub fn new(
        workload: &'a Workload,
        scheduler: Box<dyn Driven + 'a>,
        estimator: Box<dyn Estimator + 'a>,
        options: Options,
    ) -> Self {
        let world = World::new(workload, estimator, options);
        let world = world.asked_by(&*scheduler);
        Simulation { scheduler, world }
    }

    /// The same, with a classifier that tells the scheduler which jobs are small.
    pub fn with_classifier(self, classifier: Option<Box<dyn Classifier + 'a>>) -> Self {
        Simulation { world: self.world.with_classifier(classifier), ..self }
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        self.world.progress()
    }

    /// Lives through up to `instants` further instants: far quicker than to go through their parts one by one.
    pub fn advance(&mut self, instants: usize) -> Progress {
        self.scheduler.advance(&mut self.world, instants);
        self.progress()
    }

    /// What its scheduler has printed so far.
    pub fn printed(&self) -> Printed {
        self.scheduler.printed()
    }

    /// Whether nothing happens any more.
    pub fn is_at_rest(&self) -> bool {
        self.world.next_instant().is_none()
    }

    /// Why its scheduler decides nothing any more, where that is so: then what it comes to is no result.
    pub fn failure(&self) -> Option<Failure> {
        self.scheduler.failure()
    }

    /// Runs to the end and gives the schedule.
    pub fn finish(mut self) -> Schedule {
        let progress = self.advance(usize::MAX);
        debug_assert!(progress.is_done() || self.scheduler.may_fail(), "a scheduler left jobs in its queue for ever");
        self.world.into_schedule(&*self.scheduler)
    }

    /// A copy without further arrivals, which keeps no schedule. The estimator goes on to learn if waiting jobs are
    /// estimated anew.
    pub(super) fn fork(&self) -> Simulation<'a> {
        Simulation { scheduler: self.scheduler.fork(), world: self.world.fork() }
    }

    /// The reservations that the last round made or left.
    pub(super) fn reservations(&self) -> Vec<Reservation> {
        self.scheduler.reservations(self.world.view())
    }

    /// Why a waiting job has not started, in the words of the scheduler; nothing where it says none.
    pub(super) fn scheduler_says(&self, job: JobId) -> Option<String> {
        self.scheduler.explain(job, self.world.view())
    }

    /// What a job has waited for that has just started, in the words of the scheduler; nothing where it says none.
    pub(super) fn scheduler_told(&self, job: JobId) -> Option<String> {
        self.scheduler.explain_started(job)
    }

    /// Whether the scheduler says anything of why jobs wait.
    pub(super) fn scheduler_explains(&self) -> bool {
        self.scheduler.explains()
    }

    /// Whether running jobs may be killed.
    pub(super) fn may_kill(&self) -> bool {
        self.scheduler.kills() || self.world.may_displace()
    }

    /// When something happens next.
    pub(super) fn next_instant(&self) -> Option<Seconds> {
        self.world.next_instant()
    }

    /// An instant up to its arrivals.
    pub(super) fn open(&mut self, now: Seconds) {
        self.world.open(&mut *self.scheduler, now);
    }

    /// The next job submitted at `now` enters the queue; none if all have.
    pub(super) fn arrive(&mut self, now: Seconds) -> Option<Waiting> {
        self.world.arrive(&mut *self.scheduler, now)
    }

    /// A job that was withheld enters the queue.
    pub(super) fn admit(&mut self, job: Waiting, class: SizeClass) {
        self.world.admit(&mut *self.scheduler, job, class);
    }

    /// What happens at an instant after its arrivals.
    pub(super) fn close(&mut self, now: Seconds) {
        self.world.close(&mut *self.scheduler, now);
    }
}

//! A simulation, from its first instant to its last.

use super::Correction;
use super::world::World;
use crate::classifier::Classifier;
use crate::estimator::Estimator;
use crate::model::{
    Printed, Reestimation, Reservation, RoundTrigger, Schedule, Scheduler, SchedulerFailure, SizeClass, Waiting,
};
use packfair_workload::{JobId, Seconds, Workload};

/// A workload under one scheduler and one estimator, advanced instant by instant.
pub struct Simulation<'a> {
    pub(super) scheduler: Box<dyn Driven + 'a>,
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

    /// The simulation with a classifier, which tells the scheduler which jobs are small.
    pub fn with_classifier(self, classifier: Option<Box<dyn Classifier + 'a>>) -> Self {
        Simulation { world: self.world.with_classifier(classifier), ..self }
    }

    /// The simulation with jobs of which the scheduler is not told before a time, in log order.
    pub fn with_deferred(self, from: Option<Vec<Seconds>>) -> Self {
        Simulation { world: self.world.deferring(from), ..self }
    }

    /// How far the simulation has come.
    pub fn progress(&self) -> Progress {
        self.world.progress()
    }

    /// Lives through up to `instants` further instants. This is far quicker than going through their parts one by one.
    pub fn advance(&mut self, instants: usize) -> Progress {
        self.scheduler.advance(&mut self.world, instants);
        self.progress()
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

    pub fn finish(mut self) -> Schedule {
        let progress = self.advance(usize::MAX);
        debug_assert!(progress.is_done() || self.scheduler.may_fail(), "a scheduler left jobs in its queue for ever");
        self.world.into_schedule(&*self.scheduler)
    }

    /// A copy without further arrivals, which keeps no schedule. Its estimator keeps learning if waiting jobs are
    /// estimated anew.
    pub(super) fn fork(&self) -> Simulation<'a> {
        Simulation { scheduler: self.scheduler.fork(), world: self.world.fork() }
    }

    /// The reservations that the last round made or left.
    pub(super) fn reservations(&self) -> Vec<Reservation> {
        self.scheduler.reservations(self.world.view())
    }

    /// Why a waiting job has not started, in the words of the scheduler; none where it says nothing.
    pub(super) fn scheduler_says(&self, job: JobId) -> Option<String> {
        self.scheduler.explain(job, self.world.view())
    }

    /// Why a job that has just started had to wait, in the words of the scheduler; none where it says nothing.
    pub(super) fn scheduler_told(&self, job: JobId) -> Option<String> {
        self.scheduler.explain_started(job)
    }

    /// Whether the scheduler can say why jobs wait.
    pub(super) fn scheduler_explains(&self) -> bool {
        self.scheduler.explains()
    }

    /// Whether running jobs may be killed.
    pub(super) fn may_kill(&self) -> bool {
        self.scheduler.kills() || self.world.may_displace()
    }

    /// The time of the next instant; none if nothing happens any more.
    pub(super) fn next_instant(&self) -> Option<Seconds> {
        self.world.next_instant()
    }

    /// Lives through an instant up to its arrivals.
    pub(super) fn open(&mut self, now: Seconds) {
        self.world.open(&mut *self.scheduler, now);
    }

    /// Lets the next job that is submitted at `now` enter the queue. Returns it; none if all have entered.
    pub(super) fn arrive(&mut self, now: Seconds) -> Option<Waiting> {
        self.world.arrive(&mut *self.scheduler, now)
    }

    /// Lets a job that was withheld enter the queue.
    pub(super) fn admit(&mut self, job: Waiting, class: SizeClass) {
        self.world.admit(&mut *self.scheduler, job, class);
    }

    /// Lives through an instant after its arrivals.
    pub(super) fn close(&mut self, now: Seconds) {
        self.world.close(&mut *self.scheduler, now);
    }
}

// Schedulers as a simulation drives them.

/// A scheduler that a simulation can drive and fork. Every [`Scheduler`] that can be cloned is one.
///
/// `advance` is compiled for each type of scheduler, so that all calls within an instant are direct. Calls through a
/// table are slow in WebAssembly, and there are several at each instant.
pub trait Driven: Scheduler {
    /// Lives through up to `instants` further instants of a simulation.
    fn advance(&mut self, world: &mut World, instants: usize);

    /// A copy of the scheduler with its queue, to simulate on from here in another way.
    fn fork(&self) -> Box<dyn Driven>;
}

impl<S: Scheduler + Clone + 'static> Driven for S {
    fn advance(&mut self, world: &mut World, instants: usize) {
        world.advance(self, instants);
    }

    fn fork(&self) -> Box<dyn Driven> {
        Box::new(self.clone())
    }
}

/// How far a simulation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub completed: usize,
    pub jobs: usize,
}

impl Progress {
    /// Whether every job has completed.
    pub fn is_done(self) -> bool {
        self.completed == self.jobs
    }
}

// The options of a run.

/// The options of a run that belong neither to the scheduler nor to the estimator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How an estimate that runs out is corrected.
    pub correction: Correction,
    /// When waiting jobs are estimated.
    pub reestimation: Reestimation,
    pub trigger: RoundTrigger,
}

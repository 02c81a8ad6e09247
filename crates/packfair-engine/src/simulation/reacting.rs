//! Simulations of users who react.

use super::world::World;
use super::{Driven, Options, Progress};
use crate::classifier::Classifier;
use crate::estimator::{Estimator, Explanation, Revision};
use crate::model::{Printed, Schedule, SchedulerFailure};
use packfair_workload::{JobId, Reactions, Request, Seconds, Workload};
use std::cell::RefCell;
use std::rc::Rc;

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

// Estimators for simulations in which jobs get their numbers as they arrive.

/// The places in the log of the jobs that have arrived.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    places: RefCell<Vec<JobId>>,
}

impl Numbers {
    /// Notes that the next job to arrive has this place in the log.
    pub(super) fn arrived(&self, place: JobId) {
        self.places.borrow_mut().push(place);
    }

    /// The place in the log of a job that has arrived.
    pub(super) fn place(&self, job: JobId) -> JobId {
        self.places.borrow()[job.index()]
    }
}

/// An estimator of a log's workload, for jobs that arrive in another order. It knows jobs by their places in the log.
pub(super) struct Renumbered<'a> {
    own: Box<dyn Estimator + 'a>,
    /// Its estimates of all jobs, by place, where it does not learn.
    foreseen: Vec<f64>,
    numbers: Rc<Numbers>,
    jobs: Vec<JobId>,
    /// Estimates of waiting jobs, by place; kept for its memory.
    estimates: Vec<f64>,
    /// The places of waiting jobs; kept for its memory.
    waiting: Vec<JobId>,
}

impl<'a> Renumbered<'a> {
    pub(super) fn new(mut own: Box<dyn Estimator + 'a>, workload: &Workload, numbers: Rc<Numbers>) -> Self {
        let foreseen = if own.learns() { Vec::new() } else { own.foresee(workload) };
        let jobs = vec![JobId(0); workload.len()];
        Renumbered { own, foreseen, numbers, jobs, estimates: Vec::new(), waiting: Vec::new() }
    }
}

impl Estimator for Renumbered<'_> {
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64 {
        let place = self.numbers.place(job);
        self.jobs[place.index()] = job;
        match self.foreseen.get(place.index()) {
            Some(&estimate) => estimate,
            None => self.own.estimate(place, request, now),
        }
    }

    fn revision(&self) -> Revision {
        self.own.revision()
    }

    fn revise(&mut self, waiting: &[JobId], now: Seconds, estimates: &mut [f64]) -> bool {
        self.estimates.resize(self.jobs.len(), 0.0);
        self.waiting.clear();
        for &job in waiting {
            let place = self.numbers.place(job);
            self.estimates[place.index()] = estimates[job.index()];
            self.waiting.push(place);
        }
        let is_changed = self.own.revise(&self.waiting, now, &mut self.estimates);
        for (job, place) in waiting.iter().zip(&self.waiting) {
            estimates[job.index()] = self.estimates[place.index()];
        }
        is_changed
    }

    fn revise_running(&mut self, now: Seconds, revised: &mut Vec<(JobId, f64)>) {
        let before = revised.len();
        self.own.revise_running(now, revised);
        revised[before..].iter_mut().for_each(|(job, _)| *job = self.jobs[job.index()]);
    }

    fn explain(&self, job: JobId, request: &Request, now: Seconds) -> Explanation {
        self.own.explain(self.numbers.place(job), request, now)
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        self.own.started(self.numbers.place(job), now);
    }

    fn completed(&mut self, job: JobId, request: &Request, run: Seconds, now: Seconds) {
        self.own.completed(self.numbers.place(job), request, run, now);
    }

    fn killed(&mut self, job: JobId, request: &Request, now: Seconds) {
        self.own.killed(self.numbers.place(job), request, now);
    }

    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b,
    {
        Box::new(Renumbered {
            own: self.own.fork(),
            foreseen: self.foreseen.clone(),
            numbers: self.numbers.clone(),
            jobs: self.jobs.clone(),
            estimates: Vec::new(),
            waiting: Vec::new(),
        })
    }
}

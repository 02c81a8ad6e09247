//! Estimators for simulations in which jobs get their numbers as they arrive.

use crate::estimator::{Estimator, Explanation, Revision};
use crate::workload::{JobId, Request, Seconds, Workload};
use std::cell::RefCell;
use std::rc::Rc;

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

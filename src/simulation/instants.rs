//! The passing of time.
//!
//! At each instant with an arrival or a completion, in this order: estimates that ran out are
//! corrected, submitted jobs arrive, finished jobs leave, and the scheduler has one round, for which
//! waiting jobs may be estimated anew.

use super::reestimation::Estimates;
use super::{Asking, Cluster, Correction, Reestimation, Schedule, Waiting};
use crate::estimator::Estimator;
use crate::scheduler::Scheduler;
use crate::workload::{JobId, Seconds, Workload};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Options of a run that are neither the scheduler's nor the estimator's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What becomes of an estimate that runs out.
    pub correction: Correction,
    /// When waiting jobs are estimated.
    pub reestimation: Reestimation,
    /// Which submissions ask for a round.
    pub asking: Asking,
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

/// A run of one workload under one scheduler and one estimator, that can be advanced bit by bit.
pub struct Simulation<'a> {
    workload: &'a Workload,
    scheduler: Box<dyn Scheduler + 'a>,
    estimator: Box<dyn Estimator + 'a>,
    options: Options,
    estimates: Estimates,
    cluster: Cluster,
    schedule: Schedule,
    arrived: usize,
    completed: usize,
    /// Estimated end of each job that runs.
    ends: Vec<f64>,
    /// By end, then in the order in which the jobs started.
    completions: BinaryHeap<Reverse<Completion>>,
    /// By the time at which the estimate runs out, then in the order in which that was known.
    expiries: BinaryHeap<Reverse<Expiry>>,
    events: u64,
    started: Vec<Waiting>,
    /// Kept for its memory.
    running: Vec<JobId>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Completion {
    end: Seconds,
    event: u64,
    job: JobId,
}

#[derive(PartialEq)]
struct Expiry {
    at: f64,
    event: u64,
    job: JobId,
    estimate: f64,
}

impl Eq for Expiry {}

impl Ord for Expiry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at.total_cmp(&other.at).then(self.event.cmp(&other.event))
    }
}

impl PartialOrd for Expiry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Simulation<'a> {
    /// A simulation at the moment before the first job arrives.
    pub fn new(
        workload: &'a Workload,
        scheduler: Box<dyn Scheduler + 'a>,
        estimator: Box<dyn Estimator + 'a>,
        options: Options,
    ) -> Self {
        let jobs = workload.len();
        Simulation {
            workload,
            scheduler,
            estimates: Estimates::new(jobs, options.reestimation, &*estimator),
            estimator,
            options,
            cluster: Cluster::new(workload.machine.processors),
            schedule: Schedule {
                starts: vec![Seconds::MIN; jobs],
                estimates: vec![0.0; jobs],
                corrections: vec![0; jobs],
                rounds: 0,
            },
            arrived: 0,
            completed: 0,
            ends: vec![0.0; jobs],
            completions: BinaryHeap::new(),
            expiries: BinaryHeap::new(),
            events: 0,
            started: Vec::new(),
            running: Vec::new(),
        }
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        Progress { completed: self.completed, jobs: self.workload.len() }
    }

    /// Lives through up to `instants` further instants.
    pub fn advance(&mut self, instants: usize) -> Progress {
        for _ in 0..instants {
            let Some(now) = self.next_instant() else { break };
            self.instant(now);
        }
        self.progress()
    }

    /// Runs to the end and gives the schedule.
    pub fn finish(mut self) -> Schedule {
        while let Some(now) = self.next_instant() {
            self.instant(now);
        }
        debug_assert!(self.progress().is_done(), "a scheduler left jobs in its queue for ever");
        self.schedule
    }

    fn next_instant(&self) -> Option<Seconds> {
        let arrival = self.workload.requests().get(self.arrived).map(|r| r.submit);
        let completion = self.completions.peek().map(|Reverse(c)| c.end);
        match (arrival, completion) {
            (Some(a), Some(c)) => Some(a.min(c)),
            (a, c) => a.or(c),
        }
    }

    /// One instant; without a round where nobody asked for one. A job that runs for no time completes in a second pass over the same instant.
    fn instant(&mut self, now: Seconds) {
        self.correct_until(now);
        self.cluster.advance(now);
        let is_asked = self.arrive(now);
        let is_left = self.complete(now);
        self.cluster.settle();
        if !is_asked && !is_left {
            return;
        }
        self.reestimate(now);
        self.scheduler.round(&mut self.cluster);
        self.schedule.rounds += 1;
        self.start_picked(now);
    }

    fn correct_until(&mut self, now: Seconds) {
        while self.expiries.peek().is_some_and(|Reverse(e)| e.at <= now as f64) {
            let Some(Reverse(expiry)) = self.expiries.pop() else { break };
            let Expiry { at, job, estimate, .. } = expiry;
            if at != self.ends[job.index()] {
                continue; // it was estimated anew meanwhile
            }
            let count = &mut self.schedule.corrections[job.index()];
            *count += 1;
            let first = self.schedule.estimates[job.index()];
            let limit = self.workload.request(job).limit;
            let corrected = self.options.correction.apply(*count, first, estimate, limit);
            if corrected <= estimate {
                // Nothing left to raise it to: the cluster takes it to end at the next instant.
                continue;
            }
            self.expect(job, corrected);
        }
    }

    /// A running job is expected to run for `estimate` seconds, all in all.
    fn expect(&mut self, job: JobId, estimate: f64) {
        let start = self.schedule.start(job) as f64;
        let end = start + estimate;
        self.cluster.correct(job, self.ends[job.index()], end);
        self.ends[job.index()] = end;
        self.scheduler.expected(job, end, &self.cluster);
        self.watch(job, start, estimate);
    }

    /// Estimates waiting jobs anew where that is asked for; but not where none could start, for then the
    /// round changes nothing.
    fn reestimate(&mut self, now: Seconds) {
        if !self.estimates.are_due() || !self.scheduler.could_start(&self.cluster) {
            return;
        }
        if self.estimates.follow_time() {
            self.reestimate_running(now);
        }
        let estimates = self.estimates.revise(&mut *self.estimator, now);
        self.scheduler.reestimated(estimates, &self.cluster);
    }

    fn reestimate_running(&mut self, now: Seconds) {
        let mut running = std::mem::take(&mut self.running);
        running.clear();
        running.extend(self.cluster.releases().map(|release| release.job));
        for &job in &running {
            let start = self.schedule.start(job);
            let estimate = self.estimator.revise_running(job, now - start, now);
            // a distorted one may be over already: what is expected then is up to the correction
            let is_new = |&e: &f64| e > (now - start) as f64 && start as f64 + e != self.ends[job.index()];
            if let Some(estimate) = estimate.filter(is_new) {
                self.expect(job, estimate);
            }
        }
        self.running = running;
    }

    /// Remembers when the estimate of a running job will run out, if it will.
    fn watch(&mut self, job: JobId, start: f64, estimate: f64) {
        if estimate < self.workload.run(job) as f64 {
            self.events += 1;
            self.expiries.push(Reverse(Expiry { at: start + estimate, event: self.events, job, estimate }));
        }
    }

    /// Whether a submission asks for a round.
    fn arrive(&mut self, now: Seconds) -> bool {
        let mut is_asked = false;
        while let Some(request) = self.workload.requests().get(self.arrived).filter(|r| r.submit <= now) {
            let job = JobId(self.arrived as u32);
            self.arrived += 1;
            let estimate = self.estimator.estimate(job, request, now);
            debug_assert!(estimate > 0.0 && estimate.is_finite());
            self.schedule.estimates[job.index()] = estimate;
            self.estimates.submitted(job, estimate);
            is_asked |= self.options.asking == Asking::Every || request.processors <= self.cluster.free();
            let waiting = Waiting { job, submit: request.submit, processors: request.processors, estimate };
            self.scheduler.arrived(waiting, &self.cluster);
        }
        is_asked
    }

    /// Whether a job has left.
    fn complete(&mut self, now: Seconds) -> bool {
        let before = self.completed;
        while self.completions.peek().is_some_and(|Reverse(c)| c.end <= now) {
            let Some(Reverse(Completion { job, .. })) = self.completions.pop() else { break };
            self.cluster.release(job, self.ends[job.index()]);
            self.completed += 1;
            self.estimator.completed(job, self.workload.request(job), self.workload.run(job), now);
            self.estimates.completed();
            self.scheduler.completed(job, &self.cluster);
        }
        self.completed > before
    }

    fn start_picked(&mut self, now: Seconds) {
        let mut started = std::mem::take(&mut self.started);
        self.cluster.take_started(&mut started);
        for waiting in &started {
            let job = waiting.job;
            debug_assert_eq!(self.schedule.starts[job.index()], Seconds::MIN, "{job:?} was started twice");
            self.schedule.starts[job.index()] = now;
            self.ends[job.index()] = now as f64 + waiting.estimate;
            self.estimator.started(job, now);
            self.events += 1;
            self.completions.push(Reverse(Completion { end: now + self.workload.run(job), event: self.events, job }));
            self.watch(job, now as f64, waiting.estimate);
        }
        if !started.is_empty() {
            let starts = &self.schedule.starts;
            self.estimates.started(|job| starts[job.index()] == Seconds::MIN);
        }
        self.started = started;
    }
}

//! The passing of time.
//!
//! At each instant with an arrival or a completion, in this order: estimates that ran out are
//! corrected, submitted jobs arrive, finished jobs leave, and the scheduler has one round, for which
//! waiting jobs may be estimated anew. The same happens where a scheduler has guaranteed a start and can
//! keep its word though nothing else happens ([`Scheduler::wake`]).

use super::reestimation::Estimates;
use super::{Asking, Cluster, Correction, Reestimation, Release, Schedule, Waiting};
use crate::estimator::{Estimator, Explanation, Requested};
use crate::scheduler::{Reservation, Scheduler};
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
    /// Columns are empty in a fork.
    schedule: Schedule,
    arrived: usize,
    /// Jobs of the workload that arrive at all: in a fork those that have.
    arriving: usize,
    /// Whether a submission at the present instant has asked for a round.
    asked: bool,
    /// How many jobs are queued.
    waiting: usize,
    completed: usize,
    /// In no order.
    running: Vec<Running>,
    /// By end, then in the order in which the jobs started.
    completions: BinaryHeap<Reverse<Completion>>,
    /// By the time at which the estimate runs out, then in the order in which that was known.
    expiries: BinaryHeap<Reverse<Expiry>>,
    events: u64,
    started: Vec<Waiting>,
    /// Kept for its memory.
    revised: Vec<(JobId, f64)>,
}

/// A job that runs.
#[derive(Clone, Copy)]
struct Running {
    job: JobId,
    start: Seconds,
    /// Estimated end.
    end: f64,
    /// The estimate made at submission.
    first: f64,
    /// How often its estimate was corrected.
    corrections: u32,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Completion {
    end: Seconds,
    event: u64,
    job: JobId,
}

#[derive(Clone, PartialEq)]
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
                ..Schedule::default()
            },
            arrived: 0,
            arriving: jobs,
            asked: false,
            waiting: 0,
            completed: 0,
            running: Vec::new(),
            completions: BinaryHeap::new(),
            expiries: BinaryHeap::new(),
            events: 0,
            started: Vec::new(),
            revised: Vec::new(),
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
        self.schedule.remade = self.scheduler.remade();
        self.schedule
    }

    /// The same simulation, but nobody arrives any more, and it keeps no schedule. Waiting jobs keep
    /// their estimates.
    pub(super) fn fork(&self) -> Simulation<'a> {
        let estimator = Box::new(Requested); // whoever has arrived is estimated already
        Simulation {
            workload: self.workload,
            scheduler: self.scheduler.fork(),
            estimates: Estimates::new(0, Reestimation::Submission, &*estimator),
            estimator,
            options: self.options,
            cluster: self.cluster.clone(),
            schedule: Schedule::default(),
            arrived: self.arrived,
            arriving: self.arrived,
            asked: self.asked,
            waiting: self.waiting,
            completed: self.completed,
            running: self.running.clone(),
            completions: self.completions.clone(),
            expiries: self.expiries.clone(),
            events: self.events,
            started: Vec::new(),
            revised: Vec::new(),
        }
    }

    /// Whether waiting jobs keep the estimate of their submission.
    pub(super) fn keeps_estimates(&self) -> bool {
        self.estimates.are_kept()
    }

    /// When something happens next.
    pub(super) fn next_instant(&self) -> Option<Seconds> {
        let completion = self.completions.peek().map(|Reverse(c)| c.end);
        self.next_submission().into_iter().chain(completion).chain(self.scheduler.wake()).min()
    }

    /// The job that arrives next.
    pub(super) fn next_arrival(&self) -> Option<JobId> {
        (self.arrived < self.arriving).then_some(JobId(self.arrived as u32))
    }

    /// When it is submitted.
    pub(super) fn next_submission(&self) -> Option<Seconds> {
        self.next_arrival().map(|job| self.workload.request(job).submit)
    }

    /// The job that arrives next, if it is submitted at `now`.
    pub(super) fn arriving_at(&self, now: Seconds) -> Option<JobId> {
        self.next_arrival().filter(|&job| self.workload.request(job).submit <= now)
    }

    /// Whether a job has arrived and has not started. Not of a fork.
    pub(super) fn is_waiting(&self, job: JobId) -> bool {
        job.index() < self.arrived && self.schedule.starts[job.index()] == Seconds::MIN
    }

    /// Why a job that arrives at `now` is estimated as it is.
    pub(super) fn explain_arrived(&self, job: JobId, now: Seconds) -> Explanation {
        self.estimator.explain(job, self.workload.request(job), now)
    }

    /// How many rounds there were.
    pub(super) fn rounds(&self) -> u64 {
        self.schedule.rounds
    }

    /// The reservations that the last round made or left.
    pub(super) fn reservations(&self) -> Vec<Reservation> {
        self.scheduler.reservations(&self.cluster)
    }

    /// When running jobs are expected to end.
    pub(super) fn releases(&self) -> Vec<Release> {
        self.cluster.releases().collect()
    }

    /// How many jobs are queued.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// The jobs that have started in the last round.
    pub(super) fn started(&self) -> &[Waiting] {
        &self.started
    }

    /// One instant. A job that runs for no time completes in a second pass over the same instant.
    pub(super) fn instant(&mut self, now: Seconds) {
        self.open(now);
        let arrivals = self.arrived;
        while self.arrive(now).is_some() {}
        self.close(now);
        self.promise(arrivals);
    }

    /// An instant up to its arrivals.
    pub(super) fn open(&mut self, now: Seconds) {
        self.correct_until(now);
        self.cluster.advance(now);
    }

    /// What happens at an instant after its arrivals; without a round where nobody asks for one.
    pub(super) fn close(&mut self, now: Seconds) {
        let is_left = self.complete(now);
        self.cluster.settle();
        let is_asked = std::mem::take(&mut self.asked);
        if !is_asked && !is_left && self.scheduler.wake() != Some(now) {
            return;
        }
        self.reestimate(now);
        self.scheduler.round(&mut self.cluster);
        self.schedule.rounds += 1;
        self.start_picked(now);
    }

    /// Keeps what the jobs from `first` on that have arrived are guaranteed.
    fn promise(&mut self, first: usize) {
        for job in first..self.arrived {
            let Some(start) = self.scheduler.promise(JobId(job as u32)) else { break };
            self.schedule.promises.push(start);
        }
    }

    fn correct_until(&mut self, now: Seconds) {
        while self.expiries.peek().is_some_and(|Reverse(e)| e.at <= now as f64) {
            let Some(Reverse(Expiry { at, job, estimate, .. })) = self.expiries.pop() else { break };
            let Some(running) = self.running.iter_mut().find(|running| running.job == job) else { continue };
            if at != running.end {
                continue; // it was estimated anew meanwhile
            }
            running.corrections += 1;
            let Running { first, corrections, .. } = *running;
            if let Some(count) = self.schedule.corrections.get_mut(job.index()) {
                *count = corrections;
            }
            let limit = self.workload.request(job).limit;
            let corrected = self.options.correction.apply(corrections, first, estimate, limit);
            if corrected <= estimate {
                // Nothing left to raise it to: the cluster takes it to end at the next instant.
                continue;
            }
            self.expect(job, corrected);
        }
    }

    /// A running job is expected to run for `estimate` seconds, all in all.
    fn expect(&mut self, job: JobId, estimate: f64) {
        let Some(running) = self.running.iter_mut().find(|running| running.job == job) else { return };
        let start = running.start as f64;
        let end = start + estimate;
        self.cluster.correct(job, running.end, end);
        running.end = end;
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
        if let Some(estimates) = self.estimates.revise(&mut *self.estimator, now) {
            self.scheduler.reestimated(estimates, &self.cluster);
        }
    }

    fn reestimate_running(&mut self, now: Seconds) {
        let mut revised = std::mem::take(&mut self.revised);
        revised.clear();
        self.estimator.revise_running(now, &mut revised);
        for &(job, estimate) in &revised {
            let Some(&Running { start, end, .. }) = self.running.iter().find(|running| running.job == job) else {
                continue;
            };
            // a distorted one may be over already: what is expected then is up to the correction
            if estimate > (now - start) as f64 && start as f64 + estimate != end {
                self.expect(job, estimate);
            }
        }
        self.revised = revised;
    }

    /// Remembers when the estimate of a running job will run out, if it will.
    fn watch(&mut self, job: JobId, start: f64, estimate: f64) {
        if estimate < self.workload.run(job) as f64 {
            self.events += 1;
            self.expiries.push(Reverse(Expiry { at: start + estimate, event: self.events, job, estimate }));
        }
    }

    /// The next job submitted at `now` enters the queue; none where all have.
    pub(super) fn arrive(&mut self, now: Seconds) -> Option<Waiting> {
        let job = self.arriving_at(now)?;
        let request = self.workload.request(job);
        self.arrived += 1;
        let estimate = self.estimator.estimate(job, request, now);
        debug_assert!(estimate > 0.0 && estimate.is_finite());
        self.schedule.estimates[job.index()] = estimate;
        self.estimates.submitted(job, estimate);
        self.asked |= self.options.asking == Asking::Every || request.processors <= self.cluster.free();
        let waiting = Waiting { job, submit: request.submit, processors: request.processors, estimate };
        self.waiting += 1;
        self.scheduler.arrived(waiting, &self.cluster);
        Some(waiting)
    }

    /// A job that was withheld enters the queue.
    pub(super) fn admit(&mut self, job: Waiting) {
        self.waiting += 1;
        self.asked = true;
        self.scheduler.arrived(job, &self.cluster);
    }

    /// Whether a job has left.
    fn complete(&mut self, now: Seconds) -> bool {
        let before = self.completed;
        while self.completions.peek().is_some_and(|Reverse(c)| c.end <= now) {
            let Some(Reverse(Completion { job, .. })) = self.completions.pop() else { break };
            let Some(i) = self.running.iter().position(|running| running.job == job) else { continue };
            let Running { end, .. } = self.running.swap_remove(i);
            self.cluster.release(job, end);
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
            let Waiting { job, estimate, .. } = *waiting;
            if let Some(start) = self.schedule.starts.get_mut(job.index()) {
                debug_assert_eq!(*start, Seconds::MIN, "{job:?} was started twice");
                *start = now;
            }
            let first = self.schedule.estimates.get(job.index()).copied().unwrap_or(estimate);
            self.running.push(Running { job, start: now, end: now as f64 + estimate, first, corrections: 0 });
            self.estimator.started(job, now);
            self.events += 1;
            self.completions.push(Reverse(Completion { end: now + self.workload.run(job), event: self.events, job }));
            self.watch(job, now as f64, estimate);
        }
        self.waiting -= started.len();
        if !started.is_empty() {
            let starts = &self.schedule.starts;
            self.estimates.started(|job| starts[job.index()] == Seconds::MIN);
        }
        self.started = started;
    }
}

//! What a scheduler decides in: the workload, the cluster, running jobs, estimates, and the passing of time.
//!
//! At each instant with an arrival or a completion, in this order: estimates that ran out are
//! corrected, submitted jobs arrive, finished jobs leave, and the scheduler has one round, for which
//! waiting jobs may be estimated anew. The same happens where a scheduler has guaranteed a start and can
//! keep its word though nothing else happens ([`Scheduler::wake`]).

mod estimating;

use self::estimating::Expiry;
use super::reestimation::Estimates;
use super::running::{Running, RunningJobs};
use super::{Asking, Cluster, Options, Progress, Release, Schedule, Waiting};
use crate::estimator::{Estimator, Explanation, Requested};
use crate::scheduler::Scheduler;
use crate::workload::{JobId, Seconds, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A simulation but for its scheduler, to whom it does not show itself.
///
/// Whatever calls the scheduler is compiled for each by itself ([`Scheduler::advance`]).
pub struct World<'a> {
    workload: &'a Workload,
    options: Options,
    cluster: Cluster,
    /// Columns are empty in a fork.
    schedule: Schedule,
    /// Whether the estimator does. Where it does not, all jobs are estimated to begin with.
    learns: bool,
    estimates: Estimates,
    estimator: Box<dyn Estimator + 'a>,
    arrived: usize,
    /// Jobs of the workload that arrive at all: in a fork those that have.
    arriving: usize,
    /// Whether a submission at the present instant has asked for a round.
    asked: bool,
    /// How many jobs are queued.
    waiting: usize,
    completed: usize,
    running: RunningJobs,
    /// By the time at which the estimate runs out, then in the order in which that was known.
    expiries: BinaryHeap<Reverse<Expiry>>,
    /// How many expiries were known so far.
    expected: u64,
    /// Kept for its memory.
    revised: Vec<(JobId, f64)>,
}

impl<'a> World<'a> {
    /// At the moment before the first job arrives.
    pub(super) fn new(workload: &'a Workload, mut estimator: Box<dyn Estimator + 'a>, options: Options) -> Self {
        let jobs = workload.len();
        World {
            workload,
            options,
            cluster: Cluster::new(workload.machine.processors),
            schedule: Schedule {
                starts: vec![Seconds::MIN; jobs],
                estimates: if estimator.learns() { vec![0.0; jobs] } else { estimator.foresee(workload) },
                corrections: vec![0; jobs],
                ..Schedule::default()
            },
            learns: estimator.learns(),
            estimates: Estimates::new(jobs, options.reestimation, &*estimator),
            estimator,
            arrived: 0,
            arriving: jobs,
            asked: false,
            waiting: 0,
            completed: 0,
            running: RunningJobs::default(),
            expiries: BinaryHeap::new(),
            expected: 0,
            revised: Vec::new(),
        }
    }

    /// How far the simulation has come.
    pub(super) fn progress(&self) -> Progress {
        Progress { completed: self.completed, jobs: self.workload.len() }
    }

    /// Lives through up to `instants` further instants.
    pub(crate) fn advance<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, instants: usize) {
        for _ in 0..instants {
            let Some(now) = self.next_instant(scheduler) else { break };
            self.instant(scheduler, now);
        }
    }

    /// What has become of the jobs.
    pub(super) fn into_schedule(self) -> Schedule {
        self.schedule
    }

    /// The same, but nobody arrives any more, and no schedule is kept. The estimator goes on to learn where waiting
    /// jobs are estimated anew.
    pub(super) fn fork(&self) -> World<'a> {
        // otherwise whoever has arrived is estimated already
        let estimator: Box<dyn Estimator + 'a> =
            if self.keeps_estimates() { Box::new(Requested) } else { self.estimator.fork() };
        World {
            workload: self.workload,
            options: self.options,
            cluster: self.cluster.clone(),
            schedule: Schedule::default(),
            learns: estimator.learns(),
            estimates: self.estimates.fork(),
            estimator,
            arrived: self.arrived,
            arriving: self.arrived,
            asked: self.asked,
            waiting: self.waiting,
            completed: self.completed,
            running: self.running.clone(),
            expiries: self.expiries.clone(),
            expected: self.expected,
            revised: Vec::new(),
        }
    }

    /// Whether waiting jobs keep the estimate of their submission.
    pub(super) fn keeps_estimates(&self) -> bool {
        self.estimates.are_kept()
    }

    /// When something happens next.
    #[inline]
    pub(super) fn next_instant<S: Scheduler + ?Sized>(&self, scheduler: &S) -> Option<Seconds> {
        let submission = self.next_submission().unwrap_or(Seconds::MAX);
        let completion = self.running.next_completion().unwrap_or(Seconds::MAX);
        let wake = scheduler.wake().unwrap_or(Seconds::MAX);
        Some(submission.min(completion).min(wake)).filter(|&next| next < Seconds::MAX)
    }

    /// The job that arrives next.
    #[inline]
    pub(super) fn next_arrival(&self) -> Option<JobId> {
        (self.arrived < self.arriving).then_some(JobId(self.arrived as u32))
    }

    /// When it is submitted.
    #[inline]
    pub(super) fn next_submission(&self) -> Option<Seconds> {
        self.next_arrival().map(|job| self.workload.request(job).submit)
    }

    /// The job that arrives next, if it is submitted at `now`.
    #[inline]
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

    /// What a scheduler sees.
    pub(super) fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// When running jobs are expected to end, the soonest first.
    pub(super) fn releases(&self) -> Vec<Release> {
        self.running.releases()
    }

    /// How many jobs are queued.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// The jobs that have started in the last round.
    pub(super) fn started(&self) -> &[Waiting] {
        self.cluster.started()
    }

    /// One instant. A job that runs for no time completes in a second pass over the same instant.
    #[inline(always)] // for each scheduler, one function lives through all of them
    fn instant<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        self.open(scheduler, now);
        let arrivals = self.arrived;
        while self.arrive(scheduler, now).is_some() {}
        self.close(scheduler, now);
        self.promise(scheduler, arrivals);
    }

    /// An instant up to its arrivals.
    #[inline]
    pub(super) fn open<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        self.correct_until(scheduler, now);
        self.cluster.advance(now);
    }

    /// What happens at an instant after its arrivals; without a round where nobody asks for one.
    #[inline(always)] // a simulation consists of this
    pub(super) fn close<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        self.cluster.forget_started();
        let is_left = self.complete(scheduler, now);
        let cluster = &self.cluster;
        self.running.put_off(now, |release, end| scheduler.overdue(release, end, cluster));
        let is_asked = std::mem::take(&mut self.asked);
        if !is_asked && !is_left && scheduler.wake() != Some(now) {
            return;
        }
        self.reestimate(scheduler, now);
        scheduler.round(&mut self.cluster);
        self.schedule.rounds += 1;
        self.start_picked(now);
    }

    /// Keeps what the jobs from `first` on that have arrived are guaranteed.
    fn promise<S: Scheduler + ?Sized>(&mut self, scheduler: &S, first: usize) {
        for job in first..self.arrived {
            let Some(start) = scheduler.promise(JobId(job as u32)) else { break };
            self.schedule.promises.push(start);
        }
    }

    /// The next job submitted at `now` enters the queue; none where all have.
    #[inline]
    pub(super) fn arrive<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) -> Option<Waiting> {
        let job = self.arriving_at(now)?;
        let request = self.workload.request(job);
        self.arrived += 1;
        if self.learns {
            self.schedule.estimates[job.index()] = self.estimator.estimate(job, request, now);
        }
        let estimate = self.schedule.estimates[job.index()];
        debug_assert!(estimate > 0.0 && estimate.is_finite());
        self.estimates.submitted(job, estimate);
        self.asked |= self.options.asking == Asking::Every || request.processors <= self.cluster.free();
        let waiting = Waiting { job, submit: request.submit, processors: request.processors, estimate };
        self.waiting += 1;
        scheduler.arrived(waiting, &self.cluster);
        Some(waiting)
    }

    /// A job submitted at `now` is withheld from the scheduler of a fork: the estimator alone knows of it.
    pub(super) fn withhold(&mut self, job: JobId, now: Seconds) {
        if !self.keeps_estimates() {
            let estimate = self.estimator.estimate(job, self.workload.request(job), now);
            self.estimates.submitted(job, estimate);
        }
    }

    /// A job that was withheld enters the queue, with its present estimate.
    pub(super) fn admit<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, job: Waiting) {
        self.waiting += 1;
        self.asked = true;
        let estimate = self.estimates.of_waiting(job.job).unwrap_or(job.estimate);
        scheduler.arrived(Waiting { estimate, ..job }, &self.cluster);
    }

    /// Whether a job has left.
    #[inline]
    fn complete<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) -> bool {
        let before = self.completed;
        while let Some(left) = self.running.complete(now) {
            let job = left.job;
            self.cluster.release(left.processors);
            self.completed += 1;
            if self.learns {
                self.estimator.completed(job, self.workload.request(job), self.workload.run(job), now);
            }
            self.estimates.completed();
            scheduler.completed(left.release(), &self.cluster);
        }
        self.completed > before
    }

    #[inline(always)] // of a round without reservations it is a good part
    fn start_picked(&mut self, now: Seconds) {
        let picked = self.cluster.started().len();
        for i in 0..picked {
            let Waiting { job, processors, estimate, .. } = self.cluster.started()[i];
            if let Some(start) = self.schedule.starts.get_mut(job.index()) {
                debug_assert_eq!(*start, Seconds::MIN, "{job:?} was started twice");
                *start = now;
            }
            let first = self.estimates.started(job).unwrap_or(estimate);
            let end = now as f64 + estimate;
            let started = self.running.started();
            let running = Running { job, processors, start: now, end, told: end, first, corrections: 0, started };
            let slot = self.running.start(running, now + self.workload.run(job));
            if self.learns {
                self.estimator.started(job, now);
            }
            self.watch(job, slot, now as f64, estimate);
        }
        self.waiting -= picked;
    }
}

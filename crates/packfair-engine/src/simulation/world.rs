//! The state of a simulation except its scheduler: the workload, what the scheduler sees of it, estimates, and the
//! passing of time.
//!
//! At each instant with an arrival or a completion these things happen in order: estimates that ran out are corrected,
//! submitted jobs arrive, finished jobs leave, jobs are killed, and the scheduler has one round, for which waiting jobs
//! may be estimated anew. A scheduler can ask for further instants ([`Actions::wake_at`]).

mod cells;
mod estimating;
mod forking;
mod reacting;
mod suspending;

use self::estimating::Expiry;
use self::forking::{KeptColumns, Narrow, SimulationExtent, Wide};
use self::reacting::Reacting;
use self::suspending::{Deferring, Suspended};
use super::events::{CalendarEvents, Completions};
use super::reestimation::Estimates;
use super::{Options, Progress};
use crate::classifier::Classifier;
use crate::estimator::{Estimator, Explanation};
use crate::model::{Actions, NEVER, Release, RoundTrigger, RunningJob, Scheduler, Start, View, Waiting};
use crate::power::Saving;
use packfair_workload::{Clock, JobId, Request, Seconds, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A simulation except its scheduler. The scheduler sees only the [`View`].
///
/// Functions that call the scheduler are compiled for each type of scheduler ([`super::Driven`]).
pub struct World<'a> {
    workload: &'a Workload,
    /// The jobs that arrive: all of the workload, in a future perhaps only the first ones.
    arriving: &'a [Request],
    /// From this place in log order on, no job arrives before this time.
    gate: (usize, Seconds),
    /// The run time of each job: those of the workload, in a future those that were drawn.
    runs: &'a [Seconds],
    options: Options,
    view: View<'a>,
    actions: Actions,
    /// The parts of the schedule that are kept; starts and estimates are in the view. None in a fork.
    kept: Option<KeptColumns>,
    /// Whether the estimator learns. If it does not, all jobs are estimated at the beginning.
    learns: bool,
    estimates: Estimates,
    estimator: Box<dyn Estimator + 'a>,
    /// Whether the estimator or the classifier must be told of jobs that start and complete.
    is_observed: bool,
    /// The classifier that says which jobs are small, if the scheduler needs to know.
    classifier: Option<Box<dyn Classifier + 'a>>,
    /// What users who react have yet to submit; none where the workload tells each submission. Forks have none, because
    /// forks are made in a simulation of the lived workload.
    reacting: Option<Box<Reacting<'a>>>,
    /// Whether there is something to do before an instant begins, because users react or there is a classifier.
    prepares: bool,
    /// When the next job is submitted; [`NEVER`] if no job arrives any more, as in a fork.
    submission: Seconds,
    /// Whether a submission at the present instant has triggered a round.
    is_triggered: bool,
    waiting: usize,
    completed: usize,
    rounds: u64,
    completions: Completions,
    /// The jobs that are suspended or were, where there are any.
    suspended: Option<Box<Suspended>>,
    /// The calendar of the machine, where it has one.
    calendar: Option<Box<CalendarEvents<'a>>>,
    /// The time of the next event of the calendar; [`NEVER`] if there is none.
    next_change: Seconds,
    /// The nodes that are switched off while they idle, where there are any.
    saving: Option<Box<Saving>>,
    /// Whether jobs that the scheduler starts may begin later.
    delays_starts: bool,
    /// Jobs that are kept from the scheduler for a while, where there are any.
    deferring: Option<Box<Deferring>>,
    /// Estimates that will run out, by that time, then in the order in which this became known.
    expiries: BinaryHeap<Reverse<Expiry>>,
    /// The number of expiries so far.
    expected: u64,
    revised: Vec<(JobId, f64)>,
    overdue: Vec<Release>,
}

impl<'a> World<'a> {
    /// The world at the moment before the first job arrives.
    pub(super) fn new(workload: &'a Workload, mut estimator: Box<dyn Estimator + 'a>, options: Options) -> Self {
        let jobs = workload.len();
        let estimates = if estimator.learns() { vec![0.0; jobs] } else { estimator.foresee(workload) };
        let calendar = workload.cluster().and_then(|cluster| CalendarEvents::of(&cluster.machine)).map(Box::new);
        World {
            workload,
            arriving: workload.requests(),
            gate: (usize::MAX, NEVER),
            runs: workload.runs(),
            options,
            view: View::new(workload, estimates),
            actions: Actions::on_cells(workload.cluster().is_some()),
            next_change: calendar.as_ref().map_or(NEVER, |calendar| calendar.next()),
            calendar,
            saving: Self::nodes_of(workload),
            delays_starts: false,
            deferring: None,
            kept: Some(KeptColumns::of(jobs)),
            learns: estimator.learns(),
            is_observed: estimator.learns(),
            estimates: Estimates::new(options.reestimation, &*estimator),
            estimator,
            classifier: None,
            reacting: None,
            prepares: false,
            submission: workload.requests().first().map_or(NEVER, |request| request.submit),
            is_triggered: false,
            waiting: 0,
            completed: 0,
            rounds: 0,
            completions: Completions::default(),
            suspended: None,
            expiries: BinaryHeap::new(),
            expected: 0,
            revised: Vec::new(),
            overdue: Vec::new(),
        }
    }

    pub(super) fn asked_by<S: Scheduler + ?Sized>(mut self, scheduler: &S) -> Self {
        if scheduler.counts_usage() {
            self.view.count_usage();
        }
        if scheduler.reads_clock() {
            self.view.set_clock(Clock::of_workload(self.workload));
        }
        if scheduler.counts_nodes() {
            self.view.count_processors();
            self.actions = Actions::on_cells(false);
            (self.calendar, self.next_change) = (None, NEVER);
            self.saving = None;
        }
        self.delays_starts = scheduler.delays_starts();
        self
    }

    /// Whether the calendar of the machine may kill running jobs.
    pub(super) fn may_displace(&self) -> bool {
        self.calendar.is_some()
    }

    /// How far the simulation has come.
    pub(super) fn progress(&self) -> Progress {
        Progress { completed: self.completed, jobs: self.workload.len() }
    }

    /// Lives through up to `instants` further instants.
    pub(crate) fn advance<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, instants: usize) {
        if self.is_wide() {
            self.advance_in::<S, Wide>(scheduler, instants);
        } else {
            self.advance_in::<S, Narrow>(scheduler, instants);
        }
    }

    /// Whether there is anything besides jobs and one number of processors.
    fn is_wide(&self) -> bool {
        self.prepares
            || self.delays_starts
            || self.deferring.is_some()
            || self.calendar.is_some()
            || self.actions.has_cells
            || self.view.is_wide()
    }

    /// Does what [`World::advance`] does, compiled for what the simulation has.
    #[inline(never)]
    fn advance_in<S: Scheduler + ?Sized, E: SimulationExtent>(&mut self, scheduler: &mut S, instants: usize) {
        let mut left = instants;
        while left > 0 {
            let Some(now) = self.next_instant_in::<E>() else { break };
            if E::IS_WIDE && self.prepares && self.prepare(now) {
                left = left.saturating_sub(estimating::STEP);
                continue;
            }
            self.instant::<S, E>(scheduler, now);
            left -= 1;
        }
    }

    /// Does what must be done before the instant `now`. Returns whether it was a step of training, so that there may be
    /// more.
    #[inline(never)]
    fn prepare(&mut self, now: Seconds) -> bool {
        self.foresee_ends(now);
        self.classifier.is_some() && self.train(now)
    }

    /// Whether waiting jobs keep the estimate that was made at their submission.
    pub(super) fn keeps_estimates(&self) -> bool {
        self.estimates.are_kept()
    }

    /// The time of the next instant; none if nothing happens any more.
    pub(super) fn next_instant(&self) -> Option<Seconds> {
        self.next_instant_in::<Wide>()
    }

    #[inline]
    fn next_instant_in<E: SimulationExtent>(&self) -> Option<Seconds> {
        let completion = self.completions.next().unwrap_or(NEVER);
        let mut next = self.submission.min(completion).min(self.actions.wake());
        if E::IS_WIDE
            && let Some(deferring) = &self.deferring
        {
            next = next.min(deferring.next());
        }
        if E::IS_WIDE && self.next_change < next && (self.waiting > 0 || next < NEVER) {
            return Some(self.next_change);
        }
        Some(next).filter(|&next| next < NEVER)
    }

    /// The run time D of a job that has arrived, seconds.
    #[inline(always)]
    fn run_of<E: SimulationExtent>(&self, job: JobId) -> Seconds {
        match &self.reacting {
            Some(reacting) if E::IS_WIDE => reacting.run(job),
            _ => self.runs[job.index()],
        }
    }

    /// When the job at this place in log order is submitted; [`NEVER`] if there is none.
    #[inline]
    fn submission_of(&self, place: usize) -> Seconds {
        match self.arriving.get(place) {
            Some(request) if place < self.gate.0 => request.submit,
            Some(request) => request.submit.max(self.gate.1),
            None => NEVER,
        }
    }

    /// What was known of a job at its submission.
    #[inline(always)]
    fn request_of<E: SimulationExtent>(&self, job: JobId) -> &Request {
        if E::IS_WIDE { self.view.request(job) } else { self.workload.request(job) }
    }

    /// The job that arrives next; none if no job arrives any more.
    #[inline]
    pub(super) fn next_arrival(&self) -> Option<JobId> {
        (self.submission < NEVER).then(|| JobId(self.view.arrived() as u32))
    }

    /// When the next job is submitted; none if no job arrives any more.
    #[inline]
    pub(super) fn next_submission(&self) -> Option<Seconds> {
        Some(self.submission).filter(|&submission| submission < NEVER)
    }

    /// The job that arrives next, if it is submitted at `now`.
    #[inline]
    pub(super) fn arriving_at(&self, now: Seconds) -> Option<JobId> {
        (self.submission <= now).then(|| JobId(self.view.arrived() as u32))
    }

    /// Whether a job has arrived and has not started.
    pub(super) fn is_waiting(&self, job: JobId) -> bool {
        self.view.is_waiting(job)
    }

    pub(super) fn is_running(&self, job: JobId) -> bool {
        self.view.running.slot_of(job).is_some()
    }

    /// Why a job that arrives at `now` is estimated as it is.
    pub(super) fn explain_arrived(&self, job: JobId, now: Seconds) -> Explanation {
        self.estimator.explain(job, self.view.request(job), now)
    }

    /// The number of rounds so far.
    pub(super) fn rounds(&self) -> u64 {
        self.rounds
    }

    /// What a scheduler sees.
    pub(super) fn view(&self) -> &View<'a> {
        &self.view
    }

    /// The number of queued jobs.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// The jobs that have started in the last round.
    pub(super) fn started(&self) -> &[Start] {
        &self.actions.starts
    }

    /// Lives through one instant. A job that runs for no time completes in a second pass over the same instant.
    #[inline(always)] // one function for each scheduler lives through all instants
    fn instant<S: Scheduler + ?Sized, E: SimulationExtent>(&mut self, scheduler: &mut S, now: Seconds) {
        self.open_in::<S, E>(scheduler, now);
        while self.arrive_in::<S, E>(scheduler, now).is_some() {}
        self.close_in::<S, E>(scheduler, now);
    }

    /// Lives through an instant up to its arrivals.
    pub(super) fn open(&mut self, scheduler: &mut dyn Scheduler, now: Seconds) {
        self.open_in::<_, Wide>(scheduler, now);
    }

    /// Lets the next job that is submitted at `now` enter the queue. Returns it; none if all have entered.
    pub(super) fn arrive(&mut self, scheduler: &mut dyn Scheduler, now: Seconds) -> Option<Waiting> {
        self.arrive_in::<_, Wide>(scheduler, now)
    }

    /// Lives through an instant after its arrivals. There is no round if nothing triggers one.
    pub(super) fn close(&mut self, scheduler: &mut dyn Scheduler, now: Seconds) {
        self.close_in::<_, Wide>(scheduler, now);
    }

    #[inline]
    fn open_in<S: Scheduler + ?Sized, E: SimulationExtent>(&mut self, scheduler: &mut S, now: Seconds) {
        self.correct_until(scheduler, now);
        self.view.advance(now);
        if E::IS_WIDE {
            self.view.count_until(now);
            self.show_deferred(scheduler, now);
        }
    }

    #[inline(always)] // a simulation consists of this
    fn close_in<S: Scheduler + ?Sized, E: SimulationExtent>(&mut self, scheduler: &mut S, now: Seconds) {
        self.actions.starts.clear();
        let is_left = self.complete::<S, E>(scheduler, now);
        let is_changed = E::IS_WIDE && self.next_change <= now && self.change_capacity(scheduler, now);
        let is_woken = self.actions.wake() == now && self.wake(scheduler, now);
        if self.view.running.has_overdue() {
            self.put_off(scheduler, now);
        }
        let is_triggered = std::mem::take(&mut self.is_triggered);
        if is_triggered || is_left || is_changed || is_woken || scheduler.needs_round() {
            self.round::<S, E>(scheduler, now);
        }
    }

    /// Has a scheduling round, and another one for as long as rounds kill jobs.
    #[inline(always)]
    fn round<S: Scheduler + ?Sized, E: SimulationExtent>(&mut self, scheduler: &mut S, now: Seconds) {
        loop {
            self.reestimate(scheduler, now);
            if E::IS_WIDE && self.saving.is_some() {
                self.sync_nodes(now);
            }
            self.actions.begin(self.view.free());
            scheduler.round(&self.view, &mut self.actions);
            self.rounds += 1;
            self.start_picked::<E>(now);
            if !self.actions.take_more() || !self.keep_notes_and_kill(scheduler, now) {
                return;
            }
            self.actions.starts.clear();
        }
    }

    /// Calls the scheduler at a time that it asked for. Returns whether a round follows.
    #[inline(never)]
    fn wake<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) -> bool {
        self.actions.forget_wake();
        let asks = scheduler.woken(&self.view, &mut self.actions);
        self.kill(scheduler, now) || asks
    }

    /// Expects overdue jobs to end a second later.
    #[inline(never)]
    fn put_off<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        self.view.running.put_off(now, &mut self.overdue);
        for release in self.overdue.drain(..) {
            scheduler.overdue(release, now as f64 + 1.0, &self.view);
        }
    }

    #[inline]
    fn arrive_in<S: Scheduler + ?Sized, E: SimulationExtent>(
        &mut self,
        scheduler: &mut S,
        now: Seconds,
    ) -> Option<Waiting> {
        let job = self.arriving_at(now)?;
        if E::IS_WIDE && self.reacting.is_some() {
            self.submit_next();
        } else {
            self.submission = self.submission_of(job.index() + 1);
        }
        self.view.arrive();
        if E::IS_WIDE {
            self.view.count_arrived(job);
        }
        let &Request { submit, processors, .. } = self.request_of::<E>(job);
        if self.learns {
            let estimate = self.estimator.estimate(job, self.view.request(job), now);
            self.view.set_estimate(job, estimate);
        }
        let estimate = self.view.estimate(job);
        debug_assert!(estimate > 0.0 && estimate.is_finite());
        self.estimates.submitted(job, estimate, &mut self.view.revised);
        if E::IS_WIDE && self.classifier.is_some() {
            self.classify(job, now);
        }
        let waiting = Waiting { job, submit, processors, estimate };
        self.waiting += 1;
        if E::IS_WIDE && self.defer(job, now) {
            return Some(waiting);
        }
        self.is_triggered |= self.options.trigger == RoundTrigger::Every
            || if E::IS_WIDE { self.view.fits_now(job, processors) } else { processors <= self.view.free() };
        scheduler.arrived(waiting, &self.view);
        Some(waiting)
    }

    /// Removes the jobs that complete by `now`. Returns whether there were any.
    #[inline]
    fn complete<S: Scheduler + ?Sized, E: SimulationExtent>(&mut self, scheduler: &mut S, now: Seconds) -> bool {
        let before = self.completed;
        while let Some(slot) = self.completions.pop_until(now) {
            let left = self.view.running.leave(slot);
            let job = left.job;
            self.view.release(left.processors);
            if E::IS_WIDE {
                self.view.count_ended(job, left.processors);
                self.view.leave_cells(job);
            }
            self.completed += 1;
            if self.is_observed {
                self.tell_completed(job, now);
            }
            self.estimates.completed();
            scheduler.completed(left.release(), &self.view);
        }
        self.completed > before
    }

    /// Tells the estimator and the classifier that a job has completed.
    #[inline(never)]
    fn tell_completed(&mut self, job: JobId, now: Seconds) {
        let (request, run) = (self.view.request(job), self.run_of::<Wide>(job));
        if self.learns {
            self.estimator.completed(job, request, run, now);
        }
        if let Some(classifier) = &mut self.classifier {
            classifier.completed(job, request, run, now);
        }
    }

    /// Tells the estimator and the classifier that a job has started.
    #[inline(never)]
    fn tell_started(&mut self, job: JobId, now: Seconds) {
        if self.learns {
            self.estimator.started(job, now);
        }
        if let Some(classifier) = &mut self.classifier {
            classifier.started(job, now);
        }
    }

    #[inline(always)] // of a round without reservations it is a good part
    fn start_picked<E: SimulationExtent>(&mut self, now: Seconds) {
        self.view.set_free(self.actions.free());
        if E::IS_WIDE && self.actions.has_cells {
            self.place_picked(now);
        }
        let picked = self.actions.starts.len();
        for i in 0..picked {
            let start = self.actions.starts[i];
            let Start { job: Waiting { job, processors, estimate, .. }, token } = start;
            self.view.start(job);
            if E::IS_WIDE {
                self.view.count_started(job, processors);
            }
            let first = self.estimates.started(job).unwrap_or(estimate);
            let mut begin = now;
            if E::IS_WIDE && !self.actions.delays.is_empty() {
                begin += self.actions.delay_of(job);
                self.view.begins(job, begin);
            }
            let end = begin as f64 + estimate;
            let running = RunningJob { job, processors, start: begin, end, told: end, first, corrections: 0, token };
            let slot = self.view.running.start(running);
            let run = self.run_of::<E>(job);
            self.completions.push(begin + run, slot);
            if self.is_observed {
                self.tell_started(job, begin);
            }
            self.watch(job, slot, begin as f64, estimate, run);
        }
        if E::IS_WIDE {
            self.actions.delays.clear();
        }
        self.waiting -= picked;
    }
}

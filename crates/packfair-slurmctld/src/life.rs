//! The events of slurmctld, one after another: submissions, ends, passes and cycles, and how usage is counted.

use super::cycle::ClockEvent;
use super::job::{AllocatedJob, Completing, JobState};
use super::licences::LicenceTable;
use super::node_set::NodeBits;
use super::room::{Allocation, Ask};
use super::table::RunningJobs;
use super::{CYCLE, CYCLE_OF_JOB, Controller, STUCK};
use packfair_engine::model::{Actions, Token};
use packfair_slurm::SlurmParameter;
use packfair_workload::{JobId, Seconds};

/// In a forecast, backfill pauses for the time that has passed since its moment divided by this, where that is longer than
/// bf_interval: the far future is not known to the second, and most of a forecast's time went into its cycles. So do
/// passes through the whole queue, and the weighing of its jobs.
const COARSENESS: f64 = 50.0;

/// A cycle that looks at more jobs is followed by a pause that is longer by as much, in a forecast.
const USUAL_CYCLE: f64 = 100.0;

impl Controller {
    /// Processes all events up to the end of this second.
    pub(super) fn live_through(&mut self, now: Seconds, actions: &mut Actions) {
        while let Some((at, event)) = self.clock.next_before(now as f64 + 1.0) {
            self.live(at, event, actions);
        }
        debug_assert!(self.are_apart(), "a processor has two running jobs");
        let is_idle = self.running.is_empty() && self.completing.is_empty() && !self.clock.has_single();
        if is_idle && now - self.last_start > STUCK && !(self.queue.is_empty() && self.dependents.is_empty()) {
            self.plan = None;
            self.availability.lift();
            self.turn_stranded();
            self.limits.lift();
            self.licences.lift();
            self.cap = None;
            self.is_lifted = true;
            self.main_pass(now as f64, None, actions);
        }
    }

    pub(super) fn live(&mut self, at: f64, event: ClockEvent, actions: &mut Actions) {
        self.stranded.iter_mut().for_each(|book| book.advance(at));
        if !event.recurs() {
            self.changed(at);
        }
        match event {
            ClockEvent::Submitted(job) => {
                if !self.start_where_it_runs(job, at, actions) && self.take_in(job, at) {
                    self.ask_for_pass(at);
                }
            }
            ClockEvent::Eligible(job) => {
                self.take_in(job, at);
            }
            ClockEvent::Ended(job) => self.end(job, at, actions),
            ClockEvent::Freed(job) => {
                self.plan = None;
                while let Some(place) = self.completing.iter().position(|other| other.run.job.waiting.job == job) {
                    let run = self.completing.remove(place).run;
                    if let Some(saving) = &mut self.saving {
                        saving.give(&run.nodes().common(&self.room.idle), at.floor() as Seconds);
                    }
                    if !run.job.is_first_part() {
                        continue;
                    }
                    if run.is_requeued {
                        self.requeued(job, at);
                    } else {
                        self.eligibility.ended(&run.job);
                    }
                }
                if self.site().parameters.has(SlurmParameter::Defer) {
                    self.ask_for_pass(at);
                } else {
                    self.main_pass(at, Some(self.parameter(SlurmParameter::DefaultQueueDepth)), actions);
                }
            }
            ClockEvent::Pass if self.background.is_due(at, self.parameter(SlurmParameter::BatchSchedDelay)) => {
                self.background.passed(at);
                self.main_pass(at, Some(self.parameter(SlurmParameter::DefaultQueueDepth)), actions);
            }
            ClockEvent::Pass => {}
            ClockEvent::FullPass => {
                self.background.passed(at);
                self.main_pass(at, None, actions);
                let usual = self.parameter(SlurmParameter::SchedInterval).max(1) as f64;
                self.clock.at(at + self.coarse(usual, at, 1.0), ClockEvent::FullPass);
            }
            ClockEvent::Backfill if self.last_change < self.last_cycle => self.idle_since = Some(at),
            // backfill looks again each second
            ClockEvent::Backfill if self.is_completing(at.floor() as Seconds) => {
                self.clock.at(at + 1.0, ClockEvent::Backfill)
            }
            ClockEvent::Backfill => {
                let looked_at = self.backfill(at, actions);
                self.cycle_over(at, looked_at);
            }
            ClockEvent::Resume => {
                let looked_at = self.resume(at, actions);
                self.cycle_over(at, looked_at);
            }
            ClockEvent::Weigh => {
                self.weigh(at);
                let usual = self.site().priority.calc_period as f64;
                self.clock.at(at + self.coarse(usual, at, 1.0), ClockEvent::Weigh);
            }
            ClockEvent::Drained(gap) => {
                self.plan = None;
                self.availability.drain(gap);
                self.turn_stranded();
                self.fail(gap);
            }
            ClockEvent::Capped => {
                self.plan = None;
                self.ask_for_pass(at);
            }
            ClockEvent::Returned(gap) => {
                self.plan = None;
                self.availability.give_back(gap);
                self.turn_stranded();
                self.main_pass(at, Some(self.parameter(SlurmParameter::DefaultQueueDepth)), actions);
            }
        }
    }

    /// Notes which nodes are up.
    fn turn_stranded(&mut self) {
        if let Some(book) = &mut self.stranded {
            book.turn(&self.availability.up, (&self.nodes, &self.room));
        }
    }

    /// A node fails when an outage begins: batch jobs on it are killed, on all their nodes, and wait again.
    fn fail(&mut self, gap: usize) {
        let gap = &self.availability.gaps[gap];
        if !gap.kills {
            return;
        }
        let node = gap.node;
        let is_there = |run: &&AllocatedJob| !run.is_over && run.nodes().contains(node);
        let victims = self.running.iter().filter(is_there).map(|run| run.job.waiting.job).collect();
        self.preempt(victims);
    }

    /// Ends a cycle that has tested `looked_at` jobs; none means that it pauses.
    fn cycle_over(&mut self, at: f64, looked_at: Option<i64>) {
        let Some(looked_at) = looked_at else { return };
        let end = at + CYCLE + looked_at as f64 * CYCLE_OF_JOB;
        self.last_cycle = end.floor() as Seconds;
        let usual = self.parameter(SlurmParameter::BfInterval).max(1) as f64;
        let pause = self.coarse(usual, end, (looked_at as f64 / USUAL_CYCLE).max(1.0));
        self.clock.at(end + pause, ClockEvent::Backfill);
    }

    /// The time between two of what recurs, seconds. In a forecast it grows with the time since its moment, and with the
    /// work.
    fn coarse(&self, usual: f64, at: f64, work: f64) -> f64 {
        self.jobs.forecast_from.map_or(usual, |from| usual.max((at - from as f64) / COARSENESS * work))
    }

    /// Notes a change that matters to backfill. A cycle that has waited for one follows within a second.
    pub(super) fn changed(&mut self, at: f64) {
        self.last_change = self.last_change.max(at.floor() as Seconds);
        if let Some(since) = self.idle_since.take() {
            self.clock.at(since + (at - since).ceil().max(1.0), ClockEvent::Backfill);
        }
    }

    /// Jobs that are completing and have ended at most CompleteWait ago.
    pub(super) fn lately_ended(&self, now: Seconds) -> impl Iterator<Item = &AllocatedJob> {
        let wait = self.site().complete_wait;
        let is_late = move |other: &&Completing| wait > 0 && other.since >= now - wait;
        self.completing.iter().filter(is_late).map(|other| &other.run)
    }

    /// Whether CompleteWait keeps jobs from starting.
    pub(super) fn is_completing(&self, now: Seconds) -> bool {
        self.lately_ended(now).next().is_some()
    }

    /// Whether a job is younger than bf_min_age_reserve.
    pub(super) fn is_young(&self, job: &JobState, now: Seconds) -> bool {
        job.eligible.is_none_or(|since| now - since < self.parameter(SlurmParameter::BfMinAgeReserve))
    }

    /// Whether licences keep a job from starting.
    pub(super) fn lacks_licences(&self, job: &JobState, now: Seconds) -> bool {
        self.licences.are_wanted() && self.licences.lacks(self.nodes.want(job.ask), now, job.limit)
    }

    /// When licences are free, where backfill plans for them (bf_licenses).
    pub(super) fn licence_table(&self, now: Seconds) -> Option<LicenceTable> {
        let plans = self.licences.are_wanted() && self.site().parameters.has(SlurmParameter::BfLicenses);
        let ends = self.running.iter().map(|run| (run.job.waiting.job, run.end));
        plans.then(|| self.licences.table(now, ends))
    }

    /// The limit that keeps a job from starting, by its name in squeue, apart from those of nodes; none if there is none.
    pub(super) fn held(&self, job: &JobState, now: Seconds) -> Option<&'static str> {
        let limit = self.limits.held(job, &self.running, &self.jobs.site, now);
        limit.or_else(|| self.cap.as_ref()?.held(job.waiting.job, now))
    }

    /// The limit of nodes that keeps a job from starting on these nodes, or from being given a slot while none are chosen
    /// for it.
    pub(super) fn held_by_nodes(&self, job: &JobState, chosen: Option<&Allocation>) -> Option<&'static str> {
        let asked = self.nodes.fewest(job.ask);
        self.limits.held_by_nodes(job, asked, chosen.map(|allocation| &allocation.nodes), &self.jobs.site)
    }

    pub(super) fn ask_for_pass(&mut self, at: f64) {
        let delay = self.parameter(SlurmParameter::BatchSchedDelay);
        if let Some(pass) = self.background.ask(at, delay) {
            self.clock.at(pass, ClockEvent::Pass);
        }
    }

    /// The nodes that a job gets now: those that are on before others.
    pub(super) fn choose(&mut self, ask: Ask, usable: &NodeBits, now: Seconds) -> Option<Allocation> {
        self.prefer_awake(now);
        self.nodes.choose(&self.room, ask, usable)
    }

    /// Lets nodes that are on now go before others.
    pub(super) fn prefer_awake(&mut self, now: Seconds) {
        if let Some(saving) = &mut self.saving {
            self.nodes.prefer(&saving.awake(now));
        }
    }

    /// Starts a job that has already left all queues.
    pub(super) fn start(&mut self, job: JobState, allocation: Allocation, at: f64, actions: &mut Actions) {
        let resumed = self.suspend_for(&job, &allocation, at, actions);
        actions.start(job.waiting, Token::default());
        let boot = self.take_nodes(&allocation, at.floor() as Seconds);
        if boot > 0 {
            actions.delay(job.waiting.job, boot);
        }
        self.begin(job, allocation, at, boot);
        self.resume_jobs(resumed, at, actions);
    }

    /// Takes the nodes of a job that starts. Returns how long the last of them boots, seconds.
    pub(super) fn take_nodes(&mut self, allocation: &Allocation, now: Seconds) -> Seconds {
        self.nodes.take(&mut self.room, allocation);
        if let Some(book) = &mut self.stranded {
            book.changed(allocation, (&self.nodes, &self.room));
        }
        self.saving.as_mut().map_or(0, |saving| saving.take(&allocation.nodes, now))
    }

    /// Begins a job, or a part of one, on nodes that it has taken, once these are on.
    pub(super) fn begin(&mut self, mut job: JobState, allocation: Allocation, at: f64, boot: Seconds) {
        let now = at.floor() as Seconds;
        self.last_start = now;
        job.waits.close(now);
        self.eligibility.started(&job, now);
        self.arrays.started(&job);
        // the limit counts from when the nodes are on
        let end = now + boot + job.limit;
        let run = AllocatedJob { end, start: at + boot as f64, is_over: false, is_requeued: false, job, allocation };
        self.plan = None;
        self.limits.start(&run, &self.jobs.site);
        self.licences.take(run.job.waiting.job, self.nodes.want(run.job.ask), now, run.job.limit);
        if let Some(cap) = self.cap.as_mut().filter(|_| run.job.is_first_part()) {
            cap.start(run.job.waiting.job);
        }
        let job = run.job.waiting.job;
        self.running.insert(Box::new(run));
        self.hold(job);
        self.changed(at);
    }

    /// Ends a job: it is billed, and its nodes are free after the epilog.
    pub(super) fn end(&mut self, job: JobId, at: f64, actions: &mut Actions) {
        let mut left = 1;
        let mut is_first = true;
        while left > 0
            && let Some(run) = self.running.remove(job)
        {
            if std::mem::take(&mut is_first) {
                left = run.job.parts();
                if let Some(cap) = &mut self.cap {
                    cap.end(job);
                }
            }
            left -= 1;
            self.end_run(*run, at);
        }
        if !is_first {
            let epilog = self.settings.epilog * (0.5 + self.clock.uniform());
            self.clock.at(at + epilog, ClockEvent::Freed(job));
            self.resume_freed(at, actions);
        }
    }

    fn end_run(&mut self, run: AllocatedJob, at: f64) {
        let job = run.job.waiting.job;
        self.plan = None;
        self.bill(&run, at.floor() as Seconds);
        self.limits.end(&run, &self.jobs.site);
        self.nodes.give(&mut self.room, &run.allocation);
        if let Some(book) = &mut self.stranded {
            book.changed(&run.allocation, (&self.nodes, &self.room));
        }
        self.let_go(&run);
        self.licences.give(job);
        self.arrays.stopped(&run.job);
        if !run.is_requeued {
            self.eligibility.stopped(&run.job);
        }
        self.completing.push(Completing { run, since: at.floor() as Seconds });
    }

    /// Bills a job's usage since usage was last counted.
    pub(super) fn bill(&mut self, run: &AllocatedJob, until: Seconds) {
        let from = (run.start.floor() as Seconds).max(self.counted);
        if until <= from {
            return;
        }
        let span = (until - from) as f64;
        let worth = span * libm::pow(self.decay(), span);
        self.limits.bill(run, worth, &self.jobs.site);
        if let Some(association) = run.job.association {
            self.shares.add(association, worth * run.job.billing);
        }
    }

    /// Bills the usage of all running jobs. Classic fair share looks at a user's usage at the first of its waiting jobs,
    /// so jobs that were submitted after that count for it only the next time.
    fn bill_all(&mut self, running: &RunningJobs, now: Seconds) {
        if !self.shares.is_classic() {
            running.iter().for_each(|run| self.bill(run, now));
            return;
        }
        let mut jobs: Vec<(JobId, Option<&AllocatedJob>, Option<u32>)> =
            running.iter().map(|run| (run.job.waiting.job, Some(run), None)).collect();
        let waiting = self.queue.iter().map(Box::as_ref).chain(&self.dependents);
        jobs.extend(waiting.map(|job| (job.waiting.job, None, job.association)));
        jobs.sort_by_key(|&(job, ..)| job);
        for (_, run, association) in jobs {
            run.into_iter().for_each(|run| self.bill(run, now));
            association.into_iter().for_each(|association| self.shares.settle(association));
        }
    }

    /// The factor by which usage decays in a second.
    pub(super) fn decay(&self) -> f64 {
        self.site().priority.decay()
    }

    /// Counts usage up to now, and computes the priorities of the waiting jobs anew.
    pub(super) fn weigh(&mut self, at: f64) {
        let now = at.floor() as Seconds;
        if !self.factors.plan().is_multifactor {
            return;
        }
        let since = (now - self.counted) as f64;
        let left = libm::pow(self.decay(), since);
        self.shares.begin();
        self.shares.decay(left);
        self.limits.decay(left);
        let running = std::mem::take(&mut self.running);
        self.bill_all(&running, now);
        self.running = running;
        self.counted = now;
        self.shares.calculate();
        for job in self.queue.iter_mut().map(Box::as_mut).chain(&mut self.dependents) {
            job.priority = self.factors.priority(job, &self.jobs.site, &self.shares, now);
        }
        // if the order is the same, nothing changes for what depends only on the order
        if self.parameter(SlurmParameter::BfMinPrioReserve) > 0
            || !self.queue.is_sorted_by(|one, other| one.before(other).is_lt())
        {
            self.is_sorted = false;
            self.plan = None;
        }
        // usage has decayed or grown, so its limits may decide otherwise
        if self.limits.counts_use() {
            self.plan = None;
        }
        if !(self.queue.is_empty() && self.dependents.is_empty()) {
            self.changed(at);
        }
    }

    /// Sorts the queue.
    pub(super) fn sort(&mut self) {
        if !self.is_sorted {
            self.queue.sort_by(|one, other| one.before(other));
            self.is_sorted = true;
            self.in_turn = self.queue.len();
        }
    }
}

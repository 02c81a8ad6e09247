//! Fair start times (FAIRNESS §3.1): when each job would have started without jobs that arrived after it.
//!
//! The simulation is forked at each arrival, and the fork runs on without further arrivals until the job starts. A job
//! that starts before any other job arrives needs no fork for its strict fair start. A job that finds no other job
//! queued needs none for its relaxed one. Where jobs may be killed, the last start of a job counts, which is known once
//! it completes.
//!
//! One fork serves two jobs. In the fork of the job before, all other jobs that were queued start as if the present job
//! had not arrived, which is what its relaxed fair start needs. If waiting jobs are estimated anew, this does not work:
//! a fork then has an estimator of its own, which must know of the job, withheld or not, from its submission on. Nor
//! does it work if jobs may be killed, because the fork has then gone on until the job before has completed.

use super::Simulation;
use crate::model::{FairStarts, Schedule, SchedulerFailure, SizeClass, View, Waiting};
use packfair_workload::{JobId, Seconds, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// The fair start times of these `jobs`. `simulation` must not have begun; `schedule` is its result. Consecutive ranges
/// together give the same as the whole range.
pub fn fair_starts(simulation: Simulation, schedule: &Schedule, jobs: Range<usize>) -> FairStarts {
    FairStartSearch::new(simulation, schedule).of(jobs)
}

/// A search for fair start times that goes through a simulation from job to job.
pub struct FairStartSearch<'a> {
    simulation: Simulation<'a>,
    schedule: &'a Schedule,
    until: SearchEnd,
    /// The present instant, whose arrivals are not all in yet.
    open: Option<Seconds>,
    /// The fork of the job that arrived last, if it can serve the next job as well.
    fork: Option<Fork<'a>>,
    /// The fair starts that do not depend on the scheduler, where they are asked for.
    independent: Option<IndependentStarts<'a>>,
}

#[derive(Clone, Copy, PartialEq)]
enum SearchEnd {
    Started,
    /// The job completes, because jobs may be killed and the last start counts. Without later arrivals other jobs may
    /// be killed than in the schedule.
    Completed,
}

impl<'a> FairStartSearch<'a> {
    /// A search that has not begun. `simulation` must not have begun either; `schedule` is its result.
    pub fn new(simulation: Simulation<'a>, schedule: &'a Schedule) -> Self {
        let until = if simulation.may_kill() { SearchEnd::Completed } else { SearchEnd::Started };
        FairStartSearch { simulation, schedule, until, open: None, fork: None, independent: None }
    }

    /// Also finds the fair starts of a queue that is served in order: the hybrid ones, and those that do not depend on
    /// the scheduler. `starts` are those of Conservative for the same jobs. The machine must be one number of
    /// processors.
    pub fn with_conservative(self, workload: &'a Workload, starts: Vec<Seconds>) -> Self {
        FairStartSearch { independent: Some(IndependentStarts::new(workload, starts)), ..self }
    }

    /// Why the result is not valid: the scheduler has failed, here or in a fork. None if it has not.
    pub fn failure(&self) -> Option<SchedulerFailure> {
        self.simulation.failure()
    }

    /// The fair starts of these jobs, which must come after those of all earlier calls.
    pub fn of(&mut self, jobs: Range<usize>) -> FairStarts {
        let mut fair = FairStarts::default();
        while let Some(job) = self.simulation.world.next_arrival().filter(|job| job.index() < jobs.end) {
            let Some(now) = self.reach_arrival() else { break };
            if job.index() + 1 < jobs.start {
                self.fork = None;
                self.simulation.arrive(now);
                continue;
            }
            // this must come before the arrival, because the job would then be in the queue
            let in_order = self.independent.is_some().then(|| self.hybrid(job, now));
            let (strict, relaxed) = self.arrive(job, now);
            if job.index() < jobs.start {
                // this job's fork serves the first job of the range, as it would if the ranges were asked for together;
                // a fork made for that job alone would live through one more instant, at which running jobs are
                // expected to end later
                continue;
            }
            fair.strict.push(strict);
            fair.relaxed.push(relaxed);
            fair.hybrid.extend(in_order);
            fair.independent.extend(self.independent.as_mut().map(|starts| starts.of(job)));
        }
        fair
    }

    /// Lives on until just before the next arrival. Returns the time of that arrival; none if there is no other.
    fn reach_arrival(&mut self) -> Option<Seconds> {
        loop {
            let now = match self.open {
                Some(now) => now,
                None => {
                    let now = self.simulation.next_instant()?;
                    self.simulation.open(now);
                    now
                }
            };
            self.open = Some(now);
            if self.simulation.world.arriving_at(now).is_some() {
                return Some(now);
            }
            self.simulation.close(now);
            self.open = None;
        }
    }

    /// The hybrid fair start of the job that arrives next, before it arrives.
    fn hybrid(&self, job: JobId, now: Seconds) -> Seconds {
        let view = self.simulation.world.view();
        // arrivals come before completions of the same instant
        hybrid_fair_start(view, view.request(job).processors, |running| self.schedule.end(running) <= now)
    }

    /// Lets the next job arrive. Returns its strict and its relaxed fair start.
    fn arrive(&mut self, job: JobId, now: Seconds) -> (Seconds, Seconds) {
        let start = self.schedule.start(job);
        // a fork in which the job has not arrived
        let before = self.fork.take();
        let is_withheld = self.simulation.world.waiting() > 0;
        let without = is_withheld.then(|| {
            let mut fork = before.unwrap_or_else(|| Fork::of(&self.simulation, now));
            fork.simulation.world.withhold(job, now);
            fork
        });
        let Some(waiting) = self.simulation.arrive(now) else { return (start, start) };
        let known = match self.until {
            SearchEnd::Started => start,
            SearchEnd::Completed => self.schedule.end(job),
        };
        let is_undisturbed = self.simulation.world.next_submission().is_none_or(|submit| known < submit);
        let strict = if is_undisturbed {
            start
        } else {
            let mut fork = Fork::of(&self.simulation, now);
            let strict = fork.start_of(job, self.until);
            let serves_next = self.until == SearchEnd::Started && self.simulation.world.keeps_estimates();
            self.fork = serves_next.then_some(fork);
            strict
        };
        let class = self.simulation.world.view().class(job);
        let relaxed = without.map_or(strict, |mut fork| fork.start_after_others(waiting, class, self.until));
        (strict, relaxed)
    }
}

/// A simulation without further arrivals.
struct Fork<'a> {
    simulation: Simulation<'a>,
    now: Seconds,
    /// Whether the instant `now` has been lived through to its end.
    is_closed: bool,
}

impl<'a> Fork<'a> {
    /// A fork of a simulation within an instant, after its arrivals.
    fn of(simulation: &Simulation<'a>, now: Seconds) -> Self {
        Fork { simulation: simulation.fork(), now, is_closed: false }
    }

    /// The last start of `job`, which has arrived and has not started.
    fn start_of(&mut self, job: JobId, until: SearchEnd) -> Seconds {
        let mut start = self.now;
        while self.go_on() {
            let world = &self.simulation.world;
            if world.started().iter().any(|started| started.job.job == job) {
                start = self.now;
                if until == SearchEnd::Started {
                    break;
                }
            } else if !world.is_waiting(job) && !world.is_running(job) {
                break;
            }
        }
        start
    }

    /// The start of `job`, which has not arrived, if it arrives once all others have started, but not before its
    /// submission. Some job must be queued at its submission.
    fn start_after_others(&mut self, job: Waiting, class: SizeClass, until: SearchEnd) -> Seconds {
        while self.simulation.world.waiting() > 0 && self.go_on() {}
        self.simulation.admit(job, class);
        self.is_closed = false;
        self.start_of(job.job, until)
    }

    /// Lives through the rest of this instant, or through the next. Returns whether there was one.
    fn go_on(&mut self) -> bool {
        if self.is_closed {
            let Some(next) = self.simulation.next_instant() else { return false };
            self.simulation.advance(1);
            self.now = next;
            return true;
        }
        self.simulation.close(self.now);
        self.is_closed = true;
        true
    }
}

// Fair starts of a queue that is served in order (FAIRNESS §5). They need no simulation without further arrivals.

/// When the processors of a machine become free: times in whole seconds, and how many at each.
struct NodeTimes(BinaryHeap<Reverse<(Seconds, u32)>>);

impl NodeTimes {
    fn new(processors: u32, now: Seconds, running: impl Iterator<Item = (Seconds, u32)>) -> Self {
        let mut times: BinaryHeap<_> = running.map(|(end, width)| Reverse((end.max(now), width))).collect();
        let used: u32 = times.iter().map(|Reverse((_, width))| width).sum();
        times.push(Reverse((now, processors.saturating_sub(used))));
        NodeTimes(times)
    }

    /// Gives a job the processors that become free first, for `length` seconds. It starts once it has all of them, and
    /// not before `earliest`. Returns its start.
    fn take(&mut self, processors: u32, length: Seconds, earliest: Seconds) -> Seconds {
        let (mut start, mut taken) = (earliest, 0);
        while taken < processors {
            // no job is wider than the machine
            let Some(Reverse((free, width))) = self.0.pop() else { break };
            start = start.max(free);
            taken += width;
            if let Some(rest) = taken.checked_sub(processors).filter(|&rest| rest > 0) {
                self.0.push(Reverse((free, rest)));
                taken = processors;
            }
        }
        self.0.push(Reverse((start + length, processors)));
        start
    }
}

/// The hybrid fair start (Leung et al. 2010, which FAIRNESS §5 cites) of a job of `processors` that arrives now, at the
/// end of the queue of `view`.
///
/// In order of arrival, the waiting jobs and then this one get the processors with the earliest estimated completion
/// times, which then move on. So a job may overtake one that waits for more processors, but holes are not used.
/// `has_ended` tells which jobs have ended although the view still holds them as running. Estimated ends are rounded up
/// to whole seconds. A job that has outlived its estimate is taken to end now.
pub(super) fn hybrid_fair_start(view: &View, processors: u32, has_ended: impl Fn(JobId) -> bool) -> Seconds {
    let now = view.now();
    let running = view.running().filter(|release| !has_ended(release.job));
    let running = running.map(|release| (libm::ceil(release.at) as Seconds, release.processors));
    let mut times = NodeTimes::new(view.processors(), now, running);
    for job in view.waiting() {
        times.take(job.processors, libm::ceil(job.estimate) as Seconds, now);
    }
    times.take(processors, 0, now)
}

/// The scheduler-independent fair starts (Srinivasan et al. 2002, which FAIRNESS §5 cites) of the jobs of a workload,
/// one after the other: the start if all jobs had been scheduled by Conservative until a job arrived, and first come
/// first served without backfilling from then on. Run times are the actual ones.
#[derive(Clone)]
pub(super) struct IndependentStarts<'a> {
    workload: &'a Workload,
    starts: Vec<Seconds>,
    /// The job that was asked for last. `open` are the jobs before it that had not completed then, in order of arrival.
    next: JobId,
    open: Vec<JobId>,
}

impl<'a> IndependentStarts<'a> {
    /// A search that was asked for no job yet. `starts` are those that Conservative gives the jobs.
    pub(super) fn new(workload: &'a Workload, starts: Vec<Seconds>) -> Self {
        IndependentStarts { workload, starts, next: JobId(0), open: Vec::new() }
    }

    /// The fair start of a job, which must arrive after all jobs that were asked for before.
    pub(super) fn of(&mut self, job: JobId) -> Seconds {
        let (workload, starts) = (self.workload, &self.starts);
        let now = workload.request(job).submit;
        self.open.extend((self.next.0..job.0).map(JobId));
        self.next = job;
        let is_running = |job: JobId| {
            let start = starts[job.index()];
            start < now && now < start + workload.run(job)
        };
        // a job that starts at this instant does so after the arrival, so it still waits
        let is_waiting = |job: JobId| starts[job.index()] >= now;
        self.open.retain(|&job| is_running(job) || is_waiting(job));
        let running = self.open.iter().filter(|&&job| is_running(job));
        let running = running.map(|&job| (starts[job.index()] + workload.run(job), workload.request(job).processors));
        let mut times = NodeTimes::new(workload.machine.processors, now, running);
        let mut last = now;
        for &waiting in self.open.iter().filter(|&&job| is_waiting(job)) {
            last = times.take(workload.request(waiting).processors, workload.run(waiting), last);
        }
        times.take(workload.request(job).processors, 0, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_taken_in_the_order_in_which_they_become_free() {
        // 4 processors: 2 are free from 0 on, 1 from 5, 1 from 9
        let mut times = NodeTimes::new(4, 0, [(9, 1), (5, 1)].into_iter());
        assert_eq!(times.take(3, 10, 0), 5, "two that are free, and the one of 5");
        assert_eq!(times.take(1, 1, 0), 9, "it cannot use the hole before 5");
        assert_eq!(times.take(1, 1, 0), 10);
        assert_eq!(times.take(4, 1, 0), 15);
        // not before the job that came earlier
        let mut in_order = NodeTimes::new(4, 0, [(9, 3)].into_iter());
        let first = in_order.take(2, 5, 0);
        assert_eq!((first, in_order.take(1, 1, first)), (9, 9));
    }

    #[test]
    fn a_job_waits_for_all_before_it_whatever_the_scheduler_makes_of_them() {
        // submit, processors, run, request
        let jobs = [(0, 3, 10, 10), (1, 4, 10, 10), (2, 1, 3, 3), (3, 1, 2, 2)];
        let workload = packfair_workload::testing::jobs(4, &jobs);
        // Conservative backfills the third job at 2, and the fourth at 5
        let starts = [0, 10, 2, 5];
        let mut found = IndependentStarts::new(&workload, starts.to_vec());
        // without backfilling from its arrival on, the third job starts behind the second, at 20; so does the fourth
        // beside it, because the third runs when it arrives
        assert_eq!([0, 1, 2, 3].map(|job| found.of(JobId(job))), [0, 10, 20, 20]);
        // the same where the jobs before it are not asked for
        assert_eq!(IndependentStarts::new(&workload, starts.to_vec()).of(JobId(3)), 20);
    }
}

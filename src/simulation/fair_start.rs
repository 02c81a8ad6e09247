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
use super::fair_queue::{IndependentStarts, hybrid_fair_start};
use crate::model::{FairStarts, Schedule, SchedulerFailure, SizeClass, Waiting};
use crate::workload::{JobId, Seconds, Workload};
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

//! Fair start times (FAIRNESS §3.1): when each job would have started without those that arrived after it.
//!
//! The simulation is forked at each arrival and run on from there without further arrivals, until the job starts. A job
//! that starts before any other job arrives needs no fork for its strict fair start, and one that finds no other job
//! queued needs none for its relaxed one. Where jobs may be killed, its last start counts, and it is known once it completes.
//!
//! One fork serves two jobs: in the fork of the job before, all others that were queued start as if this one had not
//! arrived, which is what its relaxed fair start needs. If waiting jobs are estimated anew it does not serve: a fork then
//! has an estimator of its own, which must know of the job, withheld or not, from its submission on. Nor does it if jobs may
//! be killed: it has then gone on until the job before has completed.

use super::Simulation;
use super::fair_queue::{IndependentStarts, hybrid_fair_start};
use crate::model::{Failure, FairStarts, Schedule, SizeClass, Waiting};
use crate::workload::{JobId, Seconds, Workload};
use std::ops::Range;

/// The fair start times of these `jobs`. `simulation` has not begun; `schedule` is what it comes to. Ranges that follow one
/// another give together what the whole range gives.
pub fn fair_starts(simulation: Simulation, schedule: &Schedule, jobs: Range<usize>) -> FairStarts {
    FairStartSearch::new(simulation, schedule).of(jobs)
}

/// A search for fair start times that goes through a simulation from job to job.
pub struct FairStartSearch<'a> {
    simulation: Simulation<'a>,
    schedule: &'a Schedule,
    /// When the fair start of a job is known.
    until: SearchEnd,
    /// The present instant, whose arrivals are not all in yet.
    open: Option<Seconds>,
    /// The fork of the job that arrived last, if it serves the next job as well.
    fork: Option<Fork<'a>>,
    /// Those of a queue that is served in order, where they are looked for.
    independent: Option<IndependentStarts<'a>>,
}

/// When the fair start of a job is known.
#[derive(Clone, Copy, PartialEq)]
enum SearchEnd {
    /// Once it starts.
    Started,
    /// Once it completes: jobs may be killed, and the last start counts. Without later arrivals others may be killed than in
    /// the schedule.
    Completed,
}

impl<'a> FairStartSearch<'a> {
    /// A search that has not begun. `simulation` has not either; `schedule` is what it comes to.
    pub fn new(simulation: Simulation<'a>, schedule: &'a Schedule) -> Self {
        let until = if simulation.may_kill() { SearchEnd::Completed } else { SearchEnd::Started };
        FairStartSearch { simulation, schedule, until, open: None, fork: None, independent: None }
    }

    /// Looks for fair starts of a queue that is served in order as well: the hybrid ones, and those that do not depend on the
    /// scheduler. `starts` are Conservative's of the same jobs, on a machine that is a number of processors.
    pub fn with_conservative(self, workload: &'a Workload, starts: Vec<Seconds>) -> Self {
        FairStartSearch { independent: Some(IndependentStarts::new(workload, starts)), ..self }
    }

    /// Why what was found is nothing, where that is so: the scheduler has made a mistake, here or in a fork.
    pub fn failure(&self) -> Option<Failure> {
        self.simulation.failure()
    }

    /// The fair starts of these jobs, which come after those of all calls before.
    pub fn of(&mut self, jobs: Range<usize>) -> FairStarts {
        let mut fair = FairStarts::default();
        while let Some(job) = self.simulation.world.next_arrival().filter(|job| job.index() < jobs.end) {
            let Some(now) = self.reach_arrival() else { break };
            if job.index() + 1 < jobs.start {
                self.fork = None;
                self.simulation.arrive(now);
                continue;
            }
            // before it arrives: it comes after all who wait
            let in_order = self.independent.is_some().then(|| self.hybrid(job, now));
            let (strict, relaxed) = self.arrive(job, now);
            if job.index() < jobs.start {
                // its fork serves the first of these, as it would had they been asked for together: a fork of its own lives
                // through one more instant, at which running jobs are expected to end later
                continue;
            }
            fair.strict.push(strict);
            fair.relaxed.push(relaxed);
            fair.hybrid.extend(in_order);
            fair.independent.extend(self.independent.as_mut().map(|starts| starts.of(job)));
        }
        fair
    }

    /// Lives on until just before the next arrival. Returns its time.
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

    /// The hybrid fair start of the job that arrives next.
    fn hybrid(&self, job: JobId, now: Seconds) -> Seconds {
        let view = self.simulation.world.view();
        // arrivals come before completions of the same instant
        hybrid_fair_start(view, view.request(job).processors, |running| self.schedule.end(running) <= now)
    }

    /// The next job arrives; its strict and its relaxed fair start.
    fn arrive(&mut self, job: JobId, now: Seconds) -> (Seconds, Seconds) {
        let start = self.schedule.start(job);
        // without it
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
    /// Whether the instant `now` is lived through to its end.
    is_closed: bool,
}

impl<'a> Fork<'a> {
    /// During an instant, after its arrivals.
    fn of(simulation: &Simulation<'a>, now: Seconds) -> Self {
        Fork { simulation: simulation.fork(), now, is_closed: false }
    }

    /// When `job`, which has arrived and has not started, starts for the last time.
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

    /// When `job`, which has not arrived, starts if it arrives once all others have started, but not before it is
    /// submitted. Others are queued when it is submitted.
    fn start_after_others(&mut self, job: Waiting, class: SizeClass, until: SearchEnd) -> Seconds {
        while self.simulation.world.waiting() > 0 && self.go_on() {}
        self.simulation.admit(job, class);
        self.is_closed = false;
        self.start_of(job.job, until)
    }

    /// Lives through what is left of this instant, or through the next; says whether there was one.
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

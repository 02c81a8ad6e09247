//! Fair start times (FAIRNESS §3.1): when each job would have started had nobody come after it.
//!
//! The simulation is forked at each arrival and run on from there without further arrivals, until the
//! job starts. A job that starts at once needs no fork, nor does one that starts before anybody else
//! arrives; and no fork runs beyond the job's actual start, for only earlier starts are unfair.
//!
//! One fork serves two jobs: in that of the job before, all others that were queued start as if this one
//! had not come yet, which is what its relaxed fair start needs. Where waiting jobs are estimated anew it
//! does not: a fork has an estimator of its own then, which must know of the job, withheld or not, from
//! its submission on.

use super::Simulation;
use crate::model::{FairStarts, SizeClass, Waiting};
use crate::workload::{JobId, Seconds};
use std::ops::Range;

/// The fair start times of these `jobs`. `simulation` has not begun; `starts` are those that it comes
/// to. Ranges that follow one another give together what the whole range gives.
pub fn fair_starts(simulation: Simulation, starts: &[Seconds], jobs: Range<usize>) -> FairStarts {
    FairStartSearch::new(simulation, starts).of(jobs)
}

/// A search for fair start times that goes through a simulation from job to job.
pub struct FairStartSearch<'a> {
    simulation: Simulation<'a>,
    starts: &'a [Seconds],
    /// The instant under way: who is submitted at it has not arrived altogether.
    open: Option<Seconds>,
    /// That of the job that has arrived last, where one was made that serves the next as well.
    fork: Option<Fork<'a>>,
}

impl<'a> FairStartSearch<'a> {
    /// A search that has not begun. `simulation` has not either; `starts` are those that it comes to.
    pub fn new(simulation: Simulation<'a>, starts: &'a [Seconds]) -> Self {
        FairStartSearch { simulation, starts, open: None, fork: None }
    }

    /// The fair starts of these jobs, which come after all that were asked for before.
    pub fn of(&mut self, jobs: Range<usize>) -> FairStarts {
        let mut fair = FairStarts::default();
        while let Some(job) = self.simulation.world.next_arrival().filter(|job| job.index() < jobs.end) {
            let Some(now) = self.reach_arrival() else { break };
            if job.index() < jobs.start {
                self.fork = None;
                self.simulation.arrive(now);
                continue;
            }
            let (strict, relaxed) = self.arrive(job, now);
            fair.strict.push(strict);
            fair.relaxed.push(relaxed);
        }
        fair
    }

    /// Lives on until the next job arrives, which it has not yet; when that is.
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

    /// The next job arrives; its strict and its relaxed fair start.
    fn arrive(&mut self, job: JobId, now: Seconds) -> (Seconds, Seconds) {
        let start = self.starts[job.index()];
        // without it, as far as that matters
        let before = self.fork.take();
        let is_withheld = start > now && self.simulation.world.waiting() > 0;
        let without = is_withheld.then(|| {
            let mut fork = before.unwrap_or_else(|| Fork::of(&self.simulation, now));
            fork.simulation.world.withhold(job, now);
            fork
        });
        let Some(waiting) = self.simulation.arrive(now) else { return (start, start) };
        let is_undisturbed = self.simulation.world.next_submission().is_none_or(|submit| start < submit);
        let strict = if start == now || is_undisturbed {
            start
        } else {
            let mut fork = Fork::of(&self.simulation, now);
            let strict = fork.start_of(job, start);
            self.fork = self.simulation.world.keeps_estimates().then_some(fork);
            strict
        };
        let class = self.simulation.world.view().class(job);
        let relaxed = without.map_or(strict, |mut fork| fork.start_after_others(waiting, class, start));
        (strict, relaxed)
    }
}

/// A simulation in which nobody arrives any more.
struct Fork<'a> {
    simulation: Simulation<'a>,
    now: Seconds,
    /// Whether the instant `now` is lived through to its end.
    is_closed: bool,
}

impl<'a> Fork<'a> {
    /// In the midst of an instant, when all who arrive have.
    fn of(simulation: &Simulation<'a>, now: Seconds) -> Self {
        Fork { simulation: simulation.fork(), now, is_closed: false }
    }

    /// When `job`, which has arrived, starts; `until` where that is not before.
    fn start_of(&mut self, job: JobId, until: Seconds) -> Seconds {
        while self.go_on(until) {
            if self.simulation.world.started().iter().any(|started| started.job.job == job) {
                return self.now;
            }
        }
        until
    }

    /// When `job`, which has not arrived, starts if it arrives once all others have started, but not
    /// before it is submitted; `until` where that is not before. Others are queued when it is submitted.
    fn start_after_others(&mut self, job: Waiting, class: SizeClass, until: Seconds) -> Seconds {
        while self.simulation.world.waiting() > 0 {
            if !self.go_on(until) {
                return until;
            }
        }
        if self.now >= until {
            return until; // it was lived through that far for the job before
        }
        self.simulation.admit(job, class);
        self.is_closed = false;
        self.start_of(job.job, until)
    }

    /// Lives through what is left of this instant, or through the next; whether there was one before
    /// `until`.
    fn go_on(&mut self, until: Seconds) -> bool {
        if self.is_closed {
            let Some(next) = self.simulation.next_instant().filter(|&next| next < until) else { return false };
            self.simulation.advance(1);
            self.now = next;
            return true;
        }
        self.simulation.close(self.now);
        self.is_closed = true;
        true
    }
}

//! Fair start times (FAIRNESS §3.1): when each job would have started had nobody come after it.
//!
//! The simulation is forked at each arrival and run on from there without further arrivals, until the
//! job starts. A job that starts at once needs no fork, nor does one that starts before anybody else
//! arrives; and no fork runs beyond the job's actual start, for only earlier starts are unfair.

use super::{Simulation, Waiting};
use crate::workload::{JobId, Seconds};
use std::ops::Range;

/// Fair start times of a range of jobs, in log order. Where a job's fair start is not before its actual
/// one, it is the actual one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FairStarts {
    /// Strict: the start that the job would get if nobody arrived after it in log order.
    pub strict: Vec<Seconds>,
    /// Relaxed: the same, but the job is withheld from the scheduler until the last of the other jobs
    /// that were queued at its arrival has started.
    pub relaxed: Vec<Seconds>,
}

/// The fair start times of these `jobs`. `simulation` has not begun; `starts` are those that it comes
/// to. Ranges that follow one another give together what the whole range gives.
///
/// None where waiting jobs are estimated anew: what would be learned from others then is not simulated.
pub fn fair_starts(mut simulation: Simulation, starts: &[Seconds], jobs: Range<usize>) -> Option<FairStarts> {
    if !simulation.keeps_estimates() {
        return None;
    }
    let mut fair = FairStarts::default();
    while simulation.next_arrival().is_some_and(|job| job.index() < jobs.end) {
        let Some(now) = simulation.next_instant() else { break };
        simulation.open(now);
        while let Some(job) = simulation.arriving_at(now) {
            if job.index() < jobs.start {
                simulation.arrive(now);
                continue;
            }
            if job.index() == jobs.end {
                return Some(fair);
            }
            let start = starts[job.index()];
            let without = (start > now && simulation.waiting() > 0).then(|| simulation.fork());
            let Some(waiting) = simulation.arrive(now) else { break };
            let undisturbed = simulation.next_submission().is_none_or(|submit| start < submit);
            let strict = if start == now || undisturbed {
                start
            } else {
                Fork { simulation: simulation.fork(), now, until: start }.start_of(job)
            };
            let relaxed = match without {
                Some(simulation) => Fork { simulation, now, until: start }.start_after_others(waiting),
                None => strict,
            };
            fair.strict.push(strict);
            fair.relaxed.push(relaxed);
        }
        simulation.close(now);
    }
    Some(fair)
}

/// A simulation in which nobody arrives any more, in the midst of an instant: arrivals are over.
struct Fork<'a> {
    simulation: Simulation<'a>,
    now: Seconds,
    /// When it no longer matters what happens.
    until: Seconds,
}

impl Fork<'_> {
    /// When `job`, which has arrived, starts; `until` where that is not before.
    fn start_of(mut self, job: JobId) -> Seconds {
        loop {
            self.simulation.close(self.now);
            if self.simulation.started().iter().any(|started| started.job == job) {
                return self.now;
            }
            if !self.go_on() {
                return self.until;
            }
        }
    }

    /// When `job`, which has not arrived, starts if it arrives once all others have started; `until`
    /// where that is not before.
    fn start_after_others(mut self, job: Waiting) -> Seconds {
        loop {
            self.simulation.close(self.now);
            if self.simulation.waiting() == 0 {
                self.simulation.admit(job);
                return self.start_of(job.job);
            }
            if !self.go_on() {
                return self.until;
            }
        }
    }

    /// Moves to the next instant, up to what comes after arrivals; whether it still matters.
    fn go_on(&mut self) -> bool {
        match self.simulation.next_instant() {
            Some(next) if next < self.until => {
                self.simulation.open(next);
                self.now = next;
                true
            }
            _ => false,
        }
    }
}

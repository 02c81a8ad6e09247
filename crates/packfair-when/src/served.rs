//! How a scheduler serves the queue of a moment in one future: those who wait, and those who come in the next hours.

use super::futures::Futures;
use super::history::Laws;
use super::stage::Stage;
use packfair_study::{Rules, Run};
use packfair_workload::{JobId, Seconds};
use std::ops::Range;

/// Whoever is submitted within so long after the moment counts, seconds.
pub const SERVED: Seconds = 86_400;

/// How far such a future goes, seconds.
const AHEAD: Seconds = 4 * 86_400;

const MOST_INSTANTS: usize = 5_000_000;

/// Run times below this count as this in the slowdown, seconds.
const SHORTEST: f64 = 10.0;

/// How one future serves the jobs that count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Served {
    /// Mean response time, seconds.
    pub response: f64,
    /// Mean bounded slowdown.
    pub slowdown: f64,
    /// The longest wait, seconds.
    pub longest: f64,
}

/// A future that is drawn and not lived yet, in which any scheduler can be tried.
pub struct DrawnFuture {
    stage: Stage,
    runs: Vec<Seconds>,
    now: Seconds,
    /// The places of those who count.
    counted: Range<usize>,
}

impl Futures<'_> {
    /// Draws the future with this number of the moment of `laws`.
    pub fn drawn(&self, laws: &Laws, future: u32) -> DrawnFuture {
        let (past, now) = (self.past(), laws.now());
        let (running, mut waiting) = past.present(now);
        waiting.truncate(self.question.most_waiting());
        let mut coming = self.coming(now, future);
        coming.retain(|&(_, submit)| submit <= now + AHEAD);
        let stage = Stage::of(past, &running, &waiting, &coming, now)
            .with_usage(&past.used_before(&running, now))
            .with_leaving(self.question.arrivals, past);
        let soon = coming.partition_point(|&(_, submit)| submit <= now + SERVED);
        let mut runs = stage.runs.clone();
        self.draw(laws, &stage.in_order_of_draws(), future, &mut runs);
        DrawnFuture { runs, now, counted: running.len()..running.len() + waiting.len() + soon, stage }
    }
}

impl DrawnFuture {
    /// How a run serves in this future. `None` where nobody waits or comes, or the run cannot be made.
    pub fn served(&self, run: &Run, rules: Rules) -> Option<Served> {
        let DrawnFuture { stage, runs, now, counted } = self;
        if counted.is_empty() {
            return None;
        }
        let simulation = run.simulation(&stage.workload, rules)?;
        let mut simulation = simulation.with_runs(&stage.runs).opening(stage.running, *now);
        simulation.live_until(now - 1);
        let mut followed = simulation.future(runs, stage.workload.len())?;
        let end = now + AHEAD;
        // a job that has not started by the end of the future starts then, at the earliest
        let mut starts = vec![end; counted.len()];
        let mut is_open = vec![true; counted.len()];
        followed.follow(counted.len(), end, MOST_INSTANTS, &stage.leaving, |job, at| {
            let Some(place) = job.index().checked_sub(counted.start).filter(|&place| place < is_open.len()) else {
                return false;
            };
            let is_first = std::mem::take(&mut is_open[place]);
            if is_first {
                starts[place] = at;
            }
            is_first
        });
        let (mut response, mut slowdown, mut longest) = (0.0, 0.0, 0.0_f64);
        for (place, &start) in starts.iter().enumerate() {
            let job = JobId((counted.start + place) as u32);
            let (wait, run) = ((start - stage.workload.request(job).submit) as f64, runs[job.index()] as f64);
            response += wait + run;
            slowdown += ((wait + run) / run.max(SHORTEST)).max(1.0);
            longest = longest.max(wait);
        }
        let jobs = starts.len() as f64;
        Some(Served { response: response / jobs, slowdown: slowdown / jobs, longest })
    }
}

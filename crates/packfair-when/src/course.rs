//! What becomes of the machine in the next days: queue and load in each future, and their bands.

use super::band::Band;
use super::futures::Futures;
use super::past::Laws;
use super::stage::{Cast, Stage};
use packfair_base::random::Random;
use packfair_study::{Rules, Run};
use packfair_workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How far ahead the machine is told, seconds.
const AHEAD: Seconds = 3 * 86_400;

/// Every so many seconds there is a value.
const STEP: Seconds = 3 * 3_600;

const MOST_INSTANTS: usize = 5_000_000;

/// Values at the times of a [`MachineCourse`], one for each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineCourse {
    /// Seconds from the moment.
    pub times: Vec<Seconds>,
    /// How many jobs wait: the points below which it lies with a probability of 10, 50 and 90 %.
    pub queue: Vec<[f64; 3]>,
    /// Processors that no job holds.
    pub free: Vec<[f64; 3]>,
    /// The processors of the machine.
    pub processors: u32,
}

/// What one future is at each of the times: who waits, and what is held.
pub(super) type Lived = Vec<(u32, u64)>;

fn times() -> impl Iterator<Item = Seconds> + Clone {
    (0..=AHEAD / STEP).map(|step| step * STEP)
}

impl MachineCourse {
    /// The course of a machine in these futures; nothing where there are none.
    pub(super) fn of(lived: &[Lived], processors: u32) -> MachineCourse {
        if lived.is_empty() {
            return MachineCourse::default();
        }
        let band = |of: &dyn Fn(&(u32, u64)) -> Seconds, place: usize| {
            let values: Vec<Seconds> = lived.iter().map(|lived| of(&lived[place])).collect();
            let Band { p10, p50, p90 } = Band::of(&values);
            [p10, p50, p90]
        };
        let free = |held: u64| Seconds::from(processors).saturating_sub_unsigned(held).max(0);
        let places = 0..times().count();
        MachineCourse {
            times: times().collect(),
            queue: places.clone().map(|place| band(&|state| Seconds::from(state.0), place)).collect(),
            free: places.map(|place| band(&|state| free(state.1), place)).collect(),
            processors,
        }
    }
}

impl Futures<'_> {
    /// What the future with this number is at each of the times.
    pub(super) fn course(&self, now: Seconds, future: u32) -> Option<Lived> {
        let past = self.past();
        let (running, mut waiting) = past.present(now);
        waiting.truncate(self.question.most_waiting());
        let mut coming = self.coming(now, future);
        coming.retain(|&(_, submit)| submit <= now + AHEAD);
        let stage = Stage::of(past, &running, &waiting, &coming, now)
            .with_usage(&past.used_before(&running, now))
            .with_leaving(self.question.arrivals, past)
            .coarsely(now);
        let simulation = self.question.run.simulation(&stage.workload, self.question.rules)?;
        let mut simulation = simulation.with_runs(&stage.runs).opening(stage.running, now);
        simulation.live_until(now - 1);
        let mut runs = stage.runs.clone();
        let cast: Vec<(JobId, Cast)> = stage.in_order_of_draws();
        self.draw(&self.history.at(now), &cast, future, &mut runs);
        let mut starts = vec![Seconds::MAX; stage.workload.len()];
        for (job, start) in simulation.present().running {
            starts[job.index()] = start;
        }
        let mut followed = simulation.future(&runs, stage.workload.len())?;
        followed.redraw(self.seed_of_run(future), now);
        followed.follow(usize::MAX, now + AHEAD, MOST_INSTANTS, &stage.leaving, |job, at| {
            starts[job.index()] = at;
            false
        });
        let mut lived: Lived = times().map(|_| (0, 0)).collect();
        let count = lived.len();
        // the first time of the course that is not before `at`
        let place = |at: Seconds| {
            let steps = (at.saturating_sub(now)).max(0).saturating_add(STEP - 1) / STEP;
            usize::try_from(steps).unwrap_or(usize::MAX).min(count)
        };
        for (job, request) in stage.workload.requests().iter().enumerate() {
            let (start, end) = match stage.leaves(JobId(job as u32)) {
                Some(left) if left <= starts[job] => (left, left),
                _ => (starts[job], starts[job].saturating_add(runs[job])),
            };
            for state in &mut lived[place(request.submit).min(place(start))..place(start)] {
                state.0 += 1;
            }
            for state in &mut lived[place(start)..place(end).max(place(start))] {
                state.1 += u64::from(request.processors);
            }
        }
        Some(lived)
    }
}

// Moments of a log at which forecasts are tried: those at which somebody waits.

/// The times at which at least one job waits, as intervals in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Moments(Vec<(Seconds, Seconds)>);

impl Moments {
    /// The moments of jobs that are submitted and started at these times.
    pub(super) fn of(waits: impl Iterator<Item = (Seconds, Seconds)>) -> Self {
        let mut waits: Vec<(Seconds, Seconds)> = waits.filter(|(submit, start)| submit < start).collect();
        waits.sort_unstable();
        let mut joined: Vec<(Seconds, Seconds)> = Vec::new();
        for (from, until) in waits {
            match joined.last_mut().filter(|last| last.1 >= from) {
                Some(last) => last.1 = last.1.max(until),
                None => joined.push((from, until)),
            }
        }
        Moments(joined)
    }

    /// So many of the moments of a span, drawn with this stream and in order; fewer where the span has fewer.
    pub(super) fn draw(&self, from: Seconds, until: Seconds, count: usize, random: &mut Random) -> Vec<Seconds> {
        let clipped = self.0.iter().map(|&(begin, end)| (begin.max(from), end.min(until)));
        let within: Vec<(Seconds, Seconds)> = clipped.filter(|(begin, end)| begin < end).collect();
        let all: Seconds = within.iter().map(|(begin, end)| end - begin).sum();
        if all == 0 {
            return Vec::new();
        }
        let mut drawn = Vec::with_capacity(count);
        for place in 0..count {
            // one of each of as many equal parts, so that they are spread over the span
            let share = (place as f64 + random.uniform()) / count as f64;
            let mut at = ((share * all as f64) as Seconds).min(all - 1);
            for &(begin, end) in &within {
                if at < end - begin {
                    drawn.push(begin + at);
                    break;
                }
                at -= end - begin;
            }
        }
        drawn.dedup();
        drawn
    }
}

// How a scheduler serves the queue of a moment in one future: those who wait, and those who come in the next hours.

/// Whoever is submitted within so long after the moment counts, seconds.
pub const SERVED: Seconds = 86_400;

/// How far such a future goes, seconds.
const SERVED_AHEAD: Seconds = 4 * 86_400;

const SERVED_MOST_INSTANTS: usize = 5_000_000;

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
        coming.retain(|&(_, submit)| submit <= now + SERVED_AHEAD);
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
        let end = now + SERVED_AHEAD;
        // a job that has not started by the end of the future starts then, at the earliest
        let mut starts = vec![end; counted.len()];
        let mut is_open = vec![true; counted.len()];
        followed.follow(counted.len(), end, SERVED_MOST_INSTANTS, &stage.leaving, |job, at| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_lie_where_somebody_waits() {
        let moments = Moments::of([(0, 10), (5, 20), (30, 30), (40, 50)].into_iter());
        assert_eq!(moments, Moments(vec![(0, 20), (40, 50)]));
        let drawn = moments.draw(5, 45, 100, &mut Random::seeded(1));
        assert!(drawn.is_sorted() && drawn.iter().all(|at| (5..20).contains(at) || (40..45).contains(at)), "{drawn:?}");
        assert!(drawn.len() > 10);
        assert!(moments.draw(20, 40, 5, &mut Random::seeded(1)).is_empty());
    }
}

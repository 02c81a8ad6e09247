//! What becomes of the machine in the next days: queue and load in each future, and their bands.

use super::band::Band;
use super::futures::Futures;
use super::stage::{Cast, Stage};
use packfair_workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

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

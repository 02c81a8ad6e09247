//! Lower bounds of the objective.
//!
//! A job alone starts no earlier than the running jobs allow. All jobs together cannot do better than if each could be
//! cut up and poured into what is free, by falling cost per area: then a job's mean busy time is half its run time
//! after its start at least.

use super::objective::Cost;
use super::problem::RoundProblem;
use super::steps::{self, FreeStep};

/// The cost of each job at its earliest start in the profile of running jobs alone, by place. Returns their sum.
pub fn alone(problem: &RoundProblem, order: &[u32], bounds: &mut Vec<f64>) -> f64 {
    bounds.clear();
    bounds.resize(problem.tasks.len(), 0.0);
    let mut sum = 0.0;
    for &job in order {
        let task = problem.task(job);
        let bound = task.cost.at(steps::earliest(problem.base, task.demand.need));
        bounds[job as usize] = bound;
        sum += bound;
    }
    sum
}

/// A lower bound of the costs of jobs in a profile, all of them poured in by falling slope per area.
///
/// `tangents` are by the jobs' places in the problem; `order` has the jobs that are
/// still to be placed, by falling slope per area.
pub fn poured(
    problem: &RoundProblem,
    profile: &[FreeStep],
    tangents: &[Tangent],
    order: impl Iterator<Item = u32>,
) -> f64 {
    let mut step = 0;
    // what is left of the step: from `at` on
    let mut at = f64::from(profile[0].at);
    let mut free = f64::from(profile[0].free);
    let mut end = f64::from(profile[1].at);
    let mut each = 1.0 / free;
    let mut sum = 0.0;
    for job in order {
        let task = problem.task(job);
        let length = f64::from(task.demand.length);
        let area = f64::from(task.demand.take) * length;
        // the integral of time over the poured area
        let (mut left, mut moment) = (area, 0.0);
        while left > 0.0 {
            let capacity = free * (end - at);
            if capacity > left || step + 2 >= profile.len() {
                let until = at + left * each;
                moment += left * 0.5 * (at + until);
                at = until;
                left = 0.0;
            } else {
                moment += capacity * 0.5 * (at + end);
                left -= capacity;
                step += 1;
                at = end;
                free = f64::from(profile[step].free);
                end = f64::from(profile[step + 1].at);
                each = 1.0 / free;
            }
        }
        let Tangent { slope, start, cost } = tangents[job as usize];
        // the tangent of its cost at the start that it could have alone
        let begin = (moment / area - 0.5 * length).max(0.0);
        sum += cost + slope * (begin - start);
    }
    sum
}

/// A lower bound of a job's cost: `cost` at `start`, and from there `slope` a second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tangent {
    /// Cost a second.
    pub slope: f64,
    /// Seconds from now.
    pub start: f64,
    /// Cost at `start`.
    pub cost: f64,
}

impl Tangent {
    /// Of a cost at a start, seconds from now.
    pub fn new(cost: &Cost, start: i32) -> Self {
        let slope = if cost.is_convex() { cost.slope(start) } else { 0.0 };
        Tangent { slope, start: f64::from(start), cost: cost.at(start) }
    }
}

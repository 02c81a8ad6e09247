//! Lower bounds of the objective.
//!
//! A job alone starts no earlier than the running jobs allow. All jobs together cannot do better than if they were
//! divisible and poured into the free processors, by falling cost per area. Then the mean busy time of a job is at
//! least half its run time after its start.

use super::objective::Cost;
use super::problem::RoundProblem;
use super::steps::{self, FreeStep};

/// Fills `bounds` with the cost of each job, by place, at its earliest start in the profile of running jobs alone.
/// Returns the sum.
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

/// A lower bound of the costs of jobs in a profile, when all are poured in by falling slope per area.
///
/// `tangents` are indexed by the jobs' places in the problem. `order` has the jobs that are still to be placed, by
/// falling slope per area.
pub fn poured(
    problem: &RoundProblem,
    profile: &[FreeStep],
    tangents: &[Tangent],
    order: impl Iterator<Item = u32>,
) -> f64 {
    let mut step = 0;
    // the rest of the present step begins at `at`
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
        // the tangent of the job's cost at the start that it could have alone
        let begin = (moment / area - 0.5 * length).max(0.0);
        sum += cost + slope * (begin - start);
    }
    sum
}

/// A lower bound of a job's cost: `cost` at `start`, rising by `slope` per second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tangent {
    /// The rise of the cost, per second.
    pub slope: f64,
    /// The start at which the tangent touches the cost, seconds from now.
    pub start: f64,
    /// Cost at `start`.
    pub cost: f64,
}

impl Tangent {
    /// The tangent of a cost at a start, seconds from now.
    pub fn new(cost: &Cost, start: i32) -> Self {
        let slope = if cost.is_convex() { cost.slope(start) } else { 0.0 };
        Tangent { slope, start: f64::from(start), cost: cost.at(start) }
    }
}

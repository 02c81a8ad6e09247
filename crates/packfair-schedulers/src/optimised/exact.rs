//! The best plan of few jobs: a depth-first search through the orders, with a bound.
//!
//! Where no job is held back, it is enough to try orders whose starts do not decrease: in the order of the starts of an
//! optimal plan, no job starts later than in that plan.

use super::objective::{Cost, Total};
use super::problem::{self, FreeStep, RoundProblem, StepFit};

/// A round of at most this many jobs is solved exactly, however long it takes.
pub const FEW: usize = 5;

/// For a round of at most this many jobs an exact solution is tried within the budget.
pub const SOME: usize = 8;

/// Searches all orders; keeps profiles for their memory.
#[derive(Clone, Debug, Default)]
pub struct ExactSearch {
    profiles: Vec<Vec<FreeStep>>,
    path: Vec<u32>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solved {
    /// The objective of the best plan; no plan is better.
    Best(Total),
    /// The budget was used up first; the objective of the best plan that was found.
    Unproven(Total),
}

impl ExactSearch {
    /// Replaces `order`, whose objective is `best`, by a best order of its jobs, at most [`SOME`], or by the best that
    /// is found within `budget` placements. An order that is not improved stays.
    pub fn solve(&mut self, problem: &RoundProblem, order: &mut Vec<u32>, best: Total, budget: usize) -> Solved {
        let jobs = order.clone();
        self.profiles.resize(self.profiles.len().max(jobs.len() + 1), Vec::new());
        self.profiles[0].clear();
        self.profiles[0].extend_from_slice(problem.base);
        self.path.clear();
        let is_held = jobs.iter().map(|&job| problem.task(job).demand).any(|demand| demand.need > demand.take);
        let is_by_start = problem.is_monotone && !is_held;
        let mut search = Enumeration { problem, order, best, exact: self, is_by_start, left: budget };
        match search.descend(&jobs, 0, problem.constant) {
            Some(()) => Solved::Best(search.best),
            None => Solved::Unproven(search.best),
        }
    }
}

struct Enumeration<'a> {
    problem: &'a RoundProblem<'a>,
    order: &'a mut Vec<u32>,
    best: Total,
    exact: &'a mut ExactSearch,
    /// Whether orders whose starts do not decrease are enough.
    is_by_start: bool,
    /// The placements that are left of the budget.
    left: usize,
}

impl Enumeration<'_> {
    /// Tries all orders of the jobs `left` after those that are placed, the last of which starts at `last`. None where
    /// the budget is used up.
    fn descend(&mut self, left: &[u32], last: i32, total: Total) -> Option<()> {
        if left.is_empty() {
            if total.value() < self.best.value() {
                self.best = total;
                self.order.clone_from(&self.exact.path);
            }
            return Some(());
        }
        self.left = self.left.checked_sub(left.len())?;
        let depth = self.exact.path.len();
        let mut fits: [Option<StepFit>; SOME] = [None; SOME];
        let mut bound = total;
        for (i, &job) in left.iter().enumerate() {
            let task = self.problem.task(job);
            let fit = problem::fit(&self.exact.profiles[depth], task.demand);
            bound = task.cost.add(bound, fit.start);
            fits[i] = Some(fit);
        }
        if self.problem.is_monotone && bound.value() >= self.best.value() {
            return Some(());
        }
        for (i, &job) in left.iter().enumerate() {
            let task = *self.problem.task(job);
            let is_twin = left[..i].iter().any(|&other| *self.problem.task(other) == task);
            let Some(fit) = fits[i].filter(|fit| !is_twin && (!self.is_by_start || fit.start >= last)) else {
                continue;
            };
            let (before, after) = self.exact.profiles.split_at_mut(depth + 1);
            problem::reserve(&before[depth], task.demand, fit, self.problem.narrowest, &mut after[0]);
            self.exact.path.push(job);
            let mut others = [0; SOME];
            let others = &mut others[..left.len() - 1];
            others[..i].copy_from_slice(&left[..i]);
            others[i..].copy_from_slice(&left[i + 1..]);
            self.descend(others, fit.start, task.cost.add(total, fit.start))?;
            self.exact.path.pop();
        }
        Some(())
    }
}

// Lower bounds of the objective.
//
// A job alone starts no earlier than the running jobs allow. All jobs together cannot do better than if they were
// divisible and poured into the free processors, by falling cost per area. Then the mean busy time of a job is at
// least half its run time after its start.

/// Fills `bounds` with the cost of each job, by place, at its earliest start in the profile of running jobs alone.
/// Returns the sum.
pub fn alone(problem: &RoundProblem, order: &[u32], bounds: &mut Vec<f64>) -> f64 {
    bounds.clear();
    bounds.resize(problem.tasks.len(), 0.0);
    let mut sum = 0.0;
    for &job in order {
        let task = problem.task(job);
        let bound = task.cost.at(problem::earliest(problem.base, task.demand.need));
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

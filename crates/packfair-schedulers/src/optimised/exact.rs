//! The best plan of few jobs: a depth-first search through the orders, with a bound.
//!
//! Where no job is held back, it is enough to try orders whose starts do not decrease: in the order of the starts of an
//! optimal plan, no job starts later than in that plan.

use super::objective::Total;
use super::problem::RoundProblem;
use super::steps::{self, FreeStep, StepFit};

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
            let fit = steps::fit(&self.exact.profiles[depth], task.demand);
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
            steps::reserve(&before[depth], task.demand, fit, self.problem.narrowest, &mut after[0]);
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

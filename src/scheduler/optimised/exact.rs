//! The best plan of few jobs: depth first through all orders in which starts do not decrease.

use super::objective::Total;
use super::problem::Problem;
use super::steps::{self, Fit, Step};

/// Up to so many jobs a round is solved exactly.
pub const FEW: usize = 5;

/// Searches all orders; keeps profiles for their memory.
#[derive(Clone, Debug, Default)]
pub struct Exact {
    profiles: Vec<Vec<Step>>,
    path: Vec<u32>,
}

impl Exact {
    /// Replaces `order`, whose objective is `best`, by a best one, if it is not. Gives the objective.
    pub fn solve(&mut self, problem: &Problem, order: &mut Vec<u32>, best: Total) -> Total {
        let jobs = order.clone();
        self.profiles.resize(self.profiles.len().max(jobs.len() + 1), Vec::new());
        self.profiles[0].clear();
        self.profiles[0].extend_from_slice(problem.base);
        self.path.clear();
        let mut search = Search { problem, order, best, exact: self };
        search.descend(&jobs, 0, problem.constant);
        search.best
    }
}

struct Search<'a> {
    problem: &'a Problem<'a>,
    order: &'a mut Vec<u32>,
    best: Total,
    exact: &'a mut Exact,
}

impl Search<'_> {
    /// Tries all that can follow; `left` are not placed yet, and what is placed last starts at `last`.
    fn descend(&mut self, left: &[u32], last: i32, total: Total) {
        if left.is_empty() {
            if total.value() < self.best.value() {
                self.best = total;
                self.order.clone_from(&self.exact.path);
            }
            return;
        }
        let depth = self.exact.path.len();
        let mut fits: [Option<Fit>; FEW] = [None; FEW];
        let mut bound = total;
        for (i, &job) in left.iter().enumerate() {
            let task = self.problem.task(job);
            let fit = steps::fit(&self.exact.profiles[depth], task.demand);
            bound = task.cost.add(bound, fit.start);
            fits[i] = Some(fit);
        }
        if self.problem.is_monotone && bound.value() >= self.best.value() {
            return;
        }
        for (i, &job) in left.iter().enumerate() {
            let task = *self.problem.task(job);
            let is_twin = left[..i].iter().any(|&other| *self.problem.task(other) == task);
            let Some(fit) = fits[i].filter(|fit| !is_twin && (!self.problem.is_monotone || fit.start >= last)) else {
                continue;
            };
            let (before, after) = self.exact.profiles.split_at_mut(depth + 1);
            steps::reserve(&before[depth], task.demand, fit, self.problem.narrowest, &mut after[0]);
            self.exact.path.push(job);
            let mut others = [0; FEW];
            let others = &mut others[..left.len() - 1];
            others[..i].copy_from_slice(&left[..i]);
            others[i..].copy_from_slice(&left[i + 1..]);
            self.descend(others, fit.start, task.cost.add(total, fit.start));
            self.exact.path.pop();
        }
    }
}

//! The plan of a round: the best of the starting orders, then the search.

use super::bounds::{self, Tangent};
use super::decode::Decoder;
use super::exact::{self, ExactSearch, Solved};
use super::lists::{self, StartList};
use super::objective::Total;
use super::problem::RoundProblem;
use super::search::LocalSearch;
use super::steps;
use crate::random::Random;

/// The orders that a plan starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlannedStarts {
    /// The order of submission, or that of the last plan.
    One,
    /// That order, and all lists of the planned jobs: no plan is worse than theirs (CP-BSLD+ and CP-P²SF+ of CP, where
    /// all waiting jobs are planned).
    Lists,
    /// The same, and afterwards all lists of all waiting jobs, however many: no round is worse than theirs.
    Whole,
}

/// How much is spent on a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The orders that a plan starts from.
    pub starts: PlannedStarts,
    /// The most jobs that are planned, unless there are more new ones.
    pub depth: usize,
    /// The number of places at the head of the order within which jobs are moved.
    pub window: usize,
    /// The number of placements of the local search.
    pub budget: usize,
    /// The seed of the random moves.
    pub seed: u64,
}

/// Plans rounds, and keeps the memory for it.
#[derive(Clone, Debug, Default)]
pub struct Planner {
    decoder: Decoder,
    exact: ExactSearch,
    search: LocalSearch,
    bounds: Vec<f64>,
    tangents: Vec<Tangent>,
    keyed: Vec<(f64, u32)>,
    /// The jobs by falling slope of the tangent per area.
    densest: Vec<u32>,
    listed: Vec<u32>,
    is_placed: Vec<bool>,
    order: Vec<u32>,
    starts: Vec<i32>,
    total: Total,
}

/// The relative rounding error that is tolerated in sums.
const ROUNDING: f64 = 1e-9;

impl Planner {
    /// Plans a round. `submitted` are the jobs in the order of submission, `first` are the same jobs in the order to
    /// begin with.
    pub fn plan(&mut self, problem: &RoundProblem, submitted: &[u32], first: &[u32], effort: &Effort, round: u64) {
        self.order.clear();
        self.order.extend_from_slice(first);
        self.total = self.decoder.decode(problem, &self.order, &mut self.starts);
        let bound = bounds::alone(problem, submitted, &mut self.bounds);
        let is_settled = |total: Total| problem.is_monotone && total.value() <= bound;
        if is_settled(self.total) {
            return;
        }
        if submitted.len() <= exact::FEW {
            self.solve(problem, usize::MAX);
            return;
        }
        if effort.starts != PlannedStarts::One {
            self.try_lists(problem, submitted);
        }
        // P²SF, a ratio, has no lower bounds
        if submitted.len() <= exact::SOME && problem.is_monotone && self.solve(problem, effort.budget) {
            return;
        }
        if effort.budget > 0 && !is_settled(self.total) {
            let mut random = Random::of([effort.seed, round]);
            let (window, budget) = (effort.window, effort.budget);
            self.total = self.search.improve(problem, &mut self.order, &self.bounds, window, budget, &mut random);
            self.starts.clear();
            self.starts.extend_from_slice(self.search.starts());
        }
    }

    /// The jobs in the order in which they are placed.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The starts of the planned jobs in this order, seconds from now.
    pub fn starts(&self) -> &[i32] {
        &self.starts
    }

    /// Plans the jobs of `beyond` behind all others, and replaces this plan by that of a list of all jobs where one is
    /// better (CP §5.2, CP-BSLD+: "guaranteed to reach or improve" the lists).
    pub fn widen(&mut self, problem: &RoundProblem, submitted: &[u32], beyond: &[u32]) {
        self.order.extend_from_slice(beyond);
        self.total = self.decoder.decode(problem, &self.order, &mut self.starts);
        self.try_lists(problem, submitted);
    }

    /// The objective of the plan.
    #[cfg(test)]
    pub fn total(&self) -> Total {
        self.total
    }

    /// Calls `start` for the jobs of `beyond` that can start now beside the plan, one after the other.
    pub fn besides(&mut self, problem: &RoundProblem, beyond: &[u32], mut start: impl FnMut(u32)) {
        self.decoder.decode(problem, &self.order, &mut self.starts);
        for &job in beyond {
            if self.decoder.fits_now(problem, job) {
                self.decoder.place(problem, job);
                start(job);
            }
        }
    }

    /// Replaces the plan by a better one that a depth-first search finds. Returns whether it is known to be the best.
    fn solve(&mut self, problem: &RoundProblem, budget: usize) -> bool {
        let solved = self.exact.solve(problem, &mut self.order, self.total, budget);
        let (Solved::Best(total) | Solved::Unproven(total)) = solved;
        self.total = total;
        self.decoder.decode(problem, &self.order, &mut self.starts);
        solved == Solved::Best(total)
    }

    /// Replaces the plan by that of a list, where one is better.
    fn try_lists(&mut self, problem: &RoundProblem, submitted: &[u32]) {
        if problem.is_monotone {
            self.prepare_bounds(problem, submitted);
        }
        for list in StartList::ALL {
            lists::sort(list, problem, submitted, &mut self.keyed, &mut self.listed);
            self.try_list(problem);
        }
    }

    fn prepare_bounds(&mut self, problem: &RoundProblem, submitted: &[u32]) {
        self.tangents.clear();
        self.tangents.resize(problem.tasks.len(), Tangent::default());
        self.keyed.clear();
        for &job in submitted {
            let task = problem.task(job);
            let tangent = Tangent::new(&task.cost, steps::earliest(problem.base, task.demand.need));
            self.keyed.push((tangent.slope / task.area(), job));
            self.tangents[job as usize] = tangent;
        }
        self.keyed.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.densest.clear();
        self.densest.extend(self.keyed.iter().map(|&(_, job)| job));
    }

    /// Takes the plan of a list where it is better. Abandons the list as soon as a bound shows that it is not.
    fn try_list(&mut self, problem: &RoundProblem) {
        self.decoder.begin(problem.base);
        self.is_placed.clear();
        self.is_placed.resize(problem.tasks.len(), false);
        let jobs = self.listed.len();
        // computing a bound takes as long as some placements
        let checks = [jobs / 8, jobs / 4, jobs / 2, jobs * 3 / 4];
        let best = self.total.value();
        let mut total = problem.constant;
        for (i, &job) in self.listed.iter().enumerate() {
            let start = self.decoder.place(problem, job);
            total = problem.task(job).cost.add(total, start);
            self.is_placed[job as usize] = true;
            if problem.is_monotone && checks.contains(&(i + 1)) {
                let left = self.densest.iter().copied().filter(|&job| !self.is_placed[job as usize]);
                let rest = bounds::poured(problem, self.decoder.profile(), &self.tangents, left);
                if total.numerator + rest - ROUNDING * rest.abs() >= best {
                    return;
                }
            }
        }
        if total.value() < best {
            std::mem::swap(&mut self.order, &mut self.listed);
            self.total = self.decoder.decode(problem, &self.order, &mut self.starts);
        }
    }
}

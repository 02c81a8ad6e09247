//! The plan of a round: the best of the starting orders, then the search.

use super::exact::{self, ExactSearch, Solved, Tangent};
use super::objective::Total;
use super::problem::{self, RoundProblem, StartList};
use super::search::{Decoder, LocalSearch};
use packfair_base::random::Random;

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
        let bound = exact::alone(problem, submitted, &mut self.bounds);
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
            problem::sort_by_list(list, problem, submitted, &mut self.keyed, &mut self.listed);
            self.try_list(problem);
        }
    }

    fn prepare_bounds(&mut self, problem: &RoundProblem, submitted: &[u32]) {
        self.tangents.clear();
        self.tangents.resize(problem.tasks.len(), Tangent::default());
        self.keyed.clear();
        for &job in submitted {
            let task = problem.task(job);
            let tangent = Tangent::new(&task.cost, problem::earliest(problem.base, task.demand.need));
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
                let rest = exact::poured(problem, self.decoder.profile(), &self.tangents, left);
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

// Which jobs a round plans where many wait: a limited number, however long the queue (as CP §5.5 proposes).
//
// These are the jobs that arrived since the last round, the first jobs of its plan, and of the others those whose cost
// rises most per area. Jobs beyond them start if they fit beside the plan, without a reservation.

/// The planned jobs of a round, and the others.
#[derive(Clone, Debug, Default)]
pub struct Horizon {
    /// The planned jobs, in the order of the last plan, new ones at the end.
    pub planned: Vec<u32>,
    /// The jobs that are not planned, in the order of the last plan.
    pub beyond: Vec<u32>,
    keyed: Vec<(f64, u32)>,
    is_chosen: Vec<bool>,
}

/// One in this many of the planned old jobs is chosen for its density instead of its place in the last plan.
const DENSEST: usize = 2;

impl Horizon {
    /// Chooses up to `depth` of the jobs of `kept`, of which the last `newcomers` are new. `density` gives by how much
    /// the cost of a job rises per second and area. Of equally dense jobs the one with the smallest number is first.
    pub fn choose(&mut self, kept: &[u32], newcomers: usize, depth: usize, density: impl Fn(u32) -> f64) {
        let (old, new) = kept.split_at(kept.len() - newcomers.min(kept.len()));
        self.planned.clear();
        self.beyond.clear();
        if kept.len() <= depth {
            self.planned.extend_from_slice(kept);
            return;
        }
        // new jobs are always planned, even if there are more than `depth`
        let left = depth.saturating_sub(new.len());
        let densest = left / DENSEST;
        let (first, others) = old.split_at(left - densest);
        self.planned.extend_from_slice(first);
        self.choose_densest(others, densest, density);
        self.planned.extend_from_slice(new);
    }

    fn choose_densest(&mut self, others: &[u32], densest: usize, density: impl Fn(u32) -> f64) {
        let Horizon { planned, beyond, keyed, is_chosen } = self;
        keyed.clear();
        keyed.extend(others.iter().zip(0..).map(|(&job, i)| (density(job), i)));
        if densest > 0 && densest < keyed.len() {
            let job = |i: u32| others[i as usize];
            keyed.select_nth_unstable_by(densest - 1, |a, b| b.0.total_cmp(&a.0).then(job(a.1).cmp(&job(b.1))));
        }
        is_chosen.clear();
        is_chosen.resize(others.len(), false);
        for &(_, i) in keyed.iter().take(densest) {
            is_chosen[i as usize] = true;
        }
        for (&job, &is_chosen) in others.iter().zip(is_chosen.iter()) {
            if is_chosen { planned.push(job) } else { beyond.push(job) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newcomers_the_first_and_the_densest_are_planned() {
        let mut horizon = Horizon::default();
        let density = |job: u32| f64::from(job % 7);
        // 8 is new; 3 and 1 were first; 6 and 13 are the densest of the others
        horizon.choose(&[3, 1, 2, 6, 5, 4, 13, 8], 1, 5, density);
        assert_eq!((&horizon.planned[..], &horizon.beyond[..]), (&[3, 1, 6, 13, 8][..], &[2, 5, 4][..]));
    }

    #[test]
    fn a_short_queue_is_planned_whole_and_newcomers_always_are() {
        let mut horizon = Horizon::default();
        horizon.choose(&[3, 1, 2], 1, 3, |_| 0.0);
        assert_eq!((&horizon.planned[..], &horizon.beyond[..]), (&[3, 1, 2][..], &[][..]));
        horizon.choose(&[3, 1, 2], 2, 1, |_| 0.0);
        assert_eq!((&horizon.planned[..], &horizon.beyond[..]), (&[1, 2][..], &[3][..]), "newcomers at the end");
    }
}

//! Local search over orders by random moves near the head. A move that is not worse is kept.
//!
//! The profile and the objective before every place are kept, so that a move is evaluated from the first place that it
//! changes. The evaluation ends as soon as the profile equals the kept one, or as soon as the objective exceeds the
//! present one, with the lower bounds of the jobs still to be placed added.

use super::objective::Total;
use super::problem::{self, FreeStep, RoundProblem};
use packfair_base::random::Random;

/// The state of a plan before a place of the order.
#[derive(Clone, Debug, Default)]
struct SearchState {
    profile: Vec<FreeStep>,
    total: Total,
    /// The sum of the lower bounds of the jobs from this place on.
    rest: f64,
}

/// A local search, with memory that is kept from round to round.
#[derive(Clone, Debug, Default)]
pub struct LocalSearch {
    /// The states of the present order, before each place and behind the last.
    kept: Vec<SearchState>,
    /// The states of the order that is tried.
    tried: Vec<SearchState>,
    /// The starts of the present order, by place.
    starts: Vec<i32>,
    tried_starts: Vec<i32>,
    /// The stretch of the tried order that differs from the present one.
    stretch: Vec<u32>,
}

/// The relative rounding error of sums: a bound exceeds a value only if it does so by more.
const ROUNDING: f64 = 1.0 + 1e-12;

/// How an evaluation ended.
enum SearchOutcome {
    Worse,
    /// The order is not worse. Places before this one may have changed.
    Accepted(usize),
}

impl LocalSearch {
    /// Improves `order` within its first `window` places, with `budget` placements. `bounds` are the lower bounds of
    /// the jobs' costs, by their places in the problem. Returns the objective.
    pub fn improve(
        &mut self,
        problem: &RoundProblem,
        order: &mut [u32],
        bounds: &[f64],
        window: usize,
        budget: usize,
        random: &mut Random,
    ) -> Total {
        self.prepare(problem, order, bounds);
        let places = order.len();
        let window = window.min(places);
        let mut left = budget as i64;
        while left > 0 {
            let (from, to) = self.propose(order, window, random);
            if self.stretch[..] == order[from..to] {
                left -= 1;
                continue;
            }
            let outcome = self.evaluate(problem, order, bounds, from, to, &mut left);
            if let SearchOutcome::Accepted(until) = outcome {
                order[from..to].copy_from_slice(&self.stretch);
                self.adopt(problem, order, bounds, from, until);
            }
        }
        self.kept[places].total
    }

    /// The starts of the jobs in the present order, by place.
    pub fn starts(&self) -> &[i32] {
        &self.starts
    }

    fn prepare(&mut self, problem: &RoundProblem, order: &[u32], bounds: &[f64]) {
        let places = order.len();
        if self.kept.len() <= places {
            self.kept.resize(places + 1, SearchState::default());
            self.tried.resize(places + 1, SearchState::default());
        }
        self.starts.clear();
        self.starts.resize(places, 0);
        self.tried_starts.clear();
        self.tried_starts.resize(places, 0);
        self.kept[0].profile.clear();
        self.kept[0].profile.extend_from_slice(problem.base);
        self.kept[0].total = problem.constant;
        for place in 0..places {
            let job = order[place];
            let task = problem.task(job);
            let (before, after) = self.kept.split_at_mut(place + 1);
            let fit = problem::fit(&before[place].profile, task.demand);
            problem::reserve(&before[place].profile, task.demand, fit, problem.narrowest, &mut after[0].profile);
            after[0].total = task.cost.add(before[place].total, fit.start);
            self.starts[place] = fit.start;
        }
        self.kept[places].rest = 0.0;
        for place in (0..places).rev() {
            self.kept[place].rest = self.kept[place + 1].rest + bounds[order[place] as usize];
        }
    }

    /// Draws a move: `stretch` is to replace the places from the first number that is returned to before the second.
    fn propose(&mut self, order: &[u32], window: usize, random: &mut Random) -> (usize, usize) {
        self.stretch.clear();
        let kind = random.below(10);
        let a = random.below(window);
        if kind == 9 {
            // 2 to 4 jobs move to the end of the stretch
            let b = random.below(window);
            let (from, to) = (a.min(b), a.max(b) + 1);
            let by = (2 + random.below(3)) % (to - from);
            self.stretch.extend_from_slice(&order[from + by..to]);
            self.stretch.extend_from_slice(&order[from..from + by]);
            return (from, to);
        }
        let other = random.below(window - 1);
        let b = other + usize::from(other >= a);
        let (from, to) = (a.min(b), a.max(b) + 1);
        self.stretch.extend_from_slice(&order[from..to]);
        if kind >= 6 {
            self.stretch.swap(0, to - from - 1);
        } else if a < b {
            self.stretch.rotate_left(1);
        } else {
            self.stretch.rotate_right(1);
        }
        (from, to)
    }

    /// Places the jobs from the place `from` on as the move would have them.
    #[inline]
    fn evaluate(
        &mut self,
        problem: &RoundProblem,
        order: &[u32],
        bounds: &[f64],
        from: usize,
        to: usize,
        left: &mut i64,
    ) -> SearchOutcome {
        let places = order.len();
        let present = self.kept[places].total;
        let limit = if problem.is_monotone { present.value() * ROUNDING } else { f64::INFINITY };
        let mut total = self.kept[from].total;
        let mut rest = self.kept[from].rest;
        for place in from..places {
            let job = if place < to { self.stretch[place - from] } else { order[place] };
            let task = problem.task(job);
            let (before, after) = self.tried.split_at_mut(place + 1);
            let profile = if place == from { &self.kept[from].profile } else { &before[place].profile };
            let fit = problem::fit(profile, task.demand);
            let next = &mut after[0];
            *left -= 1;
            total = task.cost.add(total, fit.start);
            rest -= bounds[job as usize];
            if place + 1 >= to {
                rest = self.kept[place + 1].rest;
            }
            if total.numerator + rest > limit {
                return SearchOutcome::Worse;
            }
            problem::reserve(profile, task.demand, fit, problem.narrowest, &mut next.profile);
            self.tried_starts[place] = fit.start;
            if place + 1 >= to && next.profile == self.kept[place + 1].profile {
                let kept = self.kept[place + 1].total;
                let value = Total {
                    numerator: present.numerator - kept.numerator + total.numerator,
                    denominator: present.denominator - kept.denominator + total.denominator,
                };
                let value = if problem.is_monotone { value.numerator } else { value.value() };
                return if value <= present.value() {
                    SearchOutcome::Accepted(place + 1)
                } else {
                    SearchOutcome::Worse
                };
            }
        }
        if total.value() <= present.value() { SearchOutcome::Accepted(places) } else { SearchOutcome::Worse }
    }

    /// Adopts the order that was tried.
    fn adopt(&mut self, problem: &RoundProblem, order: &[u32], bounds: &[f64], from: usize, until: usize) {
        for place in from..until {
            self.starts[place] = self.tried_starts[place];
            std::mem::swap(&mut self.kept[place + 1].profile, &mut self.tried[place + 1].profile);
        }
        for (place, &task) in order.iter().enumerate().skip(from) {
            let cost = &problem.task(task).cost;
            self.kept[place + 1].total = cost.add(self.kept[place].total, self.starts[place]);
        }
        for place in (from + 1..until).rev() {
            self.kept[place].rest = self.kept[place + 1].rest + bounds[order[place] as usize];
        }
    }
}

// The plan of an order: each job at the earliest start that the jobs before it leave (CP §2.4, a list plan).
//
// If no cost falls with a later start, the plan of some order is optimal: in the order of the starts of an optimal
// plan, no job starts later than in that plan.

/// The profile so far, and a second one in which the next profile is built.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    now: Vec<FreeStep>,
    next: Vec<FreeStep>,
}

impl Decoder {
    /// Begins with the running jobs alone.
    pub fn begin(&mut self, base: &[FreeStep]) {
        self.now.clear();
        self.now.extend_from_slice(base);
    }

    /// The profile so far.
    pub fn profile(&self) -> &[FreeStep] {
        &self.now
    }

    /// Whether a job can start now beside those that are placed.
    pub fn fits_now(&self, problem: &RoundProblem, job: u32) -> bool {
        let demand = problem.task(job).demand;
        let first = self.now[0];
        first.at == 0 && first.free >= demand.need && problem::fit(&self.now, demand).start == 0
    }

    /// Places a job. Returns its start.
    #[inline]
    pub fn place(&mut self, problem: &RoundProblem, job: u32) -> i32 {
        let demand = problem.task(job).demand;
        let fit = problem::fit(&self.now, demand);
        problem::reserve(&self.now, demand, fit, problem.narrowest, &mut self.next);
        std::mem::swap(&mut self.now, &mut self.next);
        fit.start
    }

    /// Places all jobs of `order`. Returns the objective, and fills `starts` with their starts.
    pub fn decode(&mut self, problem: &RoundProblem, order: &[u32], starts: &mut Vec<i32>) -> Total {
        self.begin(problem.base);
        starts.clear();
        order.iter().fold(problem.constant, |total, &job| {
            let start = self.place(problem, job);
            starts.push(start);
            problem.task(job).cost.add(total, start)
        })
    }
}

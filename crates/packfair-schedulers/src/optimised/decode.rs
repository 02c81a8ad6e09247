//! The plan of an order: each job at the earliest start that the jobs before it leave (CP §2.4, a list plan).
//!
//! If no cost falls with a later start, the plan of some order is optimal: in the order of the starts of an optimal
//! plan, no job starts later than in that plan.

use super::objective::Total;
use super::problem::RoundProblem;
use super::steps::{self, FreeStep};

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
        first.at == 0 && first.free >= demand.need && steps::fit(&self.now, demand).start == 0
    }

    /// Places a job. Returns its start.
    #[inline]
    pub fn place(&mut self, problem: &RoundProblem, job: u32) -> i32 {
        let demand = problem.task(job).demand;
        let fit = steps::fit(&self.now, demand);
        steps::reserve(&self.now, demand, fit, problem.narrowest, &mut self.next);
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

//! The problem of a round: the profile of the running jobs, and the waiting jobs with their costs.

use super::objective::{Cost, Total};
use super::steps::{Demand, FreeStep};

/// A waiting job.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Task {
    /// What it takes of the profile.
    pub demand: Demand,
    /// What its start costs.
    pub cost: Cost,
}

impl Task {
    /// Area r E, processor-seconds.
    #[inline]
    pub fn area(&self) -> f64 {
        f64::from(self.demand.take) * f64::from(self.demand.length)
    }

    /// By how much its cost grows a second at first, per area: the highest first is the best order of jobs that could
    /// be split.
    pub fn density(&self) -> f64 {
        self.cost.slope(0) / self.area()
    }
}

impl Default for Demand {
    fn default() -> Self {
        Demand { need: 0, take: 0, length: 1 }
    }
}

/// The problem of a round. Jobs are known by their places in `tasks`.
#[derive(Clone, Copy, Debug)]
pub struct RoundProblem<'a> {
    /// Free processors, relative to now, as running jobs are expected to end.
    pub base: &'a [FreeStep],
    /// The waiting jobs; vacant places hold anything.
    pub tasks: &'a [Task],
    /// The part of the objective that no plan changes.
    pub constant: Total,
    /// The fewest processors that any job needs.
    pub narrowest: i32,
    /// Whether a later start never lowers the objective: only then do lower bounds hold.
    pub is_monotone: bool,
}

impl RoundProblem<'_> {
    /// A waiting job.
    #[inline]
    pub fn task(&self, place: u32) -> &Task {
        &self.tasks[place as usize]
    }
}

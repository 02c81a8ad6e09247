//! The problem of a round: the profile of the running jobs, and the waiting jobs with their costs.

use super::objective::{Cost, Total};
use super::steps::{Demand, FreeStep};

/// A waiting job.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Task {
    /// What the job takes of the profile.
    pub demand: Demand,
    /// What the start of the job costs.
    pub cost: Cost,
}

impl Task {
    /// The area r E, processor-seconds.
    #[inline]
    pub fn area(&self) -> f64 {
        f64::from(self.demand.take) * f64::from(self.demand.length)
    }

    /// The initial rise of the cost per second and area. If jobs could be split, the best order would be by falling
    /// density.
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
    /// The free processors as running jobs are expected to end; times are relative to now.
    pub base: &'a [FreeStep],
    /// The waiting jobs. Vacant places hold any value.
    pub tasks: &'a [Task],
    /// The part of the objective that no plan changes.
    pub constant: Total,
    /// The fewest processors that any job needs.
    pub narrowest: i32,
    /// Whether a later start never lowers the objective. Lower bounds hold only then.
    pub is_monotone: bool,
}

impl RoundProblem<'_> {
    /// The waiting job at a place.
    #[inline]
    pub fn task(&self, place: u32) -> &Task {
        &self.tasks[place as usize]
    }
}

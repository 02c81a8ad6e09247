//! A weighted sum of age, size and fair share, in the manner of Slurm's multifactor plugin.
//!
//! The sum has the terms of [`super::multifactor`], and PriorityWeightFairshare times the share factor of the job's
//! user: 1 for a user who has used nothing lately, 1/2 for one who has used exactly their share, near 0 for one who has
//! used much more ([`packfair_engine::model::View::share`]). Divided by PriorityWeightAge / PriorityMaxAge as there, a full share
//! is worth PriorityWeightFairshare / PriorityWeightAge PriorityMaxAge of waiting. All users have equal shares.
//! Accounts have no shares of their own, and there are no factors of partition and quality of service.

use super::multifactor::{AGE, AgeAndSize, SIZE};
use packfair_base::catalogue::{Formula, FormulaNumber};

/// The formula of the catalogue.
pub(super) const FORMULA: Formula = Formula {
    id: "fairshare",
    name: "Multifactor with fair share (as Slurm)",
    help: "largest min(wait, age) + size r + share f first, with f from 1 for who has used nothing of the machine lately to \
           0 (half-life of usage 7 days, calculated every 5 minutes)",
    numbers: &[
        AGE,
        FormulaNumber { default: 0.0, ..SIZE },
        FormulaNumber {
            id: "share",
            name: "Worth of a full share",
            help: "so many hours of waiting: PriorityWeightFairshare / PriorityWeightAge * PriorityMaxAge",
            min: 0.0,
            max: 100_000.0,
            step: 1.0,
            default: 168.0,
            unit: "h",
        },
    ],
};

/// How much age, size and share count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AgeSizeAndShare {
    /// Age and size.
    pub(super) request: AgeAndSize,
    /// How many hours of waiting a full share is worth.
    hours: i32,
}

impl AgeSizeAndShare {
    /// Reads the numbers of the formula, which are whole.
    pub(super) fn of(numbers: &[f64]) -> Self {
        AgeSizeAndShare { request: AgeAndSize::of(numbers), hours: numbers[2] as i32 }
    }

    /// The worth of a share factor, in seconds of waiting.
    #[inline]
    pub(super) fn worth(self, factor: f64) -> f64 {
        3_600.0 * f64::from(self.hours) * factor
    }
}

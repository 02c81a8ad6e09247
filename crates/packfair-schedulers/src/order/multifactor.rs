//! A weighted sum of age and size, in the manner of Slurm's multifactor plugin (priority/multifactor: its age and job
//! size factors, and PriorityMaxAge).
//!
//! There, priority = PriorityWeightAge min(1, age / PriorityMaxAge) + PriorityWeightJobSize r / N, with the age since
//! submission and the N processors of the machine. Divided by PriorityWeightAge / PriorityMaxAge, which changes no
//! order, this is min(age, PriorityMaxAge) + z r. A processor counts as much as z = PriorityWeightJobSize /
//! PriorityWeightAge PriorityMaxAge / N seconds of waiting. With PriorityFavorSmall z is negative. Fair share has an
//! order of its own ([`super::fair_share`]). The factors of partition and quality of service are left out.

use packfair_base::catalogue::{Formula, FormulaNumber};
use packfair_workload::Seconds;

/// The formula of the catalogue.
pub(super) const FORMULA: Formula = Formula {
    id: "multifactor",
    name: "Multifactor (age and size, as Slurm)",
    help: "largest min(wait, age) + size r first: Slurm's age and job size factors, scaled so that a second of waiting is 1",
    numbers: &[AGE, SIZE],
};

/// The parameter for the longest wait that counts.
pub(super) const AGE: FormulaNumber = FormulaNumber {
    id: "age",
    name: "Maximum age",
    help: "waiting longer does not count (PriorityMaxAge)",
    min: 1.0,
    max: 10_000.0,
    step: 1.0,
    default: 168.0,
    unit: "h",
};

/// The parameter for how much a processor counts.
pub(super) const SIZE: FormulaNumber = FormulaNumber {
    id: "size",
    name: "Worth of a processor",
    help: "so many seconds of waiting: PriorityWeightJobSize / PriorityWeightAge * PriorityMaxAge / N; \
           below 0: narrow jobs first (PriorityFavorSmall)",
    min: -10_000_000.0,
    max: 10_000_000.0,
    step: 1.0,
    default: 3_600.0,
    unit: "s",
};

/// How much age and size count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AgeAndSize {
    /// The longest wait that counts, seconds.
    longest: Seconds,
    /// How many seconds of waiting a processor is worth.
    processor: i32,
}

impl AgeAndSize {
    /// Reads the numbers of the formula, which are whole.
    pub(super) fn of(numbers: &[f64]) -> Self {
        AgeAndSize { longest: numbers[0] as Seconds * 3_600, processor: numbers[1] as i32 }
    }

    /// The priority of a job of r processors that has waited `wait` seconds.
    #[inline]
    pub(super) fn priority(self, r: f64, wait: Seconds) -> f64 {
        self.age(wait) + self.size(r)
    }

    /// How much `wait` seconds of waiting count.
    #[inline]
    pub(super) fn age(self, wait: Seconds) -> f64 {
        wait.min(self.longest) as f64
    }

    /// How much a width of r processors counts.
    #[inline]
    pub(super) fn size(self, r: f64) -> f64 {
        f64::from(self.processor) * r
    }
}

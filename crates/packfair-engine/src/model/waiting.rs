//! A job in the queue.

use packfair_base::expression::Variable;
use packfair_workload::{JobId, Seconds};

/// A job in the queue, as a scheduler sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    pub job: JobId,
    pub submit: Seconds,
    pub processors: u32,
    /// The present estimate E of the run time, seconds, above 0; not whole if estimates are distorted.
    pub estimate: f64,
}

impl Waiting {
    /// Estimated area r E, processor-seconds.
    pub fn area(&self) -> f64 {
        f64::from(self.processors) * self.estimate
    }

    /// Whether the job and the time alone tell a variable of formulas.
    pub fn tells(variable: Variable) -> bool {
        use Variable::{Area, Estimate, Now, Processors, Submit, Wait};
        matches!(variable, Wait | Submit | Now | Estimate | Processors | Area)
    }

    /// The value of a variable that the job and the time alone tell ([`Waiting::tells`]); NaN for any other.
    #[inline(always)]
    pub fn value_of(&self, variable: Variable, now: Seconds) -> f64 {
        match variable {
            Variable::Wait => (now - self.submit) as f64,
            Variable::Submit => self.submit as f64,
            Variable::Now => now as f64,
            Variable::Estimate => self.estimate,
            Variable::Processors => f64::from(self.processors),
            Variable::Area => self.area(),
            _ => f64::NAN,
        }
    }
}

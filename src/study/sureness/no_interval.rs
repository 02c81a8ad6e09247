//! Why a number has no interval.

use serde::{Deserialize, Serialize};

/// Why a number of a run has no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NoInterval {
    /// The run was not repeated, or the metric is none that repeats have.
    NotRepeated,
    /// The jobs span so little time that weeks drawn from it hardly differ.
    TooShort,
    TooFew,
    /// The number is not defined on many of the repeats.
    Undefined,
    /// The repeats lie to one side of the log's own number, so that they are not like the log by this metric.
    Misfit,
    /// The number hangs on a few jobs: the repeats differ so much that an interval would hold nearly everything.
    FewDecide,
}

impl NoInterval {
    /// The reason, as an end of a sentence.
    pub fn why(self) -> &'static str {
        match self {
            NoInterval::NotRepeated => "it is not repeated",
            NoInterval::TooShort => "they span less than four weeks, and weeks drawn from so few hardly differ",
            NoInterval::TooFew => "two repeats are the least",
            NoInterval::Undefined => "many repeats have no such number",
            NoInterval::Misfit => {
                "repeats do not resemble this log by it: nearly all lie to one side of its own number"
            }
            NoInterval::FewDecide => {
                "a few jobs decide it, and repeats differ so much that an interval would say nothing"
            }
        }
    }
}

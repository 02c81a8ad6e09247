//! The class of a job by its size (CLASSIFY §3.3).

use packfair_workload::Seconds;
use serde::{Deserialize, Serialize};

/// Whether a job is classified as small or large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Class {
    /// The run time is below the divider.
    Small,
    /// The run time is not below the divider, or nothing says that it is.
    #[default]
    Large,
}

impl Class {
    /// Small if `is_small` is true, otherwise large.
    pub fn small_if(is_small: bool) -> Self {
        if is_small { Class::Small } else { Class::Large }
    }

    /// The class of a run time, given the divider: small if it is below.
    pub fn of(run: Seconds, divider: Seconds) -> Self {
        Class::small_if(run < divider)
    }

    pub fn is_small(self) -> bool {
        self == Class::Small
    }
}

/// The class of a job and the divider that was in force at its submission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeClass {
    pub class: Class,
    /// Run times below this are small, seconds; none in the first week, when nothing is known.
    pub divider: Option<Seconds>,
}

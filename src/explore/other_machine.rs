//! The results of a search on another machine.

use super::FrontMember;
use crate::machine::WhatIf;
use serde::{Deserialize, Serialize};

/// The results on another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherMachine {
    /// The what-if of the machine.
    pub what_if: WhatIf,
    /// The results of the baseline, then of the settings that no others beat, in the order of [`Findings::front`](super::Findings::front).
    pub runs: Vec<FrontMember>,
}

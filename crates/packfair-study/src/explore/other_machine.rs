//! The results of a search on another machine.

use super::FrontMember;
use packfair_base::machine::WhatIf;
use serde::{Deserialize, Serialize};

/// The results on another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherMachine {
    /// The what-if of the machine.
    pub what_if: WhatIf,
    /// The results of the baseline, then of the settings that no others beat, in the order of [`Findings::front`](super::Findings::front).
    pub runs: Vec<FrontMember>,
}

impl OtherMachine {
    /// Sets the what-if of the runs, after reading from a link, which does not carry it in each run.
    pub(super) fn told_of(mut self) -> Self {
        for member in &mut self.runs {
            member.run = member.run.clone().what_if(Some(self.what_if.clone()));
        }
        self
    }
}

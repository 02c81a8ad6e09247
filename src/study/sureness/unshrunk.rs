//! The workloads from which repeats are made.

use crate::machine::WhatIf;
use crate::study::{Study, Treatment};
use crate::workload::{CleanError, Log, Workload};

/// The workloads of a study before shrinking, one for each of its machines ([`Study::all_machines`]).
///
/// On every machine a repeat draws the same jobs, if all hold the same jobs. So runs on different machines are compared
/// within a repeat, too.
#[derive(Debug)]
pub struct Unshrunk {
    each: Vec<(Option<WhatIf>, Workload)>,
}

impl Unshrunk {
    /// The workloads that a study makes of a log.
    ///
    /// # Errors
    /// Where no workload can be made of it.
    pub fn of(study: &Study, log: &Log) -> Result<Self, CleanError> {
        let on = |what_if: Option<WhatIf>| {
            let treatment = Treatment { shrink: 1.0, what_if: what_if.clone(), ..study.treatment.clone() };
            Ok((what_if, treatment.apply(log)?))
        };
        Ok(Unshrunk { each: study.all_machines().into_iter().map(on).collect::<Result<_, CleanError>>()? })
    }

    pub fn machines(&self) -> impl Iterator<Item = (Option<&WhatIf>, &Workload)> {
        self.each.iter().map(|(what_if, workload)| (what_if.as_ref(), workload))
    }

    /// The workload on a machine; `None` if the study has no such machine.
    pub fn on(&self, what_if: Option<&WhatIf>) -> Option<&Workload> {
        self.machines().find(|(own, _)| *own == what_if).map(|(_, workload)| workload)
    }
}

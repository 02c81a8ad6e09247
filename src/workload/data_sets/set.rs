//! What is known of a public data set.

use crate::workload::Unit;

/// The machine of a data set, as far as its authors or operators tell it; 0: not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetMachine {
    pub nodes: u32,
    /// Processors, counted as the set's jobs count them.
    pub processors: u32,
    /// Graphics processors.
    pub gpus: u32,
}

impl SetMachine {
    /// A machine of which nothing is known.
    pub(super) const UNKNOWN: SetMachine = SetMachine { nodes: 0, processors: 0, gpus: 0 };
}

/// A public data set of jobs.
#[derive(Clone, Copy, Debug)]
pub struct DataSet {
    pub id: &'static str,
    pub name: &'static str,
    pub about: &'static str,
    pub from: &'static str,
    pub cite: &'static str,
    /// Names of columns that tell its tables from others; none where it is not a table.
    pub columns: &'static [&'static str],
    /// Names of columns that its tables do not have.
    pub without: &'static [&'static str],
    /// A column, and how one of its first values begins, where sets have the same columns; in small letters.
    pub clue: Option<(&'static str, &'static [&'static str])>,
    /// What its columns hold, as `--columns` says it.
    pub reads: &'static [&'static str],
    pub machine: SetMachine,
    /// The unit in which its authors count jobs; none where the log itself shall tell.
    pub unit: Option<Unit>,
}

impl DataSet {
    /// The size of its machine in a unit, where it is known.
    pub fn size(&self, unit: Unit) -> Option<u32> {
        let size = match unit {
            Unit::Processors => self.machine.processors,
            Unit::Nodes => self.machine.nodes,
            Unit::Gpus => self.machine.gpus,
        };
        Some(size).filter(|&size| size > 0)
    }
}

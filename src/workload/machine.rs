//! The size of the cluster and where it is known from.

use super::Seconds;
use serde::{Deserialize, Serialize};

pub use crate::machine::MOST_PROCESSORS;

/// A cluster of identical processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Number of processors R, at least 1.
    pub processors: u32,
    pub source: MachineSource,
}

/// Where the machine's size is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MachineSource {
    MaxProcs,
    /// The header's `MaxNodes`, where there is no `MaxProcs`.
    MaxNodes,
    /// The widest job of the log, where the header has no usable size.
    WidestJob,
    Given,
    /// The most processors that jobs held at once, by the log's own starts. Used where the header has no usable size,
    /// or only that of all partitions while some are selected.
    TakenAtOnce {
        /// The first time when they held as many, seconds of the log.
        at: Seconds,
    },
    /// The log is of a public data set whose machine is known.
    DataSet,
}

impl MachineSource {
    /// The source in words, to follow "100 processors, ".
    pub fn describe(self) -> &'static str {
        match self {
            MachineSource::MaxProcs => "from MaxProcs in the header",
            MachineSource::MaxNodes => "from MaxNodes in the header (no MaxProcs)",
            MachineSource::WidestJob => "assumed: the width of the widest job (no usable size in the header)",
            MachineSource::Given => "as given",
            MachineSource::TakenAtOnce { .. } => "assumed: the most that jobs held at once by the log's own starts",
            MachineSource::DataSet => "as known of the data set's machine",
        }
    }
}

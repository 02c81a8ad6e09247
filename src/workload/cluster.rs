//! A machine of cells with what the jobs of a workload ask of it (docs/machine.md).

mod described;
mod of_log;

pub use described::DescribedFor;

use crate::machine::{Demands, Machine};
use serde::{Deserialize, Serialize};

/// A machine of cells, and what the jobs of a log ask of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    pub machine: Machine,
    /// What each job asks for, by its record in the log.
    pub demands: Demands,
}

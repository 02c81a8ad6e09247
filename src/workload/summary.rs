//! What a workload is like, at a glance.

use super::Machine;
use serde::{Deserialize, Serialize};

/// Summary statistics of a workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// What it is called.
    pub name: String,
    /// Number of jobs.
    pub jobs: usize,
    /// The cluster.
    pub machine: Machine,
}

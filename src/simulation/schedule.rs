//! What a simulation leaves behind.

use super::FairStarts;
use crate::workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

/// When every job of a workload started, and what was estimated of it. Columns in log order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Start time b.
    pub starts: Vec<Seconds>,
    /// The estimate E made at submission, seconds.
    pub estimates: Vec<f64>,
    /// How often the estimate of the running job was corrected.
    pub corrections: Vec<u32>,
    /// How many scheduling rounds there were.
    pub rounds: u64,
    /// The start that each job was guaranteed when it was submitted; empty where the scheduler
    /// guarantees nothing.
    pub promises: Vec<Seconds>,
    /// How often a guaranteed start had become impossible, for a running job had outlived its
    /// estimate, and was replaced by a later one.
    pub remade: u64,
    /// When jobs would have started had nobody come after them; none where that was not computed.
    pub fair: Option<FairStarts>,
}

impl Schedule {
    /// Start time b of a job.
    pub fn start(&self, job: JobId) -> Seconds {
        self.starts[job.index()]
    }

    /// Estimate of a job at its submission.
    pub fn estimate(&self, job: JobId) -> f64 {
        self.estimates[job.index()]
    }
}

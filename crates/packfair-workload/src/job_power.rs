//! What jobs drew, by the records of their log.

use serde::{Deserialize, Serialize};

/// What jobs drew, for each processor that they held, nanowatts: so parts of a job that is split draw their share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobPower {
    /// By the record of the log; below 0 where it is not known.
    pub(super) each: Vec<f64>,
}

impl JobPower {
    /// What a job drew for each of its processors, nanowatts, where that is known.
    pub fn each(&self, record: usize) -> Option<f64> {
        self.each.get(record).copied().filter(|&each| each > 0.0)
    }
}

//! A job in the queue.

use crate::workload::{JobId, Seconds};

/// A job in the queue, as a scheduler sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    pub job: JobId,
    pub submit: Seconds,
    pub processors: u32,
    /// The present estimate E of the run time, seconds, above 0; not whole if estimates are distorted.
    pub estimate: f64,
}

impl Waiting {
    /// Estimated area r E, processor-seconds.
    pub fn area(&self) -> f64 {
        f64::from(self.processors) * self.estimate
    }
}

//! Run-time estimators: what is believed of a job's run time, from what was known at the time.
//!
//! Spec and sources: METRICS §VI. One file a method.

mod actual;
mod catalogue;
mod distorted;
mod requested;

pub use catalogue::{Estimate, K_RANGE, Method};

use crate::workload::{JobId, Request, Seconds};

/// Predicts run times, and learns from completed jobs.
pub trait Estimator {
    /// The estimate E of a job submitted, or still waiting, at `now`: seconds, above 0.
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64;

    /// A job starts.
    fn started(&mut self, _job: JobId, _now: Seconds) {}

    /// A job completes after `run` seconds.
    fn completed(&mut self, _job: JobId, _request: &Request, _run: Seconds, _now: Seconds) {}
}

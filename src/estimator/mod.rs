//! Run-time estimators: what is believed of a job's run time, from what was known at the time.
//!
//! Spec and sources: METRICS §VI. One file a method. What an estimator has learned from is told to it
//! as it happens: submissions, starts and completions, in the order of the simulation.

mod actual;
mod catalogue;
mod classes;
mod cvh;
mod distorted;
mod hierarchy;
mod last2;
mod requested;
mod sp;
mod survival;
#[cfg(test)]
mod testing;

pub use catalogue::{Estimate, Estimators, FAMILIES, Family, K_RANGE, Method, PRESETS};
pub(crate) use requested::Requested;

use crate::workload::{JobId, Request, Seconds};

/// Predicts run times, and learns from completed jobs.
pub trait Estimator {
    /// The estimate E of a job submitted at `now`: seconds, above 0.
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64;

    /// When the estimates of waiting jobs may become others.
    fn revision(&self) -> Revision {
        Revision::Never
    }

    /// Estimates the jobs of `waiting` anew at `now`: writes E of each at its index in log order.
    ///
    /// Each was given to [`Estimator::estimate`] and has not started. Only asked where
    /// [`Estimator::revision`] is not [`Revision::Never`].
    fn revise(&mut self, _waiting: &[JobId], _now: Seconds, _estimates: &mut [f64]) {}

    /// The run time E, all in all, of a job that has run for `elapsed` seconds at `now`, given that it
    /// has; none where the method keeps the estimate with which the job started.
    fn revise_running(&mut self, _job: JobId, _elapsed: Seconds, _now: Seconds) -> Option<f64> {
        None
    }

    /// A job starts.
    fn started(&mut self, _job: JobId, _now: Seconds) {}

    /// A job completes after `run` seconds.
    fn completed(&mut self, _job: JobId, _request: &Request, _run: Seconds, _now: Seconds) {}
}

/// When an estimator may estimate a waiting job differently than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revision {
    /// Never.
    Never,
    /// Once another job has completed.
    AfterCompletions,
    /// At any time.
    WithTime,
}

/// A learned estimate as a job's E: at least a second, at most the requested time.
fn within(estimate: f64, limit: Seconds) -> f64 {
    estimate.min(limit as f64).max(1.0)
}

//! Run-time estimators: predict a job's run time from what was known at the time.
//!
//! Sources: METRICS §VI. One file a method. An estimator is told of submissions, starts and completions as they happen, in
//! the order of the simulation.

mod actual;
mod catalogue;
mod cvh;
mod distorted;
mod explanation;
mod external;
mod hierarchy;
mod implementation;
mod last2;
mod requested;
mod sp;
mod survival;
#[cfg(test)]
mod testing;

pub use catalogue::{Estimate, Estimators, FAMILIES, K_RANGE, Method, PRESETS};
pub use explanation::{Explanation, Listing, Quantity};
pub use implementation::EstimatorFamily;
pub(crate) use requested::Requested;

use crate::workload::{JobId, Request, Seconds, Workload};

/// Predicts run times, and learns from completed jobs.
pub trait Estimator {
    /// The estimate E of a job submitted at `now`: seconds, above 0.
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64;

    /// Whether it learns from jobs that start and complete.
    fn learns(&self) -> bool {
        true
    }

    /// The estimates of all jobs, in log order, each as at its submission. Called once, if it does not learn.
    ///
    /// It is compiled for each estimator, and so saves a call through a table for every job.
    fn foresee(&mut self, workload: &Workload) -> Vec<f64> {
        let jobs = workload.jobs().map(|job| (job, workload.request(job)));
        jobs.map(|(job, request)| self.estimate(job, request, request.submit)).collect()
    }

    /// When the estimates of waiting jobs may change.
    fn revision(&self) -> Revision {
        Revision::Never
    }

    /// Estimates the jobs of `waiting` anew at `now`: writes E of each at its index in log order. Returns whether any has
    /// changed.
    ///
    /// Each was given to [`Estimator::estimate`] and has not started; what was there is the estimate made
    /// last. Called only if [`Estimator::revision`] is not [`Revision::Never`].
    fn revise(&mut self, _waiting: &[JobId], _now: Seconds, _estimates: &mut [f64]) -> bool {
        false
    }

    /// Adds to `revised` each running job whose estimate at `now` differs from that of the last call, with the whole run
    /// time E that is expected of it, given the time it has run.
    ///
    /// Called only if [`Estimator::revision`] is [`Revision::WithTime`].
    fn revise_running(&mut self, _now: Seconds, _revised: &mut Vec<(JobId, f64)>) {}

    /// Why the job, just submitted at `now` and estimated, is estimated as it is.
    fn explain(&self, job: JobId, request: &Request, now: Seconds) -> Explanation;

    /// A job starts. Called only if it learns.
    fn started(&mut self, _job: JobId, _now: Seconds) {}

    /// A job completes after `run` seconds. Called only if it learns.
    fn completed(&mut self, _job: JobId, _request: &Request, _run: Seconds, _now: Seconds) {}

    /// A running job is killed and waits again. Nothing is learned from the execution that was cut off. Called only if it
    /// learns.
    fn killed(&mut self, _job: JobId, _request: &Request, _now: Seconds) {}

    /// A copy that goes on to learn by itself.
    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b;
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

/// Sets an estimate of a waiting job. Returns whether it has changed.
fn note(estimate: f64, job: JobId, estimates: &mut [f64]) -> bool {
    std::mem::replace(&mut estimates[job.index()], estimate) != estimate
}

/// Sets the `estimate` of each waiting job. Returns whether any has changed.
fn note_each(waiting: &[JobId], estimates: &mut [f64], estimate: impl Fn(JobId) -> f64) -> bool {
    let mut is_new = false;
    for &job in waiting {
        is_new |= note(estimate(job), job, estimates);
    }
    is_new
}

//! Run-time estimators: they predict a job's run time from what was known at the time.
//!
//! Source: METRICS §VI. There is one file for each method. An estimator is told of submissions, starts and completions
//! as they happen, in the order of the simulation.

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

    /// The estimates of all jobs, in log order, each as at its submission. Called once, and only if the estimator does
    /// not learn.
    ///
    /// The method is compiled for each estimator, which saves a dynamic call for every job.
    fn foresee(&mut self, workload: &Workload) -> Vec<f64> {
        let jobs = workload.jobs().map(|job| (job, workload.request(job)));
        jobs.map(|(job, request)| self.estimate(job, request, request.submit)).collect()
    }

    /// When the estimates of waiting jobs may change.
    fn revision(&self) -> Revision {
        Revision::Never
    }

    /// Estimates the jobs of `waiting` anew at `now`, and writes each E at the job's index in log order. Returns
    /// whether any estimate has changed.
    ///
    /// Each of these jobs was given to [`Estimator::estimate`] and has not started; `estimates` holds its latest
    /// estimate. Called only if [`Estimator::revision`] is not [`Revision::Never`].
    fn revise(&mut self, _waiting: &[JobId], _now: Seconds, _estimates: &mut [f64]) -> bool {
        false
    }

    /// Adds to `revised` each running job whose estimate at `now` differs from that of the last call, with its expected
    /// whole run time E, given how long it has run.
    ///
    /// Called only if [`Estimator::revision`] is [`Revision::WithTime`].
    fn revise_running(&mut self, _now: Seconds, _revised: &mut Vec<(JobId, f64)>) {}

    /// Explains the estimate of a job that has just been submitted at `now`.
    fn explain(&self, job: JobId, request: &Request, now: Seconds) -> Explanation;

    /// Learns that a job starts. Called only if the estimator learns.
    fn started(&mut self, _job: JobId, _now: Seconds) {}

    /// Learns that a job completes after `run` seconds. Called only if the estimator learns.
    fn completed(&mut self, _job: JobId, _request: &Request, _run: Seconds, _now: Seconds) {}

    /// Learns that a running job is killed and waits again. Nothing is learned from the killed execution's run time.
    /// Called only if the estimator learns.
    fn killed(&mut self, _job: JobId, _request: &Request, _now: Seconds) {}

    /// A copy that goes on learning by itself.
    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b;
}

/// When an estimator may change the estimate of a waiting job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revision {
    Never,
    /// Once another job has completed.
    AfterCompletions,
    WithTime,
}

/// Limits a learned estimate to at least a second and at most the requested time.
fn within(estimate: f64, limit: Seconds) -> f64 {
    estimate.min(limit as f64).max(1.0)
}

/// Sets the estimate of a waiting job. Returns whether it has changed.
fn note(estimate: f64, job: JobId, estimates: &mut [f64]) -> bool {
    std::mem::replace(&mut estimates[job.index()], estimate) != estimate
}

fn note_each(waiting: &[JobId], estimates: &mut [f64], estimate: impl Fn(JobId) -> f64) -> bool {
    let mut is_new = false;
    for &job in waiting {
        is_new |= note(estimate(job), job, estimates);
    }
    is_new
}

//! Run-time estimators: what is believed of a job's run time, from what was known at the time.
//!
//! Spec and sources: METRICS §VI. One file a method. What an estimator has learned from is told to it
//! as it happens: submissions, starts and completions, in the order of the simulation.

mod actual;
mod catalogue;
mod cvh;
mod distorted;
mod explanation;
mod hierarchy;
mod last2;
mod requested;
mod sp;
mod survival;
#[cfg(test)]
mod testing;

pub use catalogue::{Estimate, Estimators, FAMILIES, Family, K_RANGE, Method, PRESETS};
pub use explanation::{Explanation, Listing, Quantity};
pub(crate) use requested::Requested;

use crate::workload::{JobId, Request, Seconds, Workload};

/// Predicts run times, and learns from completed jobs.
pub trait Estimator {
    /// The estimate E of a job submitted at `now`: seconds, above 0.
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64;

    /// Whether it learns from who starts and completes.
    fn learns(&self) -> bool {
        true
    }

    /// The estimates of all jobs, in log order, each as at its submission. Only asked, once, where it does not learn.
    ///
    /// This is here to be compiled for each estimator, which then needs not be asked for every job.
    fn foresee(&mut self, workload: &Workload) -> Vec<f64> {
        let jobs = workload.jobs().map(|job| (job, workload.request(job)));
        jobs.map(|(job, request)| self.estimate(job, request, request.submit)).collect()
    }

    /// When the estimates of waiting jobs may become others.
    fn revision(&self) -> Revision {
        Revision::Never
    }

    /// Estimates the jobs of `waiting` anew at `now`: writes E of each at its index in log order. Whether
    /// any is another than before.
    ///
    /// Each was given to [`Estimator::estimate`] and has not started; what was there is the estimate made
    /// last. Only asked where [`Estimator::revision`] is not [`Revision::Never`].
    fn revise(&mut self, _waiting: &[JobId], _now: Seconds, _estimates: &mut [f64]) -> bool {
        false
    }

    /// Adds to `revised` each running job that is estimated otherwise at `now` than it was when this was
    /// last asked, and the run time E, all in all, that is expected of it, given the time it has run.
    ///
    /// Only asked where [`Estimator::revision`] is [`Revision::WithTime`].
    fn revise_running(&mut self, _now: Seconds, _revised: &mut Vec<(JobId, f64)>) {}

    /// Why the job, just submitted at `now` and estimated, is estimated as it is.
    fn explain(&self, job: JobId, request: &Request, now: Seconds) -> Explanation;

    /// A job starts. Only told where it learns.
    fn started(&mut self, _job: JobId, _now: Seconds) {}

    /// A job completes after `run` seconds. Only told where it learns.
    fn completed(&mut self, _job: JobId, _request: &Request, _run: Seconds, _now: Seconds) {}

    /// A running job is killed and waits again; it will start anew. Nothing is learned from the run that was cut off.
    /// Only told where it learns.
    fn killed(&mut self, _job: JobId, _request: &Request, _now: Seconds) {}

    /// One that knows the same, and goes on to learn by itself.
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

/// Notes an estimate of a waiting job; whether it is another than before.
fn note(estimate: f64, job: JobId, estimates: &mut [f64]) -> bool {
    std::mem::replace(&mut estimates[job.index()], estimate) != estimate
}

/// Notes the `estimate` of each waiting job; whether any is another than before.
fn note_each(waiting: &[JobId], estimates: &mut [f64], estimate: impl Fn(JobId) -> f64) -> bool {
    let mut is_new = false;
    for &job in waiting {
        is_new |= note(estimate(job), job, estimates);
    }
    is_new
}

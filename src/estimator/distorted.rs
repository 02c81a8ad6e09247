//! Any estimator, distorted by a factor (METRICS §VI, Fig. 4).

use super::Estimator;
use crate::workload::{JobId, Request, Seconds};

/// k times the estimate of another estimator; neither rounded nor capped by the requested time.
pub struct Distorted<E> {
    inner: E,
    k: f64,
}

impl<E> Distorted<E> {
    /// `inner`, times `k`.
    pub fn new(inner: E, k: f64) -> Self {
        Distorted { inner, k }
    }
}

impl<E: Estimator> Estimator for Distorted<E> {
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64 {
        self.inner.estimate(job, request, now) * self.k
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        self.inner.started(job, now);
    }

    fn completed(&mut self, job: JobId, request: &Request, run: Seconds, now: Seconds) {
        self.inner.completed(job, request, run, now);
    }
}

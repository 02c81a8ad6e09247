//! Any estimator, distorted by a factor (METRICS §VI, Fig. 4).

use super::{Estimator, Revision};
use crate::workload::{JobId, Request, Seconds};

/// k times the estimate of another estimator; neither rounded nor capped by the requested time.
pub struct Distorted<'a> {
    inner: Box<dyn Estimator + 'a>,
    k: f64,
}

impl<'a> Distorted<'a> {
    /// `inner`, times `k`.
    pub fn new(inner: Box<dyn Estimator + 'a>, k: f64) -> Self {
        Distorted { inner, k }
    }
}

impl Estimator for Distorted<'_> {
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64 {
        self.inner.estimate(job, request, now) * self.k
    }

    fn revision(&self) -> Revision {
        self.inner.revision()
    }

    fn revise(&mut self, waiting: &[JobId], now: Seconds, estimates: &mut [f64]) {
        self.inner.revise(waiting, now, estimates);
        for &job in waiting {
            estimates[job.index()] *= self.k;
        }
    }

    fn revise_running(&mut self, job: JobId, elapsed: Seconds, now: Seconds) -> Option<f64> {
        self.inner.revise_running(job, elapsed, now).map(|estimate| estimate * self.k)
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        self.inner.started(job, now);
    }

    fn completed(&mut self, job: JobId, request: &Request, run: Seconds, now: Seconds) {
        self.inner.completed(job, request, run, now);
    }
}

//! Any estimator, distorted by a factor (METRICS §VI, Fig. 4).

use super::{Estimator, Explanation, Quantity, Revision, note_each};
use packfair_workload::{JobId, Request, Seconds};

/// k times the estimate of another estimator, neither rounded nor cut to the requested time.
pub struct Distorted<'a> {
    inner: Box<dyn Estimator + 'a>,
    k: f64,
    /// The other estimator's estimates, in log order; kept only if they may change.
    undistorted: Vec<f64>,
}

impl<'a> Distorted<'a> {
    /// Multiplies the estimates of `inner` by `k`.
    pub fn new(inner: Box<dyn Estimator + 'a>, k: f64) -> Self {
        Distorted { inner, k, undistorted: Vec::new() }
    }
}

impl Estimator for Distorted<'_> {
    fn estimate(&mut self, job: JobId, request: &Request, now: Seconds) -> f64 {
        let estimate = self.inner.estimate(job, request, now);
        if self.inner.revision() != Revision::Never {
            self.undistorted.resize(self.undistorted.len().max(job.index() + 1), 0.0);
            self.undistorted[job.index()] = estimate;
        }
        estimate * self.k
    }

    fn revision(&self) -> Revision {
        self.inner.revision()
    }

    fn revise(&mut self, waiting: &[JobId], now: Seconds, estimates: &mut [f64]) -> bool {
        self.inner.revise(waiting, now, &mut self.undistorted)
            && note_each(waiting, estimates, |job| self.undistorted[job.index()] * self.k)
    }

    fn revise_running(&mut self, now: Seconds, revised: &mut Vec<(JobId, f64)>) {
        let before = revised.len();
        self.inner.revise_running(now, revised);
        for (_, estimate) in &mut revised[before..] {
            *estimate *= self.k;
        }
    }

    fn learns(&self) -> bool {
        self.inner.learns()
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        self.inner.started(job, now);
    }

    fn completed(&mut self, job: JobId, request: &Request, run: Seconds, now: Seconds) {
        self.inner.completed(job, request, run, now);
    }

    fn killed(&mut self, job: JobId, request: &Request, now: Seconds) {
        self.inner.killed(job, request, now);
    }

    fn explain(&self, job: JobId, request: &Request, now: Seconds) -> Explanation {
        let mut explanation = self.inner.explain(job, request, now);
        explanation.how.push_str(" The estimate is then multiplied by k, without regard to the requested time.");
        explanation.with("Distortion factor k", Quantity::Number(self.k))
    }

    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b,
    {
        Box::new(Distorted { inner: self.inner.fork(), k: self.k, undistorted: self.undistorted.clone() })
    }
}

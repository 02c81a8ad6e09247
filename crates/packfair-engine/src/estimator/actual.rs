//! The actual run time, for "what if run times were known".

use super::{Estimator, EstimatorImplementation, Explanation, Quantity, Revision, note_each};
use packfair_base::catalogue::Entry;
use packfair_workload::{JobId, Request, Seconds};

/// The method's entry in the catalogue.
pub const FAMILY: EstimatorImplementation = EstimatorImplementation {
    entry: Entry {
        id: "actual",
        name: "Actual run time",
        help: "E = D: what if run times were known",
        source: "METRICS §VI",
        parameters: &[],
    },
    learns: false,
    build: |_, workload| Box::new(Actual { runs: workload.runs() }),
};

/// E = D. This is the only estimator that sees run times before jobs complete. It holds them itself; schedulers do not
/// get it.
struct Actual<'a> {
    runs: &'a [Seconds],
}

impl Estimator for Actual<'_> {
    fn estimate(&mut self, job: JobId, _: &Request, _: Seconds) -> f64 {
        self.runs[job.index()].max(1) as f64
    }

    fn learns(&self) -> bool {
        false
    }

    fn explain(&self, _: JobId, _: &Request, _: Seconds) -> Explanation {
        Explanation::in_words("The run time itself, as if it were known: no estimator of a real cluster can say this.")
    }

    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b,
    {
        Box::new(Actual { runs: self.runs })
    }
}

// Any estimator, distorted by a factor (METRICS §VI, Fig. 4).

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

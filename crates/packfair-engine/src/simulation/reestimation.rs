//! Which waiting jobs are estimated anew, and when.

use crate::estimator::{Estimator, Revision};
use crate::model::Reestimation;
use packfair_workload::{JobId, Seconds};

/// The waiting jobs that may be estimated anew. The estimates themselves are in the view.
#[derive(Clone, Debug)]
pub(super) struct Estimates {
    /// When the estimator may change the estimate of a waiting job.
    revision: Revision,
    /// The jobs in log order, kept only where estimates may change. A killed job keeps its estimate and is not listed.
    waiting: Vec<JobId>,
    first: Vec<f64>,
    /// Whether estimates may have changed since the last re-estimation: always if they follow time, else if a job has
    /// completed since.
    are_due: bool,
}

impl Estimates {
    pub(super) fn new(reestimation: Reestimation, estimator: &dyn Estimator) -> Self {
        let revision = match reestimation {
            Reestimation::Submission => Revision::Never,
            Reestimation::Round => estimator.revision(),
        };
        let are_due = revision == Revision::WithTime;
        Estimates { revision, waiting: Vec::new(), first: Vec::new(), are_due }
    }

    /// Adds a submitted job. `present` is extended to have a place for it if its estimate may change.
    #[inline]
    pub(super) fn submitted(&mut self, job: JobId, estimate: f64, present: &mut Vec<f64>) {
        if self.revision != Revision::Never {
            if present.len() <= job.index() {
                present.resize(job.index() + 1, 0.0);
            }
            present[job.index()] = estimate;
            self.waiting.push(job);
            self.first.push(estimate);
        }
    }

    #[inline]
    pub(super) fn completed(&mut self) {
        self.are_due = self.revision != Revision::Never;
    }

    /// Removes a job that starts. Returns its estimate at submission, if that may have changed since.
    #[inline]
    pub(super) fn started(&mut self, job: JobId) -> Option<f64> {
        let place = self.waiting.binary_search(&job).ok()?;
        self.waiting.remove(place);
        Some(self.first.remove(place))
    }

    /// Whether a waiting job may be estimated anew.
    pub(super) fn may_change(&self, job: JobId) -> bool {
        self.waiting.binary_search(&job).is_ok()
    }

    /// Whether estimates may have changed since the last re-estimation.
    #[inline]
    pub(super) fn are_due(&self) -> bool {
        self.are_due
    }

    /// Whether estimates never change.
    pub(super) fn are_kept(&self) -> bool {
        self.revision == Revision::Never
    }

    /// Whether running jobs may be estimated anew as well.
    pub(super) fn follow_time(&self) -> bool {
        self.revision == Revision::WithTime
    }

    /// Estimates the waiting jobs anew, each at its index in `present`. Returns whether an estimate has changed.
    pub(super) fn revise(&mut self, estimator: &mut dyn Estimator, now: Seconds, present: &mut [f64]) -> bool {
        self.are_due = self.follow_time();
        estimator.revise(&self.waiting, now, present)
    }
}

//! Which waiting jobs are estimated anew, and when.

use crate::estimator::{Estimator, Revision};
use crate::model::Reestimation;
use packfair_workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

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

// Corrections: longer estimates for running jobs that outlive their estimates.

/// The increments of Tsafrir et al. (2007): by how much the first estimate grows at each correction, seconds.
const INCREMENTS: [Seconds; 11] = [60, 300, 900, 1_800, 3_600, 7_200, 18_000, 36_000, 72_000, 180_000, 360_000];

/// How the estimate E of a running job is raised when it runs out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Correction {
    /// E becomes the requested time L, as in METRICS and CP.
    #[default]
    Request,
    /// At the i-th correction E becomes the first estimate plus the i-th increment (1, 5, 15, 30 min, 1, 2, 5, 10, 20,
    /// 50, 100 h), at most L; after the last increment E becomes L.
    Incremental,
    /// E doubles, at most L.
    Doubling,
}

packfair_base::named!(Correction, "correction", {
    Request => "request", "Requested time", "the estimate becomes the requested time";
    Incremental => "incremental", "Incremental", "the first estimate plus 1, 5, 15, 30 min, 1, 2, 5, 10, 20, 50, 100 h";
    Doubling => "doubling", "Doubling", "the estimate doubles, up to the requested time";
});

impl Correction {
    /// The estimate after the `count`-th correction (from 1), given the `first` and the `current` estimate and the
    /// requested time `limit`, all in seconds.
    pub fn apply(self, count: u32, first: f64, current: f64, limit: Seconds) -> f64 {
        let limit = limit as f64;
        match self {
            Correction::Request => limit,
            Correction::Incremental => match INCREMENTS.get(count as usize - 1) {
                Some(&increment) => (first + increment as f64).min(limit),
                None => limit,
            },
            Correction::Doubling => (2.0 * current).min(limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_raise_the_estimate_up_to_the_request() {
        assert_eq!(Correction::Request.apply(1, 10.0, 10.0, 500), 500.0);
        assert_eq!(Correction::Incremental.apply(1, 10.0, 10.0, 5_000), 70.0);
        assert_eq!(Correction::Incremental.apply(2, 10.0, 70.0, 5_000), 310.0);
        assert_eq!(Correction::Incremental.apply(5, 10.0, 70.0, 1_000), 1_000.0);
        assert_eq!(Correction::Incremental.apply(12, 10.0, 70.0, 9_000_000), 9_000_000.0);
        assert_eq!(Correction::Doubling.apply(1, 10.0, 10.0, 5_000), 20.0);
        assert_eq!(Correction::Doubling.apply(2, 10.0, 20.0, 30), 30.0);
    }
}

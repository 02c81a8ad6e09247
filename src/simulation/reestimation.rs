//! Which waiting jobs are estimated anew, and when.

use crate::estimator::{Estimator, Revision};
use crate::model::Reestimation;
use crate::workload::{JobId, Seconds};

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

#[cfg(test)]
mod tests {
    use super::super::{Correction, Options, Simulation, test_jobs};
    use crate::estimator::Estimate;
    use crate::model::{Reestimation, RoundTrigger};
    use crate::scheduler::Policy;
    use crate::workload::Seconds;

    /// The starts of jobs, given as (submit, processors, run time, requested time), on 4 processors.
    fn starts(
        jobs: &[(Seconds, u32, Seconds, Seconds)],
        scheduler: &str,
        estimate: &str,
        reestimation: Reestimation,
        trigger: RoundTrigger,
    ) -> Vec<Seconds> {
        let workload = test_jobs::workload(4, jobs);
        let scheduler: Policy = scheduler.parse().unwrap();
        let estimator = estimate.parse::<Estimate>().unwrap().build(&workload);
        let options = Options { correction: Correction::Request, reestimation, trigger };
        Simulation::new(&workload, scheduler.build().unwrap(), estimator, options).finish().starts
    }

    #[test]
    fn what_is_learned_while_jobs_wait_changes_their_order() {
        let jobs = [(0, 4, 20, 100), (1, 2, 50, 60), (1, 4, 10, 25), (1, 4, 5, 200)];
        let of = |reestimation| starts(&jobs, "saf-justbf", "hierarchy", reestimation, RoundTrigger::Every);
        // areas of the waiting jobs, as requested: 120, 100, 800
        assert_eq!(of(Reestimation::Submission), [0, 30, 20, 80]);
        // after a job of 20 s was seen: 40, 80, 80
        assert_eq!(of(Reestimation::Round), [0, 20, 70, 80]);
    }

    #[test]
    fn the_submission_of_a_job_that_does_not_fit_may_leave_things_as_they_are() {
        let jobs = [(0, 3, 50, 100), (0, 4, 10, 10), (0, 1, 60, 60), (10, 4, 10, 10)];
        let of = |trigger| starts(&jobs, "easy", "actual*0.1", Reestimation::Submission, trigger);
        // the shadow time of the second job is 5 s; from 5 s on, when that estimate has run out, it is 100 s: then the
        // third could be backfilled, if a round were triggered
        assert_eq!(of(RoundTrigger::Every), [0, 70, 10, 80]);
        assert_eq!(of(RoundTrigger::Fitting), [0, 50, 60, 120]);
    }
}

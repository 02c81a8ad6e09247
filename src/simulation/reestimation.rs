//! When waiting jobs are estimated anew, and which submissions ask for a round.

use crate::estimator::{Estimator, Revision};
use crate::workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

/// When waiting jobs are estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reestimation {
    /// Once, at submission.
    #[default]
    Submission,
    /// At submission, and in every round in which a job could start, with all that was learned since.
    /// Running jobs keep the estimate with which they started, unless the estimator takes the time
    /// that a job has run into account.
    Round,
}

/// Which submissions ask for a scheduling round. A completion always does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Asking {
    /// Every one.
    #[default]
    Every,
    /// Those of jobs no wider than what is free at that moment. It matters where estimates are wrong:
    /// one that ran out may have moved a reservation, and the next round finds others to backfill.
    Fitting,
}

impl Reestimation {
    /// All values.
    pub const ALL: [Reestimation; 2] = [Reestimation::Submission, Reestimation::Round];

    /// Stable id, as in links and on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Reestimation::Submission => "submission",
            Reestimation::Round => "round",
        }
    }

    /// Display name.
    pub fn name(self) -> &'static str {
        match self {
            Reestimation::Submission => "At submission only",
            Reestimation::Round => "Every round",
        }
    }

    /// One line for a person.
    pub fn help(self) -> &'static str {
        match self {
            Reestimation::Submission => "a waiting job keeps its first estimate",
            Reestimation::Round => "in every round, with all that was learned meanwhile",
        }
    }
}

impl Asking {
    /// All values.
    pub const ALL: [Asking; 2] = [Asking::Every, Asking::Fitting];

    /// Stable id, as in links and on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Asking::Every => "every",
            Asking::Fitting => "fitting",
        }
    }

    /// Display name.
    pub fn name(self) -> &'static str {
        match self {
            Asking::Every => "Every submission",
            Asking::Fitting => "Submissions that fit",
        }
    }

    /// One line for a person.
    pub fn help(self) -> &'static str {
        match self {
            Asking::Every => "whether or not the job fits at once",
            Asking::Fitting => "those of jobs no wider than what is free at that moment",
        }
    }
}

/// The current estimates of the jobs submitted so far, and the jobs that wait.
#[derive(Debug)]
pub(super) struct Estimates {
    /// What the estimator may still change its mind about.
    revision: Revision,
    /// In log order; 0 where a job has not been submitted.
    current: Vec<f64>,
    /// In log order; kept only where estimates may change.
    waiting: Vec<JobId>,
    /// What each of them was estimated at its submission.
    first: Vec<f64>,
    /// Whether a job has completed since the last re-estimation.
    learned: bool,
}

impl Estimates {
    pub(super) fn new(jobs: usize, reestimation: Reestimation, estimator: &dyn Estimator) -> Self {
        let revision = match reestimation {
            Reestimation::Submission => Revision::Never,
            Reestimation::Round => estimator.revision(),
        };
        let current = if revision == Revision::Never { Vec::new() } else { vec![0.0; jobs] };
        Estimates { revision, current, waiting: Vec::new(), first: Vec::new(), learned: false }
    }

    /// The same for a simulation that goes on by itself: of the jobs that wait, the others will not be
    /// asked for.
    pub(super) fn fork(&self) -> Self {
        let mut current = vec![0.0; self.waiting.last().map_or(0, |last| last.index() + 1)];
        for job in &self.waiting {
            current[job.index()] = self.current[job.index()];
        }
        Estimates { current, waiting: self.waiting.clone(), first: self.first.clone(), ..*self }
    }

    pub(super) fn submitted(&mut self, job: JobId, estimate: f64) {
        if self.revision != Revision::Never {
            if self.current.len() <= job.index() {
                self.current.resize(job.index() + 1, 0.0); // in a fork there is room for those before it
            }
            self.current[job.index()] = estimate;
            self.waiting.push(job);
            self.first.push(estimate);
        }
    }

    pub(super) fn completed(&mut self) {
        self.learned = true;
    }

    /// A job starts; what it was estimated at its submission, where that may have changed since.
    pub(super) fn started(&mut self, job: JobId) -> Option<f64> {
        let place = self.waiting.binary_search(&job).ok()?;
        self.waiting.remove(place);
        Some(self.first.remove(place))
    }

    /// What a waiting job is estimated now, where that may change.
    pub(super) fn of_waiting(&self, job: JobId) -> Option<f64> {
        self.waiting.binary_search(&job).ok().map(|_| self.current[job.index()])
    }

    /// Whether the estimates may have changed since they were last made.
    pub(super) fn are_due(&self) -> bool {
        match self.revision {
            Revision::Never => false,
            Revision::AfterCompletions => self.learned,
            Revision::WithTime => true,
        }
    }

    /// Whether they never change.
    pub(super) fn are_kept(&self) -> bool {
        self.revision == Revision::Never
    }

    /// Whether running jobs may be estimated anew as well.
    pub(super) fn follow_time(&self) -> bool {
        self.revision == Revision::WithTime
    }

    /// Estimates the waiting jobs anew; all estimates, in log order, where one is another than before.
    pub(super) fn revise(&mut self, estimator: &mut dyn Estimator, now: Seconds) -> Option<&[f64]> {
        self.learned = false;
        estimator.revise(&self.waiting, now, &mut self.current).then_some(&self.current)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Correction, Options, Simulation, test_jobs};
    use super::*;
    use crate::estimator::Estimate;
    use crate::scheduler::Policy;

    /// Starts of jobs given as (submit, processors, run time, requested time) on 4 processors.
    fn starts(
        jobs: &[(Seconds, u32, Seconds, Seconds)],
        scheduler: &str,
        estimate: &str,
        reestimation: Reestimation,
        asking: Asking,
    ) -> Vec<Seconds> {
        let workload = test_jobs::workload(4, jobs);
        let scheduler: Policy = scheduler.parse().unwrap();
        let estimator = estimate.parse::<Estimate>().unwrap().build(&workload);
        let options = Options { correction: Correction::Request, reestimation, asking };
        Simulation::new(&workload, scheduler.build().unwrap(), estimator, options).finish().starts
    }

    #[test]
    fn what_is_learned_while_jobs_wait_changes_their_order() {
        let jobs = [(0, 4, 20, 100), (1, 2, 50, 60), (1, 4, 10, 25), (1, 4, 5, 200)];
        let of = |reestimation| starts(&jobs, "saf-justbf", "hierarchy", reestimation, Asking::Every);
        // areas of those that wait, as requested: 120, 100, 800
        assert_eq!(of(Reestimation::Submission), [0, 30, 20, 80]);
        // now that a job of 20 s was seen: 40, 80, 80
        assert_eq!(of(Reestimation::Round), [0, 20, 70, 80]);
    }

    #[test]
    fn the_submission_of_a_job_that_does_not_fit_may_leave_things_as_they_are() {
        let jobs = [(0, 3, 50, 100), (0, 4, 10, 10), (0, 1, 60, 60), (10, 4, 10, 10)];
        let of = |asking| starts(&jobs, "easy", "actual*0.1", Reestimation::Submission, asking);
        // the shadow time of the second job is 5 s, and from 5 s on, when that estimate ran out, 100 s:
        // then the third could be backfilled, if only somebody asked
        assert_eq!(of(Asking::Every), [0, 70, 10, 80]);
        assert_eq!(of(Asking::Fitting), [0, 50, 60, 120]);
    }
}

//! Copies of a simulation in which jobs go on arriving, and run for other times: futures from a moment on.

use super::{Completions, World};
use crate::model::{NEVER, RunningJob, Slot};
use packfair_workload::{JobId, Seconds};
use std::collections::BinaryHeap;

impl<'a> World<'a> {
    /// The world before its first job arrives, with these run times in place of those of the workload.
    pub(in crate::simulation) fn with_runs(self, runs: &'a [Seconds]) -> Self {
        World { runs, ..self }
    }

    /// The world before its first job arrives, in which no job from this place in log order on arrives before `at`.
    pub(in crate::simulation) fn opening(mut self, from: usize, at: Seconds) -> Self {
        self.gate = (from, at);
        self.submission = self.submission_of(0);
        self
    }

    /// A copy in which each job runs for the time that `runs` has for it, and of those that are still to come only
    /// those before place `jobs` arrive. A running job must have run for less. It keeps no schedule.
    pub(in crate::simulation) fn future<'b>(&self, runs: &'b [Seconds], jobs: usize) -> World<'b>
    where
        'a: 'b,
    {
        let fork: World<'b> = self.fork();
        let estimator = self.estimator.fork();
        let jobs = jobs.clamp(self.view.arrived(), self.arriving.len());
        let mut future = World {
            arriving: &self.arriving[..jobs],
            runs,
            view: self.view.future(jobs),
            learns: estimator.learns(),
            is_observed: estimator.learns(),
            estimator,
            completions: Completions::default(),
            expiries: BinaryHeap::new(),
            submission: if self.view.arrived() < jobs { self.submission } else { NEVER },
            ..fork
        };
        future.end_otherwise();
        future
    }

    /// Lets the running jobs end by their run times here.
    fn end_otherwise(&mut self) {
        let mut running: Vec<(Slot, RunningJob)> = self.view.running.all().map(|(slot, &job)| (slot, job)).collect();
        // the order in which they started decides between those that end together
        running.sort_unstable_by_key(|&(_, job)| (job.start, job.job));
        let now = self.view.now() as f64;
        for (slot, RunningJob { job, start, end, .. }) in running {
            let run = self.runs[job.index()];
            if self.runs_otherwise(slot, start, run) {
                continue;
            }
            let start = start + self.suspended_before(job);
            self.completions.push(start + run, slot);
            // what has run out already was corrected already
            if end > now {
                self.watch(job, slot, start as f64, end - start as f64, run);
            }
        }
    }

    /// Has the jobs that started in the last round end at once that had left by `now`: `leaving` says when, in log order.
    pub(in crate::simulation) fn end_those_who_left(&mut self, leaving: &[(JobId, Seconds)], now: Seconds) {
        for start in 0..self.actions.starts.len() {
            let job = self.actions.starts[start].job.job;
            let has_left = leaving.binary_search_by_key(&job, |&(job, _)| job).is_ok_and(|at| leaving[at].1 <= now);
            if let Some(slot) = self.view.running.slot_of(job).filter(|_| has_left)
                && self.completions.remove(slot).is_some()
            {
                self.completions.push(now, slot);
            }
        }
    }

    /// Whether a copy can go on with arrivals.
    pub(in crate::simulation) fn can_fork_on(&self) -> bool {
        self.classifier.is_none() && self.reacting.is_none()
    }

    pub(in crate::simulation) fn running(&self) -> Vec<(JobId, Seconds)> {
        let mut running: Vec<(JobId, Seconds)> =
            self.view.running.all().map(|(_, running)| (running.job, running.start)).collect();
        running.sort_unstable();
        running
    }

    /// The jobs that wait, in log order.
    pub(in crate::simulation) fn queued(&self) -> Vec<JobId> {
        self.view.waiting().map(|waiting| waiting.job).collect()
    }
}

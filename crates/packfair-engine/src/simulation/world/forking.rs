//! Copies of a simulation, in which no further jobs arrive: what would happen if nobody came any more.

use super::World;
use crate::estimator::{Estimator, Requested};
use crate::model::{NEVER, Scheduler, SizeClass, Waiting};
use packfair_workload::{JobId, Seconds};

impl<'a> World<'a> {
    /// A copy without further arrivals, which keeps no schedule. Its estimator keeps learning if waiting jobs are
    /// estimated anew.
    pub(in crate::simulation) fn fork(&self) -> World<'a> {
        // if jobs keep their estimates, all that have arrived are estimated already
        let estimator: Box<dyn Estimator + 'a> =
            if self.keeps_estimates() { Box::new(Requested) } else { self.estimator.fork() };
        World {
            workload: self.workload,
            arriving: self.arriving,
            gate: self.gate,
            runs: self.runs,
            options: self.options,
            view: self.view.fork(),
            actions: self.actions.clone(),
            kept: None,
            learns: estimator.learns(),
            is_observed: estimator.learns(),
            estimates: self.estimates.clone(),
            estimator,
            // all jobs that have arrived are classified already
            classifier: None,
            reacting: None,
            prepares: false,
            submission: NEVER,
            is_triggered: self.is_triggered,
            waiting: self.waiting,
            completed: self.completed,
            rounds: self.rounds,
            completions: self.completions.clone(),
            suspended: self.suspended.clone(),
            calendar: self.calendar.clone(),
            next_change: self.next_change,
            saving: self.saving.clone(),
            delays_starts: self.delays_starts,
            deferring: self.deferring.clone(),
            expiries: self.expiries.clone(),
            expected: self.expected,
            revised: Vec::new(),
            overdue: Vec::new(),
        }
    }

    /// In a fork, withholds a job that is submitted at `now` from the scheduler. Only the estimator is told of it.
    pub(in crate::simulation) fn withhold(&mut self, job: JobId, now: Seconds) {
        if !self.keeps_estimates() {
            let estimate = self.estimator.estimate(job, self.view.request(job), now);
            self.estimates.submitted(job, estimate, &mut self.view.revised);
        }
    }

    /// Lets a job that was withheld enter the queue, with its present estimate.
    pub(in crate::simulation) fn admit<S: Scheduler + ?Sized>(
        &mut self,
        scheduler: &mut S,
        job: Waiting,
        class: SizeClass,
    ) {
        self.waiting += 1;
        self.is_triggered = true;
        let present = self.estimates.may_change(job.job).then(|| self.view.revised[job.job.index()]);
        let estimate = present.unwrap_or(job.estimate);
        self.view.admit(estimate, class);
        scheduler.arrived(Waiting { estimate, ..job }, &self.view);
    }
}

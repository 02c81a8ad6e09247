//! Copies of a simulation, in which no further jobs arrive: what would happen if nobody came any more.

use super::{Completions, World, estimating};
use crate::estimator::{Estimator, Requested};
use crate::model::{
    Execution, NEVER, NoteId, Notes, Placed, RunningJob, Schedule, Scheduler, SizeClass, Slot, Suspension, Waiting,
    ends,
};
use packfair_workload::{JobId, Seconds, Workload};
use std::collections::BinaryHeap;

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

// What a simulation has besides jobs and one number of processors, so that the usual one need not look for it.

/// What the functions of an instant are compiled for. Most simulations have one number of processors and nothing else,
/// and an instant has so little to do that to look for the rest at each one would take a noticeable part of its time.
pub(super) trait SimulationExtent {
    /// Whether there may be cells, a calendar, users who react, a classifier, or shares of users.
    const IS_WIDE: bool;
}

/// One number of processors that never changes, and jobs that are submitted as in the log.
pub(super) struct Narrow;

impl SimulationExtent for Narrow {
    const IS_WIDE: bool = false;
}

pub(super) struct Wide;

impl SimulationExtent for Wide {
    const IS_WIDE: bool = true;
}

// Copies of a simulation in which jobs go on arriving, and run for other times: futures from a moment on.

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

// What a simulation keeps for its schedule.

/// What a simulation keeps for its schedule, besides starts and estimates.
pub(super) struct KeptColumns {
    pub(super) corrections: Vec<u32>,
    pub(super) killed: Vec<Execution>,
    pub(super) suspended: Vec<Suspension>,
    /// Where executions ran, on a machine of cells.
    pub(super) placed: Vec<Placed>,
    /// Why each job was classified as small or large; empty where there is no classifier.
    pub(super) because: Vec<Seconds>,
    pub(super) notes: Notes,
}

impl KeptColumns {
    /// Those of a simulation of so many jobs, before the first one arrives.
    pub(super) fn of(jobs: usize) -> Self {
        KeptColumns {
            corrections: vec![0; jobs],
            killed: Vec::new(),
            suspended: Vec::new(),
            placed: Vec::new(),
            because: Vec::new(),
            notes: Notes::default(),
        }
    }
}

impl World<'_> {
    pub(in crate::simulation) fn into_schedule(self, scheduler: &dyn Scheduler) -> Schedule {
        let workload = self.workload;
        self.into_lived_schedule(scheduler, workload)
    }

    pub(in crate::simulation) fn into_lived_schedule(self, scheduler: &dyn Scheduler, lived: &Workload) -> Schedule {
        let Some(KeptColumns { corrections, killed, suspended, placed, because, mut notes }) = self.kept else {
            return Schedule::default();
        };
        if !because.is_empty() {
            notes.set_of_jobs(NoteId::BECAUSE, because);
        }
        if let Some(classifier) = &self.classifier {
            estimating::note_importances(&**classifier, &mut notes);
        }
        if !suspended.is_empty() {
            notes.set(NoteId::SUSPENSIONS, suspended.len() as f64);
            let seconds: Seconds = suspended.iter().map(|one: &Suspension| one.until - one.from).sum();
            notes.set(NoteId::SUSPENDED, seconds as f64);
        }
        scheduler.report(&mut notes);
        if let (Some(saving), Some(cluster)) = (self.saving, self.workload.cluster()) {
            let now = self.view.now();
            Self::report_nodes(*saving, &cluster.machine, now, &mut notes);
        }
        let (starts, estimates, classes) = self.view.into_columns();
        let ends = ends(lived, &starts, &suspended);
        Schedule {
            starts,
            ends,
            killed,
            classes,
            estimates,
            corrections,
            rounds: self.rounds,
            notes,
            placed,
            suspended,
            ..Schedule::default()
        }
    }
}

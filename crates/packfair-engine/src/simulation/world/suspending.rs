//! Running jobs that are suspended, and go on later with what they have left.

use super::World;
use super::forking::Wide;
use crate::model::{
    Execution, KilledBy, NEVER, NoteId, Notes, Pause, RoundTrigger, Scheduler, Slot, Suspension, Waiting,
};
use crate::power::Saving;
use packfair_base::machine::Machine;
use packfair_workload::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The suspended jobs, and for how long running ones were.
#[derive(Clone, Debug, Default)]
pub(super) struct Suspended {
    now: Vec<SuspendedJob>,
    /// For how many seconds jobs were suspended that have been resumed.
    before: FxHashMap<JobId, Seconds>,
}

#[derive(Clone, Copy, Debug)]
struct SuspendedJob {
    slot: Slot,
    from: Seconds,
    /// How many seconds it has left to run.
    left: Seconds,
    /// The estimate that it runs by, seconds.
    estimate: f64,
}

impl World<'_> {
    /// For how many seconds a running job was suspended before now.
    pub(super) fn suspended_before(&self, job: JobId) -> Seconds {
        self.suspended.as_ref().and_then(|suspended| suspended.before.get(&job)).copied().unwrap_or(0)
    }

    fn suspended_at(&self, slot: Slot) -> Option<usize> {
        self.suspended.as_ref()?.now.iter().position(|other| other.slot == slot)
    }

    /// Whether the job in a slot does not run now.
    pub(super) fn is_suspended(&self, slot: Slot) -> bool {
        self.suspended_at(slot).is_some()
    }

    /// Gives a suspended job another run time than it had. Returns whether the job in the slot is one.
    pub(super) fn runs_otherwise(&mut self, slot: Slot, start: Seconds, run: Seconds) -> bool {
        let Some(at) = self.suspended_at(slot) else { return false };
        let before = self.suspended_before(self.view.running.job(slot));
        if let Some(job) = self.suspended.as_mut().and_then(|suspended| suspended.now.get_mut(at)) {
            job.left = (start + before + run - job.from).max(0);
        }
        true
    }

    /// Suspends and resumes the jobs that the round has named, in its order. It has counted their processors itself.
    #[inline(never)]
    pub(super) fn pause(&mut self, now: Seconds) {
        for pause in std::mem::take(&mut self.actions.pauses) {
            match pause {
                Pause::Suspend(job) => self.suspend(job, now),
                Pause::Resume(job) => self.resume(job, now),
            }
        }
    }

    fn suspend(&mut self, job: JobId, now: Seconds) {
        let slot = self.view.running.slot_of(job).filter(|&slot| !self.is_suspended(slot));
        let Some((slot, end)) = slot.and_then(|slot| Some((slot, self.completions.remove(slot)?))) else {
            debug_assert!(false, "{job:?} was suspended, but does not run");
            return;
        };
        let before = self.suspended_before(job);
        let running = self.view.running.get_mut(slot);
        // who has not begun, because its nodes boot, has all its run time left
        let from = now.max(running.start);
        let estimate = running.end - (running.start + before) as f64;
        // no estimate runs out meanwhile
        running.end = f64::INFINITY;
        let processors = running.processors;
        self.view.count_ended(job, processors);
        let suspended = self.suspended.get_or_insert_default();
        suspended.now.push(SuspendedJob { slot, from, left: end - from, estimate });
    }

    fn resume(&mut self, job: JobId, now: Seconds) {
        let slot = self.view.running.slot_of(job);
        let Some((slot, resumed)) = slot.and_then(|slot| Some((slot, self.end_suspension(slot, now)?))) else {
            debug_assert!(false, "{job:?} was resumed, but is not suspended");
            return;
        };
        let before = self.suspended_before(job);
        let running = self.view.running.get_mut(slot);
        let start = (running.start + before) as f64;
        (running.end, running.told) = (start + resumed.estimate, start + resumed.estimate);
        let processors = running.processors;
        self.completions.push(now.max(resumed.from) + resumed.left, slot);
        self.view.count_started(job, processors);
        self.watch(job, slot, start, resumed.estimate, self.run_of::<Wide>(job));
    }

    /// Ends the suspension of the job in a slot, and keeps it; none where it runs.
    fn end_suspension(&mut self, slot: Slot, now: Seconds) -> Option<SuspendedJob> {
        let at = self.suspended_at(slot)?;
        let suspended = self.suspended.as_mut()?;
        let ended = suspended.now.swap_remove(at);
        let (job, until) = (self.view.running.job(slot), now.max(ended.from));
        *suspended.before.entry(job).or_default() += until - ended.from;
        if let Some(kept) = self.kept.as_mut().filter(|_| until > ended.from) {
            kept.suspended.push(Suspension { job, from: ended.from, until });
        }
        Some(ended)
    }

    /// A running job is killed: nothing is known of it any more. Returns whether it was suspended.
    pub(super) fn kill_suspended(&mut self, slot: Slot, now: Seconds) -> bool {
        let was_suspended = self.suspended.is_some() && self.end_suspension(slot, now).is_some();
        let job = self.view.running.job(slot);
        self.suspended.iter_mut().for_each(|suspended| _ = suspended.before.remove(&job));
        was_suspended
    }
}

// Running jobs that are killed, and wait again.

impl World<'_> {
    /// Kills the running jobs that the scheduler has named, which then wait again. Returns whether there were any.
    #[inline(never)]
    pub(super) fn kill<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) -> bool {
        let mut kills = std::mem::take(&mut self.actions.kills);
        let mut is_any = false;
        for job in kills.drain(..) {
            // a job that has completed meanwhile cannot be killed
            let Some(slot) = self.view.running.slot_of(job) else { continue };
            self.kill_at(scheduler, slot, KilledBy::Scheduler, now);
            is_any = true;
        }
        self.actions.kills = kills;
        is_any
    }

    /// Kills the running job in a slot, which then waits again.
    pub(super) fn kill_at<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, slot: Slot, by: KilledBy, now: Seconds) {
        let was_suspended = self.kill_suspended(slot, now);
        let left = self.view.running.leave(slot);
        let job = left.job;
        if !was_suspended {
            self.completions.remove(slot);
            self.view.release(left.processors);
            self.view.count_ended(job, left.processors);
        }
        self.view.leave_cells(job);
        let estimate = self.view.request(job).limit as f64;
        self.view.requeue(job, estimate);
        let start = left.start.min(now);
        if start < left.start {
            self.never_began(job, now);
        }
        if let Some(kept) = &mut self.kept {
            kept.killed.push(Execution { job, start, end: now, by });
            kept.corrections[job.index()] = 0;
        }
        if self.learns {
            self.estimator.killed(job, self.view.request(job), now);
        }
        self.waiting += 1;
        let request = self.view.request(job);
        let waiting = Waiting { job, submit: request.submit, processors: request.processors, estimate };
        scheduler.killed(left.release(), waiting, &self.view);
    }

    /// Keeps the notes of a round, suspends, resumes and kills the jobs that it names. Returns whether any were killed.
    #[inline(never)]
    pub(super) fn keep_notes_and_kill<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) -> bool {
        for (note, job, value) in self.actions.notes.drain(..) {
            if let Some(kept) = &mut self.kept {
                kept.notes.set_of_job(note, job, value);
            }
        }
        if !self.actions.pauses.is_empty() {
            self.pause(now);
        }
        !self.actions.kills.is_empty() && self.kill(scheduler, now)
    }
}

// Nodes that are switched off while they idle, in a simulation: jobs begin when the last of their nodes is on.

impl World<'_> {
    /// The nodes that are switched off while they idle; all are on as the first job arrives.
    pub(super) fn nodes_of(workload: &Workload) -> Option<Box<Saving>> {
        let mut saving = Saving::of(&workload.cluster()?.machine)?;
        saving.begin(workload.requests().first().map_or(0, |request| request.submit));
        Some(Box::new(saving))
    }

    /// Notes before a round which nodes are held, and lets the scheduler see how many of the others are on.
    #[inline(never)]
    pub(super) fn sync_nodes(&mut self, now: Seconds) {
        let (Some(saving), Some(cluster)) = (&mut self.saving, self.view.cluster_mut()) else { return };
        for cell in 0..cluster.cells() {
            let (nodes, held) = cluster.nodes(cell);
            saving.hold(now, cell, nodes, held);
        }
        cluster.set_awake(saving.awake(now));
    }

    /// Corrects what was noted of an execution that was killed before it had begun: it began as it was killed.
    pub(super) fn never_began(&mut self, job: JobId, now: Seconds) {
        let Some(kept) = &mut self.kept else { return };
        if let Some(placed) = kept.placed.iter_mut().rev().find(|placed| placed.job == job) {
            placed.start = now;
        }
    }

    /// Notes which nodes were off, and what that has cost.
    pub(super) fn report_nodes(saving: Saving, machine: &Machine, now: Seconds, notes: &mut Notes) {
        notes.set(NoteId::BOOTS, saving.boots() as f64);
        notes.set(NoteId::BOOT_WAIT, saving.waited() as f64);
        for (cell, told) in machine.cells().iter().zip(saving.finish(now)) {
            for (note, changes) in [(NoteId::NODES_OFF, told.off), (NoteId::NODES_BOOTING, told.booting)] {
                let mut nodes = 0;
                let mut course = Vec::with_capacity(changes.len());
                for (at, more) in changes {
                    nodes += more;
                    course.push((at, nodes as f64));
                }
                if !course.is_empty() {
                    notes.set_course_part(note, &cell.name, course);
                }
            }
        }
    }
}

// Jobs that wait for a time before which the scheduler is not told of them: for cheap hours (docs/power.md).

/// The jobs that wait so.
#[derive(Clone, Debug)]
pub(super) struct Deferring {
    /// When the scheduler may be told of each job, in log order.
    from: Arc<[Seconds]>,
    /// Those that have arrived, and of which it is not told yet.
    withheld: BinaryHeap<Reverse<(Seconds, JobId)>>,
}

impl Deferring {
    /// When the scheduler is told of the next one; [`NEVER`] if there is none.
    pub(super) fn next(&self) -> Seconds {
        self.withheld.peek().map_or(NEVER, |Reverse((at, _))| *at)
    }
}

impl World<'_> {
    /// Keeps each job from the scheduler until the time that `from` has for it.
    pub(in crate::simulation) fn deferring(self, from: Option<Vec<Seconds>>) -> Self {
        let deferring = from.map(|from| Box::new(Deferring { from: from.into(), withheld: BinaryHeap::new() }));
        World { deferring, ..self }
    }

    /// Keeps a job that arrives now from the scheduler, if it is to wait. Returns whether it is.
    pub(super) fn defer(&mut self, job: JobId, now: Seconds) -> bool {
        let Some(deferring) = &mut self.deferring else { return false };
        let Some(&from) = deferring.from.get(job.index()).filter(|&&from| from > now) else { return false };
        deferring.withheld.push(Reverse((from, job)));
        self.view.withhold(job);
        true
    }

    /// Tells the scheduler of the jobs that have waited until now, in log order.
    pub(super) fn show_deferred<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        while let Some(deferring) = &mut self.deferring
            && let Some(&Reverse((at, job))) = deferring.withheld.peek()
            && at <= now
        {
            deferring.withheld.pop();
            let waiting = self.view.show(job);
            self.is_triggered |=
                self.options.trigger == RoundTrigger::Every || self.view.fits_now(job, waiting.processors);
            scheduler.arrived(waiting, &self.view);
        }
    }
}

//! Running jobs that are killed, and wait again.

use super::World;
use crate::model::{Execution, KilledBy, Scheduler, Slot, Waiting};
use packfair_workload::Seconds;

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

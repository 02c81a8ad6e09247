//! Running jobs that are suspended, and go on later with what they have left.

use super::World;
use super::extent::Wide;
use crate::model::{Pause, Slot, Suspension};
use packfair_workload::{JobId, Seconds};
use rustc_hash::FxHashMap;

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

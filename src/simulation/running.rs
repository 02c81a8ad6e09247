//! The jobs that run.

use super::Release;
use super::completions::Completions;
use crate::workload::{JobId, Seconds};

/// A job that runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub(super) job: JobId,
    pub(super) processors: u32,
    pub(super) start: Seconds,
    /// Estimated end.
    pub(super) end: f64,
    /// The end that the scheduler was told: later than `end` where the job is overdue.
    pub(super) told: f64,
    /// The estimate made at submission.
    pub(super) first: f64,
    /// How often its estimate was corrected.
    pub(super) corrections: u32,
    /// How many jobs had started before it.
    pub(super) started: u32,
}

impl Running {
    /// When it gives its processors back, as the scheduler knows it.
    #[inline]
    pub(super) fn release(&self) -> Release {
        Release { at: self.told, processors: self.processors, job: self.job, started: self.started }
    }
}

/// Where a running job is kept, as long as it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot(pub(super) u32);

/// All jobs that run, and who of them ends next.
#[derive(Clone, Debug, Default)]
pub(super) struct RunningJobs {
    /// Vacant slots hold jobs that have ended.
    slots: Vec<Running>,
    vacant: Vec<Slot>,
    completions: Completions,
    /// Those whose estimated end has passed, in the order in which it did; and some that were estimated
    /// anew since, or have ended.
    overdue: Vec<Slot>,
}

impl RunningJobs {
    /// A job begins to run, and will end at `end`.
    #[inline(always)] // from one place, for every job
    pub(super) fn start(&mut self, running: Running, end: Seconds) -> Slot {
        let slot = match self.vacant.pop() {
            Some(slot) => {
                self.slots[slot.0 as usize] = running;
                slot
            }
            None => {
                self.slots.push(running);
                Slot(self.slots.len() as u32 - 1)
            }
        };
        self.completions.push(end, slot);
        slot
    }

    /// How many have started.
    #[inline]
    pub(super) fn started(&self) -> u32 {
        self.completions.started()
    }

    /// When the next job ends.
    #[inline]
    pub(super) fn next_completion(&self) -> Option<Seconds> {
        self.completions.next()
    }

    /// The next job that ends at `now`, which leaves.
    #[inline]
    pub(super) fn complete(&mut self, now: Seconds) -> Option<Running> {
        let slot = self.completions.pop_until(now)?;
        self.vacant.push(slot);
        let left = self.slots[slot.0 as usize];
        self.slots[slot.0 as usize].end = f64::INFINITY; // it is not overdue any more
        Some(left)
    }

    /// A running job.
    #[inline]
    pub(super) fn get_mut(&mut self, slot: Slot) -> &mut Running {
        &mut self.slots[slot.0 as usize]
    }

    /// A running job's estimated end has passed, and nothing is left to raise its estimate to.
    pub(super) fn is_overdue(&mut self, slot: Slot) {
        if !self.overdue.contains(&slot) {
            self.overdue.push(slot);
        }
    }

    /// Takes the jobs that are overdue at `now` to end a second later, and tells `tell` of each.
    pub(super) fn put_off(&mut self, now: Seconds, mut tell: impl FnMut(Release, f64)) {
        let (now, slots) = (now as f64, &mut self.slots);
        self.overdue.retain(|slot| {
            let running = &mut slots[slot.0 as usize];
            let is_overdue = running.end <= now;
            if is_overdue && running.told <= now {
                tell(running.release(), now + 1.0);
                running.told = now + 1.0;
            }
            is_overdue
        });
    }

    /// Where a job is kept that runs.
    pub(super) fn slot_of(&self, job: JobId) -> Option<Slot> {
        self.slots.iter().position(|running| running.job == job).map(|i| Slot(i as u32))
    }

    /// When they are expected to end, as the scheduler was told; the soonest first, ties in log order.
    pub(super) fn releases(&self) -> Vec<Release> {
        let running = self.completions.iter().map(|slot| self.slots[slot.0 as usize].release());
        let mut releases: Vec<Release> = running.collect();
        releases.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.job.cmp(&b.job)));
        releases
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
#[path = "running_tests.rs"]
mod tests;

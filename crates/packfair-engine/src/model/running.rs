//! The running jobs.

use super::{Release, Token};
use packfair_base::expression::Variable;
use packfair_workload::{JobId, Seconds};

#[derive(Clone, Copy, Debug)]
pub struct RunningJob {
    pub(crate) job: JobId,
    pub(crate) processors: u32,
    pub(crate) start: Seconds,
    pub(crate) end: f64,
    /// The end that the scheduler was told: later than `end` where the job is overdue.
    pub(crate) told: f64,
    /// The estimate made at submission.
    pub(crate) first: f64,
    /// How often the estimate was corrected.
    pub(crate) corrections: u32,
    pub(crate) token: Token,
}

impl RunningJob {
    /// When the job is expected to free its processors, as the scheduler was told.
    #[inline]
    pub(crate) fn release(&self) -> Release {
        Release { at: self.told, processors: self.processors, job: self.job, token: self.token }
    }
}

/// The place where a running job is kept as long as it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(pub(crate) u32);

#[derive(Clone, Debug, Default)]
pub struct RunningJobs {
    /// The jobs by slot. Vacant slots hold jobs that have ended, with no processors.
    slots: Vec<RunningJob>,
    vacant: Vec<Slot>,
    /// Overdue jobs in the order in which they became overdue. Some may have been estimated anew since, or have ended.
    overdue: Vec<Slot>,
}

impl RunningJobs {
    #[inline(always)] // from one place, for every job
    pub(crate) fn start(&mut self, running: RunningJob) -> Slot {
        match self.vacant.pop() {
            Some(slot) => {
                self.slots[slot.0 as usize] = running;
                slot
            }
            None => {
                self.slots.push(running);
                Slot(self.slots.len() as u32 - 1)
            }
        }
    }

    #[inline]
    pub(crate) fn leave(&mut self, slot: Slot) -> RunningJob {
        self.vacant.push(slot);
        let vacant = &mut self.slots[slot.0 as usize];
        let left = *vacant;
        vacant.end = f64::INFINITY; // so that the slot does not count as overdue
        vacant.processors = 0;
        left
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, slot: Slot) -> &mut RunningJob {
        &mut self.slots[slot.0 as usize]
    }

    pub(crate) fn job(&self, slot: Slot) -> JobId {
        self.slots[slot.0 as usize].job
    }

    /// Notes that a running job has outlived its estimate, which cannot be corrected any further.
    pub(crate) fn is_overdue(&mut self, slot: Slot) {
        if !self.overdue.contains(&slot) {
            self.overdue.push(slot);
        }
    }

    /// Whether there may be overdue jobs.
    #[inline]
    pub(crate) fn has_overdue(&self) -> bool {
        !self.overdue.is_empty()
    }

    /// Expects the jobs that are overdue at `now` to end a second later. Adds each to `told` with the end that was
    /// expected before.
    pub(crate) fn put_off(&mut self, now: Seconds, told: &mut Vec<Release>) {
        let (now, slots) = (now as f64, &mut self.slots);
        self.overdue.retain(|slot| {
            let running = &mut slots[slot.0 as usize];
            let is_overdue = running.end <= now;
            if is_overdue && running.told <= now {
                told.push(running.release());
                running.told = now + 1.0;
            }
            is_overdue
        });
    }

    /// The slot of a running job; none if it does not run.
    pub(crate) fn slot_of(&self, job: JobId) -> Option<Slot> {
        let is_it = |running: &RunningJob| running.job == job && running.processors > 0;
        self.slots.iter().position(is_it).map(|i| Slot(i as u32))
    }

    /// The running jobs, in no particular order.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> + '_ {
        self.slots.iter().filter(|running| running.processors > 0).map(|running| running.job)
    }

    /// The running jobs with their slots, in no particular order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Slot, &RunningJob)> {
        // the number of a slot has 32 bits
        let slots = self.slots.iter().zip(0..).map(|(running, i)| (Slot(i), running));
        slots.filter(|(_, running)| running.processors > 0)
    }

    /// The expected ends and the starts of the running jobs, in no particular order.
    pub fn started(&self) -> impl Iterator<Item = (Release, Seconds)> + '_ {
        self.slots.iter().filter(|running| running.processors > 0).map(|running| (running.release(), running.start))
    }

    /// The expected ends of the running jobs, as the scheduler was told, in no particular order.
    pub(crate) fn releases(&self) -> impl Iterator<Item = Release> + '_ {
        self.slots.iter().filter(|running| running.processors > 0).map(RunningJob::release)
    }
}

// A job in the queue.

/// A job in the queue, as a scheduler sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    pub job: JobId,
    pub submit: Seconds,
    pub processors: u32,
    /// The present estimate E of the run time, seconds, above 0; not whole if estimates are distorted.
    pub estimate: f64,
}

impl Waiting {
    /// Estimated area r E, processor-seconds.
    pub fn area(&self) -> f64 {
        f64::from(self.processors) * self.estimate
    }

    /// Whether the job and the time alone tell a variable of formulas.
    pub fn tells(variable: Variable) -> bool {
        use Variable::{Area, Estimate, Now, Processors, Submit, Wait};
        matches!(variable, Wait | Submit | Now | Estimate | Processors | Area)
    }

    /// The value of a variable that the job and the time alone tell ([`Waiting::tells`]); NaN for any other.
    #[inline(always)]
    pub fn value_of(&self, variable: Variable, now: Seconds) -> f64 {
        match variable {
            Variable::Wait => (now - self.submit) as f64,
            Variable::Submit => self.submit as f64,
            Variable::Now => now as f64,
            Variable::Estimate => self.estimate,
            Variable::Processors => f64::from(self.processors),
            Variable::Area => self.area(),
            _ => f64::NAN,
        }
    }
}

// Sets of jobs.

#[derive(Clone, Debug, Default)]
pub struct JobSet {
    words: Vec<u64>,
}

impl JobSet {
    pub fn insert(&mut self, job: JobId) {
        let (word, bit) = place(job);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
    }

    #[inline]
    pub fn remove(&mut self, job: JobId) {
        let (word, bit) = place(job);
        if let Some(word) = self.words.get_mut(word) {
            *word &= !bit;
        }
    }

    #[inline]
    pub fn contains(&self, job: JobId) -> bool {
        let (word, bit) = place(job);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// The word and the bit of a job.
#[inline]
fn place(job: JobId) -> (usize, u64) {
    (job.index() / 64, 1 << (job.index() % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_added_and_not_taken_out() {
        let mut set = JobSet::default();
        for job in [0, 63, 64, 500] {
            set.insert(JobId(job));
        }
        set.remove(JobId(63));
        set.remove(JobId(9_999));
        let has: Vec<u32> = (0..600).filter(|&job| set.contains(JobId(job))).collect();
        assert_eq!(has, [0, 64, 500]);
    }
}

//! A part of a queue.

use super::hole::Hole;
use super::needs::Needs;
use super::spot::Spot;
use crate::column::{Column, SPARE};
use crate::model::{Class, Waiting};
use crate::workload::JobId;
use std::cell::OnceCell;

/// Jobs of a block at most.
pub(super) const CAPACITY: usize = 128;

const ROOM: usize = CAPACITY + SPARE;

const _: () = assert!(CAPACITY <= 1 << u8::BITS, "a slot is a byte");

/// What stands where no job does.
const NOBODY: Waiting =
    Waiting { job: JobId(u32::MAX), submit: 0, processors: u32::MAX, estimate: f64::INFINITY, class: Class::Large };

/// Some jobs of a queue in its order, and what any of them needs at least.
///
/// Jobs stay in their slots: as others enter and leave, what moves is what they are looked through by.
#[derive(Clone, Debug)]
pub(super) struct Block {
    len: usize,
    narrowest: u32,
    /// The shortest estimate, or less: a block of few jobs is as soon looked through as measured.
    shortest: f64,
    /// The slot of each job.
    slots: Column<u8, ROOM>,
    /// The jobs' processors and estimates once more: these are looked through in every round.
    widths: Column<u32, ROOM>,
    estimates: Column<f64, ROOM>,
    /// The slots that no job has; behind them so many as there are jobs are not used.
    vacant: [u8; CAPACITY],
    spots: [Spot; CAPACITY],
    jobs: [Waiting; CAPACITY],
    /// What the jobs need, once it was asked for.
    needs: OnceCell<Needs>,
}

/// Where a slot is. None is higher: there is nothing to check.
#[inline]
fn place(slot: u8) -> usize {
    usize::from(slot) % CAPACITY
}

impl Default for Block {
    fn default() -> Self {
        Block {
            len: 0,
            narrowest: u32::MAX,
            shortest: f64::INFINITY,
            slots: Column::new(0),
            widths: Column::new(u32::MAX),
            estimates: Column::new(f64::INFINITY),
            vacant: std::array::from_fn(|i| (CAPACITY - 1 - i) as u8),
            spots: [Spot::LAST; CAPACITY],
            jobs: [NOBODY; CAPACITY],
            needs: OnceCell::new(),
        }
    }
}

impl Block {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.len() == CAPACITY
    }

    #[inline]
    fn slot(&self, index: usize) -> usize {
        place(self.slots[index])
    }

    /// The job at an index.
    #[inline]
    pub(super) fn job(&self, index: usize) -> &Waiting {
        &self.jobs[self.slot(index)]
    }

    /// The jobs.
    pub(super) fn jobs(&self) -> impl Iterator<Item = &Waiting> {
        (0..self.len).map(|index| self.job(index))
    }

    #[inline]
    pub(super) fn widths(&self) -> &[u32] {
        self.widths.first(self.len)
    }

    #[inline]
    pub(super) fn estimates(&self) -> &[f64] {
        self.estimates.first(self.len)
    }

    #[inline]
    pub(super) fn narrowest(&self) -> u32 {
        self.narrowest
    }

    #[inline]
    pub(super) fn spot(&self, index: usize) -> &Spot {
        &self.spots[self.slot(index)]
    }

    /// What the jobs need at least.
    #[inline]
    pub(super) fn needs(&self) -> &Needs {
        self.needs.get_or_init(|| Needs::of(self.widths().iter().copied().zip(self.estimates().iter().copied())))
    }

    /// Where the last job stands.
    #[inline]
    pub(super) fn last(&self) -> &Spot {
        self.spot(self.len() - 1)
    }

    /// The index of the first job that does not stand before `spot`.
    #[inline(always)] // most often it is the first or the last
    pub(super) fn index(&self, spot: Spot) -> usize {
        let slots = self.slots.first(self.len);
        let stands_before = |slot: u8| self.spots[place(slot)] < spot;
        match *slots {
            [first, ..] if !stands_before(first) => 0,
            [.., last] if stands_before(last) => self.len(),
            [.., before, _] if stands_before(before) => self.len() - 1,
            _ => slots.partition_point(|&slot| stands_before(slot)),
        }
    }

    #[inline(always)] // every job that waits comes by here
    pub(super) fn insert(&mut self, spot: Spot, job: Waiting) {
        let is_last = self.len() == 0 || *self.last() < spot;
        let index = if is_last { self.len() } else { self.index(spot) };
        self.put(index, spot, job);
        self.narrowest = self.narrowest.min(job.processors);
        self.shortest = self.shortest.min(job.estimate);
        if let Some(needs) = self.needs.get_mut() {
            needs.enter(&job);
        }
    }

    /// Puts a job at an index.
    #[inline(always)]
    fn put(&mut self, index: usize, spot: Spot, job: Waiting) {
        let slot = self.vacant[CAPACITY - 1 - self.len]; // the last of them
        (self.spots[place(slot)], self.jobs[place(slot)]) = (spot, job);
        self.slots.insert(index, self.len, slot);
        self.widths.insert(index, self.len, job.processors);
        self.estimates.insert(index, self.len, job.estimate);
        self.len += 1;
    }

    /// A job leaves its slot.
    #[inline(always)]
    fn vacate(&mut self, slot: u8) {
        self.len -= 1;
        self.vacant[CAPACITY - 1 - self.len] = slot;
    }

    pub(super) fn remove(&mut self, index: usize) -> Waiting {
        let job = *self.job(index);
        let slot = self.slots[index];
        self.slots.remove(index..index + 1, self.len);
        self.widths.remove(index..index + 1, self.len);
        self.estimates.remove(index..index + 1, self.len);
        self.vacate(slot);
        if self.needs.get().is_some_and(|needs| needs.rest_on(&job)) {
            self.needs.take();
        }
        if job.processors == self.narrowest {
            self.narrowest = self.widths().iter().copied().min().unwrap_or(u32::MAX);
        }
        if job.estimate == self.shortest && (self.len() >= CAPACITY / 4 || self.len() == 0) {
            self.measure();
        }
        job
    }

    /// Moves the upper half to `upper`, which has no jobs.
    pub(super) fn split_to(&mut self, upper: &mut Block) {
        let half = self.len / 2;
        for index in half..self.len {
            upper.put(index - half, *self.spot(index), *self.job(index));
        }
        for index in half..self.len {
            self.vacate(self.slots[index]);
        }
        upper.measure();
        self.measure();
    }

    /// Adds the jobs of the block behind this one.
    pub(super) fn append(&mut self, next: &Block) {
        for index in 0..next.len {
            self.put(self.len, *next.spot(index), *next.job(index));
        }
        self.narrowest = self.narrowest.min(next.narrowest);
        self.shortest = self.shortest.min(next.shortest);
        self.needs.take();
    }

    /// Holds these jobs, as many as it did, instead.
    pub(super) fn fill(&mut self, entries: &[(Spot, Waiting)]) {
        for (index, &(spot, job)) in entries.iter().enumerate() {
            let slot = self.slot(index);
            (self.spots[slot], self.jobs[slot]) = (spot, job);
            self.widths[index] = job.processors;
            self.estimates[index] = job.estimate;
        }
        self.measure();
    }

    /// Sets estimates, which `estimates` has in log order. `changed` is told of each that is another than
    /// before, and where the job stood then.
    pub(super) fn reestimate(&mut self, estimates: &[f64], mut changed: impl FnMut(Spot, &Waiting)) {
        for index in 0..self.len {
            let slot = self.slot(index);
            let (job, spot) = (&mut self.jobs[slot], self.spots[slot]);
            let estimate = estimates[job.job.index()];
            if job.estimate != estimate {
                (job.estimate, self.estimates[index]) = (estimate, estimate);
                changed(spot, job);
            }
        }
        self.measure();
    }

    fn measure(&mut self) {
        self.narrowest = self.widths().iter().copied().min().unwrap_or(u32::MAX);
        self.shortest = self.estimates().iter().copied().fold(f64::INFINITY, f64::min);
        self.needs.take();
    }

    /// The index of the first job from `index` on that is at most `width` wide.
    #[inline]
    pub(super) fn first_narrow(&self, index: usize, width: u32) -> Option<usize> {
        if *self.widths().get(index)? <= width {
            return Some(index);
        }
        if width < self.narrowest {
            return None;
        }
        self.widths().get(index..)?.iter().position(|&w| w <= width).map(|i| index + i)
    }

    /// The index of the first job from `index` on that could start now.
    #[inline]
    pub(super) fn first_fitting(&self, mut index: usize, hole: &Hole) -> Option<usize> {
        if !hole.takes(self.narrowest, self.shortest) {
            return None;
        }
        while let Some(next) = self.first_narrow(index, hole.width()) {
            if hole.takes(self.widths[next], self.estimates[next]) {
                return Some(next);
            }
            index = next + 1;
        }
        None
    }
}

//! A block of a queue.

use super::contenders::{BackfillWindow, Rank, ShortestByWidth};
use packfair_base::column::{FixedColumn, SPARE};
use packfair_engine::model::Waiting;
use packfair_workload::JobId;
use std::cell::OnceCell;

/// How many jobs a block holds at most.
pub(super) const CAPACITY: usize = 128;

const LEN: usize = CAPACITY + SPARE;

const _: () = assert!(CAPACITY <= 1 << u8::BITS, "a slot is a byte");

/// What unused slots hold.
const NOBODY: Waiting = Waiting { job: JobId(u32::MAX), submit: 0, processors: u32::MAX, estimate: f64::INFINITY };

/// Some jobs of a queue in its order, with bounds of their widths and estimates.
///
/// A job stays in its slot. When other jobs enter and leave, only the columns that searches go through are moved: slot,
/// width and estimate.
#[derive(Clone, Debug)]
pub(super) struct QueueBlock {
    len: usize,
    narrowest: u32,
    /// At most the shortest estimate. In a block of few jobs it is not kept exact, because searching these takes no
    /// longer.
    shortest: f64,
    slots: FixedColumn<u8, LEN>,
    /// The processors and estimates of the jobs, a second time, because searches go through these columns in every
    /// round.
    widths: FixedColumn<u32, LEN>,
    estimates: FixedColumn<f64, LEN>,
    /// Free slots, as a stack: the first `CAPACITY - len` entries are valid.
    vacant: [u8; CAPACITY],
    ranks: [Rank; CAPACITY],
    jobs: [Waiting; CAPACITY],
    /// The shortest jobs by width, computed when they are first needed.
    by_width: OnceCell<ShortestByWidth>,
}

/// A slot as an index. No slot exceeds the capacity, so the remainder changes nothing; it removes bounds checks.
#[inline]
fn slot_index(slot: u8) -> usize {
    usize::from(slot) % CAPACITY
}

impl Default for QueueBlock {
    fn default() -> Self {
        QueueBlock {
            len: 0,
            narrowest: u32::MAX,
            shortest: f64::INFINITY,
            slots: FixedColumn::new(0),
            widths: FixedColumn::new(u32::MAX),
            estimates: FixedColumn::new(f64::INFINITY),
            vacant: std::array::from_fn(|i| (CAPACITY - 1 - i) as u8),
            ranks: [Rank::LAST; CAPACITY],
            jobs: [NOBODY; CAPACITY],
            by_width: OnceCell::new(),
        }
    }
}

impl QueueBlock {
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
        slot_index(self.slots[index])
    }

    #[inline]
    pub(super) fn job(&self, index: usize) -> &Waiting {
        &self.jobs[self.slot(index)]
    }

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
    pub(super) fn rank(&self, index: usize) -> &Rank {
        &self.ranks[self.slot(index)]
    }

    #[inline]
    pub(super) fn shortest_by_width(&self) -> &ShortestByWidth {
        self.by_width
            .get_or_init(|| ShortestByWidth::of(self.widths().iter().copied().zip(self.estimates().iter().copied())))
    }

    #[inline]
    pub(super) fn last(&self) -> &Rank {
        self.rank(self.len() - 1)
    }

    /// The index of the first job whose rank is not before `rank`.
    #[inline(always)] // most often it is the first or the last
    pub(super) fn index(&self, rank: Rank) -> usize {
        let slots = self.slots.first(self.len);
        let is_before = |slot: u8| self.ranks[slot_index(slot)] < rank;
        match *slots {
            [first, ..] if !is_before(first) => 0,
            [.., last] if is_before(last) => self.len(),
            [.., before, _] if is_before(before) => self.len() - 1,
            _ => slots.partition_point(|&slot| is_before(slot)),
        }
    }

    #[inline(always)] // every job that waits passes here
    pub(super) fn insert(&mut self, rank: Rank, job: Waiting) {
        let is_last = self.len() == 0 || *self.last() < rank;
        let index = if is_last { self.len() } else { self.index(rank) };
        self.put(index, rank, job);
        self.narrowest = self.narrowest.min(job.processors);
        self.shortest = self.shortest.min(job.estimate);
        if let Some(by_width) = self.by_width.get_mut() {
            by_width.enter(&job);
        }
    }

    #[inline(always)]
    fn put(&mut self, index: usize, rank: Rank, job: Waiting) {
        let slot = self.vacant[CAPACITY - 1 - self.len]; // the last of the free slots
        (self.ranks[slot_index(slot)], self.jobs[slot_index(slot)]) = (rank, job);
        self.slots.insert(index, self.len, slot);
        self.widths.insert(index, self.len, job.processors);
        self.estimates.insert(index, self.len, job.estimate);
        self.len += 1;
    }

    /// Frees the slot of a job that leaves.
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
        if self.by_width.get().is_some_and(|by_width| by_width.depends_on(&job)) {
            self.by_width.take();
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
    pub(super) fn split_to(&mut self, upper: &mut QueueBlock) {
        let half = self.len / 2;
        for index in half..self.len {
            upper.put(index - half, *self.rank(index), *self.job(index));
        }
        for index in half..self.len {
            self.vacate(self.slots[index]);
        }
        upper.measure();
        self.measure();
    }

    pub(super) fn append(&mut self, next: &QueueBlock) {
        for index in 0..next.len {
            self.put(self.len, *next.rank(index), *next.job(index));
        }
        self.narrowest = self.narrowest.min(next.narrowest);
        self.shortest = self.shortest.min(next.shortest);
        self.by_width.take();
    }

    /// Replaces the jobs of the block by as many others.
    pub(super) fn fill(&mut self, entries: &[(Rank, Waiting)]) {
        for (index, &(rank, job)) in entries.iter().enumerate() {
            let slot = self.slot(index);
            (self.ranks[slot], self.jobs[slot]) = (rank, job);
            self.widths[index] = job.processors;
            self.estimates[index] = job.estimate;
        }
        self.measure();
    }

    /// Gives the jobs new ranks, listed in the present order of the jobs, and sorts the block by them.
    pub(super) fn reorder(&mut self, ranks: &[Rank]) {
        for (index, &rank) in ranks.iter().enumerate() {
            let slot = self.slot(index);
            self.ranks[slot] = rank;
        }
        let (slots, rank_of) = (self.slots.range_mut(0..self.len), |slot: u8| self.ranks[slot_index(slot)]);
        // the slots are in order but for a few, because few jobs pass others between two rounds
        for index in 1..slots.len() {
            let (slot, mut to) = (slots[index], index);
            let rank = rank_of(slot);
            while to > 0 && rank_of(slots[to - 1]) > rank {
                slots[to] = slots[to - 1];
                to -= 1;
            }
            slots[to] = slot;
        }
        // the jobs are the same, and so are the bounds of the block
        for index in 0..self.len {
            let Waiting { processors, estimate, .. } = *self.job(index);
            (self.widths[index], self.estimates[index]) = (processors, estimate);
        }
    }

    /// Sets estimates, which are indexed by log order. Calls `changed` for each job whose estimate changes, with its
    /// rank before.
    pub(super) fn reestimate(&mut self, estimates: &[f64], mut changed: impl FnMut(Rank, &Waiting)) {
        for index in 0..self.len {
            let slot = self.slot(index);
            let (job, rank) = (&mut self.jobs[slot], self.ranks[slot]);
            let estimate = estimates[job.job.index()];
            if job.estimate != estimate {
                (job.estimate, self.estimates[index]) = (estimate, estimate);
                changed(rank, job);
            }
        }
        self.measure();
    }

    fn measure(&mut self) {
        self.narrowest = self.widths().iter().copied().min().unwrap_or(u32::MAX);
        self.shortest = self.estimates().iter().copied().fold(f64::INFINITY, f64::min);
        self.by_width.take();
    }

    /// The index of the first job at `index` or later that is at most `width` wide.
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

    /// The index of the first job at `index` or later that the window admits, so that it could start now.
    #[inline]
    pub(super) fn first_fitting(&self, mut index: usize, window: &BackfillWindow) -> Option<usize> {
        if !window.admits(self.narrowest, self.shortest) {
            return None;
        }
        while let Some(next) = self.first_narrow(index, window.width()) {
            if window.admits(self.widths[next], self.estimates[next]) {
                return Some(next);
            }
            index = next + 1;
        }
        None
    }

    /// Checks what must hold of a block. Panics if it does not.
    #[cfg(debug_assertions)]
    pub(super) fn check(&self) {
        assert!(self.len > 0, "a block of a queue is empty");
        assert!((1..self.len).all(|index| self.rank(index - 1) < self.rank(index)), "jobs of a block are out of order");
        for (index, job) in self.jobs().enumerate() {
            assert_eq!((self.widths[index], self.estimates[index]), (job.processors, job.estimate));
            assert!(self.narrowest <= job.processors && self.shortest <= job.estimate, "{job:?} is beyond the bounds");
        }
    }
}

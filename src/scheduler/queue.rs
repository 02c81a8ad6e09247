//! A queue kept in an order.
//!
//! It is kept in blocks, of which is known what their jobs need at least: most of a long queue need not be
//! looked at to find who could start, and a job enters or leaves without moving all behind it.

use super::block::{Block, CAPACITY};
use super::hole::Hole;
use super::order::{Key, Order};
use super::spot::Spot;
use super::walk::Walk;
use crate::model::{Class, Waiting};
use crate::workload::Seconds;
use std::ops::RangeInclusive;

/// What comes first among jobs whose first key is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// The order's own second key, then log order (the list family).
    SecondKey,
    /// Log order at once (the EASY family).
    LogOrder,
    /// Log order too, but all small jobs stand before all large ones (CLASSIFY §5.1).
    SmallFirst,
}

/// The narrowest width of a queue without jobs: more than any machine has.
const NO_JOB: u32 = u32::MAX;

/// Waiting jobs in the order of their keys.
///
/// A *place* is where in the blocks a job is. Places ascend as the jobs do, hold until the queue changes,
/// and the one behind any is a place to go on from.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    order: Order,
    ties: Ties,
    /// None of them is empty.
    blocks: Vec<Box<Block>>,
    narrowest: u32,
    /// Blocks that were given up; kept for their memory.
    spare: Vec<Box<Block>>,
    /// What is being sorted; kept for its memory.
    entries: Vec<(Spot, Waiting)>,
}

impl Queue {
    pub(super) fn new(order: Order, ties: Ties) -> Self {
        Queue { order, ties, blocks: Vec::new(), narrowest: NO_JOB, spare: Vec::new(), entries: Vec::new() }
    }

    #[inline]
    fn key(&self, job: &Waiting, now: Seconds) -> Key {
        let (first, second) = self.order.key(job, now);
        match self.ties {
            Ties::SecondKey => (first, second),
            Ties::LogOrder => (first, 0.0),
            Ties::SmallFirst => (f64::from(u8::from(job.class == Class::Large)), first),
        }
    }

    /// Where a job stands, or would, at `now`.
    #[inline]
    pub(super) fn spot_of(&self, job: &Waiting, now: Seconds) -> Spot {
        Spot::new(self.key(job, now), job.job)
    }

    /// Whether a job would stand before all others.
    #[inline]
    pub(super) fn would_lead(&self, job: &Waiting, now: Seconds) -> bool {
        self.blocks.first().is_none_or(|first| self.spot_of(job, now) < *first.spot(0))
    }

    /// A job enters at `now`; where.
    pub(super) fn insert(&mut self, job: Waiting, now: Seconds) -> Spot {
        let spot = self.spot_of(&job, now);
        let at = self.block_of(spot);
        match self.blocks.get_mut(at) {
            Some(block) if !block.is_full() => {
                block.insert(spot, job);
            }
            // of a queue in order of arrival all blocks but the last stay full
            Some(block) if *block.last() < spot => self.begin_block(at + 1, spot, job),
            Some(block) => {
                let mut upper = self.spare.pop().unwrap_or_default();
                block.split_to(&mut upper);
                if *block.last() < spot { &mut upper } else { block }.insert(spot, job);
                self.blocks.insert(at + 1, upper);
            }
            None => self.begin_block(at, spot, job),
        }
        self.narrowest = self.narrowest.min(job.processors);
        spot
    }

    /// The block to which `spot` belongs: the last where it is behind all.
    #[inline]
    fn block_of(&self, spot: Spot) -> usize {
        let Some(last) = self.blocks.len().checked_sub(1) else { return 0 };
        self.blocks[..last].partition_point(|block| *block.last() < spot)
    }

    fn begin_block(&mut self, at: usize, spot: Spot, job: Waiting) {
        let mut block = self.spare.pop().unwrap_or_default();
        block.insert(spot, job);
        self.blocks.insert(at, block);
    }

    /// The place of the first job that does not stand before `spot`.
    #[inline(always)]
    pub(super) fn place(&self, spot: Spot) -> usize {
        let block = self.block_of(spot);
        block * CAPACITY + self.blocks.get(block).map_or(0, |block| block.index(spot))
    }

    /// Where the job at a place stands.
    #[inline]
    pub(super) fn spot(&self, place: usize) -> Spot {
        *self.blocks[place / CAPACITY].spot(place % CAPACITY)
    }

    /// Where the first job from a place on stands; where nobody does, behind the last.
    #[inline(always)]
    pub(super) fn spot_from(&self, place: usize) -> Spot {
        match (self.first_narrow(place, u32::MAX), self.blocks.last()) {
            (Some(place), _) => self.spot(place),
            (None, Some(block)) => block.last().next(),
            (None, None) => Spot::FIRST,
        }
    }

    /// Whether more than `count` jobs stand before a place.
    #[inline]
    pub(super) fn has_more_before(&self, place: usize, count: usize) -> bool {
        place > count && self.counts_more_before(place, count) // to no place there are more jobs than places
    }

    #[inline(never)]
    fn counts_more_before(&self, place: usize, count: usize) -> bool {
        let (last, index) = (place / CAPACITY, place % CAPACITY);
        let mut before = 0;
        for block in self.blocks.iter().take(last) {
            before += block.len();
            if before > count {
                return true;
            }
        }
        before + self.blocks.get(last).map_or(0, |block| index.min(block.len())) > count
    }

    /// Whether the order changes as time passes.
    pub(super) fn changes_with_time(&self) -> bool {
        self.order.depends_on_now()
    }

    /// Brings the order up to date, for keys that change as time passes. Whether they do.
    pub(super) fn refresh(&mut self, now: Seconds) -> bool {
        if !self.order.depends_on_now() {
            return false;
        }
        self.sort(now);
        true
    }

    /// Sets estimates, which `estimates` has in log order. Up to the returned spot the queue has the same jobs
    /// with the same estimates as before; none where it has throughout.
    pub(super) fn reestimate(&mut self, estimates: &[f64], now: Seconds) -> Option<Spot> {
        let (order, mut blocks) = (self.order, std::mem::take(&mut self.blocks));
        let mut changed: Option<Spot> = None;
        for block in &mut blocks {
            block.reestimate(estimates, |before, job| {
                let first = before.min(self.spot_of(job, now));
                changed = Some(changed.map_or(first, |changed| changed.min(first)));
            });
        }
        self.blocks = blocks;
        if changed.is_some() && order.depends_on_estimate() {
            self.sort(now);
        }
        changed
    }

    /// Sorts the jobs by their present keys.
    fn sort(&mut self, now: Seconds) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        for block in &self.blocks {
            entries.extend(block.jobs().map(|job| (self.spot_of(job, now), *job)));
        }
        entries.sort_unstable_by_key(|&(spot, _)| spot);
        let mut rest = &entries[..];
        for block in &mut self.blocks {
            let (these, others) = rest.split_at(block.len());
            block.fill(these);
            rest = others;
        }
        self.entries = entries;
    }

    /// Whether nobody waits.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Width of the narrowest job; [`NO_JOB`] where there is none.
    #[inline]
    pub(super) fn narrowest(&self) -> u32 {
        self.narrowest
    }

    /// The job at a place.
    #[inline]
    pub(super) fn job(&self, place: usize) -> Waiting {
        *self.blocks[place / CAPACITY].job(place % CAPACITY)
    }

    /// The first job.
    #[inline]
    pub(super) fn first(&self) -> Option<Waiting> {
        self.blocks.first().map(|block| *block.job(0))
    }

    /// The place of the first job from `place` on that is at most `width` wide.
    #[inline(always)] // most often it is in the first block
    pub(super) fn first_narrow(&self, place: usize, width: u32) -> Option<usize> {
        if width < self.narrowest {
            return None;
        }
        let (first, index) = (place / CAPACITY, place % CAPACITY);
        if let Some(index) = self.blocks.get(first)?.first_narrow(index, width) {
            return Some(first * CAPACITY + index);
        }
        let mut rest = self.blocks[first + 1..].iter().zip(first + 1..);
        rest.find_map(|(block, number)| Some(number * CAPACITY + block.first_narrow(0, width)?))
    }

    /// A walk through the jobs from `place` on.
    #[inline(always)]
    pub(super) fn walk(&self, place: usize) -> Walk<'_> {
        Walk::new(&self.blocks, place)
    }

    /// The place of the first job from `place` on that could start now.
    #[inline(always)]
    pub(super) fn first_fitting(&self, place: usize, hole: &Hole) -> Option<usize> {
        if hole.width() < self.narrowest {
            return None;
        }
        let (first, index) = (place / CAPACITY, place % CAPACITY);
        if let Some(index) = self.blocks.get(first)?.first_fitting(index, hole) {
            return Some(first * CAPACITY + index);
        }
        if first + 1 < self.blocks.len() { self.first_fitting_behind(first + 1, hole) } else { None }
    }

    /// The place of the first job from the block `number` on that could start now.
    #[inline(never)]
    fn first_fitting_behind(&self, number: usize, hole: &Hole) -> Option<usize> {
        let mut rest = self.blocks[number..].iter().zip(number..).filter(|(block, _)| hole.might_take(block.needs()));
        rest.find_map(|(block, number)| Some(number * CAPACITY + block.first_fitting(0, hole)?))
    }

    /// Whether a job of such a width stands before `job`, or would if that were in the queue: by the keys of `now`, also
    /// where the queue was not brought up to date.
    pub(super) fn has_before(&self, job: &Waiting, widths: RangeInclusive<u32>, now: Seconds) -> bool {
        let own = self.spot_of(job, now);
        let blocks = self.blocks.iter().filter(|block| block.narrowest() <= *widths.end());
        let mut jobs = blocks.flat_map(|block| block.jobs()).filter(|other| widths.contains(&other.processors));
        jobs.any(|other| self.spot_of(other, now) < own)
    }

    /// The jobs in the order of their keys at `now`, also where it was not brought up to date.
    pub(super) fn ordered(&self, now: Seconds) -> Vec<Waiting> {
        let mut jobs: Vec<Waiting> = self.blocks.iter().flat_map(|block| block.jobs()).copied().collect();
        if self.order.depends_on_now() {
            jobs.sort_by_cached_key(|job| self.spot_of(job, now));
        }
        jobs
    }

    /// Takes out the jobs at these places, which ascend.
    pub(super) fn remove(&mut self, places: &[usize]) {
        let mut narrowest_goes = false;
        for &place in places.iter().rev() {
            let number = place / CAPACITY;
            let block = &mut self.blocks[number];
            narrowest_goes |= block.remove(place % CAPACITY).processors == self.narrowest;
            if block.len() == 0 {
                let empty = self.blocks.remove(number);
                self.spare.push(empty);
            } else if block.len() < CAPACITY / 4
                && let Some(next) = self.blocks.get(number + 1)
                && next.len() < CAPACITY / 4
            {
                let next = self.blocks.remove(number + 1);
                self.blocks[number].append(&next);
            }
        }
        if narrowest_goes {
            self.narrowest = self.blocks.iter().map(|block| block.narrowest()).min().unwrap_or(NO_JOB);
        }
    }

    /// Takes out one job, which must be in the queue. Keys that change as time passes are those of `now`.
    pub(super) fn remove_job(&mut self, job: &Waiting, now: Seconds) {
        let is_first = self.first().is_some_and(|first| first.job == job.job);
        let place = if is_first { 0 } else { self.place(self.spot_of(job, now)) };
        debug_assert_eq!(self.job(place).job, job.job);
        self.remove(&[place]);
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
#[path = "queue_tests.rs"]
mod tests;

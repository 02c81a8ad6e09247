//! The steps of a profile.
//!
//! Steps are kept in blocks, each with bounds of its levels. So a search skips most blocks of a long profile, and a
//! long reservation changes whole blocks at once. A short profile is one block.

mod search;

use super::block::ProfileBlock;
#[cfg(debug_assertions)]
use std::ops::RangeInclusive;

/// The place of a step: a block, and an index in it. The index after the last step of a block stands for the first step
/// of the next block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepPlace {
    block: usize,
    index: usize,
}

impl StepPlace {
    pub(in crate::scheduler) const FIRST: StepPlace = StepPlace { block: 0, index: 0 };

    #[inline]
    pub(super) fn next(self) -> StepPlace {
        StepPlace { index: self.index + 1, ..self }
    }

    #[inline]
    fn in_first(index: usize) -> StepPlace {
        StepPlace { block: 0, index }
    }
}

/// Steps, each with the time at which it begins and its level. Times strictly increase.
#[derive(Debug, Default)]
pub(super) struct ProfileSteps {
    blocks: Vec<ProfileBlock>,
}

impl Clone for ProfileSteps {
    fn clone(&self) -> Self {
        ProfileSteps { blocks: self.blocks.clone() }
    }

    /// Copies `other` into the memory of these steps.
    fn clone_from(&mut self, other: &Self) {
        self.blocks.clone_from(&other.blocks);
    }
}

impl ProfileSteps {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Adds a step after all others.
    pub(super) fn push(&mut self, time: f64, level: i32) {
        match self.blocks.last_mut() {
            Some(block) if !block.is_filled() => block.push(time, level),
            _ => self.blocks.push(ProfileBlock::new(time, level)),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (f64, i32)> + '_ {
        self.blocks.iter().flat_map(ProfileBlock::steps)
    }

    #[inline]
    pub(super) fn begin(&self) -> f64 {
        self.blocks[0].begin()
    }

    #[inline]
    pub(super) fn time(&self, StepPlace { block, index }: StepPlace) -> f64 {
        self.blocks[block].times()[index]
    }

    #[inline]
    pub(super) fn level(&self, StepPlace { block, index }: StepPlace) -> i32 {
        self.blocks[block].level(index)
    }

    /// The place of the last step that begins at `at` or before. The first step must begin by then.
    #[inline(always)]
    pub(super) fn place(&self, at: f64) -> StepPlace {
        let block = self.block(at);
        let index = self.blocks[block].index(at);
        let begins = self.blocks[block].times().get(index) == Some(&at);
        StepPlace { block, index: if begins { index } else { index - 1 } }
    }

    /// The number of the last block that begins at `at` or before.
    #[inline]
    fn block(&self, at: f64) -> usize {
        self.blocks[1..].partition_point(|block| block.begin() <= at)
    }

    /// The place of the step that begins at `at`; it is inserted if there is none. `at` must not be before the first
    /// step.
    pub(super) fn split(&mut self, at: f64) -> StepPlace {
        let block = self.block(at);
        let index = self.blocks[block].index(at);
        if self.blocks[block].times().get(index) == Some(&at) {
            return StepPlace { block, index };
        }
        self.split_at(StepPlace { block, index }, at)
    }

    /// Like [`ProfileSteps::split`], where the place is known. A step of the same block must come before it.
    #[inline]
    pub(super) fn split_before(&mut self, place: StepPlace, at: f64) -> StepPlace {
        let StepPlace { block, index } = place;
        let begins = match self.blocks[block].times().get(index) {
            Some(&time) => time == at,
            None => self.blocks.get(block + 1).is_some_and(|next| next.begin() == at),
        };
        if begins { place } else { self.split_at(place, at) }
    }

    fn split_at(&mut self, place: StepPlace, at: f64) -> StepPlace {
        let StepPlace { mut block, mut index } = place;
        if self.blocks[block].is_full() {
            let upper = self.blocks[block].halve();
            self.blocks.insert(block + 1, upper);
            // a step of the same block must come before it
            if let Some(in_upper @ 1..) = index.checked_sub(self.blocks[block].len()) {
                (block, index) = (block + 1, in_upper);
            }
        }
        self.blocks[block].split(index, at);
        StepPlace { block, index }
    }

    /// The present place of a step whose place was found before a later step was split.
    #[inline]
    pub(super) fn settled(&self, StepPlace { block, index }: StepPlace) -> StepPlace {
        match index.checked_sub(self.blocks[block].len()) {
            Some(index) => StepPlace { block: block + 1, index },
            None => StepPlace { block, index },
        }
    }

    /// Removes a step if it has the same level as the step before it.
    pub(super) fn merge(&mut self, StepPlace { block, index }: StepPlace) {
        let level = match (index.checked_sub(1), block.checked_sub(1)) {
            (Some(before), _) => self.blocks[block].level(before),
            (None, Some(before)) => self.blocks[before].level(self.blocks[before].len() - 1),
            (None, None) => return,
        };
        let this = &mut self.blocks[block];
        if this.level(index) != level {
            return;
        }
        if this.len() == 1 {
            self.blocks.remove(block);
            return;
        }
        this.remove(index);
        if this.is_sparse()
            && let [this, next, ..] = &mut self.blocks[block..]
            && this.append(next)
        {
            self.blocks.remove(block + 1);
        }
    }

    /// The first block, if the time `at` falls into it and it can take another step.
    #[inline]
    fn first_until(&mut self, at: f64) -> Option<&mut ProfileBlock> {
        let is_there = self.blocks.get(1).is_none_or(|second| second.begin() > at) && !self.blocks[0].is_full();
        is_there.then(|| &mut self.blocks[0])
    }

    /// Subtracts `by` from the levels up to the time `end`.
    pub(super) fn lower_until(&mut self, end: f64, by: i32) {
        if let Some(first) = self.first_until(end) {
            first.lower_until(end, by);
        } else {
            self.lower_across(end, by);
        }
    }

    /// Does what [`ProfileSteps::lower_until`] does, where several blocks change or the first is full.
    #[inline(never)]
    fn lower_across(&mut self, end: f64, by: i32) {
        let last = self.split(end);
        self.lower(StepPlace::FIRST, last, by);
        self.merge(last);
    }

    /// Adds `by` to the levels up to the time `end`.
    pub(super) fn raise_until(&mut self, end: f64, by: i32) {
        if let Some(first) = self.first_until(end) {
            first.raise_until(end, by);
        } else {
            self.raise_across(end, by);
        }
    }

    /// Does what [`ProfileSteps::raise_until`] does, where several blocks change or the first is full.
    #[inline(never)]
    fn raise_across(&mut self, end: f64, by: i32) {
        let last = self.split(end);
        self.raise(StepPlace::FIRST, last, by);
        self.merge(last);
    }

    /// Subtracts `by` from the levels from the step `first` up to the time `end`. A step begins there, at the place
    /// `after`, or is inserted. Returns a lower bound of the new levels.
    #[inline(always)]
    pub(super) fn take(&mut self, first: StepPlace, after: StepPlace, end: f64, by: i32) -> i32 {
        let is_last = after.block + 1 == self.blocks.len();
        let this = &mut self.blocks[after.block];
        if first.block == after.block && !this.is_full() && (is_last || after.index < this.len()) {
            return this.take(first.index..after.index, end, by);
        }
        self.take_across(first, after, end, by)
    }

    /// Does what [`ProfileSteps::take`] does, where several blocks change, or a full block might have to take another
    /// step.
    #[inline(never)]
    fn take_across(&mut self, first: StepPlace, after: StepPlace, end: f64, by: i32) -> i32 {
        let after = self.split_before(after, end);
        let first = self.settled(first);
        self.lower(first, after, by)
    }

    /// Subtracts `by` from the levels from one step up to another. Returns a lower bound of the new levels.
    pub(super) fn lower(&mut self, from: StepPlace, to: StepPlace, by: i32) -> i32 {
        let [first, between @ .., last] = &mut self.blocks[from.block..=to.block] else {
            return self.blocks[to.block].lower(from.index..to.index, by);
        };
        let mut least = first.lower(from.index..first.len(), by);
        for block in between {
            least = least.min(block.lower_all(by));
        }
        least.min(last.lower(0..to.index, by))
    }

    /// Adds `by` to the levels from one step up to another.
    pub(super) fn raise(&mut self, from: StepPlace, to: StepPlace, by: i32) {
        let mut first = from.index;
        for block in &mut self.blocks[from.block..to.block] {
            block.raise(first..block.len(), by);
            first = 0;
        }
        self.blocks[to.block].raise(first..to.index, by);
    }

    /// Removes the steps that end at or before `now`. The first step that is left then begins at `now`.
    #[inline(always)]
    pub(super) fn begin_at(&mut self, now: f64) {
        if self.blocks.get(1).is_some_and(|second| second.begin() <= now) {
            self.blocks.drain(..self.block(now));
        }
        if let Some(first) = self.blocks.first_mut() {
            first.begin_at(now);
        }
    }

    /// Checks what must hold of steps whose levels lie in this range. Panics if it does not.
    #[cfg(debug_assertions)]
    pub(super) fn check(&self, levels: RangeInclusive<i32>) {
        assert!(self.blocks.iter().all(|block| block.len() > 0), "a block of a profile is empty");
        self.blocks.iter().for_each(ProfileBlock::check);
        let times = self.iter().map(|(time, _)| time);
        assert!(times.is_sorted_by(|a, b| a < b), "steps of a profile are out of order");
        assert!(
            self.iter().all(|(_, level)| levels.contains(&level)),
            "more processors are free than there are, or fewer"
        );
    }
}

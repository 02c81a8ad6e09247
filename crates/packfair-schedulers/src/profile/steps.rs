//! The steps of a profile.
//!
//! Steps are kept in blocks, each with bounds of its levels. So a search skips most blocks of a long profile, and a
//! long reservation changes whole blocks at once. A short profile is one block.

use super::block::ProfileBlock;
use crate::profile::SpanSearch;
use crate::profile::block::{Levels, StepSpan, longer};
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
    pub(crate) const FIRST: StepPlace = StepPlace { block: 0, index: 0 };

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

// Searches among the steps of a profile.

impl ProfileSteps {
    /// The first span of `duration` seconds, at `from` or later, with levels of at least `least`, if it begins before
    /// `until`.
    #[inline(always)] // a round does this more than anything else
    pub(in crate::profile) fn earliest(
        &mut self,
        from: StepPlace,
        until: f64,
        least: i32,
        duration: f64,
    ) -> SpanSearch<StepSpan<StepPlace>> {
        if let [only] = &self.blocks[..] {
            debug_assert_eq!(from.block, 0);
            return match only.earliest(from.index, until, least, duration) {
                SpanSearch::Found(StepSpan { begin, first, after }) => {
                    let (first, after) = (StepPlace::in_first(first), StepPlace::in_first(after));
                    SpanSearch::Found(StepSpan { begin, first, after })
                }
                SpanSearch::NoneLongerThan(longest) => SpanSearch::NoneLongerThan(longest),
            };
        }
        self.earliest_across(from, until, least, duration)
    }

    /// Does what [`ProfileSteps::earliest`] does, where there are several blocks.
    #[inline(never)]
    fn earliest_across(
        &mut self,
        from: StepPlace,
        until: f64,
        least: i32,
        duration: f64,
    ) -> SpanSearch<StepSpan<StepPlace>> {
        let (mut from, mut longest) = (from, 0.0);
        loop {
            let Some(first) = self.first_high(from, least) else { return SpanSearch::NoneLongerThan(longest) };
            let begin = self.time(first);
            if begin >= until {
                return SpanSearch::NoneLongerThan(longest);
            }
            match self.first_low_across(first.next(), begin + duration, least) {
                Levels::Hold(after) => return SpanSearch::Found(StepSpan { begin, first, after }),
                Levels::LowAt(low) => {
                    longest = longer(longest, begin, self.time(low));
                    from = low.next();
                }
            }
        }
    }

    /// The place of the first step at `from` or later with a level of at least `least`.
    #[inline(always)]
    pub(in crate::profile) fn first_high(&mut self, from: StepPlace, least: i32) -> Option<StepPlace> {
        let StepPlace { mut block, mut index } = from;
        loop {
            let this = self.blocks.get_mut(block)?;
            if this.most() >= least
                && let Some(index) = this.first_high(index, least)
            {
                return Some(StepPlace { block, index });
            }
            (block, index) = (block + 1, 0);
        }
    }

    /// Like [`ProfileSteps::first_high`], but only a step that begins before `until`.
    pub(in crate::profile) fn first_high_before(
        &mut self,
        from: StepPlace,
        until: f64,
        least: i32,
    ) -> Option<StepPlace> {
        let StepPlace { mut block, mut index } = from;
        loop {
            let this = self.blocks.get_mut(block).filter(|this| this.begin() < until)?;
            if this.most() >= least
                && let Some(index) = this.first_high(index, least)
            {
                return (this.times()[index] < until).then_some(StepPlace { block, index });
            }
            (block, index) = (block + 1, 0);
        }
    }

    /// The lowest and the highest level over [begin, end), which must not be empty or begin before the first step.
    pub(in crate::profile) fn levels_within(&self, begin: f64, end: f64) -> (i32, i32) {
        let StepPlace { block: first, index } = self.place(begin);
        let (mut least, mut most, mut index) = (i32::MAX, i32::MIN, index);
        for block in self.blocks[first..].iter().take_while(|block| block.begin() < end) {
            for (_, level) in block.steps().skip(index).take_while(|(time, _)| *time < end) {
                (least, most) = (least.min(level), most.max(level));
            }
            index = 0;
        }
        (least, most)
    }

    /// Since when levels have been at least `least` up to the step at `place`. Examines at most `looks` steps. Returns
    /// minus infinity if these do not suffice.
    pub(in crate::profile) fn high_since(&self, place: StepPlace, least: i32, looks: usize) -> f64 {
        let StepPlace { mut block, mut index } = place;
        let mut since = self.time(place);
        for _ in 0..looks {
            if index == 0 {
                if block == 0 {
                    return since;
                }
                block -= 1;
                index = self.blocks[block].len();
            }
            index -= 1;
            if self.blocks[block].level(index) < least {
                return since;
            }
            since = self.blocks[block].times()[index];
        }
        f64::NEG_INFINITY
    }

    /// Whether all steps at `from` or later that begin before `until` have a level of at least `least`.
    #[inline(always)] // in a short profile a call would cost as much
    pub(in crate::profile) fn first_low(&mut self, from: StepPlace, until: f64, least: i32) -> Levels<StepPlace> {
        if let [only] = &mut self.blocks[..] {
            debug_assert_eq!(from.block, 0);
            return only.first_low(from.index, until, least).map(StepPlace::in_first);
        }
        self.first_low_across(from, until, least)
    }

    /// Does what [`ProfileSteps::first_low`] does, where there are several blocks.
    #[inline(always)]
    fn first_low_across(&mut self, from: StepPlace, until: f64, least: i32) -> Levels<StepPlace> {
        let StepPlace { mut block, mut index } = from;
        loop {
            let next = self.blocks.get(block + 1).map_or(f64::INFINITY, ProfileBlock::begin);
            let this = &mut self.blocks[block];
            if next >= until || this.least() < least {
                match this.first_low(index, until, least) {
                    Levels::LowAt(index) => return Levels::LowAt(StepPlace { block, index }),
                    Levels::Hold(index) if next >= until => return Levels::Hold(StepPlace { block, index }),
                    Levels::Hold(_) => {}
                }
            }
            (block, index) = (block + 1, 0);
        }
    }

    /// Visits the steps with a level below `least`, each lower than all visited before, until `visit` returns false.
    pub(in crate::profile) fn descend(&self, mut least: i32, mut visit: impl FnMut(f64, i32) -> bool) {
        for block in self.blocks.iter() {
            if block.least() < least {
                for (time, level) in block.steps() {
                    if level < least {
                        least = level;
                        if !visit(time, level) {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// An upper bound of the levels of steps at `from` or later that begin before `until`; 0 if none does.
    pub(in crate::profile) fn most_before(&self, from: StepPlace, until: f64) -> i32 {
        let StepPlace { mut block, mut index } = from;
        let mut most = 0;
        while self.blocks.get(block + 1).is_some_and(|next| next.begin() < until) {
            most = most.max(self.blocks[block].most());
            (block, index) = (block + 1, 0);
        }
        most.max(self.blocks[block].most_before(index, until))
    }
}

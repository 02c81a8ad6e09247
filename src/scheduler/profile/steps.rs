//! The steps of a profile.
//!
//! They are kept in blocks, of which is known between which levels they stay: most of a long profile is neither
//! looked at to find a place, nor touched one by one where a long reservation is made. A short one is one block.

use super::block::{Block, CAPACITY, Fit, longer};

/// Where a step is. One that is behind the last of its block stands for the beginning of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    block: usize,
    index: usize,
}

impl Place {
    pub(super) const FIRST: Place = Place { block: 0, index: 0 };

    #[inline]
    pub(super) fn next(self) -> Place {
        Place { index: self.index + 1, ..self }
    }

    /// In the first block.
    #[inline]
    fn in_first(index: usize) -> Place {
        Place { block: 0, index }
    }

    /// A step's place as one number.
    #[inline]
    pub(super) fn number(self) -> usize {
        self.block * CAPACITY + self.index
    }

    /// The place of that number.
    #[inline]
    pub(super) fn numbered(number: usize) -> Place {
        Place { block: number / CAPACITY, index: number % CAPACITY }
    }
}

/// Steps, each with the time at which it begins and its level. Times strictly increase.
#[derive(Debug, Default)]
pub(super) struct Steps {
    blocks: Vec<Block>,
}

impl Clone for Steps {
    fn clone(&self) -> Self {
        Steps { blocks: self.blocks.clone() }
    }

    /// Keeps its memory.
    fn clone_from(&mut self, other: &Self) {
        self.blocks.clone_from(&other.blocks);
    }
}

impl Steps {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Adds a step behind all others.
    pub(super) fn push(&mut self, time: f64, level: u32) {
        match self.blocks.last_mut() {
            Some(block) if !block.is_filled() => block.push(time, level),
            _ => self.blocks.push(Block::new(time, level)),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        self.blocks.iter().flat_map(Block::steps)
    }

    /// When the first step begins.
    #[inline]
    pub(super) fn begin(&self) -> f64 {
        self.blocks[0].begin()
    }

    /// When a step begins.
    #[inline]
    pub(super) fn time(&self, Place { block, index }: Place) -> f64 {
        self.blocks[block].times()[index]
    }

    #[inline]
    pub(super) fn level(&self, Place { block, index }: Place) -> u32 {
        self.blocks[block].level(index)
    }

    /// The place of the last step that begins at `at` or before; the first does.
    #[inline(always)]
    pub(super) fn place(&self, at: f64) -> Place {
        let block = self.block(at);
        let index = self.blocks[block].index(at);
        let begins = self.blocks[block].times().get(index) == Some(&at);
        Place { block, index: if begins { index } else { index - 1 } }
    }

    /// The last block that begins at `at` or before.
    #[inline]
    fn block(&self, at: f64) -> usize {
        self.blocks[1..].partition_point(|block| block.begin() <= at)
    }

    /// The place of the step that begins at `at`, which is made if there is none; the first begins there or before.
    pub(super) fn split(&mut self, at: f64) -> Place {
        let block = self.block(at);
        let index = self.blocks[block].index(at);
        if self.blocks[block].times().get(index) == Some(&at) {
            return Place { block, index };
        }
        self.split_at(Place { block, index }, at)
    }

    /// The same, where the place is known at which it is or is to be: behind a step of the same block.
    #[inline]
    pub(super) fn split_before(&mut self, place: Place, at: f64) -> Place {
        let Place { block, index } = place;
        let begins = match self.blocks[block].times().get(index) {
            Some(&time) => time == at,
            None => self.blocks.get(block + 1).is_some_and(|next| next.begin() == at),
        };
        if begins { place } else { self.split_at(place, at) }
    }

    fn split_at(&mut self, place: Place, at: f64) -> Place {
        let Place { mut block, mut index } = place;
        if self.blocks[block].is_full() {
            let upper = self.blocks[block].halve();
            self.blocks.insert(block + 1, upper);
            // a step of the same block must come before it
            if let Some(in_upper @ 1..) = index.checked_sub(self.blocks[block].len()) {
                (block, index) = (block + 1, in_upper);
            }
        }
        self.blocks[block].split(index, at);
        Place { block, index }
    }

    /// Where a step is that was at `place` before one behind it was split.
    #[inline]
    pub(super) fn settled(&self, Place { block, index }: Place) -> Place {
        match index.checked_sub(self.blocks[block].len()) {
            Some(index) => Place { block: block + 1, index },
            None => Place { block, index },
        }
    }

    /// Takes out a step where it has the level of the one before it.
    pub(super) fn merge(&mut self, Place { block, index }: Place) {
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

    /// Where levels are first at least `least` for `duration`, if that is at the step `from` or behind it and begins
    /// before `until`. Otherwise for how long, at most, they are.
    #[inline(always)] // it is what a round does most
    pub(super) fn earliest(&mut self, from: Place, until: f64, least: u32, duration: f64) -> Result<Fit<Place>, f64> {
        if let [only] = &self.blocks[..] {
            debug_assert_eq!(from.block, 0);
            let Fit { begin, first, after } = only.earliest(from.index, until, least, duration)?;
            return Ok(Fit { begin, first: Place::in_first(first), after: Place::in_first(after) });
        }
        self.earliest_across(from, until, least, duration)
    }

    /// The same, where there are several blocks.
    #[inline(never)]
    fn earliest_across(&mut self, from: Place, until: f64, least: u32, duration: f64) -> Result<Fit<Place>, f64> {
        let (mut from, mut longest) = (from, 0.0);
        loop {
            let first = self.first_high(from, least).ok_or(longest)?;
            let begin = self.time(first);
            if begin >= until {
                return Err(longest);
            }
            match self.first_low_across(first.next(), begin + duration, least) {
                Ok(after) => return Ok(Fit { begin, first, after }),
                Err(low) => {
                    longest = longer(longest, begin, self.time(low));
                    from = low.next();
                }
            }
        }
    }

    /// The place of the first step from `from` on with a level of at least `least`.
    #[inline(always)]
    pub(super) fn first_high(&mut self, from: Place, least: u32) -> Option<Place> {
        let Place { mut block, mut index } = from;
        loop {
            let this = self.blocks.get_mut(block)?;
            if this.most() >= least
                && let Some(index) = this.first_high(index, least)
            {
                return Some(Place { block, index });
            }
            (block, index) = (block + 1, 0);
        }
    }

    /// The same, if that step begins before `until`; none where it does not.
    pub(super) fn first_high_before(&mut self, from: Place, until: f64, least: u32) -> Option<Place> {
        let Place { mut block, mut index } = from;
        loop {
            let this = self.blocks.get_mut(block).filter(|this| this.begin() < until)?;
            if this.most() >= least
                && let Some(index) = this.first_high(index, least)
            {
                return (this.times()[index] < until).then_some(Place { block, index });
            }
            (block, index) = (block + 1, 0);
        }
    }

    /// The lowest and the highest level over [begin, end), which is not empty and begins with the first step or later.
    pub(super) fn levels_within(&self, begin: f64, end: f64) -> (u32, u32) {
        let Place { block: first, index } = self.place(begin);
        let (mut least, mut most, mut index) = (u32::MAX, 0, index);
        for block in self.blocks[first..].iter().take_while(|block| block.begin() < end) {
            for (_, level) in block.steps().skip(index).take_while(|(time, _)| *time < end) {
                (least, most) = (least.min(level), most.max(level));
            }
            index = 0;
        }
        (least, most)
    }

    /// When levels begin to be at least `least` up to the step at `place`, of which so many are looked at: minus
    /// infinity where it is none of these.
    pub(super) fn high_since(&self, place: Place, least: u32, looks: usize) -> f64 {
        let Place { mut block, mut index } = place;
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

    /// The place behind the last step that begins before `until`, where all from `from` on have a level of at
    /// least `least`; otherwise that of the first that has not.
    #[inline(always)] // in a short profile there is little more to it than the call
    pub(super) fn first_low(&mut self, from: Place, until: f64, least: u32) -> Result<Place, Place> {
        if let [only] = &mut self.blocks[..] {
            debug_assert_eq!(from.block, 0);
            return only.first_low(from.index, until, least).map(Place::in_first).map_err(Place::in_first);
        }
        self.first_low_across(from, until, least)
    }

    /// The same, where there are several blocks.
    #[inline(always)]
    fn first_low_across(&mut self, from: Place, until: f64, least: u32) -> Result<Place, Place> {
        let Place { mut block, mut index } = from;
        loop {
            let next = self.blocks.get(block + 1).map_or(f64::INFINITY, Block::begin);
            let this = &mut self.blocks[block];
            if next >= until || this.least() < least {
                match this.first_low(index, until, least) {
                    Err(index) => return Err(Place { block, index }),
                    Ok(index) if next >= until => return Ok(Place { block, index }),
                    Ok(_) => {}
                }
            }
            (block, index) = (block + 1, 0);
        }
    }

    /// Goes through the steps with a level below `least`, each lower than those before, as long as `visit` says to.
    pub(super) fn descend(&self, mut least: u32, mut visit: impl FnMut(f64, u32) -> bool) {
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

    /// At least the highest level of a step from `from` on that begins before `until`; 0 where none does.
    pub(super) fn most_before(&self, from: Place, until: f64) -> u32 {
        let Place { mut block, mut index } = from;
        let mut most = 0;
        while self.blocks.get(block + 1).is_some_and(|next| next.begin() < until) {
            most = most.max(self.blocks[block].most());
            (block, index) = (block + 1, 0);
        }
        most.max(self.blocks[block].most_before(index, until))
    }

    /// The first block, if it has room for a step and `at` falls into it.
    #[inline]
    fn first_until(&mut self, at: f64) -> Option<&mut Block> {
        let is_there = self.blocks.get(1).is_none_or(|second| second.begin() > at) && !self.blocks[0].is_full();
        is_there.then(|| &mut self.blocks[0])
    }

    /// Lowers levels, none of which is less than `by`, from the first step up to `end`, which is behind its beginning.
    pub(super) fn lower_until(&mut self, end: f64, by: u32) {
        if let Some(first) = self.first_until(end) {
            first.lower_until(end, by);
        } else {
            self.lower_across(end, by);
        }
    }

    /// The same, where the first block does not do: there are others up to `end`, or it is full.
    #[inline(never)]
    fn lower_across(&mut self, end: f64, by: u32) {
        let last = self.split(end);
        self.lower(Place::FIRST, last, by);
        self.merge(last);
    }

    /// Raises levels from the first step up to `end`, which is behind its beginning.
    pub(super) fn raise_until(&mut self, end: f64, by: u32) {
        if let Some(first) = self.first_until(end) {
            first.raise_until(end, by);
        } else {
            self.raise_across(end, by);
        }
    }

    /// The same, where the first block does not do: there are others up to `end`, or it is full.
    #[inline(never)]
    fn raise_across(&mut self, end: f64, by: u32) {
        let last = self.split(end);
        self.raise(Place::FIRST, last, by);
        self.merge(last);
    }

    /// Lowers levels, none of which is less than `by`, from a step up to `end`: there a step begins, or is to begin, at
    /// the place `after`. None of them is then below what is returned.
    #[inline(always)]
    pub(super) fn take(&mut self, first: Place, after: Place, end: f64, by: u32) -> u32 {
        let is_last = after.block + 1 == self.blocks.len();
        let this = &mut self.blocks[after.block];
        if first.block == after.block && !this.is_full() && (is_last || after.index < this.len()) {
            return this.take(first.index..after.index, end, by);
        }
        self.take_across(first, after, end, by)
    }

    /// The same, where that is in several blocks, or a step might have to begin in a full one.
    #[inline(never)]
    fn take_across(&mut self, first: Place, after: Place, end: f64, by: u32) -> u32 {
        let after = self.split_before(after, end);
        let first = self.settled(first);
        self.lower(first, after, by)
    }

    /// Lowers levels, none of which is less than `by`, from one step up to another. None of them is then below
    /// what is returned.
    pub(super) fn lower(&mut self, from: Place, to: Place, by: u32) -> u32 {
        let [first, between @ .., last] = &mut self.blocks[from.block..=to.block] else {
            return self.blocks[to.block].lower(from.index..to.index, by);
        };
        let mut least = first.lower(from.index..first.len(), by);
        for block in between {
            least = least.min(block.lower_all(by));
        }
        least.min(last.lower(0..to.index, by))
    }

    /// Raises the levels from one step up to another.
    pub(super) fn raise(&mut self, from: Place, to: Place, by: u32) {
        let mut first = from.index;
        for block in &mut self.blocks[from.block..to.block] {
            block.raise(first..block.len(), by);
            first = 0;
        }
        self.blocks[to.block].raise(first..to.index, by);
    }

    /// The steps that end by `now` are past: the first that is left begins then.
    #[inline(always)]
    pub(super) fn begin_at(&mut self, now: f64) {
        if self.blocks.get(1).is_some_and(|second| second.begin() <= now) {
            self.blocks.drain(..self.block(now));
        }
        if let Some(first) = self.blocks.first_mut() {
            first.begin_at(now);
        }
    }
}

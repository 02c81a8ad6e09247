//! A block of consecutive steps of a profile.

use super::SpanSearch;
use packfair_base::column::{FixedColumn, SPARE};
use std::ops::Range;

/// How many steps a block holds at most.
pub(super) const CAPACITY: usize = 64;

/// How many steps a new block is filled with.
const FILLED: usize = CAPACITY * 3 / 4;

const LEN: usize = CAPACITY + SPARE;

/// Whether levels stay high enough for some time.
#[derive(Debug)]
pub(super) enum Levels<P> {
    /// They stay high enough. Holds the place after the last step of that time.
    Hold(P),
    /// They do not. Holds the place of the first step whose level is too low.
    LowAt(P),
}

impl<P> Levels<P> {
    /// Whether levels stay high enough.
    #[inline(always)]
    pub(super) fn hold(&self) -> bool {
        matches!(self, Levels::Hold(_))
    }

    #[inline(always)]
    pub(super) fn map<Q>(self, place: impl FnOnce(P) -> Q) -> Levels<Q> {
        match self {
            Levels::Hold(after) => Levels::Hold(place(after)),
            Levels::LowAt(low) => Levels::LowAt(place(low)),
        }
    }
}

/// Some steps, at least one, with bounds of their levels.
///
/// In most blocks of a long profile a search reads only the bounds and the beginning. So these stand together, and the
/// steps are kept elsewhere.
#[derive(Debug)]
pub(super) struct ProfileBlock {
    begin: f64,
    len: usize,
    /// A number that is added to all stored levels, so that changing the whole block changes only this number.
    added: i32,
    /// A lower bound of the levels.
    least: i32,
    /// An upper bound of the levels.
    most: i32,
    levels: Box<FixedColumn<i32, LEN>>,
    times: Box<FixedColumn<f64, LEN>>,
}

/// A span of steps with high enough levels for long enough.
pub(super) struct StepSpan<P> {
    /// When it begins, seconds.
    pub(super) begin: f64,
    pub(super) first: P,
    /// The place after the last step with which it overlaps.
    pub(super) after: P,
}

/// The longer of `longest` and the time from `begin` to `end`, seconds.
#[inline]
pub(super) fn longer(longest: f64, begin: f64, end: f64) -> f64 {
    // rounded up, so that a longer job is sure to end after `end`
    let other = end.next_up() - begin;
    if other > longest { other } else { longest }
}

impl Clone for ProfileBlock {
    fn clone(&self) -> Self {
        ProfileBlock { levels: self.levels.clone(), times: self.times.clone(), ..*self }
    }

    /// Copies only the steps that are in use.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        (self.begin, self.len) = (other.begin, other.len);
        (self.added, self.least, self.most) = (other.added, other.least, other.most);
        self.levels.copy_from(&other.levels, self.len);
        self.times.copy_from(&other.times, self.len);
    }
}

impl ProfileBlock {
    /// A block with one step.
    pub(super) fn new(time: f64, level: i32) -> Self {
        let (levels, times) = (Box::new(FixedColumn::new(level)), Box::new(FixedColumn::new(time)));
        ProfileBlock { begin: time, len: 1, added: 0, least: level, most: level, levels, times }
    }

    /// The number of steps.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether the block has at least as many steps as a new block is filled with.
    pub(super) fn is_filled(&self) -> bool {
        self.len >= FILLED
    }

    /// Whether the block cannot take another step.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.len == CAPACITY
    }

    /// When the first step begins.
    #[inline]
    pub(super) fn begin(&self) -> f64 {
        self.begin
    }

    /// When the steps begin.
    #[inline]
    pub(super) fn times(&self) -> &[f64] {
        self.times.first(self.len)
    }

    #[inline]
    pub(super) fn level(&self, index: usize) -> i32 {
        self.levels[index].wrapping_add(self.added)
    }

    /// A lower bound of the levels.
    #[inline]
    pub(super) fn least(&self) -> i32 {
        self.least
    }

    /// An upper bound of the levels.
    #[inline]
    pub(super) fn most(&self) -> i32 {
        self.most
    }

    /// Adds a step after the others.
    pub(super) fn push(&mut self, time: f64, level: i32) {
        self.times[self.len] = time;
        self.levels[self.len] = level.wrapping_sub(self.added);
        self.len += 1;
        self.least = self.least.min(level);
        self.most = self.most.max(level);
    }

    /// The index of the first step that does not begin before `at`; the number of steps if all do.
    #[inline(always)]
    pub(super) fn index(&self, at: f64) -> usize {
        self.times().iter().position(|&time| time >= at).unwrap_or(self.len)
    }

    /// The steps: when each begins, and its level.
    pub(super) fn steps(&self) -> impl Iterator<Item = (f64, i32)> + '_ {
        let levels = self.levels.first(self.len).iter().map(|level| level.wrapping_add(self.added));
        self.times().iter().copied().zip(levels)
    }

    /// The highest level of the steps from `from` on that begin before `until`; 0 if none does.
    #[inline]
    pub(super) fn most_before(&self, from: usize, until: f64) -> i32 {
        let mut most = 0;
        let from = from.min(self.len); // the place may stand for the first step of the next block
        for (&time, level) in self.times()[from..].iter().zip(&self.levels.first(self.len)[from..]) {
            if time >= until {
                break;
            }
            most = most.max(level.wrapping_add(self.added));
        }
        most
    }

    /// The index of the first step at `from` or later with a level of at least `least`.
    #[inline(always)]
    pub(super) fn first_high(&mut self, from: usize, least: i32) -> Option<usize> {
        for (index, level) in self.levels.first(self.len).iter().enumerate().skip(from) {
            if level.wrapping_add(self.added) >= least {
                return Some(index);
            }
        }
        if from == 0 {
            self.most = least - 1;
        }
        None
    }

    /// Whether all steps at `from` or later that begin before `until` have a level of at least `least`.
    #[inline(always)]
    pub(super) fn first_low(&mut self, from: usize, until: f64, least: i32) -> Levels<usize> {
        let (times, levels, added) = (self.times.first(self.len), self.levels.first(self.len), self.added);
        for index in from..levels.len() {
            if times[index] >= until {
                return Levels::Hold(index);
            }
            if levels[index].wrapping_add(added) < least {
                return Levels::LowAt(index);
            }
        }
        if from == 0 {
            self.least = self.least.max(least);
        }
        Levels::Hold(self.len)
    }

    /// The first span of `duration` seconds, at the step `from` or later, with levels of at least `least`, if it begins
    /// before `until`. This must be the last block.
    #[inline(always)]
    pub(super) fn earliest(&self, from: usize, until: f64, least: i32, duration: f64) -> SpanSearch<StepSpan<usize>> {
        let (times, levels, added) = (self.times.first(self.len), self.levels.first(self.len), self.added);
        let (mut first, mut longest) = (from, 0.0f64);
        'next: loop {
            loop {
                match levels.get(first) {
                    Some(level) if level.wrapping_add(added) >= least => break,
                    Some(_) => first += 1,
                    None => return SpanSearch::NoneLongerThan(longest),
                }
            }
            let begin = times[first];
            if begin >= until {
                return SpanSearch::NoneLongerThan(longest);
            }
            let end = begin + duration;
            let mut after = first + 1;
            while after < levels.len() && times[after] < end {
                if levels[after].wrapping_add(added) < least {
                    longest = longer(longest, begin, times[after]);
                    first = after + 1;
                    continue 'next;
                }
                after += 1;
            }
            return SpanSearch::Found(StepSpan { begin, first, after });
        }
    }

    /// Subtracts `by` from the levels of a range. Returns a lower bound of the new levels.
    pub(super) fn lower(&mut self, range: Range<usize>, by: i32) -> i32 {
        if range.len() == self.len {
            return self.lower_all(by);
        }
        let (mut least, added) = (i32::MAX, self.added);
        for level in self.levels.range_mut(range) {
            *level = level.wrapping_sub(by);
            least = least.min(level.wrapping_add(added));
        }
        self.least = self.least.min(least);
        least
    }

    /// Subtracts `by` from all levels. Returns a lower bound of the new levels.
    #[inline(always)]
    pub(super) fn lower_all(&mut self, by: i32) -> i32 {
        self.added = self.added.wrapping_sub(by);
        self.least = self.least.saturating_sub(by);
        self.most -= by;
        self.least
    }

    /// Adds `by` to the levels of a range.
    pub(super) fn raise(&mut self, range: Range<usize>, by: i32) {
        if range.len() == self.len {
            self.added = self.added.wrapping_add(by);
            self.least += by;
            self.most = self.most.saturating_add(by);
            return;
        }
        let (mut most, added) = (self.most, self.added);
        for level in self.levels.range_mut(range) {
            *level = level.wrapping_add(by);
            most = most.max(level.wrapping_add(added));
        }
        self.most = most;
    }

    /// Subtracts `by` from the levels of a range, which ends at the time `end`. A step begins there, or is inserted.
    /// Returns a lower bound of the new levels.
    #[inline(always)]
    pub(super) fn take(&mut self, range: Range<usize>, end: f64, by: i32) -> i32 {
        if self.times().get(range.end) != Some(&end) {
            self.split(range.end, end);
        }
        self.lower(range, by)
    }

    /// Subtracts `by` from the levels up to the time `end`. A step begins there, or is inserted.
    pub(super) fn lower_until(&mut self, end: f64, by: i32) {
        let mut least = self.least;
        self.add_until(end, -by, |level| least = least.min(level));
        self.least = least;
    }

    /// Adds `by` to the levels up to the time `end`. A step begins there, or is inserted.
    pub(super) fn raise_until(&mut self, end: f64, by: i32) {
        let mut most = self.most;
        self.add_until(end, by, |level| most = most.max(level));
        self.most = most;
    }

    /// Adds `by` to the levels up to `end`, and calls `see` with each new level. A step begins at `end`, or is
    /// inserted.
    #[inline(always)]
    fn add_until(&mut self, end: f64, by: i32, mut see: impl FnMut(i32)) {
        let mut last = 0;
        for (level, &time) in self.levels.range_mut(0..self.len).iter_mut().zip(self.times.first(self.len)) {
            if time >= end {
                break;
            }
            *level = level.wrapping_add(by);
            see(level.wrapping_add(self.added));
            last += 1;
        }
        if self.times().get(last) == Some(&end) {
            self.merge(last);
        } else {
            self.insert(last, end, self.levels[last - 1].wrapping_sub(by));
        }
    }

    /// Removes a step, which must not be the first, if it has the same level as the step before it.
    #[inline(always)]
    pub(super) fn merge(&mut self, index: usize) {
        if self.levels[index] == self.levels[index - 1] {
            self.remove(index);
        }
    }

    /// Splits the step before `index` at `time`. The block must not be full.
    #[inline(always)]
    pub(super) fn split(&mut self, index: usize, time: f64) {
        self.insert(index, time, self.levels[index - 1]);
    }

    /// Inserts a step at `index`. The block must not be full.
    #[inline(always)]
    fn insert(&mut self, index: usize, time: f64, level: i32) {
        self.times.insert(index, self.len, time);
        self.levels.insert(index, self.len, level);
        self.len += 1;
    }

    /// Removes a step, which must not be the only one.
    #[inline(always)]
    pub(super) fn remove(&mut self, index: usize) {
        self.times.remove(index..index + 1, self.len);
        self.levels.remove(index..index + 1, self.len);
        self.len -= 1;
        self.begin = self.times[0];
    }

    /// Removes the steps that end at or before `now`. The first step that is left then begins at `now`.
    #[inline(always)]
    pub(super) fn begin_at(&mut self, now: f64) {
        // few steps are past, so a linear search is quick
        let past = self.times()[1..].iter().take_while(|&&time| time <= now).count();
        if past > 0 {
            self.times.remove(0..past, self.len);
            self.levels.remove(0..past, self.len);
            self.len -= past;
        }
        self.begin = now;
        self.times[0] = now;
    }

    /// Splits off the upper half of a full block.
    pub(super) fn halve(&mut self) -> ProfileBlock {
        let half = CAPACITY / 2;
        let mut upper = self.clone();
        upper.times.remove(0..half, self.len);
        upper.levels.remove(0..half, self.len);
        upper.len = half;
        upper.begin = upper.times[0];
        self.len = half;
        upper.measure();
        self.measure();
        upper
    }

    /// Whether the block has so few steps that it may be joined to the next one.
    pub(super) fn is_sparse(&self) -> bool {
        self.len < CAPACITY / 4
    }

    /// Adds the steps of the next block, unless there are too many. Returns whether it did.
    pub(super) fn append(&mut self, next: &ProfileBlock) -> bool {
        let len = self.len + next.len;
        let fits = len <= FILLED;
        if fits {
            let by = next.added.wrapping_sub(self.added);
            self.times.range_mut(self.len..len).copy_from_slice(next.times());
            for (level, next) in self.levels.range_mut(self.len..len).iter_mut().zip(next.levels.first(next.len)) {
                *level = next.wrapping_add(by);
            }
            self.len = len;
            self.least = self.least.min(next.least);
            self.most = self.most.max(next.most);
        }
        fits
    }

    fn measure(&mut self) {
        let levels = self.steps().map(|(_, level)| level);
        (self.least, self.most) =
            levels.fold((i32::MAX, i32::MIN), |(least, most), level| (least.min(level), most.max(level)));
    }

    /// Checks what must hold of a block. Panics if it does not.
    #[cfg(debug_assertions)]
    pub(super) fn check(&self) {
        assert_eq!(self.begin, self.times[0], "a block begins with its first step");
        let is_within = |(_, level): (f64, i32)| (self.least..=self.most).contains(&level);
        assert!(self.steps().all(is_within), "a level is beyond the bounds of its block");
    }
}

//! Searches among the steps of a profile.

use super::{ProfileSteps, StepPlace};
use crate::profile::SpanSearch;
use crate::profile::block::{Levels, ProfileBlock, StepSpan, longer};

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

//! The ends of running jobs: which job ends next.

use crate::model::Slot;
use packfair_workload::Seconds;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The most ends that are kept sorted. Most jobs are short, so they are among the soonest ends, where to insert costs
/// less than in a heap, and to take the first costs nothing.
const SORTED: usize = 64;

/// The ends of running jobs, the soonest first. Of jobs that end together the one that started first comes first, and
/// of those that also started together the one that its scheduler started first. The published schedules need this
/// order.
#[derive(Clone, Debug, Default)]
pub(super) struct Completions {
    /// The soonest ends, sorted so that the next one is the last. Empty only if no job runs.
    soonest: Vec<JobEnd>,
    /// The other ends, none of which comes before one of `soonest`.
    later: BinaryHeap<Reverse<JobEnd>>,
    started: u32,
}

/// When a job ends, how many jobs had started before it, and its slot.
type JobEnd = (Seconds, u32, Slot);

impl Completions {
    #[inline(always)]
    pub(super) fn push(&mut self, end: Seconds, slot: Slot) {
        let new = (end, self.started, slot);
        self.started += 1;
        if self.soonest.len() == SORTED {
            self.later.extend(self.soonest.drain(..SORTED / 2).map(Reverse));
        }
        if self.later.peek().is_some_and(|Reverse(next)| next.0 <= end) {
            self.later.push(Reverse(new));
            return;
        }
        self.soonest.push(new);
        let mut place = self.soonest.len() - 1;
        // one by one, because so few are moved that a call to move memory takes longer
        let ends = Cell::from_mut(&mut self.soonest[..]).as_slice_of_cells();
        for pair in ends.windows(2).rev().take_while(|pair| pair[0].get().0 <= end) {
            pair[1].set(pair[0].get());
            place -= 1;
        }
        self.soonest[place] = new;
    }

    #[inline]
    pub(super) fn next(&self) -> Option<Seconds> {
        self.soonest.last().map(|&(end, ..)| end)
    }

    /// The jobs that end by `now`, in no particular order.
    pub(super) fn due(&self, now: Seconds) -> impl Iterator<Item = Slot> {
        let soonest = self.soonest.iter().rev().take_while(move |(end, ..)| *end <= now);
        let is_all = self.soonest.first().is_none_or(|&(last, ..)| last <= now);
        // otherwise one of `soonest` ends after `now`, and so do all of `later`
        let later = self.later.iter().filter(move |Reverse((end, ..))| is_all && *end <= now);
        soonest.chain(later.map(|Reverse(end)| end)).map(|&(.., slot)| slot)
    }

    /// Takes out the next job, if it ends by `now`.
    #[inline]
    pub(super) fn pop_until(&mut self, now: Seconds) -> Option<Slot> {
        let (_, _, slot) = self.soonest.pop_if(|&mut (end, ..)| end <= now)?;
        if self.soonest.is_empty() && !self.later.is_empty() {
            self.refill();
        }
        Some(slot)
    }

    #[inline(never)]
    fn refill(&mut self) {
        while self.soonest.len() < SORTED / 2
            && let Some(Reverse(next)) = self.later.pop()
        {
            self.soonest.push(next);
        }
        self.soonest.reverse();
    }

    /// Removes the job at `slot`, which was killed or suspended. Returns when it would have ended.
    pub(super) fn remove(&mut self, slot: Slot) -> Option<Seconds> {
        if let Some(place) = self.soonest.iter().position(|&(.., other)| other == slot) {
            let (end, ..) = self.soonest.remove(place);
            if self.soonest.is_empty() && !self.later.is_empty() {
                self.refill();
            }
            return Some(end);
        }
        let end = self.later.iter().find(|Reverse((.., other))| *other == slot).map(|&Reverse((end, ..))| end)?;
        self.later.retain(|Reverse((.., other))| *other != slot);
        Some(end)
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::{Config, RngSeed};

    proptest! {
        #![proptest_config(Config {
            cases: 200, rng_seed: RngSeed::Fixed(2022), failure_persistence: None, ..Config::default()
        })]

        /// In each step some jobs start with these run times, one may be killed, and some seconds pass.
        #[test]
        fn jobs_end_as_in_a_sorted_list(steps in prop::collection::vec(
            (prop::collection::vec(0..400_i64, 0..120), 0..150_i64, any::<bool>()), 1..30
        )) {
            let (mut completions, mut list) = (Completions::default(), Vec::new());
            let (mut now, mut started) = (0, 0);
            for (runs, passes, kills) in steps {
                for run in runs {
                    completions.push(now + run, Slot(started));
                    list.push((now + run, Slot(started)));
                    started += 1;
                }
                list.sort();
                if kills && !list.is_empty() {
                    let (end, slot) = list.remove(list.len() / 2);
                    prop_assert_eq!(completions.remove(slot), Some(end));
                    prop_assert_eq!(completions.remove(slot), None);
                }
                now += passes;
                for (end, slot) in list.extract_if(.., |&mut (end, _)| end <= now) {
                    prop_assert_eq!(completions.next(), Some(end));
                    prop_assert_eq!(completions.pop_until(now), Some(slot));
                }
                prop_assert_eq!(completions.pop_until(now), None);
                prop_assert_eq!(completions.next(), list.first().map(|&(end, _)| end));
            }
        }
    }
}

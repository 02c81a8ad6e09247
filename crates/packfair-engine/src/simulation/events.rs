//! The ends of running jobs: which job ends next.

use crate::model::{NEVER, Slot};
use packfair_base::machine::{Change, Displaced, Machine};
use packfair_workload::Seconds;
use std::borrow::Cow;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

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

// The calendar of a machine in a simulation: when its capacity changes, and when that is announced (docs/machine.md).

/// The kinds of calendar events, in the order in which they happen within an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CalendarEventKind {
    Comes,
    /// Nodes go.
    Goes,
    IsAnnounced,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CalendarEvent {
    pub(super) at: Seconds,
    pub(super) kind: CalendarEventKind,
    change: u32,
    /// Whether it is the end of the change, and not its beginning.
    is_end: bool,
}

/// The events of a calendar, and how many of them have passed.
#[derive(Clone)]
pub(super) struct CalendarEvents<'a> {
    changes: Cow<'a, [Change]>,
    events: Arc<[CalendarEvent]>,
    passed: usize,
}

/// A change of the number of nodes in a cell at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct CapacityStep {
    pub(super) at: Seconds,
    pub(super) number: u32,
    pub(super) cell: usize,
    /// How many nodes more, or fewer.
    pub(super) nodes: i64,
    /// What happens to jobs that run on nodes that go.
    pub(super) displaced: Displaced,
}

impl<'a> CalendarEvents<'a> {
    /// The calendar of a machine; none where nothing ever changes.
    pub(super) fn of(machine: &'a Machine) -> Option<Self> {
        let mut changes = Cow::Borrowed(machine.calendar());
        if machine.cap_changes().next().is_some() {
            changes.to_mut().extend(machine.cap_changes());
        }
        let mut events = Vec::new();
        for (change, place) in changes.iter().zip(0..) {
            let Change { from, until, nodes, announced, .. } = *change;
            let kind = |nodes: i64| if nodes > 0 { CalendarEventKind::Comes } else { CalendarEventKind::Goes };
            let mut add = |at, kind, is_end| events.push(CalendarEvent { at, kind, change: place, is_end });
            add(from, kind(nodes), false);
            if let Some(until) = until {
                add(until, kind(-nodes), true);
            }
            let last = until.unwrap_or(from);
            if let Some(announced) = announced.filter(|&announced| announced < last) {
                add(announced, CalendarEventKind::IsAnnounced, false);
            }
        }
        events.sort_by_key(|event| (event.at, event.kind));
        (!events.is_empty()).then(|| CalendarEvents { changes, events: events.into(), passed: 0 })
    }

    /// The time of the next event; [`NEVER`] if there is none.
    pub(super) fn next(&self) -> Seconds {
        self.events.get(self.passed).map_or(NEVER, |event| event.at)
    }

    /// Takes the next event, if it is due at `now`.
    pub(super) fn pop(&mut self, now: Seconds) -> Option<CalendarEvent> {
        let event = self.events.get(self.passed).copied().filter(|event| event.at <= now)?;
        self.passed += 1;
        Some(event)
    }

    /// The capacity step of an event at which nodes come or go.
    pub(super) fn step(&self, event: CalendarEvent) -> CapacityStep {
        let Change { cell, nodes, displaced, .. } = self.changes[event.change as usize];
        let nodes = if event.is_end { -nodes } else { nodes };
        CapacityStep { at: event.at, number: number(event.change, event.is_end), cell, nodes, displaced }
    }

    /// The capacity steps, still ahead, of the change that an event announces.
    pub(super) fn announced(&self, event: CalendarEvent) -> impl Iterator<Item = CapacityStep> + use<> {
        let Change { from, until, cell, nodes, displaced, .. } = self.changes[event.change as usize];
        let begin = Some((from, nodes, false));
        let end = until.map(|until| (until, -nodes, true));
        [begin, end].into_iter().flatten().filter(move |&(at, ..)| at > event.at).map(move |(at, nodes, is_end)| {
            CapacityStep { at, number: number(event.change, is_end), cell, nodes, displaced }
        })
    }
}

fn number(change: u32, is_end: bool) -> u32 {
    2 * change + u32::from(is_end)
}

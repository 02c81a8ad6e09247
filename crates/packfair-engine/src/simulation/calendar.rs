//! The calendar of a machine in a simulation: when its capacity changes, and when that is announced (docs/machine.md).

use crate::model::NEVER;
use packfair_base::machine::{Change, Displaced, Machine};
use packfair_workload::Seconds;
use std::borrow::Cow;
use std::sync::Arc;

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

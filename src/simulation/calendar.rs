//! The calendar of a machine in a simulation: what happens to its capacity, and when that is announced (docs/machine.md).

use crate::machine::{Change, Displaced, Machine};
use crate::model::NEVER;
use crate::workload::Seconds;
use std::sync::Arc;

/// What happens, in the order in which it does within an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CalendarEventKind {
    /// Nodes come.
    Comes,
    /// Nodes go.
    Goes,
    /// A change is announced.
    IsAnnounced,
}

/// Something that happens by the calendar.
#[derive(Clone, Copy, Debug)]
pub(super) struct CalendarEvent {
    pub(super) at: Seconds,
    pub(super) kind: CalendarEventKind,
    /// The place of the change in the calendar.
    change: u32,
    /// Whether it is the end of the change.
    is_end: bool,
}

/// What a calendar brings, and how far time has come in it.
#[derive(Clone)]
pub(super) struct Calendar<'a> {
    changes: &'a [Change],
    events: Arc<[CalendarEvent]>,
    passed: usize,
}

/// A step of the number of nodes in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CapacityStep {
    /// When.
    pub(super) at: Seconds,
    /// Its number.
    pub(super) number: u32,
    /// Which cell.
    pub(super) cell: usize,
    /// How many nodes more, or fewer.
    pub(super) nodes: i64,
    /// What becomes of who runs there.
    pub(super) displaced: Displaced,
}

impl<'a> Calendar<'a> {
    /// None where nothing ever changes.
    pub(super) fn of(machine: &'a Machine) -> Option<Self> {
        let changes = machine.calendar();
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
        (!events.is_empty()).then(|| Calendar { changes, events: events.into(), passed: 0 })
    }

    /// When something happens next; [`NEVER`] if nothing does any more.
    pub(super) fn next(&self) -> Seconds {
        self.events.get(self.passed).map_or(NEVER, |event| event.at)
    }

    /// What happens next, if that is at `now`.
    pub(super) fn pop(&mut self, now: Seconds) -> Option<CalendarEvent> {
        let event = self.events.get(self.passed).copied().filter(|event| event.at <= now)?;
        self.passed += 1;
        Some(event)
    }

    /// The step that an event of nodes is.
    pub(super) fn step(&self, event: CalendarEvent) -> CapacityStep {
        let Change { cell, nodes, displaced, .. } = self.changes[event.change as usize];
        let nodes = if event.is_end { -nodes } else { nodes };
        CapacityStep { at: event.at, number: number(event.change, event.is_end), cell, nodes, displaced }
    }

    /// The steps of the change that an event announces, which lie ahead.
    pub(super) fn announced(&self, event: CalendarEvent) -> impl Iterator<Item = CapacityStep> + use<> {
        let Change { from, until, cell, nodes, displaced, .. } = self.changes[event.change as usize];
        let begin = Some((from, nodes, false));
        let end = until.map(|until| (until, -nodes, true));
        [begin, end].into_iter().flatten().filter(move |&(at, ..)| at > event.at).map(move |(at, nodes, is_end)| {
            CapacityStep { at, number: number(event.change, is_end), cell, nodes, displaced }
        })
    }
}

/// A number for the beginning and for the end of each change.
fn number(change: u32, is_end: bool) -> u32 {
    2 * change + u32::from(is_end)
}

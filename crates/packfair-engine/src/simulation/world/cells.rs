//! Cells and the calendar in a simulation: where jobs start, and nodes that come and go.

use super::World;
use crate::model::{KilledBy, Placed, Scheduler};
use crate::simulation::events::{CalendarEventKind, CapacityStep};
use packfair_base::machine::Displaced;
use packfair_workload::Seconds;

impl World<'_> {
    /// Puts the jobs that start now into cells: where their scheduler has said, or otherwise where they fit.
    #[inline(never)]
    pub(super) fn place_picked(&mut self, now: Seconds) {
        let mut said = std::mem::take(&mut self.actions.placements);
        let mut next = said.drain(..).peekable();
        for start in &self.actions.starts {
            let job = start.job.job;
            // placements come in the order of the starts
            let said = next.next_if(|(said, _)| *said == job).map(|(_, placement)| placement);
            let Some(cluster) = self.view.cluster_mut() else { break };
            let placement = cluster.start(job, said).clone();
            let mut begin = now;
            if let Some(saving) = &mut self.saving {
                let held = |cell| {
                    let (nodes, held) = cluster.nodes(cell);
                    saving.hold(now, cell, nodes, held)
                };
                let delay = placement.0.iter().map(|&(cell, _)| cell as usize).map(held).max().unwrap_or(0);
                begin += delay;
                self.actions.delays.extend((delay > 0).then_some((job, delay)));
            }
            if let Some(kept) = &mut self.kept {
                kept.placed.push(Placed { job, start: begin, held: now, placement });
            }
        }
        drop(next);
        self.actions.placements = said;
        self.view.count_free();
    }

    /// Processes the events of the calendar at `now`: nodes come, nodes go, changes are announced. Returns whether
    /// there were any.
    #[inline(never)]
    pub(super) fn change_capacity<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) -> bool {
        let Some(mut calendar) = self.calendar.take() else { return false };
        let mut is_any = false;
        while let Some(event) = calendar.pop(now) {
            is_any = true;
            if event.kind == CalendarEventKind::IsAnnounced {
                for CapacityStep { at, number, cell, nodes, .. } in calendar.announced(event) {
                    if let Some(cluster) = self.view.cluster_mut() {
                        cluster.announce(at, number, cell, nodes);
                    }
                }
                continue;
            }
            let CapacityStep { at, number, cell, nodes, displaced } = calendar.step(event);
            if let Some(cluster) = self.view.cluster_mut() {
                cluster.change(at, number, cell, nodes);
            }
            self.view.count_free();
            if event.kind == CalendarEventKind::Goes && displaced == Displaced::Kill {
                self.kill_youngest(scheduler, cell, now);
            }
        }
        self.next_change = calendar.next();
        self.calendar = Some(calendar);
        if is_any {
            scheduler.capacity_changed(&self.view);
        }
        is_any
    }

    /// Kills jobs that run in a cell, the latest start first (ties: later in log order), until the remaining ones fit.
    fn kill_youngest<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, cell: usize, now: Seconds) {
        loop {
            let Some(cluster) = self.view.cluster().filter(|cluster| cluster.is_overfull(cell)) else { return };
            let there = self.view.running.all().filter(|(_, running)| cluster.is_in(running.job, cell));
            let Some((slot, _)) = there.max_by_key(|(_, running)| (running.start, running.job)) else { return };
            self.kill_at(scheduler, slot, KilledBy::Machine, now);
        }
    }
}

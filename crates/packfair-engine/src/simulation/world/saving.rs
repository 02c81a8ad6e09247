//! Nodes that are switched off while they idle, in a simulation: jobs begin when the last of their nodes is on.

use super::World;
use crate::model::{NoteId, Notes};
use crate::power::Saving;
use packfair_base::machine::Machine;
use packfair_workload::{JobId, Seconds, Workload};

impl World<'_> {
    /// The nodes that are switched off while they idle; all are on as the first job arrives.
    pub(super) fn nodes_of(workload: &Workload) -> Option<Box<Saving>> {
        let mut saving = Saving::of(&workload.cluster()?.machine)?;
        saving.begin(workload.requests().first().map_or(0, |request| request.submit));
        Some(Box::new(saving))
    }

    /// Notes before a round which nodes are held, and lets the scheduler see how many of the others are on.
    #[inline(never)]
    pub(super) fn sync_nodes(&mut self, now: Seconds) {
        let (Some(saving), Some(cluster)) = (&mut self.saving, self.view.cluster_mut()) else { return };
        for cell in 0..cluster.cells() {
            let (nodes, held) = cluster.nodes(cell);
            saving.hold(now, cell, nodes, held);
        }
        cluster.set_awake(saving.awake(now));
    }

    /// Corrects what was noted of an execution that was killed before it had begun: it began as it was killed.
    pub(super) fn never_began(&mut self, job: JobId, now: Seconds) {
        let Some(kept) = &mut self.kept else { return };
        if let Some(placed) = kept.placed.iter_mut().rev().find(|placed| placed.job == job) {
            placed.start = now;
        }
    }

    /// Notes which nodes were off, and what that has cost.
    pub(super) fn report_nodes(saving: Saving, machine: &Machine, now: Seconds, notes: &mut Notes) {
        notes.set(NoteId::BOOTS, saving.boots() as f64);
        notes.set(NoteId::BOOT_WAIT, saving.waited() as f64);
        for (cell, told) in machine.cells().iter().zip(saving.finish(now)) {
            for (note, changes) in [(NoteId::NODES_OFF, told.off), (NoteId::NODES_BOOTING, told.booting)] {
                let mut nodes = 0;
                let mut course = Vec::with_capacity(changes.len());
                for (at, more) in changes {
                    nodes += more;
                    course.push((at, nodes as f64));
                }
                if !course.is_empty() {
                    notes.set_course_part(note, &cell.name, course);
                }
            }
        }
    }
}

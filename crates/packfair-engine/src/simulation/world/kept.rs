//! What a simulation keeps for its schedule.

use super::{World, classifying};
use crate::model::{Execution, NoteId, Notes, Placed, Schedule, Scheduler, Suspension, ends};
use packfair_workload::{Seconds, Workload};

/// What a simulation keeps for its schedule, besides starts and estimates.
pub(super) struct KeptColumns {
    pub(super) corrections: Vec<u32>,
    pub(super) killed: Vec<Execution>,
    pub(super) suspended: Vec<Suspension>,
    /// Where executions ran, on a machine of cells.
    pub(super) placed: Vec<Placed>,
    /// Why each job was classified as small or large; empty where there is no classifier.
    pub(super) because: Vec<Seconds>,
    pub(super) notes: Notes,
}

impl KeptColumns {
    /// Those of a simulation of so many jobs, before the first one arrives.
    pub(super) fn of(jobs: usize) -> Self {
        KeptColumns {
            corrections: vec![0; jobs],
            killed: Vec::new(),
            suspended: Vec::new(),
            placed: Vec::new(),
            because: Vec::new(),
            notes: Notes::default(),
        }
    }
}

impl World<'_> {
    pub(in crate::simulation) fn into_schedule(self, scheduler: &dyn Scheduler) -> Schedule {
        let workload = self.workload;
        self.into_lived_schedule(scheduler, workload)
    }

    pub(in crate::simulation) fn into_lived_schedule(self, scheduler: &dyn Scheduler, lived: &Workload) -> Schedule {
        let Some(KeptColumns { corrections, killed, suspended, placed, because, mut notes }) = self.kept else {
            return Schedule::default();
        };
        if !because.is_empty() {
            notes.set_of_jobs(NoteId::BECAUSE, because);
        }
        if let Some(classifier) = &self.classifier {
            classifying::note_importances(&**classifier, &mut notes);
        }
        if !suspended.is_empty() {
            notes.set(NoteId::SUSPENSIONS, suspended.len() as f64);
            let seconds: Seconds = suspended.iter().map(|one: &Suspension| one.until - one.from).sum();
            notes.set(NoteId::SUSPENDED, seconds as f64);
        }
        scheduler.report(&mut notes);
        if let (Some(saving), Some(cluster)) = (self.saving, self.workload.cluster()) {
            let now = self.view.now();
            Self::report_nodes(*saving, &cluster.machine, now, &mut notes);
        }
        let (starts, estimates, classes) = self.view.into_columns();
        let ends = ends(lived, &starts, &suspended);
        Schedule {
            starts,
            ends,
            killed,
            classes,
            estimates,
            corrections,
            rounds: self.rounds,
            notes,
            placed,
            suspended,
            ..Schedule::default()
        }
    }
}

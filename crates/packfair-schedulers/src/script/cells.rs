//! A machine of cells, for the profiles and starts of scripts.

use crate::plain::FreeAmounts;
use packfair_base::machine::{Need, Placement, Shape};
use packfair_engine::model::{View, Waiting};
use packfair_workload::{JobId, Seconds};
use rustc_hash::FxHashMap;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub(super) struct JobNeed {
    parts: u32,
    shape: Rc<Shape>,
}

impl JobNeed {
    pub(super) fn need(&self) -> Need<'_> {
        Need { parts: self.parts, shape: &self.shape, number: 0 }
    }
}

#[derive(Debug)]
pub(super) struct PresentCells {
    /// What no job holds, of each resource in each cell.
    idle: Vec<i64>,
    /// The number of resources; the first is processors.
    resources: usize,
    /// The number of cells.
    cells: usize,
    /// What running jobs leave free, if they end when they are expected to.
    profile: FreeAmounts,
    needs: FxHashMap<JobId, JobNeed>,
}

/// What is left of the cells during a round.
#[derive(Clone, Debug)]
pub(super) struct CellsRoom {
    /// What no job holds, of each resource in each cell.
    pub(super) idle: Vec<i64>,
    /// What running jobs, and jobs that start in this round, leave free from now on.
    free: FreeAmounts,
    /// Where the jobs that start now run, if the script has reserved for them.
    pub(super) reserved: FxHashMap<JobId, Placement>,
}

impl PresentCells {
    /// The present state of the cells; none for a machine that is one number of processors.
    pub(super) fn of(view: &View) -> Option<Self> {
        let resources = view.resources()?;
        let mut shapes: FxHashMap<u32, Rc<Shape>> = FxHashMap::default();
        let need = |job| {
            let Need { parts, shape, number } = view.needs().of_waiting(job);
            let shape = shapes.entry(number).or_insert_with(|| Rc::new(shape.clone())).clone();
            JobNeed { parts, shape }
        };
        let waiting: Vec<_> = view.waiting().collect();
        let needs = waiting.iter().map(|job| job.job).zip(waiting.iter().map(need)).collect();
        let cells = view.cluster().map_or(0, |cluster| cluster.cells());
        Some(PresentCells { idle: view.idle(), resources, cells, profile: FreeAmounts::of_running(view), needs })
    }

    /// What running jobs leave free from now on.
    pub(super) fn profile(&self) -> FreeAmounts {
        self.profile.clone()
    }

    /// What a waiting job needs.
    pub(super) fn need(&self, job: JobId) -> Option<&JobNeed> {
        self.needs.get(&job)
    }

    /// The processors among the idle amounts, in all cells together.
    pub(super) fn processors_of(&self, idle: &[i64]) -> u32 {
        // behind the cells there may be a cap of power
        let of_cells = idle.iter().step_by(self.resources).take(self.cells);
        let processors = of_cells.map(|&idle| idle.max(0)).sum::<i64>();
        u32::try_from(processors).unwrap_or(u32::MAX)
    }

    /// The room at the beginning of a round, when no job has started.
    pub(super) fn room(&self) -> CellsRoom {
        CellsRoom { idle: self.idle.clone(), free: self.profile.clone(), reserved: FxHashMap::default() }
    }

    /// Where a waiting job fits from now until its expected end, beside the jobs that have started.
    pub(super) fn fitting(&self, job: &Waiting, room: &CellsRoom, now: Seconds) -> Option<Placement> {
        room.free.place(self.need(job.job)?.need(), now as f64, now as f64 + job.estimate)
    }

    /// Starts a waiting job: at its reserved place, or else where it fits, or else where it can be now although a
    /// change is announced that it runs into. None where it can be nowhere.
    pub(super) fn start(&self, job: &Waiting, room: &mut CellsRoom, now: Seconds) -> Option<Placement> {
        let need = self.need(job.job)?.need();
        let reserved = room.reserved.remove(&job.job).filter(|placement| need.shape.is_free(placement, &room.idle));
        let fitting = || self.fitting(job, room, now).filter(|placement| need.shape.is_free(placement, &room.idle));
        let placement = reserved.or_else(fitting).or_else(|| need.shape.place(need.parts, &room.idle))?;
        need.shape.take(&placement, &mut room.idle, 1);
        room.free.take(need, &placement, now as f64, now as f64 + job.estimate);
        Some(placement)
    }
}

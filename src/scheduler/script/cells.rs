//! A machine of cells, as a script's profile and its starts go by it.

use crate::machine::{Need, Placement, Shape};
use crate::model::{View, Waiting};
use crate::scheduler::plain::FreeAmounts;
use crate::workload::{JobId, Seconds};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What a job needs to run.
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

/// The cells at present.
#[derive(Debug)]
pub(super) struct PresentCells {
    /// What nobody holds, of each resource in each cell.
    idle: Vec<i64>,
    /// How many resources there are; the first is processors.
    resources: usize,
    /// What running jobs leave free, if they end when they are expected to.
    profile: FreeAmounts,
    /// Of who waits.
    needs: FxHashMap<JobId, JobNeed>,
}

/// What is left of the cells in a round.
#[derive(Clone, Debug)]
pub(super) struct CellsRoom {
    /// What nobody holds, of each resource in each cell.
    pub(super) idle: Vec<i64>,
    /// What running jobs, and those that start, leave free.
    free: FreeAmounts,
    /// Where jobs are put that start now, by what was reserved for them.
    pub(super) reserved: FxHashMap<JobId, Placement>,
}

impl PresentCells {
    /// None of a machine that is one number of processors.
    pub(super) fn of(view: &View) -> Option<Self> {
        let resources = view.resources()?;
        let now = view.now() as f64;
        let announced = view.announced().map(|step| (step.at as f64, step.more));
        let mut profile = FreeAmounts::new(now, view.capacity(), announced);
        for release in view.running() {
            let need = view.needs().of(release.job, release.processors);
            profile.take(need, &view.placement(&release), now, release.at);
        }
        let mut shapes: FxHashMap<u32, Rc<Shape>> = FxHashMap::default();
        let need = |job| {
            let Need { parts, shape, number } = view.needs().of_waiting(job);
            let shape = shapes.entry(number).or_insert_with(|| Rc::new(shape.clone())).clone();
            JobNeed { parts, shape }
        };
        let waiting: Vec<_> = view.waiting().collect();
        let needs = waiting.iter().map(|job| job.job).zip(waiting.iter().map(need)).collect();
        Some(PresentCells { idle: view.idle(), resources, profile, needs })
    }

    /// What running jobs leave free.
    pub(super) fn profile(&self) -> FreeAmounts {
        self.profile.clone()
    }

    /// What a waiting job needs.
    pub(super) fn need(&self, job: JobId) -> Option<&JobNeed> {
        self.needs.get(&job)
    }

    /// The processors of what is idle, in all cells together.
    pub(super) fn processors_of(&self, idle: &[i64]) -> u32 {
        let processors = idle.iter().step_by(self.resources).map(|&idle| idle.max(0)).sum::<i64>();
        u32::try_from(processors).unwrap_or(u32::MAX)
    }

    /// A round begins: nobody has started.
    pub(super) fn room(&self) -> CellsRoom {
        CellsRoom { idle: self.idle.clone(), free: self.profile.clone(), reserved: FxHashMap::default() }
    }

    /// Where a waiting job fits now, and until it is expected to end, beside those that have started.
    pub(super) fn fitting(&self, job: &Waiting, room: &CellsRoom, now: Seconds) -> Option<Placement> {
        room.free.place(self.need(job.job)?.need(), now as f64, now as f64 + job.estimate)
    }

    /// Puts a waiting job where it was reserved a place, or where it fits, or where it can be though something else is
    /// announced; none where that is nowhere.
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

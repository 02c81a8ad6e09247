//! A part of a queue.

use super::hole::Hole;
use super::needs::Needs;
use super::spot::Spot;
use crate::column::{Column, SPARE};
use crate::simulation::Waiting;
use crate::workload::JobId;
use std::cell::OnceCell;

/// Jobs of a block at most.
pub(super) const CAPACITY: usize = 128;

const ROOM: usize = CAPACITY + SPARE;

/// What stands where no job does.
const NOBODY: Waiting = Waiting { job: JobId(u32::MAX), submit: 0, processors: u32::MAX, estimate: f64::INFINITY };

/// Some jobs of a queue in its order, as columns, and what any of them needs at least.
#[derive(Clone, Debug)]
pub(super) struct Block {
    len: usize,
    narrowest: u32,
    /// The shortest estimate, or less: a block of few jobs is as soon looked through as measured.
    shortest: f64,
    spots: Column<Spot, ROOM>,
    jobs: Column<Waiting, ROOM>,
    /// The jobs' processors once more: these are looked through in every round.
    widths: Column<u32, ROOM>,
    /// What the jobs need, once it was asked for.
    needs: OnceCell<Needs>,
}

impl Default for Block {
    fn default() -> Self {
        Block {
            len: 0,
            narrowest: u32::MAX,
            shortest: f64::INFINITY,
            spots: Column::new(Spot::LAST),
            jobs: Column::new(NOBODY),
            widths: Column::new(u32::MAX),
            needs: OnceCell::new(),
        }
    }
}

impl Block {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.len() == CAPACITY
    }

    #[inline]
    pub(super) fn jobs(&self) -> &[Waiting] {
        self.jobs.first(self.len)
    }

    #[inline]
    pub(super) fn widths(&self) -> &[u32] {
        self.widths.first(self.len)
    }

    #[inline]
    pub(super) fn narrowest(&self) -> u32 {
        self.narrowest
    }

    #[inline]
    pub(super) fn spots(&self) -> &[Spot] {
        self.spots.first(self.len)
    }

    #[inline]
    pub(super) fn spot(&self, index: usize) -> Spot {
        self.spots[index]
    }

    /// What the jobs need at least.
    #[inline]
    pub(super) fn needs(&self) -> &Needs {
        self.needs.get_or_init(|| Needs::of(self.jobs()))
    }

    /// Where the last job stands.
    #[inline]
    pub(super) fn last(&self) -> Spot {
        self.spot(self.len() - 1)
    }

    /// The index of the first job that does not stand before `spot`.
    #[inline(always)] // most often it is the first or the last
    pub(super) fn index(&self, spot: Spot) -> usize {
        match *self.spots() {
            [first, ..] if spot <= first => 0,
            [.., last] if last < spot => self.len(),
            [.., before, _] if before < spot => self.len() - 1,
            _ => self.spots().partition_point(|&other| other < spot),
        }
    }

    #[inline(always)] // every job that waits comes by here
    pub(super) fn insert(&mut self, spot: Spot, job: Waiting) {
        let is_last = self.len() == 0 || self.last() < spot;
        let index = if is_last { self.len() } else { self.index(spot) };
        self.spots.insert(index, self.len, spot);
        self.jobs.insert(index, self.len, job);
        self.widths.insert(index, self.len, job.processors);
        self.len += 1;
        self.narrowest = self.narrowest.min(job.processors);
        self.shortest = self.shortest.min(job.estimate);
        if let Some(needs) = self.needs.get_mut() {
            needs.enter(&job);
        }
    }

    pub(super) fn remove(&mut self, index: usize) -> Waiting {
        let job = self.jobs[index];
        self.spots.remove(index..index + 1, self.len);
        self.jobs.remove(index..index + 1, self.len);
        self.widths.remove(index..index + 1, self.len);
        self.len -= 1;
        if self.needs.get().is_some_and(|needs| needs.rest_on(&job)) {
            self.needs.take();
        }
        if job.processors == self.narrowest {
            self.narrowest = self.widths().iter().copied().min().unwrap_or(u32::MAX);
        }
        if job.estimate == self.shortest && (self.len() >= CAPACITY / 4 || self.len() == 0) {
            self.measure();
        }
        job
    }

    /// Moves the upper half to `upper`, which has no jobs.
    pub(super) fn split_to(&mut self, upper: &mut Block) {
        let half = self.len / 2;
        upper.len = self.len - half;
        upper.spots.range_mut(0..upper.len).copy_from_slice(&self.spots()[half..]);
        upper.jobs.range_mut(0..upper.len).copy_from_slice(&self.jobs()[half..]);
        upper.widths.range_mut(0..upper.len).copy_from_slice(&self.widths()[half..]);
        self.len = half;
        upper.measure();
        self.measure();
    }

    /// Adds the jobs of the block behind this one.
    pub(super) fn append(&mut self, next: &Block) {
        let len = self.len + next.len;
        self.spots.range_mut(self.len..len).copy_from_slice(next.spots());
        self.jobs.range_mut(self.len..len).copy_from_slice(next.jobs());
        self.widths.range_mut(self.len..len).copy_from_slice(next.widths());
        self.len = len;
        self.narrowest = self.narrowest.min(next.narrowest);
        self.shortest = self.shortest.min(next.shortest);
        self.needs.take();
    }

    /// Holds these jobs, as many as it did, instead.
    pub(super) fn fill(&mut self, entries: &[(Spot, Waiting)]) {
        for (index, &(spot, job)) in entries.iter().enumerate() {
            self.spots[index] = spot;
            self.jobs[index] = job;
            self.widths[index] = job.processors;
        }
        self.measure();
    }

    /// Sets estimates, which `estimates` has in log order. `changed` is told of each that is another than
    /// before, and where the job stood then.
    pub(super) fn reestimate(&mut self, estimates: &[f64], mut changed: impl FnMut(Spot, &Waiting)) {
        for (job, &spot) in self.jobs.range_mut(0..self.len).iter_mut().zip(self.spots.first(self.len)) {
            let estimate = estimates[job.job.index()];
            if job.estimate != estimate {
                job.estimate = estimate;
                changed(spot, job);
            }
        }
        self.measure();
    }

    fn measure(&mut self) {
        self.narrowest = self.widths().iter().copied().min().unwrap_or(u32::MAX);
        self.shortest = self.jobs().iter().map(|job| job.estimate).fold(f64::INFINITY, f64::min);
        self.needs.take();
    }

    /// The index of the first job from `index` on that is at most `width` wide.
    #[inline]
    pub(super) fn first_narrow(&self, index: usize, width: u32) -> Option<usize> {
        if *self.widths().get(index)? <= width {
            return Some(index);
        }
        if width < self.narrowest {
            return None;
        }
        self.widths().get(index..)?.iter().position(|&w| w <= width).map(|i| index + i)
    }

    /// The index of the first job from `index` on that could start now.
    #[inline]
    pub(super) fn first_fitting(&self, mut index: usize, hole: &Hole) -> Option<usize> {
        if !hole.takes(self.narrowest, self.shortest) {
            return None;
        }
        while let Some(next) = self.first_narrow(index, hole.width()) {
            if hole.takes(self.widths[next], self.jobs[next].estimate) {
                return Some(next);
            }
            index = next + 1;
        }
        None
    }
}

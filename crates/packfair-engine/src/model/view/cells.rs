//! The cells of the machine, where it is more than one number of processors.

use super::View;
use crate::model::{AnnouncedStep, ClusterState, Needs, Release, Waiting};
use packfair_base::machine::Placement;
use packfair_workload::JobId;

impl<'a> View<'a> {
    /// Shows the machine as one number of processors that never changes.
    pub(crate) fn count_processors(&mut self) {
        self.cluster = None;
    }

    /// How much of a resource, given by name, a job asks for in all; 0 where the machine has no such resource.
    pub fn requested(&self, job: &Waiting, resource: &str) -> i64 {
        self.cluster.as_ref().map_or(0, |cluster| cluster.requested(job, resource))
    }

    /// The number of resources in each cell, processors first; none where the machine is one number of processors.
    pub fn resources(&self) -> Option<usize> {
        self.cluster.as_ref().map(|cluster| cluster.resources())
    }

    pub fn needs(&self) -> Needs<'_> {
        self.cluster.as_ref().map_or_else(Needs::default, |cluster| cluster.needs())
    }

    /// The size by which a job counts in orders, where a machine has cells or resources: by its dominant share. None
    /// where that is the number of its processors.
    pub fn size(&self, job: JobId) -> Option<u32> {
        self.cluster.as_ref()?.size(job)
    }

    /// The present capacity of the machine: each resource, cell after cell, whether held or not. On one number of
    /// processors, that number alone.
    pub fn capacity(&self) -> Vec<i64> {
        self.cluster.as_ref().map_or_else(|| vec![i64::from(self.processors)], |cluster| cluster.capacity().to_vec())
    }

    /// The part of the capacity that no job holds, in the same order; below 0 where jobs run on nodes that drain.
    pub fn idle(&self) -> Vec<i64> {
        self.cluster.as_ref().map_or_else(|| vec![i64::from(self.free)], |cluster| cluster.free().to_vec())
    }

    /// The announced changes of the capacity that lie ahead, the soonest first.
    pub fn announced(&self) -> impl Iterator<Item = AnnouncedStep> + '_ {
        self.cluster.iter().flat_map(|cluster| cluster.announced())
    }

    /// Where the running job of a release runs.
    pub fn placement(&self, release: &Release) -> Placement {
        let placed = self.cluster.as_ref().and_then(|cluster| cluster.placement(release.job)).cloned();
        placed.unwrap_or_else(|| Placement::of_one_cell(release.processors))
    }

    /// Whether a job that asks for `processors` could start now if no other did.
    #[inline]
    pub fn fits_now(&self, job: JobId, processors: u32) -> bool {
        match &self.cluster {
            None => processors <= self.free,
            Some(cluster) => cluster.fits(job),
        }
    }

    /// The cells of the machine, where it is more than one number of processors.
    pub fn cluster(&self) -> Option<&ClusterState<'a>> {
        self.cluster.as_deref()
    }

    pub(crate) fn cluster_mut(&mut self) -> Option<&mut ClusterState<'a>> {
        self.cluster.as_deref_mut()
    }

    /// Computes the idle processors anew from the cells.
    pub(crate) fn count_free(&mut self) {
        if let Some(cluster) = &self.cluster {
            self.free = cluster.free_processors();
        }
    }

    /// Frees what a job that ran held of cells.
    pub(crate) fn leave_cells(&mut self, job: JobId) {
        if let Some(cluster) = &mut self.cluster {
            cluster.leave(job);
            self.free = cluster.free_processors();
        }
    }
}

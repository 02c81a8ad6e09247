//! A machine of cells as a scheduler sees it: what is there now, what is announced, and which job holds what.
//!
//! The calendar is not here, because no scheduler sees a change that is not announced and has not begun.

use super::Waiting;
use packfair_base::machine::{Demands, Machine, Need, Placement, Shape};
use packfair_workload::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::sync::LazyLock;

/// The shape of jobs that ask for processors alone: one part is one processor of the only cell.
static PROCESSORS: LazyLock<Shape> = LazyLock::new(Shape::of_one_cell);

/// What jobs need to run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs<'a> {
    /// The record of each job, and what each record asks for; none where jobs ask for processors alone.
    known: Option<(&'a [u32], &'a Demands)>,
}

impl<'a> Needs<'a> {
    pub fn of(self, job: JobId, processors: u32) -> Need<'a> {
        match self.known {
            Some((records, demands)) => demands.need(records[job.index()] as usize),
            None => Need { parts: processors, shape: &PROCESSORS, number: 0 },
        }
    }

    pub fn of_waiting(self, job: &Waiting) -> Need<'a> {
        self.of(job.job, job.processors)
    }
}

/// An announced change of the capacity of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnouncedStep {
    pub at: Seconds,
    /// How much more, or less, of each resource in each cell there is from then on.
    pub more: Vec<i64>,
}

#[derive(Clone, Debug)]
pub struct ClusterState<'a> {
    machine: &'a Machine,
    /// The record of each job. Where users react, only of jobs that have arrived.
    records: Cow<'a, [u32]>,
    demands: &'a Demands,
    /// The present capacity of each resource, cell after cell.
    capacity: Vec<i64>,
    /// The part of the capacity that no job holds; below 0 where nodes drain.
    free: Vec<i64>,
    placements: FxHashMap<JobId, Placement>,
    /// The announced changes that lie ahead: when, and by the number of the calendar step, in which cell, and by how
    /// many nodes.
    announced: BTreeMap<(Seconds, u32), (usize, i64)>,
    /// Where idle nodes are switched off: how many idle nodes of each cell are on as a round begins. Otherwise empty.
    awake: Vec<i64>,
}

impl<'a> ClusterState<'a> {
    /// An empty machine of whose changes nothing is known; none where the machine is one number of processors.
    pub(crate) fn of(workload: &'a Workload) -> Option<Box<Self>> {
        let cluster = workload.cluster()?;
        let capacity = cluster.machine.capacity();
        Some(Box::new(ClusterState {
            machine: &cluster.machine,
            records: Cow::Borrowed(workload.records()),
            demands: &cluster.demands,
            free: capacity.clone(),
            capacity,
            placements: FxHashMap::default(),
            announced: BTreeMap::new(),
            awake: Vec::new(),
        }))
    }

    /// An empty machine where users react: the record of each job is told when it arrives.
    pub(crate) fn reacting(workload: &'a Workload) -> Option<Box<Self>> {
        let state = *ClusterState::of(workload)?;
        Some(Box::new(ClusterState { records: Cow::Owned(Vec::with_capacity(workload.len())), ..state }))
    }

    /// Notes that the next job arrives, and is of this record of the log.
    pub(crate) fn arrived(&mut self, record: u32) {
        self.records.to_mut().push(record);
    }

    /// The number of resources of a node.
    pub(crate) fn resources(&self) -> usize {
        self.machine.resources().len()
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.machine.cells().len()
    }

    pub(crate) fn needs(&self) -> Needs<'_> {
        Needs { known: Some((&self.records, self.demands)) }
    }

    fn need(&self, job: JobId) -> Need<'a> {
        self.demands.need(self.records[job.index()] as usize)
    }

    /// The size by which a job counts in orders ([`Demands::size`]); none where that is the number of its processors.
    pub(crate) fn size(&self, job: JobId) -> Option<u32> {
        self.demands.size(self.records[job.index()] as usize)
    }

    pub(crate) fn capacity(&self) -> &[i64] {
        &self.capacity
    }

    /// The capacity that no job holds, of each resource, cell after cell; below 0 where nodes drain.
    pub fn free(&self) -> &[i64] {
        &self.free
    }

    /// The processors that no job holds, in all cells together.
    pub(crate) fn free_processors(&self) -> u32 {
        self.processors_of(&self.free)
    }

    /// The processors among the amounts `free`, in all cells together.
    pub fn processors_of(&self, free: &[i64]) -> u32 {
        // behind the cells there may be a cap of power
        let of_cells = free.chunks_exact(self.machine.resources().len()).take(self.machine.cells().len());
        let free = of_cells.map(|free| free[0].max(0)).sum::<i64>();
        u32::try_from(free).unwrap_or(u32::MAX)
    }

    /// The announced changes that lie ahead, the soonest first.
    pub(crate) fn announced(&self) -> impl Iterator<Item = AnnouncedStep> + '_ {
        self.announced.iter().map(|(&(at, _), &(cell, nodes))| {
            let mut more = vec![0; self.capacity.len()];
            self.machine.add_nodes(&mut more, cell, nodes);
            AnnouncedStep { at, more }
        })
    }

    /// How much of a resource a job asks for in all; 0 where the machine has no such resource.
    pub(crate) fn requested(&self, job: &Waiting, resource: &str) -> i64 {
        let Some(place) = self.machine.resource(resource) else { return 0 };
        let Need { parts, shape, .. } = self.needs().of_waiting(job);
        i64::from(parts).saturating_mul(shape.each(place))
    }

    pub(crate) fn placement(&self, job: JobId) -> Option<&Placement> {
        self.placements.get(&job)
    }

    /// Whether a job could start now.
    pub(crate) fn fits(&self, job: JobId) -> bool {
        let Need { parts, shape, .. } = self.need(job);
        shape.fits(parts, &self.free)
    }

    /// Starts a job where its scheduler has put it, or otherwise where it fits. Returns where that is.
    ///
    /// # Panics
    /// If it does not fit there, which is a mistake of the scheduler.
    pub(crate) fn start(&mut self, job: JobId, placement: Option<Placement>) -> &Placement {
        let Need { parts, shape, .. } = self.need(job);
        let placement = placement.or_else(|| shape.place(parts, &self.free));
        let placement = placement.unwrap_or_else(|| panic!("{job:?} was started, but does not fit anywhere"));
        assert!(shape.is_free(&placement, &self.free), "{job:?} was started where it does not fit: {placement:?}");
        shape.take(&placement, &mut self.free, 1);
        match self.placements.entry(job) {
            Entry::Occupied(mut before) => {
                before.insert(placement);
                before.into_mut()
            }
            Entry::Vacant(none) => none.insert(placement),
        }
    }

    /// Removes a job that no longer runs.
    pub(crate) fn leave(&mut self, job: JobId) {
        if let Some(placement) = self.placements.remove(&job) {
            self.need(job).shape.take(&placement, &mut self.free, -1);
        }
    }

    /// How many nodes a cell has, and how many of them jobs hold if the free amounts are these: as few as can hold what
    /// is not free.
    fn nodes_with(&self, cell: usize, free: &[i64]) -> (i64, i64) {
        let node = &self.machine.cells()[cell].node;
        let of_cell = cell * node.len()..(cell + 1) * node.len();
        let amounts = self.capacity[of_cell.clone()].iter().zip(&free[of_cell]).zip(node);
        let held = amounts.filter(|&(_, &each)| each > 0).map(|((&all, &free), &each)| {
            let each = each as i64;
            (all - free + each - 1).div_euclid(each)
        });
        (self.capacity[cell * node.len()] / node[0] as i64, held.max().unwrap_or(0))
    }

    /// How many nodes a cell has, and how many of them jobs hold.
    pub(crate) fn nodes(&self, cell: usize) -> (i64, i64) {
        self.nodes_with(cell, &self.free)
    }

    /// Notes how many idle nodes of each cell are on.
    pub(crate) fn set_awake(&mut self, awake: Vec<i64>) {
        self.awake = awake;
    }

    /// Whether idle nodes are switched off.
    pub fn saves_nodes(&self) -> bool {
        !self.awake.is_empty()
    }

    /// The seconds that nodes take to boot for a job that starts now in these cells, where `free` is left by running jobs
    /// and by those that start in this round; 0 where enough of its nodes are on.
    pub fn boot_of(&self, need: Need, placement: &Placement, free: &[i64]) -> Seconds {
        let mut after = free.to_vec();
        need.shape.take(placement, &mut after, 1);
        let of = |&(cell, _): &(u32, u32)| {
            let cell = cell as usize;
            let wanted = self.nodes_with(cell, &after).1 - self.nodes(cell).1;
            let has_too_few = wanted > self.awake.get(cell).copied().unwrap_or(i64::MAX);
            let boot = self.machine.power().map_or(0, |power| power.nodes[cell].boot);
            if has_too_few { boot } else { 0 }
        };
        placement.0.iter().map(of).max().unwrap_or(0)
    }

    /// Notes that nodes of a cell have come, or gone. `step` is the number of the calendar step.
    pub(crate) fn change(&mut self, at: Seconds, step: u32, cell: usize, nodes: i64) {
        self.announced.remove(&(at, step));
        self.machine.add_nodes(&mut self.capacity, cell, nodes);
        self.machine.add_nodes(&mut self.free, cell, nodes);
    }

    /// Notes that a change is announced: nodes of a cell will come, or go.
    pub(crate) fn announce(&mut self, at: Seconds, step: u32, cell: usize, nodes: i64) {
        self.announced.insert((at, step), (cell, nodes));
    }

    /// Whether running jobs hold more in a cell than there is.
    pub(crate) fn is_overfull(&self, cell: usize) -> bool {
        let stride = self.machine.resources().len();
        self.free[cell * stride..].iter().take(stride).any(|&free| free < 0)
    }

    /// Whether a running job holds something in a cell, or, behind the last cell, draws from a cap of power.
    pub(crate) fn is_in(&self, job: JobId, cell: usize) -> bool {
        if cell == self.machine.cells().len() {
            return self.need(job).shape.takes_shared();
        }
        self.placements.get(&job).is_some_and(|placement| placement.0.iter().any(|&(other, _)| other as usize == cell))
    }
}

// When running jobs free their processors.

/// A scheduler's own name for a job that it started. The simulation hands it back with every [`Release`] of the job and
/// does not interpret it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Token(pub u32);

/// When a running job is expected to free its processors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// Estimated end, start + E.
    pub at: f64,
    /// Processors that become free then.
    pub processors: u32,
    pub job: JobId,
    pub token: Token,
}

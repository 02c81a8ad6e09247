//! A cap of what the machine may draw (docs/power.md). Slurm has no word for it any more, so it is kept as a limit is: a job
//! that would exceed it waits, and keeps nobody else from starting. Backfill does not plan with it.

use packfair_base::machine::{Machine, NANO, cap_steps};
use packfair_workload::{JobId, Seconds, Workload};
use std::sync::Arc;

/// Why a job waits that would draw too much, as squeue wrote it while Slurm knew caps.
const REASON: &str = "PowerNotAvail";

/// What running jobs draw, and what they may.
#[derive(Clone, Debug)]
pub(super) struct CapBook {
    /// What each job is expected to draw beyond what its nodes do while they idle, nanowatts.
    each: Arc<[i64]>,
    /// From when on which power is left over idle nodes, nanowatts.
    left: Arc<[(Seconds, i64)]>,
    taken: i64,
}

impl CapBook {
    /// That of a workload's machine, where it has a cap and nothing runs.
    pub(super) fn of(workload: &Workload) -> Option<Self> {
        let machine = workload.cells()?;
        let (model, cap) = (machine.watts()?, machine.power_cap()?);
        let sum = |of: &dyn Fn(usize) -> i64| -> f64 {
            let cells = machine.cells().iter().enumerate();
            cells.map(|(place, cell)| f64::from(cell.nodes) * of(place) as f64).sum()
        };
        let idle = sum(&|cell| Machine::idle_node(machine, cell));
        let processors = f64::from(machine.processors());
        // which cells a job gets, only Slurm's own nodes tell: a processor draws what it does on the average
        let (idle_each, busy_each) = (idle / processors, sum(&|cell| Machine::busy_node(machine, cell)) / processors);
        let known = workload.power().map(|known| known.expected(workload, model.expected));
        let own = |job: JobId| {
            let processors = f64::from(workload.request(job).processors);
            let known = known.as_ref().and_then(|known| known.get(job.index()).copied().flatten());
            let busy = known.map_or(busy_each * processors, |watts| watts as f64);
            (busy - idle_each * processors).max(0.0).round() as i64
        };
        let left = |(from, watts): (Seconds, f64)| (from, (watts / model.pue * NANO as f64 - idle).floor() as i64);
        Some(CapBook {
            each: workload.jobs().map(own).collect(),
            left: cap_steps(cap).into_iter().map(left).collect(),
            taken: 0,
        })
    }

    /// When the cap changes.
    pub(super) fn changes(&self) -> impl Iterator<Item = Seconds> + '_ {
        self.left.iter().skip(1).map(|&(from, _)| from)
    }

    /// The reason for which a job may not start now; none if it may.
    pub(super) fn held(&self, job: JobId, now: Seconds) -> Option<&'static str> {
        // the first step has always held
        let step = self.left.partition_point(|&(from, _)| from <= now).saturating_sub(1);
        let own = self.each_of(job);
        (own > 0 && self.taken.saturating_add(own) > self.left[step].1).then_some(REASON)
    }

    pub(super) fn start(&mut self, job: JobId) {
        self.taken += self.each_of(job);
    }

    pub(super) fn end(&mut self, job: JobId) {
        self.taken -= self.each_of(job);
    }

    fn each_of(&self, job: JobId) -> i64 {
        self.each.get(job.index()).copied().unwrap_or(0)
    }
}

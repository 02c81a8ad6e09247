//! Preemption: jobs that give their nodes to one of a higher tier or QOS, and wait again.

use super::Controller;
use super::job::{Job, Running};
use super::node_set::NodeSet;
use super::room::Allocation;
use crate::slurm::PreemptBy;
use crate::workload::{JobId, Seconds};
use std::cmp::Reverse;

/// A job that was preempted is eligible again after so long, seconds.
pub(super) const EXPEDIENT: Seconds = 120;

/// What a job gets once running jobs have gone.
pub(super) struct Preemption {
    pub victims: Vec<JobId>,
    pub allocation: Allocation,
}

impl Controller {
    /// Whether a job may take the nodes of a running one.
    fn may_preempt(&self, job: &Job, run: &Running) -> bool {
        match self.site().preempt_by {
            PreemptBy::Nobody => false,
            PreemptBy::Partition => run.job.tier < job.tier,
            PreemptBy::Qos => {
                let name = |at: Option<u32>| at.map(|at| &self.site().qos[at as usize]);
                let (Some(own), Some(other)) = (name(job.qos), name(run.job.qos)) else { return false };
                own.preempts.contains(&other.name)
            }
        }
    }

    /// What has to go for a job that does not fit on these nodes: running jobs of the lowest tier first, then of the lowest
    /// priority, then the youngest. None where it will fit without, or does not even so.
    pub(super) fn preemption(&self, job: &Job, open: &NodeSet) -> Option<Preemption> {
        let site = self.site();
        if !site.preempts || site.preempt_by == PreemptBy::Nobody {
            return None;
        }
        // nodes of jobs that are completing are free soon
        if self.nodes.choose(&self.room, job.ask, open).is_some() {
            return None;
        }
        let is_meant = |run: &&Running| !run.is_over && self.may_preempt(job, run) && run.nodes().meets(open);
        let mut candidates: Vec<&Running> = self.running.iter().filter(is_meant).collect();
        candidates.sort_by(|one, other| {
            let rank = |run: &Running| (run.job.tier, Reverse(run.start.to_bits()));
            let priority = one.job.priority.total_cmp(&other.job.priority);
            one.job.tier.cmp(&other.job.tier).then(priority).then(rank(one).cmp(&rank(other)))
        });
        let mut room = self.room.clone();
        let mut back: Vec<&Running> = Vec::new();
        for run in candidates {
            self.nodes.give(&mut room, &run.allocation);
            back.push(run);
            if let Some(allocation) = self.nodes.choose(&room, job.ask, open) {
                let has_to = |run: &&&Running| run.nodes().meets(&allocation.nodes);
                let victims = back.iter().filter(has_to).map(|run| run.job.waiting.job).collect();
                return Some(Preemption { victims, allocation });
            }
        }
        None
    }

    /// These jobs are to give their nodes to others.
    pub(super) fn preempt(&mut self, victims: Vec<JobId>) {
        for victim in victims {
            if !self.preempted.contains(&victim) {
                self.preempted.push(victim);
            }
        }
    }
}

//! Nodes that jobs of one user have for themselves: ExclusiveUser of a partition, and `--exclusive=user`.

use super::Controller;
use super::job::{AllocatedJob, JobState};
use super::node_set::NodeBits;

impl Controller {
    /// Takes out the nodes on which jobs of another user run, where either wants no other user beside it. Backfill goes by
    /// the jobs of now for later starts, too, as Slurm does.
    pub(super) fn keep_to_user(&self, job: &JobState, nodes: &mut NodeBits) {
        if !self.has_owners {
            return;
        }
        let is_apart = |run: &&AllocatedJob| run.job.user != job.user && (job.is_of_one_user || run.job.is_of_one_user);
        let there = self.running.iter().chain(self.completing.iter().map(|other| &other.run));
        there.filter(is_apart).for_each(|run| nodes.take_out(run.nodes()));
    }

    /// The nodes that a job may use while no job runs: those of its partition that are up and have what it wants.
    pub(super) fn open_to(&self, job: &JobState) -> NodeBits {
        let mut open = self.partitions[job.partition as usize].clone();
        open.keep(&self.availability.up);
        self.keep_fit(job, &mut open);
        open
    }

    /// The nodes of all partitions in which these entries wait.
    pub(super) fn reach<'a>(&self, entries: impl Iterator<Item = &'a Box<JobState>>) -> NodeBits {
        let mut all = NodeBits::none(self.nodes.count);
        entries.for_each(|job| all.put_in(&self.partitions[job.partition as usize]));
        all
    }

    /// Keeps the nodes that have what a job wants.
    pub(super) fn keep_fit(&self, job: &JobState, nodes: &mut NodeBits) {
        if let Some(fit) = &self.nodes.want(job.ask).fit {
            nodes.keep(fit);
        }
    }
}

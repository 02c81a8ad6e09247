//! Nodes that only some jobs may use: those of one user (ExclusiveUser of a partition, `--exclusive=user`), and those of a
//! reservation.

use super::Controller;
use super::job::{AllocatedJob, JobState};
use super::node_set::NodeBits;
use packfair_workload::Seconds;

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

    /// The reservations of which a job is in one, by their places in the site.
    pub(super) fn reservations_of(&self, job: &JobState) -> &[usize] {
        if job.is_reserved { &self.nodes.want(job.ask).reservations } else { &[] }
    }

    /// Puts a job into the MAGNETIC reservations that are open to it, if it asks for no other. As in Slurm they draw no parts of
    /// jobs.
    pub(super) fn draw(&mut self, job: &mut JobState) {
        let site = &self.jobs.site;
        let own = self.reservations_of(job);
        let has_any = site.reservations.iter().any(|reservation| reservation.is_magnetic);
        if !has_any || job.part.is_some() || !own.iter().all(|&at| self.availability.is_magnetic(at)) {
            return;
        }
        let is_open = |&at: &usize| {
            let reservation = &site.reservations[at];
            let is_open_to = |of| reservation.is_open_to(&site.accounts, of);
            reservation.is_magnetic && job.association.is_some_and(is_open_to)
        };
        let open: Vec<usize> = (0..site.reservations.len()).filter(is_open).collect();
        if open.is_empty() {
            return;
        }
        let drawn = self.drawn.entry((job.ask.want, open));
        let (want, open) = drawn.key().clone();
        job.ask.want = *drawn.or_insert_with(|| self.nodes.want_in(want, open));
        job.is_reserved = true;
    }

    /// Keeps the nodes on which no reservation keeps a job from starting at `from`, as far as is known at `now`. Returns the
    /// end of the first reservation that keeps it from some: a moment later the answer may be another.
    pub(super) fn keep_clear(
        &self,
        job: &JobState,
        nodes: &mut NodeBits,
        now: Seconds,
        from: Seconds,
    ) -> Option<Seconds> {
        self.availability.keep_clear(self.reservations_of(job), nodes, now, (from, from + job.limit))
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

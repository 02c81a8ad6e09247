//! The running jobs.

use super::job::AllocatedJob;
use packfair_workload::JobId;

/// The running jobs, in the order in which their limits end.
#[derive(Clone, Debug, Default)]
pub(super) struct RunningJobs {
    #[expect(clippy::vec_box, reason = "what stands behind moves with each start and end, and an entry is large")]
    runs: Vec<Box<AllocatedJob>>,
}

impl RunningJobs {
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &AllocatedJob> + ExactSizeIterator {
        self.runs.iter().map(Box::as_ref)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut AllocatedJob> {
        self.runs.iter_mut().map(Box::as_mut)
    }

    /// Puts a run behind those that end no later.
    pub(super) fn insert(&mut self, run: Box<AllocatedJob>) {
        let place = self.runs.partition_point(|other| other.end <= run.end);
        self.runs.insert(place, run);
    }

    /// Takes out a run of a job, of several parts the one that ends first.
    pub(super) fn remove(&mut self, job: JobId) -> Option<Box<AllocatedJob>> {
        let place = self.runs.iter().position(|run| run.job.waiting.job == job)?;
        Some(self.runs.remove(place))
    }
}

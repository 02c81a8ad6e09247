//! The running jobs by their expected ends, for schedulers that go through these.

use crate::model::Release;
use crate::workload::JobId;

/// A running job: when it is expected to end, and what it holds.
#[derive(Clone, Debug)]
pub(super) struct RunningEnd<H> {
    pub(super) at: f64,
    pub(super) job: JobId,
    pub(super) held: H,
}

/// The running jobs, each with what it holds: a number of processors, or parts of cells.
#[derive(Clone, Debug)]
pub(super) struct ExpectedEnds<H> {
    /// The job that is expected to end first comes last; of jobs with the same end the first in the log.
    ends: Vec<RunningEnd<H>>,
}

impl<H> Default for ExpectedEnds<H> {
    fn default() -> Self {
        ExpectedEnds { ends: Vec::new() }
    }
}

impl<H> ExpectedEnds<H> {
    pub(super) fn started(&mut self, running: RunningEnd<H>) {
        let place = self.place_of(running.at, running.job);
        self.ends.insert(place, running);
    }

    /// The index at which a running job is kept, or would be inserted.
    fn place_of(&self, at: f64, job: JobId) -> usize {
        self.ends.partition_point(|other| at.total_cmp(&other.at).then(job.cmp(&other.job)).is_lt())
    }

    /// Removes a running job that has ended. Returns what it held.
    pub(super) fn completed(&mut self, release: &Release) -> Option<H> {
        let place = self.place_of(release.at, release.job);
        let is_it = self.ends.get(place).is_some_and(|running| running.job == release.job);
        debug_assert!(is_it, "{release:?} is not known to run");
        is_it.then(|| self.ends.remove(place).held)
    }

    /// Notes that a running job is now expected to end at `at`.
    pub(super) fn expected(&mut self, release: &Release, at: f64) {
        if let Some(held) = self.completed(release) {
            self.started(RunningEnd { at, job: release.job, held });
        }
    }

    /// The running jobs; the one that is expected to end first comes last.
    pub(super) fn ends(&self) -> &[RunningEnd<H>] {
        &self.ends
    }
}

impl ExpectedEnds<u32> {
    /// When each running job is expected to end, and its processors, the soonest first.
    pub(super) fn releases(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        self.ends.iter().rev().map(|running| (running.at, running.held))
    }
}

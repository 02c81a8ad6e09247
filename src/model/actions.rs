//! What a scheduler decides in a round.

use super::{NoteId, Token, Waiting};
use crate::machine::Placement;
use crate::workload::{JobId, Seconds};

/// A job that starts, and the token by which its scheduler knows it from then on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The job.
    pub job: Waiting,
    /// Comes back in each [`super::Release`] of the job.
    pub token: Token,
}

/// The answer of a round: jobs to start, jobs to kill, when to call again, and notes.
#[derive(Clone, Debug)]
pub struct Actions {
    free: u32,
    pub(crate) starts: Vec<Start>,
    /// When to call again; [`NEVER`] if that was not asked for.
    wake: Seconds,
    /// Whether there are kills or notes: one look at it is all that they cost a round without any.
    has_more: bool,
    pub(crate) kills: Vec<JobId>,
    pub(crate) notes: Vec<(NoteId, JobId, Seconds)>,
    /// Whether the machine has cells, so that it matters where a job starts.
    pub(crate) has_cells: bool,
    /// Where jobs start, as far as their scheduler has said.
    pub(crate) placements: Vec<(JobId, Placement)>,
}

/// Later than any time of a workload.
pub(crate) const NEVER: Seconds = Seconds::MAX;

impl Default for Actions {
    fn default() -> Self {
        Actions {
            free: 0,
            starts: Vec::new(),
            wake: NEVER,
            has_more: false,
            kills: Vec::new(),
            notes: Vec::new(),
            has_cells: false,
            placements: Vec::new(),
        }
    }
}

impl Actions {
    /// No answer yet; of a machine of cells it is kept where jobs start.
    pub(crate) fn on_cells(has_cells: bool) -> Self {
        Actions { has_cells, ..Actions::default() }
    }

    /// Begins the answer of a round in which `free` processors are idle. No starts are left of the last one.
    #[inline]
    pub(crate) fn begin(&mut self, free: u32) {
        debug_assert!(self.starts.is_empty());
        self.free = free;
        self.wake = NEVER;
    }

    /// When to call again; [`NEVER`] if that was not asked for.
    #[inline]
    pub(crate) fn wake(&self) -> Seconds {
        self.wake
    }

    /// The call that was asked for takes place.
    pub(crate) fn forget_wake(&mut self) {
        self.wake = NEVER;
    }

    /// Whether there are kills or notes. There are none afterwards, for the caller deals with them.
    #[inline]
    pub(crate) fn take_more(&mut self) -> bool {
        std::mem::take(&mut self.has_more)
    }

    /// Idle processors, less those of the jobs started in this round.
    #[inline]
    pub fn free(&self) -> u32 {
        self.free
    }

    /// Starts a waiting job now. Of jobs that start and complete together, estimators learn in the order in which they
    /// were started here: a fast and a plain scheduler must start them in the same order.
    ///
    /// # Panics
    /// If fewer processors are idle than the job needs: a scheduler's mistake.
    #[inline]
    pub fn start(&mut self, job: Waiting, token: Token) {
        assert!(job.processors <= self.free, "{job:?} was started with only {} processors free", self.free);
        self.free -= job.processors;
        self.starts.push(Start { job, token });
    }

    /// Starts a waiting job now in these cells.
    ///
    /// # Panics
    /// As [`Actions::start`].
    pub fn start_on(&mut self, job: Waiting, token: Token, placement: Placement) {
        if self.has_cells {
            self.placements.push((job.job, placement));
        }
        self.start(job, token);
    }

    /// Kills a running job. Its processors are free at once, and it waits again with its own submit time; another
    /// round follows at the same instant.
    pub fn kill(&mut self, job: JobId) {
        self.has_more = true;
        self.kills.push(job);
    }

    /// Asks for a call at `at`, which lies in the future, even if nothing else happens then
    /// ([`super::Scheduler::woken`]). It holds until the next round.
    #[inline]
    pub fn wake_at(&mut self, at: Seconds) {
        self.wake = self.wake.min(at);
    }

    /// Reports a value of a job, such as the start it is guaranteed. The first value of a job stands.
    pub fn note(&mut self, note: NoteId, job: JobId, value: Seconds) {
        self.has_more = true;
        self.notes.push((note, job, value));
    }
}

//! What a scheduler decides in a round.

use super::{NoteId, Token, Waiting};
use packfair_base::machine::Placement;
use packfair_workload::{JobId, Seconds};

/// A job that starts, and the token by which its scheduler knows it from then on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    pub job: Waiting,
    /// The scheduler's own name of the job. Each [`super::Release`] of the job has it.
    pub token: Token,
}

/// What becomes of a running job that goes on later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    Suspend(JobId),
    Resume(JobId),
}

/// The answer of a round: which jobs to start and to kill, when to call again, and notes.
#[derive(Clone, Debug)]
pub struct Actions {
    free: u32,
    pub starts: Vec<Start>,
    /// When to call again; [`NEVER`] if no call was asked for.
    wake: Seconds,
    /// Whether there are kills, suspensions or notes. Rounds without any only look at this.
    has_more: bool,
    pub(crate) kills: Vec<JobId>,
    /// Jobs that are suspended and resumed, in the order of the calls.
    pub(crate) pauses: Vec<Pause>,
    pub(crate) notes: Vec<(NoteId, JobId, Seconds)>,
    /// Whether the machine has cells, so that it matters where a job starts.
    pub(crate) has_cells: bool,
    pub(crate) placements: Vec<(JobId, Placement)>,
    /// After how many seconds jobs begin that do not begin at once, because nodes are switched on for them.
    pub(crate) delays: Vec<(JobId, Seconds)>,
}

pub(crate) const NEVER: Seconds = Seconds::MAX;

impl Default for Actions {
    fn default() -> Self {
        Actions {
            free: 0,
            starts: Vec::new(),
            wake: NEVER,
            has_more: false,
            kills: Vec::new(),
            pauses: Vec::new(),
            notes: Vec::new(),
            has_cells: false,
            placements: Vec::new(),
            delays: Vec::new(),
        }
    }
}

impl Actions {
    /// Actions before any round; where the machine has cells, they keep where jobs start.
    pub(crate) fn on_cells(has_cells: bool) -> Self {
        Actions { has_cells, ..Actions::default() }
    }

    /// Begins the answer of a round in which `free` processors are idle. The starts of the last round must be taken
    /// already.
    #[inline]
    pub(crate) fn begin(&mut self, free: u32) {
        debug_assert!(self.starts.is_empty());
        self.free = free;
        self.wake = NEVER;
    }

    /// When to call again; [`NEVER`] if no call was asked for.
    #[inline]
    pub(crate) fn wake(&self) -> Seconds {
        self.wake
    }

    /// Forgets the call that was asked for, because it takes place now.
    pub(crate) fn forget_wake(&mut self) {
        self.wake = NEVER;
    }

    /// Whether there are kills, suspensions or notes. Resets this, because the caller deals with them.
    #[inline]
    pub(crate) fn take_more(&mut self) -> bool {
        std::mem::take(&mut self.has_more)
    }

    /// Idle processors, less those of the jobs started in this round.
    #[inline]
    pub fn free(&self) -> u32 {
        self.free
    }

    /// Starts a waiting job now. Estimators learn of jobs that start and complete together in the order in which these
    /// calls start them. So a fast and a plain scheduler must start them in the same order.
    ///
    /// # Panics
    /// If fewer processors are idle than the job needs, which is a mistake of the scheduler.
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

    /// Lets a job that starts now begin so many seconds later.
    pub fn delay(&mut self, job: JobId, by: Seconds) {
        self.delays.push((job, by));
    }

    /// After how many seconds a job begins that starts now.
    pub(crate) fn delay_of(&self, job: JobId) -> Seconds {
        self.delays.iter().find(|(delayed, _)| *delayed == job).map_or(0, |&(_, delay)| delay)
    }

    /// Kills a running job. Its processors are free at once, and it waits again with its own submit time. Another round
    /// follows at the same instant.
    pub fn kill(&mut self, job: JobId) {
        self.has_more = true;
        self.kills.push(job);
    }

    /// Suspends a running job, or one that starts in this round: its processors, so many, are free at once, and it does
    /// not run until it is resumed. To be called in a round, by a scheduler that counts nodes itself
    /// ([`super::Scheduler::counts_nodes`]), since the job keeps what it has of cells.
    pub fn suspend(&mut self, job: JobId, processors: u32) {
        self.has_more = true;
        self.free += processors;
        self.pauses.push(Pause::Suspend(job));
    }

    /// Lets a suspended job run on, on as many processors as it had.
    ///
    /// # Panics
    /// If fewer processors are idle than that, which is a mistake of the scheduler.
    pub fn resume(&mut self, job: JobId, processors: u32) {
        assert!(processors <= self.free, "{job:?} was resumed with only {} processors free", self.free);
        self.has_more = true;
        self.free -= processors;
        self.pauses.push(Pause::Resume(job));
    }

    /// Asks to be called at `at`, which must lie in the future, even if nothing else happens then
    /// ([`super::Scheduler::woken`]). The request holds until the next round.
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

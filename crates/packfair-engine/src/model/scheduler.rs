//! The trait of all schedulers.

use super::{NoteId, Notes, Printed, Release, SchedulerFailure, Token, View, Waiting};
use packfair_base::machine::Placement;
use packfair_workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

/// The start that a waiting job has been given, by present estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reservation {
    pub job: Waiting,
    /// When it is to start, seconds.
    pub start: f64,
}

/// Decides which waiting jobs start.
///
/// Only [`Scheduler::round`] has to be written: the [`View`] shows which jobs run and wait. A fast scheduler keeps a
/// queue of its own, and the other functions tell it of every change.
///
/// The order of events at an instant is the same for every scheduler: estimates that ran out are corrected, jobs
/// arrive, jobs complete, [`Scheduler::woken`] may kill, then there is one round. There is a round only if a job
/// arrived, completed or was killed, or if `woken` asks for one.
pub trait Scheduler {
    /// Whether it asks how much of the machine each user has had ([`View::share`]), so that this must be counted.
    fn counts_usage(&self) -> bool {
        false
    }

    /// Whether it may kill running jobs ([`Actions::kill`]). If one that kills returns false here, its fair start times
    /// are wrong.
    fn kills(&self) -> bool {
        false
    }

    /// Whether it asks for the hour or the day of the week ([`View::hour`]), so that it needs the log's clock.
    fn reads_clock(&self) -> bool {
        false
    }

    /// Whether it counts nodes itself, by the files of a site. Then it sees one number of processors, whatever machine
    /// is described.
    fn counts_nodes(&self) -> bool {
        false
    }

    /// Whether jobs that it starts may begin later, because nodes are switched on for them.
    fn delays_starts(&self) -> bool {
        false
    }

    /// A job enters the queue. Jobs of one instant come in log order.
    fn arrived(&mut self, _job: Waiting, _view: &View) {}

    /// A job has completed; its processors are free. `release` is the end that was expected of it.
    fn completed(&mut self, _release: Release, _view: &View) {}

    /// A running job was killed; its processors are free. It waits again as `job`.
    fn killed(&mut self, release: Release, job: Waiting, view: &View) {
        self.completed(release, view);
        self.arrived(job, view);
    }

    /// A running job has outlived its estimate, which was corrected, or was estimated anew. It is now expected to end
    /// at `end` and not when `release` says.
    fn expected(&mut self, _release: Release, _end: f64, _view: &View) {}

    /// A running job has outlived even its corrected estimate. At each instant until it ends it is expected to end a
    /// second later, at `end`, so that its remaining time is always a whole number of seconds.
    fn overdue(&mut self, release: Release, end: f64, view: &View) {
        self.expected(release, end, view);
    }

    /// Waiting jobs were estimated anew, just before a round. `estimates` has seconds, indexed by log order.
    fn reestimated(&mut self, _estimates: &[f64], _view: &View) {}

    /// The capacity of the machine has changed, or a change was announced ([`View::capacity`], [`View::announced`]). A
    /// round follows.
    fn capacity_changed(&mut self, _view: &View) {}

    /// Draws anew whatever differs from run to run of the real batch system and that nobody can know at `now`: in a copy of
    /// a simulation, which goes on as another run would.
    fn redraw(&mut self, _seed: u64, _now: Seconds) {}

    /// Whether any waiting job is narrow enough to start now. If none is, jobs are not estimated anew.
    fn could_start(&self, view: &View) -> bool {
        view.waiting().any(|job| view.fits_now(job.job, job.processors))
    }

    /// Whether a job that has arrived needs a round at this instant, whatever triggers rounds otherwise.
    fn needs_round(&self) -> bool {
        false
    }

    /// A time that was asked for with [`Actions::wake_at`] has come, and completed jobs have left. Here the scheduler
    /// may kill jobs. Returns whether a round follows even if no job is killed.
    fn woken(&mut self, _view: &View, _actions: &mut Actions) -> bool {
        true
    }

    /// One scheduling round: starts what should start now.
    fn round(&mut self, view: &View, actions: &mut Actions);

    /// The reservations after the last round, for a person to look at. They follow the definition of the algorithm,
    /// even if a fast round need not make them all.
    fn reservations(&self, _view: &View) -> Vec<Reservation> {
        Vec::new()
    }

    /// Why a waiting job has not started, if a plan says so: a sentence or two for a person.
    fn explain(&self, _job: JobId, _view: &View) -> Option<String> {
        None
    }

    /// Why a job that has just started had to wait, if the scheduler remembers: sentences for a person.
    fn explain_started(&self, _job: JobId) -> Option<String> {
        None
    }

    /// Whether [`Scheduler::explain`] or [`Scheduler::explain_started`] says anything.
    fn explains(&self) -> bool {
        false
    }

    /// Whether a person has written the scheduler, so that it may make mistakes, and let jobs wait for ever.
    fn may_fail(&self) -> bool {
        false
    }

    /// Why the scheduler decides nothing any more; none if it still decides. Only schedulers that a person has written
    /// fail.
    fn failure(&self) -> Option<SchedulerFailure> {
        None
    }

    fn printed(&self) -> Printed {
        Printed::default()
    }

    /// Reports counts and courses, once the simulation has ended.
    fn report(&self, _notes: &mut Notes) {}
}

// When waiting jobs are estimated anew, and which submissions trigger a round.

/// When waiting jobs are estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reestimation {
    #[default]
    Submission,
    /// At submission, and in every round in which a job could start, with all that was learned since.
    /// Running jobs keep the estimate with which they started, unless the estimator takes the time
    /// that a job has run into account.
    Round,
}

/// Which submissions trigger a scheduling round. A completion always does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoundTrigger {
    #[default]
    Every,
    /// Submissions of jobs no wider than what is free at that moment. This matters where estimates are wrong: an
    /// estimate that ran out may have moved a reservation, and the next round then finds other jobs to backfill.
    Fitting,
}

packfair_base::named!(Reestimation, "time of estimating", {
    Submission => "submission", "At submission only", "a waiting job keeps its first estimate";
    Round => "round", "Every round", "in every round, with all that was learned meanwhile";
});

packfair_base::named!(RoundTrigger, "trigger of rounds", {
    Every => "every", "Every submission", "whether or not the job fits at once";
    Fitting => "fitting", "Submissions that fit", "those of jobs no wider than what is free at that moment";
});

/// What a scheduler family does when a study says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usual {
    /// When waiting jobs are estimated.
    pub reestimation: Reestimation,
    pub trigger: RoundTrigger,
}

impl Usual {
    /// As the program of METRICS does for the list family: jobs are estimated in every round, and every submission
    /// triggers one.
    pub const EACH_ROUND: Usual = Usual { reestimation: Reestimation::Round, trigger: RoundTrigger::Every };
    /// Jobs are estimated once, at submission, and every submission triggers a round.
    pub const AT_SUBMISSION: Usual = Usual { reestimation: Reestimation::Submission, trigger: RoundTrigger::Every };
    /// Jobs are estimated in every round, and only submissions of jobs that fit trigger one.
    pub const IF_FITTING: Usual = Usual { reestimation: Reestimation::Round, trigger: RoundTrigger::Fitting };
}

// What a scheduler decides in a round.

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

//! The trait of all schedulers.

use super::{Actions, Notes, Printed, Release, SchedulerFailure, View, Waiting};
use packfair_workload::{JobId, Seconds};

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

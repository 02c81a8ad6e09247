//! Handles the messages of workers.

use super::protocol::{FromWorker, Ticket, WorkerId};
use super::results::{LogState, Status};
use super::workers::{BackgroundNews, Packed, Role, RunTask, Wanted, Work};
use super::{QueueOrder, RunQueue};
use packfair_study::{Run, RunReport, pace};
use std::collections::VecDeque;

/// The reason for the end of a worker that could not load its late part.
const INCOMPLETE: &str = "A part of Packfair could not be loaded. Check the connection and try again.";

impl<B: Clone> RunQueue<B> {
    /// Handles a message from a worker.
    pub(super) fn said(&mut self, worker: WorkerId, message: FromWorker, attachment: Option<B>) {
        match message {
            FromWorker::Ready => self.order(QueueOrder::Deliver(worker)),
            FromWorker::Loading { log, read, total } => self.log_progressed(log, read / total.max(1.0)),
            FromWorker::Loaded { .. } => self.log_read(message),
            FromWorker::NotLoaded { log, message, may_go_on } => self.log_failed(log, message, may_go_on),
            FromWorker::Described { ticket, summary, unfiltered, account } => {
                self.described(ticket, *summary, unfiltered, account);
            }
            FromWorker::Packed { ticket } => self.take_workload(ticket, attachment),
            FromWorker::Progress { ticket, completed, jobs, spent } => {
                self.progressed(ticket, completed, jobs, spent);
            }
            FromWorker::Finished { ticket, report } => {
                if self.is_with_log_worker(worker) {
                    self.note_quick_run(&report);
                }
                if let Some(task) = self.end_task(ticket, worker) {
                    self.run_finished(task, *report, attachment);
                }
                self.after_a_run();
            }
            FromWorker::FairStarts { ticket } => {
                if let (Some(task), Some(fair)) = (self.end_task(ticket, worker), attachment) {
                    self.take_fair_starts(task, fair);
                }
                self.dispatch();
            }
            FromWorker::Cancelled { ticket } => {
                // the task was dropped already, and its worker takes the next one
                self.end_task(ticket, worker);
                self.dispatch();
            }
            FromWorker::Failed { ticket, message } => self.failed(worker, ticket, message),
            FromWorker::Crashed { message } => self.died(worker, &message),
            FromWorker::Incomplete => self.died(worker, INCOMPLETE),
            FromWorker::Answered { ticket, answer } if self.workers.of(Role::Logs) != Some(worker) => {
                self.workers.set_idle(worker);
                self.tell_background(BackgroundNews::Answered(ticket, *answer));
                self.dispatch();
            }
            FromWorker::Answered { ticket, answer } => self.answer(ticket, Ok(*answer)),
            FromWorker::Forecast { ticket, news, is_last } => self.tell_forecast(ticket, Ok(news), is_last),
            FromWorker::Repeated { ticket, values } => {
                self.workers.set_idle(worker);
                self.tell_background(BackgroundNews::Repeated(ticket, values));
                self.dispatch();
            }
        }
    }

    /// Takes the workload of the latest runs, which the log worker has made.
    fn take_workload(&mut self, ticket: Ticket, bytes: Option<B>) {
        if let Some(packed) = self.packed.as_mut().filter(|packed| packed.ticket == ticket) {
            packed.bytes = bytes;
        }
        self.dispatch();
    }

    /// Called when the workload of the latest runs cannot be made: these runs fail, and whatever else needs the
    /// workload.
    fn workload_failed(&mut self, message: &str) {
        let Some(Packed { log, treatment, .. }) = self.packed.take() else { return };
        let is_on_it = |task: &RunTask| task.log == log && task.treatment() == treatment;
        let (failed, others): (VecDeque<_>, VecDeque<_>) = self.waiting.drain(..).partition(is_on_it);
        self.waiting = others;
        for task in failed {
            self.run_failed(&task.run, message.to_owned());
        }
        if !self.background.is_empty() {
            self.tell_background(BackgroundNews::Unmade(log, treatment, message.to_owned()));
        }
    }

    /// Called when a worker reports progress with a run.
    fn progressed(&mut self, ticket: Ticket, completed: usize, jobs: usize, spent: f64) {
        let Some((task, worker)) = self.running.get_mut(&ticket) else { return };
        let first = *task.reported.get_or_insert((completed, spent));
        let (task, worker) = (task.clone(), *worker);
        if let Work::FairStarts { part, .. } = task.work {
            self.fair_starts_progressed(&task, part, completed, spent);
        } else if completed >= jobs {
            self.set_status(&task.run, Status::Measuring);
        } else if self.is_with_log_worker(worker) {
            self.leave_to_runners(ticket);
        } else {
            self.goes_on(&task, first, completed, jobs, spent);
        }
    }

    /// Shows how far a run has come or, if nobody has asked for it and it takes long, lets it wait for a word. Its pace is that
    /// since it had completed the `first` jobs in `until` seconds.
    pub(super) fn goes_on(
        &mut self,
        task: &RunTask,
        (first, until): (usize, f64),
        completed: usize,
        jobs: usize,
        spent: f64,
    ) {
        let measured = spent - until;
        let left = pace::left(measured, completed.saturating_sub(first) as f64, jobs.saturating_sub(first) as f64);
        if task.wanted == Wanted::Unasked && pace::waits_for_word(measured, left) {
            self.hold(&task.run, left.map(|left| spent + left));
            return self.count_unasked(task.wanted, spent);
        }
        self.set_status(&task.run, Status::Running { completed, jobs, left });
    }

    /// Ends a run's task, however it ended, so that its worker can take the next. Returns the task; `None` if it was
    /// given up.
    fn end_task(&mut self, ticket: Ticket, worker: WorkerId) -> Option<RunTask> {
        self.workers.set_idle(worker);
        self.running.remove(&ticket).map(|(task, _)| task)
    }

    /// Takes the result of a run that has ended successfully.
    fn run_finished(&mut self, task: RunTask, report: RunReport, schedule: Option<B>) {
        let (wanted, seconds) = (task.wanted, pace::again(&report));
        let key = task.settings.key(&task.run);
        let outcome = self.take_result(key.clone(), task.settings, report);
        if let Some(schedule) = schedule {
            let copy = self.number();
            // the log worker may have the schedule of an earlier run
            self.kept.remove(&key);
            self.schedules.insert(key.clone(), (copy, schedule.clone()));
            self.order(QueueOrder::Store { key, copy, outcome, schedule });
        }
        if matches!(task.work, Work::Measure) {
            self.give_up_fair_starts(&task.run);
        } else {
            self.follow_with_fair_starts(&task.run, wanted);
        }
        self.count_unasked(wanted, seconds);
    }

    /// Gives the next run to the worker that has become free, if a run is waiting.
    fn after_a_run(&mut self) {
        // runs of the page before a reload stay stored until they are started again
        if self.is_idle() && self.interrupted.is_none() {
            self.order(QueueOrder::NoteUnderWay(None));
        }
        self.dispatch();
    }

    fn failed(&mut self, worker: WorkerId, ticket: Ticket, message: String) {
        if self.is_asked(ticket) {
            self.answer(ticket, Err(message));
        } else if self.forecasting == Some(ticket) {
            self.tell_forecast(ticket, Err(message), true);
        } else if let Some(task) = self.end_task(ticket, worker) {
            self.run_failed(&task.run, message);
            return self.after_a_run();
        } else if self.describing == Some(ticket) {
            self.description_failed(message);
        } else if self.packed.as_ref().is_some_and(|packed| packed.ticket == ticket) {
            self.workload_failed(&message);
        } else {
            self.tell_background(BackgroundNews::Failed(ticket, message));
        }
        self.dispatch();
    }

    /// Called when a run or a part of its fair start times has failed: the other parts are then of no use.
    #[inline(never)]
    pub(super) fn run_failed(&mut self, run: &Run, message: String) {
        if self.give_up_fair_starts(run) {
            self.drop_tasks(run);
        }
        self.set_status(run, Status::Failed(message));
    }

    /// Called when a worker has ended: its task has failed, and the next task gets a new worker.
    #[inline(never)]
    pub(super) fn died(&mut self, worker: WorkerId, message: &str) {
        let Some((role, ticket)) = self.workers.remove(worker) else { return };
        self.order(QueueOrder::End(worker));
        if let Some((task, _)) = ticket.and_then(|ticket| self.running.remove(&ticket)) {
            self.run_failed(&task.run, message.to_owned());
        } else if let Some(ticket) = ticket {
            self.tell_background(BackgroundNews::Failed(ticket, message.to_owned()));
        }
        if role == Role::Logs {
            self.log_worker_died(message);
        }
        self.after_a_run();
    }

    fn log_worker_died(&mut self, message: &str) {
        self.kept.clear();
        if self.packed.as_ref().is_some_and(|packed| packed.bytes.is_none()) {
            self.workload_failed(message);
        }
        self.answer_all(message);
        if let Some(ticket) = self.forecasting {
            self.tell_forecast(ticket, Err(message.to_owned()), true);
        }
        if let Some(log) = self.loading {
            self.log_failed(log, message.to_owned(), false);
        } else if self.describing.is_some() {
            self.description_failed(message.to_owned());
        } else if !matches!(self.log, LogState::Ready(_)) {
            self.order(QueueOrder::Complain(message.to_owned()));
        }
    }
}

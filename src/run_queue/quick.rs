//! Runs that start by themselves, and what becomes of those that take long: they wait for a word.

use super::protocol::{LogId, Ticket, ToWorker};
use super::row::{LogState, RunRow, RunSettings, Status};
use super::task::{RunTask, Wanted, Work};
use super::workers::Role;
use super::{QueueOrder, RunQueue, WorkerId};
use crate::study::pace;
use crate::study::{Run, RunReport};

/// If the waiting runs would take less than this together, seconds, the log worker makes them, as long as there is no
/// runner. A runner would take about as long to start.
const WITHOUT_RUNNERS: f64 = 0.3;

/// How long all workers are at runs that nobody has asked for, seconds; then the others wait for a word.
const LONGEST_UNASKED: f64 = 60.0;

impl<B: Clone> RunQueue<B> {
    /// The log worker, if it is to make the waiting runs: there is no runner yet, and the runs so far were quick. It has
    /// their workload already, so that the first values of a visit need not wait for other workers to start.
    pub(super) fn log_worker_for_quick_runs(&self, log: LogId) -> Option<WorkerId> {
        if self.workers.has_runners() || self.longest_here * self.waiting.len() as f64 >= WITHOUT_RUNNERS {
            return None;
        }
        let is_simple = |task: &RunTask| {
            task.log == log && matches!(task.work, Work::Run) && task.treatment() == self.study.treatment
        };
        let worker = self.workers.of(Role::Logs).filter(|&worker| self.workers.has_log(worker, log))?;
        // thousands may wait: the first that is not simple ends the search
        self.waiting.iter().all(is_simple).then_some(worker)
    }

    pub(super) fn note_quick_run(&mut self, report: &RunReport) {
        self.longest_here = self.longest_here.max(pace::again(report));
    }

    /// Whether a run that goes on is with the log worker, which should be there for questions.
    pub(super) fn is_with_log_worker(&self, worker: WorkerId) -> bool {
        self.workers.of(Role::Logs) == Some(worker)
    }

    /// Takes a run away from the log worker, because it is not quick, and leaves it and the others to runners.
    pub(super) fn leave_to_runners(&mut self, ticket: Ticket) {
        self.longest_here = f64::INFINITY;
        if let Some((task, worker)) = self.running.remove(&ticket) {
            self.send(worker, ToWorker::Cancel { ticket });
            self.set_status(&task.run, Status::Queued);
            let ticket = self.number();
            self.waiting.push_front(RunTask { ticket, ..task });
            self.dispatch();
        }
    }

    /// Called when the log has been described or the search for stored results has ended. Starts the runs that were
    /// asked for meanwhile or, without any, all others.
    pub(super) fn begin_by_itself(&mut self) {
        let is_ready = self.is_described() && self.describing.is_none() && self.recalling.is_none();
        if is_ready && std::mem::take(&mut self.run_when_described) {
            self.run_all();
        } else {
            self.run_unasked();
        }
    }

    /// Whether the log is described as the study treats it.
    fn is_described(&self) -> bool {
        matches!(&self.log, LogState::Ready(described) if described.treatment == self.study.treatment)
    }

    /// Starts all runs without a result for the present settings. Runs that were cancelled, have failed or wait for a
    /// word are not started.
    pub(super) fn run_unasked(&mut self) {
        if !self.is_described() || self.recalling.is_some() {
            return;
        }
        if !std::mem::replace(&mut self.has_gone_on, true) {
            self.go_on();
        }
        let settings = RunSettings::of(&self.study);
        let is_due = |row: &&RunRow| !row.is_given_up() && (row.is_due(&settings) || self.is_to_check(row));
        let due: Vec<Run> = self.rows.iter().filter(is_due).map(|row| row.run.clone()).collect();
        let asks = self.study.asks_for_fair_starts();
        let asks_anew = !std::mem::replace(&mut self.asked_for_fair_starts, asks) && asks;
        if due.is_empty() && !asks_anew {
            return;
        }
        self.give_up_outdated();
        self.unasked_s = 0.0;
        if !due.is_empty() {
            self.enqueue(due, Wanted::Unasked);
        }
        if asks_anew {
            self.begin_lacking_fair_starts(Wanted::Unasked);
        }
    }

    /// Starts the runs that were under way when the page was left, once their log is here again.
    fn go_on(&mut self) {
        let Some((settings, runs)) = self.interrupted.take() else { return };
        if settings != RunSettings::of(&self.study) {
            return;
        }
        let is_due = |row: &&RunRow| row.is_due(&settings) && runs.contains(&row.run);
        let due: Vec<Run> = self.rows.iter().filter(is_due).map(|row| row.run.clone()).collect();
        if !due.is_empty() {
            self.order(QueueOrder::SayResumed(due.len()));
            self.enqueue(due, Wanted::Asked);
        }
    }

    /// Stops a run that takes long, until the user wants it: its worker takes the next. A result that is there stays.
    pub(super) fn hold(&mut self, run: &Run, seconds: Option<f64>) {
        self.give_up_fair_starts(run);
        self.drop_tasks(run);
        self.set_status(run, Status::Held { seconds });
        self.note_under_way();
    }

    /// Counts the time of a run that nobody has asked for. Once there was much of it, the runs that wait are held.
    pub(super) fn count_unasked(&mut self, wanted: Wanted, seconds: f64) {
        if wanted == Wanted::Asked {
            return;
        }
        self.unasked_s += seconds;
        if self.unasked_s < LONGEST_UNASKED * self.most_runners() as f64 {
            return;
        }
        let is_unasked = |task: &&RunTask| task.wanted == Wanted::Unasked;
        let waiting: Vec<Run> = self.waiting.iter().filter(is_unasked).map(|task| task.run.clone()).collect();
        for run in waiting {
            self.hold(&run, None);
        }
    }
}

//! Runs that start by themselves: those that take little time, and those that were under way when the page was left.

use super::protocol::LogId;
use super::row::{LogState, RunRow, RunSettings, Status};
use super::task::{RunTask, Work};
use super::workers::Role;
use super::{QueueOrder, RunQueue, WorkerId};
use crate::study::Run;
use crate::study::cost::{AT_ONCE, Size};

/// If all waiting runs together take less than this, seconds, the log worker makes them, as long as there is no runner. A
/// runner would take about as long to start.
const WITHOUT_RUNNERS: f64 = 0.3;

impl<B: Clone> RunQueue<B> {
    /// The size of the log after the study's treatment, which run times depend on; `None` until it is known.
    fn size(&self) -> Option<Size> {
        match &self.log {
            LogState::Ready(described) if described.treatment == self.study.treatment => {
                Some(Size::of(self.study.source.key(), &self.study.treatment, &described.summary))
            }
            _ => None,
        }
    }

    /// How long measuring the schedule of a run will take after the simulation, seconds.
    pub(super) fn seconds_measuring(&self, run: &Run) -> f64 {
        self.size().map_or(0.0, |size| self.speeds.measuring(run, &size))
    }

    /// The log worker, if it is to make the waiting runs: there is no runner yet, and the runs are quick. It has their
    /// workload already, so that the first values of a visit need not wait for other workers to start.
    pub(super) fn log_worker_for_quick_runs(&self, log: LogId) -> Option<WorkerId> {
        if self.workers.has_runners() {
            return None;
        }
        let worker = self.workers.of(Role::Logs).filter(|&worker| self.workers.has_log(worker, log))?;
        let (size, mut seconds) = (self.size()?, 0.0);
        for task in &self.waiting {
            seconds += self.speeds.seconds(&task.run, &size);
            let is_simple = task.log == log && matches!(task.work, Work::Run);
            // thousands may wait: the sum ends the loop before many treatments have been compared
            if seconds >= WITHOUT_RUNNERS || !is_simple || task.treatment() != self.study.treatment {
                return None;
            }
        }
        Some(worker)
    }

    /// Called when the log has been described or the search for stored results has ended. Starts the runs that were
    /// asked for meanwhile; without any, starts what takes little time.
    pub(super) fn begin_by_itself(&mut self) {
        let is_ready = matches!(self.log, LogState::Ready(_)) && self.describing.is_none() && self.recalling.is_none();
        if is_ready && std::mem::take(&mut self.run_when_described) {
            self.run_all();
        } else {
            self.run_if_quick();
        }
    }

    /// Starts all runs without a result for the present settings, if together they take little time. Runs that were
    /// cancelled or have failed are not started.
    pub(super) fn run_if_quick(&mut self) {
        let Some(size) = self.size().filter(|_| self.recalling.is_none()) else { return };
        if !std::mem::replace(&mut self.has_gone_on, true) {
            self.go_on();
        }
        let settings = RunSettings::of(&self.study);
        let is_given_up = |row: &RunRow| matches!(row.status, Status::Cancelled | Status::Failed(_));
        let is_due = |row: &&RunRow| !is_given_up(row) && (row.is_due(&settings) || self.is_to_check(row));
        let due: Vec<Run> = self.rows.iter().filter(is_due).map(|row| row.run.clone()).collect();
        let asks = self.study.asks_for_fair_starts();
        let asks_anew = !std::mem::replace(&mut self.asked_for_fair_starts, asks) && asks;
        let fair = if asks_anew { self.lacking_fair_starts() } else { Vec::new() };
        let all: Vec<Run> = due.iter().chain(&fair).cloned().collect();
        if all.is_empty() || self.speeds.together(&self.study, &all, &size, self.most_runners()) >= AT_ONCE {
            return;
        }
        self.give_up_outdated();
        if !due.is_empty() {
            self.enqueue(due);
        }
        if !fair.is_empty() {
            self.begin_lacking_fair_starts();
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
            self.order(QueueOrder::SayGoneOn(due.len()));
            self.enqueue(due);
        }
    }

    /// Learns from a run that has ended successfully how long the next will take; its simulation took `wall_s` seconds.
    pub(super) fn learn_speed(&mut self, task: &RunTask, wall_s: f64) {
        let is_of_study = |size: &Size| {
            size.log == task.settings.source.key()
                && matches!(task.work, Work::Run)
                && task.run.shrink.is_none()
                && task.run.partition.is_none()
                && task.run.what_if.is_none()
                && self.study.treatment == task.settings.treatment
        };
        // the time since the task was sent does not count: the worker may still have been starting
        let (Some(size), Some(simulated)) = (self.size().filter(is_of_study), task.simulated) else { return };
        let seconds = wall_s + (self.now - simulated) / 1_000.0;
        self.speeds.remember(&task.run, &size, seconds);
        self.order(QueueOrder::KeepSpeeds);
    }
}

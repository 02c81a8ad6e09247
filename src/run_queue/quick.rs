//! What begins by itself: runs that take little time, and runs that were under way when the page was left.

use super::row::{LogState, RunRow, RunSettings, Status};
use super::task::{RunTask, Work};
use super::{QueueOrder, RunQueue};
use crate::study::Run;
use crate::study::cost::{AT_ONCE, Size};

impl<B: Clone> RunQueue<B> {
    /// What the time of runs depends on: of the log as the study treats it, once that is known.
    fn size(&self) -> Option<Size> {
        match &self.log {
            LogState::Ready(described) if described.treatment == self.study.treatment => {
                Some(Size::of(self.study.source.key(), &self.study.treatment, &described.summary))
            }
            _ => None,
        }
    }

    /// What measuring the schedule of a run will take once it is simulated, seconds.
    pub(super) fn seconds_measuring(&self, run: &Run) -> f64 {
        self.size().map_or(0.0, |size| self.speeds.measuring(run, &size))
    }

    /// The log is described, or stored results have been looked for: begins what was asked for meanwhile, else what
    /// takes little time.
    pub(super) fn begin_by_itself(&mut self) {
        let is_ready = matches!(self.log, LogState::Ready(_)) && self.describing.is_none() && self.recalling.is_none();
        if is_ready && std::mem::take(&mut self.run_when_described) {
            self.run_all();
        } else {
            self.run_if_quick();
        }
    }

    /// Starts whatever has no result for the present settings, where all of it together takes little; but what was
    /// cancelled or has failed waits to be asked for, and so does all where it takes longer.
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

    /// Takes up what was under way when the page was left, once its log is here again.
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

    /// A run has ended well, `wall_s` seconds of which it was simulated: that tells what the next will take.
    pub(super) fn learn_speed(&mut self, task: &RunTask, wall_s: f64) {
        let is_of_study = |size: &Size| {
            size.log == task.settings.source.key()
                && matches!(task.work, Work::Run)
                && task.run.shrink.is_none()
                && task.run.partition.is_none()
                && task.run.what_if.is_none()
                && self.study.treatment == task.settings.treatment
        };
        // not from when it was sent: the worker may have been on its way still
        let (Some(size), Some(simulated)) = (self.size().filter(is_of_study), task.simulated) else { return };
        let seconds = wall_s + (self.now - simulated) / 1_000.0;
        self.speeds.remember(&task.run, &size, seconds);
        self.order(QueueOrder::KeepSpeeds);
    }
}

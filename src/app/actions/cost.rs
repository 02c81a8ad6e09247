//! What runs will take, and starting those that take little.

use super::now;
use crate::app::engine::{Task, Work};
use crate::app::prelude::*;
use crate::app::state::{App, Basis, LogState, Row, Status};
use crate::study::Run;
use crate::study::cost::{AT_ONCE, Size, Speeds};
use gloo::storage::{LocalStorage as Remembered, Storage};

/// Under which the speeds of this browser are remembered.
const KEY: &str = "packfair.speeds";

/// How fast runs were in this browser.
pub(super) fn remembered_speeds() -> Speeds {
    Remembered::get(KEY).unwrap_or_default()
}

impl App {
    /// What the time of runs depends on: of the active log as the study treats it, once that is known.
    fn size(self) -> Option<Size> {
        let study = self.study.read();
        match &*self.log.read() {
            LogState::Ready(described) if described.treatment == study.treatment => {
                Some(Size::of(study.source.key(), &described.summary))
            }
            _ => None,
        }
    }

    /// What a press of "Run" would take, seconds; none while it cannot be told.
    pub fn seconds_pending(self) -> Option<f64> {
        let runs: Vec<Run> = self.study.with(|study| {
            let basis = Basis::of(study);
            let is_pending = |row: &&Row| row.is_pending(study, &basis);
            self.rows.with(|rows| rows.iter().filter(is_pending).map(|row| row.run.clone()).collect())
        });
        self.seconds(&runs)
    }

    /// What computing again what a link carries would take, seconds; none while it cannot be told.
    pub fn seconds_unchecked(self) -> Option<f64> {
        let rows = self.rows.get();
        let runs: Vec<Run> = rows.iter().filter(|row| self.is_unchecked(row)).map(|row| row.run.clone()).collect();
        self.seconds(&runs)
    }

    fn seconds(self, runs: &[Run]) -> Option<f64> {
        let size = self.size()?;
        let at_a_time = self.with_engine(|engine| engine.pool.most_runners());
        Some(self.study.with(|study| self.speeds.with(|speeds| speeds.together(study, runs, &size, at_a_time))))
    }

    /// Starts whatever has no result for the present settings, where all of it together takes little; but what was
    /// cancelled or has failed waits to be asked for, and so does all where it takes longer.
    pub(super) fn run_if_quick(self) {
        untrack(|| {
            if self.with_engine(|engine| engine.recalling.is_some()) || self.size().is_none() {
                return;
            }
            if !self.with_engine(|engine| std::mem::replace(&mut engine.has_gone_on, true)) {
                self.go_on();
            }
            let study = self.study.get();
            let basis = Basis::of(&study);
            let is_given_up = |row: &Row| matches!(row.status, Status::Cancelled | Status::Failed(_));
            let is_due = |row: &Row| !is_given_up(row) && (row.is_due(&basis) || self.is_to_check(row));
            let due: Vec<Run> = self.rows.get().into_iter().filter(is_due).map(|row| row.run).collect();
            let lacks = |row: &Row| row.lacks_fair_starts(&study, &basis);
            let asked_anew = self.with_engine(|engine| {
                let asks = study.asks_for_fair_starts();
                !std::mem::replace(&mut engine.asked_for_fair_starts, asks) && asks
            });
            let fair: Vec<Run> = match asked_anew {
                true => self.rows.get().into_iter().filter(lacks).map(|row| row.run).collect(),
                false => Vec::new(),
            };
            let all: Vec<Run> = due.iter().chain(&fair).cloned().collect();
            if all.is_empty() || self.seconds(&all).is_none_or(|seconds| seconds >= AT_ONCE) {
                return;
            }
            self.abandon_outdated();
            if !due.is_empty() {
                self.enqueue(due);
            }
            if !fair.is_empty() {
                self.begin_lacking_fair_starts();
            }
        });
    }

    /// Whether a shown result is to be computed by this browser, and nobody is at it.
    fn is_to_check(self, row: &Row) -> bool {
        !row.is_busy() && self.is_unchecked(row)
    }

    /// A run has ended well, `wall_s` seconds of which it was simulated: that tells what the next will take.
    pub(super) fn learn_speed(self, task: &Task, wall_s: f64) {
        let is_of_log = untrack(|| self.size()).filter(|size| {
            size.log == task.basis.source.key()
                && matches!(task.work, Work::Run)
                && task.run.shrink.is_none()
                && self.study.with_untracked(|study| study.treatment == task.basis.treatment)
        });
        // not from when it was sent: the worker may have been on its way still
        let (Some(size), Some(simulated)) = (is_of_log, task.simulated) else { return };
        let seconds = wall_s + (now() - simulated) / 1_000.0;
        self.speeds.update(|speeds| speeds.remember(&task.run, &size, seconds));
        if self.with_engine(|engine| engine.tasks().next().is_none()) {
            // where nothing can be stored, the next visit begins with a guess
            let _ = Remembered::set(KEY, self.speeds.get_untracked());
        }
    }

    /// What measuring the schedule of a run will take once it is simulated, seconds.
    pub(super) fn seconds_measuring(self, task: &Task) -> f64 {
        let size = untrack(|| self.size());
        size.map_or(0.0, |size| self.speeds.with_untracked(|speeds| speeds.measuring(&task.run, &size)))
    }
}

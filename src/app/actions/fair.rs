//! Fair start times: asked for, in parts on all workers, and put together.

use super::now;
use crate::app::engine::{Engine, FairWork, Task, Work};
use crate::app::prelude::*;
use crate::app::protocol::{Ticket, ToWorker};
use crate::app::state::{App, Basis, LogState, Outcome, Row, Status};
use crate::app::store;
use crate::metric::Metric;
use crate::study::{Run, Study};
use js_sys::{Array, Uint8Array};
use leptos::task::spawn_local;
use std::sync::Arc;
use wasm_bindgen::JsValue;

/// Jobs of a part at least: a worker simulates the run up to its first job before it begins.
const FEWEST_JOBS: usize = 1_000;

/// Parts for each worker: jobs differ much in what they take, and who is done early takes another part.
const PARTS_EACH: usize = 4;

impl App {
    /// Shows the columns that take fair start times, and computes those of all runs, which are run first
    /// where that is due.
    pub fn compute_all_fair_starts(self) {
        self.show_unfairness();
        self.run_all();
    }

    /// Computes the fair start times of a run that has a result, and shows the columns that take them.
    pub fn compute_fair_starts(self, run: Run) {
        self.show_unfairness();
        if self.row(&run).is_some_and(|row| !row.is_busy()) {
            self.begin_fair_starts(run);
        }
    }

    /// Why fair start times of this run cannot be computed now; none where they can.
    pub fn no_fair_starts(self, run: &Run) -> Option<String> {
        if let Err(why) = run.check_fair_starts() {
            return Some(why.to_string());
        }
        let basis = self.study.with(Basis::of);
        let result = self.rows.with(|rows| rows.iter().find(|row| row.run == *run).and_then(|row| row.result.clone()));
        match result.filter(|result| result.basis == basis && result.has_schedule) {
            None => Some("Run it first.".to_owned()),
            Some(result) if result.has_fair_starts() => Some("They are computed already.".to_owned()),
            Some(_) => None,
        }
    }

    fn show_unfairness(self) {
        self.edit(|study| {
            for metric in Metric::OF_FAIR_STARTS {
                if !study.columns.contains(&metric) {
                    study.columns.push(metric);
                }
            }
        });
    }

    fn row(self, run: &Run) -> Option<Row> {
        self.rows.with_untracked(|rows| rows.iter().find(|row| row.run == *run).cloned())
    }

    /// Computes fair start times of the runs that lack what a column shows.
    pub(super) fn begin_lacking_fair_starts(self) {
        let study = self.study.get_untracked();
        let basis = Basis::of(&study);
        for row in self.rows.get_untracked() {
            if row.lacks_fair_starts(&study, &basis) {
                self.begin_fair_starts(row.run);
            }
        }
    }

    /// Computes fair start times of a run that has just ended, where a column shows what takes them.
    pub(super) fn follow_with_fair_starts(self, run: Run) {
        let study = self.study.get_untracked();
        if self.row(&run).is_some_and(|row| row.lacks_fair_starts(&study, &Basis::of(&study))) {
            self.begin_fair_starts(run);
        }
    }

    fn begin_fair_starts(self, run: Run) {
        let basis = Basis::of(&self.study.get_untracked());
        let result = self.row(&run).and_then(|row| row.result);
        let Some(result) = result.filter(|result| result.basis == basis && result.has_schedule) else { return };
        self.update_row(&run, |row| row.status = Status::Queued);
        spawn_local(async move {
            let found = self.schedule_of(&result).await;
            // it may have been cancelled meanwhile, or the study changed
            let is_wanted = Basis::of(&self.study.get_untracked()) == basis
                && self.row(&run).is_some_and(|row| row.status == Status::Queued);
            if !is_wanted {
                return;
            }
            match found {
                Ok(schedule) => self.enqueue_fair_starts(&result, schedule),
                Err(message) => self.update_row(&run, |row| row.status = Status::Failed(message)),
            }
        });
    }

    /// The encoded schedule of a result.
    async fn schedule_of(self, result: &Outcome) -> Result<Uint8Array, String> {
        let key = result.basis.key(&result.report.run);
        match self.with_engine(|engine| engine.schedules.get(&key).cloned()) {
            Some(schedule) => Ok(schedule),
            None => store::schedule(&key).await?.ok_or("The schedule is not stored any more. Run it again.".to_owned()),
        }
    }

    fn enqueue_fair_starts(self, result: &Arc<Outcome>, schedule: Uint8Array) {
        let (run, basis) = (result.report.run.clone(), result.basis.clone());
        let jobs = self.log.with_untracked(|log| match log {
            LogState::Ready(described) if described.treatment == basis.treatment => described.summary.jobs,
            _ => 0,
        });
        let begun = self.with_engine(|engine| {
            let log = engine.open.as_ref().filter(|open| open.source == basis.source)?.id;
            let parts = (engine.pool.most_runners() * PARTS_EACH).min(jobs / FEWEST_JOBS).max(1);
            engine.fair.retain(|work| work.run != run);
            engine.fair.push(FairWork {
                run: run.clone(),
                basis: basis.clone(),
                wall_s: result.report.wall_s,
                schedule,
                jobs,
                done: vec![0; parts],
                parts: vec![None; parts],
                begun: now(),
            });
            for part in 0..parts {
                let jobs = jobs * part / parts..jobs * (part + 1) / parts;
                let (ticket, work) = (engine.number(), Work::FairStarts { part, jobs });
                let task =
                    Task { ticket, run: run.clone(), basis: basis.clone(), log, work, begun: 0.0, simulated: None };
                engine.queue.push_back(task);
            }
            Some(())
        });
        match begun.filter(|()| jobs > 0) {
            Some(()) => self.dispatch(),
            None => self.update_row(&run, |row| row.status = Status::Done),
        }
    }

    /// A worker is so far with a part.
    pub(super) fn fair_starts_progressed(self, task: &Task, part: usize, completed: usize) {
        let told = self.with_engine(|engine| {
            let work = engine.fair_work(task)?;
            *work.done.get_mut(part)? = completed;
            let completed: usize = work.done.iter().sum();
            let spent = (now() - work.begun) / 1_000.0;
            let left = (completed > 0).then(|| spent * (work.jobs - completed) as f64 / completed as f64);
            Some(Status::Running { completed, jobs: work.jobs, left })
        });
        if let Some(status) = told {
            self.update_row(&task.run, |row| row.status = status);
        }
    }

    /// A part has come: once all have, they are measured.
    pub(super) fn take_fair_starts(self, task: Task, fair: Uint8Array) {
        let Work::FairStarts { part, .. } = task.work else { return };
        let run = task.run.clone();
        self.with_engine(|engine| {
            let Some(work) = engine.fair_work(&task) else { return };
            if let Some(place) = work.parts.get_mut(part) {
                *place = Some(fair);
            }
            if work.parts.iter().all(Option::is_some) {
                let ticket = engine.number();
                engine.queue.push_front(Task { ticket, work: Work::Measure, ..task });
            }
        });
        let is_measured = self.with_engine(|engine| {
            engine.queue.front().is_some_and(|next| next.run == run && matches!(next.work, Work::Measure))
        });
        if is_measured {
            self.update_row(&run, |row| row.status = Status::Measuring);
        }
    }

    /// Stops the computation of a run's fair start times; whether there was one.
    pub(super) fn give_up_fair_starts(self, run: &Run) -> bool {
        self.with_engine(|engine| {
            let before = engine.fair.len();
            engine.fair.retain(|work| work.run != *run);
            engine.fair.len() < before
        })
    }
}

impl Engine {
    /// The computation that a task is a part of, where it was not given up.
    fn fair_work(&mut self, task: &Task) -> Option<&mut FairWork> {
        self.fair.iter_mut().find(|work| work.run == task.run && work.basis == task.basis)
    }

    /// What a worker is told to do for a task, and what goes with it.
    pub(super) fn order(&mut self, task: &Task) -> (ToWorker, JsValue) {
        let Task { ticket, log, .. } = *task;
        let run = task.run.clone();
        let (treatment, Basis { rules, measure, .. }) = (task.treatment(), task.basis.clone());
        match task.work.clone() {
            Work::Run => (ToWorker::Run { ticket, log, treatment, run, rules, measure }, JsValue::UNDEFINED),
            Work::FairStarts { jobs, .. } => {
                let schedule = self.fair_work(task).map_or(JsValue::UNDEFINED, |work| work.schedule.clone().into());
                (ToWorker::FairStarts { ticket, log, treatment, run, rules, jobs }, schedule)
            }
            Work::Measure => {
                let work = self.fair_work(task);
                let wall_s = work.as_ref().map_or(0.0, |work| work.wall_s);
                let parts = work.map(|work| {
                    let parts = Array::of1(&work.schedule);
                    for part in work.parts.iter().flatten() {
                        parts.push(part);
                    }
                    parts
                });
                (ToWorker::Measure { ticket, log, treatment, run, measure, wall_s }, parts.into())
            }
        }
    }

    /// Forgets the tasks of a run that wait; where workers are at it, their tickets.
    pub(super) fn forget_tasks(&mut self, run: &Run) -> Vec<(Ticket, crate::app::pool::MemberId)> {
        self.queue.retain(|task| task.run != *run);
        let running = self.running.iter().filter(|(_, (task, _))| task.run == *run);
        running.map(|(&ticket, &(_, member))| (ticket, member)).collect()
    }
}

impl Row {
    /// Whether a column of `study` shows what takes fair start times, and they can be computed and are not.
    pub(super) fn lacks_fair_starts(&self, study: &Study, basis: &Basis) -> bool {
        study.asks_for_fair_starts()
            && !self.is_busy()
            && self.run.check_fair_starts().is_ok()
            && self.result.as_ref().is_some_and(|result| {
                result.basis == *basis && result.has_schedule && result.report.jobs > 0 && !result.has_fair_starts()
            })
    }
}

impl Outcome {
    /// Whether its fair start times were computed.
    pub fn has_fair_starts(&self) -> bool {
        self.report.values.contains_key(&Metric::StrictUnfairness)
    }
}

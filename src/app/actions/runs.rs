//! Running, and stopping.

use super::now;
use crate::app::engine::{Origin, Packed, Task, Work};
use crate::app::pool::MemberId;
use crate::app::prelude::*;
use crate::app::protocol::{Ticket, ToWorker};
use crate::app::state::{App, Basis, LogState, Outcome, Row, Status};
use crate::study::{Run, Study};
use js_sys::Uint8Array;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use wasm_bindgen::JsValue;

impl App {
    /// Runs whatever has no result for the present settings.
    pub fn run_all(self) {
        self.abandon_outdated();
        let study = self.study.get_untracked();
        let basis = Basis::of(&study);
        let is_due = |row: &Row| row.is_due(&basis) || !row.is_busy() && self.is_unchecked(row);
        let due = self.rows.get_untracked().into_iter().filter(is_due);
        self.enqueue(due.map(|row| row.run).collect());
        self.begin_lacking_fair_starts();
    }

    /// Runs one row anew.
    pub fn run_one(self, run: Run) {
        self.cancel(run.clone());
        self.enqueue(vec![run]);
    }

    /// Stops one run.
    pub fn cancel(self, run: Run) {
        self.stop(&run);
        self.note_under_way();
    }

    /// Stops all runs.
    pub fn cancel_all(self) {
        for row in self.rows.get_untracked() {
            if row.is_busy() {
                self.stop(&row.run);
            }
        }
        self.note_under_way();
    }

    /// Stops a run at once: its worker may take a while to hear of it, and what it then says is of no interest.
    fn stop(self, run: &Run) {
        let was_fair = self.give_up_fair_starts(run);
        self.with_engine(|engine| {
            for (ticket, member) in engine.forget_tasks(run) {
                engine.running.remove(&ticket);
                engine.pool.send(member, &ToWorker::Cancel { ticket }, &JsValue::UNDEFINED);
            }
        });
        self.update_row(run, |row| {
            if was_fair {
                // its result is there as before
                row.status = Status::Done;
            } else if row.is_busy() {
                row.status = Status::Cancelled;
            }
        });
    }

    /// How many runs a press of "Run" would do.
    pub fn pending(self) -> usize {
        self.study.with(|study| {
            let basis = Basis::of(study);
            self.rows.with(|rows| rows.iter().filter(|row| row.is_pending(study, &basis)).count())
        })
    }

    /// Whether any run waits or runs.
    pub fn is_busy(self) -> bool {
        self.rows.with(|rows| rows.iter().any(Row::is_busy))
    }

    /// The results shown that are not stale, in the table's order.
    pub fn results(self) -> Vec<Arc<Outcome>> {
        if self.is_between_logs() {
            return Vec::new();
        }
        let basis = self.study.with(Basis::of);
        let fresh = |row: &Row| row.result.clone().filter(|result| result.basis == basis);
        self.rows.with(|rows| rows.iter().filter_map(fresh).collect())
    }

    /// Whether another log than the study's is being read, or could not be: no number of the one may stand under the
    /// name of the other.
    pub fn is_between_logs(self) -> bool {
        self.log.with(|log| match log {
            LogState::Loading { name, .. } | LogState::Failed { name, .. } => {
                self.study.with(|study| study.source.name() != *name)
            }
            LogState::Ready(_) | LogState::Absent => false,
        })
    }

    pub(super) fn enqueue(self, mut runs: Vec<Run>) {
        // those on the same workload after each other, so that each is made and handed over once
        runs.sort_by_key(|run| run.shrink.map(f64::to_bits));
        if !matches!(self.log.get_untracked(), LogState::Ready(_)) {
            self.with_engine(|engine| engine.run_when_described = true);
            if self.log.get_untracked() == LogState::Absent {
                self.complain("Drop the log first: a shared result does not contain it.");
            }
            return;
        }
        let basis = Basis::of(&self.study.get_untracked());
        self.with_engine(|engine| {
            let Some(log) = engine.open.as_ref().map(|open| open.id) else { return };
            for run in &runs {
                let ticket = engine.number();
                let task = Task {
                    ticket,
                    run: run.clone(),
                    basis: basis.clone(),
                    log,
                    work: Work::Run,
                    begun: 0.0,
                    simulated: None,
                };
                engine.queue.push_back(task);
            }
        });
        self.rows.update(|rows| {
            for row in rows.iter_mut().filter(|row| runs.contains(&row.run)) {
                row.status = Status::Queued;
            }
        });
        self.note_under_way();
        self.dispatch();
    }

    /// Gives waiting runs to idle workers.
    pub(super) fn dispatch(self) {
        while let Some(task) = self.with_engine(|engine| engine.queue.front().cloned()) {
            match self.with_engine(|engine| engine.runner_for(&task)) {
                Ok(Some(member)) => self.with_engine(|engine| {
                    engine.queue.pop_front();
                    engine.give_workload(member, &task);
                    let (message, attachment) = engine.order(&task);
                    engine.pool.send(member, &message, &attachment);
                    engine.running.insert(task.ticket, (Task { begun: now(), ..task }, member));
                }),
                Ok(None) => return,
                Err(message) => {
                    self.with_engine(|engine| engine.queue.pop_front());
                    self.update_row(&task.run, |row| row.status = Status::Failed(message));
                }
            }
        }
    }

    /// The desk has made the workload of the latest runs.
    pub(super) fn take_workload(self, ticket: Ticket, bytes: Uint8Array) {
        self.with_engine(|engine| {
            if let Some(packed) = engine.packed.as_mut().filter(|packed| packed.ticket == ticket) {
                packed.bytes = Some(bytes);
            }
        });
        self.dispatch();
    }

    /// The desk cannot make the workload of the latest runs, or is no more: they cannot run.
    pub(super) fn workload_failed(self, message: &str) {
        let tasks: Vec<Task> = self.with_engine(|engine| {
            let Some(Packed { log, treatment, .. }) = engine.packed.take() else { return Vec::new() };
            let is_on_it = |task: &Task| task.log == log && task.treatment() == treatment;
            let (failed, others): (VecDeque<_>, VecDeque<_>) = engine.queue.drain(..).partition(is_on_it);
            engine.queue = others;
            Vec::from(failed)
        });
        for task in tasks {
            self.run_failed(&task.run, message.to_owned());
        }
    }

    /// A worker is so far with a run.
    pub(super) fn progressed(self, ticket: Ticket, completed: usize, jobs: usize) {
        let Some(task) = self.with_engine(|engine| engine.running.get(&ticket).map(|(task, _)| task.clone())) else {
            return;
        };
        if let Work::FairStarts { part, .. } = task.work {
            return self.fair_starts_progressed(&task, part, completed);
        }
        if completed >= jobs {
            self.with_engine(|engine| {
                engine.running.entry(ticket).and_modify(|(task, _)| task.simulated = Some(now()));
            });
            return self.update_row(&task.run, |row| row.status = Status::Measuring);
        }
        let spent = (now() - task.begun) / 1_000.0;
        let simulating = || spent * (jobs - completed) as f64 / completed as f64;
        let left = (completed > 0).then(|| simulating() + self.seconds_measuring(&task));
        self.update_row(&task.run, |row| row.status = Status::Running { completed, jobs, left });
    }

    /// A run is over, however it ended: its worker can take the next. Nothing where it was abandoned.
    pub(super) fn end_run(self, ticket: Ticket, member: MemberId) -> Option<Task> {
        self.with_engine(|engine| {
            engine.pool.is_idle(member);
            engine.running.remove(&ticket).map(|(task, _)| task)
        })
    }

    /// Gives up the runs that wait or go on with other settings than the present ones, or are the study's no longer.
    pub(super) fn abandon_outdated(self) {
        let study = self.study.get_untracked();
        let basis = Basis::of(&study);
        let asked: HashSet<String> = study.runs().iter().map(Run::id).collect();
        let is_present = |task: &Task| task.basis == basis && asked.contains(&task.run.id());
        let abandoned: Vec<Run> = self.with_engine(|engine| {
            let (present, outdated): (VecDeque<_>, VecDeque<_>) = engine.queue.drain(..).partition(&is_present);
            engine.queue = present;
            engine.fair.retain(|work| work.basis == basis && asked.contains(&work.run.id()));
            let gone: Vec<_> = engine.running.extract_if(|_, (task, _)| !is_present(task)).collect();
            for &(ticket, (_, member)) in &gone {
                engine.pool.send(member, &ToWorker::Cancel { ticket }, &JsValue::UNDEFINED);
            }
            outdated.into_iter().chain(gone.into_iter().map(|(_, (task, _))| task)).map(|task| task.run).collect()
        });
        self.rows.update(|rows| {
            for row in rows.iter_mut().filter(|row| row.is_busy() && abandoned.contains(&row.run)) {
                row.status = Status::Idle;
            }
        });
    }

    /// Changes the row of a run, if it is still there.
    pub(super) fn update_row(self, run: &Run, change: impl FnOnce(&mut Row)) {
        self.rows.update(|rows| {
            if let Some(row) = rows.iter_mut().find(|row| row.run == *run) {
                change(row);
            }
        });
    }
}

impl Row {
    /// Whether it waits or runs.
    pub fn is_busy(&self) -> bool {
        matches!(self.status, Status::Queued | Status::Running { .. } | Status::Measuring)
    }

    /// Whether it has no result for these settings and nobody is at it.
    pub(super) fn is_due(&self, basis: &Basis) -> bool {
        !self.is_busy() && self.result.as_ref().is_none_or(|result| result.basis != *basis)
    }

    /// Whether a press of "Run" does something for it.
    pub(super) fn is_pending(&self, study: &Study, basis: &Basis) -> bool {
        self.is_due(basis) || self.lacks_fair_starts(study, basis)
    }
}

impl crate::app::engine::Engine {
    /// An idle runner for a task; none where all are busy, or the desk has yet to make the workload.
    fn runner_for(&mut self, task: &Task) -> Result<Option<MemberId>, String> {
        let treatment = &task.treatment();
        let packed = self.packed.as_ref().filter(|packed| packed.log == task.log && packed.treatment == *treatment);
        match packed {
            Some(packed) if packed.bytes.is_none() => Ok(None),
            Some(_) => self.pool.idle_runner(task.log, treatment),
            None => {
                let desk = self.pool.desk()?;
                let (log, treatment, ticket) = (task.log, treatment.clone(), self.number());
                self.give_log(desk, log);
                let message = ToWorker::Pack { ticket, log, treatment: treatment.clone() };
                self.pool.send(desk, &message, &JsValue::UNDEFINED);
                self.packed = Some(Packed { log, treatment, ticket, bytes: None });
                Ok(None)
            }
        }
    }

    /// Sees to it that a runner has what a task is on.
    fn give_workload(&mut self, member: MemberId, task: &Task) {
        let Some(Packed { log, treatment, bytes: Some(bytes), .. }) = &self.packed else { return };
        if !self.pool.has_workload(member, task.log, &task.treatment()) {
            self.pool.send(member, &ToWorker::Take { log: *log, treatment: treatment.clone() }, bytes);
        }
    }

    /// Sees to it that a worker has a log.
    pub(super) fn give_log(&mut self, member: MemberId, log: crate::app::protocol::LogId) {
        if self.pool.has_log(member, log) {
            return;
        }
        match self.origins.get(&log) {
            Some(Origin::File { name, blob }) => {
                self.pool.send(member, &ToWorker::Load { log, name: name.clone() }, blob);
            }
            Some(Origin::Generator(generated)) => {
                let message = ToWorker::Generate { log, generated: generated.clone() };
                self.pool.send(member, &message, &JsValue::UNDEFINED);
            }
            // the worker says that it has no such log
            None => {}
        }
    }
}

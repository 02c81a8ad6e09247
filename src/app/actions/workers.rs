//! What workers say, and what becomes of it.

use crate::app::engine::Work;
use crate::app::fault;
use crate::app::pool::{Event, MemberId, Role};
use crate::app::prelude::*;
use crate::app::protocol::{FromWorker, ToWorker};
use crate::app::state::{App, LogState, Status};
use crate::app::store;
use js_sys::{Object, Uint8Array};
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};

impl App {
    /// A worker was heard.
    pub(super) fn heard(self, event: Event) {
        match event {
            Event::Said(member, message, attachment) => self.said(member, message, attachment),
            Event::Died(member, why) => self.died(member, &stopped(&why)),
        }
    }

    fn said(self, member: MemberId, message: FromWorker, attachment: JsValue) {
        match message {
            FromWorker::Ready => self.with_engine(|engine| engine.pool.is_ready(member)),
            FromWorker::Loading { log, read, total } => self.log_progressed(log, read / total.max(1.0)),
            FromWorker::Loaded { .. } => self.log_loaded(message),
            FromWorker::NotLoaded { log, message } => self.log_failed(log, message),
            FromWorker::Described { ticket, summary, unfiltered, account } => {
                self.described(ticket, *summary, unfiltered, account);
            }
            FromWorker::Packed { ticket } => {
                // always bytes, as the protocol says
                if let Ok(bytes) = attachment.dyn_into::<Uint8Array>() {
                    self.take_workload(ticket, bytes);
                }
            }
            FromWorker::Progress { ticket, completed, jobs } => self.progressed(ticket, completed, jobs),
            FromWorker::Finished { ticket, report } => {
                if let Some(task) = self.end_run(ticket, member) {
                    self.learn_speed(&task, report.wall_s);
                    let key = task.basis.key(&task.run);
                    if let Ok(schedule) = attachment.dyn_into::<Uint8Array>() {
                        self.keep_result(key.clone(), &report, schedule);
                    }
                    self.take_result(key, task.basis, *report);
                    if matches!(task.work, Work::Measure) {
                        self.give_up_fair_starts(&task.run);
                    } else {
                        self.follow_with_fair_starts(task.run);
                    }
                }
                self.note_the_end();
                self.dispatch();
            }
            FromWorker::FairStarts { ticket } => {
                if let (Some(task), Ok(fair)) = (self.end_run(ticket, member), attachment.dyn_into::<Uint8Array>()) {
                    self.take_fair_starts(task, fair);
                }
                self.dispatch();
            }
            FromWorker::Cancelled { ticket } => {
                // the page has forgotten it already; its worker takes the next
                self.end_run(ticket, member);
                self.dispatch();
            }
            FromWorker::Failed { ticket, message } => self.failed(member, ticket, message),
            FromWorker::Crashed { message } => self.died(member, &stopped(&message)),
            FromWorker::Incomplete => self.died(member, INCOMPLETE),
            FromWorker::Answered { ticket, .. } => {
                if let Some(question) = self.with_engine(|engine| engine.questions.remove(&ticket)) {
                    // who asked may be gone
                    let _ = question.send(Ok(message));
                }
            }
        }
    }

    fn failed(self, member: MemberId, ticket: u32, message: String) {
        if let Some(question) = self.with_engine(|engine| engine.questions.remove(&ticket)) {
            let _ = question.send(Err(message));
        } else if let Some(task) = self.end_run(ticket, member) {
            self.run_failed(&task.run, message);
            self.note_the_end();
        } else if self.with_engine(|engine| engine.describing == Some(ticket)) {
            self.description_failed(message);
        } else if self.with_engine(|engine| engine.packed.as_ref().is_some_and(|packed| packed.ticket == ticket)) {
            self.workload_failed(&message);
        }
        self.dispatch();
    }

    /// A worker is no more, as `message` says: what it was at has failed, and the next task gets a new one.
    fn died(self, member: MemberId, message: &str) {
        let Some((role, ticket)) = self.with_engine(|engine| engine.pool.dismiss(member)) else { return };
        if let Some(task) = ticket.and_then(|ticket| self.end_run(ticket, member)) {
            self.run_failed(&task.run, message.to_owned());
        }
        if role == Role::Desk {
            self.desk_died(message);
        }
        self.dispatch();
    }

    /// A run has failed, or a part of its fair start times: the other parts are of no use then.
    pub(super) fn run_failed(self, run: &crate::study::Run, message: String) {
        if self.give_up_fair_starts(run) {
            for (ticket, member) in self.with_engine(|engine| engine.forget_tasks(run)) {
                self.with_engine(|engine| engine.pool.send(member, &ToWorker::Cancel { ticket }, &JsValue::UNDEFINED));
            }
        }
        self.update_row(run, |row| row.status = Status::Failed(message));
    }

    fn desk_died(self, message: &str) {
        let (loading, describing, questions) = self.with_engine(|engine| {
            engine.kept.clear();
            (engine.loading, engine.describing, std::mem::take(&mut engine.questions))
        });
        if self.with_engine(|engine| engine.packed.as_ref().is_some_and(|packed| packed.bytes.is_none())) {
            self.workload_failed(message);
        }
        for (_, question) in questions {
            let _ = question.send(Err(message.to_owned()));
        }
        if let Some(log) = loading {
            self.log_failed(log, message.to_owned());
        } else if describing.is_some() {
            self.description_failed(message.to_owned());
        } else if !matches!(self.log.get_untracked(), LogState::Ready(_)) {
            self.complain(message);
        }
    }

    /// Remembers a result beyond this session, or at least for it.
    fn keep_result(self, key: String, report: &crate::study::RunReport, schedule: Uint8Array) {
        // a result that is computed anew replaces what the desk has
        self.with_engine(|engine| {
            engine.kept.remove(&key);
            engine.schedules.insert(key.clone(), schedule.clone());
        });
        let report = report.clone();
        spawn_local(async move {
            if store::put_result(&key, &report, &schedule).await.is_ok() {
                // unless a newer one has come meanwhile
                self.with_engine(|engine| engine.schedules.retain(|k, s| *k != key || !Object::is(s, &schedule)));
            }
        });
    }
}

/// A part of a worker could not be loaded when it was needed.
const INCOMPLETE: &str = "A part of Packfair could not be loaded. Check the connection and try again.";

fn stopped(why: &str) -> String {
    // not an error of the page, which goes on
    web_sys::console::warn_1(&why.into());
    format!("The worker stopped: {}. Try again, or with a smaller log.", fault::in_words(why))
}

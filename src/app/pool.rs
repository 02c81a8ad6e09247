//! Web Workers: one desk that reads logs and answers questions, and runners that simulate.

use super::protocol::{FromWorker, LogId, Ticket, ToWorker};
use super::{built, envelope, fault};
use crate::study::Treatment;
use std::collections::HashSet;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// The script that starts the worker's module, as the build calls it ([`built`]).
const LOADER: &str = "worker";

/// The part of the worker that comes later, likewise; none where the build leaves the worker whole.
const LATE_PART: &str = "late-worker";

/// What a worker is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Reads logs, describes them, answers questions.
    Desk,
    /// Runs simulations, one at a time.
    Runner,
}

/// Tells workers of a session apart.
pub type MemberId = u32;

/// What is heard of a worker.
pub enum Event {
    /// It says something; the attachment is as [`super::protocol`] describes.
    Said(MemberId, FromWorker, JsValue),
    /// It is no more, and why.
    Died(MemberId, String),
}

/// A worker and what the page knows of it.
struct Member {
    id: MemberId,
    role: Role,
    worker: Worker,
    /// Messages from before it listened.
    waiting: Option<Vec<JsValue>>,
    /// Logs it has, or was told to load.
    logs: HashSet<LogId>,
    /// The workload it was given.
    workload: Option<(LogId, Treatment)>,
    /// The run it is at.
    task: Option<Ticket>,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(ErrorEvent)>,
}

impl Member {
    fn has_workload(&self, log: LogId, treatment: &Treatment) -> bool {
        self.workload.as_ref().is_some_and(|(of, how)| *of == log && how == treatment)
    }
}

/// All workers of the page.
pub struct Pool {
    members: Vec<Member>,
    runners: usize,
    next: MemberId,
    listener: Rc<dyn Fn(Event)>,
}

impl Pool {
    /// No workers yet, at most one runner for each processor of this machine; all that workers say
    /// goes to `listener`.
    pub fn new(listener: Rc<dyn Fn(Event)>) -> Self {
        let processors = web_sys::window().map_or(1.0, |window| window.navigator().hardware_concurrency());
        Pool { members: Vec::new(), runners: (processors as usize).clamp(1, 64), next: 0, listener }
    }

    /// How many runners there are at most.
    pub fn most_runners(&self) -> usize {
        self.runners
    }

    /// The desk, which is started if there is none.
    ///
    /// # Errors
    /// In words: the browser starts no worker.
    pub fn desk(&mut self) -> Result<MemberId, String> {
        match self.members.iter().find(|m| m.role == Role::Desk) {
            Some(desk) => Ok(desk.id),
            None => self.spawn(Role::Desk),
        }
    }

    /// A runner without a task, started if there may be another; `None` where all are busy.
    /// Prefers one that has the workload that `treatment` makes of `log`.
    ///
    /// # Errors
    /// In words: the browser starts no worker.
    pub fn idle_runner(&mut self, log: LogId, treatment: &Treatment) -> Result<Option<MemberId>, String> {
        let idle = self.members.iter().filter(|m| m.role == Role::Runner && m.task.is_none());
        if let Some(member) = idle.max_by_key(|m| m.has_workload(log, treatment)) {
            return Ok(Some(member.id));
        }
        let runners = self.members.iter().filter(|m| m.role == Role::Runner).count();
        if runners < self.runners { self.spawn(Role::Runner).map(Some) } else { Ok(None) }
    }

    /// Says something to a worker. One that has died meanwhile hears nothing: its end is an [`Event`].
    pub fn send(&mut self, member: MemberId, message: &ToWorker, attachment: &JsValue) {
        let Some(member) = self.member(member) else { return };
        match message {
            ToWorker::Load { log, .. } | ToWorker::Generate { log, .. } => drop(member.logs.insert(*log)),
            ToWorker::Forget { log } => {
                member.logs.remove(log);
                member.workload.take_if(|(of, _)| of == log);
            }
            ToWorker::Take { log, treatment } => member.workload = Some((*log, treatment.clone())),
            ToWorker::Run { ticket, .. } | ToWorker::FairStarts { ticket, .. } | ToWorker::Measure { ticket, .. } => {
                member.task = Some(*ticket)
            }
            _ => {}
        }
        let envelope = envelope::seal(message, attachment);
        match &mut member.waiting {
            Some(waiting) => waiting.push(envelope),
            // fails only for what cannot be cloned, and these are bytes and blobs
            None => drop(member.worker.post_message(&envelope)),
        }
    }

    /// Says the same to all workers.
    pub fn send_to_all(&mut self, message: &ToWorker) {
        for id in self.members.iter().map(|m| m.id).collect::<Vec<_>>() {
            self.send(id, message, &JsValue::UNDEFINED);
        }
    }

    /// Whether a worker has a log, or was told to load it.
    pub fn has_log(&self, member: MemberId, log: LogId) -> bool {
        self.members.iter().any(|m| m.id == member && m.logs.contains(&log))
    }

    /// Whether a worker was given the workload that `treatment` makes of `log`.
    pub fn has_workload(&self, member: MemberId, log: LogId, treatment: &Treatment) -> bool {
        self.members.iter().any(|m| m.id == member && m.has_workload(log, treatment))
    }

    /// A worker listens now: it gets what was said to it before.
    pub fn is_ready(&mut self, member: MemberId) {
        let Some(member) = self.member(member) else { return };
        for envelope in member.waiting.take().into_iter().flatten() {
            let _ = member.worker.post_message(&envelope);
        }
    }

    /// A runner is done with its task.
    pub fn is_idle(&mut self, member: MemberId) {
        if let Some(member) = self.member(member) {
            member.task = None;
        }
    }

    /// Ends a worker; what it was for, and the run that it was at.
    pub fn dismiss(&mut self, member: MemberId) -> Option<(Role, Option<Ticket>)> {
        let i = self.members.iter().position(|m| m.id == member)?;
        let member = self.members.swap_remove(i);
        // what it has said already must not be heard by what is dropped here
        member.worker.set_onmessage(None);
        member.worker.set_onerror(None);
        member.worker.terminate();
        Some((member.role, member.task))
    }

    fn member(&mut self, id: MemberId) -> Option<&mut Member> {
        self.members.iter_mut().find(|m| m.id == id)
    }

    fn spawn(&mut self, role: Role) -> Result<MemberId, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&built::address(LOADER).unwrap_or_default(), &options)
            .map_err(|_| "The browser starts no Web Worker, and nothing can be computed without.".to_owned())?;
        let id = self.next;
        self.next += 1;
        let listener = self.listener.clone();
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some((message, attachment)) = envelope::open(&event.data()) {
                listener(Event::Said(id, message, attachment));
            }
        });
        let listener = self.listener.clone();
        let on_error = Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
            let message = event.message();
            listener(Event::Died(id, if message.is_empty() { fault::NOT_STARTED.to_owned() } else { message }));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        self.members.push(Member {
            id,
            role,
            worker,
            waiting: Some(first_orders()),
            logs: HashSet::new(),
            workload: None,
            task: None,
            _on_message: on_message,
            _on_error: on_error,
        });
        Ok(id)
    }
}

/// What a worker is told before anything else.
fn first_orders() -> Vec<JsValue> {
    let late_part = built::address(LATE_PART).map(|address| ToWorker::LatePart { address });
    late_part.iter().map(|message| envelope::seal(message, &JsValue::UNDEFINED)).collect()
}

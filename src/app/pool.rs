//! The Web Workers that the run queue asks for.

use super::{built, envelope, fault};
use crate::run_queue::WorkerId;
use crate::run_queue::protocol::{FromWorker, ToWorker};
use js_sys::Reflect;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

/// The script that starts the worker's module, as the build calls it ([`built`]).
const LOADER: &str = "worker";

/// The part of the worker that is loaded later, likewise; absent where the build does not split the worker.
const LATE_PART: &str = "late-worker";

/// News of a worker.
pub enum Heard {
    /// It says something; the attachment is as [`crate::run_queue::protocol`] describes.
    Said(WorkerId, FromWorker, JsValue),
    /// It has ended, and why.
    Ended(WorkerId, String),
}

struct Member {
    id: WorkerId,
    worker: Worker,
    /// Messages from before it listened.
    waiting: Option<Vec<JsValue>>,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(Event)>,
}

/// All workers of the page.
pub struct Pool {
    members: Vec<Member>,
    listener: Rc<dyn Fn(Heard)>,
}

/// How many runners this machine has processors for.
pub fn most_runners() -> usize {
    let processors = web_sys::window().map_or(1.0, |window| window.navigator().hardware_concurrency());
    (processors as usize).clamp(1, 64)
}

impl Pool {
    /// No workers yet; all that workers say goes to `listener`.
    pub fn new(listener: Rc<dyn Fn(Heard)>) -> Self {
        Pool { members: Vec::new(), listener }
    }

    /// Says something to a worker, once it listens. One that has ended hears nothing.
    pub fn send(&mut self, id: WorkerId, message: &ToWorker, attachment: &JsValue) {
        let Some(member) = self.member(id) else { return };
        let envelope = envelope::seal(message, attachment);
        match &mut member.waiting {
            Some(waiting) => waiting.push(envelope),
            // fails only for what cannot be cloned, and these are bytes and blobs
            None => drop(member.worker.post_message(&envelope)),
        }
    }

    /// A worker listens now: it gets what was said to it before.
    pub fn deliver(&mut self, id: WorkerId) {
        let Some(member) = self.member(id) else { return };
        for envelope in member.waiting.take().into_iter().flatten() {
            let _ = member.worker.post_message(&envelope);
        }
    }

    /// Ends a worker.
    pub fn end(&mut self, id: WorkerId) {
        let Some(at) = self.members.iter().position(|member| member.id == id) else { return };
        let member = self.members.swap_remove(at);
        // what it has said already must not be heard by what is dropped here
        member.worker.set_onmessage(None);
        member.worker.set_onerror(None);
        member.worker.terminate();
    }

    /// Starts a worker.
    ///
    /// # Errors
    /// In words: the browser starts no worker.
    pub fn start(&mut self, id: WorkerId) -> Result<(), String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&built::address(LOADER).unwrap_or_default(), &options)
            .map_err(|_| "The browser starts no Web Worker, and nothing can be computed without.".to_owned())?;
        let listener = self.listener.clone();
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some((message, attachment)) = envelope::open(&event.data()) {
                listener(Heard::Said(id, message, attachment));
            }
        });
        let listener = self.listener.clone();
        let on_error = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            // a plain event, without a message, where the worker's files could not be had
            let message = Reflect::get(&event, &"message".into()).ok().and_then(|message| message.as_string());
            let message = message.filter(|message| !message.is_empty());
            listener(Heard::Ended(id, message.unwrap_or_else(|| fault::NOT_STARTED.to_owned())));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        let waiting = Some(first_messages());
        self.members.push(Member { id, worker, waiting, _on_message: on_message, _on_error: on_error });
        Ok(())
    }

    fn member(&mut self, id: WorkerId) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.id == id)
    }
}

/// What a worker is told before anything else.
fn first_messages() -> Vec<JsValue> {
    let late_part = built::address(LATE_PART).map(|address| ToWorker::LatePart { address });
    late_part.iter().map(|message| envelope::seal(message, &JsValue::UNDEFINED)).collect()
}

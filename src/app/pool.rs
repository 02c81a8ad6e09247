//! The Web Workers that the run queue asks for.

use super::{built, fault};
use crate::envelope;
use crate::run_queue::WorkerId;
use crate::run_queue::protocol::{FromWorker, ToWorker};
use crate::worker::GIVEN;
use js_sys::{Array, Reflect};
use std::cell::OnceCell;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

/// The script that starts the worker's module: the name under which the build gives its address ([`built`]).
const LOADER: &str = "worker";

/// The late part of the worker: the name under which the build gives its address. There is none if the build does not
/// split the worker.
const LATE_PART: &str = "late-worker";

/// News of a worker.
pub enum Heard {
    /// The worker sent a message; [`crate::run_queue::protocol`] describes the attachment.
    Said(WorkerId, FromWorker, JsValue),
    Ended(WorkerId, String),
}

struct Member {
    id: WorkerId,
    worker: Worker,
    /// Messages to send once the worker listens; `None` once it does.
    waiting: Option<Vec<JsValue>>,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(Event)>,
}

/// All workers of the page.
pub struct Pool {
    members: Vec<Member>,
    listener: Rc<dyn Fn(Heard)>,
    /// The workers' module, once the first worker has it. Others get it from the page: to load and compile it takes each
    /// a second on a slow machine.
    module: Rc<OnceCell<JsValue>>,
}

/// The largest number of runners for which this machine has processors.
pub fn most_runners() -> usize {
    let processors = web_sys::window().map_or(1.0, |window| window.navigator().hardware_concurrency());
    (processors as usize).clamp(1, 64)
}

impl Pool {
    /// A pool without workers. Everything that workers say goes to `listener`.
    pub fn new(listener: Rc<dyn Fn(Heard)>) -> Self {
        Pool { members: Vec::new(), listener, module: Rc::default() }
    }

    /// Sends a message to a worker, once the worker listens. Does nothing for a worker that has ended.
    pub fn send(&mut self, id: WorkerId, message: &ToWorker, attachment: &JsValue) {
        let Some(member) = self.member(id) else { return };
        let envelope = envelope::seal(message, attachment);
        match &mut member.waiting {
            Some(waiting) => waiting.push(envelope),
            // fails only for values that cannot be cloned; these are bytes and blobs
            None => drop(member.worker.post_message(&envelope)),
        }
    }

    /// Called when a worker listens: sends it the messages that were waiting.
    pub fn deliver(&mut self, id: WorkerId) {
        let Some(member) = self.member(id) else { return };
        for envelope in member.waiting.take().into_iter().flatten() {
            let _ = member.worker.post_message(&envelope);
        }
    }

    pub fn end(&mut self, id: WorkerId) {
        let Some(at) = self.members.iter().position(|member| member.id == id) else { return };
        let member = self.members.swap_remove(at);
        // messages that it has sent already must not reach the handlers dropped here
        member.worker.set_onmessage(None);
        member.worker.set_onerror(None);
        member.worker.terminate();
    }

    /// Starts a worker.
    ///
    /// # Errors
    /// A message: the browser starts no worker.
    pub fn start(&mut self, id: WorkerId) -> Result<(), String> {
        let (worker, said) = match first_worker() {
            Some(first) => first,
            None => (new_worker(self.module.get())?, Array::new()),
        };
        let (listener, module) = (self.listener.clone(), self.module.clone());
        let hear = move |envelope: &JsValue| {
            if let Some((message, attachment)) = envelope::open(envelope) {
                listener(Heard::Said(id, message, attachment));
            } else if let Some(given) = Reflect::get(envelope, &"module".into()).ok().filter(JsValue::is_object) {
                // a module that came before is the same
                let _ = module.set(given);
            }
        };
        let hear_later = hear.clone();
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| hear(&event.data()));
        let listener = self.listener.clone();
        let on_error = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            // if the worker's files could not be loaded, this is a plain event without a message
            let message = Reflect::get(&event, &"message".into()).ok().and_then(|message| message.as_string());
            let message = message.filter(|message| !message.is_empty());
            listener(Heard::Ended(id, message.unwrap_or_else(|| fault::NOT_STARTED.to_owned())));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        let waiting = Some(first_messages());
        self.members.push(Member { id, worker, waiting, _on_message: on_message, _on_error: on_error });
        if said.length() > 0 {
            // the caller does not expect news before it has its worker
            spawn_local(async move { said.iter().for_each(|envelope| hear_later(&envelope)) });
        }
        Ok(())
    }

    fn member(&mut self, id: WorkerId) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.id == id)
    }
}

/// A new worker. It gets the module from here, if it is known (`scripts/hooks/worker_loader.js`).
fn new_worker(module: Option<&JsValue>) -> Result<Worker, String> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    if module.is_some() {
        options.set_name(GIVEN);
    }
    let refused = |_| "The browser starts no Web Worker, and nothing can be computed without.".to_owned();
    let worker = Worker::new_with_options(&built::address(LOADER).unwrap_or_default(), &options).map_err(refused)?;
    match module {
        Some(module) => worker.post_message(module).map(|()| worker).map_err(refused),
        None => Ok(worker),
    }
}

/// The worker that the document has started before this module was there (index.html), and the messages that it has
/// sent; `None` once it is taken, or if it failed.
fn first_worker() -> Option<(Worker, Array)> {
    let (window, name) = (web_sys::window()?, JsValue::from("firstWorker"));
    let first = Reflect::get(&window, &name).ok().filter(JsValue::is_object)?;
    Reflect::delete_property(&window, &name).ok()?;
    let part = |name: &str| Reflect::get(&first, &name.into()).ok();
    Some((part("worker")?.dyn_into().ok()?, part("said")?.dyn_into().ok()?))
}

/// The messages that a worker gets before all others.
fn first_messages() -> Vec<JsValue> {
    let late_part = built::address(LATE_PART).map(|address| ToWorker::LatePart { address });
    late_part.iter().map(|message| envelope::seal(message, &JsValue::UNDEFINED)).collect()
}

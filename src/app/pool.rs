//! The Web Workers that the run queue asks for.

use super::arrival::Arriving;
use super::{Act, built, notices};
use crate::envelope;
use crate::run_queue::protocol::{FromWorker, Ticket, ToWorker};
use crate::run_queue::{Encoded, GivenFile, LogExtras, QueueOrder, RunQueue, WorkerId};
use crate::worker::GIVEN;
use futures_channel::oneshot;
use js_sys::{Array, Reflect};
use packfair_base::catalogue::Script;
use packfair_study::query::Answer;
use packfair_study::{Source, Treatment};
use packfair_workload::{ColumnMap, ExternalKind, TablePreview};
use std::cell::OnceCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

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
            listener(Heard::Ended(id, message.unwrap_or_else(|| notices::NOT_STARTED.to_owned())));
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

// What the page holds besides its signals: the run queue, the workers, the channels on which answers are awaited, and
// what can be undone.

/// The run queue, and what is needed to carry out its orders.
pub(super) struct Backend {
    /// Decides what is to be done. For the queue, bytes are an opaque JavaScript value.
    pub queue: RunQueue<JsValue>,
    /// Orders that have not been carried out yet.
    pub orders: VecDeque<QueueOrder<JsValue>>,
    /// Whether orders are being carried out at this moment.
    pub is_at_orders: bool,
    /// Whether rows have changed and are not shown yet.
    pub rows_are_due: bool,
    /// Whether rows are not shown until a task of its own shows them.
    pub rows_are_held: bool,
    pub pool: Pool,
    /// Whether the browser stores no results: on a first visit, until there is one.
    pub stores_no_results: bool,
    pub questions: HashMap<Ticket, oneshot::Sender<Result<Answer, String>>>,
    pub logs_wanted: u32,
    /// The file that is being read and stored; `None` if the log that is being read was stored before.
    pub arriving: Option<Arriving>,
    /// The file that could not be read a moment ago, and that counts as arriving if the page is loaded again now.
    pub failed: Option<Arriving>,
    /// Slurm site files that came together with a log or before it, and wait for it.
    pub site_files: Vec<GivenFile>,
    /// The queue of a moment that came together with a log or before it, and waits for it: the name of its file, and its
    /// bytes.
    pub queue_given: Option<(String, Vec<u8>)>,
    /// The file that was last tried as a log or that the user was last asked about, and its name.
    pub attempted: Option<(String, Blob)>,
    pub said_of_attempted: Encoded<LogExtras>,
    /// Whether the log is being read because the user has just given a file beside it.
    pub is_giving: bool,
    /// The log to which Back or Forward leads again, and its treatment when it was left.
    pub returning: Option<(Source, Treatment)>,
    /// Actions that can be undone, the latest last, each with the number of its message. They stay after the message is
    /// gone.
    pub undoable: Vec<(u32, Act)>,
}

impl Backend {
    pub fn new(queue: RunQueue<JsValue>, pool: Pool, is_first_visit: bool) -> Self {
        Backend {
            queue,
            orders: VecDeque::new(),
            is_at_orders: false,
            rows_are_due: false,
            rows_are_held: false,
            pool,
            stores_no_results: is_first_visit,
            questions: HashMap::new(),
            logs_wanted: 0,
            arriving: None,
            failed: None,
            attempted: None,
            said_of_attempted: Encoded::default(),
            is_giving: false,
            site_files: Vec::new(),
            queue_given: None,
            returning: None,
            undoable: Vec::new(),
        }
    }
}

// What the user is asked: what a file is, and whether scripts may run.

/// A file about which the user is asked what it is.
#[derive(Clone)]
pub struct AskedFile {
    pub name: String,
    pub question: FileQuestion,
}

/// What the user is asked about a file.
#[derive(Clone)]
pub enum FileQuestion {
    /// The file is about jobs of the open log: the user is asked what to take from it.
    Beside {
        /// What the file can be read as.
        kinds: Vec<ExternalKind>,
        /// The file's bytes.
        content: Arc<Vec<u8>>,
    },
    /// The file is a table: the user is asked what its columns mean.
    Columns {
        preview: Arc<TablePreview>,
        /// What its columns are known to mean so far.
        said: ColumnMap,
    },
}

/// Scripts about which the user is asked whether they may run.
#[derive(Clone)]
pub struct OfferedScripts {
    pub scripts: Vec<&'static Script>,
    pub(super) accept: Act,
}

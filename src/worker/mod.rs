//! The worker's side: reads logs, runs simulations, answers questions about schedules.
//!
//! Messages are handled one after another; during a run, only its cancellation is handled.

mod answer;
mod extras;
mod forecast;
mod kept;
mod load;
mod simulate;

use crate::run_queue::protocol::{FromWorker, Ticket, ToWorker};
use crate::run_queue::{Encoded, LogExtras};
use crate::{envelope, late};
use futures_channel::mpsc;
use futures_util::StreamExt;
use gloo::timers::future::TimeoutFuture;
use js_sys::{Array, Object, Reflect, Uint8Array};
use kept::WorkerCache;
use load::NotRead;
use std::cell::RefCell;
use std::collections::HashSet;
use std::pin::Pin;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent, PromiseRejectionEvent};

/// A future for work that is seldom asked for. It is boxed so that its code stays in a function of its own, which the
/// build moves to the late part (`scripts/split`).
type Seldom<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// The pause after a worker's first work before it loads its late part, milliseconds.
const PREPARE_AFTER: u32 = 1_000;

/// The name of a worker that waits for its module instead of loading it (`scripts/hooks/worker_loader.js`).
pub const GIVEN: &str = "given";

/// The name of a worker that prepares what a first visit shows (index.html).
const FIRST: &str = "first";

thread_local! {
    /// Cancelled tasks that have not noticed yet.
    static CANCELLED: RefCell<HashSet<Ticket>> = RefCell::default();
}

/// Starts to listen. Called once, by the worker's `main`.
pub fn start() {
    std::panic::set_hook(Box::new(|info| post(&FromWorker::Crashed { message: info.to_string() })));
    let (sender, mut messages) = mpsc::unbounded::<(ToWorker, JsValue)>();
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        match envelope::open::<ToWorker>(&event.data()) {
            Some((ToWorker::Cancel { ticket }, _)) => {
                CANCELLED.with_borrow_mut(|cancelled| cancelled.insert(ticket));
            }
            // the receiver lives as long as the worker
            Some(message) => drop(sender.unbounded_send(message)),
            None => {}
        }
    });
    let on_rejection = Closure::<dyn Fn(PromiseRejectionEvent)>::new(|event: PromiseRejectionEvent| {
        // a trap (out of memory, for example) in a task arrives here
        post(&FromWorker::Crashed { message: describe(&event.reason()) });
    });
    let scope = scope();
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    let listening = scope.add_event_listener_with_callback("unhandledrejection", on_rejection.as_ref().unchecked_ref());
    debug_assert!(listening.is_ok());
    // both closures listen as long as the worker lives
    on_message.forget();
    on_rejection.forget();
    let is_first = scope.name() == FIRST;
    wasm_bindgen_futures::spawn_local(async move {
        let mut kept = WorkerCache::default();
        if is_first {
            kept.prepare();
        }
        let mut is_prepared = false;
        while let Some((message, attachment)) = messages.next().await {
            let is_work = matches!(message, ToWorker::Load { .. } | ToWorker::Generate { .. } | ToWorker::Run { .. });
            handle(&mut kept, message, attachment).await;
            if is_work && !std::mem::replace(&mut is_prepared, true) {
                wasm_bindgen_futures::spawn_local(prepare());
            }
        }
    });
    post(&FromWorker::Ready);
    if scope.name() != GIVEN {
        // For the workers that come later. Setting a property of a fresh object cannot fail, and where a browser passes no
        // modules on, every worker loads its own.
        let envelope = Object::new();
        let _ = Reflect::set(&envelope, &"module".into(), &wasm_bindgen::module());
        let _ = scope.post_message(&envelope);
    }
}

/// Loads the rest of the worker's code, once the start of the visit should be over.
async fn prepare() {
    TimeoutFuture::new(PREPARE_AFTER).await;
    late::load().await;
}

async fn handle(kept: &mut WorkerCache, message: ToWorker, attachment: JsValue) {
    match message {
        ToWorker::LatePart { address } => late::is_at(address, || post(&FromWorker::Incomplete)),
        ToWorker::Load { log, name, beside } => {
            let LogExtras { columns, files, accepts_losses, queue } = said(&beside);
            kept.note(log, attachment.clone(), queue.map(|(_, bytes)| bytes));
            match load::read(log, name, &attachment, columns, accepts_losses) {
                Ok(content) => post(&kept.take_in(log, content.log, content.others, &files)),
                Err(NotRead { message, may_go_on }) => post(&FromWorker::NotLoaded { log, message, may_go_on }),
            }
        }
        ToWorker::Generate { log, generated, beside } => {
            post(&kept.generate(log, &generated, &said(&beside).files));
        }
        ToWorker::Forget { log } => {
            kept.forget(log);
            kept.forget_file(log);
        }
        ToWorker::Describe { ticket, log, treatment } => {
            let described = kept.describe(ticket, log, &treatment);
            post(&described.unwrap_or_else(|message| FromWorker::Failed { ticket, message }));
        }
        ToWorker::Pack { ticket, log, treatment } => match kept.pack(log, &treatment) {
            Ok(workload) => post_with(&FromWorker::Packed { ticket }, &workload),
            Err(message) => post(&FromWorker::Failed { ticket, message }),
        },
        ToWorker::Take { log, treatment } => kept.take(log, treatment, &attachment),
        ToWorker::Run { ticket, log, treatment, run, rules, measure } => {
            let end = match kept.workload(log, &treatment) {
                Ok(workload) => simulate::run(ticket, &workload, &run, rules, &measure).await,
                Err(message) => Some((FromWorker::Failed { ticket, message }, JsValue::UNDEFINED)),
            };
            match end {
                Some((message, attachment)) => post_with(&message, &attachment),
                None => post(&FromWorker::Cancelled { ticket }),
            }
        }
        ToWorker::FairStarts { ticket, log, treatment, run, rules, jobs } => {
            let end = match kept.workload(log, &treatment) {
                Ok(workload) => extras::fair_starts(ticket, &workload, &run, rules, jobs, &attachment).await,
                Err(message) => Some((FromWorker::Failed { ticket, message }, JsValue::UNDEFINED)),
            };
            match end {
                Some((message, attachment)) => post_with(&message, &attachment),
                None => post(&FromWorker::Cancelled { ticket }),
            }
        }
        ToWorker::Measure { ticket, log, treatment, run, measure, wall_s } => {
            let workload = kept.workload(log, &treatment);
            let end = workload.and_then(|workload| extras::measure(&workload, run, &measure, wall_s, &attachment));
            match end {
                Ok((report, schedule)) => post_with(&FromWorker::Finished { ticket, report }, &schedule),
                Err(message) => post(&FromWorker::Failed { ticket, message }),
            }
        }
        // handled at once, in `start`
        ToWorker::Cancel { .. } => {}
        ToWorker::Keep { log, key } => kept.keep(log, key, &attachment),
        ToWorker::Ask { ticket, .. } if is_cancelled(ticket) => post(&FromWorker::Cancelled { ticket }),
        ToWorker::Ask { ticket, log, treatment, schedules, query } => {
            post(&answer::answer(kept, ticket, log, treatment, schedules, query).await);
        }
        ToWorker::Forecast { ticket, .. } if is_cancelled(ticket) => post(&FromWorker::Cancelled { ticket }),
        ToWorker::Forecast { ticket, log, treatment, asked } => {
            post(&forecast::forecast(kept, ticket, log, treatment, &asked).await);
        }
        ToWorker::Repeat { ticket, .. } if is_cancelled(ticket) => post(&FromWorker::Cancelled { ticket }),
        ToWorker::Repeat { ticket, log, treatment, task } => {
            let end = match kept.workload(log, &treatment) {
                Ok(workload) => simulate::repeat(ticket, &workload, &task).await,
                Err(message) => FromWorker::Failed { ticket, message },
            };
            post(&end);
        }
    }
}

/// Decodes what the user said about a log and gave beside it: usually nothing.
fn said(encoded: &Encoded<LogExtras>) -> LogExtras {
    if encoded.is_empty() { LogExtras::default() } else { extras::opened(encoded) }
}

/// Whether a task was cancelled. The cancellation is forgotten by this call.
fn is_cancelled(ticket: Ticket) -> bool {
    CANCELLED.with_borrow_mut(|cancelled| cancelled.remove(&ticket))
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn post(message: &FromWorker) {
    post_with(message, &JsValue::UNDEFINED);
}

fn post_with(message: &FromWorker, attachment: &JsValue) {
    // large data moves to the page; copying it would block the worker
    let moved = attachment.dyn_ref::<Uint8Array>().map_or_else(Array::new, |bytes| Array::of1(&bytes.buffer()));
    // fails only for values that cannot be cloned; these are bytes
    let _ = scope().post_message_with_transfer(&envelope::seal(message, attachment), &moved);
}

fn describe(error: &JsValue) -> String {
    error
        .dyn_ref::<js_sys::Error>()
        .map(|error| String::from(error.message()))
        .or_else(|| error.as_string())
        .unwrap_or_else(|| "unknown fault".to_owned())
}

//! Runs a simulation in slices, so that progress is told and a cancellation heard.

use super::{is_cancelled, post, scope};
use crate::app::protocol::{FromWorker, Ticket};
use crate::metric::Measure;
use crate::study::{Rules, Run, Running};
use crate::workload::Workload;
use gloo::timers::future::TimeoutFuture;
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;

/// How long a slice lasts, milliseconds: short enough for a lively progress bar, long enough that the
/// pause between slices (some 4 ms in browsers) does not count.
pub(super) const SLICE: f64 = 150.0;

/// Instants between two looks at the clock, of which each takes as long as some instants.
const STRIDE: usize = 256;

/// Runs to the end: the closing message and the encoded schedule; `None` where it was cancelled.
pub(super) async fn run(
    ticket: Ticket,
    workload: &Workload,
    run: &Run,
    rules: Rules,
    measure: &Measure,
) -> Option<(FromWorker, JsValue)> {
    let begin = now();
    let mut running = match Running::begin(run, workload, rules) {
        Ok(running) => running,
        Err(error) => return Some((FromWorker::Failed { ticket, message: error.to_string() }, JsValue::UNDEFINED)),
    };
    let mut spent = now() - begin;
    loop {
        if is_cancelled(ticket) {
            return None;
        }
        let begin = now();
        let mut progress = running.advance(STRIDE);
        while !progress.is_done() && now() - begin < SLICE {
            progress = running.advance(STRIDE);
        }
        spent += now() - begin;
        post(&FromWorker::Progress { ticket, completed: progress.completed, jobs: progress.jobs });
        if progress.is_done() {
            break;
        }
        TimeoutFuture::new(0).await;
    }
    let result = running.finish(measure, spent / 1_000.0);
    // a schedule is plain data
    let schedule = postcard::to_stdvec(&result.schedule).unwrap_or_default();
    let report = Box::new(result.report);
    Some((FromWorker::Finished { ticket, report }, Uint8Array::from(schedule.as_slice()).into()))
}

/// Milliseconds of the worker's clock.
pub(super) fn now() -> f64 {
    scope().performance().map_or(0.0, |clock| clock.now())
}

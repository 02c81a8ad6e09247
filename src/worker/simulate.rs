//! Runs a simulation in slices, so that it can report progress and be cancelled.

use super::{Seldom, is_cancelled, post, scope};
use crate::run_queue::Encoded;
use crate::run_queue::protocol::{FromWorker, RepeatTask, Ticket};
use gloo::timers::future::TimeoutFuture;
use js_sys::Uint8Array;
use packfair_engine::metric::Measure;
use packfair_study::sureness::{RepeatedRun, RepeatedWorkloads, Repeats};
use packfair_study::{Ended, Rules, Run, Running};
use packfair_workload::Workload;
use wasm_bindgen::JsValue;

/// How long a slice lasts, milliseconds: short enough for a smooth progress bar, long enough that the pause between
/// slices (about 4 ms in browsers) does not matter.
pub(super) const SLICE: f64 = 150.0;

/// The largest number of instants between two looks at the clock. A look takes as long as some instants of a simple
/// scheduler.
const MOST: usize = 256;

/// The time aimed at between two looks at the clock, milliseconds. A scheduler that plans may take longer for one
/// instant than others for hundreds, and longer still with a long queue.
const STRIDE: f64 = 10.0;

/// Runs a simulation to its end. Returns the closing message and the encoded schedule; `None` if it was cancelled.
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
    let mut stride = 1;
    loop {
        if is_cancelled(ticket) {
            return None;
        }
        let begin = now();
        let mut last = begin;
        let progress = loop {
            let progress = running.advance(stride);
            let present = now();
            stride = next_stride(stride, present - last);
            if progress.is_done() || present - begin >= SLICE {
                break progress;
            }
            last = present;
        };
        spent += now() - begin;
        let (completed, jobs) = (progress.completed, progress.jobs);
        post(&FromWorker::Progress { ticket, completed, jobs, spent: spent / 1_000.0 });
        if progress.is_done() {
            break;
        }
        TimeoutFuture::new(0).await;
    }
    let result = match running.finish(measure, spent / 1_000.0) {
        Ok(result) => result,
        Err(error) => return Some((FromWorker::Failed { ticket, message: error.to_string() }, JsValue::UNDEFINED)),
    };
    // a schedule is plain data, which can always be written
    let schedule = postcard::to_stdvec(&result.schedule).unwrap_or_default();
    let report = Box::new(result.report);
    Some((FromWorker::Finished { ticket, report }, Uint8Array::from(schedule.as_slice()).into()))
}

/// The number of instants until the next look at the clock, after `stride` instants took `took` milliseconds.
fn next_stride(stride: usize, took: f64) -> usize {
    if took > STRIDE { (stride / 2).max(1) } else { (stride * 2).min(MOST) }
}

/// Milliseconds of the worker's clock.
pub(super) fn now() -> f64 {
    scope().performance().map_or(0.0, |clock| clock.now())
}

// Runs on one repeat of a study, in slices, so that a cancellation is heard.

/// Instants between two looks at the clock.
const REPEAT_STRIDE: usize = 64;

/// The closing message to a task of making one repeat; `unshrunk` is the study's workload.
pub(super) fn repeat<'a>(
    ticket: Ticket,
    unshrunk: &'a Workload,
    task: &'a Encoded<RepeatTask>,
) -> Seldom<'a, FromWorker> {
    Box::pin(async move {
        let Some(task) = task.decode() else {
            return FromWorker::Failed { ticket, message: "What was asked for came in pieces. Try again.".to_owned() };
        };
        let RepeatTask { repeats, repeat, loads, runs, metrics, distributions, rules, measure } = task;
        let workloads = match RepeatedWorkloads::of(&loads, &repeats, unshrunk, repeat) {
            Ok(workloads) => workloads,
            Err(error) => return FromWorker::Failed { ticket, message: error.to_string() },
        };
        let (mut values, mut begin) = (Vec::with_capacity(runs.len()), now());
        for run in &runs {
            let workload = workloads.of_run(run);
            let mut running = match Running::begin(&Repeats::drawn(run, repeat), workload, rules) {
                Ok(running) => running,
                Err(error) => return FromWorker::Failed { ticket, message: error.to_string() },
            };
            while !running.advance(REPEAT_STRIDE).is_done() {
                if now() - begin >= SLICE {
                    TimeoutFuture::new(0).await;
                    begin = now();
                    if is_cancelled(ticket) {
                        return FromWorker::Cancelled { ticket };
                    }
                }
            }
            let Ended { workload, schedule } = match running.ended() {
                Ok(ended) => ended,
                Err(error) => return FromWorker::Failed { ticket, message: error.to_string() },
            };
            values.push(RepeatedRun::of(&workload, &schedule, &measure, &metrics, &distributions));
        }
        FromWorker::Repeated { ticket, values: Encoded::of(&values) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn the_clock_is_looked_at_more_often_where_instants_take_long() {
        let after =
            |strides: usize, milliseconds: f64| (0..strides).fold(1, |stride, _| next_stride(stride, milliseconds));
        assert_eq!(after(20, 0.1), MOST);
        assert_eq!(next_stride(MOST, 50.0), MOST / 2);
        assert_eq!(next_stride(1, 1_000.0), 1);
    }
}

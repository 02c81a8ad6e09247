//! Runs on one repeat of a study, in slices, so that a cancellation is heard.

use super::simulate::{SLICE, now};
use super::{Seldom, is_cancelled};
use crate::run_queue::Encoded;
use crate::run_queue::protocol::{FromWorker, RepeatTask, Ticket};
use gloo::timers::future::TimeoutFuture;
use packfair_study::sureness::{RepeatedRun, RepeatedWorkloads, Repeats};
use packfair_study::{Ended, Running};
use packfair_workload::Workload;

/// Instants between two looks at the clock.
const STRIDE: usize = 64;

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
            while !running.advance(STRIDE).is_done() {
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

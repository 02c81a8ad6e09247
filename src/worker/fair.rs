//! Computes fair start times in slices, and measures schedules with them.

use super::simulate::{SLICE, now};
use super::{Seldom, is_cancelled, post};
use crate::run_queue::protocol::{FromWorker, Ticket};
use gloo::timers::future::TimeoutFuture;
use js_sys::{Array, Uint8Array};
use packfair_engine::metric::Measure;
use packfair_engine::model::{FairStarts, Schedule};
use packfair_study::{Rules, Run, RunReport, fair_start_search};
use packfair_workload::Workload;
use std::ops::Range;
use wasm_bindgen::{JsCast, JsValue};

/// Jobs between two looks at the clock.
const STRIDE: usize = 16;

/// Computes the fair start times of `jobs`. `schedule` is the encoded schedule of `run`. Returns the closing message
/// and the encoded fair starts; `None` if the request was cancelled.
pub(super) fn fair_starts<'a>(
    ticket: Ticket,
    workload: &'a Workload,
    run: &'a Run,
    rules: Rules,
    jobs: Range<usize>,
    schedule: &'a JsValue,
) -> Seldom<'a, Option<(FromWorker, JsValue)>> {
    Box::pin(async move {
        let failed = |message| Some((FromWorker::Failed { ticket, message }, JsValue::UNDEFINED));
        let schedule = match read::<Schedule>(schedule) {
            Some(schedule) if schedule.starts.len() == workload.len() => schedule,
            _ => return failed("The schedule does not belong to this log any more. Run it again.".to_owned()),
        };
        let workload = &*schedule.workload(workload);
        let begin = now();
        let mut search = match fair_start_search(run, workload, rules, &schedule) {
            Ok(search) => search,
            Err(why) => return failed(why.to_string()),
        };
        let (mut fair, mut spent) = (FairStarts::default(), now() - begin);
        let mut next = jobs.start;
        while next < jobs.end {
            if is_cancelled(ticket) {
                return None;
            }
            let begin = now();
            while next < jobs.end && now() - begin < SLICE {
                let end = (next + STRIDE).min(jobs.end);
                fair.append(search.of(next..end));
                next = end;
            }
            spent += now() - begin;
            let (completed, spent) = (next - jobs.start, spent / 1_000.0);
            post(&FromWorker::Progress { ticket, completed, jobs: jobs.len(), spent });
            TimeoutFuture::new(0).await;
        }
        if let Some(failure) = search.failure() {
            return failed(failure.to_string());
        }
        Some((FromWorker::FairStarts { ticket }, bytes(&fair)))
    })
}

/// The report and the encoded schedule with fair start times added. `parts` begins with the schedule, followed by the
/// [`FairStarts`] of consecutive ranges of jobs.
#[inline(never)]
pub(super) fn measure(
    workload: &Workload,
    run: Run,
    measure: &Measure,
    wall_s: f64,
    parts: &JsValue,
) -> Result<(Box<RunReport>, JsValue), String> {
    let lost = "Fair start times were lost on the way. Compute them again.";
    let parts = Array::from(parts);
    let mut schedule: Schedule = read(&parts.get(0)).ok_or(lost)?;
    let mut fair = FairStarts::default();
    for part in parts.iter().skip(1) {
        fair.append(read(&part).ok_or(lost)?);
    }
    if fair.strict.len() != workload.len() || schedule.starts.len() != workload.len() {
        return Err(lost.to_owned());
    }
    schedule.fair = Some(fair);
    let report = RunReport::of(run, &schedule.workload(workload), &schedule, measure, wall_s);
    Ok((Box::new(report), bytes(&schedule)))
}

fn read<T: serde::de::DeserializeOwned>(value: &JsValue) -> Option<T> {
    postcard::from_bytes(&value.dyn_ref::<Uint8Array>()?.to_vec()).ok()
}

fn bytes<T: serde::Serialize>(value: &T) -> JsValue {
    // plain data can always be written
    Uint8Array::from(postcard::to_stdvec(value).unwrap_or_default().as_slice()).into()
}

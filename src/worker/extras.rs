//! Computes fair start times in slices, and measures schedules with them.

use super::load::LIMITS;
use super::simulate::{SLICE, now};
use super::{Seldom, is_cancelled, post};
use crate::run_queue::protocol::{FromWorker, Ticket};
use crate::run_queue::{Encoded, GivenFile, GivenOutcome, LogExtras, TakenFile, TakenSite};
use gloo::timers::future::TimeoutFuture;
use js_sys::{Array, Uint8Array};
use packfair_engine::metric::Measure;
use packfair_engine::model::{FairStarts, Schedule};
use packfair_schedulers::Policy;
use packfair_slurm::{SiteFile, Version, read_site, settings};
use packfair_study::what_if::{self, QUESTIONS, WorkloadSpan, changed_in_words, without_one_limit};
use packfair_study::{Rules, Run, RunReport, Treatment, fair_start_search};
use packfair_workload::{ExternalKind, Log, PairingCounts, Workload, read_external};
use std::ops::Range;
use std::sync::Arc;
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

// Puts schedules, estimates and the files of a site beside a log that has been read.

/// The single limits of which is asked what each costs; all of them together are a question of their own.
const MOST_LIMITS: usize = 8;

/// Decodes what the user said about a log and the files given beside it.
#[inline(never)]
pub(super) fn opened(encoded: &Encoded<LogExtras>) -> LogExtras {
    encoded.decode().unwrap_or_default()
}

#[inline(never)]
pub(super) fn apply(log: &mut Log, files: &[GivenFile]) -> Encoded<Vec<GivenOutcome>> {
    let site = site(log, files);
    let mut left = files.iter().filter(|file| file.kind == ExternalKind::Site).count();
    let mut outcome = |file: &GivenFile| match file.kind {
        ExternalKind::Site => {
            left -= 1;
            let of_site = SiteFile { name: &file.name, content: &file.content };
            let agreement =
                PairingCounts { given: log.records.len(), common: log.records.len(), jobs: log.records.len(), cut: 0 };
            let site = site.clone().filter(|_| left == 0);
            Ok(TakenFile { file: of_site.named(), kind: file.kind, agreement, site })
        }
        _ => take(log, file),
    };
    let outcomes: Vec<GivenOutcome> = files.iter().map(&mut outcome).collect();
    Encoded::of(&outcomes)
}

/// Puts the site that the files describe beside the log, if there are such files. Returns what to tell about the site.
fn site(log: &mut Log, files: &[GivenFile]) -> Option<TakenSite> {
    let of_site = files.iter().filter(|file| file.kind == ExternalKind::Site);
    let of_site: Vec<SiteFile<'_>> =
        of_site.map(|file| SiteFile { name: &file.name, content: &file.content }).collect();
    if of_site.is_empty() {
        return None;
    }
    let site = read_site(&of_site, Version::default());
    let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
    let mut findings: Vec<_> = site.findings.iter().collect();
    findings.sort_by_key(|finding| finding.kind);
    let mut told = TakenSite {
        parts: what_if::described(&site),
        findings: findings.into_iter().map(ToString::to_string).collect(),
        settings: settings(&site),
        questions: Vec::new(),
    };
    log.site = Some(Arc::new(site));
    let Ok(workload) = treatment.apply(log) else { return Some(told) };
    if let (Some(jobs), Ok(base)) = (workload.site(), "slurm".parse::<Policy>()) {
        told.findings.extend(jobs.missing().iter().map(|missing| format!("the log: {missing}")));
        let span = WorkloadSpan::of(&workload);
        let asked = QUESTIONS.iter().filter_map(|question| question.to_policy(&base, &jobs.site, span));
        let limits = without_one_limit(&base, &jobs.site, MOST_LIMITS);
        let row = |policy: Policy| Some((changed_in_words(&policy, &jobs.site)?, policy.to_string()));
        told.questions = limits.into_iter().chain(asked).filter_map(row).collect();
    }
    Some(told)
}

fn take(log: &mut Log, given: &GivenFile) -> GivenOutcome {
    let GivenFile { name, kind, content } = given;
    let external = read_external(name, *kind, content, LIMITS).map_err(|error| error.to_string())?.called(name);
    let agreement = external.agreement(log).map_err(|fault| fault.to_string())?;
    let taken = TakenFile { file: external.file, kind: *kind, agreement, site: None };
    log.external.push(external);
    Ok(taken)
}

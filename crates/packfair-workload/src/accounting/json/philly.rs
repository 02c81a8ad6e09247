//! The jobs of Philly (`cluster_job_log`): a list of jobs, each with its attempts, each with the machines and GPUs it had.

use super::super::jobs::{AccountedJob, JobCollector};
use super::super::time::{id_number, moment};
use crate::reading::{Limits, ReadError};
use crate::{DATA_SETS, Reason, Seconds};
use packfair_base::json_records::Records;
use serde::Deserialize;

const WORDS: [&[u8]; 3] = [b"\"jobid\"", b"\"attempts\"", b"\"submitted_time\""];

#[derive(Deserialize)]
struct PhillyJob {
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    vc: Option<String>,
    #[serde(default)]
    jobid: Option<String>,
    #[serde(default)]
    attempts: Vec<Attempt>,
    #[serde(default)]
    submitted_time: Option<String>,
    #[serde(default)]
    user: Option<String>,
}

#[derive(Deserialize)]
struct Attempt {
    #[serde(default)]
    start_time: Option<String>,
    #[serde(default)]
    end_time: Option<String>,
    #[serde(default)]
    detail: Vec<OnMachine>,
}

#[derive(Deserialize)]
struct OnMachine {
    #[serde(default)]
    gpus: Vec<String>,
}

pub(super) fn is_philly(lines: &[&[u8]]) -> bool {
    let first = lines.iter().map(|line| line.trim_ascii()).find(|line| !line.is_empty());
    let has = |word: &[u8]| lines.iter().any(|line| memchr::memmem::find(line, word).is_some());
    first.is_some_and(|first| first.starts_with(b"[")) && WORDS.into_iter().all(has)
}

pub(super) fn read(text: &[u8], limits: Limits) -> Result<JobCollector, ReadError> {
    let mut jobs = JobCollector::calling(["Virtual cluster", "Executable", "Queue"], limits);
    DATA_SETS.iter().filter(|set| set.id == "philly").for_each(|set| jobs.label_data_set(set));
    for (line, record) in Records::<PhillyJob>::of(text) {
        match record {
            Ok(job) => push(&mut jobs, &job, line)?,
            Err(text) => jobs.account.note_text(Reason::NotAJob, line, text),
        }
    }
    Ok(jobs)
}

/// Adds the attempts of a job. The first waits since the job was submitted, each other since the end of the one before. A
/// job without attempts never started.
fn push(jobs: &mut JobCollector, job: &PhillyJob, line: u32) -> Result<(), ReadError> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let (id, user, group) = (text(&job.jobid), text(&job.user), text(&job.vc));
    let number = id.rsplit('_').next().and_then(|number| id_number(number.as_bytes())).unwrap_or(-1);
    let submitted = time(&job.submitted_time);
    let common = AccountedJob {
        id: id.as_bytes(),
        number,
        // a time that no job has: it is left out with its reason
        submit: submitted.unwrap_or(-1),
        status: status(job.status.as_deref()),
        user: user.as_bytes(),
        group: group.as_bytes(),
        gpus: Some(0),
        ..AccountedJob::default()
    };
    if job.attempts.is_empty() {
        return jobs.push(line, &common);
    }
    let mut since = submitted;
    for (attempt, place) in job.attempts.iter().zip(1..) {
        let (start, end) = (time(&attempt.start_time), time(&attempt.end_time));
        // a list of GPUs is as long as memory, so the number fits
        let gpus = attempt.detail.iter().map(|on| on.gpus.len()).sum::<usize>() as u32;
        let nodes = attempt.detail.len() as u32;
        let width = Some(gpus).filter(|&gpus| gpus > 0);
        let is_last = place == job.attempts.len();
        jobs.push(
            line,
            &AccountedJob {
                submit: since.unwrap_or(-1),
                start,
                end,
                run: start.zip(end).map(|(start, end)| (end - start).max(0)),
                allocated: width,
                requested: width,
                nodes: Some(nodes).filter(|&nodes| nodes > 0),
                gpus: Some(gpus),
                // what is tried again has failed
                status: if is_last { common.status } else { 0 },
                ..common
            },
        )?;
        since = end.or(start).or(since);
    }
    Ok(())
}

/// A time as the file has it, perhaps with the name of Pacific time behind it, or `None`.
fn time(text: &Option<String>) -> Option<Seconds> {
    let text = text.as_deref()?.trim();
    let text = text.strip_suffix(" PST").or_else(|| text.strip_suffix(" PDT")).unwrap_or(text);
    moment(text.as_bytes())
}

/// A status as SWF numbers it.
fn status(text: Option<&str>) -> i32 {
    match text {
        Some("Pass") => 1,
        Some("Killed") => 5,
        Some("Failed") => 0,
        _ => -1,
    }
}

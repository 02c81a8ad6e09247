//! Batsim's workloads: jobs, and profiles that say what each does.
//!
//! Only profiles that delay for a time tell how long a job runs; jobs with others are left out.

use super::super::jobs::{AccountedJob, JobCollector};
use super::super::numbers::is_no_amount;
use crate::reading::ReadError;
use crate::{Reason, Seconds};
use packfair_base::json_records::{Records, member_of, value_of};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;

#[derive(Deserialize)]
struct BatsimJob {
    id: TextOrNumber,
    subtime: f64,
    #[serde(default)]
    walltime: Option<f64>,
    res: u32,
    profile: TextOrNumber,
}

/// The profiles of a workload, by their names.
pub(super) type Profiles = HashMap<String, Value>;

/// The profiles that a text has beside its jobs; none where it is no workload of Batsim.
///
/// # Errors
/// If they are damaged.
pub(super) fn profiles(text: &[u8]) -> Result<Option<Profiles>, ReadError> {
    let is_one = ["jobs", "profiles"].into_iter().all(|name| value_of(text, 0, name).is_some());
    if !is_one {
        return Ok(None);
    }
    let damaged = || ReadError::Json("its profiles, which tell how long jobs run, are not complete".to_owned());
    member_of(text, "profiles").ok_or_else(damaged).map(Some)
}

/// A text, or a number that is read as a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum TextOrNumber {
    Number(i64),
    Text(String),
}

impl TextOrNumber {
    fn text(&self) -> String {
        match self {
            TextOrNumber::Number(number) => number.to_string(),
            TextOrNumber::Text(text) => text.clone(),
        }
    }
}

/// Whole seconds, rounded half up, as the field's tools do it.
fn whole(seconds: f64) -> Option<Seconds> {
    // far within the whole numbers that a float holds exactly
    (!is_no_amount(seconds) && seconds < 1e11).then(|| (seconds + 0.5).floor() as Seconds)
}

pub(super) fn read(text: &[u8], profiles: &Profiles, jobs: &mut JobCollector) -> Result<(), ReadError> {
    if let Some(size) = member_of::<u32>(text, "nb_res") {
        jobs.labels.push(("MaxProcs".to_owned(), size.to_string()));
    }
    for (line, record) in Records::<BatsimJob>::of(text) {
        let entry = match record {
            Ok(entry) => entry,
            Err(text) => {
                jobs.account.note_text(Reason::NotAJob, line, text);
                continue;
            }
        };
        let delay = profiles.get(&entry.profile.text()).and_then(|profile| profile.get("delay")?.as_f64());
        let Some(run) = delay.and_then(whole) else {
            jobs.account.note(Reason::NoDelay, line);
            continue;
        };
        let Some(submit) = whole(entry.subtime) else {
            jobs.account.note(Reason::NoSubmitTime, line);
            continue;
        };
        let id = entry.id.text();
        let digits = id.rsplit('!').next().unwrap_or(&id);
        let job = AccountedJob {
            id: id.as_bytes(),
            number: digits.parse().unwrap_or(-1),
            submit,
            run: Some(run),
            // a limit of -1 is none
            limit: entry.walltime.and_then(whole).filter(|&limit| limit > 0),
            allocated: Some(entry.res),
            requested: Some(entry.res),
            status: 1,
            ..AccountedJob::default()
        };
        jobs.push(line, &job)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{Reason, reading};

    #[test]
    fn all_of_it_may_be_one_line() {
        let jobs: Vec<String> =
            (0..5_000).map(|id| format!(r#"{{"id":{id},"subtime":{id},"res":4,"profile":"a"}}"#)).collect();
        let text =
            format!(r#"{{"nb_res":32,"jobs":[{}],"profiles":{{"a":{{"type":"delay","delay":20}}}}}}"#, jobs.join(","));
        assert!(text.len() > 3 * 64 * 1024);
        assert_eq!(reading::read("w.json", text.as_bytes()).unwrap().records.len(), 5_000);
    }

    #[test]
    fn delays_are_run_times() {
        let text = r#"{ "nb_res": 32, "command": "x",
            "jobs": [
                {"id": 1, "subtime": 10.4, "walltime": 100, "res": 4, "profile": "a"},
                {"id": "w!2", "subtime": 5, "res": 8, "profile": "b", "walltime": -1},
                {"id": 3, "subtime": 20, "res": 8, "profile": "c"}
            ],
            "profiles": {
                "a": {"type": "delay", "delay": 20.5}, "b": {"type": "DelayProfile", "delay": 7, "np": 8},
                "c": {"type": "ptask_homogeneous", "cpu": 1e9, "com": 0}
            } }"#;
        let log = reading::read("w.json", text.as_bytes()).unwrap();
        let seen: Vec<_> =
            log.records.iter().map(|r| (r.number, r.submit, r.run, r.requested, r.requested_time)).collect();
        assert_eq!(seen, [(1, 5, 21, 4, 100), (2, 0, 7, 8, -1)]);
        assert_eq!(log.header.processors("MaxProcs"), Some(32));
        assert_eq!(log.account.count(Reason::NoDelay), 1);
        let broken = reading::read("w.json", &text.as_bytes()[..100]).unwrap_err().to_string();
        assert!(broken.contains("JSON"), "{broken}");
    }
}

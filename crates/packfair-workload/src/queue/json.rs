//! Queues in JSON: of squeue and scontrol, of sacct, and of qstat of PBS.

use super::{Queue, QueueError, QueueState, QueuedJob, state, table};
use crate::Seconds;
use crate::accounting::nothing::is_nothing;
use crate::accounting::time::duration;
use serde_json::Value;

/// The whole number that a value is: plain, as text, or an object that says whether it is set.
fn number(value: &Value) -> Option<i64> {
    let number = match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Object(told) => {
            let is = |key: &str| told.get(key).and_then(Value::as_bool).unwrap_or(false);
            told.get("number").and_then(Value::as_i64).filter(|_| is("set") && !is("infinite"))
        }
        _ => None,
    };
    number.filter(|&number| !is_nothing(number))
}

fn positive(value: &Value) -> Option<i64> {
    number(value).filter(|&number| number > 0)
}

fn count(value: &Value) -> Option<u32> {
    positive(value).and_then(|count| u32::try_from(count).ok())
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(words) => words.first().map(text).unwrap_or_default(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

pub(super) fn read(content: &str) -> Result<Queue, QueueError> {
    let value: Value = serde_json::from_str(content).map_err(|error| QueueError::Json(error.to_string()))?;
    if let Some(jobs) = value.get("Jobs").and_then(Value::as_object) {
        let jobs = jobs.iter().filter_map(|(id, job)| of_pbs(id, job)).collect();
        return Ok(Queue { at: positive(&value["timestamp"]), jobs });
    }
    let Some(jobs) = value.get("jobs").and_then(Value::as_array) else { return Err(QueueError::Unknown) };
    let at = positive(&value["last_update"]);
    Ok(Queue { at, jobs: jobs.iter().filter_map(of_slurm).collect() })
}

/// A job of squeue, or of sacct, where times stand in an object of their own.
fn of_slurm(job: &Value) -> Option<QueuedJob> {
    let of_sacct = job.get("time");
    let word = if of_sacct.is_some() { text(&job["state"]["current"]) } else { text(&job["job_state"]) };
    let runs = match state(&word) {
        QueueState::Over => return None,
        state => state == QueueState::Runs,
    };
    let time = |own: &str, other: &str| of_sacct.map_or_else(|| positive(&job[own]), |times| positive(&times[other]));
    let amount = |kind: &str| {
        let lists = ["allocated", "requested"].into_iter().filter_map(|list| job["tres"][list].as_array());
        lists.flatten().find(|of| of["type"] == kind).and_then(|of| count(&of["count"]))
    };
    let user = ["user_name", "user"].map(|key| text(&job[key])).into_iter().find(|name| !name.is_empty());
    let reason = if of_sacct.is_some() { text(&job["state"]["reason"]) } else { text(&job["state_reason"]) };
    Some(QueuedJob {
        number: number(&job["job_id"]).unwrap_or(-1),
        submit: time("submit_time", "submission"),
        start: time("start_time", "start").filter(|_| runs),
        elapsed: of_sacct.and_then(|times| number(&times["elapsed"])).filter(|_| runs),
        runs,
        limit: time("time_limit", "limit").map(|minutes| minutes * 60),
        processors: count(&job["cpus"]).or_else(|| amount("cpu")),
        nodes: count(&job["node_count"]).or_else(|| amount("node")),
        priority: positive(&job["priority"]),
        user: user.unwrap_or_else(|| text(&job["user_id"])),
        account: text(&job["account"]),
        name: text(&job["name"]),
        qos: text(&job["qos"]),
        partition: text(&job["partition"]),
        reason,
        tasks: table::tasks(&text(&job["array_task_string"])),
    })
}

/// A job of `qstat -f -F json`.
fn of_pbs(id: &str, job: &Value) -> Option<QueuedJob> {
    let word = text(&job["job_state"]);
    let runs = match state(&word) {
        QueueState::Over => return None,
        state => state == QueueState::Runs,
    };
    let asked = &job["Resource_List"];
    let digits: String = id.chars().take_while(char::is_ascii_digit).collect();
    let elapsed = duration(text(&job["resources_used"]["walltime"]).as_bytes());
    let held = if word == "H" { "held: ".to_owned() } else { String::new() };
    Some(QueuedJob {
        number: digits.parse().unwrap_or(-1),
        submit: date(&text(&job["qtime"])).or_else(|| date(&text(&job["ctime"]))),
        start: date(&text(&job["stime"])).filter(|_| runs),
        elapsed: elapsed.filter(|_| runs),
        runs,
        limit: duration(text(&asked["walltime"]).as_bytes()).filter(|&limit| limit > 0),
        processors: count(&asked["ncpus"]),
        nodes: count(&asked["nodect"]),
        user: text(&job["Job_Owner"]).split('@').next().unwrap_or_default().to_owned(),
        account: text(&job["Account_Name"]),
        name: text(&job["Job_Name"]),
        qos: text(&job["queue"]),
        reason: format!("{held}{}", text(&job["comment"])),
        ..QueuedJob::default()
    })
}

/// The Unix time of `Sat Jan 31 22:53:20 2026`.
fn date(text: &str) -> Option<Seconds> {
    chrono::NaiveDateTime::parse_from_str(text, "%a %b %d %H:%M:%S %Y").ok().map(|date| date.and_utc().timestamp())
}

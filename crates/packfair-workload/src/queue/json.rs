//! Queues in JSON: of squeue and scontrol, of sacct, and of qstat of PBS.

use super::parts::Asked;
use super::{HeldNodes, Queue, QueueError, QueueState, QueuedJob, state, table};
use crate::Seconds;
use crate::accounting::numbers::is_nothing;
use crate::accounting::pbs;
use crate::accounting::time::{duration, moment};
use packfair_base::json_text;
use rustc_hash::FxHashSet;
use serde_json::Value;

/// The whole number that a value is: plain, as text, or an object that says whether it is set; of a date its Unix time.
fn number(value: &Value) -> Option<i64> {
    let number = match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok().or_else(|| moment(text.trim().as_bytes())),
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
    let mut content = content.as_bytes().to_vec();
    json_text::unwrap(&mut content);
    let value: Value = serde_json::from_slice(&content).map_err(|error| QueueError::Json(error.to_string()))?;
    if let Some(jobs) = value.get("Jobs").and_then(Value::as_object) {
        let mut jobs: Vec<QueuedJob> = jobs.iter().filter_map(|(id, job)| of_pbs(id, job)).collect();
        // of an array whose tasks are listed too, these count
        let told: FxHashSet<i64> =
            jobs.iter().filter(|job| job.task.is_some() && !job.runs).map(|job| job.number).collect();
        jobs.retain(|job| job.array.is_none() || job.task.is_some() || !told.contains(&job.number));
        return Ok(Queue { at: positive(&value["timestamp"]), jobs, ..Queue::default() });
    }
    let Some(jobs) = value.get("jobs").and_then(Value::as_array) else { return Err(QueueError::Unknown) };
    let at = positive(&value["last_update"]);
    Ok(Queue { at, jobs: jobs.iter().filter_map(of_slurm).collect(), ..Queue::default() })
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
    let amounts = |list: &str| job["tres"][list].as_array().map(|list| tres(list)).filter(|text| !text.is_empty());
    let tres = ["tres_alloc_str", "tres_req_str"].map(|key| text(&job[key])).into_iter().find(|list| !list.is_empty());
    let tres = tres.or_else(|| amounts("allocated")).or_else(|| amounts("requested")).unwrap_or_default();
    let memory = |key: &str, each: char| positive(&job[key]).map(|amount| format!("{amount}M{each}"));
    let memory = memory("memory_per_cpu", 'c').or_else(|| memory("memory_per_node", 'n')).unwrap_or_default();
    let [on_each_node, features, constraints, licences, submit_line] =
        ["tres_per_node", "features", "constraints", "licenses", "submit_line"].map(|key| text(&job[key]));
    let reservation = [&job["resv_name"], &job["reservation"]["name"]].map(text).concat();
    let asked = Asked {
        tres: &tres,
        on_each_node: &on_each_node,
        constraint: if features.is_empty() { &constraints } else { &features },
        licences: &licences,
        reservation: &reservation,
        memory: &memory,
        submit_line: &submit_line,
        is_exclusive: is_exclusive(&job["exclusive"]) || is_exclusive(&job["shared"]),
    };
    Some(
        asked.of(QueuedJob {
            number: number(&job["job_id"]).unwrap_or(-1),
            array: positive(&job["array_job_id"]).or_else(|| positive(&job["array"]["job_id"])),
            at_once: count(&job["array_max_tasks"])
                .or_else(|| count(&job["array"]["limits"]["max"]["running"]["tasks"]))
                .or_else(|| table::at_once(&text(&job["array_task_string"]))),
            part_of: positive(&job["het_job_id"]).or_else(|| positive(&job["het"]["job_id"])),
            submit: time("submit_time", "submission"),
            start: time("start_time", "start").filter(|_| runs),
            elapsed: of_sacct.and_then(|times| number(&times["elapsed"])).filter(|_| runs),
            runs,
            limit: time("time_limit", "limit").map(|minutes| minutes * 60),
            processors: count(&job["cpus"]).or_else(|| amount("cpu")),
            nodes: count(&job["node_count"]).or_else(|| amount("node")),
            on: if runs { held(job) } else { Vec::new() },
            priority: positive(&job["priority"]),
            user: user.unwrap_or_else(|| text(&job["user_id"])),
            account: text(&job["account"]),
            name: text(&job["name"]),
            qos: text(&job["qos"]),
            partition: text(&job["partition"]),
            reservation: reservation.clone(),
            reason,
            tasks: table::tasks(&text(&job["array_task_string"])),
            ..QueuedJob::default()
        }),
    )
}

/// The nodes that a running job of squeue or sacct holds.
fn held(job: &Value) -> Vec<HeldNodes> {
    let resources = &job["job_resources"];
    // named so up to 23.11, and since
    let by_node =
        [&resources["allocated_nodes"], &resources["nodes"]["allocation"]].into_iter().find_map(Value::as_array);
    let of_node = |node: &Value| {
        let list = ["nodename", "name"].into_iter().find_map(|key| node[key].as_str())?.to_owned();
        let cpus = [&node["cpus_used"], &node["cpus"], &node["cpus"]["count"]].into_iter().find_map(count);
        Some(HeldNodes { list, cpus })
    };
    let detailed = by_node.and_then(|nodes| nodes.iter().map(of_node).collect::<Option<Vec<_>>>());
    detailed
        .filter(|nodes| !nodes.is_empty())
        .unwrap_or_else(|| HeldNodes::listed(job["nodes"].as_str().unwrap_or_default()))
}

/// Resources of sacct as one text.
fn tres(list: &[Value]) -> String {
    let of = |resource: &Value| {
        let (kind, name, count) = (text(&resource["type"]), text(&resource["name"]), positive(&resource["count"])?);
        Some(if name.is_empty() { format!("{kind}={count}") } else { format!("{kind}/{name}={count}") })
    };
    list.iter().filter_map(of).collect::<Vec<_>>().join(",")
}

/// Whether a value of squeue says that nobody shares the nodes: `"shared": "none"`, `"exclusive": ["true"]`.
fn is_exclusive(value: &Value) -> bool {
    matches!(text(value).as_str(), "none" | "true")
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
    let held = match word.as_str() {
        "H" => "held: ",
        "W" => "begintime: ",
        _ => "",
    };
    let in_array = id.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(task, _)| task);
    let [remaining, submitted] = ["remaining", "submitted"].map(|kind| text(&job[format!("array_indices_{kind}")]));
    // all tasks of it run, or have run
    if word == "B" && matches!(remaining.as_str(), "" | "-") {
        return None;
    }
    let gpus = count(&asked["ngpus"]).or_else(|| pbs::in_chunks(text(&asked["select"]).as_bytes(), b"ngpus", 0));
    Some(QueuedJob {
        number: digits.parse().unwrap_or(-1),
        task: in_array.and_then(|task| task.parse().ok()),
        array: in_array.and_then(|_| digits.parse().ok()),
        at_once: count(&job["max_run_subjobs"]),
        tasks: table::tasks(if remaining.is_empty() { &submitted } else { &remaining }),
        submit: date(&text(&job["qtime"])).or_else(|| date(&text(&job["ctime"]))),
        start: date(&text(&job["stime"])).filter(|_| runs),
        elapsed: elapsed.filter(|_| runs),
        runs,
        limit: duration(text(&asked["walltime"]).as_bytes()).filter(|&limit| limit > 0),
        processors: count(&asked["ncpus"]),
        nodes: count(&asked["nodect"]),
        gpus,
        memory: pbs::size(text(&asked["mem"]).as_bytes()),
        user: text(&job["Job_Owner"]).split('@').next().unwrap_or_default().to_owned(),
        account: text(&job["Account_Name"]),
        name: text(&job["Job_Name"]),
        qos: text(&job["queue"]),
        reason: format!("{held}{}", text(&job["comment"])),
        ..QueuedJob::default()
    })
}

/// The Unix time of `Sat Jan 31 22:53:20 2026`.
pub(super) fn date(text: &str) -> Option<Seconds> {
    chrono::NaiveDateTime::parse_from_str(text, "%a %b %d %H:%M:%S %Y").ok().map(|date| date.and_utc().timestamp())
}

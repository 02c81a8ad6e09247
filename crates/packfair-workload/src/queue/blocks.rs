//! Queues as `scontrol show job` prints them: blocks of `Key=value`.

use super::asked::{Asked, told};
use super::{HeldNodes, Queue, QueueState, QueuedJob, state, table};
use crate::accounting::time::{duration, moment};
use crate::accounting::tres;
use rustc_hash::FxHashMap;

pub(super) fn read(text: &str) -> Queue {
    let begins =
        text.match_indices("JobId=").filter(|&(at, _)| at == 0 || text[..at].ends_with('\n')).map(|(at, _)| at);
    let begins: Vec<usize> = begins.collect();
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    let jobs = begins.iter().zip(ends).filter_map(|(&begin, end)| job(&text[begin..end])).collect();
    Queue { jobs, ..Queue::default() }
}

fn job(block: &str) -> Option<QueuedJob> {
    let (before, name, behind) = around_name(block);
    let mut values: FxHashMap<&str, &str> = FxHashMap::default();
    // what stands in a name is none of its fields
    for (key, value) in
        before.split_whitespace().chain(behind.split_whitespace()).filter_map(|word| word.split_once('='))
    {
        values.entry(key).or_insert(value);
    }
    let get = |key: &str| values.get(key).copied().unwrap_or_default();
    let runs = match state(get("JobState")) {
        QueueState::Over => return None,
        state => state == QueueState::Runs,
    };
    let time = |key: &str| moment(get(key).as_bytes());
    // a range is of a job that takes any number in it
    let count = |key: &str| {
        let least = get(key).split('-').next().unwrap_or_default();
        tres::count(least.as_bytes()).filter(|&count| count > 0)
    };
    let person = |key: &str| get(key).split('(').next().unwrap_or_default().to_owned();
    let each = |key: &str, each: char| {
        Some(get(key)).filter(|text| !matches!(*text, "" | "0")).map(|text| format!("{text}{each}"))
    };
    let memory = each("MinMemoryCPU", 'c').or_else(|| each("MinMemoryNode", 'n')).unwrap_or_default();
    let lists = ["AllocTRES", "TRES", "ReqTRES"].map(get);
    let asked = Asked {
        tres: lists.into_iter().find(|list| !matches!(*list, "" | "(null)")).unwrap_or_default(),
        on_each_node: get("TresPerNode"),
        constraint: get("Features"),
        licences: get("Licenses"),
        reservation: get("Reservation"),
        memory: &memory,
        submit_line: submit_line(block),
        is_exclusive: get("OverSubscribe") == "NO",
    };
    let detailed = HeldNodes::detailed(block);
    let on = if detailed.is_empty() { HeldNodes::listed(get("NodeList")) } else { detailed };
    Some(asked.of(QueuedJob {
        number: get("JobId").parse().unwrap_or(-1),
        array: get("ArrayJobId").parse().ok(),
        at_once: table::at_once(get("ArrayTaskId")).or_else(|| count("ArrayTaskThrottle")),
        part_of: get("HetJobId").parse().ok().filter(|&whole| whole > 0),
        submit: time("SubmitTime"),
        start: time("StartTime").filter(|_| runs),
        elapsed: duration(get("RunTime").as_bytes()).filter(|_| runs),
        runs,
        limit: duration(get("TimeLimit").as_bytes()).filter(|&limit| limit > 0),
        processors: count("NumCPUs"),
        nodes: count("NumNodes"),
        on: if runs { on } else { Vec::new() },
        priority: get("Priority").parse().ok().filter(|&priority| priority > 0),
        user: person("UserId"),
        account: person("Account"),
        name: name.to_owned(),
        qos: get("QOS").to_owned(),
        partition: get("Partition").to_owned(),
        reservation: told(get("Reservation")).to_owned(),
        reason: get("Reason").to_owned(),
        tasks: table::tasks(get("ArrayTaskId")),
        ..QueuedJob::default()
    }))
}

/// What stands before the name of a job, the name, and what stands behind it. A name may have blanks: it goes on to the end of
/// its line or, with `-o`, to the user.
fn around_name(block: &str) -> (&str, &str, &str) {
    let Some((before, behind)) = block.split_once("JobName=") else { return (block, "", "") };
    let line = behind.lines().next().unwrap_or_default();
    let name = line.split_once(" UserId=").map_or(line, |(name, _)| name);
    (before, name.trim(), &behind[name.len()..])
}

/// The command with which a job was submitted: it has blanks, and a line of its own.
fn submit_line(block: &str) -> &str {
    block.lines().find_map(|line| line.trim_start().strip_prefix("SubmitLine=")).unwrap_or_default()
}

//! Reads `sacct --json`, both of old versions, which write plain numbers, and of new ones, which write with each number
//! whether it is set.

use super::super::jobs::{AccountedJob, JobCollector, OF_SLURM, Waited};
use super::super::numbers::{is_no_amount, is_odd};
use super::super::options::OptionFields;
use super::super::sacct::request;
use super::super::sacct::request::State;
use super::super::{options, submit_line, tres};
use crate::reading::ReadError;
use crate::{Reason, Seconds};
use packfair_base::json_records::Records;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// The usual value where there is `null`.
fn usual<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Option::<T>::deserialize(from).map(Option::unwrap_or_default)
}

#[derive(Deserialize)]
pub(super) struct SlurmJob {
    job_id: i64,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    user: Option<String>,
    #[serde(default)]
    account: Option<String>,
    #[serde(default)]
    partition: Option<String>,
    #[serde(default)]
    qos: Option<String>,
    #[serde(default)]
    cluster: Option<String>,
    time: SlurmTimes,
    #[serde(default, deserialize_with = "usual")]
    tres: JsonTres,
    #[serde(default, deserialize_with = "usual")]
    steps: Vec<Step>,
    #[serde(default, deserialize_with = "usual")]
    het: Het,
    #[serde(default, deserialize_with = "usual")]
    state: SlurmState,
    #[serde(default, deserialize_with = "usual")]
    array: Array,
    #[serde(default)]
    constraints: Option<String>,
    #[serde(default)]
    licenses: Option<String>,
    #[serde(default, deserialize_with = "usual")]
    reservation: JsonReservation,
    #[serde(default)]
    submit_line: Option<String>,
    #[serde(default, deserialize_with = "usual")]
    priority: Number,
    #[serde(default, deserialize_with = "usual")]
    restart_cnt: Number,
}

#[derive(Default, Deserialize)]
struct JsonReservation {
    #[serde(default)]
    name: Option<String>,
}

#[derive(Deserialize)]
struct SlurmTimes {
    #[serde(default, deserialize_with = "usual")]
    submission: Number,
    #[serde(default, deserialize_with = "usual")]
    eligible: Number,
    #[serde(default, deserialize_with = "usual")]
    start: Number,
    #[serde(default, deserialize_with = "usual")]
    end: Number,
    #[serde(default, deserialize_with = "usual")]
    elapsed: Number,
    #[serde(default, deserialize_with = "usual")]
    limit: Number,
    #[serde(default, deserialize_with = "usual")]
    suspended: Number,
}

/// A plain number, one in a text, or an object that says whether the number is set.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Plain(f64),
    Text(String),
    Told {
        #[serde(default)]
        set: bool,
        #[serde(default)]
        infinite: bool,
        #[serde(default)]
        number: f64,
    },
    /// Anything else: no number.
    None(serde::de::IgnoredAny),
}

impl Default for Number {
    fn default() -> Self {
        Number::Plain(0.0)
    }
}

impl Number {
    /// The number, which may be 0.
    fn told(&self) -> Option<i64> {
        let number = match self {
            Number::Plain(number) | Number::Told { set: true, infinite: false, number } => *number,
            Number::Text(text) => amount(text)?,
            Number::Told { .. } | Number::None(_) => return None,
        };
        // what is left is far below 2^63
        (!is_no_amount(number)).then_some(number as i64)
    }

    /// Whether it is a text that is no number.
    fn is_odd(&self) -> bool {
        matches!(self, Number::Text(text) if is_odd(text.trim().as_bytes(), amount(text)))
    }

    /// The number if it is above 0. In old versions 0 means none.
    fn positive(&self) -> Option<Seconds> {
        self.told().filter(|&number| number > 0)
    }
}

/// The number that a text is, as sacct writes counts too (`2K`).
fn amount(text: &str) -> Option<f64> {
    let text = text.trim();
    text.parse().ok().or_else(|| tres::count(text.as_bytes()).map(f64::from))
}

#[derive(Default, Deserialize)]
struct JsonTres {
    #[serde(default, deserialize_with = "usual")]
    allocated: Vec<Resource>,
    #[serde(default, deserialize_with = "usual")]
    requested: Vec<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default, deserialize_with = "usual")]
    count: Number,
}

#[derive(Default, Deserialize)]
struct Step {
    #[serde(default, deserialize_with = "usual")]
    statistics: Statistics,
}

#[derive(Default, Deserialize)]
struct Statistics {
    #[serde(default, deserialize_with = "usual")]
    energy: Energy,
}

#[derive(Default, Deserialize)]
struct Energy {
    #[serde(default, deserialize_with = "usual")]
    consumed: Number,
}

/// The milliwatts that a job drew whose steps tell their energies, joules.
fn drawn(steps: &[Step], run: Option<Seconds>) -> Option<i64> {
    let consumed = steps.iter().filter_map(|step| step.statistics.energy.consumed.positive());
    let joules = consumed.fold(0_i64, Seconds::saturating_add);
    tres::of_energy(joules.to_string().as_bytes(), 1, run)
}

#[derive(Default, Deserialize)]
struct Array {
    #[serde(default, deserialize_with = "usual")]
    job_id: Number,
    #[serde(default, deserialize_with = "usual")]
    task_id: Number,
}

#[derive(Default, Deserialize)]
struct Het {
    #[serde(default, deserialize_with = "usual")]
    job_id: Number,
}

#[derive(Default, Deserialize)]
struct SlurmState {
    #[serde(default, deserialize_with = "usual")]
    current: OneOrMoreWords,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMoreWords {
    One(String),
    Some(Vec<String>),
}

impl Default for OneOrMoreWords {
    fn default() -> Self {
        OneOrMoreWords::Some(Vec::new())
    }
}

impl OneOrMoreWords {
    fn first(&self) -> &str {
        match self {
            OneOrMoreWords::One(word) => word,
            OneOrMoreWords::Some(words) => words.first().map_or("", String::as_str),
        }
    }
}

/// The graphics processors among resources; those of all types where only types are counted.
fn gpus(resources: &[Resource]) -> Option<u32> {
    let typed = |resource: &&Resource| {
        resource.kind == "gres" && resource.name.as_deref().is_some_and(|name| name.starts_with("gpu:"))
    };
    let of_types = || {
        let counts = resources.iter().filter(typed).filter_map(|resource| resource.count.positive());
        u32::try_from(counts.sum::<i64>()).ok().filter(|&count| count > 0)
    };
    count(resources, "gres", "gpu").or_else(of_types)
}

fn count(resources: &[Resource], kind: &str, name: &str) -> Option<u32> {
    let is_it =
        |resource: &&Resource| resource.kind == kind && (name.is_empty() || resource.name.as_deref() == Some(name));
    let found = resources.iter().find(is_it)?.count.positive()?;
    u32::try_from(found).ok()
}

/// Resources that have names, GPUs of kinds and licences, as sacct writes them.
fn tres_text(resources: &[Resource]) -> String {
    let named = |resource: &Resource| {
        let (name, count) = (resource.name.as_deref()?, resource.count.positive()?);
        Some(format!("{}/{name}={count}", resource.kind))
    };
    resources.iter().filter_map(named).collect::<Vec<_>>().join(",")
}

/// Whether a text has jobs of `sacct --json`: their times stand in an object of their own.
pub(super) fn is_dump(text: &[u8]) -> bool {
    let has = |key: &[u8]| memchr::memmem::find(text, key).is_some();
    let is_job = |record: &Value| record.get("job_id").is_some() && record.get("time").is_some_and(Value::is_object);
    has(b"\"job_id\"")
        && has(b"\"submission\"")
        && Records::<Value>::of(text).any(|(_, record)| record.is_ok_and(|record| is_job(&record)))
}

pub(super) fn read(records: Records<'_, SlurmJob>, jobs: &mut JobCollector) -> Result<(), ReadError> {
    jobs.call(OF_SLURM);
    let mut cluster = None;
    for (line, record) in records {
        match record {
            Ok(job) => {
                cluster = cluster.or_else(|| job.cluster.clone());
                take(line, &job, jobs)?;
            }
            Err(text) => jobs.account.note_text(Reason::NotAJob, line, text),
        }
    }
    jobs.labels.extend(cluster.map(|cluster| ("Computer".to_owned(), crate::printable(&cluster))));
    Ok(())
}

impl SlurmJob {
    /// Whether a value that counts is there and was not understood.
    fn is_odd(&self) -> bool {
        let SlurmTimes { submission, eligible, start, end, elapsed, limit, suspended } = &self.time;
        let times = [submission, eligible, start, end, elapsed, limit, suspended];
        let resources = self.tres.allocated.iter().chain(&self.tres.requested);
        let is_read = |resource: &&Resource| matches!(resource.kind.as_str(), "cpu" | "node" | "mem" | "gres");
        let mut counts = resources.filter(is_read).map(|resource| &resource.count);
        times.into_iter().any(Number::is_odd) || counts.any(Number::is_odd)
    }
}

fn take(line: u32, entry: &SlurmJob, jobs: &mut JobCollector) -> Result<(), ReadError> {
    let submit = entry.time.submission.positive().unwrap_or(-1);
    let id = entry.job_id.to_string();
    let word = entry.state.current.first();
    let state = request::of_record(word.as_bytes(), entry.time.end.positive().is_some());
    let still_runs = state == Some(State::Running);
    let status = match state {
        Some(State::Running | State::Pending) => -1,
        Some(State::Ended(status)) => status,
        None if word.is_empty() => -1,
        None => 0,
    };
    let (start, end) = (entry.time.start.positive(), entry.time.end.positive());
    let elapsed = entry.time.elapsed.positive();
    let suspended = entry.time.suspended.positive().unwrap_or(0);
    let given = |kind: &str, name: &str| count(&entry.tres.allocated, kind, name);
    let any = |kind: &str, name: &str| given(kind, name).or_else(|| count(&entry.tres.requested, kind, name));
    let width = any("cpu", "");
    let (nodes, asked_nodes) = (any("node", ""), count(&entry.tres.requested, "node", ""));
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let (user, account) = (text(&entry.user), text(&entry.account));
    let (name, qos, partition) = (text(&entry.name), text(&entry.qos), text(&entry.partition));
    let task = entry.array.job_id.positive().zip(entry.array.task_id.told());
    let line_told = text(&entry.submit_line);
    let submitted = submit_line::words(line_told.as_bytes());
    let told = submit_line::of_submit_line(&submitted, task.map(|(_, task)| task));
    if let Some(((array, _), most)) = task.zip(submit_line::task_limit_of_submit_line(&submitted)) {
        jobs.limit_tasks(array, most);
    }
    let (constraint, licences) = (text(&entry.constraints), text(&entry.licenses));
    let asked = &entry.tres.requested;
    let tres = tres_text(if asked.is_empty() { &entry.tres.allocated } else { asked });
    let options = options::read(&OptionFields {
        constraint: constraint.as_bytes(),
        licences: licences.as_bytes(),
        reservation: text(&entry.reservation.name).as_bytes(),
        switches: b"",
        tres: tres.as_bytes(),
        requested_memory: b"",
        submit_line: &submitted,
        nodes,
    });
    let has_started = elapsed.is_some() || status != 5;
    let job = AccountedJob {
        milliwatts: drawn(&entry.steps, elapsed),
        id: id.as_bytes(),
        number: entry.job_id,
        part_of: entry.het.job_id.positive().map(|whole| (whole, entry.job_id)),
        submit,
        eligible: entry.time.eligible.positive(),
        start: start.filter(|_| has_started),
        run: elapsed.or_else(|| Some((end? - start?).saturating_sub(suspended).max(0))).or(Some(0)),
        end,
        suspended,
        limit: entry.time.limit.positive().map(|minutes| minutes * 60),
        allocated: width,
        requested: width,
        asked: given("cpu", "").and(count(&entry.tres.requested, "cpu", "")),
        waited: Waited {
            nodes: asked_nodes,
            gpus: gpus(&entry.tres.requested),
            memory: count(&entry.tres.requested, "mem", ""),
            node_range: submit_line::node_range(&submitted, asked_nodes, asked_nodes),
            partition: submit_line::partition(&submitted),
            limit: submit_line::limit(&submitted),
        },
        left: end.or(start).filter(|_| !has_started || start.is_none()),
        nodes,
        node_range: submit_line::node_range(&submitted, asked_nodes, nodes),
        options: options.as_ref(),
        priority: entry.priority.positive().and_then(|priority| u32::try_from(priority).ok()),
        gpus: gpus(&entry.tres.allocated).or_else(|| gpus(&entry.tres.requested)).or(Some(0)),
        memory: any("mem", ""),
        status,
        user: user.as_bytes(),
        group: account.as_bytes(),
        executable: name.as_bytes(),
        queue: qos.as_bytes(),
        partition: partition.as_bytes(),
        task,
        restarts: entry.restart_cnt.positive().and_then(|restarts| u32::try_from(restarts).ok()),
        after: &told.after,
        is_after_any: told.is_any,
        still_runs,
        text: id.as_bytes(),
        is_odd: entry.is_odd(),
    };
    if state == Some(State::Pending) {
        jobs.never_started(Reason::NotStarted, line, &AccountedJob { left: None, ..job });
        return Ok(());
    }
    jobs.push(line, &job)
}

#[cfg(test)]
mod tests {
    use crate::{Reason, reading};

    #[test]
    fn one_job_that_is_odd_does_not_make_the_others_unreadable() {
        let job = |id: &str, more: &str| {
            format!(
                r#"{{"job_id": {id}, "time": {{"submission": 1700000000, "start": 1700000060, "end": 1700000960,
                "elapsed": 600, "suspended": 300, "limit": 60}}, "state": {{"current": ["COMPLETED"]}}{more}}}"#
            )
        };
        let tres = r#", "tres": {"allocated": [{"type": "cpu", "name": "", "count": 4},
            {"type": "gres", "name": "gpu:a100", "count": 2}, {"type": "gres", "name": "gpu:v100", "count": 1}]}"#;
        let odd = [job("2", r#", "tres": null, "array": null, "het": null, "steps": null"#), job("\"x\"", tres)];
        let first = job("1", tres);
        for text in [
            format!("{{\"jobs\": [{first}, {}, {}]}}", odd[0], odd[1]),
            format!("[{first}, {}, {}]", odd[0], odd[1]),
            format!("{first}\n{}\n{}", odd[0], odd[1]),
        ] {
            let log = reading::read("j.json", text.as_bytes()).unwrap();
            assert_eq!((log.jobs(), log.records[0].requested, log.records[0].run), (2, 4, 600));
            assert_eq!((log.beyond.gpus[0], log.account.count(Reason::NotAJob)), (3, 1));
            assert_eq!([Reason::ElapsedDiffers, Reason::Suspended].map(|reason| log.account.count(reason)), [0, 2]);
        }
    }

    #[test]
    fn without_elapsed_a_job_ran_while_it_was_not_suspended() {
        for (suspended, run) in [(300, 600), (10_000_000, 0)] {
            let text = format!(
                r#"{{"jobs": [{{"job_id": 1, "time": {{"submission": 1700000000, "start": 1700000060, "end": 1700000960,
                "suspended": {suspended}}}, "tres": {{"allocated": [{{"type": "cpu", "count": 4}}]}}}}]}}"#
            );
            assert_eq!(reading::read("j.json", text.as_bytes()).unwrap().records[0].run, run);
        }
    }

    #[test]
    fn numbers_in_texts_are_read_or_told() {
        let of = |count: &str, elapsed: &str| {
            let text = format!(
                r#"{{"jobs": [{{"job_id": 1, "time": {{"submission": 1700000000, "start": 1700000060, "end": 1700000660,
                "elapsed": {elapsed}}}, "tres": {{"allocated": [{{"type": "cpu", "count": {count}}}]}}}}]}}"#
            );
            let log = reading::read("j.json", text.as_bytes()).unwrap();
            let record = &log.records[0];
            (record.run, record.requested, log.account.count(Reason::ValueNotUnderstood))
        };
        assert_eq!(of("\"1.50K\"", "\"600\""), (600, 1_536, 0));
        assert_eq!(of("\"many\"", "600"), (600, -1, 1));
        assert_eq!(of("4", "\"soon\""), (600, 4, 1));
        assert_eq!(of("4", "\"\""), (600, 4, 0));
    }

    #[test]
    fn old_and_new_forms_say_the_same() {
        let job = |limit: &str, count: &str, state: &str| {
            format!(
                r#"{{"job_id": 7, "name": "fit", "user": "ann", "account": "lab", "partition": "p", "qos": "q",
                "cluster": "c", "het": {{"job_id": 0}}, "state": {{"current": {state}}},
                "time": {{"submission": 1700000000, "eligible": 1700000000, "start": 1700000100, "end": 0,
                          "elapsed": 300, "limit": {limit}}},
                "tres": {{"allocated": [{{"type": "cpu", "name": null, "count": {count}}},
                                        {{"type": "gres", "name": "gpu", "count": 2}}], "requested": []}},
                "steps": [{{"anything": [1, 2]}}]}}"#
            )
        };
        let old = job("60", "8", "\"COMPLETED\"");
        let new = job(
            r#"{"set": true, "infinite": false, "number": 60}"#,
            r#"{"set": true, "infinite": false, "number": 8}"#,
            "[\"COMPLETED\"]",
        );
        let unlimited = job(r#"{"set": false, "infinite": true, "number": 0}"#, "8", "[\"FAILED\"]");
        for (text, limit, status) in [(old, 3_600, 1), (new, 3_600, 1), (unlimited, -1, 0)] {
            let waits = job("1", "1", "\"PENDING\"");
            let log = reading::read("j.json", format!("{{\"jobs\": [{text},\n{waits}]}}").as_bytes()).unwrap();
            let record = &log.records[0];
            let seen = (record.number, record.wait, record.run, record.requested, record.requested_time, record.status);
            assert_eq!(seen, (7, 100, 300, 8, limit, status));
            assert_eq!((log.beyond.gpus[0], log.account.count(Reason::NotStarted)), (2, 1));
            // states mean what they mean in `sacct -P`
            let resized = job("1", "1", "[\"RESIZING\"]");
            let revoked = job("1", "1", "[\"REVOKED\"]").replace("\"job_id\": 7", "\"job_id\": 8");
            let log = reading::read("j.json", format!("{{\"jobs\": [{resized},\n{revoked}]}}").as_bytes()).unwrap();
            assert_eq!((log.account.count(Reason::StillRunning), log.jobs(), log.records[1].status), (1, 1, 5));
            assert_eq!(log.header.get("Computer"), Some("c"));
        }
        let said = reading::read("j.json", "{\"meta\": {}}".as_bytes()).unwrap_err().to_string();
        assert!(said.contains("neither a list \"jobs\""), "{said}");
    }
}

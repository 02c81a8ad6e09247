//! Queues as tables with a line of headings: of `squeue`, also with `-o` and `-O`, and of `sacct -P`.

use super::parts::{Asked, told};
use super::{HeldNodes, Queue, QueueError, QueueState, QueuedJob, state};
use crate::accounting::time::{duration, moment};
use crate::accounting::tres;
use rustc_hash::FxHashMap;

/// What columns are called, in capitals.
const JOB: &[&str] = &["JOBIDRAW", "JOBID", "JOB_ID", "JOBARRAYID", "ARRAY_JOB_ID"];
const STATE: &[&str] = &["STATE", "ST", "STATECOMPACT"];
const SUBMIT: &[&str] = &["SUBMIT", "SUBMIT_TIME", "SUBMITTIME"];
const START: &[&str] = &["START", "START_TIME", "STARTTIME"];
const ELAPSED: &[&str] = &["ELAPSEDRAW", "ELAPSED", "TIME", "TIME_USED", "TIMEUSED"];
const LIMIT: &[&str] = &["TIMELIMIT", "TIME_LIMIT", "TIME_LIMI"];
const LIMIT_MINUTES: &[&str] = &["TIMELIMITRAW"];
const CPUS: &[&str] = &["NCPUS", "CPUS", "NUMCPUS", "ALLOCCPUS", "REQCPUS", "MIN_CPUS"];
const NODES: &[&str] = &["NNODES", "NODES", "NUMNODES", "ALLOCNODES", "REQNODES"];
const PRIORITY: &[&str] = &["PRIORITY", "PRIORITYLONG"];
const USER: &[&str] = &["USER", "USERNAME"];
const ACCOUNT: &[&str] = &["ACCOUNT"];
const NAME: &[&str] = &["JOBNAME", "NAME"];
const QOS: &[&str] = &["QOS"];
const PARTITION: &[&str] = &["PARTITION"];
const RESERVATION: &[&str] = &["RESERVATION"];
const TRES: &[&str] = &["ALLOCTRES", "REQTRES", "TRES", "TRES_ALLOC", "TRESALLOC"];
const ON_EACH_NODE: &[&str] = &["TRES_PER_NODE", "TRESPERNODE", "GRES"];
const CONSTRAINT: &[&str] = &["CONSTRAINTS", "FEATURES", "FEATURE", "CONSTRAINT"];
const LICENCES: &[&str] = &["LICENSES"];
const MEMORY: &[&str] = &["REQMEM"];
const NODE_MEMORY: &[&str] = &["MIN_MEMORY", "MINMEMORY"];
const SHARED: &[&str] = &["OVER_SUBSCRIBE", "OVERSUBSCRIBE"];
const SUBMIT_LINE: &[&str] = &["SUBMITLINE"];
const HELD: &[&str] = &["NODELIST", "NODELIST(REASON)"];
const REASON: &[&str] = &["REASON", "NODELIST(REASON)", "REASONLIST"];

/// The fields of a line, which the headings separate.
struct Columns<'a> {
    delimiter: Option<char>,
    names: Vec<String>,
    /// Where fields begin, in characters, where blanks separate them and all rows show it; else empty.
    begins: Vec<usize>,
    heading: &'a str,
}

pub(super) fn read(text: &str) -> Result<Queue, QueueError> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let heading = lines.next().ok_or(QueueError::Unknown)?;
    let columns = Columns::of(heading, lines.clone());
    if columns.place(JOB).is_none() {
        return Err(QueueError::Unknown);
    }
    if columns.place(STATE).is_none() {
        return Err(QueueError::NoColumn("of the state (ST, STATE)"));
    }
    let jobs = lines.filter(|line| *line != columns.heading).filter_map(|line| job(&columns, line)).collect();
    Ok(Queue { at: None, jobs, has_cut_names: columns.delimiter.is_none() })
}

impl<'a> Columns<'a> {
    fn of(heading: &'a str, rows: impl Iterator<Item = &'a str> + Clone) -> Self {
        let delimiter = ['|', '\t', ';', ','].into_iter().find(|&delimiter| heading.contains(delimiter));
        let separate = |text: &str| text.trim().to_ascii_uppercase();
        let names: Vec<String> = match delimiter {
            Some(delimiter) => heading.split(delimiter).map(separate).collect(),
            None => heading.split_whitespace().map(separate).collect(),
        };
        let begins = if delimiter.is_none() { begins(heading, rows) } else { Vec::new() };
        Columns { delimiter, names, begins, heading }
    }

    fn place(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.names.iter().position(|own| own == name))
    }

    /// The fields of a line. Where blanks separate them and nothing shows where they begin, the last one may have blanks in
    /// it.
    fn fields<'b>(&self, line: &'b str) -> Vec<&'b str> {
        match self.delimiter {
            Some(delimiter) => line.split(delimiter).map(str::trim).collect(),
            None if !self.begins.is_empty() => cut(line, &self.begins),
            None => {
                let words = line.split_whitespace().take(self.names.len().saturating_sub(1)).collect::<Vec<_>>();
                let mut rest = line.trim();
                for word in &words {
                    rest = rest.strip_prefix(word).unwrap_or(rest).trim_start();
                }
                words.into_iter().chain([rest]).collect()
            }
        }
    }
}

/// The fields of a line that begin at these characters.
fn cut<'a>(line: &'a str, begins: &[usize]) -> Vec<&'a str> {
    let at = |place: usize| line.char_indices().nth(place).map_or(line.len(), |(at, _)| at);
    let ends = begins.iter().skip(1).map(|&end| at(end)).chain([line.len()]);
    begins.iter().zip(ends).map(|(&begin, end)| line[at(begin)..end].trim()).collect()
}

/// Where the fields of a table begin, in characters, that squeue has put into columns: to the left under their headings, as
/// `-O` does, or to the right, as the usual format does. Empty where some row does not fit.
fn begins<'a>(heading: &str, rows: impl Iterator<Item = &'a str> + Clone) -> Vec<usize> {
    let is_blank = |row: &[char], place: usize| row.get(place).is_none_or(|letter| letter.is_whitespace());
    let letters: Vec<char> = heading.chars().collect();
    let starts = |&place: &usize| !is_blank(&letters, place) && (place == 0 || is_blank(&letters, place - 1));
    let left: Vec<usize> = (0..letters.len()).filter(starts).collect();
    let stops = |&place: &usize| !is_blank(&letters, place) && is_blank(&letters, place + 1);
    let ends: Vec<usize> = (0..letters.len()).filter(stops).map(|place| place + 1).collect();
    let right: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).take(left.len()).collect();
    // of a table without columns single rows may seem to fit
    let is_filled = |row: &str, begins: &[usize]| cut(row, begins).iter().all(|field| !field.is_empty());
    let has_id = |row: &str, begins: &[usize]| cut(row, begins).first().is_some_and(|id| !id.contains(' '));
    let fits = |begins: &[usize], behind: usize| {
        let is_in_columns = |row: &str| {
            let letters: Vec<char> = row.chars().collect();
            has_id(row, begins) && begins.iter().skip(1).all(|&begin| is_blank(&letters, begin - behind))
        };
        rows.clone().all(is_in_columns) && rows.clone().any(|row| is_filled(row, begins))
    };
    if fits(&left, 1) {
        left
    } else if fits(&right, 0) {
        right
    } else {
        Vec::new()
    }
}

fn job(columns: &Columns, line: &str) -> Option<QueuedJob> {
    let fields = columns.fields(line);
    let get = |names: &[&str]| columns.place(names).and_then(|place| fields.get(place)).copied().unwrap_or_default();
    let id = get(JOB);
    let runs = match state(get(STATE)) {
        QueueState::Over => return None,
        state => state == QueueState::Runs,
    };
    // a step is no job
    if id.contains('.') || id.is_empty() {
        return None;
    }
    let digits: String = id.chars().take_while(char::is_ascii_digit).collect();
    let minutes = || get(LIMIT_MINUTES).parse::<i64>().ok().map(|minutes| minutes * 60);
    // what a job was given, which is 0 while it waits, comes before what it asked for
    // a range is of a job that takes any number in it
    let of_column = |name: &'static str| {
        let least = get(&[name]).split('-').next().unwrap_or_default();
        tres::count(least.as_bytes()).filter(|&count| count > 0)
    };
    let count = |names: &[&'static str]| names.iter().find_map(|&name| of_column(name));
    let is_raw = columns.names.iter().any(|name| name == "ELAPSEDRAW");
    let elapsed = get(ELAPSED);
    let reason = get(REASON).trim_start_matches('(').trim_end_matches(')').to_owned();
    let tasks = id.split_once('[').map(|(_, rest)| rest.trim_end_matches(']')).unwrap_or_default();
    // a row has what it got only once it runs
    let tres = TRES.iter().map(|&name| get(&[name])).find(|list| !list.is_empty()).unwrap_or_default();
    let of_each = |text: &str| if text.ends_with(['c', 'n']) { text.to_owned() } else { format!("{text}n") };
    let on_node = || Some(get(NODE_MEMORY)).filter(|text| !matches!(*text, "" | "0")).map(of_each);
    let memory = Some(get(MEMORY).to_owned()).filter(|text| !text.is_empty()).or_else(on_node).unwrap_or_default();
    let asked = Asked {
        tres,
        on_each_node: get(ON_EACH_NODE),
        constraint: get(CONSTRAINT),
        licences: get(LICENCES),
        reservation: get(RESERVATION),
        memory: &memory,
        submit_line: get(SUBMIT_LINE),
        is_exclusive: get(SHARED).eq_ignore_ascii_case("no"),
    };
    let rest = &id[digits.len()..];
    Some(asked.of(QueuedJob {
        number: digits.parse().unwrap_or(-1),
        task: rest.strip_prefix('_').and_then(|task| task.parse().ok()),
        array: array(id).or_else(|| array(get(&["JOBID"]))),
        at_once: at_once(tasks),
        part_of: get(&["JOBID"]).split_once('+').and_then(|(whole, _)| whole.parse().ok()),
        submit: moment(get(SUBMIT).as_bytes()),
        start: moment(get(START).as_bytes()).filter(|_| runs),
        elapsed: if is_raw { elapsed.parse().ok() } else { duration(elapsed.as_bytes()) },
        runs,
        limit: duration(get(LIMIT).as_bytes()).or_else(minutes).filter(|&limit| limit > 0),
        processors: count(CPUS),
        nodes: count(NODES),
        on: if runs { HeldNodes::listed(get(HELD)) } else { Vec::new() },
        priority: priority(get(PRIORITY)),
        user: get(USER).to_owned(),
        account: get(ACCOUNT).to_owned(),
        name: get(NAME).to_owned(),
        qos: get(QOS).to_owned(),
        partition: get(PARTITION).to_owned(),
        reservation: told(get(RESERVATION)).to_owned(),
        reason,
        tasks: self::tasks(tasks),
        ..QueuedJob::default()
    }))
}

/// A priority: whole, or as `%p` prints it, a share of the greatest that 32 bits have.
fn priority(text: &str) -> Option<i64> {
    let whole = text.parse::<i64>().ok();
    let share = || text.parse::<f64>().ok().filter(|share| (0.0..1.0).contains(share));
    whole.or_else(|| Some((share()? * f64::from(u32::MAX)) as i64)).filter(|&priority| priority > 0)
}

/// The array of a task, or of several: the number in `12_7`, `12_[8-9%2]`.
fn array(id: &str) -> Option<i64> {
    id.split_once('_').and_then(|(number, _)| number.parse().ok())
}

/// How many tasks of an array may run at once, by the end of their list: `0-9,12%4`.
pub(super) fn at_once(list: &str) -> Option<u32> {
    let most = list.split_once('%')?.1.trim_end_matches(']');
    most.parse().ok().filter(|&most| most > 0)
}

/// The number of tasks of an array that are written as `0-9,12%4`; 0 where there are none.
pub(super) fn tasks(text: &str) -> u32 {
    let list = text.split('%').next().unwrap_or_default().trim_matches(['[', ']', '(', ')']);
    if !list.contains(['-', ',']) {
        return 0;
    }
    let of_range = |range: &str| {
        let (ends, step) = range.split_once(':').unwrap_or((range, "1"));
        let (first, last) = ends.split_once('-').unwrap_or((ends, ends));
        let (first, last, step): (u32, u32, u32) = (first.parse().ok()?, last.parse().ok()?, step.parse().ok()?);
        Some(last.checked_sub(first)? / step.max(1) + 1)
    };
    list.split(',').filter_map(of_range).fold(0, u32::saturating_add)
}

// Queues as `scontrol show job` prints them: blocks of `Key=value`.

pub(super) fn read_blocks(text: &str) -> Queue {
    let begins =
        text.match_indices("JobId=").filter(|&(at, _)| at == 0 || text[..at].ends_with('\n')).map(|(at, _)| at);
    let begins: Vec<usize> = begins.collect();
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    let jobs = begins.iter().zip(ends).filter_map(|(&begin, end)| blocks_job(&text[begin..end])).collect();
    Queue { jobs, ..Queue::default() }
}

fn blocks_job(block: &str) -> Option<QueuedJob> {
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
        at_once: at_once(get("ArrayTaskId")).or_else(|| count("ArrayTaskThrottle")),
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
        tasks: tasks(get("ArrayTaskId")),
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

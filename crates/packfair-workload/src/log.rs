//! A log as it was read: every line's fields, before any cleaning.

use super::accounting::time::moment;
use super::interned::Fingerprint;
use super::{Account, External, JobOptions, MOST_PROCESSORS, NeverStarted, Portion, Reason, Seconds, UnstartedJob};
use packfair_slurm::Site;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The latest time that a log can have, seconds: 10^11 s (3,000 years). Later ones are errors.
pub const LATEST: Seconds = 100_000_000_000;

/// One job of a log, exactly as the log says; -1 means unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Line in the file, from 1.
    pub line: u32,
    /// SWF field 1, job number.
    pub number: i64,
    /// Field 2, submit time.
    pub submit: Seconds,
    /// Field 3, wait time.
    pub wait: Seconds,
    /// Field 4, run time.
    pub run: Seconds,
    /// Field 5, allocated processors.
    pub allocated: i32,
    /// Field 6, average CPU time used, seconds.
    pub cpu_time: f64,
    /// Field 7, memory used, KB for each processor.
    pub memory: f64,
    /// Field 8, requested processors.
    pub requested: i32,
    /// Field 9, requested time.
    pub requested_time: Seconds,
    /// Field 10, requested memory, KB for each processor.
    pub requested_memory: f64,
    /// Field 11, status.
    pub status: i32,
    /// Field 12, user.
    pub user: i32,
    /// Field 13, group.
    pub group: i32,
    /// Field 14, executable.
    pub executable: i32,
    /// Field 15, queue.
    pub queue: i32,
    /// Field 16, partition.
    pub partition: i32,
    /// Field 17, preceding job.
    pub preceding: i64,
    /// Field 18, think time.
    pub think: Seconds,
}

impl Record {
    /// Whether this record, without the end of its job, tells of an execution of which another of the same job tells more: the
    /// same one, or a later one.
    pub(crate) fn is_outdated_by(&self, other: &Record) -> bool {
        self.run < 0 && self.wait <= other.wait
    }

    /// Whether another record says the same, wherever it stands.
    pub(crate) fn says_as(&self, other: &Record) -> bool {
        *self == Record { line: self.line, ..other.clone() }
    }
}

/// The header comments of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// `Label: value` comments, in the order of the file and with its repetitions.
    pub labels: Vec<(String, String)>,
}

/// The label of a comment that tells what the log itself calls a field of SWF: `Called: Queue QOS`.
pub(super) const CALLED: &str = "Called";

impl Header {
    /// What the log calls a field that SWF calls so: a log of Slurm has a QOS where SWF has a queue.
    pub fn word<'a>(&'a self, field: &'a str) -> &'a str {
        let called = self.labels.iter().filter(|(label, _)| label == CALLED);
        let mut words = called.filter_map(|(_, value)| value.split_once(' '));
        words.find(|(other, _)| *other == field).map_or(field, |(_, word)| word)
    }

    /// The first value of a label, spelled in any case.
    pub fn get(&self, label: &str) -> Option<&str> {
        self.labels.iter().find(|(l, _)| l.eq_ignore_ascii_case(label)).map(|(_, v)| v.as_str())
    }

    /// A label's value as a positive whole number, which may have commas between thousands.
    pub fn positive(&self, label: &str) -> Option<u32> {
        let number = self.get(label)?.split_whitespace().next()?;
        let (first, groups) = number.split_once(',').unwrap_or((number, ""));
        let is_grouped = first.len() <= 3 && groups.split(',').all(|group| group.len() == 3);
        let plain = if is_grouped { number.replace(',', "") } else { number.to_owned() };
        plain.parse().ok().filter(|&n| n > 0)
    }

    /// A label's value as the size of a machine; none where it is above [`MOST_PROCESSORS`].
    pub fn processors(&self, label: &str) -> Option<u32> {
        self.positive(label).filter(|&processors| processors <= MOST_PROCESSORS)
    }

    /// All comments that name a number (`Queue: 1 batch`): the label in small letters with the number, and the name.
    pub fn names(&self) -> impl Iterator<Item = ((String, i64), &str)> {
        self.labels.iter().filter_map(|(label, value)| {
            let (number, name) = value.trim().split_once([' ', '\t'])?;
            Some(((label.to_ascii_lowercase(), number.parse().ok()?), name.trim()))
        })
    }

    /// The name that a comment of this label (`User: 3 ann`, `Queue: 1 batch`, `Partition: 2 large nodes`) gives a
    /// number.
    pub fn name_of(&self, label: &str, number: i64) -> Option<&str> {
        let values = self.labels.iter().filter(|(l, _)| l.eq_ignore_ascii_case(label)).map(|(_, value)| value);
        let mut named = values.filter_map(|value| value.trim().split_once([' ', '\t']));
        let (_, name) = named.find(|(other, _)| other.parse() == Ok(number))?;
        Some(name.trim())
    }

    /// The number that a comment of this label gives a name.
    pub fn number_of(&self, label: &str, name: &str) -> Option<i32> {
        let values = self.labels.iter().filter(|(l, _)| l.eq_ignore_ascii_case(label)).map(|(_, value)| value);
        let mut named = values.filter_map(|value| value.trim().split_once([' ', '\t']));
        named.find(|(_, other)| other.trim() == name)?.0.parse().ok()
    }

    /// `UnixStartTime`: the moment of the log's zero, in Unix seconds; some logs have a date there.
    pub fn unix_start(&self) -> Option<i64> {
        let value = self.get("UnixStartTime")?.trim();
        let number = value.split_whitespace().next()?.parse().ok();
        number.or_else(|| moment(value.as_bytes())).filter(|t| (1..=LATEST).contains(t))
    }
}

/// A log as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    pub name: String,
    pub header: Header,
    pub records: Vec<Record>,
    /// What was repaired or dropped while reading.
    pub account: Account,
    /// The fingerprint of the decompressed content.
    pub fingerprint: Fingerprint,
    /// What the numbers of users, groups, queues and partitions stand for, where the log has names.
    pub names: Names,
    /// What accounting logs know and SWF has no field for.
    pub beyond: Beyond,
    /// Schedules and estimates of its jobs that come from elsewhere.
    pub external: Vec<External>,
    /// What the file's own clock shows at the log's zero: 0 where submit times are as the file has them, else the time
    /// of the first submission in the file's own count, usually a Unix time.
    pub own_zero: Seconds,
    /// The Slurm site that its jobs ran on, read from the site's files.
    pub site: Option<Arc<Site>>,
    /// Whether the log is a table of unknown origin, whose columns are known by their names or by the user's
    /// statements.
    pub is_table: bool,
}

/// The names for which the numbers of users, groups and so on stand: number 1 is the first name. Empty where the log
/// has only numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    pub users: Vec<String>,
    /// Groups; in logs of Slurm and PBS, accounts.
    pub groups: Vec<String>,
    /// Queues; in logs of Slurm, qualities of service.
    pub queues: Vec<String>,
    pub partitions: Vec<String>,
    /// Programs; in logs of Slurm and PBS, names of jobs.
    pub executables: Vec<String>,
}

/// What accounting logs know of jobs and SWF has no field for. A list has a value for each record, or is empty where
/// the log has no such column; -1 means unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beyond {
    /// When a job became eligible: since then no hold and no dependency kept it from starting. On the clock of submit
    /// times.
    pub eligible: Vec<Seconds>,
    /// Nodes that it took, else those that it asked for.
    pub nodes: Vec<i32>,
    /// Graphics processors that it took, else those that it asked for.
    pub gpus: Vec<i32>,
    /// Memory that it took on all its nodes, else the memory that it asked for, MiB.
    pub memory: Vec<i32>,
    pub least_nodes: Vec<i32>,
    /// The most nodes that it would have taken; 0: any number.
    pub most_nodes: Vec<i32>,
    /// What it asked for beyond these: a place in [`Beyond::option_kinds`].
    pub options: Vec<i32>,
    /// The options of jobs, each once.
    pub option_kinds: Vec<JobOptions>,
    /// The priority that the system last gave it.
    pub priorities: Vec<i64>,
    /// What it drew on the average of its run, milliwatts.
    pub milliwatts: Vec<i64>,
    /// Digests of the ids by which the system tells jobs apart; 0 where a job has none.
    pub ids: Vec<u64>,
    /// What jobs were told to come after, each with the place of its record, in the order of the records.
    pub dependencies: Vec<(u32, ComesAfter)>,
    /// The places of the records for which one of the jobs that they come after is enough, in order.
    pub alternatives: Vec<u32>,
    /// Tasks of arrays: the place of the record, the number of the array, and that of the task in it. In the order of
    /// the records.
    pub tasks: Vec<(u32, i64, i64)>,
    /// Limits of running tasks that users have set: the number of the array, and how many of its tasks may run at once.
    pub task_limits: Vec<(i64, u32)>,
    /// The jobs that still ran when the log was made, in the order of the records; these have no run time.
    pub still_running: Vec<StillRunning>,
    /// The jobs that had not started when the log was made. They have no records, and stand in the account.
    pub unstarted: Vec<Unstarted>,
    /// What jobs asked for that were given something else, in the order of the records.
    pub asked: Vec<Portion>,
    /// What jobs were given that asked for something else, where the records have what they asked for
    /// ([`Log::as_queued`]). In the order of the records.
    pub given: Vec<Portion>,
    /// The records of jobs that never started and of which is known when they left the queue, in order.
    pub never_started: Vec<NeverStarted>,
}

/// A job that still ran when its log was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StillRunning {
    pub record: u32,
    /// For how long it had run by then, seconds; -1 where the log does not tell.
    pub ran: Seconds,
}

/// A job that had not started when its file was written, as far as this file tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Unstarted {
    /// The digest of its id, as in [`Beyond::ids`].
    pub id: u64,
    pub line: u32,
    /// Whether it waits or was deleted.
    pub reason: Reason,
    /// What it asked for, where the file tells.
    pub job: Option<Box<UnstartedJob>>,
}

/// What a batch system was told that a job comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComesAfter {
    /// The end of the named job, if it ended in this way.
    End(NamedJob, Ending),
    Start(NamedJob, Seconds),
    /// The ends of all jobs of the same user and name that were submitted before.
    Namesakes,
    /// Something that is neither a start nor an end.
    Other,
}

/// How a dependency names a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedJob {
    /// The job of this number, or all tasks of the array of this number.
    Number(i64),
    /// A task of an array: the number of the array, and that of the task.
    Task(i64, i64),
}

/// How a job must have ended for another to come after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Any,
    Well,
    Badly,
}

impl Ending {
    /// Whether a job with this status of SWF ended in this way: 1 completed, 0 failed, 5 cancelled. Any other status
    /// counts as every way.
    pub fn is_of(self, status: i32) -> bool {
        match self {
            Ending::Any => true,
            Ending::Well => !matches!(status, 0 | 5),
            Ending::Badly => status != 1,
        }
    }
}

impl Log {
    /// Whether the log tells the start of each job that ran.
    pub fn tells_starts(&self) -> bool {
        !self.records.is_empty() && self.records.iter().all(|record| record.run <= 0 || record.wait >= 0)
    }

    pub fn names_requested_times(&self) -> bool {
        self.records.iter().any(|record| record.requested_time > 0)
    }

    /// The header with a comment for each name of a user, group, queue and partition. SWF has such comments for queues
    /// and partitions (`Queue: 1 batch`).
    pub fn named_header(&self) -> Header {
        let Names { users, groups, queues, partitions, executables: _ } = &self.names;
        let mut labels = self.header.labels.clone();
        for (label, names) in [("User", users), ("Group", groups), ("Queue", queues), ("Partition", partitions)] {
            labels.extend((1..).zip(names).map(|(number, name)| (label.to_owned(), format!("{number} {name}"))));
        }
        Header { labels }
    }
}

impl Beyond {
    /// The columns of counts and places that have a value for each record, -1 where it is not known.
    pub(super) fn counts(&mut self) -> [&mut Vec<i32>; 6] {
        [
            &mut self.nodes,
            &mut self.gpus,
            &mut self.memory,
            &mut self.least_nodes,
            &mut self.most_nodes,
            &mut self.options,
        ]
    }

    /// The columns of larger numbers: when jobs became eligible, their priorities, and what they drew.
    pub(super) fn numbers(&mut self) -> [&mut Vec<i64>; 3] {
        [&mut self.eligible, &mut self.priorities, &mut self.milliwatts]
    }

    /// Adds the values of a further record. A column that the log does not have stays away.
    pub(super) fn push(&mut self, records: usize, counts: &[i32; 6], numbers: &[i64; 3]) {
        for (column, &count) in self.counts().into_iter().zip(counts) {
            if column.len() == records && records > 0 {
                column.push(count);
            }
        }
        for (column, &number) in self.numbers().into_iter().zip(numbers) {
            if column.len() == records && records > 0 {
                column.push(number);
            }
        }
        if self.ids.len() == records && records > 0 {
            self.ids.push(0);
        }
    }

    /// Empties the lists in which no value is known.
    pub(super) fn clear_unknown(&mut self) {
        if self.nodes.iter().all(|&nodes| nodes < 0) {
            self.nodes.clear();
        }
        // graphics processors count as a unit only where some job has one
        if self.gpus.iter().all(|&gpus| gpus <= 0) {
            self.gpus.clear();
        }
        if self.memory.iter().all(|&memory| memory <= 0) {
            self.memory.clear();
        }
        if self.least_nodes.iter().all(|&nodes| nodes <= 0) {
            self.least_nodes.clear();
            self.most_nodes.clear();
        }
        if self.options.iter().all(|&options| options < 0) {
            self.options.clear();
        }
        if self.priorities.iter().all(|&priority| priority < 0) {
            self.priorities.clear();
        }
        if self.milliwatts.iter().all(|&drawn| drawn <= 0) {
            self.milliwatts.clear();
        }
        if self.eligible.iter().all(|&time| time < 0) {
            self.eligible.clear();
        }
        if self.ids.iter().all(|&id| id == 0) {
            self.ids.clear();
        }
    }
}

//! Which columns of a table are which, by their names.

use super::super::time::{digits, duration, moment};
use super::log_column::COLUMNS;
use super::log_column::LogColumn::{self, *};
use super::mapping::{ColumnMap, ValueForm};
use crate::workload::Seconds;

/// The names of each column, in small letters and digits alone, the more telling first.
///
/// Sources: ALCF's job composites, Batsim's `jobs.csv`, Helios, MIT Supercloud, Lassen, the AWS cost simulator, F-DATA,
/// the Frontier and Kestrel data sets, and what people call such columns.
const NAMES: &[(LogColumn, &[&str])] = &[
    (Id, &["jobid", "id", "idjob", "cobaltjobid", "jobnumber", "jid", "job"]),
    (
        Submit,
        &[
            "submit",
            "submittime",
            "submissiontime",
            "timesubmit",
            "jobsubmittime",
            "submittedtime",
            "submittimestamp",
            "queuedtimestamp",
            "queuedtime",
            "creationtime",
            "subtime",
            "ctime",
            "adt",
            "qdate",
            "submitted",
            "submission",
        ],
    ),
    (Eligible, &["eligible", "eligibletime", "timeeligible", "etime"]),
    (
        Start,
        &[
            "start",
            "starttime",
            "startingtime",
            "timestart",
            "starttimestamp",
            "scheduledtime",
            "begintime",
            "begin",
            "sdt",
            "started",
        ],
    ),
    (
        End,
        &[
            "end",
            "endtime",
            "finishtime",
            "timeend",
            "endtimestamp",
            "completiontime",
            "deletiontime",
            "finish",
            "edt",
            "ended",
            "completed",
        ],
    ),
    (
        Run,
        &[
            "run",
            "runtime",
            "runtimeseconds",
            "executiontime",
            "elapsed",
            "elapsedtime",
            "elapsedraw",
            "duration",
            "wallclock",
            "walltimeused",
            "elapsedseconds",
        ],
    ),
    (Wait, &["wait", "waittime", "waitingtime", "queuedwaitseconds", "queuetime"]),
    (
        Limit,
        &[
            "limit",
            "timelimit",
            "walltime",
            "walltimeseconds",
            "requestedtime",
            "reqtime",
            "requestedwalltime",
            "wallclockreq",
            "walltimereq",
            "elpl",
            "timelimitseconds",
            "maxruntime",
            "request",
        ],
    ),
    (
        Processors,
        &[
            "processors",
            "procs",
            "ncpus",
            "cpus",
            "cpusalloc",
            "alloccpus",
            "cores",
            "ncores",
            "numcores",
            "corenum",
            "coresused",
            "cpunum",
            "cpusreq",
            "processorsreq",
            "procsreq",
            "coresreq",
            "reqcpus",
            "requestednumberofresources",
            "requestednumberofprocessors",
            "nprocs",
            "slots",
            "size",
            "width",
            "res",
            "coresrequested",
            "numprocs",
            "numberofcores",
            "cpumilli",
        ],
    ),
    (
        Nodes,
        &[
            "nodes",
            "nnodes",
            "numnodes",
            "nodesalloc",
            "nodesused",
            "nodenum",
            "nodesrequested",
            "nnuma",
            "nnumr",
            "numhosts",
            "nodecount",
            "allocnodes",
        ],
    ),
    (Gpus, &["gpus", "ngpus", "gpunum", "numgpu", "numgpus", "numallocgpus", "gpusalloc", "gpucount"]),
    (Tres, &["tresalloc", "alloctres", "tresreq", "reqtres"]),
    (User, &["user", "username", "userid", "uid", "usernamegenid", "owner", "hasheduserid", "iduser", "usr"]),
    (Group, &["account", "project", "projectname", "projectnamegenid", "group", "groupid", "vc", "idassoc"]),
    (Queue, &["queue", "queuename", "qos", "queuenamegenid", "priorityclass"]),
    (Partition, &["partition", "partitionname", "cluster", "machinename"]),
    (Executable, &["jobname", "executable", "application", "app", "name", "jnam", "command"]),
    (Status, &["state", "status", "exitstatus", "finalstate", "exitcode", "success"]),
    (
        Watts,
        &[
            "watts",
            "powerwatts",
            "avgpcon",
            "powerconsumption",
            "nodepowerconsumption",
            "averagepower",
            "avgpower",
            "meanpower",
            "power",
            "powerw",
        ],
    ),
    (Energy, &["energy", "energyj", "energyjoules", "joules", "consumedenergyraw", "consumedenergy", "energyconsumed"]),
];

/// A name in the form in which names are compared: `JOB_ID` and `Job ID` are the same.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub(in crate::workload) struct LogColumns {
    places: [Option<usize>; COLUMNS],
    /// How the values of each column are written.
    forms: Vec<ValueForm>,
    /// The unit of a time limit that is a plain number, seconds.
    limit_unit: Seconds,
    /// How many of the counted units make a processor: 1,000 where a table counts thousandths.
    parts_of_processor: u32,
    /// The names of the columns.
    pub names: Vec<String>,
}

impl LogColumns {
    /// The columns that have these names.
    pub(in crate::workload) fn named(names: &[String]) -> Self {
        let plain: Vec<String> = names.iter().map(|name| plain(name)).collect();
        let mut places = [None; COLUMNS];
        for (column, known) in NAMES {
            places[*column as usize] = known.iter().find_map(|name| plain.iter().position(|other| other == name));
        }
        let mut columns = LogColumns {
            places,
            forms: vec![ValueForm::AsItLooks; COLUMNS],
            limit_unit: 1,
            parts_of_processor: 1,
            names: names.to_vec(),
        };
        // Slurm's own data base counts limits in minutes
        if plain.iter().any(|name| name == "timelimit") && plain.iter().any(|name| name == "timesubmit") {
            columns.limit_unit = 60;
        }
        // Kubernetes counts in thousandths of processors, and tells pods by their names
        let is_milli = |place: Option<usize>| place.is_some_and(|at| plain[at] == "cpumilli");
        if is_milli(places[Processors as usize]) {
            columns.parts_of_processor = 1_000;
            columns.places[Id as usize] = places[Id as usize].or(plain.iter().position(|name| name == "name"));
        }
        columns
    }

    /// The columns that have these names, except where `map` states another.
    ///
    /// # Errors
    /// The name of the first column that `map` states and the table does not have.
    pub(super) fn mapped(names: &[String], map: &ColumnMap) -> Result<Self, String> {
        let mut columns = LogColumns::named(names);
        for mapped in &map.columns {
            let source = mapped.source.as_str();
            let named = || names.iter().position(|name| name.trim() == source);
            let alike = || names.iter().position(|name| !source.is_empty() && plain(name) == plain(source));
            let numbered = || source.parse().ok().filter(|number| (1..=names.len()).contains(number)).map(|n| n - 1);
            // a value of line 1 is no name, though it may look like a number that is stated
            let place = if map.is_of_numbers() { numbered() } else { named().or_else(alike).or_else(numbered) };
            if place.is_none() && !source.is_empty() {
                return Err(source.to_owned());
            }
            columns.places[mapped.field as usize] = place;
            columns.forms[mapped.field as usize] = mapped.form.clone();
        }
        Ok(columns)
    }

    /// The time that a field of a column says, Unix seconds or seconds since the log's own zero.
    pub(in crate::workload) fn time(&self, column: LogColumn, field: &[u8]) -> Option<Seconds> {
        self.forms[column as usize].seconds(field).unwrap_or_else(|| time(field))
    }

    /// The duration that a field of a column says, seconds.
    pub(in crate::workload) fn span(&self, column: LogColumn, field: &[u8]) -> Option<Seconds> {
        self.forms[column as usize].seconds(field).unwrap_or_else(|| span(field)).filter(|&span| span >= 0)
    }

    /// The place of a column, from 0.
    pub(in crate::workload) fn place(&self, column: LogColumn) -> Option<usize> {
        self.places[column as usize]
    }

    /// The columns that a simulation needs and the table lacks, in words.
    pub(in crate::workload) fn missing(&self) -> Vec<&'static str> {
        let has = |column| self.place(column).is_some();
        let run = has(Run) || (has(Start) && has(End));
        let width = has(Processors) || has(Nodes) || has(Gpus) || has(Tres);
        let needs = [
            (has(Submit), "the time of submission (submit)"),
            (run, "the run time (run, or start and end)"),
            (width, "the number of processors or nodes (processors, nodes)"),
        ];
        needs.into_iter().filter(|(there, _)| !there).map(|(_, what)| what).collect()
    }

    /// How many processors, nodes or graphics processors a number stands for. A part of a processor counts as a whole
    /// one.
    pub(super) fn count(&self, column: LogColumn, number: u32) -> u32 {
        if column == Processors { number.div_ceil(self.parts_of_processor) } else { number }
    }

    /// The time limit that a field says, seconds.
    pub(super) fn limit(&self, field: &[u8]) -> Option<Seconds> {
        if let Some(limit) = self.forms[Limit as usize].seconds(field) {
            return limit.filter(|&limit| limit > 0);
        }
        match digits(whole(field)) {
            // the largest number of 32 bits means no limit
            Some(value) if value >= Seconds::from(u32::MAX) => None,
            Some(value) => Some(value.saturating_mul(self.limit_unit)),
            None => duration(field),
        }
        .filter(|&limit| limit > 0)
    }
}

/// A number's whole part.
fn whole(field: &[u8]) -> &[u8] {
    match field.iter().position(|&byte| byte == b'.') {
        Some(at) if field[at + 1..].iter().all(u8::is_ascii_digit) => &field[..at],
        _ => field,
    }
}

/// The time that a field says, Unix seconds or seconds since the log's own zero.
fn time(field: &[u8]) -> Option<Seconds> {
    match field {
        // a number of milliseconds has thirteen digits
        _ if field.len() == 13 && field.iter().all(u8::is_ascii_digit) => digits(&field[..10]),
        _ => moment(field),
    }
}

/// The duration that a field says, seconds.
fn span(field: &[u8]) -> Option<Seconds> {
    digits(whole(field)).or_else(|| duration(field))
}

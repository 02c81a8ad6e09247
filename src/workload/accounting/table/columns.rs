//! Which columns of a table are which, by their names.

use super::super::time::{digits, duration, moment};
use crate::workload::Seconds;

/// What a column means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogColumn {
    Id,
    Submit,
    Eligible,
    Start,
    End,
    Run,
    Wait,
    Limit,
    Processors,
    Nodes,
    Gpus,
    Tres,
    User,
    Group,
    Queue,
    Partition,
    Executable,
    Status,
}

use LogColumn::*;

pub(super) const COLUMNS: usize = Status as usize + 1;

/// Names of columns, small letters and digits alone, the more telling first.
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
        &["start", "starttime", "startingtime", "timestart", "starttimestamp", "begintime", "begin", "sdt", "started"],
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
    (Gpus, &["gpus", "ngpus", "gpunum", "numgpus", "numallocgpus", "gpusalloc", "gpucount"]),
    (Tres, &["tresalloc", "alloctres", "tresreq", "reqtres"]),
    (User, &["user", "username", "userid", "uid", "usernamegenid", "owner", "hasheduserid", "iduser", "usr"]),
    (Group, &["account", "project", "projectname", "projectnamegenid", "group", "groupid", "vc", "idassoc"]),
    (Queue, &["queue", "queuename", "qos", "queuenamegenid", "priorityclass"]),
    (Partition, &["partition", "partitionname", "cluster", "machinename"]),
    (Executable, &["jobname", "executable", "application", "app", "name", "jnam", "command"]),
    (Status, &["state", "status", "exitstatus", "finalstate", "exitcode", "success"]),
];

/// A name as it is compared: `JOB_ID` and `Job ID` are one.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub(super) struct LogColumns {
    places: [Option<usize>; COLUMNS],
    /// What a number is that limits the run time, seconds.
    limit_unit: Seconds,
    /// What they are called.
    pub names: Vec<String>,
}

impl LogColumns {
    /// The columns that have these names.
    pub(super) fn named(names: &[String]) -> Self {
        let plain: Vec<String> = names.iter().map(|name| plain(name)).collect();
        let mut places = [None; COLUMNS];
        for (column, known) in NAMES {
            places[*column as usize] = known.iter().find_map(|name| plain.iter().position(|other| other == name));
        }
        let mut columns = LogColumns { places, limit_unit: 1, names: names.to_vec() };
        // Slurm's own data base counts limits in minutes
        if plain.iter().any(|name| name == "timelimit") && plain.iter().any(|name| name == "timesubmit") {
            columns.limit_unit = 60;
        }
        columns
    }

    /// Where a column is.
    pub(super) fn place(&self, column: LogColumn) -> Option<usize> {
        self.places[column as usize]
    }

    /// What is missing without which no job can be simulated, in words.
    pub(super) fn missing(&self) -> Vec<&'static str> {
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

    /// The time limit that a field says, seconds.
    pub(super) fn limit(&self, field: &[u8]) -> Option<Seconds> {
        match digits(whole(field)) {
            // as much as fits into 32 bits stands for none
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
pub(super) fn time(field: &[u8]) -> Option<Seconds> {
    match field {
        // a number of milliseconds has thirteen digits
        _ if field.len() == 13 && field.iter().all(u8::is_ascii_digit) => digits(&field[..10]),
        _ => moment(field),
    }
}

/// The duration that a field says, seconds.
pub(super) fn span(field: &[u8]) -> Option<Seconds> {
    digits(whole(field)).or_else(|| duration(field))
}

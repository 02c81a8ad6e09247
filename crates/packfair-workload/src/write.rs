//! Workloads and schedules as logs in Standard Workload Format.

use super::ties::preceding;
use super::{Header, Log, MachineSource, Names, Record, Seconds, Workload};
use hmac::{Hmac, Mac};
use rustc_hash::FxHashMap;
use sha2::Sha256;
use std::io::{self, Write};

/// Writes `workload`, which was made of `log`, as SWF. With `starts`, one for each job in log order,
/// the waits are those of that schedule; without, they are the log's own.
///
/// What cleaning changed (submit, run, processors) is written as it is now; all other fields and the
/// header are the log's. A requested time that the log does not know stays unknown, so that reading
/// the result and cleaning it in the same way gives the same jobs on the same machine.
///
/// # Errors
/// The errors of `out`.
pub fn write_swf(out: &mut impl Write, log: &Log, workload: &Workload, starts: Option<&[Seconds]>) -> io::Result<()> {
    debug_assert!(starts.is_none_or(|starts| starts.len() == workload.len()));
    write_header(out, log, workload, starts.is_some())?;
    for job in workload.jobs() {
        let (request, record) = (workload.request(job), &log.records[workload.record(job)]);
        let width = i32::try_from(request.processors).unwrap_or(i32::MAX);
        let known_or = |known: i32| if known > 0 { known } else { width };
        let written = Record {
            number: request.number,
            submit: request.submit,
            wait: starts.map_or(workload.logged_wait(job).unwrap_or(-1), |starts| starts[job.index()] - request.submit),
            run: workload.run(job),
            allocated: known_or(record.allocated),
            requested: known_or(record.requested),
            user: request.user,
            group: request.group,
            executable: request.executable,
            queue: request.queue,
            partition: request.partition,
            ..record.clone()
        };
        write_record(out, &written)?;
    }
    Ok(())
}

/// Writes a log that was read from any format as SWF. Values for which SWF has no field are lost. Names of users,
/// groups, queues and partitions are in the header, beside their numbers. Of the jobs that a job comes after, SWF names
/// one: the one that ended last.
///
/// # Errors
/// The errors of `out`.
pub fn write_log(out: &mut impl Write, log: &Log) -> io::Result<()> {
    log.named_header().labels.iter().try_for_each(|(label, value)| write_label(out, label, value))?;
    let mut after = preceding(log).into_iter().peekable();
    for (place, record) in (0..).zip(&log.records) {
        match after.next_if(|after| after.0 == place) {
            Some((_, before, think)) => {
                let preceding = log.records[before as usize].number;
                write_record(out, &Record { preceding, think, ..record.clone() })?;
            }
            None => write_record(out, record)?,
        }
    }
    Ok(())
}

fn write_header(out: &mut impl Write, log: &Log, workload: &Workload, simulated: bool) -> io::Result<()> {
    let assumed =
        !matches!(workload.machine.source, MachineSource::MaxProcs | MachineSource::MaxNodes | MachineSource::DataSet);
    let size = workload.machine.processors.to_string();
    let jobs = workload.len().to_string();
    for (label, value) in &log.named_header().labels {
        let value = match label.to_ascii_lowercase().as_str() {
            "maxjobs" | "maxrecords" => &jobs,
            "maxprocs" if assumed => &size,
            _ => value,
        };
        write_label(out, label, value)?;
    }
    if assumed && log.header.get("MaxProcs").is_none() {
        write_label(out, "MaxProcs", &size)?;
    }
    let name: String = log.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let waits = if simulated { "waits are simulated" } else { "waits are as logged" };
    write_label(out, "Note", &format!("{jobs} jobs of {name}, written by Packfair; {waits}"))
}

/// Writes a header comment. Further lines of its value are indented.
pub(super) fn write_label(out: &mut impl Write, label: &str, value: &str) -> io::Result<()> {
    let mut lines = value.split('\n');
    writeln!(out, "; {label}: {}", lines.next().unwrap_or_default())?;
    lines.try_for_each(|line| writeln!(out, ";     {line}"))
}

pub(super) fn write_record(out: &mut impl Write, record: &Record) -> io::Result<()> {
    let Record { number, submit, wait, run, allocated, cpu_time, memory, requested, requested_time, .. } = record;
    let Record { requested_memory, status, user, group, executable, queue, partition, preceding, think, .. } = record;
    writeln!(
        out,
        "{number} {submit} {wait} {run} {allocated} {cpu_time} {memory} {requested} {requested_time} \
         {requested_memory} {status} {user} {group} {executable} {queue} {partition} {preceding} {think}"
    )
}

// Logs without names: what a site can publish.

/// Header labels that are kept, because they tell nothing about users.
const KEPT: [&str; 6] = ["UnixStartTime", "TimeZone", "TimeZoneString", "MaxProcs", "MaxNodes", super::log::CALLED];

/// `log` without the names of users, groups, queues, partitions and programs, without job numbers, memory and comments.
///
/// Each name becomes a number from 1 to 2^31 - 1: HMAC-SHA-256 of it under `key`. With the same key a user has the same
/// number in every log, and without it names cannot be found by trial. In about one of 40 logs with 10,000 users, two
/// users share a number.
pub fn anonymise(log: &Log, key: &[u8]) -> Log {
    let mut anonymous = log.clone();
    let Names { users, groups, queues, partitions, executables } = &log.names;
    let told: FxHashMap<(String, i64), &str> = log.header.names().collect();
    let number = |kind: &str, names: &[String], number: i32| {
        if number < 0 {
            return -1;
        }
        let name = usize::try_from(number - 1).ok().and_then(|at| names.get(at)).map(String::as_str);
        let told = || told.get(&(kind.to_owned(), number.into())).copied();
        // a number without a name serves as the name
        digest(key, kind, name.or_else(told).map_or_else(|| number.to_string(), str::to_owned).as_bytes())
    };
    for (at, record) in (1..).zip(&mut anonymous.records) {
        record.number = at;
        record.user = number("user", users, record.user);
        record.group = number("group", groups, record.group);
        record.queue = number("queue", queues, record.queue);
        record.partition = number("partition", partitions, record.partition);
        record.executable = number("executable", executables, record.executable);
        (record.memory, record.requested_memory, record.cpu_time) = (-1.0, -1.0, -1.0);
        (record.preceding, record.think) = (-1, -1);
    }
    let is_kept = |label: &str| KEPT.into_iter().any(|kept| kept.eq_ignore_ascii_case(label));
    anonymous.header = Header { labels: log.header.labels.iter().filter(|(l, _)| is_kept(l)).cloned().collect() };
    anonymous.names = Names::default();
    "anonymous.swf".clone_into(&mut anonymous.name);
    anonymous
}

fn digest(key: &[u8], kind: &str, name: &[u8]) -> i32 {
    // a key of any length will do
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(kind.as_bytes());
    mac.update(&[0]);
    mac.update(name);
    let bytes = mac.finalize().into_bytes();
    let number = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) % (i32::MAX as u32);
    // below 2^31 - 1, so that adding 1 stays within
    number as i32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cleaning, Filter, clean, reading, shrink};

    const LOG: &str = "\
        ; Computer: a cluster\n\
        ;   in two lines\n\
        ; MaxJobs: 99\n\
        3 50 7 100 4 12.5 1e300 -1 60 -1 1 5 6 7 8 9 2 10\n\
        1 20 -1 100 -1 -1 -1 8 -1 64 1 5 6 7 8 9 -1 -1\n\
        2 20 0 0 1 -1 -1 1 60 -1 0 5 6 7 8 9 -1 -1\n\
        4 70 -1 90 -1 -1 -1 1 60 -1 1 5 6 7 8 9 -1 -1 {a,b}\n";

    fn written(log: &Log, workload: &Workload, starts: Option<&[Seconds]>) -> String {
        let mut out = Vec::new();
        write_swf(&mut out, log, workload, starts).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn is_read_back_as_the_same_workload() {
        let log = reading::read("a log", LOG.as_bytes()).unwrap();
        for cleaning in Cleaning::ALL {
            for processors in [None, Some(4), Some(100)] {
                let mut workload = clean(&log, &Filter::default(), cleaning, processors).unwrap();
                shrink(&mut workload, 0.5).unwrap();
                let text = written(&log, &workload, None);
                let log = reading::read("again", text.as_bytes()).unwrap();
                let again = clean(&log, &Filter::default(), cleaning, None).unwrap();
                assert_eq!(again.requests(), workload.requests());
                assert_eq!(again.runs(), workload.runs());
                assert_eq!(again.machine.processors, workload.machine.processors);
                assert_eq!(again.account.dropped(), 0);
                let waits =
                    |workload: &Workload| workload.jobs().map(|job| workload.logged_wait(job)).collect::<Vec<_>>();
                assert_eq!(waits(&again), waits(&workload));
            }
        }
    }

    #[test]
    fn keeps_header_and_other_fields() {
        let log = reading::read("a\nlog", LOG.as_bytes()).unwrap();
        let workload = clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap();
        let expected = "\
            ; Computer: a cluster\n\
            ;     in two lines\n\
            ; MaxJobs: 3\n\
            ; MaxProcs: 8\n\
            ; Note: 3 jobs of a\u{fffd}log, written by Packfair; waits are simulated\n\
            1 20 0 100 8 -1 -1 8 -1 64 1 5 6 7 8 9 -1 -1\n\
            3 50 70 60 4 12.5 <1e300> 4 60 -1 1 5 6 7 8 9 2 10\n\
            4 70 50 60 1 -1 -1 1 60 -1 1 5 6 7 8 9 -1 -1\n";
        let text = written(&log, &workload, Some(&[20, 120, 120]));
        assert_eq!(text, expected.replace("<1e300>", &1e300_f64.to_string()));
        let again = reading::read("again", text.as_bytes()).unwrap();
        assert_eq!(again.records[1].memory, 1e300);
        assert_eq!(again.header.get("Computer"), log.header.get("Computer"));
    }
}

#[cfg(test)]
mod anonymise_tests {
    use super::*;
    use crate::reading::read;

    fn log(order: [&str; 2]) -> Log {
        let job = |user: &str| format!("{user}|{user}-job|2026-01-01T00:00:00|60|4|COMPLETED|secret-{user}\n");
        let text = format!("User|Account|Submit|ElapsedRaw|NCPUS|State|JobName\n{}{}", job(order[0]), job(order[1]));
        read("x", text.as_bytes()).unwrap()
    }

    #[test]
    fn a_name_has_one_number_under_one_key_and_is_nowhere_in_the_log() {
        let users = |log: &Log, key: &[u8]| anonymise(log, key).records.iter().map(|r| r.user).collect::<Vec<_>>();
        let (there, back) = (log(["ann", "bob"]), log(["bob", "ann"]));
        let (mut first, second) = (users(&there, b"key"), users(&back, b"key"));
        assert!(first[0] != first[1] && first.iter().all(|&user| user > 0));
        assert_ne!(first, users(&there, b"other"));
        first.reverse();
        assert_eq!(first, second);
        let mut out = Vec::new();
        crate::write_log(&mut out, &anonymise(&there, b"key")).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains("ann") && !text.contains("bob") && !text.contains("secret"), "{text}");
        let again = read("y", text.as_bytes()).unwrap();
        assert_eq!(again.records.len(), 2);
        assert_eq!(again.header.unix_start(), there.header.unix_start());
    }

    #[test]
    fn a_name_in_a_header_has_the_same_number() {
        let log = log(["ann", "bob"]);
        let mut out = Vec::new();
        crate::write_log(&mut out, &log).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("; User: 1 ann\n; User: 2 bob\n"), "{text}");
        let converted = read("swf", text.as_bytes()).unwrap();
        let users = |log: &Log| anonymise(log, b"key").records.iter().map(|r| r.user).collect::<Vec<_>>();
        assert_eq!(users(&converted), users(&log));
        assert_eq!(
            (converted.header.number_of("user", "bob"), converted.header.name_of("User", 2)),
            (Some(2), Some("bob"))
        );
    }
}

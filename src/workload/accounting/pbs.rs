//! Accounting of PBS, Torque, OpenPBS and Cobalt: `MM/DD/YYYY HH:MM:SS;E;123.host;user=ann queue=q ctime=1 ...`, the files
//! of any number of days one after the other, in any order.
//!
//! Records of type E are jobs that have ended. A record of type D or A says that a job was deleted or aborted; it has an E
//! too if it ran. A record of type R says that a job was put back into its queue. A job that was started and has none of
//! these still runs; one that was only queued waits.

use super::dependency::{self, pbs_task};
use super::jobs::{AccountedJob, JobCollector};
use super::time::{american, digits, duration, id_number, moment};
use super::tres::pair;
use crate::workload::reading::{FileLine, Format, Limits, LogContent, ReadError};
use crate::workload::{ComesAfter, OtherLine, Reason, Seconds};
use rustc_hash::FxHashMap;

/// Exit statuses of a job that was deleted while it ran: 256 and the signal.
const DELETED: [i64; 2] = [256 + 15, 256 + 9];

/// Reads accounting of PBS.
pub(super) struct Pbs {
    jobs: JobCollector,
    /// The line that says that a job was deleted, by the job's id.
    deleted: FxHashMap<Box<[u8]>, u32>,
    /// The last start of each job that has not ended: its line and what it says.
    started: FxHashMap<Box<[u8]>, Started>,
    /// The line that says that a job was queued, of each job that has not started.
    queued: FxHashMap<Box<[u8]>, u32>,
    /// What jobs come after, by their ids, as their records of type Q and S say.
    after: FxHashMap<Box<[u8]>, Vec<ComesAfter>>,
}

type Started = (u32, Box<[u8]>);

/// A record: its type, the job's id, and the rest.
struct PbsRecord<'a> {
    kind: u8,
    id: &'a [u8],
    rest: &'a [u8],
}

impl<'a> PbsRecord<'a> {
    /// Reads a line. What `grep` writes before it, the file's name and a colon, is passed over.
    fn of(line: &'a [u8]) -> Option<Self> {
        let mut parts = line.splitn(4, |&byte| byte == b';');
        let (stamp, kind, id) = (parts.next()?, parts.next()?, parts.next()?);
        let stamp = &stamp[stamp.len().checked_sub(b"MM/DD/YYYY HH:MM:SS".len())?..];
        let (date, time) = stamp.split_at(10);
        american(date, time.strip_prefix(b" ")?)?;
        let &[kind] = kind else { return None };
        Some(PbsRecord { kind, id, rest: parts.next().unwrap_or_default() })
    }
}

impl Pbs {
    /// The reader of a file with these first lines, if it is such accounting.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let first = lines.iter().find(|line| !line.trim_ascii().is_empty())?;
        PbsRecord::of(first)?;
        Some(Pbs {
            jobs: JobCollector::calling(["Account", "AccountedJob name", "Queue"], limits),
            deleted: FxHashMap::default(),
            started: FxHashMap::default(),
            queued: FxHashMap::default(),
            after: FxHashMap::default(),
        })
    }

    /// Keeps what a job comes after, from the record that it was queued or started.
    fn comes_after(&mut self, id: &[u8], rest: &[u8]) {
        let after = dependency::of_pbs(PbsValues::of(rest).get(b"depend")).after;
        if !after.is_empty() {
            self.after.insert(id.into(), after);
        }
    }

    /// Takes the job of a record that it has ended, or, if it `still_runs`, that it was started.
    fn job(&mut self, line: u32, id: &[u8], rest: &[u8], still_runs: bool) -> Result<(), ReadError> {
        let values = PbsValues::of(rest);
        // an array as a whole has a record of type E, too
        if is_whole_array(id) {
            if !still_runs {
                self.jobs.account.note(Reason::WholeArray, line);
            }
            return Ok(());
        }
        let time = |key: &[u8]| moment(values.get(key)).filter(|&time| time > 0);
        let submit = time(b"ctime").or_else(|| time(b"qtime")).or_else(|| time(b"etime"));
        let (start, end) = (time(b"start"), time(b"end").filter(|_| !still_runs));
        // Cobalt names places in the machine, not hosts with their processors
        let is_of_cobalt = !values.get(b"location").is_empty() || !values.get(b"resources_used.location").is_empty();
        let hosts = if is_of_cobalt { Hosts::default() } else { Hosts::of(values.get(b"exec_host")) };
        let asked = requested(&values);
        let count = |key: &[u8]| digits(values.get(key)).and_then(|count| u32::try_from(count).ok()).filter(|&n| n > 0);
        let width = hosts.slots.or_else(|| count(b"total_execution_slots"));
        let width = width.or(asked).or_else(|| count(b"Resource_List.nodect"));
        let exit =
            Some(values.get(b"Exit_status")).filter(|exit| !exit.is_empty()).unwrap_or(values.get(b"exit_status"));
        let exit = std::str::from_utf8(exit).ok().and_then(|text| text.parse::<i64>().ok());
        let first = |keys: [&[u8]; 3]| keys.into_iter().map(|key| values.get(key)).find(|value| !value.is_empty());
        let own = dependency::of_pbs(values.get(b"depend")).after;
        let after = if own.is_empty() { self.after.remove(id).unwrap_or_default() } else { own };
        let task = pbs_task(id).and_then(|(array, task)| Some((array, task?)));
        let job = AccountedJob {
            id,
            number: id_number(&id[..id.iter().take_while(|byte| byte.is_ascii_digit()).count()]).unwrap_or(-1),
            submit: submit.unwrap_or(-1),
            eligible: time(b"etime"),
            start,
            run: start.zip(end).map(|(start, end)| (end - start).max(0)),
            end,
            limit: duration(values.get(b"Resource_List.walltime")).filter(|&limit| limit > 0),
            allocated: width,
            requested: width,
            nodes: hosts.hosts.or_else(|| count(b"unique_node_count")).or_else(|| count(b"Resource_List.nodect")),
            gpus: Some(count(b"Resource_List.ngpus").unwrap_or(0)),
            memory: None,
            status: match exit {
                Some(0) => 1,
                Some(code) if DELETED.contains(&code) => 5,
                Some(_) => 0,
                None => -1,
            },
            user: values.get(b"user"),
            group: first([b"account", b"project", b"group"]).unwrap_or_default(),
            executable: values.get(b"jobname"),
            queue: values.get(b"queue"),
            task,
            after: &after,
            still_runs,
            text: rest,
            ..AccountedJob::default()
        };
        self.jobs.push(line, &job)
    }

    /// Settles what became of jobs that have no record of their end.
    fn settle(&mut self) -> Result<(), ReadError> {
        let running: Vec<Box<[u8]>> =
            self.jobs.without(self.started.keys().map(|id| &**id)).into_iter().map(Box::from).collect();
        let mut running: Vec<_> = running.into_iter().filter_map(|id| self.started.remove_entry(&id)).collect();
        running.sort_unstable_by_key(|(_, (line, _))| *line);
        for (id, (line, rest)) in running {
            self.queued.remove(&id);
            if is_whole_array(&id) {
                continue;
            }
            // the start is an event no more, but the record of a job; where it was deleted, of one without an end
            self.jobs.account.unpass(OtherLine::Event);
            self.job(line, &id, &rest, !self.deleted.contains_key(&id))?;
        }
        for (of, reason) in [(&self.deleted, Reason::CancelledUnstarted), (&self.queued, Reason::NotStarted)] {
            let never_ran = self.jobs.without(of.keys().map(|id| &**id).filter(|id| !is_whole_array(id)));
            let mut told: Vec<(u32, &[u8])> = never_ran.into_iter().map(|id| (of[id], id)).collect();
            told.retain(|(_, id)| reason == Reason::CancelledUnstarted || !self.deleted.contains_key(*id));
            told.sort_unstable();
            for (line, id) in told {
                self.jobs.account.unpass(OtherLine::Event);
                self.jobs.is_unstarted(reason, line, id);
            }
        }
        Ok(())
    }
}

/// Whether an id is that of an array as a whole: `12[].host`.
fn is_whole_array(id: &[u8]) -> bool {
    id.windows(2).any(|pair| pair == b"[]")
}

/// The `key=value` items of a record. A value in quotes may have blanks in it.
struct PbsValues<'a>(Vec<(&'a [u8], &'a [u8])>);

impl<'a> PbsValues<'a> {
    fn of(text: &'a [u8]) -> Self {
        let mut quoted = false;
        let items = text.split(move |&byte| {
            quoted ^= byte == b'"';
            !quoted && byte == b' '
        });
        PbsValues(items.filter_map(pair).collect())
    }

    fn get(&self, key: &[u8]) -> &'a [u8] {
        let value = self.0.iter().find(|(name, _)| *name == key).map_or(&b""[..], |&(_, value)| value);
        value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value)
    }
}

/// The processors of `exec_host`, and on how many hosts: `n1/0+n1/1`, `n1/0-3`, `n1/0,2`, `n1/0*13`.
#[derive(Debug, Default, PartialEq)]
struct Hosts {
    slots: Option<u32>,
    hosts: Option<u32>,
}

impl Hosts {
    fn of(text: &[u8]) -> Self {
        if text.is_empty() {
            return Hosts::default();
        }
        let mut names: Vec<&[u8]> = Vec::new();
        let mut slots: Seconds = 0;
        for item in text.split(|&byte| byte == b'+') {
            let mut parts = item.splitn(2, |&byte| byte == b'/');
            names.extend(parts.next());
            let Some(places) = parts.next() else {
                slots += 1;
                continue;
            };
            let (places, times) = match places.iter().position(|&byte| byte == b'*') {
                Some(at) => (&places[..at], digits(&places[at + 1..]).unwrap_or(1)),
                None => (places, 1),
            };
            let range = |range: &[u8]| match range.iter().position(|&byte| byte == b'-') {
                Some(at) => Some(digits(&range[at + 1..])? - digits(&range[..at])? + 1),
                None => Some(1),
            };
            let count: Seconds = places.split(|&byte| byte == b',').map(|part| range(part).unwrap_or(1).max(1)).sum();
            slots = slots.saturating_add(count.saturating_mul(times));
        }
        names.sort_unstable();
        names.dedup();
        Hosts { slots: u32::try_from(slots).ok(), hosts: u32::try_from(names.len()).ok() }
    }
}

/// The processors that a job asked for: `nodes=2:ppn=8`, `select=2:ncpus=36+1:ncpus=4`, or `ncpus`.
fn requested(values: &PbsValues<'_>) -> Option<u32> {
    let chunks = |text: &[u8], each: &[u8]| {
        let of = |chunk: &[u8]| {
            let mut parts = chunk.split(|&byte| byte == b':');
            // a name in place of a number is one host
            let count = digits(parts.next()?).unwrap_or(1);
            let each = parts.filter_map(pair).find(|(name, _)| *name == each).and_then(|(_, value)| digits(value));
            count.checked_mul(each.unwrap_or(1))
        };
        text.split(|&byte| byte == b'+').map(of).sum::<Option<Seconds>>()
    };
    let (nodes, select) = (values.get(b"Resource_List.nodes"), values.get(b"Resource_List.select"));
    let found = if !nodes.is_empty() {
        chunks(nodes, b"ppn")
    } else if !select.is_empty() {
        chunks(select, b"ncpus")
    } else {
        digits(values.get(b"Resource_List.ncpus"))
    };
    found.and_then(|count| u32::try_from(count).ok()).filter(|&count| count > 0)
}

impl Format for Pbs {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        if line.bytes.trim_ascii().is_empty() {
            self.jobs.account.pass(OtherLine::Blank);
            return Ok(());
        }
        if line.bytes.starts_with(b"#") {
            self.jobs.account.pass(OtherLine::Comment);
            return Ok(());
        }
        let Some(entry) = PbsRecord::of(line.bytes) else {
            self.jobs.account.note_text(Reason::NotAJob, line.number, line.bytes);
            return Ok(());
        };
        let id = || Box::<[u8]>::from(entry.id);
        match entry.kind {
            b'E' => {
                self.started.remove(entry.id);
                self.queued.remove(entry.id);
                return self.job(line.number, entry.id, entry.rest, false);
            }
            b'R' => {
                self.started.remove(entry.id);
                self.jobs.account.note(Reason::Rerun, line.number);
                return Ok(());
            }
            b'D' | b'A' => {
                self.deleted.entry(id()).or_insert(line.number);
            }
            b'Q' => {
                self.comes_after(entry.id, entry.rest);
                self.queued.insert(id(), line.number);
            }
            // started, also from a checkpoint
            b'S' | b'T' => {
                self.comes_after(entry.id, entry.rest);
                self.started.insert(id(), (line.number, entry.rest.into()));
                self.queued.remove(entry.id);
            }
            // the other types are not needed
            _ => {}
        }
        self.jobs.account.pass(OtherLine::Event);
        Ok(())
    }

    fn jobs(&self) -> usize {
        self.jobs.len()
    }

    fn finish(mut self: Box<Self>) -> Result<LogContent, ReadError> {
        self.settle()?;
        self.jobs.finish(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::reading::read;

    fn entry(kind: char, id: &str, more: &str) -> String {
        format!(
            "01/05/2026 12:00:00;{kind};{id};user=ann group=grp account=\"my lab\" jobname=fit queue=short ctime=1000 \
             qtime=1000 etime=1060 start=1100 end=1400 {more}"
        )
    }

    #[test]
    fn jobs_are_read_with_all_they_have() {
        let lines = [
            "01/05/2026 11:00:00;Q;1.host;queue=short".to_owned(),
            entry('S', "1.host", ""),
            entry('E', "1.host", "exec_host=n1/0+n1/1+n2/0 Resource_List.walltime=01:00:00 Exit_status=0"),
            entry('E', "2.host", "exec_host=n1/0*13+n2/0*13 Resource_List.walltime=7200 Exit_status=271"),
            entry('E', "3[4].host", "exec_host=b1/0-3,8 Resource_List.ngpus=2 Exit_status=1"),
            entry('E', "3[5].host", "Resource_List.nodes=2:ppn=8+1:ppn=4:big"),
            entry('E', "3[].host", ""),
            entry('E', "4.host", "Resource_List.select=2:ncpus=36:mpiprocs=36+1:ncpus=4 total_execution_slots=76"),
            entry('E', "5.host", "Resource_List.ncpus=7"),
            format!("20260105:{}", entry('E', "6.host", "exec_host=n1/0")),
            "01/05/2026 12:30:00;D;7.host;requestor=ann@host".to_owned(),
            "01/05/2026 12:30:00;D;1.host;requestor=ann@host".to_owned(),
            entry('R', "6.host", ""),
            "what is this".to_owned(),
        ];
        let log = read("20260105", lines.join("\n").as_bytes()).unwrap();
        let widths: Vec<(i64, i32)> = log.records.iter().map(|r| (r.number, r.requested)).collect();
        assert_eq!(widths, [(1, 3), (2, 26), (3, 5), (3, 20), (4, 76), (5, 7), (6, 1)]);
        let first = &log.records[0];
        assert_eq!((first.submit, first.wait, first.run, first.requested_time, first.status), (0, 100, 300, 3_600, 1));
        assert_eq!((log.records[1].requested_time, log.records[1].status), (7_200, 5));
        assert_eq!((log.records[2].requested_time, log.records[2].status), (-1, 0));
        assert_eq!((log.beyond.nodes.as_slice(), log.beyond.gpus[2]), (&[2, 2, 1, -1, -1, -1, 1][..], 2));
        assert_eq!(log.beyond.eligible[0], 60);
        assert_eq!(
            (log.names.users.as_slice(), log.names.groups.as_slice()),
            (&["ann".to_owned()][..], &["my lab".to_owned()][..])
        );
        let reasons = [Reason::WholeArray, Reason::Rerun, Reason::NotAJob];
        assert_eq!(reasons.map(|reason| log.account.count(reason)), [1, 1, 1]);
        assert_eq!(log.account.count(Reason::CancelledUnstarted), 1);
    }

    #[test]
    fn a_job_that_ends_twice_counts_once() {
        let lines = [entry('E', "1.host", "exec_host=n1/0"), entry('E', "1.host", "exec_host=n1/0 run_count=2")];
        let log = read("20260105", lines.join("\n").as_bytes()).unwrap();
        assert_eq!((log.records.len(), log.account.count(Reason::Repeated)), (1, 1));
    }
}

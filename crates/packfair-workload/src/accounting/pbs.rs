//! Accounting of PBS, Torque, OpenPBS and Cobalt: `MM/DD/YYYY HH:MM:SS;E;123.host;user=ann queue=q ctime=1 ...`, the files
//! of any number of days one after the other, in any order.
//!
//! Records of type E are jobs that have ended. A record of type D or A says that a job was deleted or aborted; it mostly has
//! an E too if it ran, and else ran until then. A record of type R says that a job was put back into its queue, where it
//! waits. A job that was started and has none of these still runs; one that was only queued waits.

use super::jobs::{AccountedJob, JobCollector};
use super::numbers::is_odd;
use super::submit_line::{self, pbs_task};
use super::time::{american, digits, duration, id_number, moment};
use super::tres::pair;
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError, are_mostly};
use crate::{ComesAfter, OtherLine, Reason, Seconds};
use rustc_hash::FxHashMap;

/// Exit statuses of a job that was deleted while it ran: 256 and the signal.
const DELETED: [i64; 2] = [256 + 15, 256 + 9];

/// Reads accounting of PBS.
pub(super) struct Pbs {
    jobs: JobCollector,
    /// The record that says that a job was deleted, by the job's id: its line and when it was written.
    deleted: FxHashMap<Box<[u8]>, (u32, Seconds)>,
    /// The last start of each job that has not ended.
    started: FxHashMap<Box<[u8]>, Entered>,
    /// The last record that says that a job was queued, of each job that has not started.
    queued: FxHashMap<Box<[u8]>, Entered>,
    /// For how long jobs were suspended since their last start, as records of type z and r say.
    suspended: FxHashMap<Box<[u8]>, SuspendedTime>,
    /// What jobs come after, by their ids, as their records of type Q and S say.
    after: FxHashMap<Box<[u8]>, Vec<ComesAfter>>,
}

/// How long a job was suspended, by the clock of the server.
#[derive(Default)]
struct SuspendedTime {
    before: Seconds,
    since: Option<Seconds>,
}

/// A record that a job was started, or queued.
struct Entered {
    line: u32,
    stamp: Seconds,
    rest: Box<[u8]>,
}

/// What became of a job that a record of its start or its end tells of.
#[derive(Clone, Copy)]
enum Fate {
    Ended,
    /// It was deleted, this long after its start.
    Deleted(Seconds),
    StillRuns,
    /// It waits, or waited until it was deleted, this long after it was queued.
    Waits(Option<Seconds>),
}

/// A record: when it was written, by the clock of the server, its type, the job's id, and the rest.
struct PbsRecord<'a> {
    stamp: Seconds,
    kind: u8,
    id: &'a [u8],
    rest: &'a [u8],
}

impl<'a> PbsRecord<'a> {
    /// Reads a line. What `grep` writes before it, the file's name and a colon, is passed over.
    fn of(line: &'a [u8]) -> Option<Self> {
        let mut parts = line.splitn(4, |&byte| byte == b';');
        let (stamp, kind, id) = (parts.next()?, parts.next()?, parts.next()?);
        let stamp = without_decimals(stamp);
        let stamp = &stamp[stamp.len().checked_sub(b"MM/DD/YYYY HH:MM:SS".len())?..];
        let (date, time) = stamp.split_at(10);
        let stamp = american(date, time.strip_prefix(b" ")?)?;
        let &[kind] = kind else { return None };
        Some(PbsRecord { stamp, kind, id, rest: parts.next().unwrap_or_default() })
    }
}

/// A stamp without the parts of a second behind it.
fn without_decimals(stamp: &[u8]) -> &[u8] {
    let digits = stamp.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (whole, decimals) = stamp.split_at(stamp.len() - digits);
    whole.strip_suffix(b".").filter(|_| !decimals.is_empty()).unwrap_or(stamp)
}

impl Pbs {
    /// The reader of a file with these first lines, if it is such accounting.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        are_mostly(lines, |line| PbsRecord::of(line).is_some()).then(|| Pbs {
            jobs: JobCollector::calling(["Account", "Job name", "Queue"], limits),
            deleted: FxHashMap::default(),
            started: FxHashMap::default(),
            queued: FxHashMap::default(),
            suspended: FxHashMap::default(),
            after: FxHashMap::default(),
        })
    }

    /// Keeps what a job comes after, from the record that it was queued or started.
    fn comes_after(&mut self, id: &[u8], rest: &[u8]) {
        let after = submit_line::of_pbs(PbsValues::of(rest).get(b"depend")).after;
        if !after.is_empty() {
            self.after.insert(id.into(), after);
        }
    }

    /// For how long a job was suspended until a record of its end was written.
    fn suspended_until(&mut self, id: &[u8], stamp: Seconds) -> Seconds {
        let Some(SuspendedTime { before, since }) = self.suspended.remove(id) else { return 0 };
        before + since.map_or(0, |since| (stamp - since).max(0))
    }

    /// Takes the job of a record that it has ended or was started, and that was suspended for so long.
    fn job(&mut self, line: u32, id: &[u8], rest: &[u8], fate: Fate, suspended: Seconds) -> Result<(), ReadError> {
        let values = PbsValues::of(rest);
        let still_runs = matches!(fate, Fate::StillRuns);
        // an array as a whole has a record of type E, too
        if is_whole_array(id) {
            if !still_runs {
                self.jobs.account.note(Reason::WholeArray, line);
            }
            return Ok(());
        }
        let time = |key: &[u8]| moment(values.get(key)).filter(|&time| time > 0);
        let submit = time(b"ctime").or_else(|| time(b"qtime")).or_else(|| time(b"etime"));
        let start = time(b"start");
        let limit = duration(values.get(b"Resource_List.walltime"));
        let is_odd = is_odd(values.get(b"Resource_List.walltime"), limit)
            || [&b"start"[..], b"end"].into_iter().any(|key| is_odd(values.get(key), moment(values.get(key))))
            || [&b"Resource_List.ncpus"[..], b"Resource_List.nodect"]
                .into_iter()
                .any(|key| is_odd(values.get(key), digits(values.get(key))));
        let end = match fate {
            Fate::Ended => time(b"end"),
            Fate::Deleted(after) => start.map(|start| start + after),
            Fate::StillRuns | Fate::Waits(_) => None,
        };
        // the rest of the line is missing
        if matches!(fate, Fate::Ended) && start.is_some() && values.get(b"end").is_empty() {
            self.jobs.account.note_text(Reason::NotAJob, line, rest);
            return Ok(());
        }
        // Cobalt names places in the machine, not hosts with their processors
        let is_of_cobalt = !values.get(b"location").is_empty()
            || !values.get(b"resources_used.location").is_empty()
            || is_range(values.get(b"exec_host"));
        let hosts = if is_of_cobalt { Hosts::default() } else { Hosts::of(values.get(b"exec_host")) };
        let places = values.get(b"exec_vnode");
        let count = |key: &[u8]| count_of(values.get(key));
        // of places a job holds its processors, of hosts there may be only the slots that its processes have
        let width = in_places(places, b"ncpus")
            .or(hosts.slots.filter(|&slots| slots > 0))
            .or_else(|| count(b"total_execution_slots"))
            .or_else(|| requested(&values))
            .or_else(|| count(b"Resource_List.nodect"));
        let exit =
            Some(values.get(b"Exit_status")).filter(|exit| !exit.is_empty()).unwrap_or(values.get(b"exit_status"));
        let exit = std::str::from_utf8(exit).ok().and_then(|text| text.parse::<i64>().ok());
        let first = |keys: [&[u8]; 3]| keys.into_iter().map(|key| values.get(key)).find(|value| !is_no_name(value));
        let own = submit_line::of_pbs(values.get(b"depend")).after;
        let after = if own.is_empty() { self.after.remove(id).unwrap_or_default() } else { own };
        let task = pbs_task(id).and_then(|(array, task)| Some((array, task?)));
        let job = AccountedJob {
            id,
            number: id_number(&id[..id.iter().take_while(|byte| byte.is_ascii_digit()).count()]).unwrap_or(-1),
            submit: submit.unwrap_or(-1),
            // the record of a job that is queued may not tell it yet
            eligible: time(b"etime").or(submit.filter(|_| matches!(fate, Fate::Waits(_)))),
            start,
            run: start.zip(end).map(|(start, end)| (end - start - suspended).max(0)),
            end,
            suspended,
            limit: limit.filter(|&limit| limit > 0),
            allocated: width,
            requested: width,
            asked: requested(&values),
            nodes: hosts.hosts.or_else(|| count(b"unique_node_count")).or_else(|| count(b"Resource_List.nodect")),
            gpus: Some(gpus(&values).unwrap_or(0)),
            memory: size(values.get(b"Resource_List.mem")),
            left: match fate {
                Fate::Waits(Some(after)) => submit.map(|submit| submit + after),
                _ => None,
            },
            status: match exit {
                _ if matches!(fate, Fate::Deleted(_)) => 5,
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
            is_odd,
            text: rest,
            ..AccountedJob::default()
        };
        if let Fate::Waits(deleted) = fate {
            let reason = if deleted.is_some() { Reason::CancelledUnstarted } else { Reason::NotStarted };
            self.jobs.never_started(reason, line, &job);
            return Ok(());
        }
        self.jobs.push(line, &job)
    }

    /// Settles what became of jobs that have no record of their end.
    fn settle(&mut self) -> Result<(), ReadError> {
        let running: Vec<Box<[u8]>> =
            self.jobs.without(self.started.keys().map(|id| &**id)).into_iter().map(Box::from).collect();
        let mut running: Vec<_> = running.into_iter().filter_map(|id| self.started.remove_entry(&id)).collect();
        running.sort_unstable_by_key(|(_, started)| started.line);
        for (id, Entered { line, stamp, rest }) in running {
            self.queued.remove(&id);
            if is_whole_array(&id) {
                continue;
            }
            // the start is an event no more, but the record of a job
            self.jobs.account.unpass(OtherLine::Event);
            let deleted = self.deleted.get(&id).map(|(_, deleted)| deleted - stamp).filter(|&after| after >= 0);
            let suspended = deleted.map_or(0, |after| self.suspended_until(&id, stamp + after));
            self.job(line, &id, &rest, deleted.map_or(Fate::StillRuns, Fate::Deleted), suspended)?;
        }
        let deleted: FxHashMap<Box<[u8]>, u32> =
            self.deleted.iter().map(|(id, (line, _))| (id.clone(), *line)).collect();
        let queued: FxHashMap<Box<[u8]>, u32> =
            self.queued.iter().map(|(id, entered)| (id.clone(), entered.line)).collect();
        let mut never_ran_at: Vec<(Reason, u32, Box<[u8]>)> = Vec::new();
        for (of, reason) in [(&deleted, Reason::CancelledUnstarted), (&queued, Reason::NotStarted)] {
            let never_ran = self.jobs.without(of.keys().map(|id| &**id).filter(|id| !is_whole_array(id)));
            let mut told: Vec<(u32, &[u8])> = never_ran.into_iter().map(|id| (of[id], id)).collect();
            told.retain(|(_, id)| reason == Reason::CancelledUnstarted || !self.deleted.contains_key(*id));
            told.sort_unstable();
            told.into_iter().for_each(|(line, id)| never_ran_at.push((reason, line, id.into())));
        }
        for (reason, line, id) in never_ran_at {
            self.jobs.account.unpass(OtherLine::Event);
            let deleted = self.deleted.get(&id).map(|&(_, deleted)| deleted);
            match self.queued.remove(&id).filter(|entered| !entered.rest.is_empty()) {
                Some(entered) => {
                    let after = deleted.map(|deleted| (deleted - entered.stamp).max(0));
                    self.job(line, &id, &entered.rest, Fate::Waits(after), 0)?;
                }
                None => self.jobs.is_unstarted(reason, line, &id),
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
        // of an alteration that takes a request back
        let value = if value == b"UNSET" { b"" } else { value };
        value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value)
    }
}

/// Whether this names places by numbers alone, as Cobalt does: `0-511`, `3,8-15`.
fn is_range(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_digit)
        && text.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b',' | b':'))
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

/// How much of a resource chunks such as `2:ppn=8+1:ppn=4` have together, of which each has `otherwise` where it does not
/// say.
pub(crate) fn in_chunks(text: &[u8], resource: &[u8], otherwise: Seconds) -> Option<u32> {
    let of = |chunk: &[u8]| {
        let mut parts = chunk.split(|&byte| byte == b':');
        // a name in place of a number is one host
        let count = digits(parts.next()?).unwrap_or(1);
        let each = parts.filter_map(pair).find(|(name, _)| *name == resource).and_then(|(_, value)| digits(value));
        count.checked_mul(each.unwrap_or(otherwise))
    };
    let found = text.split(|&byte| byte == b'+').map(of).sum::<Option<Seconds>>();
    found.and_then(|count| u32::try_from(count).ok()).filter(|&count| count > 0)
}

/// How much of a resource a job was given, by `exec_vnode`: `(n1:ncpus=4:ngpus=1)+(n2[0]:ncpus=2+n2[1]:ncpus=2)`.
fn in_places(text: &[u8], resource: &[u8]) -> Option<u32> {
    let of = |place: &[u8]| {
        let mut values = place.split(|&byte| matches!(byte, b':' | b'(' | b')')).filter_map(pair);
        values.find(|(name, _)| *name == resource).and_then(|(_, value)| digits(value)).unwrap_or(0)
    };
    let found = text.split(|&byte| byte == b'+').map(of).fold(0, Seconds::saturating_add);
    u32::try_from(found).ok().filter(|&count| count > 0)
}

/// The processors that a job asked for: `nodes=2:ppn=8`, `select=2:ncpus=36+1:ncpus=4`, or `ncpus`.
fn requested(values: &PbsValues<'_>) -> Option<u32> {
    let (nodes, select) = (values.get(b"Resource_List.nodes"), values.get(b"Resource_List.select"));
    if !nodes.is_empty() {
        in_chunks(nodes, b"ppn", 1)
    } else if !select.is_empty() {
        in_chunks(select, b"ncpus", 1)
    } else {
        count_of(values.get(b"Resource_List.ncpus"))
    }
}

/// The graphics processors that a job was given, or else asked for.
fn gpus(values: &PbsValues<'_>) -> Option<u32> {
    in_places(values.get(b"exec_vnode"), b"ngpus")
        .or_else(|| count_of(values.get(b"Resource_List.ngpus")))
        .or_else(|| in_chunks(values.get(b"Resource_List.select"), b"ngpus", 0))
        .or_else(|| in_chunks(values.get(b"Resource_List.nodes"), b"gpus", 0))
        .or_else(|| in_chunks(values.get(b"Resource_List.neednodes"), b"gpus", 0))
}

fn count_of(text: &[u8]) -> Option<u32> {
    digits(text).and_then(|count| u32::try_from(count).ok()).filter(|&count| count > 0)
}

/// An amount of memory as PBS writes it, MiB, rounded up: `8gb`, `4000mb`, `8388608kb`, bytes; words of eight bytes with a w.
pub(crate) fn size(text: &[u8]) -> Option<u32> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let unit = text[length..].to_ascii_lowercase();
    let (prefix, each) = match unit.as_slice() {
        [prefix @ .., b'w'] => (prefix, 8),
        [prefix @ .., b'b'] => (prefix, 1),
        prefix => (prefix, 1),
    };
    let shift = match prefix {
        b"" => 0,
        b"k" => 10,
        b"m" => 20,
        b"g" => 30,
        b"t" => 40,
        b"p" => 50,
        _ => return None,
    };
    let bytes = digits(&text[..length])?.checked_mul(each)?.checked_mul(1 << shift)?;
    u32::try_from((bytes + (1 << 20) - 1) >> 20).ok().filter(|&size| size > 0)
}

/// Whether a name says that there is none: PBS writes its usual project for jobs without one.
fn is_no_name(name: &[u8]) -> bool {
    name.is_empty() || name == b"_pbs_project_default"
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
                let suspended = self.suspended_until(entry.id, entry.stamp);
                return self.job(line.number, entry.id, entry.rest, Fate::Ended, suspended);
            }
            b'R' => {
                self.suspended.remove(entry.id);
                // it waits again, as the record of its start shall tell
                if let Some((id, started)) = self.started.remove_entry(entry.id) {
                    self.queued.insert(id, Entered { rest: Box::default(), ..started });
                }
                self.jobs.account.note(Reason::Rerun, line.number);
                return Ok(());
            }
            b'D' | b'A' => {
                self.deleted.entry(id()).or_insert((line.number, entry.stamp));
            }
            b'Q' => {
                self.comes_after(entry.id, entry.rest);
                let entered = Entered { line: line.number, stamp: entry.stamp, rest: entry.rest.into() };
                self.queued.insert(id(), entered);
            }
            // started, also from a checkpoint
            b'S' | b'T' => {
                self.comes_after(entry.id, entry.rest);
                let started = Entered { line: line.number, stamp: entry.stamp, rest: entry.rest.into() };
                self.started.insert(id(), started);
                self.queued.remove(entry.id);
                self.suspended.remove(entry.id);
            }
            // altered, as PBS tells since its version 20: what is said last counts
            b'a' => {
                let entered = self.started.get_mut(entry.id).or_else(|| self.queued.get_mut(entry.id));
                if let Some(entered) = entered.filter(|entered| !entered.rest.is_empty()) {
                    entered.rest = [entry.rest, &entered.rest].join(&b' ').into();
                }
            }
            // suspended, as PBS tells since then, too
            b'z' => {
                self.suspended.entry(id()).or_default().since.get_or_insert(entry.stamp);
            }
            b'r' => {
                if let Some(SuspendedTime { before, since }) = self.suspended.get_mut(entry.id) {
                    *before += since.take().map_or(0, |since| (entry.stamp - since).max(0));
                }
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
    use crate::reading::read;

    fn entry(kind: char, id: &str, more: &str) -> String {
        format!(
            "01/05/2026 12:00:00;{kind};{id};user=ann group=grp account=\"my lab\" jobname=fit queue=short ctime=1000 \
             qtime=1000 etime=1060 start=1100 end=1400 {more}"
        )
    }

    #[test]
    fn suspended_time_is_no_run_time() {
        let at = |time: &str, kind: char, id: &str| format!("01/05/2026 {time};{kind};{id};");
        let lines = [
            entry('S', "1.host", "").replace("12:00:00", "11:55:00"),
            at("11:56:00", 'z', "1.host"),
            at("11:57:00", 'r', "1.host"),
            at("11:59:30", 'z', "1.host"),
            entry('E', "1.host", "Resource_List.ncpus=1"),
            // it was resumed twice, and began anew after the first suspension
            at("11:56:00", 'z', "2.host"),
            entry('S', "2.host", "").replace("12:00:00", "11:57:00"),
            at("11:58:00", 'z', "2.host"),
            at("11:58:20", 'r', "2.host"),
            at("11:59:00", 'r', "2.host"),
            entry('E', "2.host", "Resource_List.ncpus=1"),
            entry('S', "3.host", "Resource_List.ncpus=1 ").replace("end=1400", "").replace("12:00:00", "11:57:00"),
            at("11:58:00", 'z', "3.host"),
            at("11:59:00", 'D', "3.host"),
        ];
        let log = read("20260105", lines.join("\n").as_bytes()).unwrap();
        let runs: Vec<(i64, i64)> = log.records.iter().map(|r| (r.number, r.run)).collect();
        assert_eq!(runs, [(1, 300 - 90), (2, 300 - 20), (3, 60)]);
        assert_eq!([Reason::Suspended, Reason::ElapsedDiffers].map(|reason| log.account.count(reason)), [3, 0]);
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

    /// A record written at this minute, of a job that was submitted at 11:00 and started at 11:01 by a clock an hour behind.
    fn at(minute: u32, kind: char, id: &str, more: &str) -> String {
        format!(
            "01/05/2026 12:{minute:02}:00.123456;{kind};{id};user=ann group=grp project=_pbs_project_default jobname=\"a fit\" \
             queue=q ctime=1767610800 start=1767610860 exec_host=n1/0*4 Resource_List.walltime=0:02:00:00 {more}"
        )
    }

    #[test]
    fn a_job_without_a_record_of_its_end_ran_until_it_was_deleted_or_waits_where_it_was_put_back() {
        let lines = [
            "host;user=ann cut at the beginning".to_owned(),
            at(1, 'S', "1.host", ""),
            at(6, 'D', "1.host", "requestor=ann@host"),
            at(1, 'S', "2.host", ""),
            at(3, 'A', "2.host", ""),
            at(1, 'S', "3.host", ""),
            at(9, 'R', "3.host", ""),
            at(1, 'S', "4.host", ""),
            at(0, 'D', "5.host", ""),
            at(11, 'E', "6.host", "end=1767611460 Exit_status=0"),
        ];
        let log = read("20260105", lines.join("\n").as_bytes()).unwrap();
        let seen: Vec<_> = log.records.iter().map(|r| (r.number, r.wait, r.run, r.status)).collect();
        assert_eq!(seen, [(6, 60, 600, 1), (1, 60, 300, 5), (2, 60, 120, 5), (4, 60, -1, -1)]);
        let reasons = [Reason::StillRunning, Reason::NotStarted, Reason::CancelledUnstarted, Reason::Rerun];
        assert_eq!(reasons.map(|reason| log.account.count(reason)), [1, 1, 1, 1]);
        assert_eq!((log.records[0].requested_time, log.names.groups.join(",")), (7_200, "grp".to_owned()));
        assert_eq!(log.header.word("Executable"), "Job name");
    }

    #[test]
    fn what_is_altered_counts_as_it_was_last_said() {
        let alter = |minute: u32, id: &str, what: &str| format!("01/05/2026 12:{minute:02}:00;a;{id};{what}");
        let lines = [
            at(0, 'Q', "1.host", "Resource_List.ncpus=4"),
            alter(1, "1.host", "Resource_List.walltime=01:00:00 Job_Name=\"b c\""),
            alter(2, "1.host", "Resource_List.walltime=03:00:00"),
            at(1, 'S', "2.host", ""),
            alter(4, "2.host", "Resource_List.walltime=05:00:00"),
            at(1, 'S', "3.host", ""),
            alter(4, "3.host", "Resource_List.walltime=UNSET"),
            alter(4, "9.host", "Resource_List.walltime=05:00:00"),
            at(11, 'E', "6.host", "end=1767611460 Exit_status=0"),
        ];
        let log = read("20260105", lines.join("\n").as_bytes()).unwrap();
        let limits: Vec<_> = log.records.iter().map(|r| (r.number, r.requested_time)).collect();
        assert_eq!(limits, [(6, 7_200), (2, 18_000), (3, -1)]);
        let waits = log.beyond.unstarted[0].job.as_ref().unwrap();
        assert_eq!((waits.record.requested_time, waits.record.requested), (10_800, 4));
        assert_eq!(log.account.count(Reason::ValueNotUnderstood), 0);
    }

    #[test]
    fn graphics_processors_and_memory_are_read_however_they_are_told() {
        let of = |more: &str| {
            let log = read("x", at(11, 'E', "6.host", &format!("end=1767611460 {more}")).as_bytes()).unwrap();
            (log.beyond.gpus.first().copied().unwrap_or(-1), log.beyond.memory.first().copied().unwrap_or(-1))
        };
        assert_eq!(of("Resource_List.ngpus=2 Resource_List.mem=8gb"), (2, 8_192));
        assert_eq!(of("Resource_List.select=2:ncpus=8:ngpus=1+1:ncpus=4 Resource_List.mem=1048577kb"), (2, 1_025));
        assert_eq!(
            of("exec_vnode=(n1:ncpus=2:ngpus=1)+(n2[0]:ncpus=1:ngpus=1+n2[1]:ncpus=1) Resource_List.ngpus=9").0,
            2
        );
        assert_eq!(of("Resource_List.nodes=2:ppn=2:gpus=4 Resource_List.mem=4000MB"), (8, 4_000));
        assert_eq!(of("Resource_List.mem=many"), (-1, -1));
    }

    #[test]
    fn processors_are_those_of_the_places_before_those_of_hosts() {
        let of = |more: &str| {
            let log = read("x", entry('E', "6.host", more).as_bytes()).unwrap();
            log.records[0].allocated
        };
        let hosts = "exec_host=n1/0+n2/0";
        assert_eq!(of(&format!("{hosts} exec_vnode=(n1:ncpus=2)+(n2[0]:ncpus=1+n2[1]:ncpus=1)")), 4);
        assert_eq!(of(&format!("{hosts} exec_vnode=(n1)+(n2) Resource_List.ncpus=4")), 2);
        // Cobalt numbers nodes
        assert_eq!(of("exec_host=0-511 Resource_List.ncpus=512 Resource_List.nodect=512"), 512);
        assert_eq!(of("exec_host=n1/0*8+n2/1*4"), 12);
        assert_eq!(of("exec_vnode=(n1:ncpus=2)+(n2:ncpus=2) Resource_List.ncpus=9"), 4);
        assert_eq!(of("Resource_List.select=2:ncpus=3"), 6);
    }

    #[test]
    fn a_job_that_ends_twice_counts_once() {
        let lines = [entry('E', "1.host", "exec_host=n1/0"), entry('E', "1.host", "exec_host=n1/0 run_count=2")];
        let log = read("20260105", lines.join("\n").as_bytes()).unwrap();
        assert_eq!((log.records.len(), log.account.count(Reason::Repeated)), (1, 1));
    }
}

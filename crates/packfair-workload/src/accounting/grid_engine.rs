//! Accounting of Grid Engine and its descendants: one line for each job, with some 45 fields separated by colons. The file
//! `reporting` has the same lines behind `time:acct:`, among others.

use super::jobs::{AccountedJob, JobCollector};
use super::numbers::is_odd;
use super::time::{digits, duration, id_number};
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError, are_mostly};
use crate::{OtherLine, Reason, Seconds};

/// The fewest fields of a line, those of the oldest versions.
const FEWEST: usize = 40;

/// The places of the fields in a line, from 0.
const QUEUE: usize = 0;
const GROUP: usize = 2;
const OWNER: usize = 3;
const JOB_NAME: usize = 4;
const NUMBER: usize = 5;
const SUBMISSION: usize = 8;
const START: usize = 9;
const END: usize = 10;
const FAILED: usize = 11;
const EXIT_STATUS: usize = 12;
const PROJECT: usize = 31;
const SLOTS: usize = 34;
const TASK: usize = 35;
const CATEGORY: usize = 39;
const TASK_OF_PARALLEL_JOB: usize = 41;

/// Times of at least this value are milliseconds since 1970, as Univa's versions from 8.2 write them.
const MILLISECONDS: Seconds = 100_000_000_000;

pub(super) struct GridEngine {
    jobs: JobCollector,
}

struct GridEngineFields<'a> {
    all: Vec<&'a [u8]>,
    /// How many colons there are in the job's name.
    surplus: usize,
}

impl<'a> GridEngineFields<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let mut all: Vec<&[u8]> = line.split(|&byte| byte == b':').collect();
        if all.len() < FEWEST {
            return None;
        }
        // the number follows the name, and the times follow three fields later
        let numbers = [NUMBER, SUBMISSION, START, END];
        let is_number = |at: usize| all.get(at).is_some_and(|field| moment(field).is_some());
        let surplus = (0..all.len() - FEWEST + 1).find(|more| numbers.iter().all(|at| is_number(at + more)))?;
        join_duration(line, &mut all, CATEGORY + surplus);
        Some(GridEngineFields { all, surplus })
    }

    fn get(&self, field: usize) -> &'a [u8] {
        let at = if field > JOB_NAME { field + self.surplus } else { field };
        let value = self.all.get(at).copied().unwrap_or_default();
        if value == b"NONE" { b"" } else { value }
    }
}

/// Joins the parts of a category again where the colons of a duration have split it (`-l h_rt=24:00:00`).
fn join_duration<'a>(line: &'a [u8], fields: &mut Vec<&'a [u8]>, category: usize) {
    let is_two_digits = |field: &&[u8]| field.len() >= 2 && field[..2].iter().all(u8::is_ascii_digit);
    let ends_with_digit = |field: &[u8]| field.last().is_some_and(u8::is_ascii_digit) && field.contains(&b'=');
    while fields.get(category).is_some_and(|field| ends_with_digit(field))
        && fields.get(category + 1).is_some_and(|next| is_two_digits(next) && (next.len() == 2 || next[2] == b','))
    {
        let begin: usize = fields[..category].iter().map(|field| field.len() + 1).sum();
        let end = begin + fields[category].len() + 1 + fields[category + 1].len();
        fields[category] = &line[begin..end];
        fields.remove(category + 1);
    }
}

/// The Unix time of a field in seconds or milliseconds, seconds.
fn moment(field: &[u8]) -> Option<Seconds> {
    let value = if field.len() <= 12 { digits(field)? } else { digits(&field[..field.len() - 3])? * 1_000 };
    Some(if value >= MILLISECONDS { value / 1_000 } else { value })
}

impl GridEngine {
    /// The reader of a file with these first lines, if it is such accounting.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let is_one = |line: &[u8]| match Reported::of(line) {
            Reported::Accounting(line) => GridEngineFields::of(line).is_some(),
            Reported::Other => true,
        };
        let is_job = |line: &&[u8]| matches!(Reported::of(line.trim_ascii()), Reported::Accounting(line) if GridEngineFields::of(line).is_some());
        (lines.iter().any(is_job) && are_mostly(lines, is_one))
            .then(|| GridEngine { jobs: JobCollector::calling(["Project", "Job name", "Queue"], limits) })
    }
}

/// What a line holds that may be of the file `reporting`.
enum Reported<'a> {
    Accounting(&'a [u8]),
    /// What is reported beside the jobs that have ended: their course, hosts, queues.
    Other,
}

impl<'a> Reported<'a> {
    fn of(line: &'a [u8]) -> Self {
        const OTHERS: [&[u8]; 9] = [
            b"new_job",
            b"job_log",
            b"queue",
            b"queue_consumable",
            b"host",
            b"host_consumable",
            b"sharelog",
            b"new_ar",
            b"ar_log",
        ];
        let mut parts = line.splitn(3, |&byte| byte == b':');
        let (Some(time), Some(kind), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
            return Reported::Accounting(line);
        };
        match kind {
            b"acct" if moment(time).is_some() => Reported::Accounting(rest),
            kind if moment(time).is_some() && OTHERS.contains(&kind) => Reported::Other,
            _ => Reported::Accounting(line),
        }
    }
}

/// The time limit in a category: what follows `h_rt=`, a number of seconds or a duration; empty where there is none.
pub(super) fn limit_in(category: &[u8]) -> &[u8] {
    let begin = memchr::memmem::find(category, b"h_rt=").map_or(category.len(), |at| at + 5);
    let text = &category[begin..];
    &text[..text.iter().position(|byte| matches!(byte, b',' | b' ')).unwrap_or(text.len())]
}

/// The slots that a category asks for, where it is a certain number: 4 of `-pe mpi 4`.
fn asked_slots(category: &[u8]) -> Option<u32> {
    let mut words = category.split(|&byte| byte == b' ').skip_while(|word| *word != b"-pe").skip(2);
    digits(words.next()?).and_then(|slots| u32::try_from(slots).ok()).filter(|&slots| slots > 0)
}

impl Format for GridEngine {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let bytes = line.bytes.trim_ascii();
        if bytes.is_empty() || bytes.starts_with(b"#") {
            self.jobs.account.pass(if bytes.is_empty() { OtherLine::Blank } else { OtherLine::Comment });
            return Ok(());
        }
        let Reported::Accounting(bytes) = Reported::of(bytes) else {
            self.jobs.account.pass(OtherLine::Event);
            return Ok(());
        };
        let Some(fields) = GridEngineFields::of(bytes) else {
            self.jobs.account.note_text(Reason::NotAJob, line.number, bytes);
            return Ok(());
        };
        // some clusters also write a line for each host of a job
        let part = fields.get(TASK_OF_PARALLEL_JOB);
        if !part.is_empty() {
            // 1.host; anything else stands there because the line is damaged
            let is_part = part.first().is_some_and(u8::is_ascii_digit) && part.contains(&b'.');
            if is_part {
                self.jobs.account.note(Reason::PartOnHost, line.number);
            } else {
                self.jobs.account.note_text(Reason::NotAJob, line.number, bytes);
            }
            return Ok(());
        }
        let time = |field| moment(fields.get(field)).filter(|&time| time > 0);
        let (submit, start, end) = (time(SUBMISSION).unwrap_or(-1), time(START), time(END));
        // Grid Engine writes no time at all of a job that it could not start
        if [SUBMISSION, START, END].into_iter().all(|field| time(field).is_none()) {
            self.jobs.account.note(Reason::CancelledUnstarted, line.number);
            return Ok(());
        }
        let slots = digits(fields.get(SLOTS)).and_then(|slots| u32::try_from(slots).ok()).filter(|&slots| slots > 0);
        let number = id_number(fields.get(NUMBER));
        let id = [fields.get(NUMBER), b".", fields.get(TASK)].concat();
        let limit_field = limit_in(fields.get(CATEGORY));
        let limit = duration(limit_field);
        let (failed, exit) = (fields.get(FAILED), fields.get(EXIT_STATUS));
        let job = AccountedJob {
            id: &id,
            number: number.unwrap_or(-1),
            submit,
            start,
            // a job that never started was deleted while it waited
            run: start.zip(end).map(|(start, end)| (end - start).max(0)).or_else(|| start.is_none().then_some(0)),
            end,
            limit: limit.filter(|&limit| limit > 0),
            is_odd: is_odd(limit_field, limit)
                || is_odd(fields.get(SLOTS), digits(fields.get(SLOTS)))
                || [SUBMISSION, START, END]
                    .into_iter()
                    .any(|field| is_odd(fields.get(field), moment(fields.get(field)))),
            allocated: slots,
            requested: slots,
            asked: asked_slots(fields.get(CATEGORY)),
            left: end.filter(|_| start.is_none()),
            status: match (start, failed, exit) {
                (None, ..) => 5,
                (_, b"0", b"0") => 1,
                _ => 0,
            },
            user: fields.get(OWNER),
            group: if fields.get(PROJECT).is_empty() { fields.get(GROUP) } else { fields.get(PROJECT) },
            executable: fields.get(JOB_NAME),
            queue: fields.get(QUEUE),
            still_runs: start.is_some() && end.is_none(),
            text: bytes,
            ..AccountedJob::default()
        };
        self.jobs.push(line.number, &job)
    }

    fn jobs(&self) -> usize {
        self.jobs.len()
    }

    fn finish(self: Box<Self>) -> Result<LogContent, ReadError> {
        self.jobs.finish(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::read;

    fn line(name: &str, times: [&str; 3], slots: u32, task: u32, category: &str, part: &str) -> String {
        let [submit, start, end] = times;
        let mut fields = vec!["0"; 45];
        let slots = slots.to_string();
        let task = task.to_string();
        for (at, value) in [
            (QUEUE, "all.q"),
            (1, "host"),
            (GROUP, "grp"),
            (OWNER, "ann"),
            (JOB_NAME, name),
            (NUMBER, "77"),
            (6, "sge"),
            (SUBMISSION, submit),
            (START, start),
            (END, end),
            (PROJECT, "NONE"),
            (32, "defaultdepartment"),
            (33, "mpi"),
            (SLOTS, &slots),
            (TASK, &task),
            (CATEGORY, category),
            (TASK_OF_PARALLEL_JOB, part),
        ] {
            fields[at] = value;
        }
        fields.join(":")
    }

    #[test]
    fn jobs_are_read_whatever_their_names_and_the_unit_of_time() {
        let seconds = ["1700000000", "1700000100", "1700000400"];
        let lines = [
            "# Version: 8.1.9".to_owned(),
            line("fit", seconds, 4, 1, "-l h_rt=3600,mem=2G -pe mpi 4", "NONE"),
            line("a:b:c", seconds, 4, 2, "-l h_rt=24:00:00", "NONE"),
            line("uge", ["1700000000500", "1700000100500", "1700000400500"], 8, 3, "NONE", "NONE"),
            line("never", ["1700000010", "0", "0"], 1, 4, "NONE", "NONE"),
            line("fit", seconds, 4, 1, "-l h_rt=3600", "1.host"),
            line("fit", seconds, 4, 1, "-l h_rt=3600", "0"),
        ];
        let log = read("accounting", lines.join("\n").as_bytes()).unwrap();
        let seen: Vec<_> =
            log.records.iter().map(|r| (r.submit, r.wait, r.run, r.requested, r.requested_time)).collect();
        let expected = [(0, 100, 300, 4, 3_600), (0, 100, 300, 4, 86_400), (0, 100, 300, 8, -1), (10, -1, 0, 1, -1)];
        assert_eq!(seen, expected);
        assert_eq!(log.records.iter().map(|r| r.status).collect::<Vec<_>>(), [1, 1, 1, 5]);
        assert_eq!((log.names.users.join(","), log.names.groups.join(",")), ("ann".to_owned(), "grp".to_owned()));
        assert_eq!([Reason::PartOnHost, Reason::NotAJob].map(|reason| log.account.count(reason)), [1, 1]);
    }

    #[test]
    fn jobs_that_could_not_start_and_the_file_reporting_are_read() {
        let seconds = ["1700000000", "1700000100", "1700000400"];
        let lines = [
            "0.1:cut:off".to_owned(),
            line("fit", seconds, 4, 1, "-l h_rt=3600", "NONE"),
            line("never", ["0", "0", "0"], 0, 2, "-l h_rt=3600", "NONE"),
        ];
        let log = read("accounting", lines.join("\n").as_bytes()).unwrap();
        let told = [Reason::CancelledUnstarted, Reason::NotAJob].map(|reason| log.account.count(reason));
        assert_eq!((log.jobs(), told), (1, [1, 1]));
        let reported = format!(
            "1700000000:new_job:1700000000:77:-1:NONE:fit:ann:grp::d:sge:1024\n1700000000:host:n1:1:X:cpu=1\n\
             1700000400:acct:{}\n",
            lines[1]
        );
        let log = read("reporting", reported.as_bytes()).unwrap();
        assert_eq!((log.jobs(), log.records[0].wait, log.records[0].run, log.account.others().all()), (1, 100, 300, 2));
    }
}

//! Accounting of LSF, `lsb.acct`: one line for each event, with texts in quotes and lists that follow their lengths.
//!
//! Only `JOB_FINISH` is about jobs. Source of the order of the values: "lsb.acct" in LSF's configuration reference.

use super::jobs::{Job, Jobs};
use super::time::{digits, id_number};
use crate::reading::{FileLine, Format, LONGEST_LINE, Limits, LogContent, ReadError};
use crate::{Reason, Seconds};

/// Values of `jStatus`.
const EXITED: &[u8] = b"32";
const DONE: &[u8] = b"64";

/// The number of values of `lsfRusage`.
const USAGE: usize = 19;

/// The number of values between the index and `submitEXT`, from `maxRMem` to `jobDescription`.
const BETWEEN: usize = 23;

/// The numbers of values that there may be for each host in `hostRusage`: as documented, and as also seen.
const HOST_USAGE: [usize; 2] = [5, 6];

/// Reads `lsb.acct`.
pub(super) struct Lsf {
    jobs: Jobs,
    /// An event whose texts have line breaks: the number of its first line, and its text so far.
    pending: Option<(u32, Vec<u8>)>,
}

impl Lsf {
    /// The reader of a file with these first lines, if it is `lsb.acct`.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let first =
            lines.iter().map(|line| line.trim_ascii()).find(|line| !line.is_empty() && !line.starts_with(b"#"))?;
        let mut values = LsfValues(first);
        let (name, version) = (values.next()?, values.next()?);
        let is_name = name.len() > 3 && name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
        let is_version = version.first().is_some_and(u8::is_ascii_digit) && version.contains(&b'.');
        (first.starts_with(b"\"") && is_name && is_version)
            .then(|| Lsf { jobs: Jobs::calling(["Project", "Job name", "Queue"], limits), pending: None })
    }

    fn event(&mut self, line: u32, event: &[u8]) -> Result<(), ReadError> {
        let mut values = LsfValues(event);
        if values.next() != Some(b"JOB_FINISH") {
            return Ok(());
        }
        match Finish::of(values) {
            None => {
                self.jobs.account.note(Reason::NotAJob, line);
                Ok(())
            }
            Some(finish) if finish.submit <= 0 => {
                self.jobs.account.note(Reason::NoSubmitTime, line);
                Ok(())
            }
            Some(finish) => finish.push(&mut self.jobs, line),
        }
    }
}

/// The values of a `JOB_FINISH` event that are used.
struct Finish<'a> {
    number: &'a [u8],
    index: &'a [u8],
    asked: Option<u32>,
    submit: Seconds,
    start: Seconds,
    end: Seconds,
    limit: Option<Seconds>,
    slots: Option<u32>,
    hosts: Option<u32>,
    user: &'a [u8],
    queue: &'a [u8],
    project: &'a [u8],
    name: &'a [u8],
    status: &'a [u8],
}

impl<'a> Finish<'a> {
    fn of(mut values: LsfValues<'a>) -> Option<Self> {
        values.next()?; // version
        let end = digits(values.next()?)?;
        let number = values.next()?;
        values.skip(2)?; // user's number, options
        let asked = digits(values.next()?).and_then(|asked| u32::try_from(asked).ok());
        let submit = digits(values.next()?)?;
        values.skip(2)?; // begin, end of the time in which it may run
        let start = digits(values.next()?)?;
        let (user, queue) = (values.next()?, values.next()?);
        values.skip(9)?; // requirements, condition, commands, folder, files
        let hosts = values.count()?;
        values.skip(hosts)?;
        let hosts = values.count()?;
        let mut names: Vec<&[u8]> = Vec::new();
        let mut slots: Seconds = 0;
        for _ in 0..hosts {
            let host = values.next()?;
            // as `16*host` where the cluster is set so
            let (times, name) = match host.iter().position(|&byte| byte == b'*') {
                Some(at) => (digits(&host[..at])?, &host[at + 1..]),
                None => (1, host),
            };
            slots += times;
            names.push(name);
        }
        names.sort_unstable();
        names.dedup();
        let status = values.next()?;
        values.skip(1)?; // factor of the host
        let name = values.next()?;
        let rest = Rest::of(values).unwrap_or_default();
        Some(Finish {
            number,
            index: rest.index,
            asked: asked.filter(|&asked| asked > 0),
            submit,
            start,
            end,
            limit: limit_among(rest.limits, if start > 0 { end - start } else { 0 }),
            slots: u32::try_from(slots).ok().filter(|&slots| slots > 0),
            hosts: u32::try_from(names.len()).ok().filter(|&hosts| hosts > 0),
            user,
            queue,
            project: rest.project,
            name,
            status,
        })
    }

    fn push(&self, jobs: &mut Jobs, line: u32) -> Result<(), ReadError> {
        let id = [self.number, b".", self.index].concat();
        let start = Some(self.start).filter(|&start| start > 0);
        let width = self.slots.or(self.asked);
        let job = Job {
            id: &id,
            number: id_number(self.number).unwrap_or(-1),
            submit: self.submit,
            start,
            run: Some(start.map_or(0, |start| (self.end - start).max(0))),
            limit: self.limit,
            allocated: width,
            requested: width,
            nodes: self.hosts,
            status: match (start, self.status) {
                (None, _) => 5,
                (_, DONE) => 1,
                (_, EXITED) => 0,
                _ => -1,
            },
            user: self.user,
            group: self.project,
            executable: self.name,
            queue: self.queue,
            ..Job::default()
        };
        jobs.push(line, &job)
    }
}

/// The values after the job's name. Their number differs from version to version.
#[derive(Default)]
struct Rest<'a> {
    project: &'a [u8],
    index: &'a [u8],
    limits: [Option<Seconds>; 2],
}

impl<'a> Rest<'a> {
    fn of(mut values: LsfValues<'a>) -> Option<Self> {
        values.skip(1 + USAGE + 1)?; // command, usage, whom to mail
        let project = values.next()?;
        let mut rest = Rest { project, ..Rest::default() };
        if values.skip(4).is_none() {
            return Some(rest); // exit status, most processors, shell, event
        }
        rest.index = values.next().unwrap_or_default();
        rest.limits = Rest::limits(values).unwrap_or_default();
        Some(rest)
    }

    /// What may be the limit of the run time, seconds. It follows two lists, beside flags (`options3`). IBM documents five
    /// values for each host of the second list, and the flags before the limit; there are also files with six values,
    /// and with the limit first. The texts that follow tell where the list ends.
    fn limits(mut values: LsfValues<'a>) -> Option<[Option<Seconds>; 2]> {
        values.skip(BETWEEN)?;
        let pairs = values.count()?;
        values.skip(pairs.checked_mul(2)?)?;
        let hosts = values.count()?;
        HOST_USAGE.into_iter().find_map(|each| {
            let mut values = values;
            for _ in 0..hosts {
                (values.is_text() && values.next().is_some()).then_some(())?;
                (1..each).try_for_each(|_| values.next_number().map(drop))?;
            }
            let limits = [values.next_number()?, values.next_number()?];
            // the memory used on average, and the requirements that were in effect; neither is in a record that ends here
            let is_whole = values.0.trim_ascii().is_empty() || (values.next_number().is_some() && values.is_text());
            is_whole.then(|| limits.map(digits))
        })
    }
}

/// The limit among two values of which one may be flags. A limit is given in minutes (`bsub -W`), flags are powers of two;
/// and a job does not run for twice as long as its limit.
fn limit_among([documented_flags, documented_limit]: [Option<Seconds>; 2], run: Seconds) -> Option<Seconds> {
    let is_limit =
        |limit: &Seconds| *limit > 0 && limit % 60 == 0 && run <= limit.saturating_mul(2).saturating_add(3_600);
    documented_limit.filter(is_limit).or(documented_flags.filter(is_limit))
}

/// The values of an event: numbers, and texts in quotes, in which two quotes are one.
#[derive(Clone, Copy)]
struct LsfValues<'a>(&'a [u8]);

impl<'a> LsfValues<'a> {
    /// The next value, without its quotes.
    fn next(&mut self) -> Option<&'a [u8]> {
        let text = self.0.trim_ascii_start();
        let Some(quoted) = text.strip_prefix(b"\"") else {
            let end = text.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(text.len());
            self.0 = &text[end..];
            return Some(&text[..end]).filter(|value| !value.is_empty());
        };
        let mut end = 0;
        loop {
            end += quoted[end..].iter().position(|&byte| byte == b'"')?;
            if quoted.get(end + 1) != Some(&b'"') {
                break;
            }
            end += 2;
        }
        self.0 = &quoted[end + 1..];
        Some(&quoted[..end])
    }

    /// Whether the next value is a text in quotes.
    fn is_text(&self) -> bool {
        self.0.trim_ascii_start().starts_with(b"\"")
    }

    /// The next value, if it is a number.
    fn next_number(&mut self) -> Option<&'a [u8]> {
        if self.is_text() {
            return None;
        }
        self.next()
    }

    /// Skips `count` values; none where there are fewer.
    fn skip(&mut self, count: usize) -> Option<()> {
        (0..count).try_for_each(|_| self.next().map(drop))
    }

    /// The length of the list that follows. -1 means an empty list.
    fn count(&mut self) -> Option<usize> {
        let value = self.next()?;
        if value == b"-1" { Some(0) } else { usize::try_from(digits(value)?).ok() }
    }
}

/// Whether a text in quotes goes on in the next line.
fn is_open(event: &[u8]) -> bool {
    event.iter().filter(|&&byte| byte == b'"').count() % 2 == 1
}

impl Format for Lsf {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        if self.pending.is_none() && (line.bytes.trim_ascii().is_empty() || line.bytes.starts_with(b"#")) {
            return Ok(());
        }
        // a new event begins: an unfinished one before it is dropped alone
        if line.bytes.starts_with(b"\"JOB_")
            && let Some((number, _)) = self.pending.take()
        {
            self.jobs.account.note(Reason::NotAJob, number);
        }
        let (number, event): (u32, Vec<u8>) = match self.pending.take() {
            Some((number, begin)) => (number, [begin.as_slice(), line.bytes].join(&b'\n')),
            None if !is_open(line.bytes) => return self.event(line.number, line.bytes),
            None => (line.number, line.bytes.to_vec()),
        };
        if event.len() > LONGEST_LINE {
            self.jobs.account.note(Reason::NotAJob, number);
        } else if is_open(&event) {
            self.pending = Some((number, event));
        } else {
            return self.event(number, &event);
        }
        Ok(())
    }

    fn jobs(&self) -> usize {
        self.jobs.len()
    }

    fn finish(mut self: Box<Self>) -> Result<LogContent, ReadError> {
        if let Some((number, _)) = self.pending.take() {
            self.jobs.account.note(Reason::NotAJob, number);
        }
        self.jobs.finish(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::read;

    /// A job's event; `command` may have anything in it.
    fn finish(number: u32, start: u32, hosts: &str, command: &str) -> String {
        let usage = ["0.5"; USAGE].join(" ");
        let between = ["\"x\""; BETWEEN].join(" ");
        format!(
            "\"JOB_FINISH\" \"10.1\" 1700000400 {number} 1000 33554434 4 1700000000 0 0 {start} \"ann\" \"normal\" \
             \"select[type==any]\" \"\" \"\" \"login\" \"/home/ann\" \"\" \"out\" \"\" \"file\" 0 {hosts} 64 60.0 \"fit\" \
             \"{command}\" {usage} \"\" \"lab\" 0 4 \"\" \"\" 3 {between} 2 1 \"a\" 2 \"b\" 1 \"n1\" 0 0 0 0 512 7200 \
             12 \"\"\n"
        )
    }

    #[test]
    fn events_are_read_with_their_lists() {
        let text = [
            "\"JOB_NEW\" \"10.1\" 1700000000 1\n".to_owned(),
            finish(1, 1_700_000_100, "3 \"n1\" \"n1\" \"n2\"", "run it"),
            finish(2, 1_700_000_100, "2 \"16*n1\" \"8*n2\"", "say \"\"hello\"\"\nand go"),
            finish(3, 0, "0", "never"),
            "\"JOB_FINISH\" \"10.1\" 1700000400 4\n".to_owned(),
        ]
        .concat();
        let log = read("lsb.acct", text.as_bytes()).unwrap();
        let seen: Vec<_> = log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested, r.status)).collect();
        assert_eq!(seen, [(1, 100, 300, 3, 1), (2, 100, 300, 24, 1), (3, -1, 0, 4, 5)]);
        assert_eq!(log.records[0].requested_time, 7_200);
        assert_eq!(log.beyond.nodes, [2, 2, -1]);
        assert_eq!((log.names.users.join(","), log.names.groups.join(",")), ("ann".to_owned(), "lab".to_owned()));
        assert_eq!(log.account.count(Reason::NotAJob), 1);
    }

    #[test]
    fn flags_are_never_a_limit() {
        let of = |flags: i64, limit: i64, run| limit_among([Some(flags), Some(limit)], run);
        assert_eq!(of(512, 7_200, 300), Some(7_200), "as documented");
        assert_eq!(of(259_200, 37_748_736, 300), Some(259_200), "the limit first");
        assert_eq!(of(259_200, 64, 240_307), Some(259_200));
        assert_eq!(of(0, 37_748_736, 300), None);
        assert_eq!(of(64, 60, 240_307), None);
        assert_eq!([of(512, 0, 300), of(512, -1, 300)], [None; 2]);
        let seen = |tail: &str| {
            let text = finish(1, 1_700_000_100, "1 \"n1\"", "run").replace("1 \"n1\" 0 0 0 0 512 7200 12 \"\"", tail);
            read("lsb.acct", text.as_bytes()).unwrap().records[0].requested_time
        };
        assert_eq!(seen("1 \"n1\" 1 2 3 4 37748736 7200 12 \"r\""), 7_200);
        assert_eq!(seen("1 \"n1\" 1 2 3 4 5 7200 37748736 12 \"r\""), 7_200, "six values for a host");
        assert_eq!(seen("2 \"n1\" 1 2 3 4 \"n2\" 1 2 3 4 64 -1 12 \"r\""), -1, "no limit");
        assert_eq!(seen("0 37748736 7200 12 \"r\""), 7_200);
    }

    #[test]
    fn a_file_of_one_event_with_quotes_in_its_command_is_no_swf() {
        let text =
            finish(7, 1_700_000_100, "2 \"16*n1\" \"16*n2\"", "#BSUB -R \"\"span[ptile=16]\"\";#BSUB -J fit;date");
        let log = read("lsb.acct", text.replace("\"10.1\"", "\"9.11\"").as_bytes()).unwrap();
        let first = &log.records[0];
        assert_eq!((first.number, first.requested, first.requested_time), (7, 32, 7_200));
    }
}

//! Accounting of LSF, `lsb.acct`: one line for each event, with texts in quotes and lists that follow their lengths.
//!
//! `JOB_FINISH` is a job that has ended. Where events of starts are there too (`lsb.events`), a job that was started and
//! has not ended still runs. Source of the order of the values: "lsb.acct" and "lsb.events" in LSF's configuration
//! reference, versions 7 to 10.1; each version has further values at the end.

use super::jobs::{AccountedJob, JobCollector};
use super::time::{digits, id_number};
use crate::reading::{FileLine, Format, LONGEST_LINE, Limits, LogContent, ReadError};
use crate::{OtherLine, Reason, Seconds};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values of `jStatus`.
const EXITED: &[u8] = b"32";
const DONE: &[u8] = b"64";
const RUNS: &[u8] = b"4";
/// Suspended by the system, and by its user or an administrator.
const SUSPENDED: [&[u8]; 2] = [b"8", b"16"];

/// The number of values of `lsfRusage`.
const USAGE: usize = 19;

/// The number of values between the index and `submitEXT`, from `maxRMem` to `jobDescription`.
const BETWEEN: usize = 23;

/// How many numbers stand behind the name of a host in `hostRusage`: its usage, and in newer versions how many further values
/// follow, which is none. Behind those of the last host follow the run limit and flags (`options3`), in either order.
const BEHIND_HOST: usize = 4;

/// The most numbers behind the name of a host, with what follows the last one, up to the text with its requirements.
const MOST_BEHIND_HOST: usize = 16;

/// The place of the run limit among those of a job, and how many there are.
const RUN_LIMIT: usize = 9;
const LIMITS: usize = 11;

/// Options of a job (`SUB_JOB_NAME` and its like).
const JOB_NAME: Seconds = 0x1;
const QUEUE: Seconds = 0x2;
const HOSTS: Seconds = 0x4;
const REQUIREMENTS: Seconds = 0x40;

/// Numbers of processors from this on mean that the usual one is asked for.
const NO_PROCESSORS: u32 = i32::MAX as u32 - 1;

const EVENTS: [&[u8]; 3] = [b"\"JOB_", b"\"EVENT_", b"\"QUEUE_"];

/// Reads `lsb.acct`.
pub(super) struct Lsf {
    jobs: JobCollector,
    /// An event whose texts have line breaks: the number of its first line, and its text so far.
    pending: Option<(u32, Vec<u8>)>,
    submitted: FxHashMap<Box<[u8]>, Submission>,
    /// The last start of each job that has not ended, by its id.
    started: FxHashMap<Vec<u8>, Start>,
}

/// A submission, as `JOB_NEW` tells it.
struct Submission {
    line: u32,
    submit: Seconds,
    asked: Option<u32>,
    limit: Option<Seconds>,
    user: Box<[u8]>,
    queue: Box<[u8]>,
    started: bool,
    /// When the job was killed before it started.
    over: Option<Seconds>,
}

/// A start, as `JOB_START` tells it.
struct Start {
    line: u32,
    number: Box<[u8]>,
    start: Seconds,
    slots: Option<u32>,
    hosts: Option<u32>,
    /// When the job ended, and whether all was well, as `JOB_STATUS` tells it.
    ended: Option<(Seconds, bool)>,
    /// For how long it was suspended, and since when it is.
    suspended: Seconds,
    suspended_since: Option<Seconds>,
}

impl Start {
    fn suspended_until(&self, time: Seconds) -> Seconds {
        self.suspended + self.suspended_since.map_or(0, |since| (time - since).max(0))
    }
}

impl Lsf {
    /// The reader of a file with these first lines, if it is `lsb.acct`.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        // the first line may be cut, and texts have lines of their own
        lines.iter().any(|line| begins_event(line.trim_ascii())).then(|| Lsf {
            jobs: JobCollector::calling(["Project", "Job name", "Queue"], limits),
            pending: None,
            submitted: FxHashMap::default(),
            started: FxHashMap::default(),
        })
    }

    fn event(&mut self, line: u32, event: &[u8]) -> Result<(), ReadError> {
        let mut values = LsfValues(event);
        let kind = values.next();
        if kind == Some(b"JOB_FINISH") {
            return match Finish::of(values) {
                None => {
                    self.jobs.account.note_text(Reason::NotAJob, line, event);
                    Ok(())
                }
                Some(finish) => {
                    let start = self.started.remove(&finish.id());
                    self.submitted.remove(finish.number);
                    let suspended = start.map_or(0, |start| start.suspended_until(finish.end));
                    finish.push(&mut self.jobs, line, event, suspended)
                }
            };
        }
        match kind {
            Some(b"JOB_NEW") => drop(self.submission(line, values)),
            Some(b"JOB_MODIFY2") => drop(self.modification(values)),
            Some(b"JOB_SWITCH") => drop(self.switch(values)),
            Some(b"JOB_START") => drop(self.start(line, values)),
            Some(b"JOB_STATUS") => drop(self.status(values)),
            _ => {}
        }
        self.jobs.account.pass(OtherLine::Event);
        Ok(())
    }

    fn submission(&mut self, line: u32, mut values: LsfValues<'_>) -> Option<()> {
        values.skip(2)?; // version, time
        let number = values.next()?;
        values.skip(2)?; // user's number, options
        let asked = digits(values.next()?).and_then(|asked| u32::try_from(asked).ok()).filter(|&asked| asked > 0);
        let submit = digits(values.next()?)?;
        values.skip(5)?; // begin, end, signal, period of checkpoints, process
        let user = values.next()?.into();
        let limit = values.run_limit();
        values.skip(3); // host and its factor, umask
        let queue = values.next().unwrap_or_default().into();
        let submission = Submission { line, submit, asked, limit, user, queue, started: false, over: None };
        self.submitted.insert(number.into(), submission);
        Some(())
    }

    /// What a job asks for is changed: what is said last counts. What is said of single tasks of an array is passed over.
    fn modification(&mut self, mut values: LsfValues<'_>) -> Option<()> {
        values.skip(2)?; // version, time
        let submission = self.submitted.get_mut(values.next()?)?;
        let options = digits(values.next()?)?;
        while values.next_number().is_some() {} // further options, user's number
        values.skip(3)?; // user, time of submission, umask
        let asked = digits(values.next()?).and_then(|asked| u32::try_from(asked).ok());
        submission.asked = asked.filter(|asked| (1..NO_PROCESSORS).contains(asked)).or(submission.asked);
        values.skip(4)?; // begin, end, signal, process
        // some versions leave out what is not changed
        let (queue, limit) = changes(values, None).or_else(|| changes(values, Some(options)))?;
        if !queue.is_empty() {
            submission.queue = queue.into();
        }
        submission.limit = limit.or(submission.limit);
        Some(())
    }

    /// A job goes into another queue.
    fn switch(&mut self, mut values: LsfValues<'_>) -> Option<()> {
        values.skip(3)?; // version, time, user's number
        let submission = self.submitted.get_mut(values.next()?)?;
        submission.queue = values.next()?.into();
        Some(())
    }

    fn start(&mut self, line: u32, mut values: LsfValues<'_>) -> Option<()> {
        values.skip(1)?; // version
        let start = digits(values.next()?)?;
        let number = values.next()?;
        values.skip(4)?; // status, processes, factor of the host
        let (slots, hosts) = values.hosts()?;
        values.skip(4)?; // commands, flags, group
        let id = id_of(number, values.next().unwrap_or_default());
        if let Some(submission) = self.submitted.get_mut(number) {
            submission.started = true;
        }
        let number = number.into();
        let job = Start { line, number, start, slots, hosts, ended: None, suspended: 0, suspended_since: None };
        self.started.insert(id, job);
        Some(())
    }

    /// A job has ended, is suspended or runs on where its status says so. `lsb.events` has no other record of it.
    fn status(&mut self, mut values: LsfValues<'_>) -> Option<()> {
        values.skip(1)?; // version
        let (time, number, status) = (digits(values.next()?)?, values.next()?, values.next()?);
        let is_suspended = SUSPENDED.contains(&status);
        if !is_suspended && !matches!(status, RUNS | EXITED | DONE) {
            return Some(());
        }
        values.skip(3); // reasons, CPU time
        let end = values.next().and_then(digits).filter(|&end| end > 0).unwrap_or(time);
        if values.next() == Some(b"1") {
            values.skip(USAGE);
        }
        // flags, the exit status, and the task of an array; old versions have no flags
        let behind = [values.next(), values.next(), values.next()];
        let ids = [Some(&b"0"[..]), behind[2], behind[1]].into_iter().flatten().map(|index| id_of(number, index));
        let id = ids.into_iter().find(|id| self.started.contains_key(id));
        match id.and_then(|id| self.started.get_mut(&id)) {
            Some(start) if is_suspended => _ = start.suspended_since.get_or_insert(time),
            Some(start) if status == RUNS => {
                start.suspended = start.suspended_until(time);
                start.suspended_since = None;
            }
            None if is_suspended || status == RUNS => {}
            Some(start) => start.ended = Some((end, status == DONE)),
            None => {
                let waiting = self.submitted.get_mut(number).filter(|submission| !submission.started);
                waiting.into_iter().for_each(|submission| submission.over = Some(time));
            }
        }
        Some(())
    }

    /// Drops an event whose lines never became a complete one.
    fn give_up_pending(&mut self) {
        if let Some((number, event)) = self.pending.take() {
            self.jobs.account.note_text(Reason::NotAJob, number, &event);
        }
    }

    /// Settles what became of jobs that have no event of their end.
    fn settle(&mut self) -> Result<(), ReadError> {
        let running: FxHashSet<Vec<u8>> =
            self.jobs.without(self.started.keys().map(Vec::as_slice)).into_iter().map(<[u8]>::to_vec).collect();
        let mut running: Vec<(Vec<u8>, Start)> = self.started.drain().filter(|(id, _)| running.contains(id)).collect();
        running.sort_unstable_by_key(|(_, start)| start.line);
        for (id, begun) in running {
            let suspended = begun.ended.map_or(0, |(end, _)| begun.suspended_until(end));
            let Start { line, number, start, slots, hosts, ended, .. } = begun;
            // the start is an event no more, but the record of a job
            self.jobs.account.unpass(OtherLine::Event);
            let submission = self.submitted.get(&number);
            let width = slots.or_else(|| submission.and_then(|submission| submission.asked));
            let job = AccountedJob {
                id: &id,
                number: id_number(&number).unwrap_or(-1),
                // where the submission is not told, the job is known from its start on
                submit: submission.map_or(start, |submission| submission.submit),
                start: Some(start),
                allocated: width,
                requested: width,
                asked: slots.and(submission.and_then(|submission| submission.asked)),
                limit: submission.and_then(|submission| submission.limit),
                queue: submission.map_or(&b""[..], |submission| &submission.queue),
                nodes: hosts,
                run: ended.map(|(end, _)| (end - start - suspended).max(0)),
                suspended,
                end: ended.map(|(end, _)| end),
                status: ended.map_or(-1, |(_, is_done)| i32::from(is_done)),
                user: submission.map_or(&b""[..], |submission| &submission.user),
                still_runs: ended.is_none(),
                ..AccountedJob::default()
            };
            self.jobs.push(line, &job)?;
        }
        let waiting = self.submitted.iter().filter(|(_, submission)| !submission.started);
        let mut waiting: Vec<(&[u8], &Submission)> =
            waiting.map(|(number, submission)| (&**number, submission)).collect();
        waiting.sort_unstable_by_key(|(_, submission)| submission.line);
        for (number, &Submission { line, submit, asked, limit, ref user, ref queue, over, .. }) in waiting {
            self.jobs.account.unpass(OtherLine::Event);
            let reason = if over.is_some() { Reason::CancelledUnstarted } else { Reason::NotStarted };
            let job = AccountedJob {
                id: &id_of(number, b""),
                number: id_number(number).unwrap_or(-1),
                submit,
                requested: asked,
                allocated: asked,
                limit,
                user,
                queue,
                left: over,
                ..AccountedJob::default()
            };
            self.jobs.never_started(reason, line, &job);
        }
        Ok(())
    }
}

/// The queue and the run limit of a modification, behind the numbers of its processes: of one that has every value, or those of
/// some options alone.
fn changes<'a>(mut values: LsfValues<'a>, options: Option<Seconds>) -> Option<(&'a [u8], Option<Seconds>)> {
    let has = |option: Seconds| options.is_none_or(|options| options & option > 0);
    let text = |values: &mut LsfValues<'a>, is_there: bool| match () {
        () if !is_there => Some(&b""[..]),
        () if values.is_text() => values.next(),
        () => None,
    };
    text(&mut values, has(JOB_NAME))?;
    let queue = text(&mut values, has(QUEUE))?;
    if has(HOSTS) {
        let hosts = values.count()?;
        values.skip(hosts)?;
    }
    text(&mut values, has(REQUIREMENTS))?;
    Some((queue, values.run_limit()))
}

/// Whether a line begins with the name of an event and a version.
fn begins_event(line: &[u8]) -> bool {
    let mut values = LsfValues(line);
    let (Some(name), Some(version)) = (values.next(), values.next()) else { return false };
    line.starts_with(b"\"")
        && name.len() > 3
        && name.iter().all(|byte| byte.is_ascii_uppercase() || matches!(*byte, b'_' | b'0'..=b'9'))
        && version.first().is_some_and(u8::is_ascii_digit)
        && version.contains(&b'.')
}

/// The id of a job of this number, or of a task of the array of this number.
fn id_of(number: &[u8], index: &[u8]) -> Vec<u8> {
    [number, b".", if index.is_empty() { b"0" } else { index }].concat()
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
        let asked_hosts = values.count()?;
        values.skip(asked_hosts)?;
        let (slots, hosts) = values.hosts()?;
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
            limit: rest.limit.filter(|&limit| limit > 0),
            // the list may name each host once, however many slots of it the job has
            slots: slots.max(rest.slots),
            hosts,
            user,
            queue,
            project: rest.project,
            name,
            status,
        })
    }

    fn id(&self) -> Vec<u8> {
        id_of(self.number, self.index)
    }

    fn push(&self, jobs: &mut JobCollector, line: u32, event: &[u8], suspended: Seconds) -> Result<(), ReadError> {
        let id = self.id();
        let start = Some(self.start).filter(|&start| start > 0);
        let width = self.slots.or(self.asked);
        let job = AccountedJob {
            id: &id,
            number: id_number(self.number).unwrap_or(-1),
            submit: Some(self.submit).filter(|&submit| submit > 0).unwrap_or(-1),
            start,
            run: Some(start.map_or(0, |start| (self.end - start - suspended).max(0))),
            suspended,
            end: start.map(|_| self.end),
            limit: self.limit,
            allocated: width,
            requested: width,
            asked: self.asked,
            left: start.is_none().then_some(self.end),
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
            text: event,
            ..AccountedJob::default()
        };
        jobs.push(line, &job)
    }
}

/// The values after the job's name. Their number differs from version to version.
#[derive(Default)]
struct Rest<'a> {
    project: &'a [u8],
    index: &'a [u8],
    limit: Option<Seconds>,
    /// The slots that it was given, where the version tells them.
    slots: Option<u32>,
}

/// The kinds of the values from the text with the effective requirements to the number of networks, and of those behind
/// the networks up to the number of slots: whether each is a text.
const BEFORE_NETWORKS: [bool; 13] =
    [true, true, false, true, false, false, false, false, false, true, false, true, false];
const BEFORE_SLOTS: [bool; 7] = [true, false, false, false, false, false, false];

impl<'a> Rest<'a> {
    fn of(mut values: LsfValues<'a>) -> Option<Self> {
        values.skip(1 + USAGE + 1)?; // command, usage, whom to mail
        let project = values.next()?;
        let mut rest = Rest { project, ..Rest::default() };
        if values.skip(4).is_none() {
            return Some(rest); // exit status, most processors, shell, event
        }
        rest.index = values.next().unwrap_or_default();
        (rest.limit, rest.slots) = Rest::limit(values).unwrap_or_default();
        Some(rest)
    }

    /// The limit of the run time, seconds, none where the version has none, or there is no limit; and the slots. They follow
    /// two lists: pairs of names and values, and the usage of each host.
    fn limit(mut values: LsfValues<'a>) -> Option<(Option<Seconds>, Option<u32>)> {
        values.skip(BETWEEN)?;
        let pairs = values.count()?;
        values.skip(pairs.checked_mul(2)?)?;
        let hosts = values.count()?;
        if hosts == 0 {
            let (first, second) = (values.next_number()?, values.next_number()?);
            values.next_number(); // the memory used on average
            return Some((run_limit(first, second), Rest::slots(values)));
        }
        // the name of each host begins its entry, whatever its length
        let mut numbers: Vec<&[u8]> = Vec::with_capacity(MOST_BEHIND_HOST);
        let mut each = None;
        for host in 0..hosts {
            // some versions write the name without quotes
            values.next()?;
            if host > 0 {
                each = Some(numbers.len());
            }
            numbers.clear();
            while numbers.len() < MOST_BEHIND_HOST
                && let Some(number) = values.next_number()
            {
                numbers.push(number);
            }
        }
        let has_one_more = each.map_or(numbers.len() >= 8, |each| each > BEHIND_HOST);
        let behind = BEHIND_HOST + usize::from(has_one_more);
        let limit = numbers.get(behind).zip(numbers.get(behind + 1));
        Some((limit.and_then(|(first, second)| run_limit(first, second)), Rest::slots(values)))
    }

    /// The number of slots that the job was given, which newer versions tell far behind its requirements; none where one of
    /// the values between is not of its kind.
    fn slots(mut values: LsfValues<'a>) -> Option<u32> {
        let mut last: &[u8] = b"";
        for is_text in BEFORE_NETWORKS {
            (values.is_text() == is_text).then_some(())?;
            last = values.next()?;
        }
        values.skip(usize::try_from(digits(last)?).ok()?.checked_mul(2)?)?;
        for is_text in BEFORE_SLOTS {
            (values.is_text() == is_text).then_some(())?;
            last = values.next()?;
        }
        u32::try_from(digits(last)?).ok().filter(|&slots| slots > 0)
    }
}

/// Which of two numbers is the run limit, of which the other has flags; none where there is no limit. It is in whole minutes,
/// unless the host's speed counts; and flags begin at 64.
fn run_limit(first: &[u8], second: &[u8]) -> Option<Seconds> {
    if [first, second].contains(&&b"-1"[..]) {
        return None;
    }
    let told = || [first, second].into_iter().filter_map(digits).filter(|&limit| limit > 0);
    told().find(|limit| limit % 60 == 0).or_else(|| told().find(|limit| limit % 64 != 0))
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
        let mut ahead = *self;
        let number =
            ahead.next().filter(|value| value.iter().all(|byte| byte.is_ascii_digit() || b"-.".contains(byte)));
        let number = number.filter(|number| !number.is_empty() && !self.is_text())?;
        *self = ahead;
        Some(number)
    }

    /// The run limit among the limits that follow, seconds; none where there is none.
    fn run_limit(&mut self) -> Option<Seconds> {
        let limits: Option<Vec<&[u8]>> = (0..LIMITS).map(|_| self.next_number()).collect();
        digits(limits?[RUN_LIMIT]).filter(|&limit| limit > 0)
    }

    /// Skips `count` values; none where there are fewer.
    fn skip(&mut self, count: usize) -> Option<()> {
        (0..count).try_for_each(|_| self.next().map(drop))
    }

    /// The hosts that follow: the number of their slots, and that of different hosts.
    fn hosts(&mut self) -> Option<(Option<u32>, Option<u32>)> {
        let count = self.count()?;
        let mut names: Vec<&[u8]> = Vec::new();
        let mut slots: Seconds = 0;
        for _ in 0..count {
            let host = self.next()?;
            // as `16*host` where the cluster is set so
            let (times, name) = match host.iter().position(|&byte| byte == b'*') {
                Some(at) => (digits(&host[..at])?, &host[at + 1..]),
                None => (1, host),
            };
            slots = slots.saturating_add(times);
            names.push(name);
        }
        names.sort_unstable();
        names.dedup();
        let positive = |count: Option<u32>| count.filter(|&count| count > 0);
        Some((positive(u32::try_from(slots).ok()), positive(u32::try_from(names.len()).ok())))
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
        if self.pending.is_none() {
            let kind = match line.bytes.trim_ascii().first() {
                None => Some(OtherLine::Blank),
                Some(b'#') => Some(OtherLine::Comment),
                Some(_) => None,
            };
            if let Some(kind) = kind {
                self.jobs.account.pass(kind);
                return Ok(());
            }
        }
        // a new event begins: an unfinished one before it is dropped alone
        if EVENTS.iter().any(|begin| line.bytes.starts_with(begin)) {
            self.give_up_pending();
        }
        let (number, event): (u32, Vec<u8>) = match self.pending.take() {
            Some((number, begin)) => {
                self.jobs.account.pass(OtherLine::Continued);
                (number, [begin.as_slice(), line.bytes].join(&b'\n'))
            }
            None if !is_open(line.bytes) => return self.event(line.number, line.bytes),
            None => (line.number, line.bytes.to_vec()),
        };
        if event.len() > LONGEST_LINE {
            self.jobs.account.note_text(Reason::NotAJob, number, &event);
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
        self.give_up_pending();
        self.settle()?;
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
    fn a_file_may_begin_in_the_middle_of_an_event() {
        let text = format!("\"\" \"default\" 0 4 \"\" 0 2048\n{}", finish(1, 1_700_000_100, "1 \"n1\"", "run"));
        let log = read("lsb.acct", text.as_bytes()).unwrap();
        assert_eq!((log.jobs(), log.records[0].run), (1, 300));
        assert_eq!(log.header.word("Executable"), "Job name");
    }

    #[test]
    fn jobs_whose_end_only_their_status_tells_have_ended() {
        let new = |number: u32| {
            format!(
                "\"JOB_NEW\" \"10.1\" 1700000000 {number} 1000 33554434 4 1700000000 0 0 -65535 0 0 \"ann\" \"x\"\n"
            )
        };
        let start = |number: u32, index: u32| {
            format!(
                "\"JOB_START\" \"10.1\" 1700000060 {number} 4 9 9 60.0 2 \"n1\" \"n2\" \"\" \"\" 0 \"\" {index} \"\"\n"
            )
        };
        let status = |number: u32, status: u32, ran: u32, behind: &str| {
            format!("\"JOB_STATUS\" \"10.1\" 1700000999 {number} {status} 0 0 1.5 {} {behind}\n", 1_700_000_060 + ran)
        };
        let usage = "1.0 ".repeat(USAGE);
        let lines = [
            (1..=5).map(new).collect::<String>(),
            start(1, 0) + &start(2, 7) + &start(2, 8) + &start(3, 0),
            status(1, 64, 600, "0 0 0 0 0"),
            status(2, 32, 700, &format!("1 {usage}0 256 7 0 0")),
            status(4, 32, 0, "0 0 256 0 0"),
        ];
        let log = read("lsb.events", lines.concat().as_bytes()).unwrap();
        let seen: Vec<_> = log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested, r.status)).collect();
        assert_eq!(seen, [(1, 60, 600, 2, 1), (2, 60, 700, 2, 0), (2, 60, -1, 2, -1), (3, 60, -1, 2, -1)]);
        let reasons = [Reason::StillRunning, Reason::CancelledUnstarted, Reason::NotStarted];
        assert_eq!(reasons.map(|reason| log.account.count(reason)), [2, 1, 1]);
    }

    #[test]
    fn suspended_time_is_no_run_time() {
        let start = |number: u32| {
            format!("\"JOB_START\" \"10.1\" 1700000100 {number} 4 9 9 60.0 1 \"n1\" \"\" \"\" 0 \"\" 3 \"\"\n")
        };
        let status = |number: u32, status: u32, after: u32| {
            let time = 1_700_000_100 + after;
            format!("\"JOB_STATUS\" \"10.1\" {time} {number} {status} 0 0 0.0 0 0 0 0 3\n")
        };
        let ended = "\"JOB_STATUS\" \"10.1\" 1700000500 2 64 0 0 1.5 1700000400 0 0 0 3\n".to_owned();
        let lines = [
            [start(1), status(1, 4, 0), status(1, 16, 60), status(1, 8, 70), status(1, 4, 90)].concat(),
            [status(1, 4, 95), finish(1, 1_700_000_100, "1 \"n1\"", "run")].concat(),
            // it is suspended as it ends
            [start(2), status(2, 8, 200), ended].concat(),
            // nothing is known of its start
            [status(3, 8, 200), finish(3, 1_700_000_100, "1 \"n1\"", "run")].concat(),
        ];
        let log = read("lsb.events", lines.concat().as_bytes()).unwrap();
        let runs: Vec<_> = log.records.iter().map(|r| (r.number, r.run)).collect();
        assert_eq!(runs, [(1, 300 - 30), (3, 300), (2, 200)]);
        assert_eq!([Reason::Suspended, Reason::ElapsedDiffers].map(|reason| log.account.count(reason)), [2, 0]);
    }

    #[test]
    fn what_is_modified_counts_as_it_was_last_said() {
        let limits = |run: i64| format!("{} {run} -1", ["-1"; RUN_LIMIT].join(" "));
        let new = |number: u32| {
            format!(
                "\"JOB_NEW\" \"10.1\" 1700000000 {number} 1000 33554434 4 1700000000 0 0 0 0 0 \"ann\" {} \"\" 60.0 18 \"normal\" \
                 \"\" \"login\" \"/home/ann\" \"\" \"in\" \"out\"\n",
                limits(3_600)
            )
        };
        let start = |number: u32| {
            format!("\"JOB_START\" \"10.1\" 1700000100 {number} 4 1 1 60.0 1 \"n1\" \"\" \"\" 0 \"\" 0 \"\"\n")
        };
        let ended =
            |number: u32| format!("\"JOB_STATUS\" \"10.1\" 1700000500 {number} 64 0 0 1.5 1700000400 0 0 0 0\n");
        let modify = |id: &str, options: u32, processors: i64, rest: &str| {
            format!(
                "\"JOB_MODIFY2\" \"10.1\" 1700000050 \"{id}\" {options} 0 0 0 1000 \"ann\" 1700000000 18 {processors} 0 0 0 0 {rest}\n"
            )
        };
        let (limit, none) = (limits(7_200), limits(-1));
        let lines = [
            [1, 2, 3, 4, 5].map(new).concat(),
            // of one version all values, of another those that change
            modify("1", 2, 8, &format!("\"\" \"long\" 0 \"\" {limit} \"\" \"\"")),
            modify("2", 0x2 | 0x40, 2_147_483_647, &format!("\"fast\" \"span[hosts=1]\" {none} \"\"")),
            modify("3", 0, 0, &format!("{limit} \"\"")),
            modify("4[2]", 0, 8, &format!("{limit} \"\"")),
            "\"JOB_SWITCH\" \"10.1\" 1700000060 1000 4 \"night\" 0 0 \"ann\"\n".to_owned(),
            [1, 2, 3, 4].map(start).concat(),
            [1, 2, 3, 4].map(ended).concat(),
            modify("5", 0, 16, &format!("{limit} \"\"")),
        ];
        let log = read("lsb.events", lines.concat().as_bytes()).unwrap();
        let queue = |r: &crate::Record| log.names.queues[r.queue as usize - 1].as_str();
        let seen: Vec<_> = log.records.iter().map(|r| (r.number, r.requested_time, queue(r))).collect();
        assert_eq!(seen, [(1, 7_200, "long"), (2, 3_600, "fast"), (3, 7_200, "normal"), (4, 3_600, "night")]);
        let waits = log.beyond.unstarted[0].job.as_ref().unwrap();
        assert_eq!((waits.record.number, waits.record.requested, waits.record.requested_time), (5, 16, 7_200));
    }

    #[test]
    fn flags_are_never_a_limit() {
        let seen = |tail: &str| {
            let text = finish(1, 1_700_000_100, "1 \"n1\"", "run").replace("1 \"n1\" 0 0 0 0 512 7200 12 \"\"", tail);
            read("lsb.acct", text.as_bytes()).unwrap().records[0].requested_time
        };
        assert_eq!(seen("1 \"n1\" 1 2 3 4 37748736 7200 12 \"r\""), 7_200);
        assert_eq!(seen("1 \"n1\" 1 2 3 4 5 7200 37748736 12 \"r\""), 7_200, "six values for a host");
        assert_eq!(seen("2 \"n1\" 1 2 3 4 \"n2\" 1 2 3 4 64 -1 12 \"r\""), -1, "no limit");
        assert_eq!(seen("0 37748736 7200 12 \"r\""), 7_200);
    }

    /// A job's event as each version writes it, with these values behind its name, in quotes or not.
    fn of_version(version: &str, behind_host_usage: &str) -> String {
        let usage = ["0.5"; USAGE].join(" ");
        // maxRMem, maxRSwap, inFileSpool, commandSpool, rsvId, sla, exceptMask, additionalInfo, exitInfo, warningAction,
        // warningTimePeriod, chargedSAAP, licenseProject
        let of_7 = "2048 4096 \"\" \"\" \"\" \"\" 0 \"\" 0 \"\" -1 \"\" \"\"";
        // app, postExecCmd, runtimeEstimation, jobGroupName, requeueEvalues, options2, resizeNotifyCmd, lastResizeTime,
        // rsvId, jobDescription, submitEXT
        let of_8 = "\"app\" \"\" -1 \"/g\" \"\" 1040 \"\" -1 \"\" \"a fit\" 1 \"x\" \"1\"";
        let tail = match version {
            "7.0" => of_7.to_owned(),
            "8.0" => format!("{of_7} {of_8}"),
            _ => format!("{of_7} {of_8} {behind_host_usage}"),
        };
        format!(
            "\"JOB_FINISH\" \"{version}\" 1700000400 7 1000 33554434 4 1700000000 0 0 1700000100 \"ann\" \"normal\" \"\" \"\" \
             \"\" \"login\" \"/home/ann\" \"\" \"out\" \"\" \"file\" 0 2 \"n1\" \"n2\" 64 60.0 \"fit\" \"run\" {usage} \"\" \
             \"lab\" 0 4 \"\" \"\" 3 {tail}\n"
        )
    }

    #[test]
    fn the_layout_of_each_version_is_known() {
        let seen = |version: &str, behind: &str| {
            let log = read("lsb.acct", of_version(version, behind).as_bytes()).unwrap();
            let record = &log.records[0];
            (record.requested_time, record.requested, log.names.groups.join(","))
        };
        let lab = || "lab".to_owned();
        assert_eq!(seen("7.0", ""), (-1, 2, lab()), "no limit is in the record");
        assert_eq!(seen("8.0", ""), (-1, 2, lab()));
        // srcCluster to subcwd, networks, affinity, energy and counters, slots
        let rest = |slots: u32| {
            format!(
                "\"r\" \"\" 0 \"\" 0 0 0 0 0 \"/out\" 300 \"/sub\" 1 \"net\" 4 \"\" 0.0 0.0 0.0 0.0 0.0 {slots} \"n1\" 0"
            )
        };
        // hosts with memory, swap, times; then options3, runLimit, avgMem
        let hosts = "2 \"n1\" 1 2 3 4 \"n2\" 1 2 3 4";
        let of_9 = format!("{hosts} 37748736 7200 12 {}", rest(24));
        assert_eq!(seen("9.13", &of_9), (7_200, 24, lab()), "each host is named once, and has 12 slots");
        let of_10 = format!("{hosts} 64 7230 12 {} 0 -1 0 1 \"k\" \"v\" 0", rest(0));
        assert_eq!(seen("10.1", &of_10), (7_230, 2, lab()), "a limit need not be in whole minutes");
        assert_eq!(seen("10.1", &format!("0 64 -1 12 {}", rest(2))), (-1, 2, lab()));
        // a number more for each host: the limit, flags
        let wider = "2 \"n1\" 1 2 3 4 5 \"n2\" 1 2 3 4 5";
        assert_eq!(seen("10.1", &format!("{wider} 259200 64 12 {}", rest(2))), (259_200, 2, lab()));
        assert_eq!(seen("10.1", &format!("{wider} 37748736 259200 12 {}", rest(2))), (259_200, 2, lab()));
        assert_eq!(seen("10.1", "1 \"n1\" 1 2 3 4 37748736 240 12 \"r\""), (240, 2, lab()));
        assert_eq!(seen("10.1", "1 \"n1\" 1 2 3 4 5 -1 37748736 12 \"r\""), (-1, 2, lab()));
    }

    #[test]
    fn a_file_of_one_event_with_quotes_in_its_command_is_no_swf() {
        let text =
            finish(7, 1_700_000_100, "2 \"16*n1\" \"16*n2\"", "#BSUB -R \"\"span[ptile=16]\"\";#BSUB -J fit;date");
        let log = read("lsb.acct", text.replace("\"10.1\"", "\"9.11\"").as_bytes()).unwrap();
        let first = &log.records[0];
        assert_eq!((first.number, first.requested, first.requested_time), (7, 32, 7_200));
    }

    #[test]
    fn run_limits_of_real_records_stand_before_their_flags() {
        let seen = |tail: &str| {
            let text = finish(1, 1_700_000_100, "1 \"n1\"", "run").replace("1 \"n1\" 0 0 0 0 512 7200 12 \"\"", tail);
            let record = read("lsb.acct", text.as_bytes()).unwrap().records[0].clone();
            (record.requested_time, record.requested)
        };
        let rest = |slots: u32| {
            format!(
                "\"r\" \"\" -1 \"\" -1 0 \"\" 0 0 \"\" 3 \"/root\" 0 \"\" 0.000000 0.00 0.00 0.00 0.00 {slots} \"n1\" -1"
            )
        };
        assert_eq!(seen(&format!("0 -1 4194304 1024 {}", rest(1))).0, -1, "version 10.1.0.8, no limit");
        assert_eq!(seen(&format!("0 3600 4194304 1024 {}", rest(1))).0, 3_600);
        assert_eq!(seen(&format!("0 -1 64 2048 {}", rest(1))).0, -1, "version 9.13");
        assert_eq!(seen(&format!("0 0 0 2048 {}", rest(1))).0, -1);
        let hosts = "2 host1201-ib 1306 0 1287486 242 0 host1234-ib 1291 0 643768 66 0";
        assert_eq!(seen(&format!("{hosts} 43200 0 8688640 {}", rest(32))).0, 43_200, "names without quotes");
        assert_eq!(seen(&format!("{hosts} -1 64 8688640 {}", rest(32))).0, -1);
        assert_eq!(seen(&format!("{hosts} 7230 64 8688640 {}", rest(32))).0, 7_230);
    }
}

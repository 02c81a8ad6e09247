//! Slurm's accounting as `sacct -P` prints it, with any delimiter and any columns in any order.
//!
//! A job holds what it was given, which can be more than it asked for (whole nodes), so its width is that of AllocCPUS.
//! Its run time is Elapsed, which is less than End - Start where it was suspended.

mod alignment;
mod columns;
pub(super) mod request;

pub(super) use columns::{is_fixed_width, is_known};

use super::jobs::{AccountedJob, JobCollector, OF_SLURM};
use super::numbers::{is_odd, is_unknown};
use super::time::{digits, duration, id_number, moment};
use super::tres::count;
use super::{submit_line, tres};
use crate::reading::{FileLine, Format, LONGEST_LINE, Limits, LogContent, ReadError};
use crate::{OtherLine, Reason, Seconds, printable};
use alignment::{SacctFields, Times, aligned, fitted};
use columns::{SacctColumn, SacctColumns};
use packfair_base::drawn::is_frame;
use request::{RowRequests, State};

/// The command that messages recommend. It prints the columns that a simulation needs, and neither names of files nor
/// command lines.
pub const COMMAND: &str = "TZ=UTC sacct -a -X -D -P -S 2026-01-01 -E 2026-02-01 -o JobID,JobIDRaw,User,Account,\
                           Partition,QOS,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,NNodes,NCPUS,ReqTRES,\
                           AllocTRES,State,Priority,JobName > sacct.txt";

/// How many lines may stand above the names of the columns, and one more.
const MOST_ABOVE: usize = 20;

/// How many of the last pending lines are taken for the beginning of a row, too.
const LATER_BEGINS: usize = 4;

/// How much of a line is shown in a message, in characters.
const SAMPLE: usize = 60;

pub(super) struct Sacct {
    columns: SacctColumns,
    /// Whether the line with the names is still to come.
    awaits_names: bool,
    jobs: JobCollector,
    requests: RowRequests,
    /// Lines that may become a job whose fields have line breaks, each with its number.
    pending: Vec<(u32, Vec<u8>)>,
    sample: Option<(u32, String)>,
    cluster: Vec<u8>,
}

impl Sacct {
    /// The reader of a file with these first lines, if it is one that `sacct -P` printed.
    ///
    /// # Errors
    /// If columns are missing that a simulation needs.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Result<Option<Self>, ReadError> {
        let told = || lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty());
        let Some(first) = told().next() else { return Ok(None) };
        // comments, a greeting, or the command may stand above the names
        let mut names = told().take(MOST_ABOVE).enumerate();
        let named = names.find_map(|(at, line)| Some((at, SacctColumns::of_header(line)?)));
        let is_row = |columns: &SacctColumns, line: &[u8]| {
            let mut fields = Vec::new();
            columns.split(line, &mut fields);
            fields.len() > 2
        };
        // rows above the names would be of other columns
        let named = named.filter(|(at, columns)| !told().take(*at).any(|line| is_row(columns, line)));
        let is_named = named.is_some();
        let named = named.map(|(at, columns)| (at + 1, columns));
        let Some((above, mut columns)) = named.or_else(|| Some((0, SacctColumns::of_export(first)?))) else {
            return Ok(None);
        };
        columns.check()?;
        columns.find_decimal_ids(&told().skip(above).collect::<Vec<_>>());
        let mut jobs = JobCollector::calling(OF_SLURM, limits);
        jobs.ids_may_be_shared = columns.place(SacctColumn::RawId).is_none();
        let (pending, cluster) = (Vec::new(), Vec::new());
        let requests = RowRequests::default();
        Ok(Some(Sacct { columns, awaits_names: is_named, jobs, requests, pending, sample: None, cluster }))
    }

    /// Whether there are rows below the names, and none of them has fields that `sacct` prints.
    pub(super) fn reads_none_of(&self, lines: &[&[u8]]) -> bool {
        let names = lines.iter().position(|line| SacctColumns::of_header(line.trim_ascii()).is_some());
        let above = names.filter(|_| self.awaits_names).unwrap_or(0);
        let told = lines[above..].iter().filter(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"));
        let mut rows = told.skip(1).peekable();
        let is_read = |line: &&[u8]| {
            let fields = self.columns.fields(line);
            fields.len() >= self.columns.count
                && aligned(&self.columns, line, &fields, &[]).times(&self.columns).is_some()
        };
        rows.peek().is_some() && !rows.any(is_read)
    }

    /// Notes a line that is neither a job nor a part of one. The first such line is kept as a sample.
    fn no_job(&mut self, number: u32, line: &[u8]) {
        self.jobs.account.note_text(Reason::NotAJob, number, line);
        if self.sample.is_none() {
            let text = String::from_utf8_lossy(&line[..line.len().min(4 * SAMPLE)]);
            self.sample = Some((number, printable(&text).chars().take(SAMPLE).collect()));
        }
    }

    /// Drops the first lines that never became a complete job.
    fn give_up(&mut self, lines: usize) {
        let dropped: Vec<(u32, Vec<u8>)> = self.pending.drain(..lines).collect();
        let Some((number, _)) = dropped.first() else { return };
        let number = *number;
        // of a table that was put behind this one each row is a record
        if are_rows(&dropped) {
            dropped.iter().for_each(|(number, line)| self.no_job(*number, line));
            return;
        }
        (1..lines).for_each(|_| self.jobs.account.pass(OtherLine::Continued));
        let text: Vec<&[u8]> = dropped.iter().map(|(_, line)| line.as_slice()).collect();
        self.no_job(number, &text.join(&b'\n'));
    }

    /// Drops a job whose lines never became a complete one.
    fn give_up_pending(&mut self) {
        self.give_up(self.pending.len());
    }

    fn job_of_pending(&mut self) -> Result<bool, ReadError> {
        let count = self.pending.len();
        let later = count.saturating_sub(LATER_BEGINS).max(1)..count.saturating_sub(1);
        for from in std::iter::once(0).chain(later) {
            let lines: Vec<&[u8]> = self.pending[from..].iter().map(|(_, line)| line.as_slice()).collect();
            let (number, whole) = (self.pending[from].0, lines.join(&b'\n'));
            if self.job(number, &whole)? {
                self.jobs.account.note(Reason::BrokenLine, number);
                (from + 1..count).for_each(|_| self.jobs.account.pass(OtherLine::Continued));
                self.give_up(from);
                self.pending.clear();
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a line is the beginning of a row, not the rest of one: it has an id and a time of submission in their
    /// places.
    fn begins_row(&self, line: &[u8]) -> bool {
        let mut fields = Vec::new();
        self.columns.split(line, &mut fields);
        let field = |column| self.columns.place(column).and_then(|at| fields.get(at)).map(|field| field.trim_ascii());
        let id = field(SacctColumn::RawId).or_else(|| field(SacctColumn::JobId));
        let begins = id.is_some_and(|id| {
            let rest = &id[leading_digits(id).len()..];
            rest.len() < id.len() && matches!(rest.first(), None | Some(b'_' | b'+' | b'.' | b'['))
        });
        let time = field(SacctColumn::Submit).or_else(|| field(SacctColumn::Start));
        // a field less before the time moves it
        begins && (time.is_some_and(|time| moment(time).is_some()) || 2 * fields.len() > self.columns.count)
    }

    /// Takes a line if it is a complete job. Returns whether it was.
    fn job(&mut self, number: u32, line: &[u8]) -> Result<bool, ReadError> {
        let fields = self.columns.fields(line);
        let Some((found, times, has_delimiters)) = fitted(&self.columns, line, &fields) else { return Ok(false) };
        if has_delimiters {
            self.jobs.account.note(Reason::DelimiterInText, number);
        }
        let cluster = found.get(SacctColumn::Cluster);
        if self.cluster.is_empty() && !cluster.is_empty() {
            self.cluster = cluster.to_vec();
        }
        take(&mut self.jobs, &mut self.requests, (number, line), &found, times).map(|()| true)
    }
}

/// Adds a job, or notes why the line holds none.
fn take(
    jobs: &mut JobCollector,
    requests: &mut RowRequests,
    (line, text): (u32, &[u8]),
    fields: &SacctFields<'_>,
    Times { submit, start, end }: Times,
) -> Result<(), ReadError> {
    let get = |column| fields.get(column);
    let id = get(SacctColumn::JobId);
    if id.contains(&b'.') || get(SacctColumn::RawId).contains(&b'.') {
        jobs.account.note(Reason::JobStep, line);
        return Ok(());
    }
    if id.contains(&b'[') {
        if let Some((array, most)) = submit_line::task_limit_of_id(id) {
            jobs.limit_tasks(array, most);
        }
        jobs.account.note(Reason::PendingArray, line);
        return Ok(());
    }
    let state = request::of_record(get(SacctColumn::State), end.is_some());
    let first =
        |columns: [SacctColumn; 2]| columns.into_iter().map(get).find(|field| !field.is_empty()).unwrap_or_default();
    let own_id = first([SacctColumn::RawId, SacctColumn::JobId]);
    let eligible = moment(get(SacctColumn::Eligible));
    let submit = submit.or(eligible).unwrap_or(-1);
    // without a state a job that has begun has not ended where only its end is unknown
    let has_no_end =
        get(SacctColumn::State).is_empty() && !get(SacctColumn::End).is_empty() && end.is_none() && start.is_some();
    let still_runs = state == Some(State::Running) || has_no_end;
    let suspended = duration(get(SacctColumn::Suspended)).unwrap_or(0);
    let lasted = || Some((end? - start?).saturating_sub(suspended).max(0));
    let run = digits(get(SacctColumn::ElapsedRaw)).or_else(|| duration(get(SacctColumn::Elapsed))).or_else(lasted);
    let minutes = digits(get(SacctColumn::LimitRaw)).map(|minutes| minutes * 60);
    let limit = minutes.or_else(|| duration(get(SacctColumn::Limit)));
    let is_odd_limit = [SacctColumn::LimitRaw, SacctColumn::Limit].into_iter().any(|column| is_odd(get(column), limit));
    let raw: Seconds = id_number(get(SacctColumn::RawId)).or_else(|| id_number(leading_digits(id))).unwrap_or(-1);
    let task = array_task(id);
    let of_task = task.map(|(_, task)| task);
    let request = requests.of(fields);
    let asked = request.job();
    let mut told = submit_line::of_slurm(get(SacctColumn::Dependency), of_task);
    if told.after.is_empty() && request.names_others {
        told = submit_line::of_submit_line(&submit_line::words(get(SacctColumn::SubmitLine)), of_task);
    }
    if let Some(((array, _), most)) = task.zip(request.task_limit) {
        jobs.limit_tasks(array, most);
    }
    // a job that was cancelled while it waited never started
    let has_started = run.is_some_and(|run| run > 0) || state != Some(State::Ended(5));
    let energy = |column| tres::of_energy(get(column), 1, run);
    let job = AccountedJob {
        milliwatts: energy(SacctColumn::EnergyRaw).or_else(|| energy(SacctColumn::Energy)),
        id: own_id,
        number: raw,
        part_of: part_of(id),
        submit,
        eligible,
        start: start.filter(|_| has_started),
        run,
        end,
        suspended,
        limit: limit.filter(|&limit| limit > 0),
        is_odd: asked.is_odd || is_odd_limit,
        // older versions tell as the start of such a job when it was cancelled
        left: end.or(start).filter(|_| !has_started || start.is_none()),
        // 0 means that the job was held; its usual priority is then unknown
        priority: count(get(SacctColumn::Priority)).filter(|&priority| priority > 0),
        status: match state {
            Some(State::Ended(status)) => status,
            _ => -1,
        },
        user: first([SacctColumn::User, SacctColumn::Uid]),
        group: first([SacctColumn::Account, SacctColumn::Group]),
        executable: get(SacctColumn::JobName),
        queue: get(SacctColumn::Qos),
        partition: get(SacctColumn::Partition),
        task,
        restarts: count(get(SacctColumn::Restarts)),
        after: &told.after,
        is_after_any: told.is_any,
        still_runs,
        text,
        ..asked
    };
    if state == Some(State::Pending) {
        jobs.never_started(Reason::NotStarted, line, &AccountedJob { left: None, ..job });
        return Ok(());
    }
    if job.task.is_some() {
        // ids tell tasks apart
        jobs.ids_may_be_shared = false;
    }
    jobs.push(line, &job)
}

/// Whether lines are rows of another table: they have the same number of other marks.
fn are_rows(lines: &[(u32, Vec<u8>)]) -> bool {
    let count = |line: &[u8], mark: u8| line.iter().filter(|&&byte| byte == mark).count();
    lines.len() > 2
        && [b',', b';', b'\t'].into_iter().any(|mark| {
            let most = count(&lines[1].1, mark);
            most > 2 && 10 * lines.iter().filter(|(_, line)| count(line, mark) == most).count() >= 9 * lines.len()
        })
}

/// The array and the task of an id such as `123_4`.
fn array_task(id: &[u8]) -> Option<(i64, i64)> {
    let at = id.iter().position(|&byte| byte == b'_')?;
    Some((id_number(&id[..at])?, id_number(&id[at + 1..])?))
}

/// The heterogeneous job and the part of it that an id names: 12 and 1 of `12+1`.
fn part_of(id: &[u8]) -> Option<(i64, i64)> {
    let plus = id.iter().position(|&byte| byte == b'+')?;
    Some((id_number(&id[..plus])?, id_number(leading_digits(&id[plus + 1..]))?))
}

/// The digits with which an id begins: `123` of `123_4` and `123+0`.
fn leading_digits(id: &[u8]) -> &[u8] {
    &id[..id.iter().take_while(|byte| byte.is_ascii_digit()).count()]
}

impl Format for Sacct {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let bytes = line.bytes;
        if self.pending.is_empty() && bytes.trim_ascii().is_empty() {
            self.jobs.account.pass(OtherLine::Blank);
            return Ok(());
        }
        // one file may hold the dumps of several months, each with its header
        if let Some(mut columns) = SacctColumns::of_header(bytes) {
            self.give_up_pending();
            columns.check()?;
            columns.has_decimal_ids = self.columns.has_decimal_ids;
            self.columns = columns;
            self.awaits_names = false;
            self.jobs.account.pass(OtherLine::Names);
            return Ok(());
        }
        if self.awaits_names || (self.pending.is_empty() && (bytes.starts_with(b"#") || is_frame(bytes))) {
            self.jobs.account.pass(OtherLine::Comment);
            return Ok(());
        }
        if self.job(line.number, bytes)? {
            self.give_up_pending();
            return Ok(());
        }
        if self.begins_row(bytes) {
            self.give_up_pending();
        }
        self.pending.push((line.number, bytes.to_vec()));
        let length: usize = self.pending.iter().map(|(_, line)| line.len() + 1).sum();
        if !self.job_of_pending()? && (length > LONGEST_LINE || line.cut) {
            self.give_up_pending();
        }
        Ok(())
    }

    fn jobs(&self) -> usize {
        self.jobs.len()
    }

    fn finish(mut self: Box<Self>) -> Result<LogContent, ReadError> {
        self.give_up_pending();
        if !self.cluster.is_empty() {
            let name = printable(&String::from_utf8_lossy(&self.cluster));
            self.jobs.labels.push(("Computer".to_owned(), name));
        }
        self.jobs.finish(self.sample)
    }
}

#[cfg(test)]
mod tests;

//! Which line of a file is about which job of a log.

use super::{External, ExternalColumn, ExternalLine, ExternalLines, ExternalStart, ExternalValues};
use crate::workload::{Log, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// How far the submissions of a job may differ, seconds, because decimals are cut off.
const TOLERANCE: Seconds = 1;

/// The Unix time of 1980. Where the log knows its dates, larger numbers of seconds are Unix times.
const UNIX: Seconds = 315_532_800;

/// Why a file does not belong to a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ExternalFault {
    /// None of its jobs is one of the log's.
    #[error("{file} has none of the log's jobs: it is of another workload")]
    NoJobInCommon {
        /// What the file is called.
        file: String,
    },
    /// Jobs of the workload have no start.
    #[error("{file} has no start for {without} of {jobs} jobs, the first of which is job {job}: every job needs one")]
    NoStart {
        /// What the file is called.
        file: String,
        /// The first such job in log order.
        job: i64,
        /// How many such jobs there are.
        without: usize,
        /// Jobs of the workload.
        jobs: usize,
    },
    /// A job was submitted at another time than in the log.
    #[error(
        "in {file} job {job} is submitted {there} s after job {first}, in the log {here} s after it: it is of another \
         workload"
    )]
    OtherSubmission {
        /// What the file is called.
        file: String,
        /// The job.
        job: i64,
        /// The first job that both have.
        first: i64,
        /// Seconds between the two in the file.
        there: Seconds,
        /// Seconds between them in the log.
        here: Seconds,
    },
    /// A job comes more often in the file than in the log.
    #[error(
        "{file} has {lines} lines of job {job}, the log {records}: nobody can say which of them holds; take the others out"
    )]
    Twice {
        /// What the file is called.
        file: String,
        /// The first such job by its number.
        job: i64,
        /// How often the file has it.
        lines: usize,
        /// How often the log has it, in words.
        records: String,
    },
    /// The starts are dates, but the log has no dates.
    #[error("{file} has dates, and the log does not say when it begins (no UnixStartTime): give starts in seconds")]
    NoDates {
        /// What the file is called.
        file: String,
    },
}

/// How many jobs a file and a log have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// Jobs of the file.
    pub given: usize,
    /// Jobs of the file that the log has, too.
    pub common: usize,
    /// Jobs of the log.
    pub jobs: usize,
    /// Times of the file that had decimals, which were cut off: jobs start at whole seconds.
    pub cut: usize,
}

impl Agreement {
    /// What the user should know of it: sentences without their full stops.
    pub fn remarks(&self) -> Vec<String> {
        let (unknown, cut) = (self.given - self.common, self.cut);
        let are = |count: usize| if count == 1 { "is" } else { "are" };
        let mut remarks = Vec::new();
        if unknown > 0 {
            remarks.push(format!(
                "{unknown} of its {} jobs {} none of the log's, and left out",
                self.given,
                are(unknown)
            ));
        }
        if cut > 0 {
            remarks.push(format!("{cut} of its times {} no whole seconds, and cut to these", are(cut)));
        }
        remarks
    }
}

impl External {
    /// The column of a workload that was made of `log`.
    pub(in crate::workload) fn column(&self, log: &Log, workload: &Workload) -> ExternalColumn {
        let values = match &self.lines {
            ExternalLines::Starts(lines) => self.starts(lines, log, workload).map(ExternalValues::Starts),
            ExternalLines::Estimates(lines) => self.estimates(lines, log, workload).map(ExternalValues::Estimates),
        };
        ExternalColumn { file: self.file, kind: self.kind(), values }
    }

    /// How many jobs the file and a log have in common.
    ///
    /// # Errors
    /// If the file is of another workload.
    pub fn agreement(&self, log: &Log) -> Result<Agreement, ExternalFault> {
        let pairs = match &self.lines {
            ExternalLines::Starts(lines) => self.checked_pairs(lines, log)?,
            ExternalLines::Estimates(lines) => self.checked_pairs(lines, log)?,
        };
        let common = pairs.iter().flatten().count();
        Ok(Agreement { given: self.len(), common, jobs: log.records.len(), cut: self.cut })
    }

    fn starts(
        &self,
        lines: &[ExternalLine<ExternalStart>],
        log: &Log,
        workload: &Workload,
    ) -> Result<Vec<Seconds>, ExternalFault> {
        let pairs = self.checked_pairs(lines, log)?;
        let file = || self.file.name().to_owned();
        let zero = log.header.unix_start();
        let numbers = || lines.iter().filter_map(|line| number(line.value));
        let are_dates = zero.is_some_and(|zero| zero > UNIX) && numbers().all(|number| number >= UNIX);
        // starts on the clock of the log's file are not before its first submission, which is at `own_zero`
        let own_zero = Some(log.own_zero).filter(|&own| numbers().all(|number| number >= own)).unwrap_or(0);
        if zero.is_none() && lines.iter().any(|line| matches!(line.value, ExternalStart::Date(_))) {
            return Err(ExternalFault::NoDates { file: file() });
        }
        let start = |record: usize| {
            let line = &lines[pairs[record]?];
            Some(match line.value {
                ExternalStart::Wait(wait) => log.records[record].submit + wait,
                ExternalStart::Date(date) => date - zero.unwrap_or(0),
                ExternalStart::Number(number) if are_dates => number - zero.unwrap_or(0),
                ExternalStart::Number(number) => number - own_zero,
            })
        };
        let starts: Vec<Option<Seconds>> = workload.jobs().map(|job| start(workload.record(job))).collect();
        let mut missing = workload.jobs().filter(|job| starts[job.index()].is_none());
        match missing.next() {
            None => Ok(starts.into_iter().flatten().collect()),
            Some(first) => Err(ExternalFault::NoStart {
                file: file(),
                job: workload.request(first).number,
                without: 1 + missing.count(),
                jobs: workload.len(),
            }),
        }
    }

    fn estimates(
        &self,
        lines: &[ExternalLine<f64>],
        log: &Log,
        workload: &Workload,
    ) -> Result<Vec<f64>, ExternalFault> {
        let pairs = self.checked_pairs(lines, log)?;
        let of = |record: usize| pairs[record].map_or(0.0, |line| lines[line].value);
        Ok(workload.jobs().map(|job| of(workload.record(job))).collect())
    }

    /// The line of each record of a log, where there is one. Checks that the submissions of both differ only by a
    /// constant.
    fn checked_pairs<T>(&self, lines: &[ExternalLine<T>], log: &Log) -> Result<Vec<Option<usize>>, ExternalFault> {
        let Pairs { lines: pairs, twice } = pairs(lines, log);
        if let Some((record, lines, records)) = twice {
            let records = if records == 1 { "one".to_owned() } else { records.to_string() };
            let (file, job) = (self.file.name().to_owned(), log.records[record].number);
            return Err(ExternalFault::Twice { file, job, lines, records });
        }
        let mut first: Option<(usize, Seconds)> = None;
        let mut has_any = false;
        for (record, line) in pairs.iter().enumerate().filter_map(|(record, line)| Some((record, (*line)?))) {
            has_any = true;
            let (Some(there), here) = (lines[line].submit, log.records[record].submit) else { continue };
            let (at, zero) = *first.get_or_insert((record, there - here));
            if (there - here - zero).abs() > TOLERANCE {
                return Err(ExternalFault::OtherSubmission {
                    file: self.file.name().to_owned(),
                    job: log.records[record].number,
                    first: log.records[at].number,
                    there: there - zero - log.records[at].submit,
                    here: here - log.records[at].submit,
                });
            }
        }
        if has_any { Ok(pairs) } else { Err(ExternalFault::NoJobInCommon { file: self.file.name().to_owned() }) }
    }
}

/// The number of seconds of a start that is neither a wait nor a date.
fn number(start: ExternalStart) -> Option<Seconds> {
    match start {
        ExternalStart::Number(number) => Some(number),
        ExternalStart::Wait(_) | ExternalStart::Date(_) => None,
    }
}

/// Which line is about which record.
struct Pairs {
    /// The place of the line of each record, if it has one.
    lines: Vec<Option<usize>>,
    /// The first record whose key more lines than records have, the number of these lines, and that of these records.
    twice: Option<(usize, usize, usize)>,
}

/// The line of each record of a log: the line with its id, or, if that pairs fewer, the line with its number. Jobs with
/// the same id or number are paired in the order of their submissions.
fn pairs<T>(lines: &[ExternalLine<T>], log: &Log) -> Pairs {
    let by_number = paired(
        log.records.iter().map(|record| (key(record.number), record.submit)),
        lines.iter().map(|line| (key(line.number), line.submit)),
    );
    if log.beyond.ids.is_empty() {
        return by_number;
    }
    let by_id = paired(
        log.beyond.ids.iter().zip(&log.records).map(|(&id, record)| (Some(id).filter(|&id| id != 0), record.submit)),
        lines.iter().map(|line| (Some(line.id).filter(|&id| id != 0), line.submit)),
    );
    let count = |pairs: &Pairs| pairs.lines.iter().flatten().count();
    if count(&by_id) >= count(&by_number) { by_id } else { by_number }
}

fn key(number: i64) -> Option<u64> {
    u64::try_from(number).ok()
}

/// The place among `lines` of each of `records` that has the same key.
fn paired(
    records: impl Iterator<Item = (Option<u64>, Seconds)>,
    lines: impl Iterator<Item = (Option<u64>, Option<Seconds>)>,
) -> Pairs {
    let mut pairs = Pairs { lines: Vec::new(), twice: None };
    let mut wanted: Vec<(u64, Seconds, usize)> = Vec::new();
    for (at, (key, submit)) in records.enumerate() {
        pairs.lines.push(None);
        wanted.extend(key.map(|key| (key, submit, at)));
    }
    let mut given: Vec<(u64, Seconds, usize)> =
        lines.enumerate().filter_map(|(at, (key, submit))| Some((key?, submit.unwrap_or(0), at))).collect();
    wanted.sort_unstable();
    given.sort_unstable();
    let mut rest = given.as_slice();
    for records in wanted.chunk_by(|one, other| one.0 == other.0) {
        let key = records[0].0;
        rest = &rest[rest.partition_point(|(other, ..)| *other < key)..];
        let (lines, others) = rest.split_at(rest.partition_point(|(other, ..)| *other == key));
        for (&(.., record), &(.., line)) in records.iter().zip(lines) {
            pairs.lines[record] = Some(line);
        }
        if lines.len() > records.len() && pairs.twice.is_none() {
            pairs.twice = Some((records[0].2, lines.len(), records.len()));
        }
        rest = others;
    }
    pairs
}

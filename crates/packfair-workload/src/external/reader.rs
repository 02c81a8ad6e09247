//! Reads files of starts and estimates.

use super::{External, ExternalColumn, ExternalKind, ExternalLine, ExternalLines, ExternalStart, ExternalValues};
use crate::accounting::{LogColumn, LogColumns};
use crate::reading::{self, Limits};
use crate::{Log, ReadError, Seconds, Workload, printable};
use csv::{ByteRecord, ReaderBuilder, Trim};
use packfair_base::catalogue::{NamedFile, shortened};
use packfair_base::encoding::as_utf8;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Why a file tells no starts, or no estimates.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExternalError {
    #[error(
        "{name} has no starts of jobs: it takes a table with the columns job and start, Batsim's jobs.csv, or a log in \
         which waits are known. {why}"
    )]
    NoStarts {
        name: String,
        /// Why it is not read as a log.
        why: String,
    },
    #[error("{name} has no estimates of jobs: it takes a table with the columns job and estimate")]
    NoEstimates { name: String },
    #[error("{name} is about a site, not about jobs")]
    OfSite { name: String },
    #[error("{name}, line {line}: {what}")]
    Line {
        name: String,
        /// Which line, from 1.
        line: usize,
        what: String,
    },
    #[error("{name} has no jobs below its names of columns")]
    Empty { name: String },
    #[error("{name}: {why}")]
    TooLarge {
        name: String,
        /// The limit that it exceeds.
        why: ReadError,
    },
}

/// Reads a file called `name` for what it says of jobs: starts or estimates, as `kind` says.
///
/// # Errors
/// If the file does not have it.
pub fn read_external(
    name: &str,
    kind: ExternalKind,
    content: &[u8],
    limits: Limits,
) -> Result<External, ExternalError> {
    let shown = printable(name);
    if content.len() as u64 > limits.text {
        return Err(ExternalError::TooLarge { name: shown, why: ReadError::TooMuchText { most: limits.text } });
    }
    let content = &*as_utf8(content);
    let first = content.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let cut = Cell::new(0);
    let lines = match (kind, ExternalHeader::of(first)) {
        (ExternalKind::Schedule, Some(header)) if header.has_starts() => starts(&shown, &header, content, &cut)?,
        (ExternalKind::Schedule, _) => of_log(&shown, content, limits)?,
        (ExternalKind::Estimates, Some(header)) if header.has_estimates() => estimates(&shown, &header, content)?,
        (ExternalKind::Site, _) => return Err(ExternalError::OfSite { name: shown }),
        (ExternalKind::Estimates, _) => return Err(ExternalError::NoEstimates { name: shown }),
    };
    // the digest is of the whole content, as that of logs is
    let external = External { file: NamedFile::new(stem(name), xxh3_128(content)), lines, cut: cut.get() };
    match external.len() {
        0 => Err(ExternalError::Empty { name: shown }),
        jobs if jobs > limits.jobs => {
            Err(ExternalError::TooLarge { name: shown, why: ReadError::TooManyJobs { most: limits.jobs } })
        }
        _ => Ok(external),
    }
}

/// What a file with this beginning says of jobs: the starts of a schedule, estimates, or both. Empty for a log.
pub fn external_kinds(beginning: &[u8]) -> Vec<ExternalKind> {
    let beginning = as_utf8(beginning);
    let first = beginning.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let Some(header) = ExternalHeader::of(first).filter(ExternalHeader::is_no_log) else { return Vec::new() };
    let kinds = [(header.has_starts(), ExternalKind::Schedule), (header.has_estimates(), ExternalKind::Estimates)];
    kinds.into_iter().filter(|(has, _)| *has).map(|(_, kind)| kind).collect()
}

/// A file's name without folders and endings.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let packed = file.strip_suffix(".gz").or(file.strip_suffix(".zst")).unwrap_or(file);
    packed.rsplit_once('.').map_or(packed, |(stem, _)| stem)
}

/// Reads the starts of a table, and counts in `cut` those that are not whole seconds.
fn starts(
    name: &str,
    header: &ExternalHeader,
    content: &[u8],
    cut: &Cell<usize>,
) -> Result<ExternalLines, ExternalError> {
    let start = |job: &ExternalJob| match (job.submit, job.start, job.wait) {
        (Some(submit), Some((start, _)), _) if start < submit => {
            Err(format!("job {} starts at {start} s, before its submission at {submit} s", shown(job.id)))
        }
        (Some(submit), Some((start, _)), _) => Ok(Some(ExternalStart::Wait(start - submit))),
        (_, _, Some(wait)) => Ok(Some(ExternalStart::Wait(wait))),
        (None, Some((date, true)), None) => Ok(Some(ExternalStart::Date(date))),
        (None, Some((start, false)), None) => Ok(Some(ExternalStart::Number(start))),
        // a job that never started
        _ if job.start_field.is_empty() || job.start_field == b"-1" => Ok(None),
        _ => {
            let (id, given) = (shown(job.id), shown(job.start_field));
            Err(format!("\"{given}\" is no start of job {id}: it takes seconds or a date"))
        }
    };
    let counted = |job: &ExternalJob| {
        cut.set(cut.get() + usize::from(job.has_decimals));
        start(job)
    };
    lines_of(name, header, content, counted).map(ExternalLines::Starts)
}

fn estimates(name: &str, header: &ExternalHeader, content: &[u8]) -> Result<ExternalLines, ExternalError> {
    let estimate = |job: &ExternalJob| {
        job.estimate.map(Some).ok_or_else(|| {
            let (id, given) = (shown(job.id), shown(job.estimate_field));
            format!("\"{given}\" is no estimate of job {id}: it takes seconds above 0, or a duration as 1-02:03:04")
        })
    };
    lines_of(name, header, content, estimate).map(ExternalLines::Estimates)
}

/// The lines of a table for which `value` gives a value. A message that `value` gives becomes an error with the line's
/// number.
fn lines_of<T>(
    name: &str,
    header: &ExternalHeader,
    content: &[u8],
    value: impl Fn(&ExternalJob) -> Result<Option<T>, String>,
) -> Result<Vec<ExternalLine<T>>, ExternalError> {
    let mut lines = Vec::new();
    let fault = |line, what| ExternalError::Line { name: name.to_owned(), line, what };
    header.each_job(
        content,
        |what| fault(1, what),
        |line, job| {
            if let Some(value) = value(job).map_err(|what| fault(line, what))? {
                lines.push(ExternalLine { id: xxh3_64(job.id), number: job.number, submit: job.submit, value });
            }
            Ok(())
        },
    )?;
    Ok(lines)
}

/// A field as a message shows it.
fn shown(field: &[u8]) -> String {
    shortened(&printable(&String::from_utf8_lossy(field)))
}

fn of_log(name: &str, content: &[u8], limits: Limits) -> Result<ExternalLines, ExternalError> {
    let no_starts = |why: String| ExternalError::NoStarts { name: name.to_owned(), why };
    let log: Log = reading::read_within(name, content, limits).map_err(|error| no_starts(error.to_string()))?;
    let ids = &log.beyond.ids;
    let started = log.records.iter().enumerate().filter(|(_, record)| record.wait >= 0);
    let lines: Vec<ExternalLine<ExternalStart>> = started
        .map(|(at, record)| ExternalLine {
            id: ids.get(at).copied().unwrap_or(0),
            number: record.number,
            submit: Some(record.submit),
            value: ExternalStart::Wait(record.wait),
        })
        .collect();
    if lines.is_empty() {
        return Err(no_starts("This log does not tell when its jobs started.".to_owned()));
    }
    Ok(ExternalLines::Starts(lines))
}

// The column that a file gives a workload.

/// The Unix time of 1980. Where the log knows its dates, larger numbers of seconds are Unix times.
const UNIX: Seconds = 315_532_800;

impl External {
    fn column(&self, log: &Log, workload: &Workload) -> ExternalColumn {
        let values = match &self.lines {
            ExternalLines::Starts(lines) => self.starts(lines, log, workload).map(ExternalValues::Starts),
            ExternalLines::Estimates(lines) => self.estimates(lines, log, workload).map(ExternalValues::Estimates),
        };
        ExternalColumn { file: self.file, kind: self.kind(), values }
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
}

/// The number of seconds of a start that is neither a wait nor a date.
fn number(start: ExternalStart) -> Option<Seconds> {
    match start {
        ExternalStart::Number(number) => Some(number),
        ExternalStart::Wait(_) | ExternalStart::Date(_) => None,
    }
}

impl Workload {
    #[inline(never)]
    pub fn take_external(&mut self, log: &Log) {
        self.external = log.external.iter().map(|external| external.column(log, self)).collect();
    }
}

/// Why a file does not belong to a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ExternalFault {
    #[error("{file} has none of the log's jobs: it is of another workload")]
    NoJobInCommon { file: String },
    #[error("{file} has no start for {without} of {jobs} jobs, the first of which is job {job}: every job needs one")]
    NoStart { file: String, job: i64, without: usize, jobs: usize },
    #[error(
        "in {file} job {job} is submitted {there} s after job {first}, in the log {here} s after it: it is of another \
         workload"
    )]
    OtherSubmission { file: String, job: i64, first: i64, there: Seconds, here: Seconds },
    #[error(
        "{file} has {lines} lines of job {job}, the log {records}: nobody can say which of them holds; take the others out"
    )]
    Twice {
        file: String,
        job: i64,
        lines: usize,
        /// How often the log has it, in words.
        records: String,
    },
    #[error("{file} has dates, and the log does not say when it begins (no UnixStartTime): give starts in seconds")]
    NoDates { file: String },
}

// Tables of jobs with a start or an estimate.

/// The delimiters that may separate two values.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Names of columns of estimates, in small letters alone.
const ESTIMATES: [&str; 9] = [
    "estimate",
    "estimates",
    "estimated",
    "estimatedruntime",
    "estimatedtime",
    "prediction",
    "predicted",
    "predictedruntime",
    "runtimeestimate",
];

pub(super) struct ExternalHeader {
    delimiter: u8,
    columns: LogColumns,
    estimate: Option<usize>,
}

pub(super) struct ExternalJob<'a> {
    pub(super) id: &'a [u8],
    /// The job's number, -1 where it has none.
    pub(super) number: i64,
    pub(super) submit: Option<Seconds>,
    /// The start, and whether it is written as a date.
    pub(super) start: Option<(Seconds, bool)>,
    pub(super) start_field: &'a [u8],
    pub(super) wait: Option<Seconds>,
    /// Whether its start or its wait is not a whole number of seconds. The decimals are cut off.
    pub(super) has_decimals: bool,
    /// The estimate, seconds, above 0.
    pub(super) estimate: Option<f64>,
    pub(super) estimate_field: &'a [u8],
}

impl ExternalHeader {
    /// The header in the first line of a file, if that is a table of jobs.
    pub(super) fn of(first: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(first.trim_ascii()).into_owned();
        let headers = DELIMITERS.into_iter().map(|delimiter| {
            let names: Vec<String> =
                text.split(char::from(delimiter)).map(|name| name.trim().trim_matches('"').to_owned()).collect();
            let plain = |name: &String| {
                let letters = name.chars().filter(char::is_ascii_alphanumeric);
                letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
            };
            let estimate = names.iter().position(|name| ESTIMATES.contains(&plain(name).as_str()));
            ExternalHeader { delimiter, columns: LogColumns::named(&names), estimate }
        });
        headers.into_iter().find(|header| {
            header.columns.place(LogColumn::Id).is_some() && (header.has_starts() || header.has_estimates())
        })
    }

    pub(super) fn has_starts(&self) -> bool {
        let has = |column| self.columns.place(column).is_some();
        has(LogColumn::Start) || has(LogColumn::Wait)
    }

    pub(super) fn has_estimates(&self) -> bool {
        self.estimate.is_some()
    }

    /// Whether the table lacks columns that a log needs. It then tells only starts or estimates, and perhaps
    /// submissions.
    pub(super) fn is_no_log(&self) -> bool {
        !self.columns.missing().is_empty()
    }

    /// Gives `take` each job below, with the number of its line.
    ///
    /// # Errors
    /// The first error of `take`, or that of `broken` if a line cannot be split.
    pub(super) fn each_job<E>(
        &self,
        content: &[u8],
        broken: impl Fn(String) -> E,
        mut take: impl FnMut(usize, &ExternalJob<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut builder = ReaderBuilder::new();
        builder.delimiter(self.delimiter).flexible(true).trim(Trim::All);
        let mut reader = builder.from_reader(content);
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(|error| broken(error.to_string()))? {
            let line = record.position().map_or(0, |position| position.line() as usize);
            let at = |place: Option<usize>| place.and_then(|at| record.get(at)).unwrap_or_default();
            let get = |column| at(self.columns.place(column));
            let id = get(LogColumn::Id);
            let digits = id.split(|byte| !byte.is_ascii_digit()).find(|part| !part.is_empty()).unwrap_or_default();
            let text = std::str::from_utf8(digits).unwrap_or_default();
            let (start_field, estimate_field) = (get(LogColumn::Start), at(self.estimate));
            let wait_field = get(LogColumn::Wait);
            let has_decimals = |field| real(field).is_some_and(|number| number.fract() != 0.0);
            let time = |column, field: &[u8]| self.columns.time(column, field).filter(|&time| time >= 0);
            take(
                line,
                &ExternalJob {
                    id,
                    number: text.parse().unwrap_or(-1),
                    submit: time(LogColumn::Submit, get(LogColumn::Submit)),
                    start: time(LogColumn::Start, start_field).map(|start| (start, real(start_field).is_none())),
                    start_field,
                    wait: self.columns.span(LogColumn::Wait, wait_field),
                    has_decimals: has_decimals(start_field) || has_decimals(wait_field),
                    estimate: real(estimate_field)
                        .or_else(|| self.columns.span(LogColumn::Run, estimate_field).map(|span| span as f64))
                        .filter(|estimate| *estimate > 0.0),
                    estimate_field,
                },
            )?;
        }
        Ok(())
    }
}

fn real(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

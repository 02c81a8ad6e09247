//! Reads files of starts and estimates.

use super::table::{ExternalHeader, ExternalJob};
use super::{External, ExternalKind, ExternalLine, ExternalLines, ExternalStart};
use crate::reading::{self, Limits};
use crate::{Log, ReadError, printable};
use packfair_base::catalogue::{NamedFile, shortened};
use packfair_base::encoding::as_utf8;
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

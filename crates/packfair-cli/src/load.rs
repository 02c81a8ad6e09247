//! Logs from files and standard input.

use super::{Failure, say};
use packfair_base::encoding::as_utf8;
use packfair_study::format::whole;
use packfair_study::limits::LARGEST_STUDY;
use packfair_study::settings::LogFacts;
use packfair_study::verdict::{Fit, Offer, Trials, Tried};
use packfair_study::{RunReport, Source, Study, export, models, pace};
use packfair_workload::reading::{self, Limits, Reader};
use packfair_workload::{ColumnMap, Log, MappedColumn, ReadError, Summary, Workload, merge};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Reads the log at `path`; `-` stands for standard input.
///
/// # Errors
/// There is no such file, it is not a log, or it exceeds the limits.
pub(super) fn log(path: &Path, limits: Limits) -> Result<Log, Failure> {
    log_with(path, limits, &[])
}

/// Like [`log`], with the given meanings of a table's columns.
fn log_with(path: &Path, limits: Limits, columns: &[MappedColumn]) -> Result<Log, Failure> {
    let reader = |name: &str| Reader::mapped(name, limits, ColumnMap { columns: columns.to_vec() });
    let read = if path == Path::new("-") {
        standard_input(reader("standard input"), limits)
    } else {
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        reading::read_watched(reader(&name), file, |_, _| Ok(())).map(|content| content.log)
    };
    read.map_err(|error| Failure::Input(format!("{}: {}", path.display(), with_remedy(&error))))
}

/// Why a log cannot be read, with the option that helps.
pub(super) fn with_remedy(error: &ReadError) -> String {
    let remedy = match error {
        lossy if lossy.is_of_losses() => ", or go on with the others: --accept-losses",
        ReadError::TooManyJobs { .. } => ", or raise the limit with --max-jobs",
        ReadError::TooMuchText { .. } => ", or raise the limit with --max-text",
        ReadError::NoJob { sample: Some(_), .. } => {
            "; of a table with other names, say which column is which: --columns submit=NAME,run=NAME,processors=NAME"
        }
        _ => "",
    };
    format!("{error}{remedy}")
}

/// Reads the logs at `paths` as one log. The meanings of columns hold for all of them.
///
/// # Errors
/// Like [`log`], and the logs cannot be merged.
pub(super) fn logs(paths: &[PathBuf], limits: Limits, columns: &[MappedColumn]) -> Result<Log, Failure> {
    let mut logs = Vec::with_capacity(paths.len());
    for path in paths {
        if path.is_dir() {
            logs.extend(directory(path, limits, columns)?);
        } else {
            logs.push(log_with(path, limits, columns)?);
        }
    }
    merge(logs).map_err(Failure::input)
}

/// Reads the logs in a directory; PBS, for example, keeps one for each day. Files that are not logs are reported and
/// skipped.
fn directory(path: &Path, limits: Limits, columns: &[MappedColumn]) -> Result<Vec<Log>, Failure> {
    let entries = std::fs::read_dir(path).map_err(|error| unreadable(path, &error))?;
    let mut files = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    let files = files.as_mut().map_err(|error| unreadable(path, error))?;
    files.sort();
    let mut logs = Vec::new();
    for file in files.iter().filter(|file| file.is_file()) {
        match log_with(file, limits, columns) {
            Ok(log) => logs.push(log),
            Err(failure) => say(&format!("packfair: {failure}; the file is left out")),
        }
    }
    if logs.is_empty() {
        Err(Failure::Input(format!("{}: no file in this directory is a log", path.display())))
    } else {
        Ok(logs)
    }
}

/// Reads the log on standard input with `reader`. An archive is read from its end, so all of it is read into memory first.
fn standard_input(reader: Reader, limits: Limits) -> Result<Log, ReadError> {
    let unreadable = |error: io::Error| ReadError::Io(error.to_string());
    let mut input = io::stdin().lock();
    let mut head = Vec::new();
    input.by_ref().take(4).read_to_end(&mut head).map_err(unreadable)?;
    if reading::is_zip(&head) {
        // compressed data are at most slightly longer than their content
        input.by_ref().take(limits.text).read_to_end(&mut head).map_err(unreadable)?;
        if head.len() as u64 > limits.text {
            return Err(ReadError::TooMuchText { most: limits.text });
        }
        return reading::read_watched(reader, io::Cursor::new(head), |_, _| Ok(())).map(|content| content.log);
    }
    reading::read_by(reader, head.as_slice().chain(input))
}

/// Reads the file at `path`, of at most `most` bytes.
///
/// # Errors
/// There is no such file, or it is longer; then reading stops.
pub(super) fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let too_large = || {
        Failure::Input(format!(
            "{}: it has more than {} bytes, which is the limit here",
            path.display(),
            whole(most as i64)
        ))
    };
    // the length of a pipe is not known in advance
    if file.metadata().is_ok_and(|known| known.len() > most) {
        return Err(too_large());
    }
    file.take(most.saturating_add(1)).read_to_end(&mut content).map_err(|error| unreadable(path, &error))?;
    if content.len() as u64 > most { Err(too_large()) } else { Ok(content) }
}

/// Reads the text file at `path`, of at most `most` bytes.
///
/// # Errors
/// There is no such file, it is longer, or it is no text.
pub(super) fn text(path: &Path, most: u64) -> Result<String, Failure> {
    let no_text =
        |_| Failure::Input(format!("{} cannot be read: it is no text in UTF-8, UTF-16 or UTF-32", path.display()));
    String::from_utf8(as_utf8(&bytes(path, most)?).into_owned()).map_err(no_text)
}

/// Reads the file of a study.
///
/// # Errors
/// There is no such file, or it is no study, and why.
pub(super) fn study(path: &Path) -> Result<Study, Failure> {
    let read = export::read_study(&text(path, LARGEST_STUDY as u64)?, &Study::first_visit().source);
    read.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))
}

/// Makes a study one of this log, and says so where it was made on another.
pub(super) fn put_on(study: &mut Study, log: &Log) {
    if let Source::Trace { name, fingerprint } = &study.source
        && *fingerprint != log.fingerprint
    {
        say(&format!("packfair: the study was made on another log, {name}"));
    }
    study.source = source_of(log);
}

/// The error where a study is about a log that is not given.
pub(super) fn log_missing(name: &str) -> Failure {
    Failure::Input(format!("the study is about the log {name}; give the path of that log as well"))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::Input(match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file {}", path.display()),
        _ => format!("{} cannot be read: {error}", path.display()),
    })
}

/// The source by which studies refer to a log.
pub(super) fn source_of(log: &Log) -> Source {
    Source::Trace { name: log.name.clone(), fingerprint: log.fingerprint }
}

// Tries remedies for a model that explains little of the log, on all processors.

/// The remedy that explains more of the logged starts than the runs of `study` do, if these explain few. `None` if no
/// remedy does, or if the trials would take too long to be made unasked.
pub(super) fn better_fit(
    study: &Study,
    log: &Log,
    workload: &Workload,
    reports: &[RunReport],
    threads: usize,
) -> Option<Offer> {
    let fit = Fit::of(models(study, reports))?;
    let summary = Summary::of(workload);
    let facts = LogFacts { summary: Some(&summary), ..LogFacts::default() };
    let overfull = reports.iter().find_map(|report| report.overfull.as_ref());
    let trials = Trials::of(study, &facts, &fit, overfull)?;
    if trials.seconds(pace::again(fit.report)) > pace::AT_ONCE * threads as f64 {
        return None;
    }
    let next = AtomicUsize::new(0);
    let tried: Vec<Mutex<Option<Tried>>> = trials.trials.iter().map(|_| Mutex::default()).collect();
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(trial) = trials.trials.get(place) else { return };
            let came = trial.try_on(log, study.rules(), &study.measure);
            // only this thread locks this element
            *tried[place].lock().unwrap() = came;
        }
    };
    std::thread::scope(|scope| (0..threads.min(trials.trials.len())).for_each(|_| drop(scope.spawn(work))));
    // no thread panics while holding the lock
    let tried: Vec<Option<Tried>> = tried.into_iter().map(|place| place.into_inner().unwrap()).collect();
    trials.offer(&tried)
}

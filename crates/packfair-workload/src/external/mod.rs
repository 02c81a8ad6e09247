//! Schedules and estimates of a log's jobs that come from elsewhere: another simulator, a production system, a model.
//!
//! [`read_external`] reads a file. The file is kept with the log that it is about ([`Log::external`](super::Log)), and
//! becomes a column of each workload that is made of that log ([`ExternalColumn`]).

mod reader;

pub use reader::{ExternalError, ExternalFault, external_kinds, read_external};

use super::{Fingerprint, Seconds};
use crate::Log;
use packfair_base::catalogue::NamedFile;
use serde::{Deserialize, Serialize};

/// What a file says of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExternalKind {
    Schedule,
    /// The expected run times of jobs.
    Estimates,
    /// Nothing about single jobs: the file is one of the Slurm site that they ran on.
    Site,
}

/// A file of starts or estimates.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// The file, as studies name it.
    pub file: NamedFile,
    lines: ExternalLines,
    /// How many of its times had decimals, which were cut off.
    cut: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum ExternalLines {
    Starts(Vec<ExternalLine<ExternalStart>>),
    Estimates(Vec<ExternalLine<f64>>),
}

#[derive(Clone, Debug, PartialEq)]
struct ExternalLine<T> {
    /// Digest of its id, as in [`Beyond::ids`](super::Beyond).
    id: u64,
    /// Its number, -1 where it has none.
    number: i64,
    /// When the file says that it was submitted, seconds of the file's clock.
    submit: Option<Seconds>,
    value: T,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ExternalStart {
    /// This many seconds after its submission.
    Wait(Seconds),
    /// At this Unix time, because the file has a date.
    Date(Seconds),
    /// At this number of seconds since the log's zero, since 1970, or on the clock of the log's file.
    Number(Seconds),
}

/// A column of a workload that comes from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExternalColumn {
    pub file: NamedFile,
    pub kind: ExternalKind,
    /// The values, or why there are none.
    pub values: Result<ExternalValues, ExternalFault>,
}

/// The values of a column: one for each job, in log order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ExternalValues {
    Starts(Vec<Seconds>),
    /// Estimates, seconds; 0 where the file has none.
    Estimates(Vec<f64>),
}

impl External {
    pub fn kind(&self) -> ExternalKind {
        match self.lines {
            ExternalLines::Starts(_) => ExternalKind::Schedule,
            ExternalLines::Estimates(_) => ExternalKind::Estimates,
        }
    }

    pub fn len(&self) -> usize {
        match &self.lines {
            ExternalLines::Starts(lines) => lines.len(),
            ExternalLines::Estimates(lines) => lines.len(),
        }
    }

    /// Whether the file says nothing of any job.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The digest of the file's content.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.file.digest())
    }

    /// The same file under another name.
    pub fn called(self, name: &str) -> Self {
        External { file: NamedFile::new(name, self.file.digest()), ..self }
    }
}

// Which line of a file is about which job of a log.

/// How far the submissions of a job may differ, seconds, because decimals are cut off.
const TOLERANCE: Seconds = 1;

/// How many jobs a file and a log have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingCounts {
    pub given: usize,
    /// Jobs of the file that the log has, too.
    pub common: usize,
    pub jobs: usize,
    /// Times of the file that had decimals, which were cut off: jobs start at whole seconds.
    pub cut: usize,
}

impl PairingCounts {
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
    /// How many jobs the file and a log have in common.
    ///
    /// # Errors
    /// If the file is of another workload.
    pub fn agreement(&self, log: &Log) -> Result<PairingCounts, ExternalFault> {
        let pairs = match &self.lines {
            ExternalLines::Starts(lines) => self.checked_pairs(lines, log)?,
            ExternalLines::Estimates(lines) => self.checked_pairs(lines, log)?,
        };
        let common = pairs.iter().flatten().count();
        Ok(PairingCounts { given: self.len(), common, jobs: log.records.len(), cut: self.cut })
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

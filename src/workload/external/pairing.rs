//! Which line of a file is about which job of a log.

use super::{External, ExternalFault, ExternalLine, ExternalLines};
use crate::workload::{Log, Seconds};
use serde::{Deserialize, Serialize};

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
    pub(super) fn checked_pairs<T>(
        &self,
        lines: &[ExternalLine<T>],
        log: &Log,
    ) -> Result<Vec<Option<usize>>, ExternalFault> {
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

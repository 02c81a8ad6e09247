//! Jobs that were not over when their log was made: those that still ran, and those that had not started.
//!
//! Which jobs these are is known only once all files of a log are there: a job that still runs at the end of one month
//! has ended in the next.

use super::{Log, Record, Seconds, StillRunning};
use std::borrow::Cow;

/// The records of a log as they are simulated: jobs that still ran have a run time.
pub(super) struct EndedRecords<'a> {
    log: &'a Log,
    end: Seconds,
}

impl Log {
    /// How many jobs it has that do not still run.
    pub fn jobs(&self) -> usize {
        self.records.len() - self.beyond.still_running.len()
    }

    /// How many records its files had.
    pub fn records_read(&self) -> u64 {
        self.account.records(self.jobs())
    }

    /// Its records, with those that still ran running until the log ends, or for as long as their limits.
    pub(super) fn ended(&self) -> EndedRecords<'_> {
        let (records, running) = (&self.records, &self.beyond.still_running);
        if running.is_empty() {
            return EndedRecords { log: self, end: 0 };
        }
        let end = |record: &Record| record.submit + record.wait.max(0) + record.run.max(0);
        let so_far = |running: &StillRunning| end(&records[running.record as usize]) + running.ran.max(0);
        let end = records.iter().map(end).chain(running.iter().map(so_far)).max();
        EndedRecords { log: self, end: end.unwrap_or(0) }
    }
}

impl<'a> EndedRecords<'a> {
    pub(super) fn of(&self, index: usize) -> Cow<'a, Record> {
        let record = &self.log.records[index];
        if !self.is_running(index) {
            return Cow::Borrowed(record);
        }
        let limit = Some(record.requested_time).filter(|&limit| limit > 0).unwrap_or(Seconds::MAX);
        let run = (self.end - record.submit - record.wait.max(0)).min(limit).max(1);
        Cow::Owned(Record { run, ..record.clone() })
    }

    /// Whether a record is of a job that still ran.
    pub(super) fn is_running(&self, index: usize) -> bool {
        let running = &self.log.beyond.still_running;
        running.binary_search_by_key(&index, |running| running.record as usize).is_ok()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Cow<'a, Record>> + '_ {
        (0..self.log.records.len()).map(|index| self.of(index))
    }
}

impl Record {
    /// The work of a job that ran for `run` seconds, processor-seconds; 0 where it is not known.
    pub(super) fn work_of(&self, run: Seconds) -> u64 {
        let width = if self.allocated > 0 { self.allocated } else { self.requested };
        u64::from(width.max(0).unsigned_abs()).saturating_mul(run.max(0).unsigned_abs())
    }
}

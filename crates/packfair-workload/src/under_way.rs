//! Jobs that were not over when their log was made: those that still ran, and those that had not started.
//!
//! Which jobs these are is known only once all files of a log are there: a job that still runs at the end of one month
//! has ended in the next.

use super::{Log, Portion, Record, Seconds, StillRunning, Workload};
use serde::{Deserialize, Serialize};
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

    /// Whether a record is of a job that still ran when the log was made.
    pub fn is_running(&self, record: usize) -> bool {
        self.beyond.still_running.binary_search_by_key(&record, |running| running.record as usize).is_ok()
    }

    /// When it was made, as far as it tells: nothing in it is later.
    pub fn end(&self) -> Option<Seconds> {
        let end = |record: &Record| record.submit + record.wait.max(0) + record.run.max(0);
        let so_far = |running: &StillRunning| end(&self.records[running.record as usize]) + running.ran.max(0);
        self.records.iter().map(end).chain(self.beyond.still_running.iter().map(so_far)).max()
    }

    /// Takes the jobs that still ran when the log was made for ones that ended then.
    pub fn end_running(&mut self) {
        let ended = self.ended();
        let running = self.beyond.still_running.iter().map(|running| running.record as usize);
        let runs: Vec<(usize, Seconds)> = running.map(|record| (record, ended.of(record).run)).collect();
        runs.into_iter().for_each(|(record, run)| self.records[record].run = run);
        self.beyond.still_running.clear();
    }

    /// Takes out the end of a job that has run for so long: in place of its run time stands one that is longer, which
    /// nobody reads.
    pub fn run_on(&mut self, record: usize, elapsed: Seconds) {
        self.beyond.still_running.retain(|running| running.record as usize != record);
        let record = &mut self.records[record];
        if record.requested_time > 0 {
            record.requested_time = record.requested_time.max(elapsed + 1);
        }
        record.run = record.requested_time.max(elapsed + 1);
        record.status = -1;
    }

    /// How many records its files had.
    pub fn records_read(&self) -> u64 {
        self.account.records(self.jobs())
    }

    /// Its records, with those that still ran running until the log ends, or for as long as their limits.
    pub(super) fn ended(&self) -> EndedRecords<'_> {
        let end = if self.beyond.still_running.is_empty() { 0 } else { self.end().unwrap_or(0) };
        EndedRecords { log: self, end }
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
        self.log.is_running(index)
    }

    /// The records with what they were given. Who stands in a log as its queue was and never started was given nothing, and may
    /// have asked for more than there is.
    pub(super) fn all_given(&self) -> impl Iterator<Item = Cow<'a, Record>> + '_ {
        let given = |index: usize| {
            let record = self.of(index);
            match self.log.given(index) {
                None => record,
                Some(&Portion { processors, partition, .. }) => Cow::Owned(Record {
                    requested: processors,
                    allocated: processors,
                    partition,
                    ..record.into_owned()
                }),
            }
        };
        let never_ran = |index: usize| self.log.left(index).is_some() && self.log.records[index].run > 0;
        (0..self.log.records.len()).filter(move |&index| !never_ran(index)).map(given)
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

// Jobs under way when a log begins: the state in which a simulation finds the machine.
//
// A dump of a month has jobs that started before it and end within it. On an empty machine they would start at their
// submissions, long before the dump, and be gone when it begins.

/// If no job of a log ends for this long after its first submission, seconds, the log is a dump that begins with jobs
/// under way. On a machine that begins empty a job would have ended by then.
const LONG: Seconds = 86_400;

/// What becomes of jobs that were submitted before the first moment of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InitialJobs {
    /// Jobs that run at that moment hold their processors until they end, as in the log. Jobs that wait then wait from
    /// that moment on. Both are left out of averages.
    Held,
    /// They are ordinary jobs, which arrive when they were submitted.
    Ordinary,
}

packfair_base::named!(InitialJobs, "way of initial jobs", {
    Held => "held", "hold their part of the machine", "";
    Ordinary => "ordinary", "are jobs as all others", "";
});

impl InitialJobs {
    /// The choice that fits a log: held where the log is a dump of a batch system's accounting that begins with jobs
    /// under way.
    pub fn fitting(log: &Log) -> Self {
        let first = log.records.iter().map(|record| record.submit).min().unwrap_or(0);
        let is_dump = !log.beyond.ids.is_empty() && log.tells_starts();
        match first_end(log) {
            // where every job came before that, there is none that could count
            Some(end)
                if is_dump && end - first > LONG && log.records.iter().any(|job| job.submit >= end && job.run > 0) =>
            {
                InitialJobs::Held
            }
            _ => InitialJobs::Ordinary,
        }
    }
}

/// When the first job of a log ends. A dump begins about then: it has no job that ended before.
pub(super) fn first_end(log: &Log) -> Option<Seconds> {
    let ran = log.records.iter().filter(|record| record.run > 0 && record.wait >= 0);
    ran.map(|record| record.submit + record.wait + record.run).min()
}

impl Workload {
    /// Makes the jobs submitted before `moment` the workload's initial state; without `moment`, those submitted before
    /// the first job of `log` ends. `log` is what the workload was made of. Returns how many jobs hold processors at
    /// that moment, and how many wait.
    pub fn begin_at(&mut self, log: &Log, moment: Option<Seconds>) -> (usize, usize) {
        match moment.or_else(|| first_end(log)) {
            Some(moment) => self.take_initial(moment),
            None => (0, 0),
        }
    }
}

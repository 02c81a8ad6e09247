//! What the page and its workers say to each other.
//!
//! A message is a JavaScript object `{ message: Uint8Array, attachment }` (the page's `envelope` module): the
//! message is postcard; what is large travels as the attachment, without passing through either
//! side's WebAssembly memory more often than needed: a dropped file as a `Blob` with
//! [`ToWorker::Load`], an encoded [`crate::workload::Workload`] as a `Uint8Array` with
//! [`FromWorker::Packed`] and [`ToWorker::Take`], an encoded [`crate::model::Schedule`] with
//! [`ToWorker::Keep`], [`ToWorker::FairStarts`] and [`FromWorker::Finished`].

use crate::metric::{JobDistribution, Measure, Metric};
use crate::study::query::{Answer, Query};
#[cfg(doc)]
use crate::study::sureness::RepeatedRun;
use crate::study::sureness::{RepeatedLoads, Repeats};
use crate::study::{Generated, Rules, Run, RunReport, Treatment};
use crate::workload::{Account, Fingerprint, Header, Summary};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A log within a session of the page.
pub type LogId = u32;

/// A run or query within a session of the page.
pub type Ticket = u32;

/// Identifies a result: a digest of everything that it depends on.
pub type ScheduleKey = String;

/// From the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToWorker {
    /// Where the part of the worker is that comes later ; said before anything else, if there is one.
    LatePart {
        /// Beside the worker's own script.
        address: String,
    },
    /// Read the log in the attached blob, and keep it.
    Load {
        /// What to call it from now on.
        log: LogId,
        /// The file's name.
        name: String,
        /// What is said of it and given beside it ([`super::Beside`]), encoded; empty: nothing.
        beside: Vec<u8>,
    },
    /// Make a workload, and keep it.
    Generate {
        /// What to call it from now on.
        log: LogId,
        /// How to make it.
        generated: Generated,
        /// What is given beside it, as with [`ToWorker::Load`].
        beside: Vec<u8>,
    },
    /// Forget a log and all its schedules.
    Forget {
        /// Which.
        log: LogId,
    },
    /// Clean a log and say what it is like.
    Describe {
        /// Names the answer.
        ticket: Ticket,
        /// Which log.
        log: LogId,
        /// What to do to it before.
        treatment: Treatment,
    },
    /// Make the workload that a treatment makes of a log, and send it for [`ToWorker::Take`].
    Pack {
        /// Names the answer.
        ticket: Ticket,
        /// Which log.
        log: LogId,
        /// What to do to it.
        treatment: Treatment,
    },
    /// Keep the attached workload, which the log worker has made, in place of any other: what runs are on.
    Take {
        /// Of which log.
        log: LogId,
        /// What was done to it.
        treatment: Treatment,
    },
    /// Simulate and measure.
    Run {
        /// Names the answers.
        ticket: Ticket,
        /// Which log.
        log: LogId,
        /// What to do to it before.
        treatment: Treatment,
        /// Scheduler and estimates.
        run: Run,
        /// What becomes of estimates that run out, and when jobs are estimated anew.
        rules: Rules,
        /// Which jobs count, and how.
        measure: Measure,
    },
    /// Compute fair start times of some of the jobs of the attached schedule.
    FairStarts {
        /// Names the answers.
        ticket: Ticket,
        /// Which log.
        log: LogId,
        /// What was done to it before.
        treatment: Treatment,
        /// Scheduler and estimates that made the schedule.
        run: Run,
        /// The rules it was made by.
        rules: Rules,
        /// Which jobs, as indices in log order.
        jobs: Range<usize>,
    },
    /// Measure a schedule together with its fair start times: an array of the schedule and the parts of
    /// [`FromWorker::FairStarts`], in log order, is attached.
    Measure {
        /// Names the answer.
        ticket: Ticket,
        /// Which log.
        log: LogId,
        /// What was done to it before.
        treatment: Treatment,
        /// Scheduler and estimates.
        run: Run,
        /// Which jobs count, and how.
        measure: Measure,
        /// How long the simulation took, seconds.
        wall_s: f64,
    },
    /// Stop a run, or a computation of fair start times.
    Cancel {
        /// Which.
        ticket: Ticket,
    },
    /// Keep the attached schedule, which another worker made, to answer queries about it.
    Keep {
        /// Of which log.
        log: LogId,
        /// What to call it.
        key: ScheduleKey,
    },
    /// Answer a query about kept schedules.
    Ask {
        /// Names the answer.
        ticket: Ticket,
        /// Which log.
        log: LogId,
        /// What was done to it before.
        treatment: Treatment,
        /// Which kept schedule is meant by each run that the question names.
        schedules: Vec<(Run, ScheduleKey)>,
        /// The question.
        query: Query,
    },
    /// Make one of the workloads on which a study is repeated, and simulate and measure runs on it.
    Repeat {
        /// Names the answers.
        ticket: Ticket,
        /// Which log.
        log: LogId,
        /// What to do to it before, without shrinking.
        treatment: Treatment,
        /// What to do there: an encoded [`RepeatTask`], which the part of the worker reads that comes later.
        task: Vec<u8>,
    },
}

/// Runs on one repeat of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepeatTask {
    /// How repeats are made.
    pub repeats: Repeats,
    /// Which of them, from 0.
    pub repeat: u32,
    /// Under which loads.
    pub loads: RepeatedLoads,
    /// Which runs.
    pub runs: Vec<Run>,
    /// What is measured.
    pub metrics: Vec<Metric>,
    /// Of what else jobs are counted: for bands around distributions.
    pub distributions: Vec<JobDistribution>,
    /// The rules of all runs.
    pub rules: Rules,
    /// Which jobs count, and how.
    pub measure: Measure,
}

/// From a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    /// It is there and listens.
    Ready,
    /// So much of a log is read.
    Loading {
        /// Which.
        log: LogId,
        /// Bytes of the file read.
        read: f64,
        /// Bytes of the file.
        total: f64,
    },
    /// A log is read.
    Loaded {
        /// Which.
        log: LogId,
        /// Of its content.
        fingerprint: Fingerprint,
        /// Its header.
        header: Header,
        /// Records in it.
        records: usize,
        /// What it is called: as its file, or as it is in an archive.
        name: String,
        /// What else in the archive seems to be a log.
        others: Vec<String>,
        /// Whether it tells when its jobs started.
        tells_starts: bool,
        /// Whether it names a requested time of any job.
        names_requested_times: bool,
        /// Whether it is a table, whose columns were told by their names or by a person.
        is_table: bool,
        /// What became of the files given beside it: a list of [`super::GivenOutcome`], encoded; empty where there were
        /// none.
        given: Vec<u8>,
    },
    /// A log cannot be read, and why.
    NotLoaded {
        /// Which.
        log: LogId,
        /// For a person.
        message: String,
    },
    /// To [`ToWorker::Describe`].
    Described {
        /// Which.
        ticket: Ticket,
        /// What the workload is like.
        summary: Box<Summary>,
        /// What it would be like without the filter, where there is one: what a filter may take.
        unfiltered: Option<Box<Summary>>,
        /// What was repaired and dropped, reading and cleaning.
        account: Account,
    },
    /// To [`ToWorker::Pack`]; the workload is attached.
    Packed {
        /// Which.
        ticket: Ticket,
    },
    /// So much of a run is done.
    Progress {
        /// Which.
        ticket: Ticket,
        /// Jobs completed.
        completed: usize,
        /// Jobs in all.
        jobs: usize,
    },
    /// A run has ended, or a schedule was measured; the schedule is attached.
    Finished {
        /// Which.
        ticket: Ticket,
        /// What came out.
        report: Box<RunReport>,
    },
    /// Fair start times are there; they are attached, as an encoded [`crate::model::FairStarts`].
    FairStarts {
        /// Which.
        ticket: Ticket,
    },
    /// A run was stopped as asked.
    Cancelled {
        /// Which.
        ticket: Ticket,
    },
    /// A run, description or query failed, and why.
    Failed {
        /// Which.
        ticket: Ticket,
        /// For a person.
        message: String,
    },
    /// The worker has come to its end by a fault of its own, and why.
    Crashed {
        /// For a person.
        message: String,
    },
    /// The worker has come to its end because its late part could not be loaded.
    Incomplete,
    /// To [`ToWorker::Ask`].
    Answered {
        /// Which.
        ticket: Ticket,
        /// The answer.
        answer: Box<Answer>,
    },
    /// To [`ToWorker::Repeat`].
    Repeated {
        /// Which.
        ticket: Ticket,
        /// What each run came to: a list of [`RepeatedRun`], encoded, which the part of the page reads that comes later.
        values: Vec<u8>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{Since, Unit};

    /// The binary form has no names, so that nothing in it may be left out where it is as usual.
    #[test]
    fn messages_arrive_as_they_were_sent_whatever_is_usual_in_them() {
        let usual = Treatment::default();
        let other = Treatment { unit: Some(Unit::Nodes), since: Since::Eligible, shrink: 0.5, ..Treatment::default() };
        for treatment in [usual, other] {
            let sent = postcard::to_stdvec(&ToWorker::Describe { ticket: 1, log: 2, treatment }).unwrap();
            let arrived: ToWorker = postcard::from_bytes(&sent).unwrap();
            assert_eq!(postcard::to_stdvec(&arrived).unwrap(), sent);
        }
    }
}

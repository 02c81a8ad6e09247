//! The messages between the page and its workers.
//!
//! A message is a JavaScript object `{ message: Uint8Array, attachment }` (the page's `envelope` module). The message
//! is encoded with postcard. Large data are attached, so that they do not pass through the WebAssembly memory of either
//! side more often than necessary: a dropped file as a `Blob` with [`ToWorker::Load`], an encoded
//! [`packfair_workload::Workload`] as a `Uint8Array` with [`FromWorker::Packed`] and [`ToWorker::Take`], an encoded
//! [`packfair_engine::model::Schedule`] with [`ToWorker::Keep`], [`ToWorker::FairStarts`] and [`FromWorker::Finished`].

use super::beside::{Beside, GivenOutcome};
use super::encoded::Encoded;
use packfair_engine::metric::{JobDistribution, Measure, Metric};
use packfair_study::query::{Answer, Query};
use packfair_study::sureness::{RepeatedLoads, RepeatedRun, Repeats};
use packfair_study::{Generated, Rules, Run, RunReport, Treatment};
use packfair_workload::{Account, Fingerprint, Header, Summary};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The number of a log within a session of the page.
pub type LogId = u32;

/// The number of a run or a question within a session of the page.
pub type Ticket = u32;

/// The key of a result: a digest of everything on which it depends.
pub type ScheduleKey = String;

/// A message from the page to a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToWorker {
    /// The address of the worker's late part. It is the first message, if there is a late part.
    LatePart {
        /// The address, relative to the worker's own script.
        address: String,
    },
    /// Read the log in the attached blob, and keep it.
    Load {
        /// The number of the log from now on.
        log: LogId,
        /// The file's name.
        name: String,
        /// What the user says about the log and the files given beside it; may be empty.
        beside: Encoded<Beside>,
    },
    /// Generate a workload, and keep it as a log.
    Generate {
        /// The number of the log from now on.
        log: LogId,
        /// The generator and its parameters.
        generated: Generated,
        /// What is given beside the workload, as with [`ToWorker::Load`].
        beside: Encoded<Beside>,
    },
    /// Forget a log and all its schedules.
    Forget {
        /// The log.
        log: LogId,
    },
    /// Apply a treatment to a log and describe the workload.
    Describe {
        /// The ticket of the answer.
        ticket: Ticket,
        /// The log.
        log: LogId,
        /// The treatment of the log.
        treatment: Treatment,
    },
    /// Make the workload that a treatment makes of a log, and send it back for [`ToWorker::Take`].
    Pack {
        /// The ticket of the answer.
        ticket: Ticket,
        /// The log.
        log: LogId,
        /// The treatment of the log.
        treatment: Treatment,
    },
    /// Keep the attached workload, which the log worker has made, for the next runs. It replaces any other.
    Take {
        /// The log from which it was made.
        log: LogId,
        /// The treatment that was applied.
        treatment: Treatment,
    },
    /// Simulate a run and measure it.
    Run {
        /// The ticket of the answers.
        ticket: Ticket,
        /// The log.
        log: LogId,
        /// The treatment of the log.
        treatment: Treatment,
        /// The scheduler and the estimates.
        run: Run,
        /// What happens when estimates run out, and when jobs are estimated again.
        rules: Rules,
        /// Which jobs count, and how.
        measure: Measure,
    },
    /// Compute fair start times for some jobs of the attached schedule.
    FairStarts {
        /// The ticket of the answers.
        ticket: Ticket,
        /// The log.
        log: LogId,
        /// The treatment that was applied.
        treatment: Treatment,
        /// The scheduler and the estimates of the schedule.
        run: Run,
        /// The rules of the schedule.
        rules: Rules,
        /// The jobs, as indices in log order.
        jobs: Range<usize>,
    },
    /// Measure a schedule together with its fair start times. An array is attached: the schedule, and the parts of
    /// [`FromWorker::FairStarts`] in log order.
    Measure {
        /// The ticket of the answer.
        ticket: Ticket,
        /// The log.
        log: LogId,
        /// The treatment that was applied.
        treatment: Treatment,
        /// The scheduler and the estimates.
        run: Run,
        /// Which jobs count, and how.
        measure: Measure,
        /// How long the simulation took, seconds.
        wall_s: f64,
    },
    /// Stop a run, or a computation of fair start times.
    Cancel {
        /// The ticket of the run or computation.
        ticket: Ticket,
    },
    /// Keep the attached schedule, which another worker has made, to answer questions about it.
    Keep {
        /// The log of the schedule.
        log: LogId,
        /// The key of the result.
        key: ScheduleKey,
    },
    /// Answer a question about kept schedules.
    Ask {
        /// The ticket of the answer.
        ticket: Ticket,
        /// The log.
        log: LogId,
        /// The treatment that was applied.
        treatment: Treatment,
        /// The kept schedule of each run that the question names.
        schedules: Vec<(Run, ScheduleKey)>,
        /// The question.
        query: Query,
    },
    /// Make one of the workloads on which a study is repeated, then simulate and measure runs on it.
    Repeat {
        /// The ticket of the answers.
        ticket: Ticket,
        /// The log.
        log: LogId,
        /// The treatment of the log, without shrinking.
        treatment: Treatment,
        /// The task.
        task: Encoded<RepeatTask>,
    },
}

/// The runs to be made on one repeat of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepeatTask {
    /// How the repeats are made.
    pub repeats: Repeats,
    /// The index of this repeat, from 0.
    pub repeat: u32,
    /// The loads of the repeat.
    pub loads: RepeatedLoads,
    /// The runs.
    pub runs: Vec<Run>,
    /// The metrics to measure.
    pub metrics: Vec<Metric>,
    /// The distributions for which jobs are counted too, for the bands around them.
    pub distributions: Vec<JobDistribution>,
    /// The rules of all runs.
    pub rules: Rules,
    /// Which jobs count, and how.
    pub measure: Measure,
}

/// A message from a worker to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The worker listens.
    Ready,
    /// A part of a log has been read.
    Loading {
        /// The log.
        log: LogId,
        /// The number of bytes of the file that have been read.
        read: f64,
        /// The size of the file, bytes.
        total: f64,
    },
    /// A log has been read.
    Loaded {
        /// The log.
        log: LogId,
        /// The fingerprint of its content.
        fingerprint: Fingerprint,
        /// The log's header.
        header: Header,
        /// The number of records in the log.
        records: usize,
        /// The name of the log: that of its file, or its name in the archive.
        name: String,
        /// The names of other files in the archive that seem to be logs.
        others: Vec<String>,
        /// Whether the log tells when its jobs started.
        tells_starts: bool,
        /// Whether the log gives a requested time for any job.
        names_requested_times: bool,
        /// Whether the log is a table, whose columns are known by their names or from the user.
        is_table: bool,
        /// The outcome of each file given beside the log; empty if there were none.
        given: Encoded<Vec<GivenOutcome>>,
    },
    /// A log cannot be read.
    NotLoaded {
        /// The log.
        log: LogId,
        /// The reason, for the user.
        message: String,
    },
    /// The answer to [`ToWorker::Describe`].
    Described {
        /// The ticket of the request.
        ticket: Ticket,
        /// The summary of the workload.
        summary: Box<Summary>,
        /// The summary without the filter, if there is one: it shows what the filter can select.
        unfiltered: Option<Box<Summary>>,
        /// What was repaired and dropped while reading and cleaning.
        account: Account,
    },
    /// The answer to [`ToWorker::Pack`]; the workload is attached.
    Packed {
        /// The ticket of the request.
        ticket: Ticket,
    },
    /// A part of a run is done.
    Progress {
        /// The ticket of the run.
        ticket: Ticket,
        /// The number of completed jobs.
        completed: usize,
        /// The number of all jobs.
        jobs: usize,
        /// How long the worker has been at it, seconds.
        spent: f64,
    },
    /// A run has ended, or a schedule has been measured; the schedule is attached.
    Finished {
        /// The ticket of the run.
        ticket: Ticket,
        /// The report.
        report: Box<RunReport>,
    },
    /// Fair start times have been computed; they are attached as an encoded [`packfair_engine::model::FairStarts`].
    FairStarts {
        /// The ticket of the request.
        ticket: Ticket,
    },
    /// A run was stopped on request.
    Cancelled {
        /// The ticket of the run.
        ticket: Ticket,
    },
    /// A run, description or question has failed.
    Failed {
        /// The ticket of the request.
        ticket: Ticket,
        /// The reason, for the user.
        message: String,
    },
    /// The worker has ended through a fault of its own.
    Crashed {
        /// The reason, for the user.
        message: String,
    },
    /// The worker has ended because its late part could not be loaded.
    Incomplete,
    /// The answer to [`ToWorker::Ask`].
    Answered {
        /// The ticket of the question.
        ticket: Ticket,
        /// The answer.
        answer: Box<Answer>,
    },
    /// The answer to [`ToWorker::Repeat`].
    Repeated {
        /// The ticket of the task.
        ticket: Ticket,
        /// The values of each run.
        values: Encoded<Vec<RepeatedRun>>,
    },
}

/// The number of a worker, unique within a session.
pub type WorkerId = u32;

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::{Since, Unit};

    /// The binary form has no field names, so no field may be left out, not even one with its usual value.
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

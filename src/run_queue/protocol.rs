//! The messages between the page and its workers.
//!
//! A message is a JavaScript object `{ message: Uint8Array, attachment }` (the page's `envelope` module). The message
//! is encoded with postcard. Large data are attached, so that they do not pass through the WebAssembly memory of either
//! side more often than necessary: a dropped file as a `Blob` with [`ToWorker::Load`], an encoded
//! [`packfair_workload::Workload`] as a `Uint8Array` with [`FromWorker::Packed`] and [`ToWorker::Take`], an encoded
//! [`packfair_engine::model::Schedule`] with [`ToWorker::Keep`], [`ToWorker::FairStarts`] and [`FromWorker::Finished`].

use super::extras::{GivenOutcome, LogExtras};
use packfair_engine::metric::{JobDistribution, Measure, Metric};
use packfair_study::query::{Answer, Query};
use packfair_study::sureness::{RepeatedLoads, RepeatedRun, Repeats};
use packfair_study::{Generated, Rules, Run, RunReport, Treatment};
use packfair_when::{JobTold, WhenAsked, WhenTold};
use packfair_workload::{Account, Fingerprint, Header, Summary};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;
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
        log: LogId,
        name: String,
        /// What the user says about the log and the files given beside it; may be empty.
        beside: Encoded<LogExtras>,
    },
    /// Generate a workload, and keep it as a log.
    Generate {
        log: LogId,
        /// The generator and its parameters.
        generated: Generated,
        /// What is given beside the workload, as with [`ToWorker::Load`].
        beside: Encoded<LogExtras>,
    },
    Forget {
        log: LogId,
    },
    /// Apply a treatment to a log and describe the workload.
    Describe {
        ticket: Ticket,
        log: LogId,
        treatment: Treatment,
    },
    /// Make the workload that a treatment makes of a log, and send it back for [`ToWorker::Take`].
    Pack {
        ticket: Ticket,
        log: LogId,
        treatment: Treatment,
    },
    /// Keep the attached workload, which the log worker has made, for the next runs. It replaces any other.
    Take {
        log: LogId,
        treatment: Treatment,
    },
    Run {
        ticket: Ticket,
        log: LogId,
        treatment: Treatment,
        run: Run,
        /// What happens when estimates run out, and when jobs are estimated again.
        rules: Rules,
        measure: Measure,
    },
    /// Compute fair start times for some jobs of the attached schedule.
    FairStarts {
        ticket: Ticket,
        log: LogId,
        treatment: Treatment,
        run: Run,
        rules: Rules,
        /// The jobs, as indices in log order.
        jobs: Range<usize>,
    },
    /// Measure a schedule together with its fair start times. An array is attached: the schedule, and the parts of
    /// [`FromWorker::FairStarts`] in log order.
    Measure {
        ticket: Ticket,
        log: LogId,
        treatment: Treatment,
        run: Run,
        measure: Measure,
        /// How long the simulation took, seconds.
        wall_s: f64,
    },
    /// Stop a run, or a computation of fair start times.
    Cancel {
        ticket: Ticket,
    },
    /// Keep the attached schedule, which another worker has made, to answer questions about it.
    Keep {
        log: LogId,
        key: ScheduleKey,
    },
    Ask {
        ticket: Ticket,
        log: LogId,
        treatment: Treatment,
        schedules: Vec<(Run, ScheduleKey)>,
        query: Query,
    },
    /// Forecast when the jobs start that wait at a moment of a log, or tell of one of them.
    Forecast {
        ticket: Ticket,
        log: LogId,
        treatment: Treatment,
        asked: Encoded<ForecastTask>,
    },
    /// Make one of the workloads on which a study is repeated, then simulate and measure runs on it.
    Repeat {
        ticket: Ticket,
        log: LogId,
        /// The treatment of the log, without shrinking.
        treatment: Treatment,
        task: Encoded<RepeatTask>,
    },
}

/// The runs to be made on one repeat of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepeatTask {
    pub repeats: Repeats,
    /// The index of this repeat, from 0.
    pub repeat: u32,
    pub loads: RepeatedLoads,
    pub runs: Vec<Run>,
    pub metrics: Vec<Metric>,
    /// The distributions for which jobs are counted too, for the bands around them.
    pub distributions: Vec<JobDistribution>,
    pub rules: Rules,
    pub measure: Measure,
}

/// What is asked of a forecast.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForecastTask {
    pub asked: WhenAsked,
    /// The number of the waiting job that is asked about; `None`: all of them.
    pub job: Option<i64>,
}

/// How far a forecast has come, and what it tells so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ForecastNews {
    /// How far it has come, from 0 to 1.
    pub share: f64,
    /// What is told, where that has changed.
    pub told: Option<WhenTold>,
    pub of_job: Option<JobTold>,
}

/// A message from a worker to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    Ready,
    Loading {
        log: LogId,
        /// The number of bytes of the file that have been read.
        read: f64,
        /// The size of the file, bytes.
        total: f64,
    },
    Loaded {
        log: LogId,
        fingerprint: Fingerprint,
        header: Header,
        records: usize,
        /// The name of the log: that of its file, or its name in the archive.
        name: String,
        /// The names of other files in the archive that seem to be logs.
        others: Vec<String>,
        tells_starts: bool,
        names_requested_times: bool,
        /// Whether the log is a table, whose columns are known by their names or from the user.
        is_table: bool,
        /// The outcome of each file given beside the log; empty if there were none.
        given: Encoded<Vec<GivenOutcome>>,
    },
    NotLoaded {
        log: LogId,
        message: String,
        /// Whether it can be read if the user accepts that many of its records are not understood.
        may_go_on: bool,
    },
    /// The answer to [`ToWorker::Describe`].
    Described {
        ticket: Ticket,
        summary: Box<Summary>,
        /// The summary without the filter, if there is one: it shows what the filter can select.
        unfiltered: Option<Box<Summary>>,
        /// What was repaired and dropped while reading and cleaning.
        account: Account,
    },
    /// The answer to [`ToWorker::Pack`]; the workload is attached.
    Packed {
        ticket: Ticket,
    },
    Progress {
        ticket: Ticket,
        completed: usize,
        jobs: usize,
        /// How long the worker has been at it, seconds.
        spent: f64,
    },
    /// A run has ended, or a schedule has been measured; the schedule is attached.
    Finished {
        ticket: Ticket,
        report: Box<RunReport>,
    },
    /// Fair start times have been computed; they are attached as an encoded [`packfair_engine::model::FairStarts`].
    FairStarts {
        ticket: Ticket,
    },
    /// A run was stopped on request.
    Cancelled {
        ticket: Ticket,
    },
    Failed {
        ticket: Ticket,
        message: String,
    },
    /// The worker has ended through a fault of its own.
    Crashed {
        message: String,
    },
    /// The worker has ended because its late part could not be loaded.
    Incomplete,
    /// The answer to [`ToWorker::Ask`].
    Answered {
        ticket: Ticket,
        answer: Box<Answer>,
    },
    /// News of a [`ToWorker::Forecast`]; several follow each other.
    Forecast {
        ticket: Ticket,
        news: Encoded<ForecastNews>,
        /// Whether no more follows.
        is_last: bool,
    },
    /// The answer to [`ToWorker::Repeat`].
    Repeated {
        ticket: Ticket,
        values: Encoded<Vec<RepeatedRun>>,
    },
}

/// The number of a worker, unique within a session.
pub type WorkerId = u32;

// Parts of messages that stay encoded until they are needed.

/// A value that is encoded with postcard. What passes it on needs no code to encode or decode a `T`, which only the late
/// parts of the page and the worker have.
#[derive(Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct Encoded<T> {
    bytes: Vec<u8>,
    #[serde(skip)]
    of: PhantomData<fn() -> T>,
}

impl<T> Encoded<T> {
    /// A value that was encoded before, such as one that was stored.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Encoded { bytes, of: PhantomData }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl<T: Serialize> Encoded<T> {
    pub fn of(value: &T) -> Self {
        // plain data can always be written
        Encoded::from_bytes(postcard::to_stdvec(value).unwrap_or_default())
    }
}

impl<T: DeserializeOwned> Encoded<T> {
    /// The value, if there is one that can be read.
    pub fn decode(&self) -> Option<T> {
        postcard::from_bytes(&self.bytes).ok()
    }
}

impl<T> Default for Encoded<T> {
    fn default() -> Self {
        Encoded::from_bytes(Vec::new())
    }
}

impl<T> Clone for Encoded<T> {
    fn clone(&self) -> Self {
        Encoded::from_bytes(self.bytes.clone())
    }
}

impl<T> PartialEq for Encoded<T> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<T> fmt::Debug for Encoded<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Encoded({} bytes)", self.bytes.len())
    }
}

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

#[cfg(test)]
mod encoded_tests {
    use super::*;

    #[test]
    fn a_value_comes_back_through_a_message_and_damage_gives_none() {
        let value = ("a log".to_owned(), vec![1_u32, 2]);
        let sent = postcard::to_stdvec(&Encoded::of(&value)).unwrap();
        let received: Encoded<(String, Vec<u32>)> = postcard::from_bytes(&sent).unwrap();
        assert_eq!(received.decode(), Some(value));
        assert_eq!(Encoded::<(String, Vec<u32>)>::from_bytes(vec![0xff; 3]).decode(), None);
        assert!(Encoded::<String>::default().is_empty());
    }
}

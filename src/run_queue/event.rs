//! The events that the run queue receives, and the orders that it gives.

use super::extras::{GivenOutcome, LogExtras};
use super::protocol::{Encoded, ForecastNews, ForecastTask, FromWorker, ScheduleKey, Ticket, ToWorker, WorkerId};
use super::results::{RunOutcome, RunSettings};
use packfair_study::explore::{ExploreQuestion, Findings};
use packfair_study::query::{Answer, Query};
use packfair_study::sureness::{Repeated, Repeats};
use packfair_study::verdict::Trials;
use packfair_study::{Generated, Run, RunReport, Source, Study};
use std::sync::Arc;

/// Where a worker gets a log from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin<B> {
    File { name: String, content: B },
    Generator(Generated),
}

/// What has happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<B> {
    StudyChanged(Box<Study>),
    SharedShown {
        study: Box<Study>,
        reports: Vec<RunReport>,
    },
    /// The rows no longer belong to a link.
    SharedLeft,
    /// A result was found in the browser's storage.
    Remembered {
        settings: RunSettings,
        report: Box<RunReport>,
    },
    /// The search of [`QueueOrder::Recall`] has ended, or has taken too long.
    Recalled(Ticket),
    /// The user wants all runs that have no result for the present settings.
    RunAll,
    /// The user wants this run, whether or not it has a result.
    RunOne(Run),
    /// The user no longer wants this run.
    Cancel(Run),
    /// The user no longer wants any run.
    CancelAll,
    /// The user wants the fair start times of this run.
    FairStartsWanted(Run),
    LogWanted {
        name: String,
    },
    LogFound {
        name: String,
        origin: Origin<B>,
        /// What the user says about the log and the files given beside it; may be empty.
        beside: Encoded<LogExtras>,
    },
    /// The log that the user wants cannot be found.
    LogMissing {
        name: String,
        message: String,
    },
    /// The study's log is not available: a link carries no log.
    LogLeft,
    /// The study now uses the log of [`QueueOrder::Opened`].
    LogTaken,
    TreatmentChanged,
    /// The user wants the study run on these logs, one after the other.
    RunOnLogs(Vec<Source>),
    /// The user no longer wants this, nor the runs under way for it.
    RunOnLogsStopped,
    Queried {
        /// The number that the answer will carry.
        question: Ticket,
        query: Query,
    },
    /// The answers to these questions are no longer wanted.
    Unasked(Vec<Ticket>),
    /// The user wants a forecast of the queue at a moment of the open log; it replaces an earlier one.
    ForecastWanted {
        /// The number that the news will carry.
        question: Ticket,
        task: Encoded<ForecastTask>,
    },
    /// The user no longer wants the forecast.
    ForecastStopped,
    /// A schedule from the browser's storage, as [`QueueOrder::Fetch`] asks for, or why there is none.
    Fetched {
        key: ScheduleKey,
        /// The encoded schedule; the error is for the user.
        schedule: Result<B, String>,
    },
    /// A copy of a schedule is in the browser's storage now.
    Stored {
        key: ScheduleKey,
        /// The number of the copy, as given in [`QueueOrder::Store`].
        copy: Ticket,
    },
    /// A worker has sent a message.
    Said {
        worker: WorkerId,
        message: FromWorker,
        /// The bytes attached to the message.
        attachment: Option<B>,
    },
    /// A worker has ended, or could not be started.
    Died {
        worker: WorkerId,
        message: String,
    },
    /// The user wants the repeats of the study or, if it asks for none, these.
    RepeatsWanted(Option<Repeats>),
    /// The user no longer wants repeats; those that have arrived stay.
    RepeatsStopped,
    /// Questions without a run are about the partition with this number; `None`: about all jobs of the study.
    PartitionChosen(Option<i32>),
    /// The model explains little of the log, and the user wants to try remedies.
    TrialsWanted(Arc<Trials>),
    /// The user no longer wants trials.
    TrialsStopped,
    /// The user wants a search for non-dominated settings.
    SearchWanted(Box<ExploreQuestion>),
    SearchStopped,
    /// The user wants a stopped search to continue.
    SearchResumed,
    /// The link that was opened carries the intervals of its study's repeats.
    RepeatsCarried(Box<Repeated>),
}

impl<B> Event<B> {
    /// Whether this is an event that workers send again and again during runs.
    pub(super) fn is_of_many(&self) -> bool {
        let Event::Said { message, .. } = self else { return false };
        matches!(message, FromWorker::Progress { .. } | FromWorker::Finished { .. })
    }
}

/// The bytes attached to a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Attachment<B> {
    /// No bytes.
    Nothing,
    One(B),
    Several(Vec<B>),
}

/// What the page has to do.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "orders are carried out one by one, and are not copied about")]
pub enum QueueOrder<B> {
    /// Show the changed rows ([`super::RunQueue::rows`]).
    ShowRows,
    /// Show the changed rows soon. More changes follow, and several may be shown at once.
    ShowRowsSoon,
    /// Show the changed state of the log ([`super::RunQueue::log`]).
    ShowLog,
    /// Show whether the study is run on a series of logs; this has changed.
    ShowSeries,
    Start(WorkerId),
    /// Send a message to a worker, once it listens.
    Send {
        worker: WorkerId,
        message: ToWorker,
        attachment: Attachment<B>,
    },
    /// A worker listens now: send it the messages that were waiting.
    Deliver(WorkerId),
    End(WorkerId),
    /// Look for results in the browser's storage. [`Event::Recalled`] follows when this is done, or when it takes too
    /// long.
    Recall {
        search: Ticket,
        settings: RunSettings,
        missing: Vec<(ScheduleKey, Run)>,
    },
    /// Fetch a schedule from the browser's storage; [`Event::Fetched`] follows.
    Fetch(ScheduleKey),
    Store {
        key: ScheduleKey,
        copy: Ticket,
        outcome: Arc<RunOutcome>,
        schedule: B,
    },
    /// A result has arrived: compare it with what a link carried.
    CompareShared,
    /// The answer to a question, or why there is none.
    Answer {
        question: Ticket,
        /// The answer; the error is for the user.
        answer: Box<Result<Answer, String>>,
    },
    /// News of a forecast, or why there is none.
    TellForecast {
        question: Ticket,
        /// The news; the error is for the user.
        news: Result<Encoded<ForecastNews>, String>,
    },
    /// A log was read: let the study use it. [`Event::LogTaken`] follows.
    Opened(Box<Opened<B>>),
    /// Forget the file that was being read: it is not a log.
    ForgetFile,
    /// Forget the file that was being read, unless the user goes on with what was understood of it.
    AwaitGoingOn,
    Open(Source),
    /// Store which runs are under way, so that a reload can start them again; `None` if none are.
    NoteUnderWay(Option<(RunSettings, Vec<Run>)>),
    /// Tell the user that this many runs start again that were under way when the page was left.
    SayResumed(usize),
    /// Tell the user that something went wrong.
    Complain(String),
    /// Show the changed repeats ([`super::RunQueue::repeats`]).
    ShowRepeats,
    /// Show the changed trials ([`super::RunQueue::trials`]).
    ShowTrials,
    TellSearch(Box<SearchNews>),
}

/// A log that has been read.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened<B> {
    pub source: Source,
    pub name: String,
    pub records: usize,
    /// The name and the content of the file; `None` for a generated workload.
    pub file: Option<(String, B)>,
    /// The names of other files in the archive that seem to be logs.
    pub others: Vec<String>,
    pub tells_starts: bool,
    pub names_requested_times: bool,
    /// The outcome of each file given beside the log; empty if there were none.
    pub given: Encoded<Vec<GivenOutcome>>,
}

// What the page is told of a search for settings.

/// The values of settings that were tried, in the order of the question's metrics.
pub type TriedValues = Arc<[Option<f64>]>;

#[derive(Clone, Debug, PartialEq)]
pub enum SearchStatus {
    Idle,
    Running,
    /// The answer is known. Further searches on drawn workloads tell how often the same comes out; so many have ended.
    Again(u32),
    Stopped,
    Ended,
    /// The search cannot continue, and why.
    Failed(String),
}

/// What has happened in a search since the previous news.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchNews {
    pub status: SearchStatus,
    /// Whether this is a new search, about which there was no news before.
    pub is_new: bool,
    pub tried: Vec<(Run, TriedValues)>,
    /// The findings so far, if they have changed.
    pub findings: Option<Arc<Findings>>,
    /// The remaining time, seconds, if it is known.
    pub left: Option<f64>,
}

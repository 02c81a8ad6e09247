//! The events that the run queue receives, and the orders that it gives.

use super::beside::{Beside, GivenOutcome};
use super::encoded::Encoded;
use super::protocol::{FromWorker, ScheduleKey, Ticket, ToWorker, WorkerId};
use super::row::{RunOutcome, RunSettings};
use super::search_news::SearchNews;
use packfair_study::explore::ExploreQuestion;
use packfair_study::query::{Answer, Query};
use packfair_study::sureness::{Repeated, Repeats};
use packfair_study::verdict::Trials;
use packfair_study::{Generated, Run, RunReport, Source, Study};
use std::sync::Arc;

/// Where a worker gets a log from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin<B> {
    /// A file.
    File {
        /// The file's name.
        name: String,
        /// The file's content.
        content: B,
    },
    /// A generator of workloads.
    Generator(Generated),
}

/// What has happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<B> {
    /// The study has changed.
    StudyChanged(Box<Study>),
    /// A link was opened.
    SharedShown {
        /// The study that the link carries.
        study: Box<Study>,
        /// The results that the link carries.
        reports: Vec<RunReport>,
    },
    /// The rows no longer belong to a link.
    SharedLeft,
    /// A result was found in the browser's storage.
    Remembered {
        /// The settings with which it was made.
        settings: RunSettings,
        /// The result.
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
    /// The user wants another log, which is being looked for.
    LogWanted {
        /// The log's name.
        name: String,
    },
    /// The user wants another log, which was found.
    LogFound {
        /// The log's name.
        name: String,
        /// Where the log comes from.
        origin: Origin<B>,
        /// What the user says about the log and the files given beside it; may be empty.
        beside: Encoded<Beside>,
    },
    /// The log that the user wants cannot be found.
    LogMissing {
        /// The log's name.
        name: String,
        /// The reason, for the user.
        message: String,
    },
    /// The study's log is not available: a link carries no log.
    LogLeft,
    /// The study now uses the log of [`QueueOrder::Opened`].
    LogTaken,
    /// The treatment of the log has changed.
    TreatmentChanged,
    /// The user wants the study run on these logs, one after the other.
    RunOnLogs(Vec<Source>),
    /// The user no longer wants this, nor the runs under way for it.
    RunOnLogsStopped,
    /// A question about schedules.
    Asked {
        /// The number that the answer will carry.
        question: Ticket,
        /// The question.
        query: Query,
    },
    /// The answer to a question is no longer needed.
    TakenBack(Query),
    /// A schedule from the browser's storage, as [`QueueOrder::Fetch`] asks for, or why there is none.
    Fetched {
        /// The key of the result.
        key: ScheduleKey,
        /// The encoded schedule; the error is for the user.
        schedule: Result<B, String>,
    },
    /// A copy of a schedule is in the browser's storage now.
    Stored {
        /// The key of the result.
        key: ScheduleKey,
        /// The number of the copy, as given in [`QueueOrder::Store`].
        copy: Ticket,
    },
    /// A worker has sent a message.
    Said {
        /// The worker.
        worker: WorkerId,
        /// The message.
        message: FromWorker,
        /// The bytes attached to the message.
        attachment: Option<B>,
    },
    /// A worker has ended, or could not be started.
    Died {
        /// The worker.
        worker: WorkerId,
        /// The reason, for the user.
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
    /// The user wants the search to stop.
    SearchStopped,
    /// The user wants a stopped search to continue.
    SearchGoneOn,
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
    /// One value.
    One(B),
    /// An array of values.
    Several(Vec<B>),
}

/// What the page has to do.
#[derive(Clone, Debug, PartialEq)]
pub enum QueueOrder<B> {
    /// Show the changed rows ([`super::RunQueue::rows`]).
    ShowRows,
    /// Show the changed rows soon. More changes follow, and several may be shown at once.
    ShowRowsSoon,
    /// Show the changed state of the log ([`super::RunQueue::log`]).
    ShowLog,
    /// Show whether the study is run on a series of logs; this has changed.
    ShowSeries,
    /// Start a worker.
    Start(WorkerId),
    /// Send a message to a worker, once it listens.
    Send {
        /// The worker.
        worker: WorkerId,
        /// The message.
        message: ToWorker,
        /// The attachment.
        attachment: Attachment<B>,
    },
    /// A worker listens now: send it the messages that were waiting.
    Deliver(WorkerId),
    /// End a worker.
    End(WorkerId),
    /// Look for results in the browser's storage. [`Event::Recalled`] follows when this is done, or when it takes too
    /// long.
    Recall {
        /// The number of the search.
        search: Ticket,
        /// The settings of the results.
        settings: RunSettings,
        /// The keys of the results to look for, and their runs.
        missing: Vec<(ScheduleKey, Run)>,
    },
    /// Fetch a schedule from the browser's storage; [`Event::Fetched`] follows.
    Fetch(ScheduleKey),
    /// Store a result in the browser.
    Store {
        /// The key of the result.
        key: ScheduleKey,
        /// The number of this copy.
        copy: Ticket,
        /// The result.
        outcome: Arc<RunOutcome>,
        /// The encoded schedule.
        schedule: B,
    },
    /// A result has arrived: compare it with what a link carried.
    CompareShared,
    /// The answer to a question, or why there is none.
    Answer {
        /// The number of the question.
        question: Ticket,
        /// The answer; the error is for the user.
        answer: Box<Result<Answer, String>>,
    },
    /// A log was read: let the study use it. [`Event::LogTaken`] follows.
    Opened(Box<Opened<B>>),
    /// Forget the file that was being read: it is not a log.
    ForgetFile,
    /// Open a known log.
    Open(Source),
    /// Store which runs are under way, so that a reload can start them again; `None` if none are.
    NoteUnderWay(Option<(RunSettings, Vec<Run>)>),
    /// Tell the user that this many runs start again that were under way when the page was left.
    SayGoneOn(usize),
    /// Tell the user that something went wrong.
    Complain(String),
    /// Show the changed repeats ([`super::RunQueue::repeats`]).
    ShowRepeats,
    /// Show the changed trials ([`super::RunQueue::trials`]).
    ShowTrials,
    /// Show news of the search among settings.
    TellSearch(Box<SearchNews>),
}

/// A log that has been read.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened<B> {
    /// The source by which studies refer to the log.
    pub source: Source,
    /// The log's name.
    pub name: String,
    /// The number of jobs in the file.
    pub records: usize,
    /// The name and the content of the file; `None` for a generated workload.
    pub file: Option<(String, B)>,
    /// The names of other files in the archive that seem to be logs.
    pub others: Vec<String>,
    /// Whether the log tells when its jobs started.
    pub tells_starts: bool,
    /// Whether the log gives a requested time for any job.
    pub names_requested_times: bool,
    /// The outcome of each file given beside the log; empty if there were none.
    pub given: Encoded<Vec<GivenOutcome>>,
}

//! What the run queue is told, and what it orders.

use super::protocol::{FromWorker, ScheduleKey, Ticket, ToWorker};
use super::row::{RunOutcome, RunSettings};
use super::searching::SearchNews;
use super::workers::WorkerId;
use crate::explore::ExploreQuestion;
use crate::study::query::{Answer, Query};
use crate::study::sureness::{Repeated, Repeats};
use crate::study::verdict::Trials;
use crate::study::{Generated, Run, RunReport, Source, Study};
use std::sync::Arc;

/// Where a worker gets a log from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin<B> {
    /// A file.
    File {
        /// Its name.
        name: String,
        /// Its content.
        content: B,
    },
    /// A generator.
    Generator(Generated),
}

/// What has happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<B> {
    /// The study is another now.
    StudyChanged(Box<Study>),
    /// A link was opened: this is what it carries.
    SharedShown {
        /// Its study.
        study: Box<Study>,
        /// Its results.
        reports: Vec<RunReport>,
    },
    /// The rows are those of a link no longer.
    SharedLeft,
    /// A result was found in the browser's storage.
    Remembered {
        /// What it was made with.
        settings: RunSettings,
        /// The result.
        report: Box<RunReport>,
    },
    /// The search of [`QueueOrder::Recall`] has ended, or has taken too long.
    Recalled(Ticket),
    /// Whatever has no result for the present settings is wanted.
    RunAll,
    /// A run is wanted, whether it has a result or not.
    RunOne(Run),
    /// A run is wanted no longer.
    Cancel(Run),
    /// No run is wanted any longer.
    CancelAll,
    /// The fair start times of a run are wanted.
    FairStartsWanted(Run),
    /// Another log is wanted, and is being looked for.
    LogWanted {
        /// Its name.
        name: String,
    },
    /// Another log is wanted, and this is where it is.
    LogFound {
        /// Its name.
        name: String,
        /// Where it is.
        origin: Origin<B>,
        /// What is said of it and given beside it ([`super::Beside`]), encoded; empty: nothing.
        beside: Vec<u8>,
    },
    /// The log that was wanted is not to be had.
    LogMissing {
        /// Its name.
        name: String,
        /// Why, for a person.
        message: String,
    },
    /// The study's log is not at hand: a link carries none.
    LogLeft,
    /// The study is on the log of [`QueueOrder::Opened`] now.
    LogTaken,
    /// Something else is done to the log before it is simulated.
    TreatmentChanged,
    /// The study is to be run on one log after the other.
    RunOnLogs(Vec<Source>),
    /// It is not to be run on further logs, and what goes on is not wanted.
    RunOnLogsStopped,
    /// A question about schedules.
    Asked {
        /// Names the answer.
        question: Ticket,
        /// The question.
        query: Query,
    },
    /// The answer to a question is of no use any more.
    TakenBack(Query),
    /// A schedule out of the browser's storage, as [`QueueOrder::Fetch`] asks for it, or why there is none.
    Fetched {
        /// Which.
        key: ScheduleKey,
        /// Encoded; the error is for a person.
        schedule: Result<B, String>,
    },
    /// A copy of a schedule is in the browser's storage.
    Stored {
        /// Which.
        key: ScheduleKey,
        /// As [`QueueOrder::Store`] calls it.
        copy: Ticket,
    },
    /// A worker says something.
    Said {
        /// Which worker.
        worker: WorkerId,
        /// What it says.
        message: FromWorker,
        /// The bytes that came with it.
        attachment: Option<B>,
    },
    /// A worker has ended, or could not be started.
    Died {
        /// Which worker.
        worker: WorkerId,
        /// Why, for a person.
        message: String,
    },
    /// The repeats of the study are wanted; these, where it asks for none.
    RepeatsWanted(Option<Repeats>),
    /// They are not wanted any longer; what has come stays.
    RepeatsStopped,
    /// Questions without a run are about the partition of this number by itself; none: about all jobs of the study.
    PartitionChosen(Option<i32>),
    /// The model explains little: what may be wrong is to be tried.
    TrialsWanted(Arc<Trials>),
    /// It is not to be tried any longer.
    TrialsStopped,
    /// Settings are to be looked for that nothing beats.
    SearchWanted(Box<ExploreQuestion>),
    /// The search is to stop where it is.
    SearchStopped,
    /// It is to go on where it was stopped.
    SearchGoneOn,
    /// A link that was opened has the intervals of its study's repeats.
    RepeatsCarried(Box<Repeated>),
}

impl<B> Event<B> {
    /// Whether workers say the like again and again as long as they run something.
    pub(super) fn is_of_many(&self) -> bool {
        let Event::Said { message, .. } = self else { return false };
        matches!(message, FromWorker::Progress { .. } | FromWorker::Finished { .. })
    }
}

/// The bytes that go with a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Attachment<B> {
    /// None.
    Nothing,
    /// These.
    One(B),
    /// An array of several.
    Several(Vec<B>),
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum QueueOrder<B> {
    /// Show [`super::RunQueue::rows`], which have changed.
    ShowRows,
    /// The same, but more is to come: several changes may be shown at once.
    ShowRowsSoon,
    /// Show [`super::RunQueue::log`], which has changed.
    ShowLog,
    /// Keep [`super::RunQueue::speeds`], which have changed.
    KeepSpeeds,
    /// Show whether the study is run on a series of logs, which has changed.
    ShowSeries,
    /// Start a worker.
    Start(WorkerId),
    /// Say something to a worker, once it listens.
    Send {
        /// Which worker.
        worker: WorkerId,
        /// What.
        message: ToWorker,
        /// What goes with it.
        attachment: Attachment<B>,
    },
    /// A worker listens now: it gets what was said to it.
    Deliver(WorkerId),
    /// End a worker.
    End(WorkerId),
    /// Look for results in the browser's storage; then, or when that takes too long, [`Event::Recalled`] is awaited.
    Recall {
        /// Names the search.
        search: Ticket,
        /// The settings of the results.
        settings: RunSettings,
        /// Which runs, and what their results are called.
        missing: Vec<(ScheduleKey, Run)>,
    },
    /// Get a schedule out of the browser's storage, for [`Event::Fetched`].
    Fetch(ScheduleKey),
    /// Put a result into the browser's storage.
    Store {
        /// What it is called.
        key: ScheduleKey,
        /// Names this copy.
        copy: Ticket,
        /// The result.
        outcome: Arc<RunOutcome>,
        /// The encoded schedule.
        schedule: B,
    },
    /// A result has come: what a link carried is compared with it.
    CompareShared,
    /// The answer to a question, or why there is none.
    Answer {
        /// Which.
        question: Ticket,
        /// The error is for a person.
        answer: Box<Result<Answer, String>>,
    },
    /// A log was read: make the study one on it, then [`Event::LogTaken`] is awaited.
    Opened(Box<Opened<B>>),
    /// The file that was being read is no log.
    ForgetFile,
    /// Open a known log.
    Open(Source),
    /// Note for a reload what is under way; none where nothing is.
    NoteUnderWay(Option<(RunSettings, Vec<Run>)>),
    /// Say that so many runs that were under way when the page was left are begun again.
    SayGoneOn(usize),
    /// Say that something went wrong.
    Complain(String),
    /// Show [`super::RunQueue::repeats`], which have changed.
    ShowRepeats,
    /// Show [`super::RunQueue::trials`], which have changed.
    ShowTrials,
    /// Show what has become of the search among settings.
    TellSearch(Box<SearchNews>),
}

/// A log that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened<B> {
    /// What studies call it.
    pub source: Source,
    /// Its name.
    pub name: String,
    /// Jobs, as read.
    pub records: usize,
    /// The file it was read from: its name and its content; none of a generated one.
    pub file: Option<(String, B)>,
    /// What else in an archive seems to be a log.
    pub others: Vec<String>,
    /// Whether it tells when its jobs started.
    pub tells_starts: bool,
    /// Whether it names a requested time of any job.
    pub names_requested_times: bool,
    /// What became of the files given beside it: a list of [`super::GivenOutcome`], encoded; empty where there were none.
    pub given: Vec<u8>,
}

//! What is answered.

use super::estimated::Estimated;
use super::reasons::Reasons;
use super::sizes::LearnedSizes;
use super::waited::Waited;
use crate::classifier::Because;
use crate::metric::{Accuracy, ClassCourse, TimeSeries, WaitCell};
use crate::model::{FairStarts, NoteId, Schedule, SizeClass};
use crate::simulation::Reserved;
use crate::study::grouped::WaitsRow;
use crate::study::script_trial::ScriptTrial;
use crate::study::{PlainComparison, Verification};
use crate::workload::{Account, JobId, Request, Seconds, Summary, Workload};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The answer to a [`super::Query`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "there is one answer at a time, and it is not copied about")]
pub enum Answer {
    /// To [`super::Query::Jobs`].
    Jobs {
        /// How many jobs match the search.
        matching: usize,
        /// The page's rows.
        rows: Vec<JobRow>,
    },
    /// To [`super::Query::Gantt`].
    Gantt {
        /// Boxes in the window; empty where there are more than asked for at most.
        boxes: Vec<GanttBox>,
        /// How many there are.
        total: usize,
    },
    /// To [`super::Query::Window`].
    Window(TimeSeries),
    /// To [`super::Query::Export`] and [`super::Query::Log`]: the file's bytes.
    File(Vec<u8>),
    /// To [`super::Query::Check`].
    Checked(Verification),
    /// To [`super::Query::Plain`].
    Plain(PlainComparison),
    /// To [`super::Query::Waited`].
    Waited(Waited),
    /// To [`super::Query::Reasons`].
    Reasons(Reasons),
    /// To [`super::Query::FairStart`]: strict and relaxed.
    FairStart(Seconds, Seconds),
    /// To [`super::Query::Reservation`]: one for each round that changed it.
    Reservation(Vec<Reserved>),
    /// To [`super::Query::Estimated`].
    Estimated(Estimated),
    /// To [`super::Query::Classes`].
    Classes(ClassCourse),
    /// To [`super::Query::WaitMap`].
    WaitMap(Vec<WaitCell>),
    /// To [`super::Query::Waits`].
    Waits(Vec<WaitsRow>),
    /// To [`super::Query::SiteFit`] (`Option<SiteFit>`: none where the log does not tell when its jobs started) and to
    /// [`super::Query::UserWaits`] (`UserWaits`), encoded: only parts of the page read them that come late.
    Encoded(Vec<u8>),
    /// To [`super::Query::Sizes`].
    Sizes(LearnedSizes),
    /// To [`super::Query::Accuracy`].
    Accuracy(Accuracy),
    /// To [`super::Query::Described`].
    Described(Box<Summary>, Account),
    /// To [`super::Query::Measured`]: the metrics of each run, in their order; none for a run that cannot be made, and for
    /// a metric that is not defined.
    Measured {
        /// How many jobs the part has.
        jobs: usize,
        /// Of each run.
        values: Vec<Option<Vec<Option<f64>>>>,
    },
    /// To [`super::Query::Tried`].
    Tried(Box<ScriptTrial>),
}

impl Answer {
    /// An answer that is decoded by who asked.
    pub(super) fn encoded<T: Serialize>(value: &T) -> Self {
        // it is plain data
        Answer::Encoded(postcard::to_stdvec(value).unwrap_or_default())
    }

    /// What is encoded in it.
    ///
    /// # Errors
    /// It is no answer of this kind, for a person.
    pub fn decoded<T: DeserializeOwned>(&self) -> Result<T, String> {
        let found = match self {
            Answer::Encoded(bytes) => postcard::from_bytes(bytes).ok(),
            _ => None,
        };
        found.ok_or_else(|| "The answer was for another question. Ask again.".to_owned())
    }
}

/// A job and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRow {
    /// Which job.
    pub job: JobId,
    /// What was asked for it.
    pub request: Request,
    /// Actual run time D.
    pub run: Seconds,
    /// What became of it under each run asked about.
    pub outcomes: Vec<Option<JobOutcome>>,
}

/// What became of a job under a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobOutcome {
    /// When it was submitted: where users react, not when the log says.
    pub submit: Seconds,
    /// Start b of the run that completed.
    pub start: Seconds,
    /// Completion c.
    pub end: Seconds,
    /// How often it was killed before.
    pub kills: u32,
    /// The estimate E made at submission, seconds.
    pub estimate: f64,
    /// The start that it was guaranteed at its submission; none where nothing is guaranteed.
    pub promise: Option<Seconds>,
    /// Strict and relaxed fair start; none where they were not computed.
    pub fair: Option<(Seconds, Seconds)>,
    /// Hybrid fair start; none where it was not computed.
    pub hybrid: Option<Seconds>,
    /// Fair start that does not depend on the scheduler; likewise.
    pub independent: Option<Seconds>,
    /// Its unweighted and its weighted fair share less what it got, processor-seconds; none where nobody asked.
    pub share: Option<(f64, f64)>,
    /// What it was taken for, and by which divider; none where no classifier was at work.
    pub class: Option<SizeClass>,
    /// Why, where that is known.
    pub because: Option<Because>,
}

impl JobOutcome {
    /// Of a job of a schedule of `workload` that was killed so often.
    pub(super) fn of(workload: &Workload, schedule: &Schedule, job: JobId, kills: u32) -> Self {
        let fair = |of: fn(&FairStarts) -> &Vec<Seconds>| of(schedule.fair.as_ref()?).get(job.index()).copied();
        JobOutcome {
            submit: workload.request(job).submit,
            start: schedule.start(job),
            end: schedule.end(job),
            kills,
            estimate: schedule.estimate(job),
            promise: schedule.notes.of_job(NoteId::PROMISE, job),
            fair: schedule.fair.as_ref().and_then(|fair| fair.of(job)),
            hybrid: fair(|fair| &fair.hybrid),
            independent: fair(|fair| &fair.independent),
            share: None,
            class: schedule.classes.get(job.index()).copied(),
            because: schedule.notes.of_job(NoteId::BECAUSE, job).and_then(Because::of_note),
        }
    }

    /// Wait, seconds.
    pub fn wait(&self) -> Seconds {
        self.start - self.submit
    }

    /// Response time, seconds.
    pub fn response(&self) -> Seconds {
        self.end - self.submit
    }

    /// How much later than promised it starts, seconds; below 0 where it is earlier.
    pub fn delay(&self) -> Option<Seconds> {
        Some(self.start - self.promise?)
    }

    /// How much later than its strict fair start it starts, seconds.
    pub fn strict_unfairness(&self) -> Option<Seconds> {
        Some((self.start - self.fair?.0).max(0))
    }

    /// How much later than its relaxed fair start it starts, seconds.
    pub fn relaxed_unfairness(&self) -> Option<Seconds> {
        Some((self.start - self.fair?.1).max(0))
    }
}

/// A job's box in a Gantt chart; a job on processors that do not lie together has several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GanttBox {
    /// Which job.
    pub job: JobId,
    /// Its number in the log.
    pub number: i64,
    /// Its user.
    pub user: i32,
    /// Start and completion.
    pub span: (Seconds, Seconds),
    /// First processor, from 0.
    pub first: u32,
    /// How many processors.
    pub count: u32,
    /// How long the job waited; so far, where it has not started.
    pub wait: Seconds,
    /// What the box stands for.
    pub part: Part,
    /// Whether its job is of the group that alone counts, or all do.
    pub counts: bool,
}

/// What a box of a Gantt chart stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// A job that runs, or ran.
    Ran,
    /// A run that was killed; the job started again later.
    Killed,
    /// What a running job is expected to run on.
    Expected,
    /// A waiting job's reservation.
    Reserved,
}

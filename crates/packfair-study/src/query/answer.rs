//! The answers to questions.

use super::estimated::Estimated;
use super::reasons::Reasons;
use super::sizes::LearnedSizes;
use super::waited::Waited;
use crate::grouped::WaitsRow;
use crate::script_trial::ScriptTrial;
use packfair_engine::classifier::Because;
use packfair_engine::metric::{Accuracy, ClassCourse, TimeSeries, WaitCell};
use packfair_engine::model::{FairStarts, NoteId, Schedule, SizeClass};
use packfair_engine::simulation::Reserved;
use packfair_workload::{Account, JobId, Request, Seconds, Summary, Workload};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The answer to a [`super::Query`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "there is one answer at a time, and it is not copied about")]
pub enum Answer {
    /// Answers [`super::Query::Jobs`].
    Jobs { matching: usize, rows: Vec<JobRow> },
    /// Answers [`super::Query::Gantt`].
    Gantt {
        /// The boxes in the window; empty where there are more than the question allows.
        boxes: Vec<GanttBox>,
        /// The number of boxes in the window.
        total: usize,
    },
    /// Answers [`super::Query::Window`].
    Window(TimeSeries),
    /// Answers [`super::Query::Export`] and [`super::Query::Log`]: the file's bytes.
    File(Vec<u8>),
    /// Answers [`super::Query::Waited`].
    Waited(Waited),
    /// Answers [`super::Query::Reasons`].
    Reasons(Reasons),
    /// Answers [`super::Query::FairStart`]: the strict and the relaxed fair start.
    FairStart(Seconds, Seconds),
    /// Answers [`super::Query::Reservation`]: one entry for each round that changed the reservation.
    Reservation(Vec<Reserved>),
    /// Answers [`super::Query::Estimated`].
    Estimated(Estimated),
    /// Answers [`super::Query::Classes`].
    Classes(ClassCourse),
    /// Answers [`super::Query::WaitMap`].
    WaitMap(Vec<WaitCell>),
    /// Answers [`super::Query::Waits`].
    Waits(Vec<WaitsRow>),
    /// To [`super::Query::SiteFit`] (`Option<SiteFit>`: none where the log does not tell when its jobs started) and to
    /// [`super::Query::UserWaits`] ([`crate::GroupedWaits`]), and to [`super::Query::Effects`]
    /// (`Option<Effects>`) and [`super::Query::Drawn`] (a `Result<RunDraw, String>` for each draw), encoded: only parts of the page read them that come late.
    Encoded(Vec<u8>),
    /// Answers [`super::Query::Sizes`].
    Sizes(LearnedSizes),
    /// Answers [`super::Query::Accuracy`].
    Accuracy(Accuracy),
    /// Answers [`super::Query::Described`].
    Described(Box<Summary>, Account),
    /// Answers [`super::Query::Measured`].
    Measured {
        jobs: usize,
        /// For each run, the values of the metrics in their order. A run is `None` where it cannot be made, and a value
        /// where it is not defined.
        values: Vec<Option<Vec<Option<f64>>>>,
    },
    /// Answers [`super::Query::Tried`].
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

/// A job and its outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRow {
    pub job: JobId,
    pub request: Request,
    /// Actual run time D.
    pub run: Seconds,
    pub outcomes: Vec<Option<JobOutcome>>,
}

/// The outcome of a job under a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobOutcome {
    /// When the job was submitted. Where users react, this differs from the log.
    pub submit: Seconds,
    /// Start b of the execution that completed.
    pub start: Seconds,
    /// Completion c.
    pub end: Seconds,
    /// How often the job was killed before.
    pub kills: u32,
    /// The estimate E made at submission, seconds.
    pub estimate: f64,
    /// The start that was guaranteed at submission; `None` where nothing is guaranteed.
    pub promise: Option<Seconds>,
    /// The strict and the relaxed fair start; `None` where they were not computed.
    pub fair: Option<(Seconds, Seconds)>,
    /// The hybrid fair start; `None` where it was not computed.
    pub hybrid: Option<Seconds>,
    /// The fair start that does not depend on the scheduler; `None` where it was not computed.
    pub independent: Option<Seconds>,
    /// The unweighted and the weighted fair share less what the job got, processor-seconds; `None` where it was not
    /// asked for.
    pub share: Option<(f64, f64)>,
    /// The job's class and the divider; `None` where no classifier was at work.
    pub class: Option<SizeClass>,
    /// Why the job got that class, where it is known.
    pub because: Option<Because>,
}

impl JobOutcome {
    /// The outcome of a job in a schedule of `workload`. `kills` is how often the job was killed.
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

    pub fn wait(&self) -> Seconds {
        self.start - self.submit
    }

    pub fn response(&self) -> Seconds {
        self.end - self.submit
    }

    /// How much later than promised the job starts, seconds; below 0 where it starts earlier.
    pub fn delay(&self) -> Option<Seconds> {
        Some(self.start - self.promise?)
    }

    /// How much later than its strict fair start the job starts, seconds; at least 0.
    pub fn strict_unfairness(&self) -> Option<Seconds> {
        Some((self.start - self.fair?.0).max(0))
    }

    /// How much later than its relaxed fair start the job starts, seconds; at least 0.
    pub fn relaxed_unfairness(&self) -> Option<Seconds> {
        Some((self.start - self.fair?.1).max(0))
    }
}

/// A box of a job in a Gantt chart. A job has several boxes where its processors do not lie together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GanttBox {
    pub job: JobId,
    pub number: i64,
    pub user: i32,
    pub span: (Seconds, Seconds),
    /// First processor, from 0.
    pub first: u32,
    /// How many processors.
    pub count: u32,
    /// How long the job waited; the time until now, where it has not started.
    pub wait: Seconds,
    pub part: BoxPart,
    /// Whether the job belongs to the group that alone counts; true where all jobs count.
    pub counts: bool,
}

/// What a box of a Gantt chart stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoxPart {
    Ran,
    /// An execution that was killed; the job started again later.
    Killed,
    /// The time for which a running job is expected to go on.
    Expected,
    Reserved,
}

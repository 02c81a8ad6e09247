//! The answers to questions.

use super::answering::Measuring;
use super::estimated::{Estimated, Explaining};
use super::gantt::LearnedSizes;
use super::waited::{FindingReasons, Reasons, Waited};
use super::{BoxesAsked, gantt};
use crate::grouped::WaitsRow;
use crate::script_trial::ScriptTrial;
use packfair_engine::classifier::Because;
use packfair_engine::metric::{Accuracy, ClassCourse, TimeSeries, WaitCell};
use packfair_engine::model::{FairStarts, NoteId, Schedule, SizeClass};
use packfair_engine::simulation::{FairStartSearch, ReservationCourse, Reserved, Simulation, outlook};
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

// Answers for which a run is simulated again, step by step. That takes as long as the run did.

/// What is said where a job of a question is not in the log.
pub(super) const LOST: &str = "The job is not in this log any more. Pick it again.";

/// An answer under way.
pub struct UnderWay<'a>(Stage<'a>);

#[allow(clippy::large_enum_variant, reason = "there is one at a time, and it is not copied about")]
enum Stage<'a> {
    Estimated(Explaining<'a>),
    Reasons(FindingReasons<'a>),
    FairStart {
        search: FairStartSearch<'a>,
        job: JobId,
        /// The number of jobs before the job that have arrived.
        arrived: usize,
    },
    Reservation(ReservationCourse<'a>),
    Measuring(Box<Measuring>),
    Outlook {
        simulation: Simulation<'a>,
        workload: &'a Workload,
        schedule: &'a Schedule,
        /// The time from which earlier jobs are shown too, and the instant.
        window: (Seconds, Seconds),
        boxes: BoxesAsked,
    },
}

impl<'a> UnderWay<'a> {
    pub(super) fn estimated(explaining: Explaining<'a>) -> Self {
        UnderWay(Stage::Estimated(explaining))
    }

    pub(super) fn reasons(finding: FindingReasons<'a>) -> Self {
        UnderWay(Stage::Reasons(finding))
    }

    /// Begins the answer with a search that has not begun.
    pub(super) fn fair_start(search: FairStartSearch<'a>, job: JobId) -> Self {
        UnderWay(Stage::FairStart { search, job, arrived: 0 })
    }

    pub(super) fn reservation(course: ReservationCourse<'a>) -> Self {
        UnderWay(Stage::Reservation(course))
    }

    pub(super) fn measuring(measuring: Measuring) -> Self {
        UnderWay(Stage::Measuring(Box::new(measuring)))
    }

    /// Begins the answer with a simulation that has not begun and will come to `schedule`.
    pub(super) fn outlook(
        simulation: Simulation<'a>,
        workload: &'a Workload,
        schedule: &'a Schedule,
        window: (Seconds, Seconds),
        boxes: BoxesAsked,
    ) -> Self {
        UnderWay(Stage::Outlook { simulation, workload, schedule, window, boxes })
    }

    /// Goes on by about `instants` instants; gives the answer once it is there.
    ///
    /// # Errors
    /// A message in words: the job is not in the run.
    pub fn advance(&mut self, instants: usize) -> Option<Result<Answer, String>> {
        match &mut self.0 {
            Stage::Estimated(explaining) => {
                explaining.advance(instants).map(|estimated| Ok(Answer::Estimated(estimated)))
            }
            Stage::Reasons(finding) => finding.advance(instants).map(|reasons| Ok(Answer::Reasons(reasons))),
            Stage::FairStart { search, job, arrived } => {
                let wanted = job.index();
                *arrived = arrived.saturating_add(instants).min(wanted);
                // An empty range computes no fair start, but lets the jobs before it arrive.
                search.of(*arrived..*arrived);
                (*arrived == wanted).then(|| {
                    let fair = search.of(wanted..wanted + 1).of(JobId(0));
                    fair.map(|(strict, relaxed)| Answer::FairStart(strict, relaxed)).ok_or_else(|| LOST.to_owned())
                })
            }
            Stage::Reservation(course) => course.advance(instants).map(|course| Ok(Answer::Reservation(course))),
            Stage::Measuring(measuring) => loop {
                let answer = measuring.advance();
                if answer.is_some() || instants < usize::MAX {
                    return answer.map(Ok);
                }
            },
            Stage::Outlook { simulation, workload, schedule, window, boxes } => {
                let (_, at) = *window;
                simulation.reach(at, instants).then(|| {
                    let expected = outlook(simulation, at);
                    Ok(gantt::outlook(workload, schedule, &expected, *window, *boxes))
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Begun, Query, answer, begin};
    use super::*;
    use crate::{Rules, Run, Treatment, execute, fair_starts_of};
    use packfair_engine::metric::Measure;
    use packfair_workload::lublin;

    fn in_steps(begun: Begun, instants: usize) -> (usize, Result<Answer, String>) {
        let Begun::UnderWay(mut under_way) = begun else { panic!("it is there at once") };
        let mut steps = 1;
        loop {
            match under_way.advance(instants) {
                Some(answer) => return (steps, answer),
                None => steps += 1,
            }
        }
    }

    #[test]
    fn whatever_the_steps_the_answer_is_the_same() {
        let workload = Treatment::default().apply(&lublin(500, 32, 7)).unwrap();
        let rules = Rules::default();
        let run = Run::new("easy-sjbf".parse().unwrap(), "last2".parse().unwrap());
        let schedule = execute(&run, &workload, rules, &Measure::default()).unwrap().schedule;
        let all = fair_starts_of(&run, &workload, rules, &schedule, 0..workload.len()).unwrap();
        let waits = |&job: &JobId| schedule.start(job) > workload.request(job).submit;
        let job = workload.jobs().skip(100).find(waits).unwrap();
        let at = schedule.start(job) - 1;
        let queries = [
            Query::FairStart { run: run.clone(), rules, job },
            Query::Reservation { run: run.clone(), rules, job },
            Query::Estimated { run: run.clone(), rules, job },
            Query::Outlook { run: run.clone(), rules, at, from: 0, boxes: BoxesAsked { most: 1_000_000, only: None } },
        ];
        for query in &queries {
            assert!(query.takes_a_run(), "{query:?}");
            let whole = answer(query, &workload, None, &|_| Some(&schedule));
            for instants in [1, 7] {
                let begun = begin(query, &workload, None, &|_| Some(&schedule)).unwrap();
                let (steps, answer) = in_steps(begun, instants);
                assert_eq!(answer, whole);
                assert!(steps > 100 / instants, "{steps} steps for {query:?}");
            }
        }
        let fair = answer(&queries[0], &workload, None, &|_| Some(&schedule)).unwrap();
        let (strict, relaxed) = all.of(job).unwrap();
        assert_eq!(fair, Answer::FairStart(strict, relaxed));
    }
}

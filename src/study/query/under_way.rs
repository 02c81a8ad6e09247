//! Answers for which a run is simulated again, step by step. That takes as long as the run did.

use super::estimated::Explaining;
use super::measuring::Measuring;
use super::reasons::FindingReasons;
use super::{Answer, BoxesAsked, gantt};
use crate::model::Schedule;
use crate::simulation::{FairStartSearch, ReservationCourse, Simulation, outlook};
use crate::workload::{JobId, Seconds, Workload};

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
    use crate::metric::Measure;
    use crate::study::{Rules, Run, Treatment, execute, fair_starts_of};
    use crate::workload::lublin;

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

//! The lessons, a file each.

mod backfilling;
mod conservative;
mod dynp;
mod estimates;
mod fairness;
mod fcfs;
mod opening;

use super::{Lesson, OnALog, TaughtJob, TaughtRun};

/// What is shown before any lesson is chosen: three schedulers on the same jobs.
pub const OPENING: Lesson = opening::LESSON;

/// The lessons, in order.
pub const LESSONS: &[Lesson] =
    &[fcfs::LESSON, backfilling::LESSON, conservative::LESSON, estimates::LESSON, fairness::LESSON, dynp::LESSON];

/// The lesson of this id; what is shown at first if there is none.
pub fn lesson(id: &str) -> &'static Lesson {
    const FIRST: &Lesson = &OPENING;
    LESSONS.iter().find(|lesson| lesson.id == id).unwrap_or(FIRST)
}

#[cfg(test)]
mod tests {
    use super::super::{Course, LATEST, LONGEST, PROCESSORS, STEP};
    use super::*;
    use crate::{Rules, Run, execute};
    use packfair_engine::metric::Measure;

    fn all() -> impl Iterator<Item = Lesson> {
        LESSONS.iter().copied().chain([OPENING])
    }

    #[test]
    fn a_lesson_takes_a_minute() {
        for lesson in all() {
            let words = lesson.text.split_whitespace().count();
            assert!((25..=80).contains(&words), "{}: {words} words", lesson.id);
            assert!(lesson.question.split_whitespace().count() <= 30, "{}", lesson.id);
            assert!(lesson.id.bytes().all(|byte| byte.is_ascii_lowercase()), "{}", lesson.id);
            assert!(all().filter(|other| other.id == lesson.id).count() == 1, "{}", lesson.id);
            assert_eq!(super::lesson(lesson.id).id, lesson.id);
        }
        assert_eq!(super::lesson("nothing").id, OPENING.id);
    }

    #[test]
    fn its_jobs_are_such_as_a_person_could_make() {
        for lesson in all() {
            assert_eq!(lesson.jobs.len(), 12, "{}", lesson.id);
            assert!(lesson.jobs.is_sorted_by_key(|job| job.submit), "{}: numbered as they arrive", lesson.id);
            for job in lesson.jobs {
                assert!(job.run >= STEP && job.run <= job.limit && job.limit <= LONGEST && job.submit <= LATEST);
                assert!((1..=PROCESSORS).contains(&job.processors) && job.run % STEP == 0 && job.submit % STEP == 0);
            }
        }
    }

    #[test]
    fn its_schedules_are_those_of_the_schedulers_that_a_study_runs() {
        for lesson in all() {
            for &run in lesson.runs {
                let course = Course::of(run, lesson.jobs);
                let workload = super::super::workload(lesson.jobs, run.knows_run_times);
                let of_study = Run::new(run.policy(), "requested".parse().unwrap());
                let schedule = execute(&of_study, &workload, Rules::default(), &Measure::default()).unwrap().schedule;
                assert_eq!(course.starts, schedule.starts, "{}: {}", lesson.id, run.scheduler);
            }
        }
    }

    #[test]
    fn something_is_to_be_seen_where_it_opens() {
        for lesson in all() {
            let courses = lesson.courses(lesson.jobs);
            let waits =
                |course: &Course| course.moment_at(lesson.opens_at).is_some_and(|moment| !moment.waiting.is_empty());
            assert!(courses.iter().any(waits), "{}", lesson.id);
        }
    }

    #[test]
    fn what_it_tries_on_a_log_is_in_the_catalogues() {
        for lesson in all() {
            for scheduler in lesson.on_a_log.schedulers {
                scheduler.parse::<packfair_schedulers::Policy>().unwrap();
            }
            for method in lesson.on_a_log.methods {
                method.parse::<packfair_engine::estimator::Method>().unwrap();
            }
            assert!(lesson.on_a_log.schedulers.len() * lesson.on_a_log.methods.len() >= 2, "{}", lesson.id);
        }
    }

    /// The jobs, by number, that start sooner and later in the second course than in the first.
    pub(super) fn gain_and_lose(before: &Course, after: &Course) -> (Vec<usize>, Vec<usize>) {
        let jobs = || 0..before.jobs.len();
        (
            jobs().filter(|&job| after.starts[job] < before.starts[job]).map(|job| job + 1).collect(),
            jobs().filter(|&job| after.starts[job] > before.starts[job]).map(|job| job + 1).collect(),
        )
    }

    /// These jobs, with the one of this number changed.
    pub(super) fn changed(
        jobs: &[TaughtJob],
        number: usize,
        change: impl FnOnce(TaughtJob) -> TaughtJob,
    ) -> Vec<TaughtJob> {
        let mut jobs = jobs.to_vec();
        jobs[number - 1] = change(jobs[number - 1]);
        jobs
    }

    /// When a job starts, by its number, as a clock shows it.
    pub(super) fn start(course: &Course, number: usize) -> String {
        super::super::clock(course.starts[number - 1])
    }

    /// What is told at a time of the day, in one text.
    pub(super) fn told(course: &Course, at: &str) -> String {
        let moment = course.moments.iter().find(|moment| super::super::clock(moment.at) == at);
        moment.map(|moment| moment.told.join(" ")).unwrap_or_default()
    }
}

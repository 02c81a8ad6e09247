//! Who pays for a short mean wait.

use super::{Lesson, OnALog, TaughtJob, TaughtRun};

const fn job(submit: i64, processors: u32, run: i64) -> TaughtJob {
    TaughtJob::of_minutes(submit, processors, run, run)
}

const JOBS: &[TaughtJob] = &[
    job(0, 2, 60),
    job(0, 1, 150),
    job(45, 6, 150),
    job(45, 1, 30),
    job(60, 3, 90),
    job(75, 3, 30),
    job(90, 3, 30),
    job(90, 5, 30),
    job(105, 3, 30),
    job(150, 2, 60),
    job(180, 3, 30),
    job(180, 3, 150),
];

pub(super) const LESSON: Lesson = Lesson {
    id: "fairness",
    name: "Who pays?",
    title: "Who pays?",
    text: "Always take the shortest job that fits, and reserve nothing: the mean wait falls to little more than a third of what \
           it is under EASY. Somebody pays for it. Job 3 needs six processors for long, and there is always a shorter one for \
           some of them: it starts at 13:30, not at 9:00, after everybody else. Look at who waits, and not at the mean alone.",
    jobs: JOBS,
    runs: &[TaughtRun::of("easy"), TaughtRun::of("sjf-aggressive")],
    opens_at: 60 * 60,
    question: "How narrow must job 3 be for it not to pay? Who pays then?",
    answer: "With four processors it starts when it arrives, at 8:45. Then jobs 5, 8, 11 and 12 start later than before.",
    on_a_log: OnALog {
        look: "Who pays on a real log? Compare the mean response time with the longest wait, then open Waits.",
        schedulers: &["easy", "sjf-aggressive"],
        methods: &["requested"],
    },
};

#[cfg(test)]
mod tests {
    use super::super::tests::{changed, gain_and_lose, start};
    use super::*;
    use crate::learn::Course;

    #[test]
    fn the_mean_falls_and_the_wide_job_pays() {
        let [easy, shortest] = LESSON.courses(JOBS).try_into().unwrap();
        assert!(shortest.mean_wait() < 0.4 * easy.mean_wait() && shortest.mean_wait() > easy.mean_wait() / 3.0);
        assert_eq!((start(&easy, 3), start(&shortest, 3)), ("9:00".into(), "13:30".into()));
        assert_eq!(shortest.longest_wait(), Some(2));
        assert!((0..12).all(|job| shortest.starts[job] <= shortest.starts[2]));
        assert!(shortest.moments.iter().all(|moment| moment.reserved.is_empty()));
    }

    #[test]
    fn with_four_processors_others_pay() {
        let shortest = |jobs: &[_]| Course::of(LESSON.runs[1], jobs);
        let five = shortest(&changed(JOBS, 3, |job| job.with_processors(5)));
        assert!(five.wait(2) > 0);
        let four = shortest(&changed(JOBS, 3, |job| job.with_processors(4)));
        assert_eq!((start(&four, 3), four.wait(2)), ("8:45".into(), 0));
        assert_eq!(gain_and_lose(&shortest(JOBS), &four), (vec![3], vec![5, 8, 11, 12]));
    }
}

//! What a wrong limit does.

use super::{Lesson, OnALog, TaughtJob, TaughtRun};

const JOBS: &[TaughtJob] = &[
    TaughtJob::of_minutes(0, 2, 150, 300),
    TaughtJob::of_minutes(0, 3, 60, 240),
    TaughtJob::of_minutes(15, 3, 60, 180),
    TaughtJob::of_minutes(15, 2, 60, 60),
    TaughtJob::of_minutes(15, 6, 90, 360),
    TaughtJob::of_minutes(30, 2, 30, 60),
    TaughtJob::of_minutes(30, 6, 60, 120),
    TaughtJob::of_minutes(45, 2, 30, 120),
    TaughtJob::of_minutes(105, 1, 30, 120),
    TaughtJob::of_minutes(135, 1, 30, 30),
    TaughtJob::of_minutes(150, 2, 30, 60),
    TaughtJob::of_minutes(150, 2, 30, 60),
];

pub(super) const LESSON: Lesson = Lesson {
    id: "estimates",
    name: "Wrong limits",
    title: "What a wrong limit does",
    text: "A scheduler does not know for how long a job will run. It has the limit that its user asked for, and most users ask \
           for far too much. The pale part of a job is what it asked for and does not need. At 9:15 job 6 would be done before \
           job 5 starts at 10:00; but its limit says one hour, so it is not backfilled. Below, the scheduler knows run times.",
    jobs: JOBS,
    runs: &[TaughtRun::of("easy"), TaughtRun::knowing("easy")],
    opens_at: 75 * 60,
    question: "Give job 6 a limit of 30 minutes, which is what it needs. Who gains?",
    answer: "It is backfilled at 9:15, five others start sooner too, and nobody later. A good limit helps its own user first.",
    on_a_log: OnALog {
        look: "How much do wrong limits cost on a real log? Compare EASY with limits and with known run times.",
        schedulers: &["easy", "conservative"],
        methods: &["requested", "actual"],
    },
};

#[cfg(test)]
mod tests {
    use super::super::tests::{changed, gain_and_lose, start, told};
    use super::*;
    use crate::learn::{Course, Hold};

    #[test]
    fn job_6_is_not_backfilled_because_of_its_limit() {
        let [limits, known] = LESSON.courses(JOBS).try_into().unwrap();
        let moment = limits.moment_at(75 * 60).unwrap();
        let held = moment.waiting.iter().find(|waiter| waiter.job == 5).unwrap().hold;
        assert_eq!(held, Hold::WouldDelay { job: 4, reserved: 2 * 3_600 });
        assert!(75 * 60 + JOBS[5].run <= 2 * 3_600);
        assert_eq!((start(&limits, 5), start(&known, 5)), ("10:00".into(), "10:00".into()));
        assert!(known.backfilled[5] && !limits.backfilled[5]);
        assert!(
            told(&known, "9:15").contains("Job 6 is backfilled: it ends before the reservation of job 5 at 10:00.")
        );
        assert!(gain_and_lose(&limits, &known).1.is_empty() && known.mean_wait() < 0.6 * limits.mean_wait());
    }

    #[test]
    fn a_good_limit_helps_its_user_and_others() {
        let before = Course::of(LESSON.runs[0], JOBS);
        let after = Course::of(LESSON.runs[0], &changed(JOBS, 6, |job| job.with_limit(1_800)));
        assert_eq!(start(&after, 6), "9:15");
        assert!(after.backfilled[5]);
        assert_eq!(gain_and_lose(&before, &after), (vec![6, 8, 9, 10, 11, 12], vec![]));
    }
}

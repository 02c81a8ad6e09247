//! Conservative backfilling: a promise to everybody.

use super::opening::JOBS;
use super::{Lesson, OnALog, TaughtRun};

pub(super) const LESSON: Lesson = Lesson {
    id: "conservative",
    name: "Conservative",
    title: "Conservative: a promise to everybody",
    text: "EASY protects only the first in the queue. At 11:30 it backfills job 9 beside the reservation of job 7; so job 8, \
           which is second, starts an hour later than first come, first served would have had it. Conservative backfilling \
           gives every job a reservation when it arrives, and backfills only where none is broken. It backfills fewer jobs, \
           and nobody starts later than promised.",
    jobs: JOBS,
    runs: &[TaughtRun::of("easy"), TaughtRun::of("conservative")],
    opens_at: 210 * 60,
    question: "Let job 9 run for half an hour only. Does EASY still delay job 8?",
    answer: "No: job 9 ends at 12:00, when job 7 starts, and job 8 starts with it. It is job 10 that is not backfilled now.",
    on_a_log: OnALog {
        look: "Do promises cost much on a real log? Compare the response time, and the longest wait.",
        schedulers: &["easy", "conservative"],
        methods: &["requested"],
    },
};

#[cfg(test)]
mod tests {
    use super::super::tests::{changed, gain_and_lose, start, told};
    use super::*;
    use crate::learn::{Course, TaughtRun};

    #[test]
    fn conservative_delays_nobody_and_backfills_fewer() {
        let fcfs = Course::of(TaughtRun::of("fcfs"), JOBS);
        let [easy, conservative] = LESSON.courses(JOBS).try_into().unwrap();
        assert!(gain_and_lose(&fcfs, &conservative).1.is_empty(), "nobody starts later than first come, first served");
        assert_eq!(
            (start(&easy, 8), start(&fcfs, 8), start(&conservative, 8)),
            ("13:00".into(), "12:00".into(), "12:00".into())
        );
        assert!(told(&easy, "11:30").contains("Job 9 is backfilled: beside the reservation of job 7"));
        let second = easy.moment_at(210 * 60).unwrap().waiting[1].job;
        assert_eq!(second, 7, "job 8 is second in the queue");
        let backfilled =
            |course: &Course| (1..=12).filter(|number| course.backfilled[number - 1]).collect::<Vec<usize>>();
        assert_eq!(backfilled(&easy), [4, 5, 9, 10, 12]);
        assert_eq!(backfilled(&conservative), [4, 5, 12]);
    }

    #[test]
    fn promised_starts_only_move_earlier() {
        let [_, conservative] = LESSON.courses(JOBS).try_into().unwrap();
        for job in 0..JOBS.len() {
            let mut promised = i64::MAX;
            for moment in &conservative.moments {
                if let Some(reserved) = moment.reserved.iter().find(|reserved| reserved.job == job) {
                    assert!(reserved.start <= promised, "job {}", job + 1);
                    promised = reserved.start;
                }
            }
            assert!(conservative.starts[job] <= promised, "job {}", job + 1);
        }
    }

    #[test]
    fn a_short_job_9_delays_nobody() {
        let after = Course::of(LESSON.runs[0], &changed(JOBS, 9, |job| job.with_run(1_800)));
        assert_eq!((start(&after, 7), start(&after, 8)), ("12:00".into(), "12:00".into()));
        assert_eq!(after.end(8), after.starts[7]);
        assert!(!after.backfilled[9] && Course::of(LESSON.runs[0], JOBS).backfilled[9]);
    }
}

//! EASY backfilling and the shadow time.

use super::opening::JOBS;
use super::{Lesson, OnALog, TaughtRun};

pub(super) const LESSON: Lesson = Lesson {
    id: "backfilling",
    name: "EASY backfilling",
    title: "EASY backfilling",
    text: "EASY reserves a start for the first job that waits, and for it alone: the time by which enough running jobs will \
           have reached their limits. This is the shadow time. Anybody else may start now who does not delay that start: by \
           ending before the shadow time, or on processors that the reservation leaves over. That is backfilling. Jobs that are \
           backfilled glow.",
    jobs: JOBS,
    runs: &[TaughtRun::of("fcfs"), TaughtRun::of("easy")],
    opens_at: 15 * 60,
    question: "Let job 3 run for one hour in place of two. Who gains, and who loses?",
    answer: "Jobs 7, 8, 11 and 12 start sooner. Jobs 9 and 10 start half an hour later: the hole that they were backfilled into \
             is gone.",
    on_a_log: OnALog {
        look: "What does backfilling bring on a real log? Look at the response time and at the longest wait.",
        schedulers: &["fcfs", "easy"],
        methods: &["requested"],
    },
};

#[cfg(test)]
mod tests {
    use super::super::tests::{changed, gain_and_lose, told};
    use super::*;

    #[test]
    fn easy_backfills_without_delaying_the_first_that_waits() {
        let [fcfs, easy] = LESSON.courses(JOBS).try_into().unwrap();
        let said = told(&easy, "8:15");
        assert!(
            said.contains("Job 4 arrives and is backfilled: it ends before the reservation of job 3 at 10:00."),
            "{said}"
        );
        assert!(said.contains("It gets a reservation at 10:00."), "{said}");
        let backfilled: Vec<usize> = (1..=12).filter(|number| easy.backfilled[number - 1]).collect();
        assert_eq!(backfilled, [4, 5, 9, 10, 12]);
        assert!(!fcfs.backfilled.contains(&true));
        assert_eq!(easy.starts[2], fcfs.starts[2], "job 3 keeps its start");
        for moment in &easy.moments {
            assert!(moment.reserved.len() <= 1, "one reservation, of the first that waits");
            assert!(moment.reserved.iter().all(|reserved| reserved.job == moment.waiting[0].job));
        }
    }

    #[test]
    fn a_shorter_job_3_is_not_good_for_all() {
        let easy = |jobs: &[_]| crate::learn::Course::of(LESSON.runs[1], jobs);
        let after = changed(JOBS, 3, |job| job.with_run(3_600));
        assert_eq!(gain_and_lose(&easy(JOBS), &easy(&after)), (vec![7, 8, 11, 12], vec![9, 10]));
        assert_eq!(easy(&after).starts[8] - easy(JOBS).starts[8], 1_800);
        assert_eq!(easy(&after).starts[9] - easy(JOBS).starts[9], 1_800);
    }
}

//! Twelve jobs under three schedulers.

use super::{Lesson, OnALog, TaughtJob, TaughtRun};

const fn job(submit: i64, processors: u32, run: i64) -> TaughtJob {
    TaughtJob::of_minutes(submit, processors, run, run)
}

/// The jobs of this and the first lessons. Each runs until its limit, so that nothing but the scheduler matters.
pub(super) const JOBS: &[TaughtJob] = &[
    job(0, 3, 120),
    job(0, 3, 30),
    job(15, 6, 120),
    job(15, 1, 60),
    job(75, 2, 30),
    job(120, 1, 90),
    job(135, 3, 60),
    job(135, 4, 120),
    job(150, 2, 120),
    job(165, 2, 60),
    job(195, 4, 60),
    job(210, 1, 60),
];

pub(super) const LESSON: Lesson = Lesson {
    id: "start",
    name: "Start",
    title: "Twelve jobs, eight processors",
    text: "A cluster is a row of processors, and a job takes some of them for a while. Who starts next is for a scheduler to \
           say. Here the same twelve jobs meet three of them. Press play: see who waits and for what, which processors idle \
           meanwhile, and which jobs are backfilled.",
    jobs: JOBS,
    runs: &[TaughtRun::of("fcfs"), TaughtRun::of("easy"), TaughtRun::of("conservative")],
    opens_at: 15 * 60,
    question: "Which job starts later under EASY than under the two others, and who is to blame?",
    answer: "Job 8 starts at 13:00 and not at 12:00: job 9, which came later, was backfilled at 11:30 and still runs then. EASY \
             keeps its word only to the first in the queue.",
    on_a_log: OnALog {
        look: "See what these three do on a log of thousands of jobs.",
        schedulers: &["fcfs", "easy", "conservative"],
        methods: &["requested"],
    },
};

#[cfg(test)]
mod tests {
    use super::super::tests::{gain_and_lose, start, told};
    use super::*;

    #[test]
    fn job_8_pays_for_job_9_under_easy_alone() {
        let [fcfs, easy, conservative] = LESSON.courses(LESSON.jobs).try_into().unwrap();
        assert_eq!(
            (start(&easy, 8), start(&fcfs, 8), start(&conservative, 8)),
            ("13:00".into(), "12:00".into(), "12:00".into())
        );
        assert_eq!(gain_and_lose(&fcfs, &easy).1, [8], "nobody else starts later than first come, first served");
        assert_eq!(start(&easy, 9), "11:30");
        assert!(easy.backfilled[8] && easy.end(8) > easy.starts[7] - 3_600);
        assert!(told(&easy, "11:30").contains("Job 9 is backfilled: beside the reservation of job 7 at 12:00"));
        assert!(fcfs.mean_wait() > conservative.mean_wait() && conservative.mean_wait() > easy.mean_wait());
    }
}

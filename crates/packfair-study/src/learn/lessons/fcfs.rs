//! First come, first served, and what it leaves idle.

use super::opening::JOBS;
use super::{Lesson, OnALog, TaughtRun};

pub(super) const LESSON: Lesson = Lesson {
    id: "fcfs",
    name: "FCFS",
    title: "First come, first served",
    text: "The queue is a line at a counter: nobody starts before those who came earlier. At 8:15 job 3 needs six processors, \
           and only two are idle. It waits, and so does everybody behind it: even job 4, which needs one processor and would be \
           done long before job 3 can start. The hatched holes are processors that idle while somebody waits.",
    jobs: JOBS,
    runs: &[TaughtRun::of("fcfs")],
    opens_at: 15 * 60,
    question: "Make job 3 one processor narrower. Which hole closes, and who gains?",
    answer: "With five processors job 3 starts at 8:30, when job 2 ends. All behind it but job 4 gain, and the mean wait falls \
             to less than half.",
    on_a_log: OnALog {
        look: "How much of a real cluster idles in this way? Look at packing and at the mean response time.",
        schedulers: &["fcfs", "easy"],
        methods: &["requested"],
    },
};

#[cfg(test)]
mod tests {
    use super::super::tests::{changed, gain_and_lose, start, told};
    use super::*;
    use crate::learn::Course;

    #[test]
    fn job_4_waits_behind_job_3_though_it_fits_and_would_end_before() {
        let course = Course::of(LESSON.runs[0], JOBS);
        let said = told(&course, "8:15");
        assert!(said.contains("Job 3 arrives and waits: it needs 6\u{a0}processors, and 2 are idle."), "{said}");
        assert!(said.contains("Job 4 arrives and waits: it fits now, but nobody passes job 3."), "{said}");
        assert_eq!((start(&course, 3), start(&course, 4)), ("10:00".into(), "10:00".into()));
        assert!(JOBS[3].submit + JOBS[3].limit < course.starts[2]);
        assert!(course.holes().iter().any(|hole| hole.from == 15 * 60));
        assert!(course.starts.is_sorted() && !course.backfilled.contains(&true));
    }

    #[test]
    fn a_narrower_job_3_closes_the_hole() {
        let before = Course::of(LESSON.runs[0], JOBS);
        let after = Course::of(LESSON.runs[0], &changed(JOBS, 3, |job| job.with_processors(5)));
        assert_eq!(start(&after, 3), "8:30");
        assert_eq!(gain_and_lose(&before, &after), (vec![3, 5, 6, 7, 8, 9, 10, 11, 12], vec![]));
        assert!(after.mean_wait() < before.mean_wait() / 2.0);
    }
}

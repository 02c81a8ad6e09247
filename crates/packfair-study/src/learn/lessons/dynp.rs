//! dynP, which changes the order of its queue.

use super::{Lesson, OnALog, TaughtJob, TaughtRun};

const fn job(submit: i64, processors: u32, run: i64) -> TaughtJob {
    TaughtJob::of_minutes(submit, processors, run, run)
}

const JOBS: &[TaughtJob] = &[
    job(0, 1, 30),
    job(0, 2, 120),
    job(15, 3, 120),
    job(30, 1, 30),
    job(45, 2, 30),
    job(45, 4, 120),
    job(60, 2, 60),
    job(105, 2, 60),
    job(135, 1, 60),
    job(150, 1, 120),
    job(165, 2, 90),
    job(180, 1, 60),
];

pub(super) const LESSON: Lesson = Lesson {
    id: "dynp",
    name: "dynP",
    title: "dynP: an order that changes",
    text: "Is it best to take who came first, the shortest, or the longest? dynP need not choose once and for all. Whenever a job \
           arrives or ends, it plans the whole queue in each of these orders and carries out the best plan. Here it changes to \
           shortest first at 9:00, and back at 11:00. The mean wait falls to less than half; only job 6, which is wide and long, \
           starts later.",
    jobs: JOBS,
    runs: &[TaughtRun::of("justbf"), TaughtRun::of("dynp")],
    opens_at: 60 * 60,
    question: "Let job 6 need two processors and not four. Does the order still change?",
    answer: "No: the plan of first come, first served is the best throughout. Job 6 starts at 9:15, and jobs 7 and 8 after it.",
    on_a_log: OnALog {
        look: "Does changing the order help on a real log? Compare it with one order throughout.",
        schedulers: &["justbf", "sjf-justbf", "dynp"],
        methods: &["requested"],
    },
};

#[cfg(test)]
mod tests {
    use super::super::tests::{changed, gain_and_lose, start, told};
    use super::*;
    use crate::learn::{Course, QueueOrder};

    /// The times at which the order changes, and the order from then on.
    fn changes(course: &Course) -> Vec<(String, QueueOrder)> {
        let pairs = course.moments.windows(2).filter(|pair| pair[0].order != pair[1].order);
        pairs.map(|pair| (crate::learn::clock(pair[1].at), pair[1].order)).collect()
    }

    #[test]
    fn the_order_changes_and_back_and_job_6_pays() {
        let [first, dynp] = LESSON.courses(JOBS).try_into().unwrap();
        let expected = [("9:00", QueueOrder::Sjf), ("11:00", QueueOrder::Fcfs)];
        assert_eq!(changes(&dynp), expected.map(|(at, order)| (at.to_owned(), order)));
        assert!(told(&dynp, "9:00").contains("The queue changes from FCFS to SJF"));
        assert!(
            told(&dynp, "9:15")
                .contains("Job 7 starts before job 6, which came earlier: the queue is taken shortest limit first.")
        );
        assert!(dynp.mean_wait() < first.mean_wait() / 2.0);
        assert_eq!(gain_and_lose(&first, &dynp).1, [6]);
        assert_eq!(dynp.longest_wait(), Some(5));
    }

    #[test]
    fn with_a_narrow_job_6_the_order_stays() {
        let before = Course::of(LESSON.runs[1], JOBS);
        let after = Course::of(LESSON.runs[1], &changed(JOBS, 6, |job| job.with_processors(2)));
        assert!(changes(&after).is_empty());
        assert_eq!(start(&after, 6), "9:15");
        assert_eq!(gain_and_lose(&before, &after), (vec![6], vec![7, 8]));
    }
}

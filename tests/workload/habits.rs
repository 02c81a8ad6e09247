//! What a log tells of its users' sessions.

use packfair::study::Treatment;
use packfair::workload::{FeedbackRule, Habits, reading};

#[test]
fn sessions_jobs_and_think_times_are_those_of_the_log() {
    // user 1: two jobs at once, one 100 s after both had ended, and one the next day; user 2: one job
    let lines = "; Version: 2.2\n1 0 0 50 1 -1 -1 1 600 -1 1 1\n2 10 0 90 1 -1 -1 1 600 -1 1 1\n3 200 0 50 1 -1 -1 1 600 -1 1 1\n\
        4 300 0 50 1 -1 -1 1 600 -1 1 2\n5 90000 0 50 1 -1 -1 1 600 -1 1 1\n";
    let log = reading::read("log", format!("; MaxProcs: 8\n{lines}").as_bytes()).unwrap();
    let workload = Treatment { feedback: FeedbackRule::sessions(), ..Treatment::default() }.apply(&log).unwrap();
    let habits = Habits::of(&workload, workload.reactions().unwrap());
    assert_eq!((habits.sessions.jobs, habits.sessions.mean), (2, 1.5));
    assert_eq!((habits.jobs.jobs, habits.jobs.quantiles.max), (3, 3.0));
    assert_eq!((habits.batches, habits.dependent), (4, 2));
    // the gap to the next day is not a think time
    assert_eq!((habits.thinks.jobs, habits.thinks.mean), (1, 100.0));
    assert_eq!(habits.dependence, None, "of one think time nothing is said");
}

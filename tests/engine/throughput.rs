//! What is done within the log's span where users react.

use packfair::metric::{Counted, Evaluation, Measure};
use packfair::model::Schedule;
use packfair::study::Treatment;
use packfair::workload::{FeedbackRule, Workload, reading};

/// Jobs and work that were done, sessions that were over, their mean length, and the last submission of users who react.
fn throughput(workload: &Workload, schedule: &Schedule) -> [Option<f64>; 5] {
    let measure = Measure { counted: Counted::All, ..Measure::default() };
    let evaluation = Evaluation::new(workload, schedule, &measure);
    ["jobs_done", "work_done", "sessions_done", "session_length", "lived_span"]
        .map(|id| evaluation.value(id.parse().unwrap()))
}

#[test]
fn what_is_done_within_the_log_s_span_counts() {
    // One user: the first two jobs belong together, and the third comes a session later.
    let lines = "; Version: 2.2\n1 0 0 50 2 -1 -1 2 60 -1 1 1\n2 10 50 40 2 -1 -1 2 60 -1 1 1\n3 8000 0 40 2 -1 -1 2 60 -1 1 1\n";
    let log = reading::read("log", format!("; MaxProcs: 2\n{lines}").as_bytes()).unwrap();
    let workload = |feedback| Treatment { feedback, ..Treatment::default() }.apply(&log).unwrap();
    let open = workload(FeedbackRule::default());
    let schedule = Schedule::of_starts(&open, vec![0, 7_970, 8_000]);
    let found = throughput(&open, &schedule);
    assert_eq!(found[..2], [Some(1.0), Some(100.0)], "the second ends at 8,010, the last submission is at 8,000");
    assert_eq!(found[2..], [None; 3]);
    let lived = workload(FeedbackRule::sessions()).lived(&[0, 10, 7_000]);
    let schedule = Schedule::of_starts(&lived, vec![0, 50, 7_990]);
    let found = throughput(&lived, &schedule);
    assert_eq!(found, [2.0, 180.0, 1.0, 90.0, 7_000.0].map(Some));
}

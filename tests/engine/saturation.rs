//! Which queues grow to the end of a log, on logs of real machines.

use crate::shared;
use packfair::metric::{Evaluation, Measure, Saturation};
use packfair::model::Schedule;
use packfair::study::{Rules, Run, execute};
use packfair::workload::{Workload, shrink};
use std::path::Path;

/// The saturation of the schedule of a run.
fn of_run(workload: &Workload, scheduler: &str) -> Option<Saturation> {
    let run = Run::new(scheduler.parse().expect("a scheduler"), "requested".parse().expect("an estimator"));
    let result = execute(&run, workload, Rules::default(), &Measure::default()).expect("it can be run");
    result.report.saturation
}

/// The saturation of a schedule that another simulator made.
fn of_gold(folder: &Path, log: &str, workload: &Workload, run: &str) -> Option<Saturation> {
    let starts = shared::gold(folder, &format!("{log}/{run}__requested"), workload).starts;
    let schedule = Schedule::of_starts(workload, starts);
    Evaluation::new(workload, &schedule, &Measure::default()).saturation()
}

#[test]
fn steady_queues_of_real_logs_are_not_said_to_grow() {
    let Some(folder) = shared::folder() else { return };
    for (log, runs) in [
        ("KTH-SP2", &["easy", "justbf", "sjf-justbf", "saf-justbf", "fcfs"][..]),
        ("CTC-SP2", &["easy", "justbf", "easy-sjbf"]),
    ] {
        let workload = shared::trace(&folder, log);
        for run in runs {
            assert_eq!(of_gold(&folder, log, &workload, run), None, "{run} on {log}");
        }
    }
    let workload = shared::trace(&folder, "CTC-SP2");
    assert_eq!(of_run(&workload, "sjf-justbf"), None, "SJF-JustBF on CTC-SP2");
    let workload = shared::trace(&folder, "SDSC-BLUE");
    for scheduler in ["easy", "justbf", "sjf-justbf"] {
        assert_eq!(of_run(&workload, scheduler), None, "{scheduler} on SDSC-BLUE");
    }
}

#[test]
fn queues_that_grow_are_found() {
    let Some(folder) = shared::folder() else { return };
    // more load than the machine can serve, although it falls towards the end of the log
    let mut workload = shared::trace(&folder, "KTH-SP2");
    shrink(&mut workload, 0.7).expect("it can be shrunk");
    for scheduler in ["list:order=ljf", "dynp:quality=ms"] {
        assert!(of_run(&workload, scheduler).is_some(), "{scheduler} at a factor of 0.7");
    }
    // a few large jobs are not started until the end: 12 of 339 days
    let workload = shared::trace(&folder, "CTC-SP2");
    let found = of_gold(&folder, "CTC-SP2", &workload, "saf-justbf").expect("SAF-JustBF on CTC-SP2");
    assert!((0.03..0.04).contains(&found.share), "{found:?}");
}

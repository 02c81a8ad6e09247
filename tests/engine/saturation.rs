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

/// How many workloads of each kind are made.
const DRAWN: u64 = 20;

/// The first days of a generated workload whose jobs ask for `load` of a machine of 64 processors.
fn drawn(load: f64, days: f64, seed: u64) -> Workload {
    let jobs = (days * 400.0) as u32 + 50;
    let mut log = packfair::workload::lublin(jobs, 64, seed);
    let area: f64 =
        log.records.iter().map(|record| record.run.max(0) as f64 * f64::from(record.allocated.max(1))).sum();
    let span = log.records.iter().map(|record| record.submit).max().unwrap_or(1) as f64;
    let factor = area / 64.0 / span / load;
    log.records.iter_mut().for_each(|record| record.submit = (record.submit as f64 * factor) as i64);
    log.records.retain(|record| (record.submit as f64) < days * 86_400.0);
    packfair::study::Treatment::default().apply(&log).expect("it has jobs")
}

/// The share of drawn workloads of this load and length that are said to be saturated under EASY.
fn share_said(load: f64, days: f64) -> f64 {
    let said = (0..DRAWN).filter(|&seed| of_run(&drawn(load, days, seed), "easy").is_some()).count();
    said as f64 / DRAWN as f64
}

#[test]
fn on_generated_workloads_of_four_weeks_steady_queues_are_not_said_to_be_saturated_and_most_that_are() {
    for load in [0.5, 0.7] {
        assert!(share_said(load, 30.0) <= 0.05, "a load of {load}: {}", share_said(load, 30.0));
    }
    for (load, least) in [(1.2, 0.7), (1.5, 0.9)] {
        assert!(share_said(load, 30.0) >= least, "a load of {load}: {}", share_said(load, 30.0));
    }
}

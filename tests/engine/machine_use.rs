//! How each resource of each part of a machine was used.

use packfair::metric::{Evaluation, MachinePart, MachineUse, Measure, Metric};
use packfair::model::Schedule;
use packfair::study::{Run, Treatment, execute};
use packfair::workload::Workload;
use packfair::workload::reading;

/// Two cells: two nodes with four processors each, and two with four processors and two graphics processors each.
fn schedule(changes: &str, jobs: &[(i64, i64, i64, i32)]) -> (Workload, Schedule) {
    let lines = jobs.iter().enumerate().map(|(place, (submit, run, processors, _))| {
        format!("{} {submit} -1 {run} {processors} -1 -1 {processors} {run} -1 1 1 1 1 1 1 -1 -1\n", place + 1)
    });
    let mut log = reading::read("log", lines.collect::<String>().as_bytes()).unwrap();
    log.beyond.gpus = jobs.iter().map(|job| job.3).collect();
    let machine = format!(
        r#"{{"cells": [{{"name": "a", "nodes": 2, "node": {{"processors": 4}}}},
        {{"name": "b", "nodes": 2, "node": {{"processors": 4, "gpus": 2}}}}],
        "partitions": [{{"name": "1", "cells": ["a", "b"]}}], "changes": [{changes}]}}"#
    );
    let machine = Some(Box::new(serde_json::from_str(&machine).unwrap()));
    let workload = Treatment { machine, ..Treatment::default() }.apply(&log).unwrap();
    let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
    let schedule =
        execute(&run, &workload, packfair::simulation::Correction::Request, &Measure::default()).unwrap().schedule;
    (workload, schedule)
}

fn share(told: &MachineUse, part: &MachinePart, resource: &str) -> (f64, f64) {
    let found = told.shares.iter().find(|share| share.part == *part && share.resource == resource).unwrap();
    (found.utilisation, found.loss)
}

#[test]
fn each_resource_of_each_cell_has_its_own() {
    // Eight processors of a for 100 s; four graphics processors for 50 s, twice: the second job waits.
    let (workload, schedule) = schedule("", &[(0, 100, 8, 0), (0, 50, 4, 4), (0, 50, 4, 4)]);
    let told = MachineUse::of(&workload, &schedule).unwrap();
    assert_eq!(share(&told, &MachinePart::Whole, "processors"), ((800.0 + 400.0) / 1_600.0, (4.0 * 50.0) / 1_600.0));
    assert_eq!(share(&told, &MachinePart::Whole, "gpus"), (1.0, 0.0));
    assert_eq!(share(&told, &MachinePart::Cell("a".into()), "processors"), (1.0, 0.0));
    let b = MachinePart::Cell("b".into());
    assert_eq!(share(&told, &b, "processors"), (0.5, 0.25), "four processors idle while a job waits for GPUs there");
    assert_eq!(share(&told, &MachinePart::Partition("1".into()), "gpus"), (1.0, 0.0));
    assert!(!told.shares.iter().any(|share| share.part == MachinePart::Cell("a".into()) && share.resource == "gpus"));
    let evaluation = Evaluation::new(&workload, &schedule, &Measure::default());
    assert_eq!(evaluation.value(Metric::UtilisationGpus), Some(1.0));
    assert_eq!(evaluation.value(Metric::UtilisationMemory), None);
    assert_eq!(evaluation.value(Metric::IdleBefore), None, "there is no window");
}

#[test]
fn a_window_costs_what_idles_before_it_and_what_it_kills() {
    // Four processors of a run until 60. The window of a begins at 100, and the longest limit is 200 s.
    let jobs = [(0, 60, 4, 0), (0, 200, 8, 4), (10, 80, 8, 0)];
    let window = r#"{"from": 100, "until": 150, "cell": "a", "nodes": -2, "announced": 0}"#;
    let (workload, planned) = schedule(window, &jobs);
    let told = MachineUse::of(&workload, &planned).unwrap();
    let [window] = &told.windows[..] else { panic!("{told:?}") };
    // One node idles from 0 to 60, and both idle from then on.
    assert_eq!((window.before, window.killed, window.nodes), (100, 0, 2));
    assert!((window.idle * 3_600.0 - (60.0 + 80.0)).abs() < 1e-9, "{window:?}");
    let sudden = r#"{"from": 100, "until": 150, "cell": "a", "nodes": -2, "what": "kill"}"#;
    let (workload, killed) = schedule(sudden, &jobs);
    let told = MachineUse::of(&workload, &killed).unwrap();
    let [window] = &told.windows[..] else { panic!("{told:?}") };
    assert_eq!((window.killed, window.lost), (1, 8.0 * 40.0), "it ran from 60 to 100");
    let evaluation = Evaluation::new(&workload, &killed, &Measure::default());
    assert_eq!(evaluation.value(Metric::OutageKills), Some(1.0));
    assert_eq!(evaluation.value(Metric::OutageLost), Some(320.0));
    assert_eq!(evaluation.value(Metric::IdleBefore).map(|hours| (hours * 3_600.0).round()), Some(60.0));
}

#[test]
fn what_weighs_is_the_dominant_share() {
    // Four of four graphics processors weigh as much as all sixteen processors.
    let (workload, schedule) = schedule("", &[(0, 100, 4, 4), (0, 200, 4, 0)]);
    let measure = Measure { counted: packfair::metric::Counted::All, ..Measure::default() };
    let evaluation = Evaluation::new(&workload, &schedule, &measure);
    let areas = [16.0 * 100.0, 4.0 * 200.0];
    let expected = (areas[0] * 100.0 + areas[1] * 200.0) / (areas[0] + areas[1]);
    assert_eq!(schedule.starts, [0, 0]);
    assert_eq!(evaluation.value("AWF".parse().unwrap()), Some(expected));
}

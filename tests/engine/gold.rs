//! The engine's schedules are the reference's, job by job. Each scheduler has a test.

use crate::shared;
use packfair::estimator::Estimate;
use packfair::metric::Measure;
use packfair::simulation::Correction;
use packfair::study::{Run, execute};
use packfair::workload::Workload;
use std::collections::BTreeSet;
use std::path::Path;

/// The logs that have reference schedules.
const TRACES: [&str; 2] = ["KTH-SP2", "CTC-SP2"];

/// The runs that each test compares, if the reference has them.
const COMPARED: [(&str, &[&str]); 18] = [
    ("fcfs", PLAIN),
    ("easy", LEARNED),
    ("easy-sjbf", LEARNED),
    ("saf-easy", PLAIN),
    ("justbf", ALL),
    ("sjf-justbf", PLAIN),
    ("saf-justbf", ALL),
    ("laf-justbf", ALL),
    ("spf-justbf", PLAIN),
    ("sjf-aggressive", PLAIN),
    ("saf-aggressive", PLAIN),
    ("laf-aggressive", PLAIN),
    ("conservative-submission-order", PLAIN),
    ("conservative", PLAIN),
    ("pc", PLAIN),
    ("pc-sjf", PLAIN),
    ("dc", PLAIN),
    ("dc-sjf", PLAIN),
];
const PLAIN: &[&str] = &["actual", "requested"];
const LEARNED: &[&str] = &["actual", "requested", "last2", "hierarchy", "sp2", "sp3", "sp4", "cvh"];
const ALL: &[&str] = &[
    "actual",
    "requested",
    "last2",
    "hierarchy",
    "sp2",
    "sp3",
    "sp4",
    "cvh",
    "actual-x0.5",
    "actual-x1.149",
    "actual-x2",
];

/// The estimates that the reference calls `name`; a distorted run's exact k is in its numbers.
fn estimate(folder: &Path, run: &str, name: &str) -> Estimate {
    match name.split_once("-x") {
        None => name.parse().expect("an estimator of the catalogue"),
        Some((method, _)) => {
            let k = shared::json(folder, "metrics.json")[run]["k"].as_f64().expect("the exact k");
            Estimate { k, ..Estimate::of(method.parse().expect("an estimator of the catalogue")) }
        }
    }
}

/// Compares all runs of a scheduler, and fails with the first difference in each.
fn compare(scheduler: &str) {
    let Some(folder) = shared::folder() else { return };
    let (_, estimates) = COMPARED.iter().find(|(compared, _)| *compared == scheduler).expect("a compared scheduler");
    let mut wrong = Vec::new();
    let mut compared = 0;
    for trace in TRACES {
        let mut workload = None;
        for name in *estimates {
            let run = format!("{trace}/{scheduler}__{name}");
            if shared::gold_file(&folder, &run).exists() {
                let workload = workload.get_or_insert_with(|| shared::trace(&folder, trace));
                wrong.extend(difference(&folder, &run, workload, scheduler, estimate(&folder, &run, name)));
                compared += 1;
            }
        }
    }
    assert!(compared > 0, "the reference has no run of {scheduler}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first job, by time, whose start or estimate differs, in words.
fn difference(folder: &Path, run: &str, workload: &Workload, scheduler: &str, estimate: Estimate) -> Option<String> {
    let gold = shared::gold(folder, run, workload);
    let scheduler = match scheduler {
        "conservative-submission-order" => "conservative:compression=submission",
        "pc-sjf" => "pc:order=sjf",
        "dc-sjf" => "dc:order=sjf",
        preset => preset,
    };
    let asked = Run::new(scheduler.parse().expect("a scheduler of the catalogue"), estimate);
    let schedule = execute(&asked, workload, Correction::Request, &Measure::default()).unwrap().schedule;
    if let Some(estimates) = &gold.estimates {
        let mut differing = workload.jobs().filter(|job| schedule.estimate(*job) != estimates[job.index()]);
        if let Some(job) = differing.next() {
            let (number, ours, theirs) = (workload.request(job).number, schedule.estimate(job), estimates[job.index()]);
            let others = differing.count();
            return Some(format!(
                "{run}: job {number} is estimated at {ours} s, not {theirs} s; so are {others} others"
            ));
        }
    }
    let differing = workload.jobs().filter(|job| schedule.start(*job) != gold.starts[job.index()]);
    let differing: Vec<_> = differing.collect();
    let count = differing.len();
    let first = differing.into_iter().min_by_key(|job| schedule.start(*job).min(gold.starts[job.index()]))?;
    let (request, ours, theirs) = (workload.request(first), schedule.start(first), gold.starts[first.index()]);
    Some(format!(
        "{run}: {count} starts differ, the first of job {} (submitted at {}, {} processors, run time {}, requested {}): \
         {ours} instead of {theirs}",
        request.number,
        request.submit,
        request.processors,
        workload.run(first),
        request.limit
    ))
}

macro_rules! compared {
    ($($test:ident: $scheduler:literal,)*) => {
        $(#[test]
        fn $test() {
            compare($scheduler);
        })*

        #[test]
        fn every_compared_scheduler_has_its_test() {
            assert_eq!(COMPARED.map(|(scheduler, _)| scheduler), [$($scheduler),*]);
        }
    };
}

compared! {
    fcfs: "fcfs",
    easy: "easy",
    easy_sjbf: "easy-sjbf",
    saf_easy: "saf-easy",
    justbf: "justbf",
    sjf_justbf: "sjf-justbf",
    saf_justbf: "saf-justbf",
    laf_justbf: "laf-justbf",
    spf_justbf: "spf-justbf",
    sjf_aggressive: "sjf-aggressive",
    saf_aggressive: "saf-aggressive",
    laf_aggressive: "laf-aggressive",
    conservative_submission_order: "conservative-submission-order",
    conservative: "conservative",
    pc: "pc",
    pc_sjf: "pc-sjf",
    dc: "dc",
    dc_sjf: "dc-sjf",
}

#[test]
fn every_reference_schedule_is_compared() {
    let Some(folder) = shared::folder() else { return };
    let mut forgotten = BTreeSet::new();
    for trace in TRACES {
        for file in std::fs::read_dir(folder.join("gold").join(trace)).expect("the folder is there") {
            let name = file.expect("a file").file_name().into_string().expect("an ASCII name");
            let run = name.trim_end_matches(".csv.gz");
            let (scheduler, estimate) = run.split_once("__").expect("scheduler__estimate");
            if scheduler.starts_with("dynp-") || scheduler.starts_with("classes-") {
                continue; // tests/engine/dynp.rs and tests/engine/safeguard.rs
            }
            let compared = COMPARED.iter().any(|(s, estimates)| *s == scheduler && estimates.contains(&estimate));
            if !compared {
                forgotten.insert(format!("{trace}/{run}"));
            }
        }
    }
    assert_eq!(forgotten, BTreeSet::new());
}

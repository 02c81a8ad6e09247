//! dynP's schedules and counts are the reference's, job by job.

use crate::shared;
use packfair::estimator::Estimate;
use packfair::metric::{Counted, Evaluation, Measure, Metric};
use packfair::model::Schedule;
use packfair::scheduler::Policy;
use packfair::scheduler::dynp::{Case, Counts};
use packfair::simulation::{Options, Simulation};
use packfair::workload::{Seconds, Workload, shrink};
use serde_json::Value;
use std::path::Path;

/// The reference's name of each scheduler.
const VARIANTS: [(&str, &str); 7] = [
    ("basic", "dynp-basic"),
    ("art-simple", "dynp:quality=art,decider=simple"),
    ("art-advanced", "dynp:quality=art"),
    ("artww-simple", "dynp:decider=simple"),
    ("artww-advanced", "dynp"),
    ("ms-simple", "dynp:quality=ms,decider=simple"),
    ("ms-advanced", "dynp:quality=ms"),
];

/// The policy of a reference run's name.
fn policy(variant: &str) -> Policy {
    let (_, policy) = VARIANTS.iter().find(|(name, _)| *name == variant).expect("a variant of the reference");
    policy.parse().expect("a scheduler of the catalogue")
}

fn simulate(workload: &Workload, policy: &Policy, estimate: &str, is_plain: bool) -> (Schedule, Counts) {
    let scheduler = if is_plain { policy.build_plain() } else { policy.build() };
    let estimator = estimate.parse::<Estimate>().expect("an estimator").build(workload);
    let scheduler = scheduler.expect("a dynP scheduler");
    let schedule = Simulation::new(workload, scheduler, estimator, Options::default()).finish();
    let counts = Counts::of(&schedule.notes).expect("dynP counts");
    (schedule, counts)
}

/// Compares the counts with the reference's.
fn compare_counts(run: &str, counts: &Counts, gold: &Value) {
    let number = |value: &Value| value.as_u64().expect("a count");
    assert_eq!(counts.tries, number(&gold["tries"]), "{run}: tries");
    assert_eq!(counts.backlog, number(&gold["backlog_sum"]), "{run}: backlog");
    assert_eq!(counts.mean_backlog(), gold["backlog_mean"].as_f64(), "{run}: mean backlog");
    assert_eq!(counts.same_policy(), number(&gold["same_policy"]), "{run}: same policy");
    for (i, policy) in ["FCFS", "SJF", "LJF"].into_iter().enumerate() {
        assert_eq!(counts.started[i], number(&gold["jobs_started"][policy]), "{run}: started under {policy}");
        assert_eq!(counts.switches[i], number(&gold["switches"][policy]), "{run}: switches to {policy}");
    }
    if let Some(cases) = gold["cases"].as_object() {
        for case in Case::ALL {
            let expected = cases.get(case.id()).map_or(0, number);
            assert_eq!(counts.of_case(case), expected, "{run}: case {}", case.id());
        }
        assert_eq!(counts.cases.iter().sum::<u64>(), counts.tries, "{run}: every try has its case");
        assert_eq!(counts.differing, number(&gold["deciders_differ"]), "{run}: deciders differ");
    }
    // the course tells the same as the switches
    assert_eq!(counts.course.len() as u64, 1 + counts.switches.iter().sum::<u64>(), "{run}: course");
    assert!(counts.course.is_sorted_by(|a, b| a.0 < b.0 && a.1 != b.1), "{run}: course");
}

/// Compares sums and metrics over all jobs with the reference's.
fn compare_metrics(run: &str, workload: &Workload, schedule: &Schedule, gold: &Value) {
    let response = |job| schedule.start(job) + workload.run(job) - workload.request(job).submit;
    let sum: Seconds = workload.jobs().map(response).sum();
    let weighted: Seconds =
        workload.jobs().map(|job| response(job) * Seconds::from(workload.request(job).processors)).sum();
    assert_eq!((Some(sum), Some(weighted)), (gold["sum_F"].as_i64(), gold["sum_rF"].as_i64()), "{run}");
    let measure = Measure { counted: Counted::All, sldww_bound: 60.0, ..Measure::default() };
    let values = Evaluation::new(workload, schedule, &measure).values();
    for (metric, name) in
        [(Metric::Loc, "LOC"), (Metric::Utilisation, "UTIL"), (Metric::Artww, "ARTwW"), (Metric::Sldww, "SLDwW_60")]
    {
        let (ours, theirs) = (values[&metric], gold[name].as_f64().expect("a number"));
        assert!((ours - theirs).abs() <= 1e-9 * theirs, "{run}: {name} is {ours}, not {theirs}");
    }
}

/// Compares all runs of a variant.
fn compare(variant: &str) {
    let Some(folder) = shared::folder() else { return };
    let counts = shared::json(&folder, "dynp.json");
    let mut compared = 0;
    for (run, gold) in counts.as_object().expect("runs by name") {
        let Some((trace, estimate)) = parts(run, variant) else { continue };
        let (estimate, factor) = match estimate.split_once('-') {
            None => (estimate, 1.0),
            Some((estimate, "shrink0.8")) => (estimate, 0.8),
            Some(_) => continue, // rounded down, for comparison only
        };
        let mut workload = shared::trace(&folder, trace);
        shrink(&mut workload, factor).expect("a factor");
        let (schedule, counts) = simulate(&workload, &policy(variant), estimate, false);
        compare_starts(&folder, run, &workload, &schedule);
        compare_counts(run, &counts, &gold["counts"]);
        compare_metrics(run, &workload, &schedule, &gold["metrics"]);
        compared += 1;
    }
    assert!(compared >= 2, "the reference has no run of {variant}");
}

/// Trace and estimate of a reference run of a variant.
fn parts<'a>(run: &'a str, variant: &str) -> Option<(&'a str, &'a str)> {
    let (trace, rest) = run.split_once('/')?;
    let (scheduler, estimate) = rest.split_once("__")?;
    (scheduler.strip_prefix("dynp-")? == variant).then_some((trace, estimate))
}

fn compare_starts(folder: &Path, run: &str, workload: &Workload, schedule: &Schedule) {
    let gold = shared::gold(folder, run, workload);
    let differing = workload.jobs().filter(|job| schedule.start(*job) != gold.starts[job.index()]);
    let first = differing.min_by_key(|job| schedule.start(*job).min(gold.starts[job.index()]));
    if let Some(job) = first {
        let (ours, theirs) = (schedule.start(job), gold.starts[job.index()]);
        panic!("{run}: job {} starts at {ours}, not {theirs}", workload.request(job).number);
    }
}

macro_rules! compared {
    ($($test:ident: $variant:literal,)*) => {
        $(#[test]
        fn $test() {
            compare($variant);
        })*

        #[test]
        fn every_variant_has_its_test() {
            assert_eq!(VARIANTS.map(|(variant, _)| variant), [$($variant),*]);
        }
    };
}

compared! {
    basic: "basic",
    art_simple: "art-simple",
    art_advanced: "art-advanced",
    artww_simple: "artww-simple",
    artww_advanced: "artww-advanced",
    ms_simple: "ms-simple",
    ms_advanced: "ms-advanced",
}

#[test]
fn every_reference_run_is_of_a_compared_variant() {
    let Some(folder) = shared::folder() else { return };
    for file in std::fs::read_dir(folder.join("gold/KTH-SP2")).expect("the folder is there") {
        let name = file.expect("a file").file_name().into_string().expect("an ASCII name");
        if let Some((variant, _)) = name.strip_prefix("dynp-").and_then(|rest| rest.split_once("__")) {
            assert!(VARIANTS.iter().any(|(compared, _)| *compared == variant), "{name}");
        }
    }
}

#[test]
fn a_single_policy_is_that_of_the_list_family() {
    let Some(folder) = shared::folder() else { return };
    let workload = shared::trace(&folder, "KTH-SP2");
    for order in ["fcfs", "sjf", "ljf", "saf"] {
        let starts = |policy: String| {
            let policy: Policy = policy.parse().expect("a scheduler of the catalogue");
            let estimator = "requested".parse::<Estimate>().expect("an estimator").build(&workload);
            let scheduler = policy.build().expect("it decides");
            Simulation::new(&workload, scheduler, estimator, Options::default()).finish().starts
        };
        assert!(starts(format!("dynp:policies={order}")) == starts(format!("list:order={order}")), "{order}");
    }
}

#[test]
fn the_plain_scheduler_gives_the_same_on_a_log() {
    let Some(folder) = shared::folder() else { return };
    let workload = shared::trace(&folder, "KTH-SP2");
    let workload = first_jobs(&workload, 1_500);
    for policy in ["dynp", "dynp:quality=ms,decider=simple", "dynp-basic"] {
        for estimate in ["requested", "actual*1.149"] {
            let policy: Policy = policy.parse().expect("a scheduler of the catalogue");
            let [fast, plain] = [false, true].map(|is_plain| simulate(&workload, &policy, estimate, is_plain));
            assert!(fast == plain, "{policy} with {estimate}");
        }
    }
}

/// The first `count` jobs of a workload.
fn first_jobs(workload: &Workload, count: usize) -> Workload {
    let mut first = Workload::empty("first", workload.machine, workload.header.clone());
    for job in workload.jobs().take(count) {
        first.push(workload.request(job).clone(), workload.run(job), -1, job.index() as u32);
    }
    first
}

#[test]
fn every_policy_and_every_case_has_its_columns() {
    let has = |id: String| assert!(id.parse::<packfair::metric::Metric>().is_ok(), "{id}");
    for (id, _) in packfair::scheduler::dynp::decider::POLICIES {
        has(format!("dynp_started_{id}"));
        has(format!("dynp_to_{id}"));
    }
    for case in packfair::scheduler::dynp::Case::ALL {
        has(format!("dynp_case_{}", case.id().replace('&', "_")));
    }
}

//! A study on a generated workload gives the same report, bit for bit, natively and in a browser.

mod breadth;
pub mod expected;
#[allow(dead_code)] // the tests of charts use more of it
#[path = "../study/charts/sample.rs"]
mod sample;

use expected::{check, renew, short};
use packfair::metric::{Counted, CountedJobs, JobDistribution, Measure, Metric};
use packfair::model::{Reestimation, RoundTrigger, Schedule};
use packfair::simulation::Correction;
use packfair::study::query::{Answer, Query, answer};
use packfair::study::sureness::{Repeated, RepeatedRun, Repeats};
use packfair::study::{
    Engine, Generated, Rules, Run, RunReport, RunResult, Source, Study, Treatment, digest, execute, fair_starts_of,
};
use packfair::workload::{Cleaning, JobId, Resampling, Workload, reading};
use std::fmt::Write;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;
use xxhash_rust::xxh3::xxh3_64;

/// The estimators. Those that learn compute with exp, ln, pow, sin and cos.
const METHODS: [&str; 7] = ["actual", "requested", "last2", "hierarchy", "sp3", "survival", "cvh"];

/// A study of every preset with every estimator, exact and distorted.
fn study() -> (Study, Workload) {
    let generated = Generated::Lublin { jobs: 500, processors: 64, seed: 11 };
    let mut study = Study::on(Source::Generated(generated.clone()));
    let presets = packfair::scheduler::PRESETS.iter().map(|preset| preset.id.parse().unwrap());
    // off-line schedules come below, with fewer iterations
    study.schedulers = presets.filter(|policy: &packfair::scheduler::Policy| !policy.is_offline()).collect();
    study.methods = METHODS.iter().map(|method| method.parse().unwrap()).collect();
    study.distortions = vec![0.5, 1.0, 1.149];
    study.measure = Measure { alpha: 1.7, norm: 2.5, ..Measure::default() };
    let workload = study.treatment.apply(&generated.generate()).unwrap();
    (study, workload)
}

/// Settings of the families and of the estimators that no preset has.
const FORMS: [&str; 14] = [
    "list:order=wfp",
    "list:order=lrf",
    "list:depth=3",
    "list:order=saf,blocked=greedy,depth=2",
    "easy:initial=wfp,backfill=saf",
    "easy:initial=saf,backfill=fcfs,threshold=600",
    "conservative",
    "conservative:compression=submission",
    "pc",
    "pc:order=sjf",
    "pc:order=wfp",
    "dc",
    "dc:order=lrf",
    "dc:order=wfp",
];
const METHOD_FORMS: [&str; 6] = ["requested", "last2", "sp2", "sp4", "sp:x=30", "survival:x=40"];

/// What a line of a run ends with: some of its metrics, when its last job ends, and where it starts its first jobs.
fn figures(workload: &Workload, schedule: &Schedule, report: &RunReport) -> String {
    let metrics = [Metric::Af, Metric::Awf, Metric::Bsld, Metric::MaxWait, Metric::Utilisation];
    let values = metrics.iter().filter_map(|metric| Some((metric.about().id, report.values.get(metric)?)));
    let values: String = values.map(|(id, value)| format!("{id} {value:.6}, ")).collect();
    let first: Vec<_> = schedule.starts.iter().take(6).collect();
    let end = workload.jobs().map(|job| schedule.start(job) + workload.run(job)).max().unwrap_or_default();
    format!("{values}ends {end}, starts {first:?}")
}

/// A line for each run of the study, with the digest of its schedule and its report to the last bit.
fn table() -> String {
    let (study, workload) = study();
    let mut table = String::new();
    let mut add = |rules: Rules, name: &str, run: &Run, fair: bool| {
        let RunResult { mut schedule, mut report } = execute(run, &workload, rules, &study.measure).unwrap();
        if fair && run.check_fair_starts().is_ok() {
            schedule.fair = Some(fair_starts_of(run, &workload, rules, &schedule, 0..workload.len()).unwrap());
            report = RunReport::of(run.clone(), &workload, &schedule, &study.measure, 0.0);
        }
        // writing into a string does not fail
        let figures = figures(&workload, &schedule, &report);
        writeln!(table, "{name} {} {:016x} | {figures}", run.id(), digest(&schedule, &report)).unwrap();
    };
    // these take longer, and treat exceeded estimates as the others do
    let slow = ["dynp", "dynp-basic", "optimised", "classes"];
    for correction in Correction::ALL {
        let is_due = |run: &Run| correction == Correction::Request || !slow.contains(&run.scheduler.family().entry.id);
        for run in study.runs().into_iter().filter(is_due) {
            add(correction.into(), correction.id(), &run, false);
        }
    }
    for scheduler in FORMS {
        for method in METHOD_FORMS {
            let run = Run::new(scheduler.parse().unwrap(), method.parse().unwrap());
            add(Rules::default(), "forms", &run, false);
        }
    }
    for objective in ["bsld", "af", "awf", "p2sf"] {
        let scheduler = format!("offline:objective={objective},iterations=20");
        let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap());
        add(Rules::default(), "offline", &run, false);
    }
    for reestimation in Reestimation::ALL {
        for trigger in RoundTrigger::ALL {
            let rules = Rules { reestimation: Some(reestimation), trigger: Some(trigger), ..Rules::default() };
            for scheduler in ["easy-sjbf", "saf-easy", "saf-justbf", "conservative", "pc", "dc"] {
                let run = Run::new(scheduler.parse().unwrap(), "hierarchy".parse().unwrap());
                add(rules, &format!("{}+{}", reestimation.id(), trigger.id()), &run, false);
            }
        }
    }
    for scheduler in ["fcfs", "easy", "saf-justbf", "conservative", "pc", "dc"] {
        for method in ["requested", "last2"] {
            add(Rules::default(), "fair", &Run::new(scheduler.parse().unwrap(), method.parse().unwrap()), true);
        }
    }
    table + learned().as_str() + cleaned().as_str()
}

/// Lines for schedulers with learned classes, on a workload of several weeks, because classifiers learn nothing from a
/// shorter one.
fn learned() -> String {
    let generated = Generated::Lublin { jobs: 3_000, processors: 64, seed: 11 };
    let workload = Treatment::default().apply(&generated.generate()).unwrap();
    let line = |scheduler: &str| {
        let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap());
        let RunResult { schedule, report } = execute(&run, &workload, Rules::default(), &Measure::default()).unwrap();
        assert!(schedule.classes.iter().any(|taken| taken.class.is_small()), "{scheduler}");
        let figures = figures(&workload, &schedule, &report);
        format!("learned {} {:016x} | {figures}\n", run.id(), digest(&schedule, &report))
    };
    ["fcfs-ci", "classes:trees=5,early=on"].map(line).concat()
}

/// A log with something to repair and to drop, and times beyond 32 bits.
const DIRTY: &str = "; MaxProcs: 8\n; UnixStartTime: 843480031\n; TimeZoneString: europe/stockholm\n\
    1 0 5 50 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n2 10 5 0 4 -1 -1 4 60 -1 5 2 1 1 1 1 -1 -1\n\
    3 20 5 90 -1 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n4 30 5 50 2.6 -1 -1 -1 -1 -1 3 3 1 1 1 1 -1 -1\n\
    5 9000000000 5 5000000000 16 -1 -1 -1 6000000000 -1 1 3 1 1 1 1 -1 -1\n\
    6 9000000001 5 5000000000 8 -1 -1 -1 6000000000 -1 1 3 1 1 1 1 -1 -1\n";

/// Lines with digests of a log, read and cleaned in every way.
fn cleaned() -> String {
    let log = reading::read("dirty.swf", DIRTY.as_bytes()).unwrap();
    let digest = |cleaning| {
        let treatment = Treatment { cleaning, shrink: 0.7, ..Treatment::default() };
        let workload = treatment.apply(&log).unwrap();
        let said = serde_json::to_string(&workload).unwrap();
        format!("cleaned {cleaning} {:016x} | {}\n", xxh3_64(said.as_bytes()), short(&said))
    };
    [Cleaning::Metrics, Cleaning::Fairness, Cleaning::Raw].map(digest).concat()
}

const RUNS: &str = include_str!("../expected/runs.txt");

/// The digest of the engine: of the names and digests of all runs, without what follows the bar.
fn engine(runs: &str) -> u64 {
    let told = |line: &str| format!("{}\n", line.split(" | ").next().unwrap_or_default());
    xxh3_64(runs.lines().map(told).collect::<String>().as_bytes())
}

/// A line changes when a schedule or a metric does: where that is meant, `scripts/test renew` writes the table anew,
/// and results that were stored before are computed again.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn every_run_is_the_same_everywhere() {
    let runs = table();
    check("runs.txt", &runs, RUNS);
    if !renew("src/study/engine.digest", &format!("{:016x}\n", engine(&runs))) {
        assert_eq!(Engine::THIS, Engine(engine(RUNS)), "run: scripts/test renew");
    }
}

/// A line changes when a reader, a question, a table, a link or a drawing does.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn every_thing_that_is_read_asked_and_shown_is_the_same_everywhere() {
    for (file, here, expected) in breadth::everything() {
        check(file, &here, expected);
    }
}

/// Texts about estimates: how good they are, and why they are as they are. The digest changes when a wording does.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_is_said_of_estimates_is_the_same_everywhere() {
    let (mut study, workload) = study();
    study.schedulers = vec!["easy-sjbf".parse().unwrap()];
    let rules = Rules::default();
    let mut lines = String::new();
    for run in study.runs() {
        let schedule = execute(&run, &workload, rules, &study.measure).unwrap().schedule;
        let counted = CountedJobs { counted: Counted::All, only: None };
        let why = [3, 300, 499].map(|job| Query::Estimated { run: run.clone(), rules, job: JobId(job) });
        for query in why.into_iter().chain([Query::Accuracy { run: run.clone(), counted }]) {
            let answer: Answer = answer(&query, &workload, None, &|_| Some(&schedule)).unwrap();
            let said = serde_json::to_string(&answer).unwrap();
            writeln!(lines, "{} {:016x} | {}", run.id(), xxh3_64(said.as_bytes()), short(&said)).unwrap();
        }
    }
    check("estimates.txt", &lines, include_str!("../expected/estimates.txt"));
}

/// The workloads on which a study is repeated: links and study files carry no more than their seed.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn repeats_are_the_same_everywhere() {
    let log = Generated::Lublin { jobs: 3_000, processors: 64, seed: 11 }.generate();
    let mut workload = Treatment::default().apply(&log).unwrap();
    // a clock with daylight saving, which browsers take from their own database
    let labels = [("UnixStartTime", "843480031"), ("TimeZoneString", "Europe/Stockholm")];
    workload.header.labels = labels.map(|(label, value)| (label.to_owned(), value.to_owned())).to_vec();
    let mut lines = String::new();
    for way in Resampling::ALL {
        let made = [0, 1, 99].map(|repeat| Repeats { way, ..Repeats::of(100) }.workload(&workload, repeat).unwrap());
        for (repeat, made) in [0, 1, 99].into_iter().zip(made) {
            let said = serde_json::to_string(&(made.requests(), made.runs())).unwrap();
            if way == Resampling::Draws {
                assert_eq!(said, serde_json::to_string(&(workload.requests(), workload.runs())).unwrap());
            }
            writeln!(lines, "{} {repeat} {:016x} | {}", way.id(), xxh3_64(said.as_bytes()), short(&said)).unwrap();
        }
    }
    // and the intervals of the results on them
    let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
    let repeats = Repeats { way: Resampling::Shake, ..Repeats::of(3) };
    let mut repeated = Repeated::new(repeats, Vec::new(), std::slice::from_ref(&run));
    for repeat in 0..repeats.count {
        let made = repeats.workload(&workload, repeat).unwrap();
        let schedule = execute(&run, &made, Rules::default(), &Measure::default()).unwrap().schedule;
        let counted = RepeatedRun::of(&made, &schedule, &Measure::default(), &[], &JobDistribution::ALL);
        repeated.set_with_counts(&run, repeat, counted);
    }
    for of in JobDistribution::ALL {
        let said = format!("{:?}", repeated.band(&run, of).unwrap());
        writeln!(lines, "band of {of:?} {:016x} | {}", xxh3_64(said.as_bytes()), short(&said)).unwrap();
    }
    check("repeats.txt", &lines, include_str!("../expected/repeats.txt"));
}

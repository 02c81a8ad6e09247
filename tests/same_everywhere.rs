//! A study on a generated workload gives the same report, bit for bit, natively and in a browser.
#![allow(missing_docs)]

#[path = "same_everywhere/breadth.rs"]
mod breadth;
#[allow(dead_code)] // the tests of charts use more of it
#[path = "charts/sample.rs"]
mod sample;

use packfair::metric::{Counted, CountedJobs, JobDistribution, Measure};
use packfair::model::{Reestimation, RoundTrigger};
use packfair::simulation::Correction;
use packfair::study::query::{Answer, Query, answer};
use packfair::study::sureness::{Repeated, RepeatedRun, Repeats};
use packfair::study::{
    Engine, Generated, Rules, Run, RunReport, RunResult, Source, Study, Treatment, digest, execute, fair_starts_of,
};
use packfair::workload::{Cleaning, JobId, Resampling, Workload, reading};
use std::fmt::Write;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use xxhash_rust::xxh3::xxh3_64;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test_configure!(run_in_browser);

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
        writeln!(table, "{name} {} {:016x}", run.id(), digest(&schedule, &report)).unwrap();
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
        format!("learned {} {:016x}\n", run.id(), digest(&schedule, &report))
    };
    ["fcfs-ci", "classes:by=best,trees=5,early=on"].map(line).concat()
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
        format!("cleaned {cleaning} {:016x}\n", xxh3_64(said.as_bytes()))
    };
    [Cleaning::Metrics, Cleaning::Fairness, Cleaning::Raw].map(digest).concat()
}

const TABLE: &str = include_str!("engine.txt");

/// Digests of what is read, asked and shown.
const BREADTH: &str = include_str!("everywhere.txt");

/// Writes a file anew if that is asked for (`scripts/test renew`). Returns whether it was.
#[cfg(not(target_arch = "wasm32"))]
fn renew(path: &str, content: &str) -> bool {
    if std::env::var_os("PACKFAIR_RENEW").is_none() {
        return false;
    }
    std::fs::write(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path), content).expect("the file is written");
    true
}

#[cfg(target_arch = "wasm32")]
fn renew(_: &str, _: &str) -> bool {
    false
}

/// Fails if the tables differ, and says in which lines.
fn compare(here: &str, there: &str, file: &str) {
    let (mut here, mut there) = (here.lines(), there.lines());
    let mut different = Vec::new();
    loop {
        match (here.next(), there.next()) {
            (None, None) => break,
            (here, there) if here != there => {
                different.push(format!("{} instead of {}", here.unwrap_or("nothing"), there.unwrap_or("nothing")));
            }
            _ => {}
        }
    }
    let first: Vec<_> = different.iter().take(20).map(String::as_str).collect();
    assert!(
        different.is_empty(),
        "{} lines differ from {file}; where that is meant, run: scripts/test renew\n{}",
        different.len(),
        first.join("\n")
    );
}

/// A line changes when a schedule or a metric does: where that is meant, `scripts/test renew` writes the table anew,
/// and results that were stored before are computed again.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn every_run_is_the_same_everywhere() {
    let table = table();
    let digest = format!("{:016x}\n", xxh3_64(table.as_bytes()));
    if renew("tests/engine.txt", &table) && renew("src/study/engine.digest", &digest) {
        return;
    }
    compare(&table, TABLE, "tests/engine.txt");
    assert_eq!(Engine::THIS, Engine(xxh3_64(TABLE.as_bytes())), "run: scripts/test renew");
}

/// A line changes when a reader, a question, a table, a link or a drawing does.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn every_thing_that_is_read_asked_and_shown_is_the_same_everywhere() {
    let table = breadth::everything();
    if !renew("tests/everywhere.txt", &table) {
        compare(&table, BREADTH, "tests/everywhere.txt");
    }
}

/// Texts about estimates: how good they are, and why they are as they are. The digest changes when a wording does.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_is_said_of_estimates_is_the_same_everywhere() {
    let (mut study, workload) = study();
    study.schedulers = vec!["easy-sjbf".parse().unwrap()];
    let rules = Rules::default();
    let mut said = String::new();
    for run in study.runs() {
        let schedule = execute(&run, &workload, rules, &study.measure).unwrap().schedule;
        let counted = CountedJobs { counted: Counted::All, only: None };
        let why = [3, 300, 499].map(|job| Query::Estimated { run: run.clone(), rules, job: JobId(job) });
        for query in why.into_iter().chain([Query::Accuracy { run: run.clone(), counted }]) {
            let answer: Answer = answer(&query, &workload, None, &|_| Some(&schedule)).unwrap();
            said.push_str(&serde_json::to_string(&answer).unwrap());
        }
    }
    assert_eq!(xxh3_64(said.as_bytes()), 11_841_981_354_931_706_469, "{said}");
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
    let digests = Resampling::ALL.map(|way| {
        let made = [0, 1, 99].map(|repeat| Repeats { way, ..Repeats::of(100) }.workload(&workload, repeat).unwrap());
        let said: Vec<String> =
            made.iter().map(|made| serde_json::to_string(&(made.requests(), made.runs())).unwrap()).collect();
        xxh3_64(said.concat().as_bytes())
    });
    let own = serde_json::to_string(&(workload.requests(), workload.runs())).unwrap();
    let own = xxh3_64(own.repeat(3).as_bytes());
    assert_eq!(digests, [2_641_671_827_850_308_198, 2_381_041_411_630_177_431, own]);
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
    let said = JobDistribution::ALL.map(|of| format!("{:?}", repeated.band(&run, of).unwrap()));
    assert_eq!(xxh3_64(said.concat().as_bytes()), 5_699_839_131_413_670_394, "{said:?}");
}

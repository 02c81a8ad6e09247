//! The tiny workloads of `tests/data/gold/` (docs/gold.md): each start is the one that a person has reasoned out, by the
//! fast schedulers and by the plain ones.

use packfair::machine::{Machine, MachineDescription};
use packfair::model::Schedule;
use packfair::study::{Rules, Run, Treatment};
use packfair::workload::{Cleaning, Seconds, Workload, reading};
use serde_json::json;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

const SCHEDULERS: [&str; 6] = ["fcfs", "easy", "conservative", "pc", "dc", "dynp"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gold")
}

/// A line of a table, by its headings.
type Line = HashMap<String, String>;

fn lines(name: &str) -> Vec<Line> {
    let mut reader = csv::Reader::from_path(folder().join(format!("{name}.csv"))).expect("the file is there");
    reader.deserialize().map(|line| line.expect("as wide as the headings")).collect()
}

/// A field that holds a number, where it is not empty.
fn number(line: &Line, field: &str) -> Option<Seconds> {
    let text = line.get(field).filter(|text| !text.is_empty())?;
    Some(text.parse().unwrap_or_else(|_| panic!("{field} is {text}")))
}

/// A workload of the set, with what it expects.
struct Tiny {
    name: String,
    estimate: &'static str,
    workload: Workload,
    jobs: Vec<Line>,
}

impl Tiny {
    fn read(about: &Line) -> Tiny {
        let name = about["workload"].clone();
        let jobs = lines(&name);
        let text: String = jobs.iter().map(swf).collect();
        let mut log = reading::read(&name, text.as_bytes()).expect("it is a log");
        log.beyond.nodes = vec![1; jobs.len()];
        log.beyond.memory = jobs.iter().map(|job| number(job, "memory").unwrap_or(0) as i32).collect();
        let processors = number(about, "processors").expect("the size of the machine");
        let treatment = Treatment {
            // jobs of no run time count, and who runs longer than requested is ended
            cleaning: Cleaning::FairnessCut,
            processors: Some(processors as u32),
            machine: machine(about).map(|machine| Box::new(machine.into())),
            ..Treatment::default()
        };
        let workload = treatment.apply(&log).expect("it has jobs");
        assert_eq!(workload.len(), jobs.len(), "{name}: every job counts");
        let estimate = match about["estimate"].as_str() {
            "request" => "requested",
            "half of the run time" => "actual*0.5",
            other => panic!("{name}: no estimate is called {other}"),
        };
        Tiny { name, estimate, workload, jobs }
    }

    fn schedule(&self, scheduler: &str, is_plain: bool) -> Schedule {
        let run = Run::new(scheduler.parse().unwrap(), self.estimate.parse().unwrap());
        if is_plain {
            let (plain, options) = (run.scheduler.build_plain().expect("a plain form"), Rules::default().options(&run));
            let estimator = run.estimate.build(&self.workload);
            return packfair::simulation::Simulation::new(&self.workload, plain, estimator, options).finish();
        }
        run.simulation(&self.workload, Rules::default()).expect("it runs on this machine").finish()
    }

    /// What differs from the expected starts, a sentence each.
    fn faults(&self, scheduler: &str, is_plain: bool) -> Vec<String> {
        let schedule = self.schedule(scheduler, is_plain);
        let form = if is_plain { "the plain form of " } else { "" };
        let fault = |(job, line): (_, &Line)| {
            let (expected, start) = (number(line, scheduler).expect("a start"), schedule.start(job));
            let (name, number, why) = (&self.name, &line["job"], &line["why"]);
            (start != expected)
                .then(|| format!("{name}: {form}{scheduler} starts job {number} at {start}, not at {expected}: {why}"))
        };
        self.workload.jobs().zip(&self.jobs).filter_map(fault).collect()
    }
}

/// A job as a line of SWF.
fn swf(job: &Line) -> String {
    let [id, submit, run, processors, request] =
        ["job", "submit", "run", "processors", "request"].map(|field| number(job, field).expect("a number"));
    format!("{id} {submit} -1 {run} {processors} -1 -1 {processors} {request} -1 1 1 1 1 1 1 -1 -1\n")
}

/// The machine where it is more than a number of processors: a node with memory, or one that goes for a while.
fn machine(about: &Line) -> Option<Machine> {
    let (processors, memory, from) =
        (number(about, "processors")?, number(about, "memory"), number(about, "away_from"));
    let (nodes, node) = match memory {
        Some(memory) => (1, json!({"processors": processors, "memory": memory})),
        None => (processors, json!({"processors": 1})),
    };
    let announced = number(about, "announced");
    let what = if announced.is_some() { "drain" } else { "kill" };
    let changes: Vec<_> = from
        .map(|from| {
            json!({"from": from, "until": number(about, "away_until"), "nodes": -nodes, "announced": announced,
                "what": what})
        })
        .into_iter()
        .collect();
    if memory.is_none() && changes.is_empty() {
        return None;
    }
    let described: MachineDescription =
        serde_json::from_value(json!({"cells": [{"name": "m", "nodes": nodes, "node": node}], "changes": changes}))
            .expect("a description");
    Some(described.machine(|_| Err("there are no dates".to_owned())).expect("a machine"))
}

#[test]
fn each_job_of_the_tiny_workloads_starts_when_a_person_says() {
    let all: Vec<Tiny> = lines("workloads").iter().map(Tiny::read).collect();
    assert_eq!(all.len(), 20);
    let faults: Vec<String> = all
        .iter()
        .flat_map(|tiny| SCHEDULERS.iter().map(move |scheduler| (tiny, scheduler)))
        .flat_map(|(tiny, scheduler)| [tiny.faults(scheduler, false), tiny.faults(scheduler, true)].concat())
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_tiny_workloads_are_small_and_each_job_has_its_reason() {
    let about = lines("workloads");
    let named: BTreeSet<String> = about.iter().map(|line| format!("{}.csv", line["workload"])).collect();
    let found = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let found: BTreeSet<String> = found.filter(|name| name.ends_with(".csv") && name != "workloads.csv").collect();
    assert_eq!(found, named, "workloads.csv lists what is there");
    for line in &about {
        let (name, jobs) = (&line["workload"], lines(&line["workload"]));
        assert!((5..=15).contains(&jobs.len()), "{name} has {} jobs", jobs.len());
        assert!(!line["rule"].is_empty(), "{name} has a rule");
        for job in jobs {
            assert!(job["why"].ends_with('.'), "{name}: job {} has a sentence", job["job"]);
        }
    }
}

/// Each pair of schedulers is told apart by some workload, for else a simulator could have one for the other.
#[test]
fn the_tiny_workloads_tell_the_schedulers_apart() {
    let all: Vec<Vec<Line>> = lines("workloads").iter().map(|line| lines(&line["workload"])).collect();
    for (i, one) in SCHEDULERS.iter().enumerate() {
        for other in &SCHEDULERS[i + 1..] {
            let differs = all.iter().flatten().any(|job| job[*one] != job[*other]);
            assert!(differs, "{one} and {other} start every job at the same time");
        }
    }
}

//! Formulas that users write, in use: what they know of machines of cells, and as Slurm's site factor.

use packfair::machine::MachineDescription;
use packfair::metric::Measure;
use packfair::scheduler::Policy;
use packfair::slurm::{SiteFile, Version, read_site};
use packfair::study::{Rules, Run, Treatment, execute};
use packfair::workload::{Log, Seconds, Workload, reading};
use serde_json::json;
use std::sync::Arc;

/// Jobs of (submit, processors, run time, requested time).
fn log(jobs: &[(Seconds, u32, Seconds, Seconds)]) -> Log {
    let line = |(number, (submit, processors, run, limit)): (usize, &(Seconds, u32, Seconds, Seconds))| {
        format!("{} {submit} -1 {run} {processors} -1 -1 {processors} {limit} -1 1 1 1 1 1 1 -1 -1\n", number + 1)
    };
    let text: String = jobs.iter().enumerate().map(line).collect();
    reading::read("told", text.as_bytes()).unwrap()
}

fn starts(scheduler: &str, workload: &Workload) -> Vec<Seconds> {
    let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap());
    execute(&run, workload, Rules::default(), &Measure::default()).unwrap().schedule.starts
}

#[test]
fn a_formula_knows_nodes_gpus_and_memory() {
    // the jobs run one after the other, because each takes all processors
    let mut log = log(&[(0, 8, 10, 10), (1, 8, 10, 10), (1, 8, 10, 10), (1, 8, 10, 10)]);
    log.beyond.nodes = vec![4, 4, 4, 4];
    log.beyond.gpus = vec![0, 0, 8, 4];
    log.beyond.memory = vec![0, 4_000, 0, 2_000];
    let cell = json!({"cells": [{"name": "m", "nodes": 4, "node": {"processors": 2, "gpus": 8, "memory": 8_000}}]});
    let described: MachineDescription = serde_json::from_value(cell).unwrap();
    let machine = described.machine(|_| Err("no clock".to_owned())).unwrap();
    let workload = Treatment { machine: Some(Box::new(machine.into())), ..Treatment::default() }.apply(&log).unwrap();
    let by = |formula: &str| starts(&format!("list:order=formula:{formula},blocked=strict"), &workload);
    assert_eq!(by("0"), [0, 10, 20, 30], "the order of the log");
    assert_eq!(by("gpus"), [0, 30, 10, 20]);
    assert_eq!(by("memory"), [0, 10, 30, 20]);
    assert_eq!(by("if(nodes==4,gpus,0)"), [0, 30, 10, 20]);
    assert_eq!(by("if(account_usage>0,memory,gpus)"), [0, 10, 30, 20], "it had the first job");
}

#[test]
fn a_site_factor_is_a_formula() {
    let mut log = log(&[(0, 4, 100, 600), (10, 4, 100, 600), (20, 4, 100, 300)]);
    let conf = "ClusterName=made\nSelectType=select/cons_tres\nPriorityType=priority/multifactor\n\
                NodeName=n[1-4] CPUs=1\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE\n";
    let files = [SiteFile { name: "slurm.conf", content: conf.as_bytes() }];
    log.site = Some(Arc::new(read_site(&files, Version::default())));
    let treatment = Treatment { site: vec![files[0].named()], ..Treatment::default() };
    let workload = treatment.apply(&log).unwrap();
    let submitted = starts("slurm", &workload);
    assert!(submitted[1] < submitted[2], "{submitted:?}");
    let shortest = starts("slurm:site=formula:100000-requested", &workload);
    assert!(shortest[2] < shortest[1], "{shortest:?}");
    let message = "slurm:site=formula:free".parse::<Policy>().unwrap_err().to_string();
    assert!(message.contains("knows the job and the time alone"), "{message}");
    let message = "slurm:site=fcfs".parse::<Policy>().unwrap_err().to_string();
    assert!(message.contains("it takes none, or formula: and a formula"), "{message}");
}

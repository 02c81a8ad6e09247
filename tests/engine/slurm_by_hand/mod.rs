//! How rules affect starts, on small logs of sacct and a site of a few nodes of one processor.

mod arrays;
mod completing;
mod dependencies;
mod holds;
mod options;
mod partitions;
mod parts;
mod pauses;
mod preemption;
mod saving;
mod stranded;
mod submission;
mod suspension;

use packfair::machine::MachineDescription;
use packfair::model::Schedule;
use packfair::simulation::ReasonSearch;
use packfair::slurm::{SiteFile, Version, read_site};
use packfair::study::{Rules, Run, Treatment};
use packfair::workload::{JobId, Seconds, Workload, reading};
use std::sync::Arc;

/// A line of sacct. Times are in seconds, the limit is in minutes.
#[derive(Clone, Copy)]
struct Line<'a> {
    id: &'a str,
    name: &'a str,
    partition: &'a str,
    submit: Seconds,
    /// The time from the job's submission until it was eligible.
    hold: Seconds,
    run: Seconds,
    limit: Seconds,
    nodes: u32,
    state: &'a str,
    after: &'a str,
}

const JOB: Line<'static> = Line {
    id: "1",
    name: "fit",
    partition: "batch",
    submit: 0,
    hold: 0,
    run: 100,
    limit: 10,
    nodes: 1,
    state: "COMPLETED",
    after: "",
};

/// A job that can start does so within this time, seconds: a full pass comes every minute, a cycle every half.
const SOON: Seconds = 70;

/// A workload of jobs in the order of their submission, on a site with this `slurm.conf`.
fn workload(lines: &[Line<'_>], conf: &str) -> Workload {
    workload_of(lines, &[("slurm.conf", conf)])
}

/// A workload of jobs on a site with several files.
fn workload_of(lines: &[Line<'_>], files: &[(&str, &str)]) -> Workload {
    workload_on(lines, files, None)
}

/// A workload of jobs on a site and a machine that a description in TOML describes.
fn workload_on(lines: &[Line<'_>], files: &[(&str, &str)], machine: Option<&str>) -> Workload {
    let moment = |at: Seconds| {
        chrono::DateTime::from_timestamp(1_767_607_200 + at, 0).expect("a year of ours").format("%Y-%m-%dT%H:%M:%S")
    };
    let mut text =
        "JobID|User|JobName|Partition|Submit|Eligible|Start|ElapsedRaw|TimelimitRaw|NCPUS|State|Dependency\n"
            .to_owned();
    for Line { id, name, partition, submit, hold, run, limit, nodes, state, after } in lines {
        let (submit, eligible) = (moment(*submit), moment(submit + hold));
        text += &format!(
            "{id}|ann|{name}|{partition}|{submit}|{eligible}|{submit}|{run}|{limit}|{nodes}|{state}|{after}\n"
        );
    }
    let mut log = reading::read("sacct.txt", text.as_bytes()).expect("a log");
    let files: Vec<SiteFile<'_>> =
        files.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
    let site = read_site(&files, Version::default());
    assert_eq!(site.findings, []);
    let machine = machine.map(|text| Box::new(MachineDescription::from_toml(text).expect("a machine")));
    let treatment = Treatment { site: site.files.clone(), machine, ..Treatment::default() };
    log.site = Some(Arc::new(site));
    treatment.apply(&log).expect("it has jobs")
}

fn run_of(scheduler: &str) -> Run {
    Run::new(scheduler.parse().expect("a scheduler"), "requested".parse().expect("an estimator"))
}

fn schedule(workload: &Workload, scheduler: &str) -> Schedule {
    run_of(scheduler).simulation(workload, Rules::default()).expect("it decides").finish()
}

/// The starts of the jobs on the log's clock, in the order of their submission.
fn starts(workload: &Workload, scheduler: &str) -> Vec<Seconds> {
    schedule(workload, scheduler).starts
}

/// The reasons for which a job has waited, in words.
fn reasons(workload: &Workload, job: u32) -> String {
    let simulation = run_of("slurm").simulation(workload, Rules::default()).expect("it decides");
    let mut search = ReasonSearch::begin(simulation, JobId(job)).expect("reasons");
    loop {
        if let Some(found) = search.advance(1000) {
            return found.map(|(_, words)| words).unwrap_or_default();
        }
    }
}

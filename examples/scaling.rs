//! Measures time and memory against size and load, and writes docs/scaling.md: `cargo run --release --example scaling`,
//! or with `-- FILE` into another file. It takes some minutes; `-- FILE SECTION` measures only that section, and leaves
//! the others in the file as they are.
//!
//! Each row is measured by a separate process, so that its memory can be told.

use packfair::model::Schedule;
use packfair::simulation::Correction;
use packfair::study::{Run, Running, Treatment};
use packfair::workload::{Workload, lublin, reading, write_swf};
use std::error::Error;
use std::process::Command;
use std::time::Instant;

/// Shrinking factors with which queues stay short, become long at times, and grow for ever.
const LOADS: [(&str, f64); 3] = [("short", 1.25), ("long", 0.95), ("growing", 0.7)];
const SIZES: [u32; 3] = [10_000, 100_000, 1_000_000];
/// Schedulers and estimates that are measured against size and load, and their most jobs where queues grow for ever.
const SCHEDULERS: [(&str, &str, u32); 8] = [
    ("easy", "requested", u32::MAX),
    ("easy-sjbf", "requested", u32::MAX),
    ("saf-aggressive", "requested", u32::MAX),
    ("justbf", "actual", u32::MAX),
    ("justbf", "requested", 100_000),
    ("saf-justbf", "actual", u32::MAX),
    ("saf-justbf", "requested", u32::MAX),
    ("laf-justbf", "requested", 100_000),
];
/// Numbers of jobs that are all submitted at about the same time.
const QUEUES: [u32; 5] = [1_000, 3_000, 10_000, 30_000, 100_000];
/// Schedulers that are measured against the length of the queue, with requested times.
const OVERLOADED: [&str; 7] = ["easy", "easy-sjbf", "saf-easy", "laf-aggressive", "justbf", "saf-justbf", "laf-justbf"];
/// 300,000 jobs on 100,000 processors, and what is measured of them.
struct Wide {
    /// The most processors of a job.
    widest: u32,
    /// The shrinking factor.
    shrink: f64,
    runs: &'static [(&'static str, &'static str)],
}

const WIDE: [Wide; 2] = [
    Wide {
        widest: 512,
        shrink: 0.0049,
        runs: &[
            ("easy", "actual"),
            ("easy", "requested"),
            ("justbf", "actual"),
            ("justbf", "requested"),
            ("saf-justbf", "actual"),
            ("saf-justbf", "requested"),
        ],
    },
    Wide {
        widest: 256,
        shrink: 0.0023,
        runs: &[
            ("easy", "requested"),
            ("justbf", "actual"),
            ("justbf", "requested"),
            ("saf-justbf", "actual"),
            ("saf-justbf", "requested"),
            ("laf-justbf", "actual"),
            ("laf-justbf", "requested"),
        ],
    },
];

/// Numbers of jobs that are all submitted in the same second.
const INSTANT: [u32; 7] = [250, 500, 1_000, 2_000, 4_000, 20_000, 100_000];
/// Runs that are measured at one instant, and their most jobs, with which they take some minutes: schedulers that
/// guarantee starts, and estimators that learn.
const AT_ONCE: [(&str, &str, u32); 9] = [
    ("conservative", "requested", 20_000),
    ("dc", "requested", u32::MAX),
    ("pc", "actual", u32::MAX),
    ("pc", "requested", 4_000),
    ("easy", "last2", u32::MAX),
    ("easy", "hierarchy", u32::MAX),
    ("easy", "sp2", u32::MAX),
    ("easy", "survival", u32::MAX),
    ("easy", "cvh", 20_000),
];

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["size", jobs, load] => size_row(jobs.parse()?, load.parse()?),
        ["queue", jobs] => queue_row(jobs.parse()?),
        ["wide"] => wide_rows(),
        ["instant", jobs] => instant_row(jobs.parse()?),
        [] => document("docs/scaling.md", |_| true),
        [file] => document(file, |_| true),
        [file, section] => document(file, |title| title == section),
        _ => Err("usage: scaling [FILE [SECTION]]".into()),
    }
}

const BEGINNING: &str = "# Time and memory against size\n\nMade by `cargo run --release --example scaling`; not to be edited. \
     Generated workloads (Lublin and Feitelson), one thread, the shortest of some runs. Times are of the simulation alone; on \
     another machine they are others, and their ratios about the same. A run that would take many minutes is not made (–).\n";

/// A section's title, and the function that makes the rest of it.
type Section = (&'static str, fn() -> Result<String>);

const SECTIONS: [Section; 4] = [
    ("Size and load", size_section),
    ("Overloaded queues", queue_section),
    ("Jobs of one instant", instant_section),
    ("A wide machine", wide_section),
];

/// Writes the document; sections that are not measured stay as they are in the file.
fn document(file: &str, is_measured: impl Fn(&str) -> bool) -> Result<()> {
    let before = std::fs::read_to_string(file).unwrap_or_default();
    let mut text = BEGINNING.to_owned();
    for (title, make) in SECTIONS {
        let standing = before.split("\n## ").find_map(|section| section.strip_prefix(title));
        let rest = match standing {
            Some(standing) if !is_measured(title) => standing.trim_matches('\n').to_owned(),
            None if !is_measured(title) => continue,
            _ => make()?,
        };
        text += &format!("\n## {title}\n\n{rest}\n");
    }
    std::fs::write(file, text)?;
    Ok(())
}

fn head(first: &[&str], rest: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = first.iter().map(|&name| name.to_owned()).chain(rest).collect();
    format!("| {} |\n|{}", names.join(" | "), " ---: |".repeat(names.len()))
}

fn size_section() -> Result<String> {
    let mut text = String::from(
        "256 processors. The load is set by the shrinking factor: queues stay short, grow long at times, or grow for ever. \
         Memory is the most that the process held, the text of the log included; the queue is EASY's, as jobs arrive. Times \
         in ms.\n\n",
    );
    let runs = SCHEDULERS.map(|(scheduler, estimate, _)| format!("{scheduler}, {estimate}"));
    text += &head(&["jobs", "queues", "mean queue", "longest", "read, MB/s", "clean", "memory, MiB"], runs);
    for jobs in SIZES {
        for load in 0..LOADS.len() {
            text += &format!("\n{}", row(&["size", &jobs.to_string(), &load.to_string()])?);
        }
    }
    Ok(text)
}

fn queue_section() -> Result<String> {
    let mut text = String::from(
        "All jobs are submitted within minutes on 256 processors. Microseconds per scheduling round, against the mean number \
         of waiting jobs.\n\n",
    );
    text += &head(&["jobs", "mean queue"], OVERLOADED.map(|scheduler| format!("{scheduler}, requested")));
    for jobs in QUEUES {
        text += &format!("\n{}", row(&["queue", &jobs.to_string()])?);
    }
    Ok(text)
}

fn instant_section() -> Result<String> {
    let mut text = String::from(
        "All jobs are submitted in the same second on 128 processors, with requested times above run times. Seconds. Under \
         PC the jobs themselves move about eight times as often where there are twice as many.\n\n",
    );
    text += &head(&["jobs"], AT_ONCE.map(|(scheduler, estimate, _)| format!("{scheduler}, {estimate}")));
    for jobs in INSTANT {
        text += &format!("\n{}", row(&["instant", &jobs.to_string()])?);
    }
    Ok(text)
}

fn wide_section() -> Result<String> {
    let mut text = String::from(
        "300,000 jobs on 100,000 processors, more than one or two thousand of them running at a time.\n\n",
    );
    text += &head(&["run", "widest job", "mean queue", "mean running", "seconds"], []);
    text += &format!("\n{}", row(&["wide"])?);
    Ok(text)
}

/// What a process of this program prints for these arguments.
fn row(arguments: &[&str]) -> Result<String> {
    eprintln!("{}", arguments.join(" "));
    let output = Command::new(std::env::current_exe()?).args(arguments).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

fn size_row(jobs: u32, load: usize) -> Result<()> {
    let (name, shrink) = LOADS[load];
    let treatment = Treatment { shrink, ..Treatment::default() };
    let text = {
        let log = lublin(jobs, 256, 1);
        let mut text = Vec::new();
        write_swf(&mut text, &log, &Treatment::default().apply(&log)?, None)?;
        text
    };
    let repeats = if jobs > 100_000 { 1 } else { 5 };
    let (log, reading) = best(repeats, || reading::read("generated", text.as_slice()));
    let log = log?;
    let (workload, cleaning) = best(repeats, || treatment.apply(&log));
    let workload = workload?;
    let mut times = Vec::new();
    let mut queue = Load::default();
    for (scheduler, estimate, most) in SCHEDULERS {
        if name == "growing" && jobs > most {
            times.push("–".to_owned());
            continue;
        }
        let (schedule, seconds) = simulate(scheduler, estimate, &workload, repeats)?;
        if scheduler == "easy" {
            queue = Load::of(&workload, &schedule);
        }
        times.push(format!("{:.1}", seconds * 1e3));
    }
    let speed = text.len() as f64 / reading / 1e6;
    println!(
        "| {jobs} | {name} | {:.0} | {} | {speed:.0} | {:.1} | {} | {} |",
        queue.mean_waiting,
        queue.most_waiting,
        cleaning * 1e3,
        most_memory().map_or("–".to_owned(), |mib| format!("{mib:.0}")),
        times.join(" | ")
    );
    Ok(())
}

fn queue_row(jobs: u32) -> Result<()> {
    let workload = Treatment { shrink: 0.001, ..Treatment::default() }.apply(&lublin(jobs, 256, 1))?;
    let mut cells = Vec::new();
    let mut queue = Load::default();
    for scheduler in OVERLOADED {
        let (schedule, seconds) = simulate(scheduler, "requested", &workload, if jobs > 10_000 { 1 } else { 3 })?;
        if scheduler == "easy" {
            queue = Load::of(&workload, &schedule);
        }
        cells.push(format!("{:.2}", seconds * 1e6 / schedule.rounds as f64));
    }
    println!("| {jobs} | {:.0} | {} |", queue.mean_waiting, cells.join(" | "));
    Ok(())
}

fn instant_row(jobs: u32) -> Result<()> {
    let mut log = lublin(jobs, 128, 1);
    log.records.iter_mut().for_each(|record| record.submit = 0);
    let workload = Treatment::default().apply(&log)?;
    let mut cells = Vec::new();
    for (scheduler, estimate, most) in AT_ONCE {
        if jobs > most {
            cells.push("–".to_owned());
            continue;
        }
        let (_, seconds) = simulate(scheduler, estimate, &workload, if jobs > 1_000 { 1 } else { 3 })?;
        cells.push(format!("{seconds:.3}"));
    }
    println!("| {jobs} | {} |", cells.join(" | "));
    Ok(())
}

fn wide_rows() -> Result<()> {
    for Wide { widest, shrink, runs } in WIDE {
        let treatment = Treatment { processors: Some(100_000), shrink, ..Treatment::default() };
        let workload = treatment.apply(&lublin(300_000, widest, 1))?;
        for (scheduler, estimate) in runs {
            let (schedule, seconds) = simulate(scheduler, estimate, &workload, 1)?;
            let Load { mean_waiting, mean_running, .. } = Load::of(&workload, &schedule);
            println!("| {scheduler}, {estimate} | {widest} | {mean_waiting:.0} | {mean_running:.0} | {seconds:.2} |");
        }
    }
    Ok(())
}

/// The result of `work`, and the shortest time of some repeats, seconds.
fn best<T>(repeats: usize, mut work: impl FnMut() -> T) -> (T, f64) {
    let timed = |work: &mut dyn FnMut() -> T| {
        let begin = Instant::now();
        let result = work();
        (result, begin.elapsed().as_secs_f64())
    };
    let (mut result, mut shortest) = timed(&mut work);
    for _ in 1..repeats {
        let (again, seconds) = timed(&mut work);
        (result, shortest) = (again, shortest.min(seconds));
    }
    (result, shortest)
}

/// The schedule, and the shortest time that the simulation took, seconds.
fn simulate(scheduler: &str, estimate: &str, workload: &Workload, repeats: usize) -> Result<(Schedule, f64)> {
    let run = Run::new(scheduler.parse()?, estimate.parse()?);
    let (running, seconds) = best(repeats, || {
        let mut running = Running::begin(&run, workload, Correction::default())?;
        running.advance(usize::MAX);
        Ok::<_, Box<dyn Error>>(running)
    });
    Ok((running?.finish(&Default::default(), seconds)?.schedule, seconds))
}

/// How many jobs wait and run in a schedule.
#[derive(Default)]
struct Load {
    mean_waiting: f64,
    most_waiting: usize,
    mean_running: f64,
}

impl Load {
    /// The load of a schedule. Means are over the instants at which jobs are submitted.
    fn of(workload: &Workload, schedule: &Schedule) -> Self {
        let mut starts = schedule.starts.clone();
        let mut ends: Vec<i64> = schedule.starts.iter().zip(workload.runs()).map(|(start, run)| start + run).collect();
        starts.sort_unstable();
        ends.sort_unstable();
        let (mut waiting, mut running, mut most_waiting) = (0, 0, 0);
        for (before, request) in workload.requests().iter().enumerate() {
            let started = starts.partition_point(|&start| start < request.submit).min(before);
            let ended = ends.partition_point(|&end| end <= request.submit).min(started);
            most_waiting = most_waiting.max(before - started);
            waiting += before - started;
            running += started - ended;
        }
        let jobs = workload.len().max(1) as f64;
        Load { mean_waiting: waiting as f64 / jobs, most_waiting, mean_running: running as f64 / jobs }
    }
}

/// The most memory that the process has held at once, MiB; none where the system does not tell.
fn most_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}

//! Measures what runs take with each setting of each family, and writes tests/cost.txt, with which `tests/study/cost.rs`
//! compares the estimates made before a run (`src/study/cost.rs`): `cargo run --release --example cost`, or with `--
//! WORD` only the lines that contain WORD. It takes some minutes.

#[path = "../tests/study/cost/asked.rs"]
mod asked;

use asked::{WORKLOADS, named, runs};
use packfair::metric::Measure;
use packfair::study::cost::AT_ONCE;
use packfair::study::{Rules, Run, Running};
use packfair::workload::Workload;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::time::Instant;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/study/cost.txt");

const BEGINNING: &str = "# What runs take, seconds: simulated and measured on one thread, natively. Made by `cargo run --release --example cost`.\n\
     # A run that was given up has the time until then, behind >.\n";

/// After this many seconds a run is stopped. Longer runs are started only on request anyway.
const MOST: f64 = AT_ONCE;

fn main() -> Result<(), Box<dyn Error>> {
    let word = std::env::args().nth(1).unwrap_or_default();
    let before = std::fs::read_to_string(TABLE).unwrap_or_default();
    let known: BTreeMap<&str, &str> = before.lines().filter_map(|line| line.rsplit_once(' ')).collect();
    let mut table = BEGINNING.to_owned();
    let runs = runs();
    for asked in &WORKLOADS {
        let workload = asked.made();
        for run in runs.iter().filter(|run| asked.is_for(run, &workload)).map(|run| &run.run) {
            let line = named(asked, run);
            let taken = match known.get(line.as_str()) {
                Some(known) if !line.contains(&word) => (*known).to_owned(),
                _ => took(run, &workload)?,
            };
            println!("{line} {taken}");
            writeln!(table, "{line} {taken}")?;
        }
        println!("{}", asked.name);
    }
    std::fs::write(TABLE, table)?;
    Ok(())
}

/// The time of a run, in the form of the table.
fn took(run: &Run, workload: &Workload) -> Result<String, Box<dyn Error>> {
    let begin = seconds();
    let mut running = Running::begin(run, workload, Rules::default())?;
    while !running.advance(8).is_done() {
        let taken = seconds() - begin;
        if taken > MOST {
            return Ok(format!(">{taken:.0}"));
        }
    }
    running.finish(&Measure::default(), 0.0)?;
    Ok(format!("{:.4}", seconds() - begin))
}

/// How long this thread has been running on a processor, seconds, since other programs may use the machine. Where the
/// system does not tell, the time since the first call.
fn seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || {
            static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
            BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
        },
        |nanoseconds| nanoseconds / 1e9,
    )
}

//! The logs and reference schedules beside the repository, for tests of whole logs.
#![allow(dead_code)] // each test file uses its part

use flate2::read::GzDecoder;
use packfair::workload::{Cleaning, Filter, Seconds, Workload, clean, reading};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The folder `shared` beside the repository; reports a skipped test where there is none.
pub fn folder() -> Option<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    if folder.is_dir() {
        return Some(folder.to_owned());
    }
    skipped();
    None
}

/// Reports a skipped test. It writes past the test runner, which hides what passing tests print, because `scripts/test`
/// counts these lines.
pub fn skipped() {
    // where standard error is closed, no one counts the lines
    let _ = writeln!(std::io::stderr(), "skipped: no ../shared");
}

/// The workload of a log of `traces/`, with the cleaning of METRICS.
pub fn trace(folder: &Path, name: &str) -> Workload {
    // many tests of a program want the same log
    static READ: Mutex<BTreeMap<String, Workload>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().expect("logs can be read");
    read.entry(name.to_owned()).or_insert_with(|| read_trace(folder, name)).clone()
}

fn read_trace(folder: &Path, name: &str) -> Workload {
    let file = File::open(folder.join(format!("traces/{name}.swf.gz"))).expect("the log is there");
    let log = reading::read(name, file).expect("the log can be read");
    clean(&log, &Filter::default(), Cleaning::Metrics, None).expect("the log has jobs")
}

/// One of the files `gold/*.json`.
pub fn json(folder: &Path, name: &str) -> Value {
    let file = File::open(folder.join("gold").join(name)).expect("the file is there");
    serde_json::from_reader(std::io::BufReader::new(file)).expect("the file is JSON")
}

/// A reference schedule: start and, where there is one, estimate at submission of each job in log order.
pub struct Gold {
    pub starts: Vec<Seconds>,
    pub estimates: Option<Vec<f64>>,
}

/// Where the reference schedule of `run` is, as `TRACE/SCHEDULER__ESTIMATOR`.
pub fn gold_file(folder: &Path, run: &str) -> PathBuf {
    folder.join(format!("gold/{run}.csv.gz"))
}

/// The reference schedule of `run`.
pub fn gold(folder: &Path, run: &str, workload: &Workload) -> Gold {
    let file = File::open(gold_file(folder, run)).unwrap_or_else(|error| panic!("{run}: {error}"));
    let mut reader = csv::Reader::from_reader(GzDecoder::new(file));
    let estimated = reader.headers().expect("a heading").len() == 3;
    let rows: HashMap<i64, (Seconds, Option<f64>)> = reader
        .records()
        .map(|row| {
            let row = row.expect("a row");
            let estimate = estimated.then(|| row[2].parse().expect("an estimate"));
            (row[0].parse().expect("a job number"), (row[1].parse().expect("a start"), estimate))
        })
        .collect();
    assert_eq!(rows.len(), workload.len(), "{run}: as many rows as jobs");
    let of_each = || workload.requests().iter().map(|request| rows[&request.number]);
    Gold { starts: of_each().map(|row| row.0).collect(), estimates: of_each().map(|row| row.1).collect() }
}

/// Number, start and kills of each job in the reference schedule of `run`, one with kills.
pub fn starts_and_kills(folder: &Path, run: &str) -> Vec<(i64, Seconds, usize)> {
    let file = File::open(gold_file(folder, run)).unwrap_or_else(|error| panic!("{run}: {error}"));
    let mut reader = csv::Reader::from_reader(GzDecoder::new(file));
    reader.deserialize().map(|row| row.expect("a row of three numbers")).collect()
}

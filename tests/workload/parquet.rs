//! Parquet files of four writers against the same jobs as CSV, damaged ones, and ones that are packed themselves.
//! `tests/data/parquet/make.py` makes them.

use crate::random;
use flate2::Compression;
use flate2::write::GzEncoder;
use packfair::workload::reading::{FileContent, Limits, Reader, read, read_by, read_file, read_watched, tar_header};
use packfair::workload::{ColumnMap, Log, ReadError, TablePreview};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parquet")
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).unwrap()
}

/// All files, by their names.
fn files() -> Vec<(String, Vec<u8>)> {
    let all = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = all.filter(|name| name.ends_with(".parquet")).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), file(&name))).collect()
}

/// A log without what tells it from another of the same jobs.
fn told(log: Log) -> Log {
    Log { name: String::new(), fingerprint: read("csv", file("jobs.csv").as_slice()).unwrap().fingerprint, ..log }
}

fn read_bytes(bytes: &[u8]) -> Result<Log, ReadError> {
    read_file("log", Cursor::new(bytes), Limits::default())
}

#[test]
fn the_jobs_are_those_of_the_csv_whoever_wrote_the_file_and_how() {
    let csv = told(read("csv", file("jobs.csv").as_slice()).unwrap());
    assert_eq!((csv.records.len(), csv.records[1].wait, csv.records[1].run), (90, 29, 60 + 918));
    let all = files();
    assert!(all.len() >= 35, "{}", all.len());
    for (name, bytes) in all {
        let log = told(read_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}")));
        assert_eq!(log.records, csv.records, "{name}");
        assert_eq!(log, csv, "{name}");
    }
}

#[test]
fn columns_are_mapped_as_those_of_other_tables() {
    let stated = ["submit=start_time", "run=time_limit:min", "processors=job_id", "wait="];
    let map = || ColumnMap { columns: stated.map(|column| column.parse().unwrap()).to_vec() };
    let reader = || Reader::mapped("log", Limits::default(), map());
    let csv = told(read_by(reader(), file("jobs.csv").as_slice()).unwrap());
    let parts = &mut Vec::new();
    let watched = read_watched(reader(), Cursor::new(file("pyarrow-groups.parquet")), |jobs, part| {
        parts.push((jobs, part));
        Ok(())
    });
    let FileContent { log, .. } = watched.unwrap();
    assert_eq!(told(log), csv);
    assert_eq!(parts.last().map(|last| last.1), Some(1.0), "all of its rows were read");
}

#[test]
fn its_first_rows_are_shown_to_who_says_what_its_columns_hold() {
    let csv = TablePreview::of(&file("jobs.csv"), true).unwrap();
    for name in ["duckdb-snappy.parquet", "pyarrow-groups.parquet"] {
        let shown = TablePreview::of(&file(name), true).unwrap();
        assert_eq!((&shown.names, shown.rows.len(), shown.is_whole), (&csv.names, 90, true), "{name}");
        let guess = |of: &TablePreview| of.said(&of.guessed(&ColumnMap::default()));
        assert_eq!(guess(&shown), guess(&csv), "{name}");
        assert_eq!(shown.jobs(&guess(&shown)).jobs, 90, "{name}");
    }
    assert!(TablePreview::of(&file("duckdb-snappy.parquet")[..3_000], true).is_none());
}

#[test]
fn what_is_packed_or_comes_from_a_pipe_is_read_too() {
    let csv = told(read("csv", file("jobs.csv").as_slice()).unwrap());
    let bytes = file("pyarrow-zstd.parquet");
    assert_eq!(told(read("pipe", bytes.as_slice()).unwrap()), csv);
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&bytes).unwrap();
    assert_eq!(told(read_bytes(&packed.finish().unwrap()).unwrap()), csv);
    let mut tar = tar_header("jobs.parquet", bytes.len() as u64).to_vec();
    tar.extend_from_slice(&bytes);
    tar.resize(tar.len().next_multiple_of(512) + 1_024, 0);
    assert_eq!(told(read_bytes(&tar).unwrap()), csv);
}

#[test]
fn what_is_wrong_is_said() {
    let said = |bytes: &[u8]| read_bytes(bytes).unwrap_err().to_string();
    let bytes = file("pyarrow-snappy.parquet");
    for length in [4, 7, 12, bytes.len() / 2, bytes.len() - 1] {
        assert!(said(&bytes[..length]).starts_with("the Parquet file is damaged: it is cut off"), "{length}");
    }
    let mut encrypted = bytes.clone();
    let end = encrypted.len() - 1;
    encrypted[end] = b'E';
    assert!(said(&encrypted).contains("an encrypted description, which cannot be read here"));
    let mut checked = file("pyarrow-small-pages.parquet");
    let at = checked.windows(5).position(|bytes| bytes == b"user1").expect("a text in it");
    checked[at + 4] = b'9';
    assert!(said(&checked).contains("the check sum of a page"), "{}", said(&checked));
}

#[test]
fn bad_bytes_are_an_error_and_never_a_panic_or_a_wait() {
    let limits = Limits { jobs: 5_000, text: 2_000_000, lost: 1_000 };
    let all = files();
    let changes = prop::collection::vec((any::<Index>(), any::<u8>(), 0..3_usize), 1..5);
    let found = TestRunner::new(random::cases(4_000)).run(
        &(any::<Index>(), any::<bool>(), changes),
        |(which, at_end, changes)| {
            let (name, bytes) = which.get(&all);
            let mut damaged = bytes.clone();
            for (place, byte, how) in changes {
                // the description at the end says where all the rest is
                let from = if at_end { bytes.len() - bytes.len() / 4 } else { 0 };
                let at = from + place.index(damaged.len().max(from + 1) - from);
                match how {
                    0 => damaged[at..].iter_mut().take(1).for_each(|old| *old = byte),
                    1 => damaged.insert(at.min(damaged.len()), byte),
                    _ => drop(damaged.drain(at.min(damaged.len())..damaged.len().min(at + 1))),
                }
            }
            let begin = Instant::now();
            let _ = read_file("damaged", Cursor::new(damaged), limits);
            prop_assert!(begin.elapsed() < Duration::from_secs(10), "{}", name);
            Ok(())
        },
    );
    found.unwrap_or_else(|error| panic!("{error}"));
}

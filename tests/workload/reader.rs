//! The log reader on arbitrary bytes, and on real logs if they are available.

use flate2::Compression;
use flate2::write::GzEncoder;
use packfair::workload::reading::{Limits, Reader, read, read_by, read_watched};
use packfair::workload::{
    Cleaning, ColumnMap, Filter, Log, MachineSource, ReadError, Reason, Record, Workload, clean, write_swf,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::path::Path;

/// A field of a log, right or wrong.
fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (-1i64..200_000).prop_map(|n| n.to_string()),
        1 => any::<f64>().prop_map(|x| x.to_string()),
        1 => (0.0..1e6).prop_map(|x: f64| format!("{x:.2}")),
        1 => (any::<i64>(), 0..12).prop_map(|(n, exponent)| format!("{n}e{exponent}")),
        1 => "[ -~]{0,8}",
    ]
}

fn line() -> impl Strategy<Value = String> {
    let job = (prop::collection::vec(field(), 0..22), prop_oneof![Just(" "), Just("\t"), Just("   ")])
        .prop_map(|(fields, blank)| fields.join(blank));
    prop_oneof![8 => job, 1 => "; ?[A-Za-z]{0,9}: ?[ -~]{0,30}", 1 => Just(String::new())]
}

/// A text that is nearly a log.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    (prop::collection::vec((line(), end), 0..40), any::<bool>()).prop_map(|(lines, mark)| {
        let begin = if mark { "\u{feff}" } else { "" };
        lines.into_iter().fold(begin.to_owned(), |text, (line, end)| text + line.as_str() + end).into_bytes()
    })
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn whole(bytes: &[u8]) -> Result<Log, ReadError> {
    read("log", bytes)
}

/// Bytes that come in pieces of the given lengths, in turn.
struct Pieces<'a> {
    bytes: &'a [u8],
    lengths: std::iter::Cycle<std::slice::Iter<'a, usize>>,
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.lengths.next().map_or(0, |&length| length.min(into.len()));
        self.bytes.read(&mut into[..length])
    }
}

fn piecewise(bytes: &[u8], lengths: &[usize]) -> Result<Log, ReadError> {
    read("log", Pieces { bytes, lengths: lengths.iter().cycle() })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2022),
        ..ProptestConfig::default()
    })]

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..4000)) {
        if let Err(error) = whole(&bytes) {
            prop_assert!(!error.to_string().is_empty());
        }
        let behind_magic = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0], bytes.as_slice()].concat();
        if let Err(error) = whole(&behind_magic) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn any_pieces_give_the_same_log(bytes in text(), lengths in prop::collection::vec(1usize..40, 1..10)) {
        prop_assert_eq!(piecewise(&bytes, &lengths), whole(&bytes));
    }

    #[test]
    fn any_pieces_of_bytes_give_the_same(
        bytes in prop::collection::vec(prop_oneof![3 => any::<u8>(), 1 => Just(b'\n'), 1 => Just(b'\r')], 0..400),
        lengths in prop::collection::vec(1usize..9, 1..10),
    ) {
        prop_assert_eq!(piecewise(&bytes, &lengths), whole(&bytes));
    }

    #[test]
    fn long_lines_in_any_pieces_give_the_same(
        lines in prop::collection::vec((0usize..140_000, prop_oneof![Just("\n"), Just("\r\n"), Just("\r")]), 1..5),
        lengths in prop::collection::vec(1usize..90_000, 1..6),
    ) {
        let text: String = lines.iter().map(|(length, end)| format!("1 2 3 4{end}{}{end}", "5 ".repeat(length / 2))).collect();
        prop_assert_eq!(piecewise(text.as_bytes(), &lengths), whole(text.as_bytes()));
    }

    #[test]
    fn gzip_gives_the_same_log(bytes in text(), lengths in prop::collection::vec(1usize..60, 1..10)) {
        let packed = gzipped(&bytes);
        prop_assert_eq!(whole(&packed), whole(&bytes));
        prop_assert_eq!(piecewise(&packed, &lengths), whole(&bytes));
    }

    #[test]
    fn damaged_gzip_does_not_panic(bytes in text(), at in any::<prop::sample::Index>(), to in any::<u8>(), cut: bool) {
        let mut packed = gzipped(&bytes);
        let at = at.index(packed.len());
        packed[at] = to;
        if cut {
            packed.truncate(at);
        }
        if let Err(error) = whole(&packed) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn cleaned_workloads_keep_their_promises(bytes in text(), processors in prop::option::of(1u32..300)) {
        let Ok(log) = whole(&bytes) else { return Ok(()) };
        for cleaning in Cleaning::ALL {
            let Ok(workload) = clean(&log, &Filter::default(), cleaning, processors) else { continue };
            prop_assert!(workload.requests().is_sorted_by_key(|request| request.submit));
            for job in workload.jobs() {
                let request = workload.request(job);
                prop_assert!(request.submit >= 0 && request.limit >= 1 && workload.run(job) >= 0);
                prop_assert!((1..=workload.machine.processors).contains(&request.processors));
                let record = &log.records[workload.record(job)];
                prop_assert_eq!((record.number, record.submit), (request.number, request.submit));
                if cleaning == Cleaning::Metrics {
                    prop_assert!((1..=request.limit).contains(&workload.run(job)));
                }
            }
            let (_, again) = again(&log, &workload, cleaning);
            prop_assert_eq!(again.requests(), workload.requests());
            prop_assert_eq!(again.runs(), workload.runs());
            prop_assert_eq!(again.machine.processors, workload.machine.processors);
            let read = log.account.dropped();
            let dropped = (workload.account.dropped() - read) as usize;
            prop_assert_eq!(workload.len() + dropped, log.records.len());
        }
    }
}

/// `workload` written as a log, read and cleaned again.
fn again(log: &Log, workload: &Workload, cleaning: Cleaning) -> (Log, Workload) {
    let mut file = Vec::new();
    write_swf(&mut file, log, workload, None).unwrap();
    let log = whole(&file).unwrap();
    let workload = clean(&log, &Filter::default(), cleaning, None).unwrap();
    (log, workload)
}

/// A log of the shared data, and its workload with the cleaning of METRICS; `None` where it is not available.
fn shared(file: &str) -> Option<(Log, Workload)> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/traces")).join(file);
    let Ok(file) = File::open(path) else {
        println!("skipped: no ../shared");
        return None;
    };
    let log = read("log", file).unwrap();
    let workload = clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap();
    Some((log, workload))
}

#[test]
fn reads_kth_sp2() {
    let Some((log, kth)) = shared("KTH-SP2.swf.gz") else { return };
    assert_eq!((kth.len(), kth.machine.processors, kth.machine.source), (28_481, 100, MachineSource::MaxProcs));
    assert_eq!(kth.account.dropped(), 0);
    assert_eq!(kth.header.unix_start(), Some(843_480_031));
    assert_eq!(kth.header.get("TimeZoneString"), Some("Europe/Stockholm"));
    let first = &kth.requests()[0];
    assert_eq!((first.number, first.submit, first.processors, first.limit, first.user), (1, 0, 56, 210_000, 1));
    let (log_again, again) = again(&log, &kth, Cleaning::Metrics);
    assert_eq!(again.requests(), kth.requests());
    assert_eq!(again.runs(), kth.runs());
    let mut pairs = log.records.iter().zip(&log_again.records);
    assert!(pairs.all(|(old, new)| Record { line: old.line, ..new.clone() } == *old), "all fields are kept");
}

#[test]
fn reads_ctc_sp2_and_sdsc_blue() {
    for (file, jobs, processors) in [("CTC-SP2.swf.gz", 77_199, 338), ("SDSC-BLUE.swf.gz", 232_542, 1152)] {
        let Some((_, workload)) = shared(file) else { return };
        assert_eq!((workload.len(), workload.machine.processors), (jobs, processors), "{file}");
        assert_eq!(workload.account.dropped(), 0, "{file}");
    }
}

#[test]
fn reads_lublin_256() {
    let Some((_, lublin)) = shared("lublin_256.swf.gz") else { return };
    assert_eq!(lublin.machine.processors, 256);
    assert_eq!(lublin.machine.source, MachineSource::MaxNodes);
    let dropped = lublin.account.count(Reason::NoRunTime);
    assert_eq!(lublin.len() as u64 + dropped, 10_000);
    assert_eq!(lublin.account.count(Reason::NoRequestedTime), lublin.len() as u64);
    assert_eq!(lublin.account.count(Reason::ProcessorsFilled), lublin.len() as u64);
}

fn limited(bytes: &[u8], jobs: usize, text: u64) -> Result<Log, ReadError> {
    packfair::workload::reading::read_within("log", bytes, Limits { jobs, text, ..Limits::default() })
}

#[test]
fn a_bomb_of_jobs_is_stopped_at_its_limit_and_not_after_it_has_unpacked() {
    let line = "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n";
    let bomb = gzipped(line.repeat(300_000).as_bytes());
    assert!(bomb.len() < 200_000, "{}", bomb.len());
    let said = |result: Result<Log, ReadError>| result.unwrap_err().to_string();
    assert_eq!(
        said(limited(&bomb, 1_000, u64::MAX)),
        "it has more than 1,000 jobs, which is the limit here; take a part of it, a year say"
    );
    assert_eq!(
        said(limited(&bomb, usize::MAX, 1_000_000)),
        "its text has more than 1,000,000 bytes, which is the limit here; take a part of it, a year say"
    );
    let reader = Reader::within("log", Limits { jobs: 200_000, text: u64::MAX, ..Limits::default() });
    let mut most = 0;
    let watched = read_watched(reader, Cursor::new(&bomb), |jobs, _| {
        most = jobs;
        Ok(())
    });
    assert_eq!(watched, Err(ReadError::TooManyJobs { most: 200_000 }));
    assert!((190_000..=200_000).contains(&most), "it held no more than that, but {most}");
    assert_eq!(limited(&bomb, 300_000, 1 << 30).unwrap().records.len(), 300_000);
    assert_eq!(
        said(limited(line.repeat(5).as_bytes(), 4, 1 << 30)).split(';').next(),
        Some("it has more than 4 jobs, which is the limit here")
    );
}

#[test]
fn what_is_wrong_with_a_damaged_file_does_not_depend_on_its_pieces() {
    let noise: Vec<u8> = (0..200_000_u64).map(|i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8).collect();
    let text: String = (0u64..5_000).map(|i| format!("{i} {} 0 {}\n", i * 7, i * i * 7919 % 10_007)).collect();
    for content in [noise, text.into_bytes()] {
        let packed = gzipped(&content);
        for at in [packed.len() / 3, packed.len() / 2, packed.len() * 5 / 6] {
            let mut damaged = packed.clone();
            damaged[at..at + 40].fill(0xff);
            let expected = whole(&damaged).unwrap_err();
            for lengths in [&[1][..], &[7, 1_000, 3], &[4_096], &[100_000]] {
                assert_eq!(piecewise(&damaged, lengths).unwrap_err(), expected, "damaged at {at}");
            }
        }
    }
}

/// Wait, run time and processors of each job.
fn jobs(log: &Log) -> Vec<(i64, i64, i32)> {
    log.records.iter().map(|record| (record.wait, record.run, record.requested)).collect()
}

#[test]
fn what_people_give_is_read_rightly_or_refused_by_name() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/samples/doors/cases"));
    if !folder.is_dir() {
        println!("skipped: no ../shared");
        return;
    }
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let log = |name: &str| whole(&bytes(name)).unwrap();
    assert_eq!(jobs(&log("b02-hetjob.psv")), [(600, 3_600, 80), (900, 600, 32)]);
    let changed = log("b03-dst-local.psv");
    let mut doubts = changed.account.doubts(changed.records.len());
    assert!(doubts.any(|doubt| doubt.reason == Reason::StartsBeforeSubmit && doubt.lines == [3]));
    let waits = jobs(&log("b03b-offsets.psv")).into_iter().map(|(wait, ..)| wait).collect::<Vec<_>>();
    assert_eq!(waits, [3_600, 1_200, 600]);
    assert_eq!(log("b04-recycled-ids.psv").records.len(), 4);
    let runs = jobs(&log("b09-suspended.psv")).into_iter().map(|(_, run, _)| run).collect::<Vec<_>>();
    assert_eq!(runs, [7_200, 25_200]);
    let limits = log("b13-time-forms.psv").records.iter().map(|record| record.requested_time).collect::<Vec<_>>();
    assert_eq!(limits, [172_800, -1, -1, -1, 216_000, 1_800]);
    let unnamed = bytes("b17-headerless.psv");
    assert!(matches!(whole(&unnamed), Err(ReadError::Unnamed { .. })));
    let columns =
        "id=1,user=2,submit=3,start=4,end=5,processors=6".split(',').map(|one| one.parse().unwrap()).collect();
    let mapped = Reader::mapped("log", Limits::default(), ColumnMap { columns });
    assert_eq!(jobs(&read_by(mapped, unnamed.as_slice()).unwrap()), [(600, 3_600, 4), (540, 7_200, 8)]);
    let asked = Limits { lost: Limits::LOST_UNASKED, ..Limits::default() };
    let refused = read_by(Reader::within("log", asked), bytes("b18-short-rows.psv").as_slice());
    assert!(matches!(refused, Err(ReadError::TooManyLost { lost: 500, records: 1_000, .. })), "{refused:?}");
}

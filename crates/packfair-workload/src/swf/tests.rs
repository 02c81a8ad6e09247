//! Each kind of error in a log, tested by itself.

use super::*;
use crate::Fingerprint;
use crate::reading::{Packing, Reader, read, read_watched};
use crate::{Log, Reason};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Cursor, Write};

fn log(text: impl AsRef<[u8]>) -> Log {
    let text = text.as_ref();
    // lines that are short are of this format where it has its header
    read("test", text).or_else(|_| read("test", [text, b"\n; Version: 2.2\n"].concat().as_slice())).unwrap()
}

fn error(text: impl AsRef<[u8]>) -> ReadError {
    read("test", text.as_ref()).unwrap_err()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn numbers(log: &Log) -> Vec<i64> {
    log.records.iter().map(|record| record.number).collect()
}

/// The account as (reason, count, lines).
fn account(log: &Log) -> Vec<(Reason, u64, &[u32])> {
    log.account.entries().iter().map(|entry| (entry.reason, entry.count, entry.lines.as_slice())).collect()
}

const LINE: &str = "7 10 2 30 4 5.5 60 8 90 100 1 12 13 14 15 16 17 18\n";

#[test]
fn reads_all_fields() {
    let log = log(format!("; MaxProcs: 100\n\n{LINE}"));
    let expected = Record {
        line: 3,
        number: 7,
        submit: 10,
        wait: 2,
        run: 30,
        allocated: 4,
        cpu_time: 5.5,
        memory: 60.0,
        requested: 8,
        requested_time: 90,
        requested_memory: 100.0,
        status: 1,
        user: 12,
        group: 13,
        executable: 14,
        queue: 15,
        partition: 16,
        preceding: 17,
        think: 18,
    };
    assert_eq!(log.records, [expected]);
    assert_eq!(log.header.positive("maxprocs"), Some(100));
    assert_eq!(account(&log), [(Reason::WidthsDiffer, 1, &[3][..])]);
}

#[test]
fn fills_missing_fields() {
    let log = log("1 5 -1 9\n2 6\n3\n");
    assert_eq!(numbers(&log), [1, 2]);
    assert_eq!((log.records[0].run, log.records[0].status, log.records[1].run), (9, -1, -1));
    // a number alone has no submit time
    assert_eq!(account(&log), [(Reason::FewerFields, 2, &[1, 2][..]), (Reason::NotAJob, 1, &[3][..])]);
}

#[test]
fn passes_over_more_fields() {
    let line = LINE.trim_end();
    let log = log(format!("{line} {{n1,n2 n3}}\n{line}\t \n{line} 19"));
    assert_eq!(log.records.len(), 3);
    assert_eq!(log.account.count(Reason::MoreFields), 2);
}

#[test]
fn takes_any_line_end() {
    for end in ["\n", "\r\n", "\r"] {
        let log = log(["; MaxProcs: 9", "", "1 5 0 9", "2 6 0 9", "x y", "3 7 0 9"].join(end));
        assert_eq!(numbers(&log), [1, 2, 3], "{end:?}");
        assert_eq!(log.header.positive("MaxProcs"), Some(9), "{end:?}");
        assert_eq!(log.records.iter().map(|record| record.line).collect::<Vec<_>>(), [3, 4, 6], "{end:?}");
        assert_eq!(log.account.entries()[1].lines, [5], "{end:?}");
    }
}

#[test]
fn takes_lone_carriage_returns_in_long_files() {
    let rest = " -1".repeat(14);
    let text: String = (1..20_000).map(|i| format!("{i} {i} 0 9{rest}\r")).collect();
    let log = log(text);
    assert_eq!(log.records.len(), 19_999);
    assert_eq!(log.records[19_998].line, 19_999);
}

#[test]
fn takes_tabs_blank_lines_and_a_byte_order_mark() {
    let log = log("\u{feff};MaxProcs: 8\n   \n\t1\t5\t-1\t9\t\n\n  2 6 -1 9");
    assert_eq!(numbers(&log), [1, 2]);
    assert_eq!(log.header.positive("MaxProcs"), Some(8));
}

#[test]
fn takes_comments_of_any_encoding_anywhere() {
    let log = log(b"; Note: gr\xfc\xdfe\n1 5 -1 9\n; MaxProcs: 3\n  ; \xff\xff\n2 6 -1 9\n".as_slice());
    assert_eq!(log.header.get("Note"), Some("grüße"));
    assert_eq!(log.header.get("MaxProcs"), None, "labels after the first job describe nothing");
    assert_eq!(numbers(&log), [1, 2]);
}

#[test]
fn keeps_unsorted_and_duplicate_jobs() {
    let log = log("1 5 -1 9\n3 4 -1 9\n2 6 -1 9\n3 7 -1 9\n1 7 -1 9\n-1 8 -1 9\n-1 9 -1 9\n");
    assert_eq!(numbers(&log), [1, 3, 2, 3, 1, -1, -1]);
    assert_eq!(log.account.count(Reason::Unsorted), 1);
    let duplicates = log.account.entries().iter().find(|entry| entry.reason == Reason::DuplicateNumber);
    assert_eq!(duplicates.map(|entry| entry.lines.as_slice()), Some(&[4, 5][..]));
}

#[test]
fn rounds_decimals_half_up() {
    let log = log("1 5.5 0.4 9.49 4.0 1.25\n2 6.0 1e1 1.5e3 4 0\n");
    let first = &log.records[0];
    assert_eq!((first.submit, first.wait, first.run, first.allocated, first.cpu_time), (6, 0, 9, 4, 1.25));
    assert_eq!((log.records[1].wait, log.records[1].run), (10, 1500));
    assert_eq!(log.account.entries()[0].reason, Reason::RoundedTime);
    assert_eq!(log.account.entries()[0].lines, [1]);
}

#[test]
fn takes_what_is_no_number_for_unknown() {
    let log = log("1 5 - nan 4 inf\nA7 6 -1 9\n2 x -1 9\n");
    assert_eq!((log.records[0].wait, log.records[0].run, log.records[0].cpu_time), (-1, -1, -1.0));
    assert_eq!(numbers(&log), [1, -1]);
    assert_eq!(log.account.count(Reason::NotANumber), 3);
    assert_eq!(log.account.count(Reason::NoSubmitTime), 1);
    let log = self::log("1 5 0 soon 4\n2 6 0 9 4\n");
    assert_eq!([Reason::ValueNotUnderstood, Reason::NotANumber].map(|reason| log.account.count(reason)), [1, 0]);
    assert!(log.account.loses_more_than(10, log.records.len(), 0));
}

#[test]
fn takes_huge_numbers_for_unknown() {
    let log = log("1 5 1e999 1e15 3000000000 1e300 -1 99999999999999999999\n2 1e11 0 9\n3 100000000001 0 9\n");
    let first = &log.records[0];
    assert_eq!((first.wait, first.run, first.allocated, first.requested), (-1, -1, -1, -1));
    assert_eq!(first.cpu_time, 1e300);
    assert_eq!(numbers(&log), [1, 2]);
    assert_eq!(log.account.entries().iter().find(|e| e.reason == Reason::OutOfRange).unwrap().lines, [1, 3]);
}

#[test]
fn drops_jobs_without_submit_time() {
    let log = log("1 -1 -1 9\n2 -5 -1 9\n3 0 -1 9\n");
    assert_eq!(numbers(&log), [3]);
    assert_eq!(log.account.count(Reason::NoSubmitTime), 2);
}

#[test]
fn drops_lines_of_prose() {
    let log = log("JobId Submit Wait\n1 5 -1 9\nend of log\n\0\0\0\0\n");
    assert_eq!(numbers(&log), [1]);
    assert_eq!(log.account.count(Reason::NotAJob), 2);
}

#[test]
fn reads_gzip_like_plain_text() {
    let text = format!("; MaxProcs: 9\n{}", LINE.repeat(20_000));
    let plain = log(&text);
    assert_eq!(log(gzipped(text.as_bytes())), plain);
    let (head, tail) = text.as_bytes().split_at(70_001);
    let members = [gzipped(head), gzipped(b""), gzipped(tail), vec![0; 600]].concat();
    assert_eq!(log(members), plain);
}

#[test]
fn reads_gzip_headers_with_every_part() {
    let text = LINE.repeat(3);
    let mut encoder = flate2::GzBuilder::new()
        .filename("kth.swf")
        .comment("a log")
        .extra([1, 2, 3])
        .write(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    assert_eq!(log(encoder.finish().unwrap()), log(&text));
}

#[test]
fn fingerprints_the_decompressed_bytes() {
    let expected = Fingerprint(xxhash_rust::xxh3::xxh3_128(LINE.as_bytes()));
    assert_eq!(log(LINE).fingerprint, expected);
    assert_eq!(log(gzipped(LINE.as_bytes())).fingerprint, expected);
    assert_ne!(log(format!("{LINE}\n")).fingerprint, expected);
}

#[test]
fn refuses_empty_files() {
    assert_eq!(error(""), ReadError::Empty);
    assert_eq!(error(gzipped(b"")), ReadError::Empty);
}

#[test]
fn refuses_archives_and_other_compressions() {
    for bytes in [&b"PK\x03\x04abc"[..], b"7z\xbc\xaf\x27\x1cabc", b"\x1f\x9dabc"] {
        assert!(matches!(error(bytes), ReadError::Packed(_)), "{bytes:?}");
        assert!(matches!(error(gzipped(bytes)), ReadError::Packed(_)), "{bytes:?}");
    }
    assert!(matches!(error(b"%PDF-1.7"), ReadError::Named { .. }));
    let twice = error(gzipped(&gzipped(LINE.as_bytes())));
    assert_eq!(twice.to_string(), "what is packed in this file is a gzip file itself; unpack it once and give that");
}

#[test]
fn refuses_other_text() {
    assert_eq!(error("\n  <!DOCTYPE html>\n<p>1 2 3"), ReadError::WebPage { line: 2 });
    let message = error("Dear all,\nhere is\nthe log.").to_string();
    assert!(message.starts_with("this is text, but no log: no line holds a job"), "{message}");
    assert!(message.contains("line 1 reads \"Dear all,\""), "{message}");
}

#[test]
fn gives_up_long_files_of_other_text() {
    let mut parts = Vec::new();
    let read =
        read_watched(Reader::new("test"), Cursor::new("some prose\n".repeat(100 * PATIENCE as usize)), |_, part| {
            parts.push(part);
            Ok(())
        });
    assert!(matches!(read, Err(ReadError::NoJob { .. })));
    assert!(parts.iter().all(|&part| part < 0.02), "{parts:?}");
}

#[test]
fn refuses_binary_files() {
    assert!(error(b"\x7fELF\x02\x01\x01\x00\x00\x00\n\x00").to_string().contains("a program"));
    assert_eq!(error([0; 1000]), ReadError::Binary { line: 1 });
}

#[test]
fn refuses_endless_lines_early() {
    // neither source ends by itself soon
    assert_eq!(read("test", io::repeat(b' ')), Err(ReadError::EndlessLine { line: 1 }));
    assert_eq!(error(gzipped(&vec![0; 100 << 20])), ReadError::Binary { line: 1 });
}

#[test]
fn passes_over_long_lines_among_jobs() {
    let (long, rest) = ("x".repeat(200_000), " -1".repeat(14));
    for end in ["\n", "\r\n"] {
        let log = log(format!("1 5 -1 9{rest}{end}{long}{end}{} {long}{end}2 6 -1 9{rest}", LINE.trim_end()));
        assert_eq!(numbers(&log), [1, 7, 2]);
        assert_eq!(log.records.iter().map(|record| record.line).collect::<Vec<_>>(), [1, 3, 4], "{end:?}");
        assert_eq!(
            log.account.entries()[0],
            crate::AccountLine {
                reason: Reason::NotAJob,
                count: 1,
                lines: vec![2],
                examples: vec!["x".repeat(60)],
                work: 0,
                file: String::new(),
            }
        );
        assert_eq!(log.account.count(Reason::MoreFields), 1);
    }
}

#[test]
fn says_where_a_gzip_file_is_cut_off() {
    // not compressible, so that cutting in the middle loses about half
    let rest = " -1".repeat(14);
    let text: String = (0u64..5000).map(|i| format!("{i} {} 0 {}{rest}\n", i * 7, i * i * 7919 % 10_007)).collect();
    let bytes = gzipped(text.as_bytes());
    let ReadError::CutOff { jobs, line, .. } = error(&bytes[..bytes.len() / 2]) else { panic!() };
    assert!((1000..4000).contains(&jobs), "{jobs}");
    assert_eq!(jobs, line as usize);
    let ReadError::CutOff { jobs, .. } = error(&bytes[..bytes.len() - 1]) else { panic!() };
    assert_eq!(jobs, 5000);
    assert_eq!(error(&bytes[..5]), ReadError::CutOff { packing: Packing::Gzip, jobs: 0, line: 0 });
}

#[test]
fn says_that_a_gzip_file_is_damaged() {
    let bytes = gzipped(LINE.repeat(50).as_bytes());
    let length = bytes.len();
    let damaged = |at: usize, what: &str| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x55;
        let ReadError::Corrupt { what: found, .. } = error(&bytes) else { panic!("{what}") };
        assert_eq!(found, what);
    };
    damaged(2, "a header in it is not one of gzip");
    // the length, which is told apart no more
    damaged(length - 1, "its check sum does not fit its content");
    damaged(length - 5, "its check sum does not fit its content");
    let followed = [bytes.as_slice(), b"rubbish"].concat();
    assert!(matches!(error(followed), ReadError::Corrupt { jobs: 50, line: 50, .. }));
}

#[test]
fn names_stand_where_numbers_do() {
    let log = log(
        "# a comment\n1 1 1 1 1 1 1 1 1 1 1 ann lab 3 q1 p 17 18\n2 2 1 1 1 1 1 1 1 1 1 bob lab 3 q1 G1/c1 -1 -1\n",
    );
    let users: Vec<i32> = log.records.iter().map(|record| record.user).collect();
    assert_eq!((users, log.names.users.join(",")), (vec![1, 2], "ann,bob".to_owned()));
    assert_eq!((log.names.groups.join(","), log.names.partitions.join(",")), ("lab".to_owned(), "p,G1/c1".to_owned()));
    assert_eq!(log.records[0].executable, 3);
    assert_eq!(log.account.entries(), []);
}

#[test]
fn unix_times_have_dates_whether_the_header_says_so_or_not() {
    for header in ["", "; UnixStartTime: 0\n"] {
        let log = log(format!("{header}1 1700000010 5 1 1 1 1 1 1 1 1\n2 1700000000 5 1 1 1 1 1 1 1 1\n"));
        assert_eq!(log.header.unix_start(), Some(1_700_000_000));
        assert_eq!(log.records.iter().map(|record| record.submit).collect::<Vec<_>>(), [10, 0]);
    }
    let log = log("; UnixStartTime: 1000000000\n1 700000010 5 1 1 1 1 1 1 1 1\n");
    assert_eq!((log.header.unix_start(), log.records[0].submit), (Some(1_000_000_000), 700_000_010));
}

#[test]
fn a_described_width_counts() {
    let job = |number: u32, more: &str| format!("{number} 1 1 1 9408 1 1 9408 1 1 1 1 1 1 1 1 -1 -1{more}\n");
    let log = log([job(1, ""), job(2, " 8 -1 frontier:excl:2x112"), job(3, "")].concat());
    assert_eq!(log.records.iter().map(|record| record.requested).collect::<Vec<_>>(), [9_408, 224, 9_408]);
    assert_eq!(log.beyond.nodes, [-1, 2, -1]);
    assert_eq!((log.account.count(Reason::WidthDescribed), log.account.count(Reason::MoreFields)), (1, 0));
}

#[test]
fn sizes_with_thousands_apart_and_dates_in_comments_are_read() {
    let header = |size: &str, start: &str| {
        let log =
            log(format!("; MaxProcs: {size}\n; UnixStartTime: {start}\n1 0 5 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1\n"));
        (log.header.processors("MaxProcs"), log.header.unix_start())
    };
    assert_eq!(header("1,024", "2026-03-15 10:00:00"), (Some(1_024), Some(1_773_568_800)));
    assert_eq!(header("163840 (all)", "1773568800 Sun Mar 15"), (Some(163_840), Some(1_773_568_800)));
    assert_eq!(header("1,02", "soon"), (None, None));
}

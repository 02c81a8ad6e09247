//! Files and sinks that fail: bytes that come one by one, that stop in the middle or do not come at all, and sinks that
//! take a few bytes at a time or none. The result is the same, or there is an error that says why.

use flate2::Compression;
use flate2::write::GzEncoder;
use packfair::study::Treatment;
use packfair::workload::reading::{Limits, Reader, read, read_by, read_file};
use packfair::workload::{ColumnMap, ReadError, write_log, write_swf};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A source that gives at most `lengths` bytes at a time, in turn, is interrupted before each, and fails at a place.
struct Bad<R> {
    source: R,
    lengths: &'static [usize],
    calls: usize,
    /// The bytes that it gives before it fails; none where it does not fail.
    fails_after: Option<usize>,
    given: usize,
}

impl<R> Bad<R> {
    fn new(source: R, lengths: &'static [usize]) -> Self {
        Bad { source, lengths, calls: 0, fails_after: None, given: 0 }
    }

    fn failing(source: R, after: usize) -> Self {
        Bad { fails_after: Some(after), ..Bad::new(source, &[4_096]) }
    }
}

impl<R: Read> Read for Bad<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(2) {
            return Err(ErrorKind::Interrupted.into());
        }
        let mut length = self.lengths[self.calls / 2 % self.lengths.len()].min(into.len());
        if let Some(after) = self.fails_after {
            if self.given >= after {
                return Err(io::Error::other("the disk is gone"));
            }
            length = length.min(after - self.given);
        }
        let read = self.source.read(&mut into[..length])?;
        self.given += read;
        Ok(read)
    }
}

impl<R: Seek> Seek for Bad<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}

/// A sink that takes at most `at_once` bytes at a time, is interrupted before each, and has room for `room` bytes.
struct Short {
    taken: Vec<u8>,
    at_once: usize,
    room: usize,
    calls: usize,
}

impl Short {
    fn new(at_once: usize, room: usize) -> Self {
        Short { taken: Vec::new(), at_once, room, calls: 0 }
    }
}

impl Write for Short {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(2) {
            return Err(ErrorKind::Interrupted.into());
        }
        let length = bytes.len().min(self.at_once).min(self.room - self.taken.len());
        if length == 0 && !bytes.is_empty() {
            return Err(ErrorKind::StorageFull.into());
        }
        self.taken.extend_from_slice(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zipped(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(bytes).unwrap();
    archive.finish().unwrap().into_inner()
}

fn tarred(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    archive.append_data(&mut header, name, bytes).unwrap();
    archive.into_inner().unwrap()
}

/// The text of a log of some thousand jobs, whose lines cross the edges of blocks.
fn text() -> Vec<u8> {
    let log = packfair::workload::lublin(3_000, 64, 5);
    let workload = Treatment::default().apply(&log).unwrap();
    let mut text = Vec::new();
    write_swf(&mut text, &log, &workload, None).unwrap();
    text
}

/// Files of every format, with their names: seeds of the fuzzer, output of a real Slurm, and compressed files.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in ["fuzz/seeds/log", "tests/data/slurm"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            files.push((path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()));
        }
    }
    assert!(files.len() >= 10);
    let text = text();
    files.push(("log.swf.gz".to_owned(), gzipped(&text)));
    files.push(("log.swf.zst".to_owned(), compress_to_vec(text.as_slice(), CompressionLevel::Fastest)));
    files.push(("log.tar".to_owned(), tarred("log.swf.gz", &gzipped(&text))));
    files.push(("log.swf".to_owned(), text));
    files
}

#[test]
fn bytes_that_come_in_dribs_and_drabs_are_the_same_log() {
    for (name, bytes) in files() {
        let expected = read(name.clone(), bytes.as_slice());
        for lengths in [&[1][..], &[3, 1, 7], &[65_535, 2]] {
            assert_eq!(read(name.clone(), Bad::new(bytes.as_slice(), lengths)), expected, "{name} by {lengths:?}");
        }
    }
}

#[test]
fn archives_that_come_in_dribs_and_drabs_are_the_same_log() {
    let packed = zipped("logs/inner.swf", &text());
    let expected = read_file("log.zip", Cursor::new(&packed), Limits::default()).unwrap();
    assert_eq!(expected.records.len(), 3_000);
    for lengths in [&[1][..], &[5, 1_000, 2]] {
        let source = Bad::new(Cursor::new(&packed), lengths);
        assert_eq!(read_file("log.zip", source, Limits::default()).as_ref(), Ok(&expected), "by {lengths:?}");
    }
}

#[test]
fn a_file_that_fails_in_the_middle_is_no_shorter_log() {
    let text = text();
    let zst = compress_to_vec(text.as_slice(), CompressionLevel::Fastest);
    for (name, bytes) in [
        ("log.tar", tarred("log.swf", &text)),
        ("log.tar.gz", gzipped(&tarred("log.swf.zst", &zst))),
        ("log.swf", text.clone()),
        ("log.swf.gz", gzipped(&text)),
        ("log.swf.zst", zst),
    ] {
        for after in [0, 1, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
            let said = read(name, Bad::failing(bytes.as_slice(), after)).unwrap_err();
            assert_eq!(said, ReadError::Io("the disk is gone".to_owned()), "{name} after {after}");
            assert_eq!(said.to_string(), "the file cannot be read: the disk is gone");
        }
    }
    let packed = zipped("inner.swf", &text);
    for after in [0, 10, packed.len() / 2] {
        let said = read_file("log.zip", Bad::failing(Cursor::new(&packed), after), Limits::default()).unwrap_err();
        assert!(said.to_string().contains("the disk is gone"), "after {after}: {said}");
    }
}

#[test]
fn a_file_that_ends_too_soon_says_so_or_is_what_came() {
    let text = text();
    let packed = gzipped(&text);
    for cut in [19, packed.len() / 3, packed.len() - 9, packed.len() - 1] {
        let said = read("log.swf.gz", &packed[..cut]).unwrap_err();
        assert!(matches!(said, ReadError::CutOff { .. }), "after {cut}: {said}");
    }
    // plain text has no end mark: what has come counts, and so does the part of its last line
    let half = read("log.swf", &text[..text.len() / 2]).unwrap();
    assert!((1_400..1_600).contains(&half.records.len()), "{}", half.records.len());
}

#[test]
fn files_that_only_a_mapping_makes_a_log_come_in_dribs_and_drabs_too() {
    let table = b"a;b;c\n0;10;2\n5;20;4\n9;30;1\n";
    let columns =
        || ColumnMap { columns: "submit=a,run=b,processors=c".split(',').map(|c| c.parse().unwrap()).collect() };
    let reader = || Reader::mapped("table", Limits::default(), columns());
    let expected = read_by(reader(), table.as_slice());
    assert_eq!(expected.as_ref().map(|log| log.records.len()), Ok(3));
    assert_eq!(read_by(reader(), Bad::new(table.as_slice(), &[1])), expected);
}

#[test]
fn sinks_that_take_little_get_all_of_it_and_full_ones_say_so() {
    let log = read("log.swf", text().as_slice()).unwrap();
    let workload = Treatment::default().apply(&log).unwrap();
    let starts: Vec<i64> = workload.requests().iter().map(|request| request.submit + 7).collect();
    type Writing<'a> = &'a dyn Fn(&mut Short) -> io::Result<()>;
    let writings: [Writing<'_>; 3] =
        [&|out| write_log(out, &log), &|out| write_swf(out, &log, &workload, None), &|out| {
            write_swf(out, &log, &workload, Some(&starts))
        }];
    for write in writings {
        let mut all = Short::new(usize::MAX, usize::MAX);
        write(&mut all).unwrap();
        for at_once in [1, 3, 4_096] {
            let mut short = Short::new(at_once, usize::MAX);
            write(&mut short).unwrap();
            assert!(short.taken == all.taken, "{at_once} at a time");
        }
        for room in [0, 1, all.taken.len() / 2, all.taken.len() - 1] {
            let mut full = Short::new(100, room);
            assert_eq!(write(&mut full).unwrap_err().kind(), ErrorKind::StorageFull, "{room}");
            assert!(all.taken.starts_with(&full.taken) && full.taken.len() == room);
        }
    }
}

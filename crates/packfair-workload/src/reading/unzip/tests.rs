use super::*;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use std::io::{Cursor, Write};

const LOG: &str =
    "; MaxProcs: 8\n1 0 -1 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1\n2 5 -1 10 8 -1 -1 8 60 -1 1 2 1 -1 1 -1 -1 -1\n";

struct Packed<'a> {
    name: &'a str,
    content: &'a [u8],
    method: u16,
    flags: u16,
}

fn deflated<'a>(name: &'a str, content: &'a [u8]) -> Packed<'a> {
    Packed { name, content, method: 8, flags: 0 }
}

fn stored<'a>(name: &'a str, content: &'a [u8]) -> Packed<'a> {
    Packed { name, content, method: 0, flags: 0 }
}

/// A minimal archive (APPNOTE 4.3).
fn archive(files: &[Packed]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for file in files {
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::default());
        deflate.write_all(file.content).unwrap();
        let packed = if file.method == 8 { deflate.finish().unwrap() } else { file.content.to_vec() };
        let mut header = Vec::new();
        for field in [20, file.flags, file.method, 0, 0x21] {
            header.extend_from_slice(&field.to_le_bytes());
        }
        for field in [crc(file.content), packed.len() as u32, file.content.len() as u32] {
            header.extend_from_slice(&field.to_le_bytes());
        }
        header.extend_from_slice(&(file.name.len() as u16).to_le_bytes());
        header.extend_from_slice(&[0, 0]);
        let begin = (bytes.len() as u32).to_le_bytes();
        bytes.extend_from_slice(b"PK\x03\x04");
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(file.name.as_bytes());
        bytes.extend_from_slice(&packed);
        list.extend_from_slice(b"PK\x01\x02\x14\x00");
        list.extend_from_slice(&header);
        list.extend_from_slice(&[0; 10]);
        list.extend_from_slice(&begin);
        list.extend_from_slice(file.name.as_bytes());
    }
    let begin = bytes.len() as u32;
    bytes.extend_from_slice(&list);
    end(&mut bytes, files.len() as u16, list.len() as u32, begin);
    bytes
}

fn end(bytes: &mut Vec<u8>, files: u16, length: u32, begin: u32) {
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    bytes.extend_from_slice(&files.to_le_bytes());
    bytes.extend_from_slice(&files.to_le_bytes());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&begin.to_le_bytes());
    bytes.extend_from_slice(&[0, 0]);
}

fn crc(content: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(content);
    sum.sum()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(content).unwrap();
    gzip.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<FileContent, ReadError> {
    unzip(Cursor::new(bytes), &Reader::new("zip").settings, |_, _| Ok(()))
}

fn refused(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn the_log_in_an_archive_is_the_log() {
    let plain = crate::reading::read("a.swf", LOG.as_bytes()).unwrap();
    for bytes in [archive(&[deflated("a.swf", LOG.as_bytes())]), archive(&[stored("deep/er/a.swf", LOG.as_bytes())])] {
        assert!(is_zip(&bytes));
        let unzipped = read(&bytes).unwrap();
        assert_eq!(unzipped.log, plain);
        assert!(unzipped.others.is_empty());
        assert_eq!(crate::reading::read_file("x.zip", Cursor::new(&bytes), Limits::default()).unwrap(), plain);
    }
    let gzipped = read(&archive(&[stored("a.swf.gz", &gzip(LOG.as_bytes()))])).unwrap();
    assert_eq!(gzipped.log.fingerprint, plain.fingerprint);
}

#[test]
fn the_log_is_found_among_other_files() {
    let more = LOG.repeat(3);
    let broken = [b'x'; 10_000];
    let all = [
        deflated("README.txt", b"Logs of a machine.\n"),
        deflated("__MACOSX/._b.swf", b"left behind"),
        stored("logs/", b""),
        deflated("logs/small.swf", LOG.as_bytes()),
        deflated("logs/large.swf", more.as_bytes()),
        deflated("empty.swf", b""),
        deflated("broken.swf", &broken),
    ];
    let unzipped = read(&archive(&all)).unwrap();
    assert_eq!((unzipped.log.name.as_str(), unzipped.log.records.len()), ("large.swf", 6));
    assert_eq!(unzipped.others, ["broken.swf", "small.swf"]);
    // a log under any name is found where no other file is more likely
    let unnamed = read(&archive(&[deflated("notes.md", b"no log"), deflated("trace.dat", LOG.as_bytes())])).unwrap();
    assert_eq!(unnamed.log.name, "trace.dat");
}

#[test]
fn an_archive_without_a_log_says_what_it_holds() {
    assert!(refused(&archive(&[])).contains("holds nothing"));
    let many = archive(&["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"].map(|name| deflated(name, b"words")));
    assert!(refused(&many).contains("which holds a.md, b.md, c.md, d.md and 2 more"), "{}", refused(&many));
    let one = archive(&[deflated("letter.txt", b"Dear all,\n")]);
    assert!(
        refused(&one).starts_with("the file letter.txt in this zip archive: this is text, but no log"),
        "{}",
        refused(&one)
    );
    let inner = archive(&[deflated("a.swf", LOG.as_bytes())]);
    assert!(
        refused(&archive(&[stored("inner.zip", &inner)]))
            .contains("inner.zip in this zip archive: this is a zip archive")
    );
}

#[test]
fn what_is_encrypted_or_packed_otherwise_is_named() {
    let encrypted = archive(&[Packed { flags: 1, ..stored("a.swf", LOG.as_bytes()) }]);
    assert!(
        refused(&encrypted).starts_with("the file a.swf in this zip archive is encrypted"),
        "{}",
        refused(&encrypted)
    );
    let otherwise = archive(&[Packed { method: 14, ..stored("a.swf", LOG.as_bytes()) }]);
    assert!(refused(&otherwise).contains("by a method that is not read here"), "{}", refused(&otherwise));
}

#[test]
fn every_damage_is_an_error() {
    let whole = archive(&[deflated("a.swf", LOG.repeat(50).as_bytes())]);
    for length in 0..whole.len() {
        assert!(read(&whole[..length]).is_err(), "cut off at {length}");
    }
    let good = read(&whole).unwrap();
    for at in 0..whole.len() {
        for bit in [1, 0x80] {
            let mut bytes = whole.clone();
            bytes[at] ^= bit;
            // a changed bit may change a name or a date, but never a job
            if let Ok(unzipped) = read(&bytes) {
                assert_eq!(unzipped.log.records, good.log.records, "bit {bit} of byte {at}");
            }
        }
    }
}

#[test]
fn an_archive_that_claims_too_much_is_refused() {
    let crowd: Vec<String> = (0..=MOST_ENTRIES).map(|i| format!("{i}.swf")).collect();
    let crowd: Vec<Packed> = crowd.iter().map(|name| stored(name, b"1 0")).collect();
    assert!(refused(&archive(&crowd)).contains("at most 10000 are looked at"));
    // archives whose lists of files would exceed any memory
    for (files, length, begin) in
        [(u16::MAX, u32::MAX, 0), (u16::MAX, 46 * 65_535, 0), (5, 5 * 46, u32::MAX), (1, 0, 0)]
    {
        let mut bytes = vec![b'x'; 500];
        end(&mut bytes, files, length, begin);
        assert!(matches!(read(&bytes), Err(ReadError::DamagedZip(_))), "{files} {length} {begin}");
    }
    // an archive whose list of files uses 64 bits
    let mut bytes = b"PK\x06\x06\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0\0\0\0\0\0\0\0\0".to_vec();
    for field in [1_u64 << 40, 1 << 40, 46 << 40, 1 << 50] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    bytes.extend_from_slice(b"PK\x06\x07\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0");
    end(&mut bytes, u16::MAX, u32::MAX, u32::MAX);
    assert!(matches!(read(&bytes), Err(ReadError::DamagedZip(_))));
}

#[test]
fn reading_is_watched_and_can_be_stopped() {
    let large = LOG.repeat(5_000);
    let bytes = archive(&[deflated("a.swf", large.as_bytes())]);
    let mut parts = Vec::new();
    let unzipped = unzip(Cursor::new(&bytes), &Reader::new("zip").settings, |jobs, part| {
        parts.push((jobs, part));
        Ok(())
    });
    assert_eq!(unzipped.unwrap().log.records.len(), 10_000);
    assert!(parts.is_sorted() && parts.last().is_some_and(|last| last.1 == 1.0), "{parts:?}");
    let stopped = unzip(Cursor::new(&bytes), &Reader::new("zip").settings, |_, _| Err("no room".to_owned()));
    assert_eq!(stopped, Err(ReadError::Stopped("no room".to_owned())));
}

#[test]
fn several_dumps_are_one_log_in_whatever_formats_they_are() {
    let january = "JobIDRaw|User|Submit|Start|ElapsedRaw|NCPUS|State\n\
        1|ann|2026-01-05T00:00:00|2026-01-05T00:01:00|60|4|COMPLETED\n\
        2|bob|2026-01-31T23:00:00|2026-01-31T23:01:00||4|RUNNING\n";
    let february = "id,user,submit,start,run,processors\n2,bob,2026-01-31T23:00:00,2026-01-31T23:01:00,7200,4\n\
        3,ann,2026-02-05T00:00:00,2026-02-05T00:01:00,60,4\n";
    let swf = format!("; UnixStartTime: 1772323200\n{LOG}");
    let february = gzip(february.as_bytes());
    let files = [
        deflated("dumps/1.txt", january.as_bytes()),
        stored("dumps/2.csv.gz", &february),
        deflated("dumps/3.swf", swf.as_bytes()),
        deflated("README.md", b"Dumps of a machine.\n"),
        deflated("undated.swf", LOG.as_bytes()),
    ];
    // the order in the archive does not matter
    let unzipped = read(&archive(&files)).unwrap();
    let runs: Vec<(i64, i64)> = unzipped.log.records.iter().map(|record| (record.number, record.run)).collect();
    assert_eq!(runs, [(1, 60), (2, 7_200), (3, 60), (1, 10), (2, 10)]);
    assert_eq!(unzipped.log.account.count(Reason::NoLog), 1, "the README");
    assert_eq!(unzipped.others, ["undated.swf"]);
    assert_eq!(unzipped.log.names.users, ["ann", "bob"]);
    let reversed: Vec<Packed> = files.into_iter().rev().collect();
    assert_eq!(read(&archive(&reversed)).unwrap().log.records, unzipped.log.records);
}

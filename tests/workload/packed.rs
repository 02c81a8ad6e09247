//! Logs packed by bzip2 and xz: in one part or several, cut off, damaged, and with more in them than there should be.

use bzip2::write::BzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use packfair::workload::ReadError;
use packfair::workload::reading::{Limits, Packing, read, read_within};
use std::io::{self, Read, Write};

fn text() -> String {
    let job = |n: u32| format!("{n} {n} 0 {} 4 -1 -1 4 {} -1 1 1 1 1 1 1 -1 -1\n", 10 + n % 977, 1_000 + n % 13);
    (1..20_000).map(job).collect()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut packed = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut packed = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// How a file is packed, and what packs it so.
type Way = (Packing, fn(&[u8]) -> Vec<u8>);

const WAYS: [Way; 2] = [(Packing::Bzip2, bzip2), (Packing::Xz, xz)];

#[test]
fn a_log_is_the_same_however_it_is_packed() {
    let text = text();
    let plain = read("log", text.as_bytes()).unwrap();
    let (first, second) = text.as_bytes().split_at(text.len() / 3);
    for (packing, pack) in WAYS {
        let packed = pack(text.as_bytes());
        assert!(packed.len() < text.len() / 4, "{packing}");
        assert_eq!(read("log", packed.as_slice()).unwrap(), plain, "{packing}");
        // two in a row, as tools with several threads write them, and the zero bytes of a tape
        let parts = [pack(first), pack(second), vec![0; 4_096]].concat();
        assert_eq!(read("log", parts.as_slice()).unwrap(), plain, "{packing}");
        assert_eq!(read("log", pack(b"").as_slice()), Err(ReadError::Empty), "{packing}");
        let twice = read("log", pack(&packed).as_slice()).unwrap_err();
        assert_eq!(twice, ReadError::PackedTwice(packing));
    }
}

#[test]
fn what_is_cut_off_damaged_or_followed_is_said_with_the_jobs_before_it() {
    let text = text();
    for (packing, pack) in WAYS {
        let packed = pack(text.as_bytes());
        for length in [8, 20, packed.len() / 2, packed.len() - 9, packed.len() - 1] {
            let error = read("log", &packed[..length]).unwrap_err();
            assert!(matches!(error, ReadError::CutOff { packing: of, .. } if of == packing), "{length}: {error}");
        }
        let half = read("log", &packed[..packed.len() - 1]).unwrap_err();
        assert!(matches!(half, ReadError::CutOff { jobs: 1_000.., .. }), "{half}");
        let followed = [packed.as_slice(), b"something"].concat();
        let error = read("log", followed.as_slice()).unwrap_err().to_string();
        assert!(
            error.contains(&format!("the {packing} file is damaged")) && error.contains("follows its end"),
            "{error}"
        );
        let mut wrong = 0;
        for at in (10..packed.len()).step_by(packed.len() / 60) {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x55;
            wrong += usize::from(read("log", damaged.as_slice()).is_err());
        }
        assert!(wrong >= 58, "check sums find nearly all damage to {packing}: {wrong}");
    }
}

#[test]
fn what_unpacks_into_too_much_stops_at_the_limit() {
    let limits = Limits { text: 1_000_000, ..Limits::default() };
    for (packing, pack) in WAYS {
        let packed = pack(&vec![b'\n'; 20_000_000]);
        assert!(packed.len() < 20_000, "{packing}: {}", packed.len());
        let stopped = read_within("bomb", packed.as_slice(), limits).unwrap_err();
        assert_eq!(stopped, ReadError::TooMuchText { most: 1_000_000 }, "{packing}");
    }
}

#[test]
fn memory_that_is_claimed_is_not_made_room_for() {
    let mut options = XzOptions::with_preset(1);
    options.lzma_options.dict_size = 1 << 30;
    let mut packed = XzWriter::new(Vec::new(), options).unwrap();
    packed.write_all(text().as_bytes()).unwrap();
    let error = read("log", packed.finish().unwrap().as_slice()).unwrap_err().to_string();
    assert!(error.contains("more than 128 MB of memory"), "{error}");
}

/// A source that fails behind some bytes.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.0.read(into)? {
            0 => Err(io::Error::other("the disk is gone")),
            length => Ok(length),
        }
    }
}

#[test]
fn a_source_that_fails_is_told_from_one_that_ends() {
    for (packing, pack) in WAYS {
        let packed = pack(text().as_bytes());
        let error = read("log", Failing(&packed[..packed.len() / 2])).unwrap_err();
        assert_eq!(error, ReadError::Io("the disk is gone".to_owned()), "{packing}");
    }
}

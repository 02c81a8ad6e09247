//! The bytes of a file into the lines of its text: what it is, decompressed, with its fingerprint.

use super::ReadError;
use super::gunzip::{self, Gunzip, GunzipFailure};
use super::lines::{LineSink, Lines};
use crate::workload::Fingerprint;
use xxhash_rust::xxh3::Xxh3;

/// What the first bytes of a file must show: the longest of the signatures below.
const HEAD: usize = 6;

/// So many packed bytes are unpacked at a time, wherever the pieces are cut: what is found wrong in a damaged file,
/// and after how many jobs, does not depend on that.
const BLOCK: usize = 16 * 1024;

/// First bytes of what is often given by mistake.
const SIGNATURES: [(&[u8], &str); 8] = [
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"BZh", "a bzip2 file"),
    (b"\x28\xb5\x2f\xfd", "a zstandard file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x1f\x9d", "a file of the old compress"),
    (b"%PDF", "a PDF document"),
];

/// Takes the bytes of a file, gzipped or not.
pub(super) struct Unpack {
    /// The first bytes, until there are enough to tell gzip from text.
    head: Vec<u8>,
    packing: Packing,
    text: Text,
}

enum Packing {
    Unknown,
    Plain,
    Gzip {
        gunzip: Box<Gunzip>,
        /// Bytes that are not unpacked yet, fewer than [`BLOCK`].
        block: Vec<u8>,
    },
}

impl Unpack {
    /// Takes so many bytes of text at most.
    pub(super) fn new(most: u64) -> Self {
        Unpack { head: Vec::new(), packing: Packing::Unknown, text: Text::new(most) }
    }

    /// Takes more bytes, and hands on the lines that they complete.
    pub(super) fn push(&mut self, mut bytes: &[u8], sink: &mut impl LineSink) -> Result<(), Stop> {
        match &mut self.packing {
            Packing::Unknown => {
                self.head.extend_from_slice(bytes);
                if self.head.len() < gunzip::MAGIC.len() {
                    return Ok(());
                }
                let head = std::mem::take(&mut self.head);
                self.packing = match head.starts_with(&gunzip::MAGIC) {
                    true => Packing::Gzip { gunzip: Box::new(Gunzip::new()), block: Vec::with_capacity(BLOCK) },
                    false => Packing::Plain,
                };
                self.push(&head, sink)
            }
            Packing::Plain => self.text.push(bytes, sink).map_err(Stop::Error),
            Packing::Gzip { gunzip, block } => {
                while block.len() + bytes.len() >= BLOCK {
                    let (filling, rest) = bytes.split_at(BLOCK - block.len());
                    block.extend_from_slice(filling);
                    bytes = rest;
                    unpack(gunzip, block, &mut self.text, sink)?;
                    block.clear();
                }
                block.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Hands on the last line.
    pub(super) fn finish(&mut self, sink: &mut impl LineSink) -> Result<Fingerprint, Stop> {
        let head = std::mem::take(&mut self.head);
        self.text.push(&head, sink).map_err(Stop::Error)?;
        if let Packing::Gzip { gunzip, block } = &mut self.packing {
            unpack(gunzip, block, &mut self.text, sink)?;
            if !gunzip.is_complete() {
                return Err(Stop::Truncated);
            }
        }
        self.text.finish(sink).map_err(Stop::Error)
    }

    /// Bytes of text so far.
    pub(super) fn length(&self) -> u64 {
        self.text.length
    }

    /// Lines handed on so far.
    pub(super) fn lines(&self) -> u32 {
        self.text.lines.count()
    }
}

fn unpack(gunzip: &mut Gunzip, block: &[u8], text: &mut Text, sink: &mut impl LineSink) -> Result<(), Stop> {
    gunzip.push(block, |bytes| text.push(bytes, sink)).map_err(|failure| match failure {
        GunzipFailure::Corrupt(what) => Stop::Corrupt(what),
        GunzipFailure::Refused(error) => Stop::Error(error),
    })
}

/// Why no more bytes are taken.
pub(super) enum Stop {
    /// The gzip stream is damaged, and how.
    Corrupt(&'static str),
    /// The gzip stream is cut off.
    Truncated,
    /// What is in the file is not a log.
    Error(ReadError),
}

/// Takes the decompressed bytes.
struct Text {
    /// The first bytes, until there are enough to tell what they are.
    head: Option<Vec<u8>>,
    hash: Box<Xxh3>,
    /// Bytes so far.
    length: u64,
    /// How many there may be.
    most: u64,
    lines: Lines,
}

impl Text {
    fn new(most: u64) -> Self {
        Text { head: Some(Vec::new()), hash: Box::default(), length: 0, most, lines: Lines::default() }
    }

    fn push(&mut self, bytes: &[u8], sink: &mut impl LineSink) -> Result<(), ReadError> {
        self.length += bytes.len() as u64;
        if self.length > self.most {
            return Err(ReadError::TooMuchText { most: self.most });
        }
        self.hash.update(bytes);
        let Some(head) = &mut self.head else { return self.lines.push(bytes, sink) };
        head.extend_from_slice(bytes);
        if head.len() < HEAD { Ok(()) } else { self.begin(sink) }
    }

    /// Looks at the first bytes, and goes on with the lines in them.
    fn begin(&mut self, sink: &mut impl LineSink) -> Result<(), ReadError> {
        let Some(head) = self.head.take() else { return Ok(()) };
        if head.starts_with(&gunzip::MAGIC) {
            return Err(ReadError::Packed("a gzip file that was gzipped twice"));
        }
        if let Some((_, what)) = SIGNATURES.iter().find(|(signature, _)| head.starts_with(signature)) {
            return Err(ReadError::Packed(what));
        }
        if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
            return Err(ReadError::Utf16);
        }
        self.lines.push(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head), sink)
    }

    fn finish(&mut self, sink: &mut impl LineSink) -> Result<Fingerprint, ReadError> {
        if self.length == 0 {
            return Err(ReadError::Empty);
        }
        self.begin(sink)?;
        self.lines.finish(sink)?;
        Ok(Fingerprint(self.hash.digest128()))
    }
}

//! Turns the bytes of a file into the lines of its text: decompresses it and computes its fingerprint.

use super::gunzip::{self, Gunzip, GunzipFailure};
use super::lines::{LineSink, Lines};
use super::untar::{self, Untar};
use super::unzst::{self, Unzst};
use super::{ArchiveDepth, ReadError, ReaderSettings};
use crate::workload::Fingerprint;
use xxhash_rust::xxh3::Xxh3;

/// How many first bytes of a file are looked at: the length of the longest signature below.
const HEAD: usize = 6;

/// How many packed bytes are unpacked at a time, however the pieces are cut. So the error in a damaged file, and the
/// number of jobs before it, do not depend on the pieces.
const BLOCK: usize = 16 * 1024;

/// First bytes of kinds of files that are often given by mistake.
const SIGNATURES: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"BZh", "a bzip2 file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x1f\x9d", "a file of the old compress"),
    (b"%PDF", "a PDF document"),
];

/// Takes the bytes of a file, packed or not.
pub(super) struct Unpack {
    /// The first bytes, until there are enough to tell what is packed from text.
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
    Zst(Box<Unzst>),
}

impl Unpack {
    /// Reads as the settings say.
    pub(super) fn new(settings: ReaderSettings) -> Self {
        Unpack { head: Vec::new(), packing: Packing::Unknown, text: Text::new(settings) }
    }

    /// The archive of several files, if the file is one.
    pub(super) fn take_archive(&mut self) -> Option<Box<Untar>> {
        self.text.archive.take()
    }

    /// The number of jobs read so far in an archive of several files.
    pub(super) fn jobs_in_archive(&self) -> usize {
        self.text.archive.as_ref().map_or(0, |archive| archive.jobs())
    }

    /// Whether the file is packed by zstandard.
    pub(super) fn is_zst(&self) -> bool {
        matches!(self.packing, Packing::Zst(_))
    }

    /// Takes more bytes, and hands on the lines that they complete.
    pub(super) fn push(&mut self, mut bytes: &[u8], sink: &mut impl LineSink) -> Result<(), Stop> {
        match &mut self.packing {
            Packing::Unknown => {
                self.head.extend_from_slice(bytes);
                let may_be_gzip = self.head.len() < gunzip::MAGIC.len() && gunzip::MAGIC.starts_with(&self.head);
                let may_be_zst = self.head.len() < unzst::MAGIC_LENGTH && unzst::may_begin(&self.head);
                if may_be_gzip || may_be_zst {
                    return Ok(());
                }
                let head = std::mem::take(&mut self.head);
                self.packing = if head.starts_with(&gunzip::MAGIC) {
                    Packing::Gzip { gunzip: Box::new(Gunzip::new()), block: Vec::with_capacity(BLOCK) }
                } else if unzst::may_begin(&head) && head.len() >= unzst::MAGIC_LENGTH {
                    Packing::Zst(Box::new(Unzst::new()))
                } else {
                    Packing::Plain
                };
                self.push(&head, sink)
            }
            Packing::Plain => self.text.push(bytes, sink).map_err(Stop::Error),
            Packing::Zst(unzst) => told(unzst.push(bytes, |bytes| self.text.push(bytes, sink))),
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

    /// Ends the file: hands on the last line and returns the fingerprint of the text.
    pub(super) fn finish(&mut self, sink: &mut impl LineSink) -> Result<Fingerprint, Stop> {
        let head = std::mem::take(&mut self.head);
        self.text.push(&head, sink).map_err(Stop::Error)?;
        let is_complete = match &mut self.packing {
            Packing::Gzip { gunzip, block } => {
                unpack(gunzip, block, &mut self.text, sink)?;
                gunzip.is_complete()
            }
            Packing::Zst(unzst) => unzst.is_complete(),
            Packing::Unknown | Packing::Plain => true,
        };
        if !is_complete {
            return Err(Stop::Truncated);
        }
        self.text.finish(sink).map_err(Stop::Error)
    }

    /// The number of bytes of text so far.
    pub(super) fn length(&self) -> u64 {
        self.text.length
    }

    /// The number of lines handed on so far.
    pub(super) fn lines(&self) -> u32 {
        self.text.lines.count()
    }
}

fn unpack(gunzip: &mut Gunzip, block: &[u8], text: &mut Text, sink: &mut impl LineSink) -> Result<(), Stop> {
    told(gunzip.push(block, |bytes| text.push(bytes, sink)))
}

fn told(unpacked: Result<(), GunzipFailure<ReadError>>) -> Result<(), Stop> {
    unpacked.map_err(|failure| match failure {
        GunzipFailure::Corrupt(what) => Stop::Corrupt(what),
        GunzipFailure::Refused(error) => Stop::Error(error),
    })
}

/// Why no more bytes are taken.
pub(super) enum Stop {
    /// The packed stream is damaged, and how.
    Corrupt(&'static str),
    /// The packed stream is cut off.
    Truncated,
    /// What is in the file is not a log.
    Error(ReadError),
}

/// Takes the decompressed bytes.
struct Text {
    /// The first bytes, until there are enough to tell what they are.
    head: Option<Vec<u8>>,
    hash: Box<Xxh3>,
    /// The number of bytes so far.
    length: u64,
    settings: ReaderSettings,
    lines: Lines,
    /// The archive, where the bytes are one of several files.
    archive: Option<Box<Untar>>,
    /// Whether no more bytes come.
    is_whole: bool,
}

impl Text {
    fn new(settings: ReaderSettings) -> Self {
        let (hash, lines) = (Box::default(), Lines::default());
        Text { head: Some(Vec::new()), hash, length: 0, settings, lines, archive: None, is_whole: false }
    }

    fn push(&mut self, bytes: &[u8], sink: &mut impl LineSink) -> Result<(), ReadError> {
        self.length += bytes.len() as u64;
        if self.length > self.settings.limits.text {
            return Err(ReadError::TooMuchText { most: self.settings.limits.text });
        }
        self.hash.update(bytes);
        let Some(head) = &mut self.head else { return self.hand_on(bytes, sink) };
        head.extend_from_slice(bytes);
        if head.len() < HEAD { Ok(()) } else { self.begin(sink) }
    }

    fn hand_on(&mut self, bytes: &[u8], sink: &mut impl LineSink) -> Result<(), ReadError> {
        match &mut self.archive {
            Some(archive) => archive.push(bytes),
            None => self.lines.push(bytes, sink),
        }
    }

    /// Looks at the first bytes and decides what they are. Waits for more where they may be those of an archive.
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
        // in an archive zero bytes follow the name of the first file, which is printable and shorter than 100 bytes
        let may_be_tar = !head.contains(&b'\n') && head.len() < untar::HEAD && !self.is_whole;
        if may_be_tar {
            self.head = Some(head);
            return Ok(());
        }
        if untar::is_tar(&head) {
            if self.settings.depth == ArchiveDepth::InArchive {
                return Err(ReadError::Packed("a tar archive in another"));
            }
            self.archive = Some(Box::new(Untar::new(self.settings.clone())));
        }
        self.hand_on(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head), sink)
    }

    fn finish(&mut self, sink: &mut impl LineSink) -> Result<Fingerprint, ReadError> {
        if self.length == 0 {
            return Err(ReadError::Empty);
        }
        self.is_whole = true;
        self.begin(sink)?;
        self.lines.finish(sink)?;
        Ok(Fingerprint(self.hash.digest128()))
    }
}

//! The text of a file: its unpacked bytes, of which there may not be too many, and their fingerprint.

use super::source::{carry, reason};
use super::unpack::unpack;
use super::untar;
use super::{Packing, ReadError, named};
use crate::Fingerprint;
use packfair_base::wide_text::as_utf8;
use std::io::{self, Read};
use xxhash_rust::xxh3::Xxh3;

/// How many first bytes of a text are looked at: the length of the longest signature below.
const HEAD: usize = 6;

/// First bytes of kinds of files that are often given by mistake.
const SIGNATURES: [(&[u8], &str); 6] = [
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"\x1f\x9d", "a file of the old compress"),
    (b"\x04\x22\x4d\x18", "a file packed by LZ4"),
    (b"\x5d\0\0", "a file packed by lzma"),
];

/// Gives the text of a file. After an error it gives no more, but the same error again.
pub(super) struct DecodedText<'a> {
    unpacked: Box<dyn Read + 'a>,
    /// The most bytes that there may be.
    most: u64,
    /// The number of bytes so far.
    length: u64,
    hash: Box<Xxh3>,
    failed: Option<ReadError>,
}

impl<'a> DecodedText<'a> {
    /// The text of a file, which has at most `most` bytes.
    ///
    /// # Errors
    /// If the file's first bytes cannot be read.
    pub(super) fn new(source: &'a mut dyn Read, most: u64) -> Result<Self, ReadError> {
        let unpacked = unpack(source).and_then(as_utf8).map_err(|error| reason(&error))?;
        Ok(DecodedText { unpacked, most, length: 0, hash: Box::default(), failed: None })
    }

    /// The number of bytes so far.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// The fingerprint of the bytes so far.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.hash.digest128())
    }

    /// Reads the first bytes into `chunk`, until they tell whether the text is an archive, and returns how many there
    /// are.
    ///
    /// # Errors
    /// If there are none, or those of a file that is not read here.
    pub(super) fn begin(&mut self, chunk: &mut [u8]) -> Result<usize, ReadError> {
        let mut filled = 0;
        loop {
            let length = self.read(&mut chunk[filled..]).map_err(|error| reason(&error))?;
            filled += length;
            let head = &chunk[..filled];
            match (length, filled) {
                (0, 0) => return Err(ReadError::Empty),
                (0, _) | (_, HEAD..) => refuse(head)?,
                _ => continue,
            }
            // in an archive zero bytes follow the name of the first file, which is printable and shorter than 100 bytes
            if length == 0 || filled >= untar::HEAD || head.contains(&b'\n') {
                return Ok(filled);
            }
        }
    }

    fn next(&mut self, into: &mut [u8]) -> Result<usize, ReadError> {
        let length = self.unpacked.read(into).map_err(|error| reason(&error))?;
        self.length += length as u64;
        if self.length > self.most {
            return Err(ReadError::TooMuchText { most: self.most });
        }
        self.hash.update(&into[..length]);
        Ok(length)
    }
}

impl Read for DecodedText<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(why) = &self.failed {
            return Err(carry(why.clone()));
        }
        self.next(into).map_err(|why| {
            self.failed = Some(why.clone());
            carry(why)
        })
    }
}

/// Refuses a text that begins like another kind of file.
fn refuse(head: &[u8]) -> Result<(), ReadError> {
    named::refuse_bytes(head)?;
    if let Some(packing) = Packing::of(head) {
        return Err(ReadError::PackedTwice(packing));
    }
    if let Some((_, what)) = SIGNATURES.iter().find(|(signature, _)| head.starts_with(signature)) {
        return Err(ReadError::Packed(what));
    }
    Ok(())
}

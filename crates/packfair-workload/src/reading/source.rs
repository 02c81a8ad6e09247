//! Where the bytes of a log come from, and how the reason why they do not come reaches the log's reader.

use super::unpack::unpack;
use super::{Packing, ReadError, named, untar};
use crate::Fingerprint;
use memchr::{memchr, memchr2, memrchr};
use packfair_base::encoding;
use packfair_base::encoding::utf8_reader;
use packfair_base::pasted::TypedLines;
use packfair_parquet::ParquetError;
use std::cell::Cell;
use std::error::Error;
use std::io::{self, Read, Seek, SeekFrom};
use xxhash_rust::xxh3::Xxh3;

/// A source whose every read is as long as it was asked for, but at the end. So the error in a damaged file, and the
/// number of jobs before it, do not depend on the pieces that the source hands out. Its errors carry a [`ReadError`].
pub(super) struct WholeReads<R>(pub(super) R);

impl<R: Read> Read for WholeReads<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < into.len() {
            match self.0.read(&mut into[filled..]) {
                Ok(0) => break,
                Ok(length) => filled += length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // the error comes again, instead of the bytes behind these
                Err(_) if filled > 0 => break,
                Err(error) => return Err(carry(reason(&error))),
            }
        }
        Ok(filled)
    }
}

impl<R: Seek> Seek for WholeReads<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to).map_err(|error| carry(reason(&error)))
    }
}

/// A source that counts the bytes it has given.
pub(super) struct CountedReads<'a, R> {
    pub(super) source: R,
    pub(super) count: &'a Cell<u64>,
}

impl<R: Read> Read for CountedReads<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(into)?;
        self.count.set(self.count.get() + length as u64);
        Ok(length)
    }
}

/// What an error says of a stream of bytes.
pub(super) enum Cause {
    /// It has this reason, which was found further down.
    Known(ReadError),
    /// The stream is cut off.
    End,
    /// The stream makes no sense.
    Content,
}

/// What an error of a library says of the stream that it reads. The library may have wrapped the stream's own error.
pub(super) fn cause(error: &(dyn Error + 'static)) -> Cause {
    let Some(error) = error.downcast_ref::<io::Error>() else { return error.source().map_or(Cause::Content, cause) };
    let inner = error.get_ref();
    if let Some(fault) = inner.and_then(|inner| inner.downcast_ref::<ParquetError>()) {
        return Cause::Known(fault.clone().into());
    }
    match inner.and_then(|inner| inner.downcast_ref::<ReadError>()) {
        Some(why) => Cause::Known(why.clone()),
        None if error.kind() == io::ErrorKind::UnexpectedEof => Cause::End,
        None => Cause::Content,
    }
}

/// The reason that an error carries; any other is one of the file's.
pub(super) fn reason(error: &io::Error) -> ReadError {
    match cause(error) {
        Cause::Known(why) => why,
        Cause::End | Cause::Content => ReadError::Io(error.to_string()),
    }
}

impl From<ParquetError> for ReadError {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::End => ReadError::DamagedParquet("a part of it ends too early"),
            ParquetError::Damaged(what) => ReadError::DamagedParquet(what),
            ParquetError::NotRead(what) => ReadError::ParquetNotRead(what),
            ParquetError::Io(error) => reason(&error),
        }
    }
}

/// Sends a reason through readers whose errors are those of files.
pub(super) fn carry(why: ReadError) -> io::Error {
    io::Error::other(why)
}

/// Bytes that come in pieces of this length.
#[cfg(test)]
pub(crate) struct Pieces<'a>(pub(crate) &'a [u8], pub(crate) usize);

#[cfg(test)]
impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.1.min(into.len());
        self.0.read(&mut into[..length])
    }
}

// How large a log may be. A small gzip file can hold very much text, so the limits are for the unpacked text.

/// What a log may hold at most. Checked while the log is unpacked, so that a larger one takes no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most jobs. Each takes some 200 bytes while it is read and cleaned.
    pub jobs: usize,
    /// The most bytes of text, unpacked.
    pub text: u64,
    /// The most records that may be not understood, of a thousand that should be jobs.
    pub lost: u32,
}

impl Default for Limits {
    /// Ten times the jobs of the longest public log, within some 3 GB of memory.
    fn default() -> Self {
        Limits { jobs: 10_000_000, text: 8_000_000_000, lost: Limits::ALL_LOST }
    }
}

impl Limits {
    /// Of [`Limits::lost`]: however many are not understood, the others are read.
    pub const ALL_LOST: u32 = 1_000;
    /// Of [`Limits::lost`]: above this the person is asked first.
    pub const LOST_UNASKED: u32 = 10;
}

/// The longest line that is kept whole. The longest lines of archives, with lists of hosts after the fields, have some
/// thousand bytes.
pub(crate) const LONGEST_LINE: usize = 64 * 1024;

// Room in memory for the columns of a log.

/// Makes room for one more value in a column of a log that has `jobs` jobs so far. Where there is no memory, the log
/// cannot be read, and the program goes on.
///
/// # Errors
/// If there is no memory.
#[inline(always)]
pub(crate) fn room_for_one<T>(column: &mut Vec<T>, jobs: usize) -> Result<(), ReadError> {
    if column.len() < column.capacity() {
        return Ok(());
    }
    column.try_reserve(1).map_err(|_| ReadError::NoMemory { jobs })
}

// The text of a file: its unpacked bytes, of which there may not be too many, and their fingerprint.

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
        let unpacked = unpack(source).and_then(utf8_reader).map_err(|error| reason(&error))?;
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

// Splits bytes into lines, within bounded memory.

pub(crate) struct FileLine<'a> {
    /// The number of the line, from 1.
    pub number: u32,
    /// The line without its end.
    pub bytes: &'a [u8],
    /// Whether these are only its first [`LONGEST_LINE`] bytes. The others follow as further lines if the sink takes them;
    /// otherwise they are skipped.
    pub cut: bool,
}

pub(super) trait LineSink {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError>;

    /// Whether the rest of a line after its first [`LONGEST_LINE`] bytes is wanted, too.
    fn takes_long_lines(&self) -> bool {
        false
    }
}

/// Splits the pushed bytes into lines that end with LF, CR LF or CR.
#[derive(Default)]
pub(super) struct Lines {
    /// The line that is not yet complete, at most [`LONGEST_LINE`] bytes.
    partial: Vec<u8>,
    /// Whether the rest of a line that was too long is being passed over.
    skipping: bool,
    /// Whether a LF that comes next belongs to the CR before it.
    after_cr: bool,
    number: u32,
    typed: TypedLines,
}

/// A line without the zero bytes with which it begins or ends, as where a log was emptied while it was written, or has room
/// for more. A file of nothing else is no text.
fn without_nul(line: &[u8], number: u32) -> &[u8] {
    if !matches!((line.first(), line.last()), (Some(0), _) | (_, Some(0))) {
        return line;
    }
    let Some(begin) = line.iter().position(|&byte| byte != 0) else { return if number > 1 { b"" } else { line } };
    let end = line.iter().rposition(|&byte| byte != 0).map_or(begin, |at| at + 1);
    &line[begin..end]
}

impl Lines {
    /// Lines handed on so far.
    pub(super) fn count(&self) -> u32 {
        self.number
    }

    /// Takes more bytes, and hands on the lines that they complete.
    pub(super) fn push(&mut self, mut bytes: &[u8], sink: &mut impl LineSink) -> Result<(), ReadError> {
        while let Some(&first) = bytes.first() {
            if self.after_cr {
                self.after_cr = false;
                if first == b'\n' {
                    bytes = &bytes[1..];
                    continue;
                }
            }
            if self.skipping {
                let Some(end) = memchr2(b'\n', b'\r', bytes) else { return Ok(()) };
                self.skipping = false;
                self.after_cr = bytes[end] == b'\r';
                bytes = &bytes[end + 1..];
                continue;
            }
            match memchr(b'\n', bytes) {
                Some(end) if self.partial.is_empty() && end <= LONGEST_LINE => {
                    self.complete(&bytes[..end], sink)?;
                    bytes = &bytes[end + 1..];
                }
                Some(end) if self.partial.len() + end <= LONGEST_LINE => {
                    self.partial.extend_from_slice(&bytes[..end]);
                    self.complete_partial(sink)?;
                    bytes = &bytes[end + 1..];
                }
                end => {
                    let piece = &bytes[..end.unwrap_or(bytes.len())];
                    let taken = piece.len().min(LONGEST_LINE - self.partial.len());
                    self.partial.extend_from_slice(&piece[..taken]);
                    bytes = &bytes[taken..];
                    if taken < piece.len() {
                        self.overflow(sink)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Hands on a last line that has no end.
    pub(super) fn finish(&mut self, sink: &mut impl LineSink) -> Result<(), ReadError> {
        if self.partial.is_empty() { Ok(()) } else { self.complete_partial(sink) }
    }

    fn complete_partial(&mut self, sink: &mut impl LineSink) -> Result<(), ReadError> {
        let mut line = std::mem::take(&mut self.partial);
        let result = self.complete(&line, sink);
        line.clear();
        self.partial = line; // to use its memory again
        result
    }

    /// Hands on the bytes between two LF: one line, or several where they contain single CR.
    fn complete(&mut self, bytes: &[u8], sink: &mut impl LineSink) -> Result<(), ReadError> {
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if memchr(b'\r', bytes).is_none() {
            return self.hand_on(bytes, false, sink);
        }
        bytes.split(|&byte| byte == b'\r').try_for_each(|line| self.hand_on(line, false, sink))
    }

    /// Handles [`LONGEST_LINE`] bytes without a LF when more are to come.
    fn overflow(&mut self, sink: &mut impl LineSink) -> Result<(), ReadError> {
        let mut begin = std::mem::take(&mut self.partial);
        if let Some(last) = memrchr(b'\r', &begin) {
            self.partial = begin.split_off(last + 1);
            return self.complete(&begin, sink);
        }
        self.hand_on(&begin, true, sink)?;
        self.skipping = !sink.takes_long_lines();
        Ok(())
    }

    fn hand_on(&mut self, bytes: &[u8], cut: bool, sink: &mut impl LineSink) -> Result<(), ReadError> {
        self.number = self.number.saturating_add(1);
        // a file that was put behind another begins with its own mark
        let bytes = bytes.strip_prefix(encoding::MARK).unwrap_or(bytes);
        let bytes = without_nul(bytes, self.number);
        let bytes = if self.typed.has(bytes) { b"" } else { bytes };
        sink.line(FileLine { number: self.number, bytes, cut })
    }
}

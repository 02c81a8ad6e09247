//! Where the bytes of a log come from, and how the reason why they do not come reaches the log's reader.

use super::ReadError;
use packfair_parquet::ParquetError;
use std::cell::Cell;
use std::error::Error;
use std::io::{self, Read, Seek, SeekFrom};

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

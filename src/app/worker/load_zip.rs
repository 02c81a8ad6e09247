//! Reads the log in a dropped zip archive.

use super::room::{LIMITS, check_memory, unreadable, words};
use super::{Seldom, post};
use crate::run_queue::protocol::{FromWorker, LogId};
use crate::workload::Log;
use crate::workload::reading::unzip;
use js_sys::Uint8Array;
use std::io::{self, Read, Seek, SeekFrom};
use web_sys::{Blob, FileReaderSync};

/// The number of bytes of a file that are read at once: an archive is read in small pieces, and each request takes a
/// while.
const PIECE: u64 = 1 << 20;

/// The number of bytes of a file from which the number of its jobs is estimated.
const TELLS: f64 = 8.0 * PIECE as f64;

/// Reads the log in the archive `blob` and reports progress. Also returns the names of the other logs in it.
pub(super) fn read(log: LogId, blob: &Blob) -> Seldom<'_, Result<(Log, Vec<String>), String>> {
    Box::pin(async move {
        let total = blob.size();
        let file = BlobFile::new(blob).ok_or_else(unreadable)?;
        let mut told = 0.0;
        let unzipped = unzip(file, LIMITS, |reader, part| {
            check_memory(reader.jobs() as f64, part, part * total >= TELLS)?;
            // one message for each piece would be too many
            if part - told >= 0.01 {
                told = part;
                post(&FromWorker::Loading { log, read: part * total, total });
            }
            Ok(())
        });
        let unzipped = unzipped.map_err(|error| words(&error))?;
        Ok((unzipped.log, unzipped.others))
    })
}

/// A blob of the browser, read like a file.
struct BlobFile<'a> {
    blob: &'a Blob,
    reader: FileReaderSync,
    /// The position of the next read, bytes.
    at: u64,
    /// The piece that was read last; `begin` is its position.
    piece: Vec<u8>,
    begin: u64,
}

impl<'a> BlobFile<'a> {
    fn new(blob: &'a Blob) -> Option<Self> {
        Some(BlobFile { blob, reader: FileReaderSync::new().ok()?, at: 0, piece: Vec::new(), begin: 0 })
    }

    fn length(&self) -> u64 {
        self.blob.size() as u64
    }

    /// The bytes from `at` on that are in memory, after reading the next piece if there are none; empty at the end.
    fn rest(&mut self) -> io::Result<&[u8]> {
        let is_here = self.at >= self.begin && self.at < self.begin + self.piece.len() as u64;
        if !is_here {
            let end = (self.at + PIECE).min(self.length()).max(self.at);
            let refused = |_| io::Error::other(unreadable());
            let piece = self.blob.slice_with_f64_and_f64(self.at as f64, end as f64).map_err(refused)?;
            let buffer = self.reader.read_as_array_buffer(&piece).map_err(refused)?;
            self.piece = Uint8Array::new(&buffer).to_vec();
            self.begin = self.at;
        }
        // the difference is at most the length of the piece
        Ok(&self.piece[(self.at - self.begin) as usize..])
    }
}

impl Read for BlobFile<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let rest = self.rest()?;
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for BlobFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length().checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

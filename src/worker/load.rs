//! Reads a dropped file.

use super::post;
use super::room::{LIMITS, NotRead, check_memory, unreadable, words};
use super::simulate::now;
use crate::run_queue::protocol::{FromWorker, LogId};
use js_sys::Uint8Array;
use packfair_workload::ColumnMap;
use packfair_workload::reading::{FileContent, Limits, Reader, read_watched};
use std::io::{self, Read, Seek, SeekFrom};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, FileReaderSync, console};

/// The number of bytes of a file that are read at once, and after which progress is reported: each request takes a
/// while, and what is packed is unpacked in moderate time.
const PIECE: u64 = 1 << 20;

/// The number of bytes of a file from which the number of its jobs is estimated.
const SAMPLE: f64 = 8.0 * PIECE as f64;

/// Reads the log in `blob` and reports progress. `columns` may say what its columns mean, and `accepts_losses` that many of
/// its records may be not understood. Writes the reading speed to the console, at the debug level.
pub(super) fn read(
    log: LogId,
    name: String,
    blob: &JsValue,
    columns: ColumnMap,
    accepts_losses: bool,
) -> Result<FileContent, NotRead> {
    let no_file = || NotRead { message: "no file came with the request to read one".to_owned(), may_go_on: false };
    let blob: &Blob = blob.dyn_ref().ok_or_else(no_file)?;
    let (begin, total) = (now(), blob.size());
    let file = BlobFile::new(blob).ok_or_else(|| NotRead { message: unreadable(), may_go_on: false })?;
    let lost = if accepts_losses { Limits::ALL_LOST } else { Limits::LOST_UNASKED };
    let limits = Limits { lost, ..LIMITS };
    let mut told = 0.0;
    let content = read_watched(Reader::mapped(name, limits, columns), file, |jobs, part| {
        let read = part * total;
        check_memory(jobs as f64, part, read >= SAMPLE)?;
        // further files of an archive begin again
        if (read - told).abs() >= PIECE as f64 {
            told = read;
            post(&FromWorker::Loading { log, read, total });
        }
        Ok(())
    });
    let content = content.map_err(|error| words(&error))?;
    let (spent, megabytes) = (now() - begin, total / 1e6);
    let speed = megabytes * 1_000.0 / spent;
    console::debug_1(&format!("{}: {megabytes:.1} MB read in {spent:.0} ms, {speed:.0} MB/s", content.log.name).into());
    Ok(content)
}

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

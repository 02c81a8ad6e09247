//! Reads a dropped file.

use super::post;
use super::simulate::now;
use crate::run_queue::protocol::{FromWorker, LogId};
use js_sys::Uint8Array;
use packfair_workload::reading::{FileContent, Limits, Reader, read_watched};
use packfair_workload::{ColumnMap, ReadError};
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

// How large a log may be that a browser reads, and what a person is told where that is not enough.

/// The largest number of jobs that are read. A job takes about 250 bytes while it is read and cleaned, twice that when
/// lists grow, and a worker has 4 GB of memory.
const MOST_JOBS: f64 = 8e6;

/// The limits for reading a log: a small gzip file can hide a very large text.
pub(super) const LIMITS: Limits = Limits { jobs: MOST_JOBS as usize, text: 4_000_000_000, lost: Limits::ALL_LOST };

/// Why a log was not read.
pub(super) struct NotRead {
    pub(super) message: String,
    /// Whether it can be read if the user accepts that many of its records are not understood.
    pub(super) may_go_on: bool,
}

/// Why a log cannot be read, and what to do with a log that is too large.
pub(super) fn words(error: &ReadError) -> NotRead {
    use ReadError::{Io, NoMemory, TooManyJobs, TooMuchText};
    let message = match error {
        TooManyJobs { .. } | TooMuchText { .. } | NoMemory { .. } => {
            format!("{error}, or simulate it with {COMMAND_LINE}")
        }
        // it is a sentence (`unreadable`)
        Io(why) => why.clone(),
        _ => error.to_string(),
    };
    NotRead { message, may_go_on: error.is_of_losses() }
}

/// The advice for a log that needs more memory than a browser has.
const COMMAND_LINE: &str = "the command line, which has room for as many as your machine: packfair run LOG";

/// Checks whether there is enough memory for a log of which a part (from 0 to 1) holds `jobs` jobs. `tells` says
/// whether this part is large enough for an estimate.
pub(super) fn check_memory(jobs: f64, part: f64, tells: bool) -> Result<(), String> {
    let all = jobs / part;
    // the lines of later jobs may be shorter or longer
    if jobs <= MOST_JOBS && !(tells && all > 1.5 * MOST_JOBS) {
        return Ok(());
    }
    Err(format!(
        "it has about {} million jobs, and a browser tab has room for {} million. Take a part of it, a year say, or \
         simulate it with {COMMAND_LINE}",
        (all / 1e6).round().max(MOST_JOBS / 1e6 + 1.0),
        MOST_JOBS / 1e6,
    ))
}

pub(super) fn unreadable() -> String {
    "The browser could not read the file. Was it moved, changed or deleted after it was chosen? Choose it again."
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_bomb_is_stopped_with_its_limit_and_a_way_out() {
        let said = words(&ReadError::TooManyJobs { most: LIMITS.jobs }).message;
        assert!(said.starts_with("it has more than 8,000,000 jobs") && said.contains("packfair run"), "{said}");
        assert_eq!(words(&ReadError::Empty).message, ReadError::Empty.to_string());
    }

    #[wasm_bindgen_test]
    fn a_log_that_is_too_large_is_refused_early_and_with_a_way_out() {
        // a million jobs in a tenth of the file, but little of it read so far
        assert_eq!(check_memory(1e6, 0.1, false), Ok(()));
        let refused = check_memory(2e6, 0.1, true).unwrap_err();
        assert!(refused.contains("about 20 million jobs") && refused.contains("packfair run"), "{refused}");
        assert_eq!(check_memory(1e6, 0.1, true), Ok(()));
        assert_eq!(check_memory(8e6, 1.0, true), Ok(()));
        assert!(check_memory(8e6 + 1.0, 0.9, true).unwrap_err().contains("about 9 million jobs"));
    }
}

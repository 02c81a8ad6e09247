//! Logs as people have them, read as they come and however dirty.
//!
//! Bytes become text, lines and records one after another. What a file is packed in, and in which format it is
//! written, is told by its content and never by its name ([`recognise`]). What a log gets wrong is repaired where its
//! meaning is plain, and everything repaired or left out is in the log's [`super::Account`].

mod error;
mod format;
mod gunzip;
mod limits;
mod lines;
mod recognise;
mod text;
mod unzip;
mod zip_entry;

pub use error::ReadError;
pub use limits::Limits;
pub use unzip::{Unzipped, is_zip, unzip};

pub(super) use format::{Format, LogContent};
pub(super) use lines::{FileLine, LIMIT as LONGEST_LINE};

use super::accounting::SACCT;
use super::{Log, printable};
use recognise::Recognising;
use std::io::{self, Read as _};
use text::{Stop, Unpack};

/// A format of logs, for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownFormat {
    /// What it is called.
    pub name: &'static str,
    /// What it is, and what makes such a log.
    pub help: &'static str,
}

/// The formats that are read. Which one a file is in is told by its content.
pub const FORMATS: &[KnownFormat] = &[
    KnownFormat { name: "SWF", help: "the Standard Workload Format of the Parallel Workloads Archive, and GWF" },
    KnownFormat { name: "Slurm", help: SACCT },
    KnownFormat { name: "Slurm, other", help: "sacct --json, Open XDMoD's exports, jobcomp/filetxt" },
    KnownFormat {
        name: "PBS",
        help: "accounting of PBS, Torque, OpenPBS: the files of days in server_priv/accounting",
    },
    KnownFormat { name: "LSF", help: "lsb.acct" },
    KnownFormat { name: "Grid Engine", help: "accounting, with times in seconds or milliseconds" },
    KnownFormat { name: "Batsim", help: "workloads in JSON whose profiles are delays, and schedules (jobs.csv)" },
    KnownFormat {
        name: "table",
        help: "CSV, TSV and their like, with a line of names of columns: submit, start, end, processors ...",
    },
];

/// Bytes read at once from a file.
const CHUNK: usize = 64 * 1024;

/// Reads a log that is pushed piece by piece, as a browser hands it out.
///
/// Gzip is told by its first bytes, the format by the first lines. The pieces may be cut anywhere; the log is the same.
pub struct Reader {
    name: String,
    unpack: Unpack,
    lines: Recognising,
    failed: Option<ReadError>,
}

impl Reader {
    /// A reader of a log that is called `name`, usually after its file.
    pub fn new(name: impl Into<String>) -> Self {
        Reader::within(name, Limits::default())
    }

    /// The same, of a log that keeps to `limits`.
    pub fn within(name: impl Into<String>, limits: Limits) -> Self {
        let lines = Recognising::new(limits);
        Reader { name: printable(&name.into()), unpack: Unpack::new(limits.text), lines, failed: None }
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    /// As soon as it is certain that the file cannot be read; the same error again if pushed further.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), ReadError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.unpack.push(chunk, &mut self.lines).map_err(|stop| {
            let error = self.explain(stop);
            self.failed = Some(error.clone());
            error
        })
    }

    /// Jobs read so far.
    pub fn jobs(&self) -> usize {
        self.lines.jobs()
    }

    /// Bytes of text read so far, unpacked.
    pub fn text_length(&self) -> u64 {
        self.unpack.length()
    }

    /// Ends the file and gives the log.
    ///
    /// # Errors
    /// An earlier error of [`Reader::push`]; a file that is empty, cut off or without any usable job.
    pub fn finish(mut self) -> Result<Log, ReadError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let fingerprint = self.unpack.finish(&mut self.lines).map_err(|stop| self.explain(stop))?;
        let LogContent { header, mut records, account, names, beyond } = self.lines.finish()?;
        records.shrink_to_fit();
        Ok(Log { name: self.name, header, records, account, fingerprint, names, beyond })
    }

    fn explain(&mut self, stop: Stop) -> ReadError {
        self.lines.settle();
        let (jobs, line) = (self.jobs(), self.unpack.lines());
        match stop {
            Stop::Corrupt(what) => ReadError::CorruptGzip { jobs, line, what },
            Stop::Truncated => ReadError::TruncatedGzip { jobs, line },
            Stop::Error(error) => error,
        }
    }
}

/// Reads a whole log, plain or gzipped, that is called `name`.
///
/// # Errors
/// Where the source cannot be read, or is not a log with at least one usable job.
pub fn read(name: impl Into<String>, source: impl io::Read) -> Result<Log, ReadError> {
    read_within(name, source, Limits::default())
}

/// The same, of a log that keeps to `limits`.
///
/// # Errors
/// As [`read`], and where the log is larger.
pub fn read_within(name: impl Into<String>, mut source: impl io::Read, limits: Limits) -> Result<Log, ReadError> {
    let mut reader = Reader::within(name, limits);
    let mut chunk = vec![0; CHUNK];
    loop {
        match source.read(&mut chunk) {
            Ok(0) => return reader.finish(),
            Ok(length) => reader.push(&chunk[..length])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ReadError::Io(error.to_string())),
        }
    }
}

/// Reads a whole log, plain, gzipped or in a zip archive, from a file that is called `name`.
///
/// # Errors
/// Where the file cannot be read, or holds no log with at least one usable job.
pub fn read_file(
    name: impl Into<String>,
    mut file: impl io::Read + io::Seek,
    limits: Limits,
) -> Result<Log, ReadError> {
    let unreadable = |error: io::Error| ReadError::Io(error.to_string());
    let mut head = Vec::new();
    file.by_ref().take(4).read_to_end(&mut head).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;
    if is_zip(&head) {
        unzip(file, limits, |_, _| Ok(())).map(|unzipped| unzipped.log)
    } else {
        read_within(name, file, limits)
    }
}

/// Whether a text looks like a log in a format that is read here, before anybody reads all of it.
pub fn looks_like_a_log(text: &str) -> bool {
    recognise::looks_like_a_log(text)
}

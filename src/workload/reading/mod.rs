//! Reads logs in all formats, as their bytes come, even with errors in them.
//!
//! Bytes become text, lines and records one after another. The content of a file, never its name, tells how it is
//! packed and in which format it is written ([`recognise`]). Errors of a log are repaired where the meaning is plain;
//! everything repaired or left out is in the log's [`super::Account`].

mod error;
mod format;
mod gunzip;
mod limits;
mod lines;
mod recognise;
mod room;
mod text;
mod untar;
mod unzip;
mod unzst;
mod zip_entry;

pub use error::ReadError;
pub use limits::Limits;
pub use untar::tar_header;
pub use unzip::{Unzipped, is_zip, unzip};

pub(super) use format::{Format, LogContent};
pub(super) use limits::LONGEST_LINE;
pub(super) use lines::FileLine;
pub(super) use room::room_for_one;

use super::accounting::SACCT;
use super::{ColumnMap, Log, printable};
use recognise::Recognising;
use std::io::{self, Read as _};
use std::sync::Arc;
use text::{Stop, Unpack};

/// A format of logs, described for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownFormat {
    /// The name of the format.
    pub name: &'static str,
    /// What it is, and what makes such a log.
    pub help: &'static str,
}

/// The formats that are read. The content of a file tells its format.
pub const FORMATS: &[KnownFormat] = &[
    KnownFormat { name: "SWF", help: "the Standard Workload Format of the Parallel Workloads Archive, and GWF" },
    KnownFormat { name: "Slurm", help: SACCT },
    KnownFormat {
        name: "Slurm, other",
        help: "sacct --json, Open XDMoD's exports, jobcomp/filetxt, .events of its simulators",
    },
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

/// Whether a file may be an archive of several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArchiveDepth {
    /// The file itself, which may be an archive.
    File,
    /// A file in an archive, which may not be one.
    InArchive,
}

/// How a file, and each file inside it, is read.
#[derive(Clone)]
struct ReaderSettings {
    limits: Limits,
    depth: ArchiveDepth,
    /// What the columns of a table hold, where the user has stated it.
    columns: Option<Arc<ColumnMap>>,
}

/// Bytes read at once from a file.
const CHUNK: usize = 64 * 1024;

/// Reads a log that is pushed piece by piece, as a browser hands it out.
///
/// The first bytes tell gzip, zstandard and tar, the first lines tell the format. All files of a tar archive count as
/// one log. The pieces may be cut anywhere; the log is the same.
pub struct Reader {
    name: String,
    unpack: Unpack,
    lines: Recognising,
    /// What the columns of a table hold, where the user has stated it.
    columns: Option<Arc<ColumnMap>>,
    failed: Option<ReadError>,
}

impl Reader {
    /// A reader of a log that is called `name`, usually after its file.
    pub fn new(name: impl Into<String>) -> Self {
        Reader::within(name, Limits::default())
    }

    /// As [`Reader::new`], for a log within `limits`.
    pub fn within(name: impl Into<String>, limits: Limits) -> Self {
        Reader::with(name, ReaderSettings { limits, depth: ArchiveDepth::File, columns: None })
    }

    /// As [`Reader::within`], for a table whose columns the user has stated.
    pub fn mapped(name: impl Into<String>, limits: Limits, columns: ColumnMap) -> Self {
        let columns = Some(columns).filter(|map| !map.columns.is_empty()).map(Arc::new);
        Reader::with(name, ReaderSettings { limits, depth: ArchiveDepth::File, columns })
    }

    fn with(name: impl Into<String>, settings: ReaderSettings) -> Self {
        let lines = Recognising::new(settings.limits, settings.columns.clone());
        let columns = settings.columns.clone();
        Reader { name: printable(&name.into()), unpack: Unpack::new(settings), lines, columns, failed: None }
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    /// As soon as it is certain that the file cannot be read. Further calls give the same error again.
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
        self.lines.jobs() + self.unpack.jobs_in_archive()
    }

    /// Bytes of text read so far, unpacked.
    pub fn text_length(&self) -> u64 {
        self.unpack.length()
    }

    /// Ends the file and gives the log.
    ///
    /// # Errors
    /// An earlier error of [`Reader::push`], or if the file is empty, cut off or without any usable job.
    pub fn finish(mut self) -> Result<Log, ReadError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let content = self.unpack.finish(&mut self.lines).map_err(|stop| self.explain(stop))?;
        // the same table with other columns is another log
        let fingerprint = self.columns.as_ref().map_or(content, |map| map.fingerprint(content));
        if let Some(archive) = self.unpack.take_archive() {
            return archive.finish(fingerprint);
        }
        let LogContent { header, mut records, account, names, beyond, own_zero, is_table } = self.lines.finish()?;
        records.shrink_to_fit();
        Ok(Log {
            name: self.name,
            header,
            records,
            account,
            fingerprint,
            names,
            beyond,
            external: Vec::new(),
            own_zero,
            site: None,
            is_table,
        })
    }

    fn explain(&mut self, stop: Stop) -> ReadError {
        self.lines.settle();
        let (jobs, line) = (self.jobs(), self.unpack.lines());
        match stop {
            Stop::Corrupt(what) if self.unpack.is_zst() => ReadError::CorruptZst { jobs, line, what },
            Stop::Truncated if self.unpack.is_zst() => ReadError::TruncatedZst { jobs, line },
            Stop::Corrupt(what) => ReadError::CorruptGzip { jobs, line, what },
            Stop::Truncated => ReadError::TruncatedGzip { jobs, line },
            Stop::Error(error) => error,
        }
    }
}

/// Reads a whole log called `name`, plain or packed.
///
/// # Errors
/// Where the source cannot be read, or is not a log with at least one usable job.
pub fn read(name: impl Into<String>, source: impl io::Read) -> Result<Log, ReadError> {
    read_within(name, source, Limits::default())
}

/// As [`read`], for a log within `limits`.
///
/// # Errors
/// As [`read`], and if the log is larger.
pub fn read_within(name: impl Into<String>, source: impl io::Read, limits: Limits) -> Result<Log, ReadError> {
    read_by(Reader::within(name, limits), source)
}

/// Reads a whole log from `source` with `reader`, which has not begun.
///
/// # Errors
/// As [`read_within`].
pub fn read_by(mut reader: Reader, mut source: impl io::Read) -> Result<Log, ReadError> {
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

/// Reads a whole log, plain or packed, from a file called `name`.
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

/// Whether a text looks like a log in a format that is read here. A fast test that does not read the jobs.
pub fn looks_like_a_log(text: &str) -> bool {
    recognise::looks_like_a_log(text)
}

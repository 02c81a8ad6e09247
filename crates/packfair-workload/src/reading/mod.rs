//! Reads logs in all formats, even with errors in them.
//!
//! A file is read through what unpacks it ([`unpack`]) as text ([`source`]), and the text becomes lines and records. The
//! content of a file, never its name, tells how it is packed and in which format it is written ([`recognise`]). Errors of a log are repaired where the meaning is plain;
//! everything repaired or left out is in the log's [`super::Account`].

mod error;
mod named;
mod recognise;
mod source;
mod unpack;
mod untar;
mod unzip;

pub use error::ReadError;
pub use packfair_parquet::is_parquet;
pub use source::Limits;
pub use unpack::Packing;
pub use untar::tar_header;
pub use unzip::is_zip;

pub(super) use error::{Format, LogContent};
pub(super) use packfair_parquet::first_lines;
pub(super) use recognise::are_mostly;
pub(super) use source::{FileLine, LONGEST_LINE, room_for_one};

use super::accounting::{self, SACCT};
use super::{ColumnMap, Fingerprint, Log, data_set_of, printable, unit};
use packfair_parquet::ParquetText;
use recognise::Recognising;
use source::{CountedReads, DecodedText, Lines, WholeReads, reason};
use std::cell::Cell;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use untar::{Untar, is_tar};
use unzip::unzip;

/// A format of logs, described for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownFormat {
    pub name: &'static str,
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
    KnownFormat {
        name: "Grid Engine",
        help: "accounting and reporting, with times in seconds or milliseconds; qacct -j",
    },
    KnownFormat { name: "HTCondor", help: "condor_history -long and -json, and the schedd's file history" },
    KnownFormat { name: "Batsim", help: "workloads in JSON whose profiles are delays, and schedules (jobs.csv)" },
    KnownFormat {
        name: "table",
        help: "CSV, TSV and their like, with a line of names of columns: submit, start, end, processors ...",
    },
    KnownFormat {
        name: "JSON",
        help: "records with such names: a list, or an object a line, as jq, pandas, Grid Engine 9 and Flux write them",
    },
    KnownFormat {
        name: "Parquet",
        help: "tables as above in Parquet, packed in any way but LZO; columns with lists in them are left out",
    },
    KnownFormat { name: "Philly", help: "cluster_job_log of the data set of that name, JSON" },
];

/// Whether a file may be an archive of several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArchiveDepth {
    File,
    /// A file in an archive, which may not be one.
    InArchive,
}

#[derive(Clone)]
struct ReaderSettings {
    limits: Limits,
    depth: ArchiveDepth,
    /// What the columns of a table hold, where the user has stated it.
    columns: Option<Arc<ColumnMap>>,
}

/// Is told the number of jobs so far, now and then, and may stop the reading with a message for the user.
type Watch<'a> = dyn FnMut(usize) -> Result<(), String> + 'a;

/// The largest Parquet file that is taken into memory because it is packed or comes from a pipe, bytes.
const LARGEST_PARQUET: u64 = 1 << 30;

/// Bytes of text read at once.
const CHUNK: usize = 64 * 1024;

/// How a log is read, plain or packed.
///
/// The first bytes tell gzip, zstandard, bzip2, xz, tar and Parquet, the first lines tell the format. All files of a tar archive count as
/// one log. The bytes may come in any pieces; the log is the same.
pub struct Reader {
    name: String,
    settings: ReaderSettings,
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
        Reader { name: printable(&name.into()), settings }
    }

    /// Reads the log in `source`. Also returns the number of bytes of its text.
    fn read(self, source: &mut dyn Read, watch: &mut Watch<'_>) -> Result<(Log, u64), ReadError> {
        let mut text = DecodedText::new(source, self.settings.limits.text)?;
        let mut chunk = vec![0; CHUNK];
        let begun = text.begin(&mut chunk)?;
        if is_tar(&chunk[..begun]) {
            return self.read_archive(&chunk[..begun], text, watch);
        }
        if is_parquet(&chunk[..begun]) {
            return self.read_packed_parquet(&chunk[..begun], text, watch);
        }
        let mut bytes = &chunk[..begun];
        let mut lines = Lines::default();
        let mut sink = Recognising::new(self.settings.limits, self.settings.columns.clone());
        while !bytes.is_empty() {
            lines.push(bytes, &mut sink)?;
            watch(sink.jobs()).map_err(ReadError::Stopped)?;
            let length = text.read(&mut chunk).map_err(|error| {
                sink.settle();
                reason(&error).after(sink.jobs(), lines.count())
            })?;
            bytes = &chunk[..length];
        }
        lines.finish(&mut sink)?;
        let LogContent { header, mut records, mut account, names, beyond, own_zero, is_table, knows_limits } =
            sink.finish()?;
        let work = records.iter().fold(0_u64, |sum, record| sum.saturating_add(record.work_of(record.run)));
        if account.loses_more_than(self.settings.limits.lost, records.len(), work) {
            let (lost, of) = account.not_understood(records.len());
            let work = account.work_not_understood(work);
            return Err(ReadError::TooManyLost { lost, records: of, work, what: account.examples_in_words() });
        }
        let is_known = knows_limits || data_set_of(&header).is_some();
        unit::check(&mut records, &mut account, is_table && !is_known);
        records.shrink_to_fit();
        let fingerprint = self.fingerprint(&text);
        let external = Vec::new();
        let log = Log {
            name: self.name,
            header,
            records,
            account,
            fingerprint,
            names,
            beyond,
            external,
            own_zero,
            site: None,
            is_table,
        };
        Ok((log, text.length()))
    }

    /// Reads the logs in a tar archive as one, of which the first bytes are `begun`. Never inlined, so that its code comes
    /// with the late part (`scripts/split`).
    #[inline(never)]
    fn read_archive(
        &self,
        begun: &[u8],
        mut text: DecodedText<'_>,
        watch: &mut Watch<'_>,
    ) -> Result<(Log, u64), ReadError> {
        if self.settings.depth == ArchiveDepth::InArchive {
            return Err(ReadError::Packed("a tar archive in another"));
        }
        let mut untar = Untar::new(&self.settings);
        untar.read(&mut begun.chain(&mut text), watch).map_err(|error| error.after(untar.jobs(), 0))?;
        untar.finish(self.fingerprint(&text)).map(|log| (log, text.length()))
    }

    /// Reads a Parquet file that has to be read from front to back: its end comes first, so all of it is taken into memory.
    #[inline(never)]
    fn read_packed_parquet(
        self,
        begun: &[u8],
        text: DecodedText<'_>,
        watch: &mut Watch<'_>,
    ) -> Result<(Log, u64), ReadError> {
        let mut whole = begun.to_vec();
        text.take(LARGEST_PARQUET).read_to_end(&mut whole).map_err(|error| reason(&error))?;
        if whole.len() as u64 > LARGEST_PARQUET {
            return Err(ReadError::ParquetNotRead(format!("more than {} MB and is packed", LARGEST_PARQUET >> 20)));
        }
        self.read_parquet(Cursor::new(whole), &mut |jobs, _| watch(jobs))
    }

    #[inline(never)]
    fn read_parquet(
        self,
        file: impl Read + Seek,
        watch: &mut dyn FnMut(usize, f64) -> Result<(), String>,
    ) -> Result<(Log, u64), ReadError> {
        let is_mapped = self.settings.columns.is_some();
        let want = |names: &[String]| if is_mapped { vec![true; names.len()] } else { accounting::wanted(names) };
        let part = Cell::new(0.0);
        let mut text = ParquetText::new(WholeReads(file), &part, &want)?;
        self.read(&mut text, &mut |jobs| watch(jobs, part.get()))
    }

    fn fingerprint(&self, text: &DecodedText<'_>) -> Fingerprint {
        let content = text.fingerprint();
        // the same table with other columns is another log
        self.settings.columns.as_ref().map_or(content, |map| map.fingerprint(content))
    }
}

/// Reads a whole log called `name`, plain or packed.
///
/// # Errors
/// Where the source cannot be read, or is not a log with at least one usable job.
pub fn read(name: impl Into<String>, source: impl Read) -> Result<Log, ReadError> {
    read_within(name, source, Limits::default())
}

/// As [`read`], for a log within `limits`.
///
/// # Errors
/// As [`read`], and if the log is larger.
pub fn read_within(name: impl Into<String>, source: impl Read, limits: Limits) -> Result<Log, ReadError> {
    read_by(Reader::within(name, limits), source)
}

/// Reads a whole log from `source` with `reader`.
///
/// # Errors
/// As [`read_within`].
pub fn read_by(reader: Reader, mut source: impl Read) -> Result<Log, ReadError> {
    reader.read(&mut source, &mut |_| Ok(())).map(|(log, _)| log)
}

/// Reads a whole log, plain or packed, from a file called `name`.
///
/// # Errors
/// Where the file cannot be read, or holds no log with at least one usable job.
pub fn read_file(name: impl Into<String>, file: impl Read + Seek, limits: Limits) -> Result<Log, ReadError> {
    read_watched(Reader::within(name, limits), file, |_, _| Ok(())).map(|content| content.log)
}

#[derive(Clone, Debug, PartialEq)]
pub struct FileContent {
    /// The log, with its name in a zip archive; of several logs with dates, the one that they make together.
    pub log: Log,
    /// Other files of a zip archive that are named like logs and are not part of the log.
    pub others: Vec<String>,
}

/// Reads a whole log from a file with `reader`. The file may be a zip archive.
///
/// `watch` is called now and then with the number of jobs so far and the share of the file, or of the file in the zip
/// archive, that was read, from 0 to 1. It may stop the reading with a message for the user.
///
/// # Errors
/// As [`read_file`], and if `watch` stops the reading.
pub fn read_watched(
    reader: Reader,
    mut file: impl Read + Seek,
    mut watch: impl FnMut(usize, f64) -> Result<(), String>,
) -> Result<FileContent, ReadError> {
    let unreadable = |error: io::Error| reason(&error);
    let mut head = Vec::new();
    WholeReads(&mut file).take(4).read_to_end(&mut head).map_err(unreadable)?;
    if is_zip(&head) {
        return unzip(file, &reader.settings, watch);
    }
    if is_parquet(&head) {
        return reader.read_parquet(file, &mut watch).map(|(log, _)| FileContent { log, others: Vec::new() });
    }
    let length = file.seek(SeekFrom::End(0)).and_then(|length| file.rewind().map(|()| length)).map_err(unreadable)?;
    let count = Cell::new(0);
    let mut counted = CountedReads { source: file, count: &count };
    let read = reader.read(&mut counted, &mut |jobs| watch(jobs, count.get() as f64 / length as f64));
    read.map(|(log, _)| FileContent { log, others: Vec::new() })
}

/// Whether a text looks like a log in a format that is read here. A fast test that does not read the jobs.
pub fn looks_like_a_log(text: &str) -> bool {
    recognise::looks_like_a_log(text)
}

//! Why a log cannot be read.

use crate::{Account, Reason};

/// Why a log cannot be read: what is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// There are no bytes at all.
    #[error("the file is empty; give a log in Standard Workload Format (.swf), plain or gzipped")]
    Empty,
    /// It is an archive or a compressed file of a kind that is not read here.
    #[error("this is {0}, which cannot be read here; unpack it and give the log itself, plain or as .gz")]
    Packed(&'static str),
    /// It is of another kind, which is known.
    #[error("this is {what}, and no log: {instead}")]
    Named {
        /// What it is.
        what: &'static str,
        /// What to give instead.
        instead: &'static str,
    },
    /// A table whose columns nothing names.
    #[error(
        "this is a table without names of columns, and not the Standard Workload Format, which has 18 numbers a line or \
         begins with comments (; Version: 2.2): say which column is which (--columns submit=2,start=3,end=4,processors=5), \
         or put a line with their names first"
    )]
    Unnamed,
    /// The text has two bytes for each character.
    #[error("this is text in UTF-16; save it as UTF-8 and give it again")]
    Utf16,
    /// A page of the web, often what a download gives in place of the file.
    #[error("this is a web page, not a log (line {line} begins with <); download the log itself")]
    WebPage {
        /// Where the page begins.
        line: u32,
    },
    /// The file has bytes that no text has.
    #[error("this is not a text file (line {line} holds bytes that no text has); give a log as text, plain or packed")]
    Binary {
        /// Where the first such byte is.
        line: u32,
    },
    /// A line that does not end, before any job.
    #[error(
        "this is not a log: line {line} does not end within {} KiB, and no job comes before it; \
         give a log in Standard Workload Format, one job a line",
        super::limits::LONGEST_LINE / 1024
    )]
    EndlessLine {
        /// The line.
        line: u32,
    },
    /// The gzip stream stops in the middle.
    #[error("the gzip file is cut off after {jobs} jobs (line {line}); download or copy it again")]
    TruncatedGzip {
        /// Jobs read up to there.
        jobs: usize,
        /// Lines read up to there.
        line: u32,
    },
    /// The gzip stream contradicts itself.
    #[error("the gzip file is damaged after {jobs} jobs (line {line}): {what}; download or copy it again")]
    CorruptGzip {
        /// Jobs read up to there.
        jobs: usize,
        /// Lines read up to there.
        line: u32,
        /// The contradiction.
        what: &'static str,
    },
    /// The zstandard stream stops in the middle.
    #[error("the zstandard file is cut off after {jobs} jobs (line {line}); download or copy it again")]
    TruncatedZst {
        /// Jobs read up to there.
        jobs: usize,
        /// Lines read up to there.
        line: u32,
    },
    /// The zstandard stream contradicts itself.
    #[error("the zstandard file is damaged after {jobs} jobs (line {line}): {what}; download or copy it again")]
    CorruptZst {
        /// Jobs read up to there.
        jobs: usize,
        /// Lines read up to there.
        line: u32,
        /// The contradiction.
        what: &'static str,
    },
    /// A tar archive that cannot be read, and why.
    #[error("the tar archive is damaged: {0}; download or copy it again, or unpack it and give the logs themselves")]
    DamagedTar(&'static str),
    /// There is no log in a tar archive.
    #[error("there is no file in this tar archive; give logs")]
    TarWithoutLog,
    /// What is in a tar archive is not a log, and why.
    #[error("the file {entry} in this tar archive: {why}")]
    InTar {
        /// The file in the archive.
        entry: String,
        /// What is wrong with it.
        why: Box<ReadError>,
    },
    /// Logs that cannot count as one, and why.
    #[error("several logs count as one, but {0}")]
    NotMerged(String),
    /// A zip archive that cannot be read, and why.
    #[error(
        "the zip archive is damaged or not read here: {0}; download or copy it again, or unpack it and give the log itself"
    )]
    DamagedZip(String),
    /// The log in a zip archive is encrypted.
    #[error("the file {entry} in this zip archive is encrypted; unpack it with its password and give the log itself")]
    EncryptedZip {
        /// The file in the archive.
        entry: String,
    },
    /// The log in a zip archive is packed in a way that is not read here.
    #[error(
        "the file {entry} in this zip archive is packed by a method that is not read here ({method}); unpack it and give the log itself"
    )]
    ZipMethod {
        /// The file in the archive.
        entry: String,
        /// What the method is called.
        method: String,
    },
    /// There is no log in a zip archive.
    #[error("there is no log in this zip archive, which holds {held}; give a log in Standard Workload Format (.swf)")]
    ZipWithoutLog {
        /// What it holds instead, in words.
        held: String,
    },
    /// What is in a zip archive is not a log, and why.
    #[error("the file {entry} in this zip archive: {why}")]
    InZip {
        /// The file in the archive.
        entry: String,
        /// What is wrong with it.
        why: Box<ReadError>,
    },
    /// JSON that is no log, or none that is read here, and why.
    #[error("this is JSON, but no workload of Batsim and no output of sacct --json: {0}")]
    Json(String),
    /// A log without columns that are needed.
    #[error(
        "this is a log of {of}, and columns are missing: {missing}. It has {found}. Make it again, for instance with: \
         {command}"
    )]
    MissingColumns {
        /// What made it.
        of: &'static str,
        /// The columns, in words.
        missing: String,
        /// The columns that there are.
        found: String,
        /// The command that makes a log with all that is needed.
        command: &'static str,
    },
    /// A table of fixed width, whose columns are cut off.
    #[error("this is a table of fixed width, in which sacct cuts off what is wider. Make it again with -P: {command}")]
    FixedWidth {
        /// The command that makes a log with all that is needed.
        command: &'static str,
    },
    /// Reading was stopped, for this reason.
    #[error("{0}")]
    Stopped(String),
    /// More records were not understood than may be.
    #[error(
        "{lost} of its {records} records were not understood, so that any answer would be of the others alone: {what}\n\
         Mend the file, or say what its columns hold"
    )]
    TooManyLost {
        /// Records that were not understood.
        lost: u64,
        /// Records that should be jobs.
        records: u64,
        /// Why, with examples.
        what: String,
    },
    /// Not a single line that holds a usable job.
    #[error("{}", describe_no_job(account, sample))]
    NoJob {
        /// What was found instead.
        account: Account,
        /// The first line that is no job: its number and its beginning.
        sample: Option<(u32, String)>,
    },
    /// There are more jobs than the limit.
    #[error("it has more than {} jobs, which is the limit here; take a part of it, a year say", whole(*most as u64))]
    TooManyJobs {
        /// The limit.
        most: usize,
    },
    /// There is more text than the limit.
    #[error("its text has more than {} bytes, which is the limit here; take a part of it, a year say", whole(*most))]
    TooMuchText {
        /// The limit, bytes after unpacking.
        most: u64,
    },
    /// No memory is left for the log.
    #[error("there is not enough memory for more than {} of its jobs; take a part of it, a year say", whole(*jobs as u64))]
    NoMemory {
        /// Jobs read up to there.
        jobs: usize,
    },
    /// The bytes of the file could not be read.
    #[error("the file cannot be read: {0}")]
    Io(String),
}

/// A whole number with its digits in groups of three.
fn whole(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

impl ReadError {
    /// Whether the error says that the content is not a log, rather than that the file cannot be read.
    pub(super) fn is_of_content(&self) -> bool {
        use ReadError::{
            Binary, Empty, EndlessLine, FixedWidth, Json, MissingColumns, Named, NoJob, Packed, Unnamed, Utf16, WebPage,
        };
        matches!(
            self,
            Json(_)
                | FixedWidth { .. }
                | Named { .. }
                | Unnamed
                | MissingColumns { .. }
                | Empty
                | Packed(_)
                | Utf16
                | WebPage { .. }
                | Binary { .. }
                | EndlessLine { .. }
                | NoJob { .. }
        )
    }

    /// Whether the error says that reading goes no further, whatever the content.
    pub(super) fn is_of_limits(&self) -> bool {
        use ReadError::{NoMemory, Stopped, TooManyJobs, TooMuchText};
        matches!(self, NoMemory { .. } | Stopped(_) | TooManyJobs { .. } | TooMuchText { .. })
    }

    /// The same error, with the place where a packed stream ends too soon or makes no sense: after so many jobs and
    /// lines.
    pub(super) fn after(self, jobs: usize, line: u32) -> Self {
        use ReadError::{CorruptGzip, CorruptZst, TruncatedGzip, TruncatedZst};
        match self {
            TruncatedGzip { .. } => TruncatedGzip { jobs, line },
            CorruptGzip { what, .. } => CorruptGzip { jobs, line, what },
            TruncatedZst { .. } => TruncatedZst { jobs, line },
            CorruptZst { what, .. } => CorruptZst { jobs, line, what },
            other => other,
        }
    }
}

fn describe_no_job(account: &Account, sample: &Option<(u32, String)>) -> String {
    if let (Some((line, begin)), true) = (sample, account.entries().iter().all(|entry| entry.reason == Reason::NotAJob))
    {
        return format!(
            "this is text, but no log: no line holds a job; line {line} reads \"{begin}\". Give accounting of a batch system, \
             a log in Standard Workload Format, or a table whose first line names its columns"
        );
    }
    let mut text = String::from("there is no usable job in this file");
    if account.entries().is_empty() {
        text.push_str(": it holds only comments and blank lines");
    } else {
        text.push_str(": ");
        text.push_str(&account.in_words());
    }
    if let Some((line, begin)) = sample {
        text.push_str(&format!("; line {line} reads \"{begin}\""));
    }
    text.push_str(
        ". A log in Standard Workload Format has one job a line: \
         18 numbers, of which the second is the submit time",
    );
    text
}

//! Why a log cannot be read.

use crate::workload::{Account, Reason};

/// Why a log cannot be read: what is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("the file is empty; give a log in Standard Workload Format (.swf), plain or gzipped")]
    Empty,
    #[error("this is {0}, which cannot be read here; unpack it and give the log itself, plain or as .gz")]
    Packed(&'static str),
    #[error("this is {what}, and no log: {instead}")]
    Named {
        what: &'static str,
        /// What to give instead.
        instead: &'static str,
    },
    #[error(
        "this is a table without names of columns, and not the Standard Workload Format, which has 18 numbers a line or \
         begins with comments (; Version: 2.2): say which column is which (--columns submit=2,start=3,end=4,processors=5), \
         or put a line with their names first"
    )]
    Unnamed,
    #[error("this is text in UTF-16; save it as UTF-8 and give it again")]
    Utf16,
    #[error("this is a web page, not a log (line {line} begins with <); download the log itself")]
    WebPage { line: u32 },
    #[error("this is not a text file (line {line} holds bytes that no text has); give a log as text, plain or packed")]
    Binary { line: u32 },
    #[error(
        "this is not a log: line {line} does not end within {} KiB, and no job comes before it; \
         give a log in Standard Workload Format, one job a line",
        super::limits::LONGEST_LINE / 1024
    )]
    EndlessLine { line: u32 },
    #[error("the gzip file is cut off after {jobs} jobs (line {line}); download or copy it again")]
    TruncatedGzip { jobs: usize, line: u32 },
    #[error("the gzip file is damaged after {jobs} jobs (line {line}): {what}; download or copy it again")]
    CorruptGzip { jobs: usize, line: u32, what: &'static str },
    #[error("the zstandard file is cut off after {jobs} jobs (line {line}); download or copy it again")]
    TruncatedZst { jobs: usize, line: u32 },
    #[error("the zstandard file is damaged after {jobs} jobs (line {line}): {what}; download or copy it again")]
    CorruptZst { jobs: usize, line: u32, what: &'static str },
    #[error("the tar archive is damaged: {0}; download or copy it again, or unpack it and give the logs themselves")]
    DamagedTar(&'static str),
    #[error("there is no file in this tar archive; give logs")]
    TarWithoutLog,
    #[error("the file {entry} in this tar archive: {why}")]
    InTar { entry: String, why: Box<ReadError> },
    #[error("several logs count as one, but {0}")]
    NotMerged(String),
    #[error(
        "the zip archive is damaged or not read here: {0}; download or copy it again, or unpack it and give the log itself"
    )]
    DamagedZip(String),
    #[error("the file {entry} in this zip archive is encrypted; unpack it with its password and give the log itself")]
    EncryptedZip { entry: String },
    #[error(
        "the file {entry} in this zip archive is packed by a method that is not read here ({method}); unpack it and give the log itself"
    )]
    ZipMethod { entry: String, method: String },
    #[error("there is no log in this zip archive, which holds {held}; give a log in Standard Workload Format (.swf)")]
    ZipWithoutLog {
        /// What it holds instead, in words.
        held: String,
    },
    #[error("the file {entry} in this zip archive: {why}")]
    InZip { entry: String, why: Box<ReadError> },
    #[error("this is JSON, but no workload of Batsim and no output of sacct --json: {0}")]
    Json(String),
    #[error(
        "this is a log of {of}, and columns are missing: {missing}. It has {found}. Make it again, for instance with: \
         {command}"
    )]
    MissingColumns {
        of: &'static str,
        /// The columns, in words.
        missing: String,
        found: String,
        command: &'static str,
    },
    #[error("this is a table of fixed width, in which sacct cuts off what is wider. Make it again with -P: {command}")]
    FixedWidth { command: &'static str },
    #[error("{0}")]
    Stopped(String),
    #[error(
        "{lost} of its {records} records were not understood, so that any answer would be of the others alone: {what}\n\
         Mend the file, or say what its columns hold"
    )]
    TooManyLost {
        /// Records that were not understood.
        lost: u64,
        records: u64,
        /// Why, with examples.
        what: String,
    },
    #[error("{}", describe_no_job(account, sample))]
    NoJob {
        /// What was found instead.
        account: Account,
        /// The first line that is no job: its number and its beginning.
        sample: Option<(u32, String)>,
    },
    #[error("it has more than {} jobs, which is the limit here; take a part of it, a year say", whole(*most as u64))]
    TooManyJobs { most: usize },
    #[error("its text has more than {} bytes, which is the limit here; take a part of it, a year say", whole(*most))]
    TooMuchText {
        /// The limit, bytes after unpacking.
        most: u64,
    },
    #[error("there is not enough memory for more than {} of its jobs; take a part of it, a year say", whole(*jobs as u64))]
    NoMemory { jobs: usize },
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

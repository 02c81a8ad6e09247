//! Why a log cannot be read.

use super::{FileLine, Packing};
use crate::{Account, Beyond, Header, Names, Reason, Record, Seconds};

/// Why a log cannot be read: what is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("the file is empty; give a log in Standard Workload Format (.swf), plain or gzipped")]
    Empty,
    #[error("this is {0}, which cannot be read here; unpack it and give the log itself, plain or as .gz")]
    Packed(&'static str),
    #[error("what is packed in this file is a {0} file itself; unpack it once and give that")]
    PackedTwice(Packing),
    #[error("this is {what}, and no log: {instead}")]
    Named {
        what: &'static str,
        /// What to give instead.
        instead: &'static str,
    },
    #[error(
        "this is a table without names of columns, and not the Standard Workload Format, which has 18 numbers a line or \
         begins with comments (; Version: 2.2): say which column is which ({}), or put a line with their names first",
        guess.as_ref().map_or_else(
            || "as in --columns submit=2,start=3,end=4,processors=5".to_owned(),
            |guess| format!("by what is in them: --columns \"{guess}\"; look at it before you take it")
        )
    )]
    Unnamed {
        /// What the columns seem to hold, in the words of the command line.
        guess: Option<Box<str>>,
    },
    #[error("this is a web page, not a log (line {line} begins with <); download the log itself")]
    WebPage { line: u32 },
    #[error("this is not a text file (line {line} holds bytes that no text has); give a log as text, plain or packed")]
    Binary { line: u32 },
    #[error(
        "this is not a log: line {line} does not end within {} KiB, and no job comes before it; \
         give a log in Standard Workload Format, one job a line",
        super::source::LONGEST_LINE / 1024
    )]
    EndlessLine { line: u32 },
    #[error("the {packing} file is cut off after {jobs} jobs (line {line}); download or copy it again")]
    CutOff { packing: Packing, jobs: usize, line: u32 },
    #[error("the {packing} file is damaged after {jobs} jobs (line {line}): {what}; download or copy it again")]
    Corrupt { packing: Packing, jobs: usize, line: u32, what: &'static str },
    #[error("the Parquet file is damaged: {0}; download or copy it again")]
    DamagedParquet(&'static str),
    #[error(
        "this Parquet file has {0}, which cannot be read here; write it anew, for instance in Python: \
         pandas.read_parquet(FILE).to_csv(\"jobs.csv\", index=False)"
    )]
    ParquetNotRead(String),
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
    #[error(
        "this is JSON, but no workload of Batsim, no output of sacct --json, and no list of records with names such as id, submit, \
         start, end, processors: {0}"
    )]
    Json(String),
    #[error(
        "this is a log of {of}, and columns are missing: {missing}. It has {found}. Make it again, for instance with: \
         {command}{}",
        guess.as_ref().map_or_else(String::new, |guess| format!(
            ". By what is in the columns: --columns \"{guess}\"; look at it before you take it"
        ))
    )]
    MissingColumns {
        of: &'static str,
        /// The columns, in words.
        missing: String,
        found: String,
        command: &'static str,
        /// What the columns seem to hold, in the words of the command line.
        guess: Option<Box<str>>,
    },
    #[error("this is a table of fixed width, in which sacct cuts off what is wider. Make it again with -P: {command}")]
    FixedWidth { command: &'static str },
    #[error("{0}")]
    Stopped(String),
    #[error(
        "{lost} of its {records} records were not understood{}, so that any answer would be of the others alone: {what}\n\
         Mend the file, or say what its columns hold",
        share_of_work(*work)
    )]
    TooManyLost {
        /// Records that were not understood.
        lost: u64,
        records: u64,
        /// Their work as far as it is known, and that of all that should be jobs, processor-seconds.
        work: (u64, u64),
        /// Why, with examples.
        what: String,
    },
    #[error("{}", describe_no_job(account, sample))]
    NoJob {
        /// What was found instead.
        account: Box<Account>,
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

/// The part of the work that was lost, where it is known and worth a word.
fn share_of_work((lost, of): (u64, u64)) -> String {
    let share = lost as f64 / (of as f64).max(1.0);
    if share < 0.001 { String::new() } else { format!(" ({:.1} % of the work)", 100.0 * share) }
}

/// A whole number with its digits in groups of three.
fn whole(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

impl ReadError {
    /// The same error, with what the columns of a table seem to hold.
    pub(super) fn guessing(mut self, guessed: impl FnOnce() -> Option<Box<str>>) -> Self {
        if let ReadError::Unnamed { guess } | ReadError::MissingColumns { guess, .. } = &mut self {
            *guess = guessed();
        }
        self
    }

    /// Whether the error says that the content is not a log, rather than that the file cannot be read.
    pub(super) fn is_of_content(&self) -> bool {
        use ReadError::{
            Binary, Empty, EndlessLine, FixedWidth, Json, MissingColumns, Named, NoJob, Packed, PackedTwice,
            ParquetNotRead, Unnamed, WebPage,
        };
        matches!(
            self,
            Json(_)
                | FixedWidth { .. }
                | Named { .. }
                | Unnamed { .. }
                | MissingColumns { .. }
                | Empty
                | Packed(_)
                | PackedTwice(_)
                | ParquetNotRead(_)
                | WebPage { .. }
                | Binary { .. }
                | EndlessLine { .. }
                | NoJob { .. }
        )
    }

    /// Whether it could be read if it may lose more records than it may.
    pub fn is_of_losses(&self) -> bool {
        match self {
            ReadError::TooManyLost { .. } => true,
            ReadError::InZip { why, .. } | ReadError::InTar { why, .. } => why.is_of_losses(),
            _ => false,
        }
    }

    /// Whether the error says that reading goes no further, whatever the content.
    pub(super) fn is_of_limits(&self) -> bool {
        use ReadError::{NoMemory, Stopped, TooManyJobs, TooMuchText};
        matches!(self, NoMemory { .. } | Stopped(_) | TooManyJobs { .. } | TooMuchText { .. })
    }

    /// The same error, with the place where a packed stream ends too soon or makes no sense: after so many jobs and
    /// lines.
    pub(super) fn after(self, jobs: usize, line: u32) -> Self {
        use ReadError::{Corrupt, CutOff};
        match self {
            CutOff { packing, .. } => CutOff { packing, jobs, line },
            Corrupt { packing, what, .. } => Corrupt { packing, jobs, line, what },
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
        let lost = account.entries().iter().filter(|entry| entry.reason.is_of_reader());
        for (line, example) in lost.flat_map(|entry| entry.lines.iter().zip(&entry.examples)) {
            text.push_str(&format!("\n  line {line} reads \"{example}\""));
        }
        if account.count(Reason::NoSubmitTime) > 0 {
            text.push_str(
                "\nA time has its date, with the year, in one column. Of dates that leave open which number is the \
                 month, say how they are written: --columns \"submit=NAME:%m/%d/%Y %H:%M:%S\"",
            );
        }
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

// What each format of logs does: it turns lines into records.

/// A format of logs, which takes lines one at a time. Each has a module outside this folder.
pub(crate) trait Format {
    /// Takes the next line.
    ///
    /// # Errors
    /// As soon as it is certain that this is no log of this format, or one beyond the limits.
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError>;

    /// Whether the rest of a line after its first 64 KiB is wanted, too, as further lines.
    fn takes_long_lines(&self) -> bool {
        false
    }

    /// Whether the log is a table whose columns are known by their names or by the user's statements.
    fn is_table(&self) -> bool {
        false
    }

    fn jobs(&self) -> usize;

    /// Ends the log and returns its content.
    ///
    /// # Errors
    /// If the lines hold no usable job.
    fn finish(self: Box<Self>) -> Result<LogContent, ReadError>;
}

#[derive(Default)]
pub(crate) struct LogContent {
    /// Header comments, or labels of the same form that the format makes.
    pub(crate) header: Header,
    pub(crate) records: Vec<Record>,
    /// What was repaired or left out.
    pub(crate) account: Account,
    /// The names for which the numbers of users, groups and so on stand.
    pub(crate) names: Names,
    /// What SWF has no field for.
    pub(crate) beyond: Beyond,
    /// What the file's own clock shows at the log's zero.
    pub(crate) own_zero: Seconds,
    /// Whether the log is a table whose columns are known by their names or by the user's statements.
    pub(crate) is_table: bool,
    /// Whether the names of a table's columns, or the user, say in which unit its limits are.
    pub(crate) knows_limits: bool,
}

//! Why a log cannot be read.

use super::Packing;
use crate::workload::{Account, Reason};

/// Why a log cannot be read: what is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// There are no bytes at all.
    #[error("the file is empty; give a log in Standard Workload Format (.swf), plain or gzipped")]
    Empty,
    /// It is an archive or a compressed file of a kind that is not read here.
    #[error("this is {0}, which cannot be read here; unpack it and give the log itself, plain or as .gz")]
    Packed(&'static str),
    /// What is packed is packed itself.
    #[error("what is packed in this file is a {0} file itself; unpack it once and give that")]
    PackedTwice(Packing),
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
    /// A packed stream stops in the middle.
    #[error("the {packing} file is cut off after {jobs} jobs (line {line}); download or copy it again")]
    CutOff {
        /// How it is packed.
        packing: Packing,
        /// Jobs read up to there.
        jobs: usize,
        /// Lines read up to there.
        line: u32,
    },
    /// A packed stream contradicts itself.
    #[error("the {packing} file is damaged after {jobs} jobs (line {line}): {what}; download or copy it again")]
    Corrupt {
        /// How it is packed.
        packing: Packing,
        /// Jobs read up to there.
        jobs: usize,
        /// Lines read up to there.
        line: u32,
        /// The contradiction.
        what: &'static str,
    },
    /// A Parquet file that contradicts itself, and how.
    #[error("the Parquet file is damaged: {0}; download or copy it again")]
    DamagedParquet(&'static str),
    /// What a Parquet file has that is not read here.
    #[error(
        "this Parquet file has {0}, which cannot be read here; write it anew, for instance in Python: \
         pandas.read_parquet(FILE).to_csv(\"jobs.csv\", index=False)"
    )]
    ParquetNotRead(String),
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
         {command}{}",
        guess.as_ref().map_or_else(String::new, |guess| format!(
            ". By what is in the columns: --columns \"{guess}\"; look at it before you take it"
        ))
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
        /// What the columns seem to hold, in the words of the command line.
        guess: Option<Box<str>>,
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
        "{lost} of its {records} records were not understood{}, so that any answer would be of the others alone: {what}\n\
         Mend the file, or say what its columns hold",
        share_of_work(*work)
    )]
    TooManyLost {
        /// Records that were not understood.
        lost: u64,
        /// Records that should be jobs.
        records: u64,
        /// Their work as far as it is known, and that of all that should be jobs, processor-seconds.
        work: (u64, u64),
        /// Why, with examples.
        what: String,
    },
    /// Not a single line that holds a usable job.
    #[error("{}", describe_no_job(account, sample))]
    NoJob {
        /// What was found instead.
        account: Box<Account>,
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
                "\nOf dates that leave open which number is the month, say how they are written: --columns \
                 \"submit=NAME:%m/%d/%Y %H:%M:%S\"",
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

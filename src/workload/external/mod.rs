//! Schedules and estimates of a log's jobs that come from elsewhere: another simulator, a production system, a model.
//!
//! A file is read as it is ([`read_external`]), put beside the log that it is of ([`Log::external`](super::Log)), and
//! made into a column of each workload that is made of that log ([`ExternalColumn`]).

mod pairing;
mod reader;
mod table;

pub use pairing::{Agreement, ExternalFault};
pub use reader::{ExternalError, external_kinds, read_external};

use super::{Fingerprint, Seconds};
use crate::catalogue::NamedFile;
use serde::{Deserialize, Serialize};

/// What a file says of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExternalKind {
    /// When they start.
    Schedule,
    /// For how long they are expected to run.
    Estimates,
    /// Nothing of single jobs: it is one of the files of the Slurm site that they ran on.
    Site,
}

/// A file of starts or estimates.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// What studies call it.
    pub file: NamedFile,
    lines: ExternalLines,
    /// How many of its times had decimals, which were cut off.
    cut: usize,
}

/// What its lines say.
#[derive(Clone, Debug, PartialEq)]
enum ExternalLines {
    Starts(Vec<ExternalLine<ExternalStart>>),
    Estimates(Vec<ExternalLine<f64>>),
}

/// A job of a file.
#[derive(Clone, Debug, PartialEq)]
struct ExternalLine<T> {
    /// Digest of its id, as in [`Beyond::ids`](super::Beyond).
    id: u64,
    /// Its number, -1 where it has none.
    number: i64,
    /// When the file says that it was submitted, seconds of the file's clock.
    submit: Option<Seconds>,
    value: T,
}

/// When a job starts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ExternalStart {
    /// So many seconds after its submission.
    Wait(Seconds),
    /// At a Unix time, for it was written as a date.
    Date(Seconds),
    /// At a number of seconds: since the log's zero, since 1970, or on the clock of the log's file.
    Number(Seconds),
}

/// A column of a workload that comes from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExternalColumn {
    /// Which file.
    pub file: NamedFile,
    /// For what.
    pub kind: ExternalKind,
    /// Its values; why there are none.
    pub values: Result<ExternalValues, ExternalFault>,
}

/// The values of a column, of each job in log order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ExternalValues {
    /// Starts, seconds of the log's clock.
    Starts(Vec<Seconds>),
    /// Estimates, seconds; 0 where the file has none.
    Estimates(Vec<f64>),
}

impl External {
    /// What it says of jobs.
    pub fn kind(&self) -> ExternalKind {
        match self.lines {
            ExternalLines::Starts(_) => ExternalKind::Schedule,
            ExternalLines::Estimates(_) => ExternalKind::Estimates,
        }
    }

    /// Of how many jobs it says something.
    pub fn len(&self) -> usize {
        match &self.lines {
            ExternalLines::Starts(lines) => lines.len(),
            ExternalLines::Estimates(lines) => lines.len(),
        }
    }

    /// Whether it says nothing of any job.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The digest of its content.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.file.digest())
    }

    /// The same under another name.
    pub fn called(self, name: &str) -> Self {
        External { file: NamedFile::new(name, self.file.digest()), ..self }
    }
}

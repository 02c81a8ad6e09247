//! Schedules and estimates of a log's jobs that come from elsewhere: another simulator, a production system, a model.
//!
//! [`read_external`] reads a file. The file is kept with the log that it is about ([`Log::external`](super::Log)), and
//! becomes a column of each workload that is made of that log ([`ExternalColumn`]).

mod column;
mod fault;
mod pairing;
mod reader;
mod table;

pub use fault::ExternalFault;
pub use pairing::PairingCounts;
pub use reader::{ExternalError, external_kinds, read_external};

use super::{Fingerprint, Seconds};
use crate::catalogue::NamedFile;
use serde::{Deserialize, Serialize};

/// What a file says of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExternalKind {
    Schedule,
    /// The expected run times of jobs.
    Estimates,
    /// Nothing about single jobs: the file is one of the Slurm site that they ran on.
    Site,
}

/// A file of starts or estimates.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// The file, as studies name it.
    pub file: NamedFile,
    lines: ExternalLines,
    /// How many of its times had decimals, which were cut off.
    cut: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum ExternalLines {
    Starts(Vec<ExternalLine<ExternalStart>>),
    Estimates(Vec<ExternalLine<f64>>),
}

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

#[derive(Clone, Copy, Debug, PartialEq)]
enum ExternalStart {
    /// This many seconds after its submission.
    Wait(Seconds),
    /// At this Unix time, because the file has a date.
    Date(Seconds),
    /// At this number of seconds since the log's zero, since 1970, or on the clock of the log's file.
    Number(Seconds),
}

/// A column of a workload that comes from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExternalColumn {
    pub file: NamedFile,
    pub kind: ExternalKind,
    /// The values, or why there are none.
    pub values: Result<ExternalValues, ExternalFault>,
}

/// The values of a column: one for each job, in log order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ExternalValues {
    Starts(Vec<Seconds>),
    /// Estimates, seconds; 0 where the file has none.
    Estimates(Vec<f64>),
}

impl External {
    pub fn kind(&self) -> ExternalKind {
        match self.lines {
            ExternalLines::Starts(_) => ExternalKind::Schedule,
            ExternalLines::Estimates(_) => ExternalKind::Estimates,
        }
    }

    pub fn len(&self) -> usize {
        match &self.lines {
            ExternalLines::Starts(lines) => lines.len(),
            ExternalLines::Estimates(lines) => lines.len(),
        }
    }

    /// Whether the file says nothing of any job.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The digest of the file's content.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.file.digest())
    }

    /// The same file under another name.
    pub fn called(self, name: &str) -> Self {
        External { file: NamedFile::new(name, self.file.digest()), ..self }
    }
}

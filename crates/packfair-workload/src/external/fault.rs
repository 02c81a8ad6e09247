//! Why a file does not belong to a log.

use crate::Seconds;
use serde::{Deserialize, Serialize};

/// Why a file does not belong to a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ExternalFault {
    /// None of its jobs is one of the log's.
    #[error("{file} has none of the log's jobs: it is of another workload")]
    NoJobInCommon {
        /// What the file is called.
        file: String,
    },
    /// Jobs of the workload have no start.
    #[error("{file} has no start for {without} of {jobs} jobs, the first of which is job {job}: every job needs one")]
    NoStart {
        /// What the file is called.
        file: String,
        /// The first such job in log order.
        job: i64,
        /// How many such jobs there are.
        without: usize,
        /// Jobs of the workload.
        jobs: usize,
    },
    /// A job was submitted at another time than in the log.
    #[error(
        "in {file} job {job} is submitted {there} s after job {first}, in the log {here} s after it: it is of another \
         workload"
    )]
    OtherSubmission {
        /// What the file is called.
        file: String,
        /// The job.
        job: i64,
        /// The first job that both have.
        first: i64,
        /// Seconds between the two in the file.
        there: Seconds,
        /// Seconds between them in the log.
        here: Seconds,
    },
    /// A job comes more often in the file than in the log.
    #[error(
        "{file} has {lines} lines of job {job}, the log {records}: nobody can say which of them holds; take the others out"
    )]
    Twice {
        /// What the file is called.
        file: String,
        /// The first such job by its number.
        job: i64,
        /// How often the file has it.
        lines: usize,
        /// How often the log has it, in words.
        records: String,
    },
    /// The starts are dates, but the log has no dates.
    #[error("{file} has dates, and the log does not say when it begins (no UnixStartTime): give starts in seconds")]
    NoDates {
        /// What the file is called.
        file: String,
    },
}

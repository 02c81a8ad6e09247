//! Why a file does not belong to a log.

use crate::workload::Seconds;
use serde::{Deserialize, Serialize};

/// Why a file does not belong to a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ExternalFault {
    #[error("{file} has none of the log's jobs: it is of another workload")]
    NoJobInCommon { file: String },
    #[error("{file} has no start for {without} of {jobs} jobs, the first of which is job {job}: every job needs one")]
    NoStart { file: String, job: i64, without: usize, jobs: usize },
    #[error(
        "in {file} job {job} is submitted {there} s after job {first}, in the log {here} s after it: it is of another \
         workload"
    )]
    OtherSubmission { file: String, job: i64, first: i64, there: Seconds, here: Seconds },
    #[error(
        "{file} has {lines} lines of job {job}, the log {records}: nobody can say which of them holds; take the others out"
    )]
    Twice {
        file: String,
        job: i64,
        lines: usize,
        /// How often the log has it, in words.
        records: String,
    },
    #[error("{file} has dates, and the log does not say when it begins (no UnixStartTime): give starts in seconds")]
    NoDates { file: String },
}

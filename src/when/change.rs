//! A job with another request.

use crate::workload::{JobId, Request};

/// A job with another request.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The job of the log.
    pub job: JobId,
    /// What is changed, in words.
    pub what: String,
    /// What it then asks for.
    pub request: Request,
}

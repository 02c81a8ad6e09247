//! A job with another request.

use crate::workload::{JobId, Request};

/// A job with another request.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub job: JobId,
    pub what: String,
    pub request: Request,
}

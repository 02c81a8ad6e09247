//! A job with another request.

use packfair_workload::{JobId, Request, Seconds};

/// A job with another request.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The job.
    pub job: JobId,
    /// The change, in words.
    pub what: String,
    /// The request with the change.
    pub request: Request,
}

impl Change {
    /// When the job is submitted, if that is after `now`.
    pub(super) fn later(&self, now: Seconds) -> Option<Seconds> {
        Some(self.request.submit).filter(|&submit| submit > now)
    }
}

//! The requested time.

use super::Estimator;
use crate::workload::{JobId, Request, Seconds};

/// E = L, what users say and nearly all production schedulers use.
pub struct Requested;

impl Estimator for Requested {
    fn estimate(&mut self, _: JobId, request: &Request, _: Seconds) -> f64 {
        request.limit as f64
    }
}

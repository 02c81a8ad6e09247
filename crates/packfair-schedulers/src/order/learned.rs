//! F1 to F4: functions of a job's run time, width and submit time. Regression found them in simulations of which job is
//! best first (Carastan-Santos and de Camargo, "Obtaining dynamic scheduling policies with simulation and machine
//! learning", SC '17, Table 3). The job with the smallest value comes first.
//!
//! The paper uses the processing time; here the estimate takes its place. s is the submit time in seconds since the log
//! begins, at least 1. The larger s, the more slowly its logarithm grows: late in a long log submit times count for
//! less.

use packfair_engine::model::Waiting;

/// One of the functions.
#[derive(Clone, Copy)]
pub(super) enum Learned {
    /// log10(E) r + 8.70e2 log10(s)
    F1,
    /// sqrt(E) r + 2.56e4 log10(s)
    F2,
    /// E r + 6.86e6 log10(s)
    F3,
    /// E sqrt(r) + 5.30e5 log10(s)
    F4,
}

impl Learned {
    /// The value for a job.
    #[inline(never)] // a logarithm costs more than the call
    pub(super) fn of(self, job: &Waiting) -> f64 {
        let (r, e) = (f64::from(job.processors), job.estimate);
        let submitted = libm::log10(job.submit.max(1) as f64);
        match self {
            Learned::F1 => libm::log10(e) * r + 8.70e2 * submitted,
            Learned::F2 => e.sqrt() * r + 2.56e4 * submitted,
            Learned::F3 => e * r + 6.86e6 * submitted,
            Learned::F4 => e * r.sqrt() + 5.30e5 * submitted,
        }
    }
}

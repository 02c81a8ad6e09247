//! How good the estimates made at submission were. Jobs without an estimate do not count.

use super::Outcome;
use super::sum::{mean, ratio, sum};
use crate::model::Schedule;

/// A job with an estimate, and its outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EstimatedJob {
    pub outcome: Outcome,
    /// The estimate E made at submission, seconds.
    pub estimate: f64,
    /// How often the estimate was corrected while the job ran.
    pub corrections: u32,
}

impl EstimatedJob {
    /// Actual run time D, seconds.
    pub(super) fn run(&self) -> f64 {
        self.outcome.run as f64
    }
}

/// Those of `jobs` that have an estimate. In a log's own schedule no job has one.
pub fn estimated(jobs: &[Outcome], schedule: &Schedule) -> Vec<EstimatedJob> {
    let of = |outcome: &Outcome| {
        let job = outcome.job.index();
        let corrections = schedule.corrections.get(job).copied().unwrap_or(0);
        Some(EstimatedJob { outcome: *outcome, estimate: *schedule.estimates.get(job)?, corrections })
    };
    jobs.iter().filter_map(of).collect()
}

/// Coefficient of determination R² = 1 - Σ (E - D)² / Σ (D - mean D)² (METRICS Table IV); `None` where all run times
/// are the same.
pub fn r_squared(jobs: &[EstimatedJob]) -> Option<f64> {
    let middle = mean(jobs.iter().map(EstimatedJob::run))?;
    let square = |x: f64| x * x;
    let error = sum(jobs.iter().map(|job| square(job.estimate - job.run())));
    Some(1.0 - ratio(error, sum(jobs.iter().map(|job| square(job.run() - middle))))?)
}

/// Mean absolute error, mean |E - D|, seconds (METRICS §VI).
pub fn mean_absolute_error(jobs: &[EstimatedJob]) -> Option<f64> {
    mean(jobs.iter().map(|job| (job.estimate - job.run()).abs()))
}

/// Share of jobs whose estimate at submission was below their run time, E < D (METRICS §VI).
pub fn under_rate(jobs: &[EstimatedJob]) -> Option<f64> {
    mean(jobs.iter().map(|job| f64::from(u8::from(job.estimate < job.run()))))
}

/// Number of corrections of estimates; `None` if there are no estimates.
pub fn corrections(jobs: &[EstimatedJob]) -> Option<f64> {
    let counts = jobs.iter().map(|job| u64::from(job.corrections));
    counts.reduce(|a, b| a + b).map(|count| count as f64)
}

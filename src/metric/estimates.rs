//! How good the estimates made at submission were. Jobs without an estimate do not count.

use super::Outcome;
use super::sum::{mean, ratio, sum};

/// Coefficient of determination R² = 1 - Σ (E - D)² / Σ (D - mean D)² (METRICS Table IV);
/// none where all run times are the same.
pub fn r_squared(jobs: &[Outcome]) -> Option<f64> {
    let pairs = pairs(jobs);
    let middle = mean(pairs.iter().map(|&(_, run)| run))?;
    let square = |x: f64| x * x;
    let error = sum(pairs.iter().map(|&(estimate, run)| square(estimate - run)));
    Some(1.0 - ratio(error, sum(pairs.iter().map(|&(_, run)| square(run - middle))))?)
}

/// Mean absolute error, mean |E - D|, seconds (METRICS §VI).
pub fn mean_absolute_error(jobs: &[Outcome]) -> Option<f64> {
    mean(pairs(jobs).iter().map(|(estimate, run)| (estimate - run).abs()))
}

/// Share of jobs whose estimate at submission was below their run time, E < D (METRICS §VI).
pub fn under_rate(jobs: &[Outcome]) -> Option<f64> {
    mean(pairs(jobs).iter().map(|(estimate, run)| f64::from(u8::from(estimate < run))))
}

/// How many corrections of estimates there were; none where there are no estimates.
pub fn corrections(jobs: &[Outcome]) -> Option<f64> {
    let estimated = jobs.iter().filter(|job| job.estimate.is_some());
    let counts = estimated.map(|job| u64::from(job.corrections));
    counts.reduce(|a, b| a + b).map(|count| count as f64)
}

/// Estimate and run time of each job that has an estimate.
fn pairs(jobs: &[Outcome]) -> Vec<(f64, f64)> {
    jobs.iter().filter_map(|job| Some((job.estimate?, job.run as f64))).collect()
}

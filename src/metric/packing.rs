//! Packing efficiency: how early the work gets done, whatever job it belongs to.

use super::Outcome;
use super::sum::{ratio, sum};

/// Area-weighted average response time AWF, Σ r D F / Σ r D, seconds (METRICS §III).
pub fn area_weighted_response(jobs: &[Outcome]) -> Option<f64> {
    area_weighted(jobs, |job| job.response() as f64)
}

/// Area-weighted average wait AWQ, AWF - Σ r D² / Σ r D = Σ r D Q / Σ r D, seconds (METRICS §III).
pub fn area_weighted_wait(jobs: &[Outcome]) -> Option<f64> {
    area_weighted(jobs, |job| job.wait() as f64)
}

fn area_weighted(jobs: &[Outcome], value: impl Fn(&Outcome) -> f64) -> Option<f64> {
    ratio(sum(jobs.iter().map(|job| job.area() * value(job))), sum(jobs.iter().map(Outcome::area)))
}

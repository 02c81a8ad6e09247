//! Packing efficiency: how early work gets done, whichever job it belongs to.

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

/// AWF of jobs with priority weights p, one for each, Σ p r D F / Σ p r D, seconds (METRICS §IV).
pub fn area_weighted_response_with(jobs: &[Outcome], weights: &[f64]) -> Option<f64> {
    area_weighted_with(jobs, weights, |job| job.response() as f64)
}

/// AWQ of jobs with priority weights p, one for each, Σ p r D Q / Σ p r D, seconds (METRICS §IV).
pub fn area_weighted_wait_with(jobs: &[Outcome], weights: &[f64]) -> Option<f64> {
    area_weighted_with(jobs, weights, |job| job.wait() as f64)
}

fn area_weighted_with(jobs: &[Outcome], weights: &[f64], value: impl Fn(&Outcome) -> f64) -> Option<f64> {
    let area = |(job, weight): (&Outcome, &f64)| weight * job.area();
    let total = sum(jobs.iter().zip(weights).map(|(job, weight)| area((job, weight)) * value(job)));
    ratio(total, sum(jobs.iter().zip(weights).map(area)))
}

fn area_weighted(jobs: &[Outcome], value: impl Fn(&Outcome) -> f64) -> Option<f64> {
    ratio(sum(jobs.iter().map(|job| job.area() * value(job))), sum(jobs.iter().map(Outcome::area)))
}

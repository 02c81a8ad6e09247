//! Metrics of response times, waits and slowdowns.

use super::Outcome;
use super::sum::{mean, ratio, sum};

/// Average bounded slowdown, mean max(1, F / max(D, τ)) with τ = `bound` seconds (METRICS §II).
pub fn bsld(jobs: &[Outcome], bound: f64) -> Option<f64> {
    mean(jobs.iter().map(|job| job.bounded_slowdown(bound)))
}

/// Average response time AF, mean F, seconds (METRICS §II).
pub fn average_response(jobs: &[Outcome]) -> Option<f64> {
    mean(jobs.iter().map(|job| job.response() as f64))
}

/// Average wait AQ, mean Q, seconds (METRICS §II).
pub fn average_wait(jobs: &[Outcome]) -> Option<f64> {
    mean(jobs.iter().map(|job| job.wait() as f64))
}

/// Longest wait, max Q, seconds (METRICS §VII).
pub fn longest_wait(jobs: &[Outcome]) -> Option<f64> {
    jobs.iter().map(Outcome::wait).max().map(|wait| wait as f64)
}

/// Mean of the longest `percent` percent of the waits (their number is rounded up), seconds (FAIRNESS §5, after Lindsay
/// et al.).
pub fn worst_waits(jobs: &[Outcome], percent: usize) -> Option<f64> {
    let mut waits: Vec<i64> = jobs.iter().map(Outcome::wait).collect();
    radsort::sort_by_key(&mut waits, |&wait| wait);
    let worst = &waits[waits.len() - worst_count(waits.len(), percent)..];
    mean(worst.iter().map(|&wait| wait as f64))
}

/// How many of `jobs` jobs are in the worst `percent` percent.
pub(super) fn worst_count(jobs: usize, percent: usize) -> usize {
    (jobs * percent).div_ceil(100)
}

/// Jain's fairness index of the bounded slowdowns b, (Σ b)² / (n Σ b²) (Jain et al. 1984, which METRICS §VII names): 1
/// where all are alike. `bound` is the τ of the slowdowns, seconds.
pub fn jain(jobs: &[Outcome], bound: f64) -> Option<f64> {
    let slowdowns = || jobs.iter().map(|job| job.bounded_slowdown(bound));
    let total = sum(slowdowns());
    ratio(total * total, jobs.len() as f64 * sum(slowdowns().map(|slowdown| slowdown * slowdown)))
}

/// l_p norm of the response times, (Σ F^p)^(1/p), seconds, p at least 1 (METRICS §VII).
pub fn norm(jobs: &[Outcome], p: f64) -> Option<f64> {
    let largest = jobs.iter().map(Outcome::response).max()? as f64;
    // Relative to the largest, so that no power overflows.
    let ratios = jobs.iter().map(|job| job.response() as f64 / largest);
    // Usually p is 2, and a plain square equals what `pow` gives.
    let powers =
        if p == 2.0 { sum(ratios.map(|ratio| ratio * ratio)) } else { sum(ratios.map(|ratio| libm::pow(ratio, p))) };
    norm_of(largest, powers, p)
}

/// [`norm`] where the largest response time and Σ (F / largest)^p are known.
pub(super) fn norm_of(largest: f64, powers: f64, p: f64) -> Option<f64> {
    if largest <= 0.0 {
        return Some(0.0);
    }
    Some(largest * libm::pow(powers, 1.0 / p)).filter(|norm| norm.is_finite())
}

/// Average response time weighted by width ARTwW, Σ r F / Σ r, seconds (DYNP §5.1).
pub fn width_weighted_response(jobs: &[Outcome]) -> Option<f64> {
    ratio(sum(jobs.iter().map(|job| job.width() * job.response() as f64)), sum(jobs.iter().map(Outcome::width)))
}

/// Slowdown weighted by width SLDwW, Σ r max(F, τ) / max(D, τ) / Σ r with τ = `bound` seconds (DYNP §5.1).
pub fn width_weighted_slowdown(jobs: &[Outcome], bound: f64) -> Option<f64> {
    let weighted = jobs.iter().map(|job| job.width() * job.slowdown_of_at_least(bound));
    ratio(sum(weighted), sum(jobs.iter().map(Outcome::width)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::JobId;

    #[test]
    fn the_worst_waits_are_the_longest_and_the_index_of_equals_is_one() {
        let job = |wait: i64, run: i64| Outcome {
            job: JobId(0),
            processors: 1,
            submit: 100,
            start: 100 + wait,
            end: 100 + wait + run,
            run,
        };
        let forty: Vec<Outcome> = (0..40).map(|i| job((i * 7) % 40, 10)).collect();
        assert_eq!([5, 1].map(|percent| worst_waits(&forty, percent)), [Some(38.5), Some(39.0)]);
        assert_eq!(worst_waits(&forty[..1], 1), Some(0.0), "at least one");
        assert_eq!(worst_waits(&[], 5), None);
        assert_eq!(jain(&[job(10, 10); 3], 10.0), Some(1.0));
        // Slowdowns 1 and 3.
        assert_eq!(jain(&[job(0, 10), job(20, 10)], 10.0), Some(16.0 / 20.0));
        assert_eq!(jain(&[], 10.0), None);
    }

    #[test]
    fn squares_are_the_powers_that_the_library_makes() {
        let mut ratio: f64 = 1.0;
        for _ in 0..10_000 {
            assert_eq!(libm::pow(ratio, 2.0), ratio * ratio);
            ratio *= 0.993_7;
        }
        assert_eq!(libm::pow(0.0, 2.0), 0.0);
    }
}

//! Fairness combined with packing: the PᵃSF family (METRICS §IV).

use super::Outcome;
use super::sum::{Sum, ratio};
use crate::workload::Seconds;

/// Largest exponent for which powers are multiplied out; larger and fractional ones use logarithms. The metric's
/// practical range is a = 1..3, exponents 2..5 (METRICS §IV).
const MULTIPLIED_UP_TO: f64 = 16.0;

/// Level-a priority-weighted specific response time PᵃSF, seconds (METRICS §IV):
/// (a+1)/(a+2) × Σ r (F^(a+2) - Q^(a+2)) / Σ r (F^(a+1) - Q^(a+1)), for any real `a` >= 0.
pub fn priority_weighted_response(jobs: &[Outcome], a: f64) -> Option<f64> {
    of_units(jobs, jobs.iter().map(Outcome::width), a)
}

/// PᵃSF of jobs with priority weights p, one for each job, seconds: a unit of computation weighs p times as much
/// (METRICS §IV).
pub fn priority_weighted_response_with(jobs: &[Outcome], weights: &[f64], a: f64) -> Option<f64> {
    of_units(jobs, jobs.iter().zip(weights).map(|(job, weight)| weight * job.width()), a)
}

/// PᵃSF where `units` gives, for each job, the weight of all that it computes in a second.
fn of_units(jobs: &[Outcome], units: impl Iterator<Item = f64>, a: f64) -> Option<f64> {
    if a.is_nan() || a < 0.0 {
        return None;
    }
    let (unit, per_unit) = scale_of(jobs)?;
    let (mut higher, mut lower) = (Sum::default(), Sum::default());
    for (job, units) in jobs.iter().zip(units) {
        let (run, wait) = (job.run as f64 * per_unit, job.wait() as f64 * per_unit);
        higher.add(units * difference_of_powers(run, wait, a + 2.0));
        lower.add(units * difference_of_powers(run, wait, a + 1.0));
    }
    ratio((a + 1.0) / (a + 2.0) * unit * higher.value(), lower.value())
}

/// A unit of time, seconds, and its inverse. The unit is a power of two above all response times: times in this unit
/// keep their digits, and no power of them overflows. `None` without jobs.
fn scale_of(jobs: &[Outcome]) -> Option<(f64, f64)> {
    Some(scale_above(jobs.iter().map(Outcome::response).max()?))
}

/// [`scale_of`] jobs whose longest response time is `longest`, seconds.
pub(super) fn scale_above(longest: Seconds) -> (f64, f64) {
    let exponent = 64 - longest.max(1).leading_zeros() as i32;
    (libm::ldexp(1.0, exponent), libm::ldexp(1.0, -exponent))
}

/// The level `a` as a whole number, if its powers are multiplied out.
pub(super) fn whole_level(a: f64) -> Option<usize> {
    (a.fract() == 0.0 && (0.0..=MULTIPLIED_UP_TO - 2.0).contains(&a)).then_some(a as usize)
}

/// F^n - Q^n for F = `run` + `wait` and Q = `wait`, n >= 1, without cancellation where Q is much greater than the run
/// time.
///
/// Whole n: (F - Q) (F^(n-1) + F^(n-2) Q + ... + Q^(n-1)), all terms positive. Any other n:
/// F^n (1 - (Q/F)^n) with `expm1` and `log1p`.
fn difference_of_powers(run: f64, wait: f64, n: f64) -> f64 {
    let response = run + wait;
    if n.fract() == 0.0 && n <= MULTIPLIED_UP_TO {
        let (mut series, mut power) = (1.0, 1.0);
        for _ in 1..n as u32 {
            power *= wait;
            series = series * response + power;
        }
        run * series
    } else if run > 0.0 {
        // ln(Q/F) = -ln(1 + D/Q); minus infinity where Q = 0.
        libm::pow(response, n) * -libm::expm1(-n * libm::log1p(run / wait))
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact difference for whole n, in integers.
    fn exact(run: i128, wait: i128, n: u32) -> f64 {
        ((run + wait).pow(n) - wait.pow(n)) as f64
    }

    #[test]
    fn differences_of_powers_keep_their_digits() {
        for (run, wait) in [(1, 10_000_000), (3, 7), (86_400, 0), (1, 1), (200_000, 5_000_000), (4_000_000, 2)] {
            for n in 1..=5 {
                let expected = exact(run, wait, n);
                let product = difference_of_powers(run as f64, wait as f64, f64::from(n));
                assert!((product / expected - 1.0).abs() < 1e-15, "{run} {wait} {n}: {product} {expected}");
                // The form with logarithms, at an exponent that differs from n by almost nothing.
                let logarithms = difference_of_powers(run as f64, wait as f64, f64::from(n) + 1e-13);
                assert!((logarithms / expected - 1.0).abs() < 1e-10, "{run} {wait} {n}: {logarithms} {expected}");
            }
        }
        assert_eq!(difference_of_powers(0.0, 5.0, 3.0), 0.0);
        assert_eq!(difference_of_powers(0.0, 0.0, 2.5), 0.0);
    }
}

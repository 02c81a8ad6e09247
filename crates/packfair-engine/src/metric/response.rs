//! Metrics of response times, waits and slowdowns.

use super::Outcome;
use super::sorting::with_positions;
use super::sums::{Totals, mean, ratio, sum};
use packfair_workload::{Seconds, Workload};
use serde::{Deserialize, Serialize};

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

// Quartiles, as a box plot shows them.

/// How values are spread: the quartiles, and the ends of a box plot's whiskers (Tukey 1977).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quartiles {
    /// The smallest value that is at most one and a half interquartile ranges below the first quartile.
    pub low: f64,
    pub first: f64,
    pub median: f64,
    pub third: f64,
    /// The largest value that is at most one and a half interquartile ranges above the third quartile.
    pub high: f64,
}

/// How far whiskers reach, in interquartile ranges.
const REACH: f64 = 1.5;

impl Quartiles {
    /// The quartiles of these values, none of which is NaN; `None` without values. A quartile between two values is
    /// interpolated linearly.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        radsort::sort(&mut values);
        let last = values.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = share * last as f64;
            let below = place as usize;
            let above = values[(below + 1).min(last)];
            values[below] + (above - values[below]) * (place - below as f64)
        };
        let (first, median, third) = (at(0.25), at(0.5), at(0.75));
        let reach = REACH * (third - first);
        let low = values.iter().copied().find(|&value| value >= first - reach).unwrap_or(first);
        let high = values.iter().copied().rfind(|&value| value <= third + reach).unwrap_or(third);
        // Between two values that are far apart, a quartile may lie beyond both ends.
        Some(Quartiles { low: low.min(first), first, median, third, high: high.max(third) })
    }
}

// The jobs that count, sorted by wait once, for the distribution of waits and for ranks.

/// Waits, and the positions of their jobs among those that count. The shortest wait comes first; equal waits are in log
/// order.
pub(super) struct SortedWaits(Vec<(Seconds, u32)>);

impl SortedWaits {
    pub(super) fn of(jobs: &[Outcome]) -> Self {
        SortedWaits(with_positions(jobs.iter().map(Outcome::wait)))
    }

    /// The wait and the position of each job, sorted.
    pub(super) fn jobs(&self) -> &[(Seconds, u32)] {
        &self.0
    }
}

// How much was done. Where users react, throughput is a result and does not follow from the log.

/// What was done within the span of the log, from its first submission to its last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Throughput {
    pub(super) jobs: usize,
    /// Processor-seconds of the jobs that completed.
    pub(super) area: f64,
    /// Number of sessions all of whose jobs completed; `None` where there are no sessions.
    pub(super) sessions: Option<usize>,
    /// Mean time from the first submission of a session to its last end, over finished sessions, seconds.
    pub(super) session_s: Option<f64>,
    /// Time from the first submission to the last where users react, seconds; `None` where they do not.
    pub(super) lived_s: Option<f64>,
}

impl Throughput {
    pub(super) fn of(workload: &Workload, all: &[Outcome], totals: Totals) -> Self {
        let (first, last) = (totals.first_submit, totals.last_submit);
        let life = workload.life();
        let end = life.map_or(last, |life| life.span.1);
        let (mut jobs, mut area) = (0, 0);
        for job in all.iter().filter(|job| job.completion() <= end) {
            jobs += 1;
            // The sum is in whole numbers, so the order does not matter.
            area += i128::from(job.processors) * i128::from(job.run);
        }
        let numbers = life.map_or(&[][..], |life| &life.sessions);
        let count = numbers.iter().max().map_or(0, |&session| session as usize + 1);
        // The first submission and the last end of each session.
        let mut sessions = vec![(Seconds::MAX, Seconds::MIN); count];
        for job in all.iter().take(if count > 0 { all.len() } else { 0 }) {
            if let Some(&session) = numbers.get(job.job.index()) {
                let (begin, end) = &mut sessions[session as usize];
                (*begin, *end) = ((*begin).min(job.submit), (*end).max(job.completion()));
            }
        }
        let is_over = |(begin, last): &&(Seconds, Seconds)| begin <= last && *last <= end;
        let finished: Vec<Seconds> = sessions.iter().filter(is_over).map(|(begin, last)| last - begin).collect();
        let mean = finished.iter().sum::<Seconds>() as f64 / finished.len() as f64;
        Throughput {
            jobs,
            area: area as f64,
            sessions: (count > 0).then_some(finished.len()),
            session_s: (!finished.is_empty()).then_some(mean),
            lived_s: life.map(|_| (last - first) as f64),
        }
    }
}

// Packing efficiency: how early work gets done, whichever job it belongs to.

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

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::JobId;

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

#[cfg(test)]
mod quartiles_tests {
    use super::*;

    #[test]
    fn quartiles_and_whiskers_are_those_found_by_hand() {
        assert_eq!(Quartiles::of(vec![]), None);
        let one = Quartiles { low: 3.0, first: 3.0, median: 3.0, third: 3.0, high: 3.0 };
        assert_eq!(Quartiles::of(vec![3.0]), Some(one));
        // Indices 1, 2 and 3 of 0 to 4; 20 lies beyond 4 + 1.5 (4 - 2).
        let spread = Quartiles { low: 1.0, first: 2.0, median: 3.0, third: 4.0, high: 4.0 };
        assert_eq!(Quartiles::of(vec![4.0, 20.0, 1.0, 3.0, 2.0]), Some(spread));
        // Indices 0.75, 1.5 and 2.25 of 0 to 3.
        let spread = Quartiles { low: 0.0, first: 0.75, median: 1.5, third: 2.25, high: 3.0 };
        assert_eq!(Quartiles::of(vec![0.0, 1.0, 2.0, 3.0]), Some(spread));
    }
}

#[cfg(test)]
mod sorted_waits_tests {
    use super::*;
    use packfair_workload::JobId;

    #[test]
    fn jobs_are_sorted_by_wait_then_in_log_order() {
        for waits in [vec![], vec![5], vec![0, 7, 0, 3, 7, 0, 3], vec![9, 4, 4, 9], vec![-1, 0, 2, -1]] {
            let job = |&wait: &i64| Outcome {
                job: JobId(0),
                processors: 1,
                submit: 100,
                start: 100 + wait,
                end: 200 + wait,
                run: 100,
            };
            let mut plain: Vec<(i64, u32)> = waits.iter().copied().zip(0..).collect();
            plain.sort();
            assert_eq!(SortedWaits::of(&waits.iter().map(job).collect::<Vec<_>>()).jobs(), plain);
        }
    }
}

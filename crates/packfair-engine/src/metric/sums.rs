//! Sums over the jobs that count, all made in one pass.
//!
//! A report has some fifteen metrics made of sums over the same jobs. [`response`](super::response) and
//! [`fairness`](super::fairness) define them one by one, each with its own pass over
//! the jobs. Here the terms and their order are the same, so every digit is too.

use super::capacity::Available;
use super::counted::{KilledRun, lost_area};
use super::fairness::{scale_above, whole_level};
use super::response::norm_of;
use super::{Measure, Outcome};
use packfair_workload::Seconds;

/// Sums of times, slowdowns, widths and areas.
pub(super) struct JobSums {
    jobs: f64,
    longest_wait: Option<Seconds>,
    longest_response: Option<Seconds>,
    bounded_slowdown: f64,
    squared_slowdown: f64,
    response: f64,
    wait: f64,
    area: f64,
    area_response: f64,
    area_wait: f64,
    width: f64,
    width_response: f64,
    width_slowdown: f64,
}

impl JobSums {
    pub(super) fn of(jobs: &[Outcome], measure: &Measure) -> Self {
        let (mut sums, mut longest_wait, mut longest_response) = (Sums::default(), None, None);
        for job in jobs {
            longest_wait = longest_wait.max(Some(job.wait()));
            longest_response = longest_response.max(Some(job.response()));
            let (response, wait, width, area) = (job.response() as f64, job.wait() as f64, job.width(), job.area());
            let slowdown = job.bounded_slowdown(measure.bsld_bound);
            sums.add([
                slowdown,
                width * job.slowdown_of_at_least(measure.sldww_bound),
                response,
                wait,
                area,
                width,
                area * response,
                area * wait,
                width * response,
                slowdown * slowdown,
            ]);
        }
        let [
            bounded_slowdown,
            width_slowdown,
            response,
            wait,
            area,
            width,
            area_response,
            area_wait,
            width_response,
            squared_slowdown,
        ] = sums.values();
        JobSums {
            jobs: jobs.len() as f64,
            longest_wait,
            longest_response,
            bounded_slowdown,
            squared_slowdown,
            response,
            wait,
            area,
            area_response,
            area_wait,
            width,
            width_response,
            width_slowdown,
        }
    }

    /// [`bsld`](super::response::bsld).
    pub(super) fn bsld(&self) -> Option<f64> {
        ratio(self.bounded_slowdown, self.jobs)
    }

    /// [`average_response`](super::response::average_response).
    pub(super) fn average_response(&self) -> Option<f64> {
        ratio(self.response, self.jobs)
    }

    /// [`average_wait`](super::response::average_wait).
    pub(super) fn average_wait(&self) -> Option<f64> {
        ratio(self.wait, self.jobs)
    }

    /// [`longest_wait`](super::response::longest_wait).
    pub(super) fn longest_wait(&self) -> Option<f64> {
        self.longest_wait.map(|wait| wait as f64)
    }

    /// The longest response time, seconds; `None` without jobs.
    pub(super) fn longest_response(&self) -> Option<Seconds> {
        self.longest_response
    }

    /// [`jain`](super::response::jain).
    pub(super) fn jain(&self) -> Option<f64> {
        ratio(self.bounded_slowdown * self.bounded_slowdown, self.jobs * self.squared_slowdown)
    }

    /// [`area_weighted_response`](super::packing::area_weighted_response).
    pub(super) fn area_weighted_response(&self) -> Option<f64> {
        ratio(self.area_response, self.area)
    }

    /// [`area_weighted_wait`](super::packing::area_weighted_wait).
    pub(super) fn area_weighted_wait(&self) -> Option<f64> {
        ratio(self.area_wait, self.area)
    }

    /// [`width_weighted_response`](super::response::width_weighted_response).
    pub(super) fn width_weighted_response(&self) -> Option<f64> {
        ratio(self.width_response, self.width)
    }

    /// [`width_weighted_slowdown`](super::response::width_weighted_slowdown).
    pub(super) fn width_weighted_slowdown(&self) -> Option<f64> {
        ratio(self.width_slowdown, self.width)
    }
}

/// Number of whole powers that are summed: those that P⁰SF to P³SF need.
const POWERS: usize = 5;

/// Σ r (Fⁿ - Qⁿ) for n from 1 to 5, with times in a unit in which no power overflows, and Σ F².
pub(super) struct PowerSums {
    unit: f64,
    sums: [f64; POWERS],
    longest_response: f64,
    /// Σ F², with F as a share of the longest response time.
    squared_responses: f64,
}

impl PowerSums {
    pub(super) fn of(jobs: &[Outcome], longest_response: Seconds) -> Self {
        let (unit, per_unit) = scale_above(longest_response);
        let (longest, mut sums) = (longest_response as f64, Sums::default());
        for job in jobs {
            let (width, run, wait) = (job.width(), job.run as f64 * per_unit, job.wait() as f64 * per_unit);
            let response = run + wait;
            // As in `difference_of_powers`; the term of n + 1 continues from that of n.
            let (mut series, mut power) = (1.0, 1.0);
            let mut terms = [0.0; POWERS + 1];
            for term in &mut terms[..POWERS] {
                *term = width * (run * series);
                power *= wait;
                series = series * response + power;
            }
            let share = job.response() as f64 / longest;
            // The number of terms is even, because they are added in pairs.
            terms[POWERS] = share * share;
            sums.add(terms);
        }
        let [first, second, third, fourth, fifth, squared_responses] = sums.values();
        let sums = [first, second, third, fourth, fifth];
        PowerSums { unit, sums, longest_response: longest, squared_responses }
    }

    /// [`priority_weighted_response`](super::fairness::priority_weighted_response) of level `a`; the outer `None` where
    /// its powers are not among these sums.
    pub(super) fn priority_weighted_response(&self, a: f64) -> Option<Option<f64>> {
        let lower = whole_level(a).filter(|&level| level + 1 < POWERS)?;
        let (higher, lower) = (self.sums[lower + 1], self.sums[lower]);
        Some(ratio((a + 1.0) / (a + 2.0) * self.unit * higher, lower))
    }
}

impl PowerSums {
    /// [`norm`](super::response::norm) with p = 2.
    pub(super) fn norm_of_squares(&self) -> Option<f64> {
        norm_of(self.longest_response, self.squared_responses, 2.0)
    }
}

// Sums that do not lose digits, and are the same on every machine.

/// A sum with Neumaier's compensation: the error does not grow with the number of its terms.
///
/// It only uses additions in the order of the terms, so every target gives the same bits. The rounding error of an
/// addition is found by Knuth's method, which needs no comparison and is exact too.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    total: f64,
    lost: f64,
}

impl Sum {
    #[inline]
    pub(super) fn add(&mut self, term: f64) {
        let Sum { total, lost } = *self;
        let next = total + term;
        let of_term = next - total;
        let rest = (total - (next - of_term)) + (term - of_term);
        *self = Sum { total: next, lost: lost + rest };
    }

    /// The sum of the terms so far.
    pub(super) fn value(self) -> f64 {
        self.total + self.lost
    }
}

/// Several sums with equally many terms, as [`Sum`] computes each. They are added side by side, for machines with
/// vector instructions.
pub(super) struct Sums<const N: usize> {
    totals: [f64; N],
    lost: [f64; N],
}

impl<const N: usize> Default for Sums<N> {
    fn default() -> Self {
        Sums { totals: [0.0; N], lost: [0.0; N] }
    }
}

impl<const N: usize> Sums<N> {
    #[inline(always)]
    pub(super) fn add(&mut self, terms: [f64; N]) {
        for ((total, lost), term) in self.totals.iter_mut().zip(&mut self.lost).zip(terms) {
            let next = *total + term;
            let of_term = next - *total;
            *lost += (*total - (next - of_term)) + (term - of_term);
            *total = next;
        }
    }

    /// The sums of the terms so far.
    pub(super) fn values(self) -> [f64; N] {
        let mut lost = self.lost.into_iter();
        // There are as many rest terms as totals.
        self.totals.map(|total| total + lost.next().unwrap_or_default())
    }
}

pub(super) fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let mut sum = Sum::default();
    for term in terms {
        sum.add(term);
    }
    sum.value()
}

/// The mean of `terms`; `None` without terms.
pub(super) fn mean(terms: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = terms.len() as f64;
    ratio(sum(terms), count)
}

/// `numerator / denominator`; `None` unless the denominator is above 0 and the result is finite.
pub(super) fn ratio(numerator: f64, denominator: f64) -> Option<f64> {
    let quotient = numerator / denominator;
    (denominator > 0.0 && quotient.is_finite()).then_some(quotient)
}

// What metrics of the machine need of all jobs, made in one pass. `capacity` defines these metrics one
// by one; sums are in whole numbers, so every digit is the same.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) first_submit: Seconds,
    pub(super) last_submit: Seconds,
    pub(super) last_end: Seconds,
    /// Processor-seconds of the executions that completed.
    area: i128,
}

impl Totals {
    /// The totals over these jobs; `None` without jobs.
    pub(super) fn of(all: &[Outcome]) -> Option<Self> {
        let first = all.first()?;
        let (submit, last_end) = (first.submit, first.completion());
        let mut totals = Totals { first_submit: submit, last_submit: submit, last_end, area: 0 };
        for job in all {
            totals.first_submit = totals.first_submit.min(job.submit);
            totals.last_submit = totals.last_submit.max(job.submit);
            totals.last_end = totals.last_end.max(job.completion());
            totals.area += i128::from(job.processors) * i128::from(job.run);
        }
        Some(totals)
    }

    /// [`makespan`](super::capacity::makespan).
    pub(super) fn makespan(&self) -> f64 {
        (self.last_end - self.first_submit) as f64
    }

    /// [`utilisation`](super::capacity::utilisation).
    pub(super) fn utilisation(&self, killed: &[KilledRun], available: &Available) -> Option<f64> {
        self.share(self.area + lost_area(killed), available)
    }

    /// [`useful_utilisation`](super::capacity::useful_utilisation).
    pub(super) fn useful_utilisation(&self, available: &Available) -> Option<f64> {
        self.share(self.area, available)
    }

    /// These processor-seconds as a share of those that there were.
    pub(super) fn share(&self, area: i128, available: &Available) -> Option<f64> {
        ratio(area as f64, available.area(self.first_submit, self.last_end))
    }

    /// [`lost_share`](super::killed::lost_share).
    pub(super) fn lost_share(&self, killed: &[KilledRun]) -> Option<f64> {
        ratio(lost_area(killed) as f64, self.area as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{fairness, response};
    use super::*;
    use packfair_workload::JobId;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random_jobs(count: u32, seed: u64) -> Vec<Outcome> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut job = |i| {
            let submit = random.random_range(0..10_000_000);
            let (run, wait) = (random.random_range(0..6), random.random_range(0..7));
            let run = random.random_range(0..=10_i64.pow(run));
            let start = submit + random.random_range(0..=10_i64.pow(wait));
            Outcome { job: JobId(i), processors: random.random_range(1..500), submit, start, end: start + run, run }
        };
        (0..count).map(&mut job).collect()
    }

    #[test]
    fn in_one_pass_every_metric_has_the_digits_that_it_has_by_itself() {
        for (count, seed) in [(0, 1), (1, 2), (2, 3), (50, 4), (1_000, 5), (1_000, 6)] {
            let jobs = random_jobs(count, seed);
            let measure = Measure { bsld_bound: 10.0, sldww_bound: 60.0, ..Measure::default() };
            let sums = JobSums::of(&jobs, &measure);
            assert_eq!(sums.bsld(), response::bsld(&jobs, 10.0));
            assert_eq!(sums.average_response(), response::average_response(&jobs));
            assert_eq!(sums.average_wait(), response::average_wait(&jobs));
            assert_eq!(sums.longest_wait(), response::longest_wait(&jobs));
            assert_eq!(sums.area_weighted_response(), response::area_weighted_response(&jobs));
            assert_eq!(sums.area_weighted_wait(), response::area_weighted_wait(&jobs));
            assert_eq!(sums.width_weighted_response(), response::width_weighted_response(&jobs));
            assert_eq!(sums.width_weighted_slowdown(), response::width_weighted_slowdown(&jobs, 60.0));
            assert_eq!(sums.jain(), response::jain(&jobs, 10.0));
            let Some(longest) = sums.longest_response() else {
                assert!(jobs.is_empty());
                continue;
            };
            let powers = PowerSums::of(&jobs, longest);
            assert_eq!(powers.norm_of_squares(), response::norm(&jobs, 2.0));
            for a in [0.0, 1.0, 2.0, 3.0] {
                let plain = fairness::priority_weighted_response(&jobs, a);
                assert_eq!(powers.priority_weighted_response(a), Some(plain), "{a}");
            }
            for a in [0.5, 4.0, -1.0, f64::NAN, f64::INFINITY] {
                assert_eq!(powers.priority_weighted_response(a), None, "{a}");
            }
        }
    }
}

#[cfg(test)]
mod sum_tests {
    use super::*;

    #[test]
    fn small_terms_survive_beside_large_ones() {
        assert_eq!(sum([1.0, 1e100, 1.0, -1e100].into_iter()), 2.0);
        let tenths = std::iter::repeat_n(0.1, 1_000_000);
        assert_eq!(sum(tenths), 100_000.0);
    }

    #[test]
    fn what_is_not_defined_is_none() {
        assert_eq!(mean([].into_iter()), None);
        assert_eq!(mean([1.0, 2.0].into_iter()), Some(1.5));
        assert_eq!(ratio(0.0, 0.0), None);
        assert_eq!(ratio(f64::INFINITY, 1.0), None);
    }
}

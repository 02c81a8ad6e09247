//! How good a plan is (DYNP §3.2, §5.1): lower is better, and equality is exact.
//!
//! Plans of one round have the same jobs, submit times, estimates and running jobs. So means are compared by what
//! differs alone: the planned starts of the waiting jobs, weighted and summed up. With times in whole seconds
//! these sums are integers. Where a time is a fraction of a second they are doubles, added up in log order, so that
//! equal plans have equal sums in whatever order they were made.

use crate::model::{View, Waiting};
use crate::workload::JobId;
use std::cmp::Ordering;

/// What is measured of a plan. Smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Average response time.
    Art,
    /// Average response time weighted by width.
    Artww,
    /// Makespan: when the last job ends.
    Makespan,
    /// Slowdown by estimates, bounded by [`SLOWDOWN_BOUND`] and weighted by width (§5.1; as a quality §6).
    Slowdown,
}

/// Responses and estimates below this bound count as long as the bound in slowdowns, seconds (DYNP §5.1).
const SLOWDOWN_BOUND: f64 = 60.0;

/// Which of the waiting jobs enter the quality (DYNP §6, "reduced future").
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReducedFuture {
    /// Only this many jobs enter, by planned start, ties in log order; none: all jobs.
    pub first: Option<usize>,
    /// Only jobs that start at most this many seconds from now enter; none: all jobs.
    pub within: Option<f64>,
}

impl ReducedFuture {
    /// Whether all waiting jobs enter.
    pub fn is_whole(&self) -> bool {
        *self == ReducedFuture::default()
    }
}

/// A running job, as qualities see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QualityJob {
    pub job: JobId,
    /// The submit time of the job, seconds.
    pub submit: f64,
    pub start: f64,
    pub end: f64,
    pub processors: u32,
}

/// How much a job counts: its processors, or on a machine of cells its dominant share.
pub(super) fn counted_processors(view: &View, job: JobId, processors: u32) -> u32 {
    view.size(job).unwrap_or(processors)
}

pub(super) fn running_jobs(view: &View) -> Vec<QualityJob> {
    let started = view.running.started().map(|(release, start)| QualityJob {
        job: release.job,
        submit: view.request(release.job).submit as f64,
        start: start as f64,
        end: release.at,
        processors: counted_processors(view, release.job, release.processors),
    });
    let mut running: Vec<QualityJob> = started.collect();
    running.sort_unstable_by_key(|running| running.job);
    running
}

/// A waiting job and its planned start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planned {
    pub job: Waiting,
    pub start: f64,
}

/// A sum of times, perhaps weighted, or the largest of times.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Amount {
    /// An amount in whole seconds.
    Whole(i128),
    /// An amount in seconds, where some time is a fraction of a second.
    Real(f64),
}

/// A mean, as an amount and its divisor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    pub amount: Amount,
    /// The divisor, above 0: a number of jobs or of processors, or 1 where the value is not a mean.
    pub by: i128,
}

impl Mean {
    pub fn compare(&self, other: &Mean) -> Ordering {
        self.compare_part(other, 1, 1)
    }

    /// Compares this mean times `numerator / denominator` with the other mean.
    fn compare_part(&self, other: &Mean, numerator: i128, denominator: i128) -> Ordering {
        match (self.amount, other.amount) {
            (Amount::Whole(a), Amount::Whole(b)) => (a * other.by * numerator).cmp(&(b * self.by * denominator)),
            (a, b) if self.by == other.by && numerator == denominator => a.seconds().total_cmp(&b.seconds()),
            (a, b) => {
                let (left, right) = (other.by as f64 * numerator as f64, self.by as f64 * denominator as f64);
                (a.seconds() * left).total_cmp(&(b.seconds() * right))
            }
        }
    }

    /// Whether this is better than `current` by at least `slackness` thousandths of a per cent.
    pub fn is_better_by(&self, current: &Mean, slackness: u32) -> bool {
        const ALL: i128 = 100_000;
        // per cent of the current mean: self / (1 - slackness) <= current
        self.compare_part(current, ALL, ALL - i128::from(slackness)) != Ordering::Greater
    }
}

impl Amount {
    /// The amount 0, in whole seconds or not.
    fn zero(is_whole: bool) -> Self {
        if is_whole { Amount::Whole(0) } else { Amount::Real(0.0) }
    }

    fn seconds(self) -> f64 {
        match self {
            Amount::Whole(seconds) => seconds as f64,
            Amount::Real(seconds) => seconds,
        }
    }

    /// Adds `weight` times `seconds`.
    fn add(self, weight: u32, seconds: f64) -> Self {
        match self {
            Amount::Whole(sum) => Amount::Whole(sum + i128::from(weight) * seconds as i128),
            Amount::Real(sum) => Amount::Real(sum + f64::from(weight) * seconds),
        }
    }

    /// The larger of this and `seconds`.
    fn most(self, seconds: f64) -> Self {
        match self {
            Amount::Whole(most) => Amount::Whole(most.max(seconds as i128)),
            Amount::Real(most) => Amount::Real(most.max(seconds)),
        }
    }
}

impl Quality {
    /// The weight in the mean of a job of this many processors.
    #[inline]
    pub fn weight(self, processors: u32) -> u32 {
        if matches!(self, Quality::Artww | Quality::Slowdown) { processors } else { 1 }
    }

    /// The part of the quality that differs between the plans of a round: the sum of weighted waits from `now` on, or
    /// the makespan from `now` on. Slowdowns have no such sum. `planned` is in log order.
    pub fn of_waiting(self, now: f64, running: &[QualityJob], planned: &[Planned], is_whole: bool) -> Mean {
        let zero = Amount::zero(is_whole);
        let amount = match self {
            Quality::Makespan => self.makespan(now, running, planned, zero),
            _ => planned
                .iter()
                .fold(zero, |sum, Planned { job, start }| sum.add(self.weight(job.processors), start - now)),
        };
        Mean { amount, by: 1 }
    }

    /// The mean over the running jobs and over the waiting jobs that enter it, or the makespan from `now` on. `running`
    /// and `planned` are in log order.
    pub fn of_all(
        self,
        now: f64,
        running: &[QualityJob],
        planned: &[Planned],
        future: ReducedFuture,
        is_whole: bool,
    ) -> Mean {
        let planned = future.of(now, planned);
        let zero = Amount::zero(is_whole);
        if self == Quality::Makespan {
            return Mean { amount: self.makespan(now, running, &planned, zero), by: 1 };
        }
        if self == Quality::Slowdown {
            return slowdown(running, &planned);
        }
        let responses = running.iter().map(|job| (job.processors, job.end - job.submit)).chain(
            planned.iter().map(|Planned { job, start }| (job.processors, start + job.estimate - job.submit as f64)),
        );
        let (amount, by) = responses.fold((zero, 0), |(sum, by), (processors, response)| {
            let weight = self.weight(processors);
            (sum.add(weight, response), by + i128::from(weight))
        });
        Mean { amount, by: by.max(1) }
    }

    fn makespan(self, now: f64, running: &[QualityJob], planned: &[Planned], zero: Amount) -> Amount {
        let ends = running.iter().map(|job| job.end);
        let ends = ends.chain(planned.iter().map(|planned| planned.start + planned.job.estimate));
        ends.fold(zero, |most, end| most.most(end - now))
    }
}

/// The slowdown Σ r max(F, τ) / max(E, τ) / Σ r, with estimates E and the bound τ.
fn slowdown(running: &[QualityJob], planned: &[Planned]) -> Mean {
    let running = running.iter().map(|job| (job.processors, job.end - job.submit, job.end - job.start));
    let planned = planned
        .iter()
        .map(|Planned { job, start }| (job.processors, start + job.estimate - job.submit as f64, job.estimate));
    let add = |(sum, by): (f64, i128), (processors, response, estimate): (u32, f64, f64)| {
        let slowdown = response.max(SLOWDOWN_BOUND) / estimate.max(SLOWDOWN_BOUND);
        (sum + f64::from(processors) * slowdown, by + i128::from(processors))
    };
    let (sum, by) = running.chain(planned).fold((0.0, 0), add);
    Mean { amount: Amount::Real(sum), by: by.max(1) }
}

/// Combines two qualities of the same plans. DYNP §6 names combinations but gives no rule. Here each quality is divided
/// by that of the best plan, and the quotients are added, so that both count alike whatever their units.
pub fn combined(first: &[Mean], second: &[Mean]) -> Vec<Mean> {
    let value = |mean: &Mean| mean.amount.seconds() / mean.by as f64;
    let least = |means: &[Mean]| means.iter().map(value).fold(f64::INFINITY, f64::min);
    let (least_first, least_second) = (least(first), least(second));
    // estimates are above 0, and so is each quality
    let together = |(a, b)| Mean { amount: Amount::Real(value(a) / least_first + value(b) / least_second), by: 1 };
    first.iter().zip(second).map(together).collect()
}

impl ReducedFuture {
    /// The jobs that enter the quality, in log order.
    fn of(self, now: f64, planned: &[Planned]) -> Vec<Planned> {
        let is_near = |start: f64| self.within.is_none_or(|within| start - now <= within);
        let mut entering: Vec<Planned> = planned.iter().copied().filter(|planned| is_near(planned.start)).collect();
        if let Some(first) = self.first.filter(|&first| first < entering.len()) {
            entering.sort_by(|a, b| a.start.total_cmp(&b.start)); // stable: ties stay in log order
            entering.truncate(first);
            entering.sort_by_key(|planned| planned.job.job);
        }
        entering
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(job: u32, submit: i64, processors: u32, estimate: f64, start: f64) -> Planned {
        Planned { job: Waiting { job: JobId(job), submit, processors, estimate }, start }
    }

    /// The first try of the worked example: jobs 1 and 2 run, 3, 4 and 5 wait at t = 8.
    fn example(starts: [f64; 3]) -> (Vec<QualityJob>, Vec<Planned>) {
        let running_job =
            |job, submit, end, processors| QualityJob { job: JobId(job), submit, start: submit, end, processors };
        let running = vec![running_job(0, 0.0, 30.0, 4), running_job(1, 2.0, 32.0, 3)];
        let waiting = [(2, 3, 3, 30.0), (3, 8, 3, 40.0), (4, 8, 6, 20.0)];
        let planned = waiting.iter().zip(starts).map(|(&(job, s, r, e), start)| planned(job, s, r, e, start));
        (running, planned.collect())
    }

    #[test]
    fn qualities_are_those_of_the_worked_example() {
        // FCFS, SJF and LJF
        let plans = [[30.0, 32.0, 72.0], [52.0, 52.0, 32.0], [32.0, 30.0, 70.0]];
        let expected = [[265, 1077, 92], [267, 963, 92], [263, 1065, 90]];
        for (starts, expected) in plans.into_iter().zip(expected) {
            let (running, planned) = example(starts);
            let of = |quality: Quality| quality.of_all(8.0, &running, &planned, ReducedFuture::default(), true);
            assert_eq!(of(Quality::Art), Mean { amount: Amount::Whole(expected[0]), by: 5 });
            assert_eq!(of(Quality::Artww), Mean { amount: Amount::Whole(expected[1]), by: 19 });
            assert_eq!(of(Quality::Makespan).amount, Amount::Whole(expected[2] - 8));
        }
    }

    #[test]
    fn slowdowns_and_combined_qualities_are_those_of_the_worked_example() {
        // FCFS, SJF and LJF; the responses above 60 s are 64 and 84, 79 and 84, 62 and 82
        let plans = [[30.0, 32.0, 72.0], [52.0, 52.0, 32.0], [32.0, 30.0, 70.0]];
        let slowdowns = [10.0 + 3.2 + 8.4, 13.0 + 3.95 + 4.2, 10.0 + 3.1 + 8.2];
        let of = |quality: Quality| -> Vec<Mean> {
            let of_plan = |starts| {
                let (running, planned) = example(starts);
                quality.of_all(8.0, &running, &planned, ReducedFuture::default(), true)
            };
            plans.into_iter().map(of_plan).collect()
        };
        for (mean, expected) in of(Quality::Slowdown).iter().zip(slowdowns) {
            assert_eq!(mean.by, 19);
            assert!((mean.amount.seconds() - expected).abs() < 1e-12, "{mean:?} instead of {expected}");
        }
        // ART is 265, 267 and 263 fifths of a second, the makespan from now on 84, 84 and 82 s
        let expected = [265.0 / 263.0 + 84.0 / 82.0, 267.0 / 263.0 + 84.0 / 82.0, 2.0];
        for (mean, expected) in combined(&of(Quality::Art), &of(Quality::Makespan)).iter().zip(expected) {
            assert!((mean.amount.seconds() - expected).abs() < 1e-12, "{mean:?} instead of {expected}");
        }
    }

    #[test]
    fn means_are_compared_exactly() {
        let mean = |amount, by| Mean { amount: Amount::Whole(amount), by };
        let large = 1 << 60;
        assert_eq!(mean(large, 3).compare(&mean(large + 1, 3)), Ordering::Less);
        assert_eq!(mean(large, 3).compare(&mean(2 * large, 6)), Ordering::Equal);
        assert!(mean(95, 1).is_better_by(&mean(100, 1), 5_000) && !mean(96, 1).is_better_by(&mean(100, 1), 5_000));
        assert!(mean(100, 1).is_better_by(&mean(100, 1), 0) && !mean(101, 1).is_better_by(&mean(100, 1), 0));
    }

    #[test]
    fn only_the_near_future_may_count() {
        let (running, planned) = example([30.0, 32.0, 72.0]);
        let sum = |future: ReducedFuture| Quality::Art.of_all(8.0, &running, &planned, future, true);
        let (ran, first, second) = (30 + 30, 30 + 30 - 3, 32 + 40 - 8);
        let first_one = ReducedFuture { first: Some(1), within: None };
        assert_eq!(sum(first_one), Mean { amount: Amount::Whole(ran + first), by: 3 });
        let soon = ReducedFuture { first: None, within: Some(24.0) };
        assert_eq!(sum(soon), Mean { amount: Amount::Whole(ran + first + second), by: 4 });
        let both = ReducedFuture { first: Some(1), within: Some(21.0) };
        assert_eq!(sum(both), Mean { amount: Amount::Whole(ran), by: 2 });
    }

    #[test]
    fn sums_of_fractions_are_made_in_log_order() {
        let plan = |starts: [f64; 3]| {
            let jobs = [(0, 1), (1, 3), (2, 7)];
            let planned: Vec<Planned> =
                jobs.iter().zip(starts).map(|(&(job, r), start)| planned(job, 0, r, 1.0, start)).collect();
            Quality::Artww.of_waiting(0.0, &[], &planned, false).amount
        };
        assert_eq!(plan([0.1, 0.2, 0.3]), Amount::Real(((0.0 + 0.1) + 3.0 * 0.2) + 7.0 * 0.3));
    }
}

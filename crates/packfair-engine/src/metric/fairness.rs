//! Fairness combined with packing: the PᵃSF family (METRICS §IV).

use super::counted::{KilledRun, killed_runs};
use super::sums::{Sum, Sums, mean, ratio};
use super::timeline::{Level, Timeline, Viewer};
use super::{Outcome, outcomes};
use crate::model::{FairStarts, Schedule};
use packfair_workload::{Seconds, Workload};

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

// Guaranteed and fair start times (FAIRNESS §2, §3.1).

/// Number of jobs that started later than they were guaranteed at submission; `None` if no start was guaranteed.
/// `promises` are in log order.
pub fn later_than_promised(jobs: &[Outcome], promises: &[Seconds]) -> Option<f64> {
    let is_late = |job: &Outcome| Some(job.start > *promises.get(job.job.index())?);
    let mut promised = jobs.iter().filter_map(is_late).peekable();
    promised.peek()?;
    Some(promised.filter(|&late| late).count() as f64)
}

/// The fair start with which a start is compared ([`crate::model::FairStarts`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fair {
    Strict,
    Relaxed,
}

/// Unfairness of each job, seconds (FAIRNESS §3.1): max(0, b - fair start). `None` where `fair_starts` does not cover
/// all jobs.
pub fn unfairness(jobs: &[Outcome], fair_starts: &FairStarts, fair: Fair) -> Option<Vec<Seconds>> {
    let of = |job: &Outcome| {
        let (strict, relaxed) = fair_starts.of(job.job)?;
        let fair = match fair {
            Fair::Strict => strict,
            Fair::Relaxed => relaxed,
        };
        Some((job.start - fair).max(0))
    };
    jobs.iter().map(of).collect()
}

/// Average unfairness, seconds (FAIRNESS §3.1): the mean over the jobs of their [`unfairness`].
pub fn average_unfairness(jobs: &[Outcome], fair_starts: &FairStarts, fair: Fair) -> Option<f64> {
    mean(unfairness(jobs, fair_starts, fair)?.into_iter().map(|seconds| seconds as f64))
}

/// Average lateness, seconds: the mean over the jobs of max(0, b − fair start), for fair starts other than the strict
/// and the relaxed ones (FAIRNESS §5). `fair` is in log order. `None` where it does not cover all jobs.
pub fn average_lateness(jobs: &[Outcome], fair: &[Seconds]) -> Option<f64> {
    let late: Option<Vec<Seconds>> =
        jobs.iter().map(|job| Some((job.start - fair.get(job.job.index())?).max(0))).collect();
    mean(late?.into_iter().map(|seconds| seconds as f64))
}

/// Average fair turnaround time, seconds: the mean over the jobs of `fair` start − s + D (Sabin et al. 2004, which
/// FAIRNESS §5 cites).
pub fn fair_turnaround(jobs: &[Outcome], fair: &[Seconds]) -> Option<f64> {
    mean(fair_turnarounds(jobs, fair)?.into_iter().map(|seconds| seconds as f64))
}

/// Average fair slowdown: the mean of fair turnaround times over run times (Sabin and Sadayappan 2005, which FAIRNESS §5
/// cites), bounded as slowdowns are: max(1, fair turnaround / max(D, `bound`)).
pub fn fair_slowdown(jobs: &[Outcome], fair: &[Seconds], bound: f64) -> Option<f64> {
    let fair = fair_turnarounds(jobs, fair)?;
    mean(jobs.iter().zip(fair).map(|(job, fair)| (fair as f64 / (job.run as f64).max(bound)).max(1.0)))
}

/// Fair start − s + D of each job, seconds; `fair` holds fair starts in log order.
fn fair_turnarounds(jobs: &[Outcome], fair: &[Seconds]) -> Option<Vec<Seconds>> {
    jobs.iter().map(|job| Some(fair.get(job.job.index())? - job.submit + job.run)).collect()
}

// Resource equality (FAIRNESS §3.2): what each job would have got if the processors in use had been shared equally
// among the active jobs (submitted, and not completed).

/// Average unweighted unfairness, processor-seconds (FAIRNESS §3.2 eq. 1): the mean over `jobs` of their unweighted
/// fair share less r D. The share is the integral from submission to completion of min(processors in use / active jobs,
/// r). Use and active jobs are those of the whole schedule, `all`.
pub fn unweighted_unfairness(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    let shares = FairShares::of(all, &[]);
    mean(jobs.iter().map(|job| shares.unweighted_of(job)))
}

/// Average weighted unfairness, processor-seconds (FAIRNESS §3.2 eq. 2): as [`unweighted_unfairness`], but
/// the share is the integral of min(r / width of the active jobs × processors in use, r).
///
/// These shares add up to the processors in use. So over all jobs of a schedule this is 0 for every scheduler, apart
/// from rounding; it only says something about a part of the jobs. FAIRNESS Fig. 7 nevertheless has percentages of it,
/// and does not say what they are percentages of. Here they are percentages of [`weighted_shortfall`].
pub fn weighted_unfairness(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    let shares = FairShares::of(all, &[]);
    mean(jobs.iter().map(|job| shares.weighted_of(job)))
}

/// Average weighted shortfall, processor-seconds: as [`weighted_unfairness`], but a job that got more than its share
/// counts 0, like a job that starts before its fair start (FAIRNESS §3.1). So what some jobs get beyond their shares
/// does not make up for what others lack.
pub fn weighted_shortfall(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    let shares = FairShares::of(all, &[]);
    mean(jobs.iter().map(|job| shares.weighted_of(job).max(0.0)))
}

/// Average unweighted shortfall, processor-seconds: as [`unweighted_unfairness`], but a job that got more than its share
/// counts 0.
pub fn unweighted_shortfall(jobs: &[Outcome], all: &[Outcome]) -> Option<f64> {
    let shares = FairShares::of(all, &[]);
    mean(jobs.iter().map(|job| shares.unweighted_of(job).max(0.0)))
}

/// For each job of a schedule, in log order, its unweighted and its weighted fair share less r D, processor-seconds:
/// positive where it lacks that much (FAIRNESS §3.2 eq. 1 and 2). Killed executions count as use, but not as something
/// that the job got. A job that never started has 0.
pub fn less_than_shares(workload: &Workload, schedule: &Schedule) -> Vec<(f64, f64)> {
    let all = outcomes(workload, schedule);
    let shares = FairShares::of(&all, &killed_runs(workload, schedule));
    let mut less = vec![(0.0, 0.0); workload.len()];
    for job in &all {
        less[job.job.index()] = (shares.unweighted_of(job), shares.weighted_of(job));
    }
    less
}

/// Widths below this are looked up in a table to find their class.
const LOOKED_UP: u32 = 4_096;

pub(super) struct FairShares {
    lives: Vec<JobShares>,
}

#[derive(Clone, Copy, Default)]
struct JobShares {
    /// The levels in the job's life with at most r processors for each active job, added up.
    equal: Equal,
    /// What one requested processor got during the job's life, processor-seconds. It is at most one processor all the
    /// time, because a job that uses processors is active.
    each: f64,
}

/// The means of fair shares less what was got, over some jobs.
pub(super) struct FairShareMeans {
    pub(super) unweighted: Option<f64>,
    pub(super) unweighted_short: Option<f64>,
    pub(super) weighted: Option<f64>,
    /// [`weighted_shortfall`].
    pub(super) short: Option<f64>,
}

impl FairShares {
    fn of(all: &[Outcome], killed: &[KilledRun]) -> Self {
        let mut sharing = Sharing::of(all);
        Timeline::new(all, killed).show(&mut sharing);
        sharing.shares()
    }

    /// All means over these jobs, in one pass.
    pub(super) fn means(&self, jobs: &[Outcome]) -> FairShareMeans {
        let mut sums = Sums::default();
        for job in jobs {
            let (unweighted, weighted) = (self.unweighted_of(job), self.weighted_of(job));
            sums.add([unweighted, unweighted.max(0.0), weighted, weighted.max(0.0)]);
        }
        let [unweighted, unweighted_short, weighted, short] = sums.values().map(|sum| ratio(sum, jobs.len() as f64));
        FairShareMeans { unweighted, unweighted_short, weighted, short }
    }

    /// Unweighted fair share less r D.
    fn unweighted_of(&self, job: &Outcome) -> f64 {
        let equal = self.lives[job.job.index()].equal;
        let capped = job.response() - equal.span;
        equal.share + job.width() * capped as f64 - job.area()
    }

    /// Weighted fair share less r D.
    fn weighted_of(&self, job: &Outcome) -> f64 {
        job.width() * self.lives[job.job.index()].each - job.area()
    }
}

/// The fair shares as time passes.
///
/// An unweighted share is a sum over the levels of the job's life. A level with at most r processors for each
/// active job counts that number; any other level counts r. As time passes, a binary indexed tree holds, for each
/// width that jobs have, what a job of that width would have got so far.
pub(super) struct Sharing<'a> {
    all: &'a [Outcome],
    lives: Vec<JobShares>,
    /// The different widths of the jobs, ascending.
    widths: Vec<u32>,
    /// For each small width, the index of the first that is at least that. These are needed at every moment.
    looked_up: Vec<u32>,
    got: ShareTree,
    got_each: f64,
}

impl<'a> Sharing<'a> {
    /// Before anything has happened to these jobs, which are all of a schedule.
    pub(super) fn of(all: &'a [Outcome]) -> Self {
        let widths = widths(all);
        let small = LOOKED_UP.min(widths.last().map_or(0, |&widest| widest.saturating_add(1)));
        let search = |at_least: u32| widths.partition_point(|&width| width < at_least) as u32;
        let looked_up = (0..small).map(search).collect();
        let places = all.iter().map(|job| job.job.index() + 1).max().unwrap_or(0);
        let (lives, got) = (vec![JobShares::default(); places], ShareTree::new(widths.len()));
        Sharing { all, lives, widths, looked_up, got, got_each: 0.0 }
    }

    /// The shares, once everything has happened.
    pub(super) fn shares(self) -> FairShares {
        FairShares { lives: self.lives }
    }

    /// The index of the first width that is at least that.
    #[inline(always)]
    fn class(&self, at_least: u32) -> usize {
        match self.looked_up.get(at_least as usize) {
            Some(&class) => class as usize,
            None => self.widths.partition_point(|&width| width < at_least),
        }
    }
}

impl Viewer for Sharing<'_> {
    const SEES_JOBS: bool = true;

    #[inline(always)]
    fn submitted(&mut self, job: usize) {
        let Outcome { job, processors, .. } = self.all[job];
        let class = self.class(processors);
        self.lives[job.index()] = JobShares { equal: self.got.up_to(class), each: self.got_each };
    }

    #[inline(always)]
    fn completed(&mut self, job: usize) {
        let Outcome { job, processors, .. } = self.all[job];
        let got = self.got.up_to(self.class(processors));
        let life = &mut self.lives[job.index()];
        life.equal = got.since(life.equal);
        life.each = self.got_each - life.each;
    }

    #[inline(always)]
    fn level(&mut self, level: &Level) {
        let Level { from, until, active, width, busy, .. } = *level;
        if active > 0 {
            let (span, each) = (until - from, busy as f64 / active as f64);
            // Rounded up: only a job at least that wide takes the equal share. The small division is much the faster.
            let at_least = match (u32::try_from(busy), u32::try_from(active)) {
                (Ok(busy), Ok(active)) => busy.div_ceil(active),
                _ => (busy as u64).div_ceil(active as u64) as u32,
            };
            self.got.add(self.class(at_least), Equal { share: each * span as f64, span });
            self.got_each += busy as f64 / (width + busy) as f64 * span as f64;
        }
    }
}

/// The different widths of these jobs, ascending.
fn widths(jobs: &[Outcome]) -> Vec<u32> {
    let mut is_small = [false; LOOKED_UP as usize];
    let mut wide = Vec::new();
    for job in jobs {
        match is_small.get_mut(job.processors as usize) {
            Some(is_there) => *is_there = true,
            None => wide.push(job.processors),
        }
    }
    wide.sort_unstable();
    wide.dedup();
    (0..LOOKED_UP).filter(|&width| is_small[width as usize]).chain(wide).collect()
}

/// Levels that count with an equal share of the processors in use, added up.
#[derive(Clone, Copy, Default)]
struct Equal {
    /// Integral of the share, processor-seconds.
    share: f64,
    /// Total length of the levels, seconds.
    span: Seconds,
}

impl Equal {
    /// The difference to an earlier sum, `before`.
    fn since(self, before: Equal) -> Equal {
        Equal { share: self.share - before.share, span: self.span - before.span }
    }
}

/// A binary indexed tree, which gives the sum of what was added up to a place.
struct ShareTree(Vec<Equal>);

impl ShareTree {
    fn new(places: usize) -> Self {
        ShareTree(vec![Equal::default(); places + 1])
    }

    /// Adds at a place. A place after the last one is in no sum.
    #[inline(always)]
    fn add(&mut self, place: usize, equal: Equal) {
        let mut i = place + 1;
        while let Some(sum) = self.0.get_mut(i) {
            sum.share += equal.share;
            sum.span += equal.span;
            i += i & i.wrapping_neg();
        }
    }

    /// The sum up to and including a place.
    #[inline(always)]
    fn up_to(&self, place: usize) -> Equal {
        let (mut sum, mut i) = (Equal::default(), place + 1);
        while i > 0 {
            let Equal { share, span } = self.0[i];
            sum.share += share;
            sum.span += span;
            i &= i - 1;
        }
        sum
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

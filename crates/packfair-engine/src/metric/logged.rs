//! How far a schedule is from the log's own: it shows how much of what the machine did is in the simulation.

use super::Outcome;
use super::measure::Places;
use super::response::SortedWaits;
use super::sorting::with_positions;
use packfair_workload::{Seconds, Workload};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A job within this time of its logged start starts about as in the log, seconds.
const NEAR: Seconds = 600;

/// A job within this time of its logged start starts as in the log, seconds. Schedulers look at their queues every few
/// minutes.
const NEARER: Seconds = 300;

/// How far a schedule is from the log's own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distance {
    /// Share of jobs that start within ten minutes of their logged start.
    pub near: f64,
    /// Share of jobs that start within five minutes of their logged start.
    pub nearer: f64,
    /// Median of |Q − logged Q|, seconds; for an even number of jobs, the mean of the two in the middle.
    pub median_gap: f64,
    /// 90th percentile of |Q − logged Q|, seconds, by nearest rank.
    pub p90_gap: f64,
    /// Spearman's rank correlation of Q and logged Q, where equal waits share their mean rank; `None` where all waits
    /// are equal.
    pub rank_correlation: Option<f64>,
}

impl Distance {
    /// The distance over those of the `kept` jobs whose wait the log tells (field 3); `None` if it tells none.
    pub fn of(workload: &Workload, kept: &[Outcome]) -> Option<Self> {
        Distance::of_sorted(workload, kept, &SortedWaits::of(kept))
    }

    /// The distance over jobs whose waits are sorted already.
    pub(super) fn of_sorted(workload: &Workload, kept: &[Outcome], waits: &SortedWaits) -> Option<Self> {
        let logged: Vec<Seconds> = kept.iter().map(|job| workload.logged_wait(job.job).unwrap_or(NOT_TOLD)).collect();
        let told = kept.iter().zip(&logged).filter(|(_, logged)| **logged != NOT_TOLD);
        let mut gaps: Vec<Seconds> = Vec::with_capacity(kept.len());
        gaps.extend(told.map(|(job, logged)| (job.wait() - logged).abs()));
        if gaps.is_empty() {
            return None;
        }
        let is_told = |place: u32| logged[place as usize] != NOT_TOLD;
        let waits = if gaps.len() == kept.len() {
            Cow::Borrowed(waits.jobs())
        } else {
            waits.jobs().iter().copied().filter(|&(_, place)| is_told(place)).collect()
        };
        let by_wait = ranks(&waits, kept.len());
        let by_logged_wait = ranks(&logged_waits(workload, kept, &logged), kept.len());
        Some(Distance::of_gaps(&mut gaps, correlation(&by_wait, &by_logged_wait)))
    }

    /// The distance from the gaps of at least one job. `gaps` holds |Q − logged Q| of each job, seconds.
    fn of_gaps(gaps: &mut [Seconds], rank_correlation: Option<f64>) -> Self {
        let jobs = gaps.len();
        let within = |bound: Seconds| gaps.iter().filter(|&&gap| gap <= bound).count() as f64 / jobs as f64;
        let (near, nearer) = (within(NEAR), within(NEARER));
        let middle = (jobs - 1) / 2;
        let (_, &mut lower, above) = gaps.select_nth_unstable(middle);
        // For an even number of jobs, take the two in the middle.
        let upper = if jobs.is_multiple_of(2) { above.iter().copied().min().unwrap_or(lower) } else { lower };
        let p90 = match ((jobs * 9).div_ceil(10) - 1).checked_sub(middle + 1) {
            Some(place) => *above.select_nth_unstable(place).1,
            None => lower,
        };
        Distance { near, nearer, median_gap: (lower + upper) as f64 / 2.0, p90_gap: p90 as f64, rank_correlation }
    }
}

/// The value that stands for a wait that the log does not tell.
const NOT_TOLD: Seconds = -1;

/// If fewer than one in this many of a workload's jobs count, their logged waits are sorted; otherwise they are picked
/// from the waits of all jobs, which are sorted once.
const FEW: usize = 8;

/// The logged waits of the `kept` jobs and their positions among these, sorted. `logged` are the waits of the `kept`
/// jobs in their order.
fn logged_waits(workload: &Workload, kept: &[Outcome], logged: &[Seconds]) -> Vec<(Seconds, u32)> {
    if kept.len() < workload.len() / FEW {
        let mut sorted = with_positions(logged.iter().copied());
        sorted.retain(|&(wait, _)| wait != NOT_TOLD);
        return sorted;
    }
    let places = Places::of(workload, kept);
    let mut sorted = Vec::with_capacity(kept.len());
    let kept = workload.by_logged_wait().iter().filter_map(|&job| places.of_job(job));
    sorted.extend(kept.map(|place| (logged[place], place as u32)));
    sorted
}

/// For each of `places` positions, twice the rank in this order less twice the mean rank, which are whole numbers.
/// Equal values share their mean rank; a position without a value has 0.
fn ranks(sorted: &[(Seconds, u32)], places: usize) -> Vec<i64> {
    let mut ranks = vec![0; places];
    let (mut first, mean) = (0, sorted.len() + 1);
    for same in sorted.chunk_by(|one, next| one.0 == next.0) {
        // Ranks from first + 1 to first + same share their mean.
        let rank = (2 * first + same.len() + 1) as i64 - mean as i64;
        same.iter().for_each(|&(_, place)| ranks[place as usize] = rank);
        first += same.len();
    }
    ranks
}

/// Spearman's rank correlation of pairs of values, where equal values share their mean rank; `None` where one side does
/// not vary.
pub fn rank_correlation(values: &[(i64, i64)]) -> Option<f64> {
    let ranked = |of: fn(&(i64, i64)) -> i64| ranks(&with_positions(values.iter().map(of)), values.len());
    correlation(&ranked(|pair| pair.0), &ranked(|pair| pair.1))
}

/// Pearson's correlation of whole numbers whose mean is 0; `None` where one side does not vary.
///
/// Sums of whole numbers are exact here. Compensated sums would be exact too, whatever their order.
fn correlation(a: &[i64], b: &[i64]) -> Option<f64> {
    let (mut of_a, mut of_b, mut of_both) = (0_i128, 0_i128, 0_i128);
    for (&a, &b) in a.iter().zip(b) {
        // Ranks have 32 bits, so that their products have room.
        of_a += i128::from(a * a);
        of_b += i128::from(b * b);
        of_both += i128::from(a * b);
    }
    let variances = of_a as f64 * of_b as f64;
    (variances > 0.0).then(|| of_both as f64 / variances.sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::sums::Sum;
    use super::*;
    use packfair_workload::{Cleaning, Filter, JobId, clean, reading};

    /// The distance of jobs given as (wait in the log, wait in a schedule); −1 for a wait that the log does not tell.
    fn distance(waits: &[(i64, i64)]) -> Option<Distance> {
        let lines = waits
            .iter()
            .zip(1..)
            .map(|((logged, _), n)| format!("{n} {n} {logged} 50 4 -1 -1 4 60 -1 1 -1 -1 -1 -1 -1 -1 -1\n"));
        let log = reading::read("waits.swf", lines.collect::<String>().as_bytes()).unwrap();
        let workload = clean(&log, &Filter::default(), Cleaning::Metrics, Some(8)).unwrap();
        let outcome = |(i, &(_, wait)): (usize, &(i64, i64))| {
            let job = JobId(i as u32);
            let submit = workload.request(job).submit;
            Outcome { job, processors: 4, submit, start: submit + wait, end: submit + wait + 50, run: 50 }
        };
        Distance::of(&workload, &waits.iter().enumerate().map(outcome).collect::<Vec<_>>())
    }

    #[test]
    fn waits_are_compared_either_way() {
        // The gaps are 600, 601, 0 and 2,000 s.
        let found = distance(&[(0, 600), (601, 0), (50, 50), (0, 2_000)]).unwrap();
        assert_eq!((found.near, found.nearer, found.median_gap, found.p90_gap), (0.5, 0.25, 600.5, 2_000.0));
        let ten = distance(&[(0, 300); 10].map(|(logged, wait)| (logged, wait))).unwrap();
        assert_eq!((ten.nearer, ten.p90_gap, ten.rank_correlation), (1.0, 300.0, None), "nothing to rank");
    }

    #[test]
    fn ranks_agree_as_spearman_has_them() {
        let of = |waits: &[(i64, i64)]| distance(waits).unwrap().rank_correlation;
        assert_eq!(of(&[(0, 5), (10, 70), (20, 900)]), Some(1.0), "the order alone counts");
        assert_eq!(of(&[(0, 9), (10, 5), (20, 0)]), Some(-1.0));
        // The ranks are 1.5 1.5 3 4 and 2 1 3 4: 4.5 / sqrt(4.5 * 5).
        let tied = of(&[(0, 7), (0, 3), (10, 20), (20, 50)]).unwrap();
        assert!((tied - 4.5 / 22.5_f64.sqrt()).abs() < 1e-15, "{tied}");
    }

    #[test]
    fn jobs_whose_wait_is_not_told_do_not_count() {
        let one = Distance { near: 1.0, nearer: 1.0, median_gap: 5.0, p90_gap: 5.0, rank_correlation: None };
        assert_eq!(distance(&[(-1, 10), (5, 10), (-1, 0)]), Some(one));
        assert_eq!(distance(&[(-1, 10)]), None);
    }

    /// Twice the rank of each job by `wait`, less twice the mean rank: whole numbers.
    fn plain_ranks(waits: &[(Seconds, Seconds)], wait: fn(&(Seconds, Seconds)) -> Seconds) -> Vec<f64> {
        let mut sorted: Vec<(Seconds, u32)> = waits.iter().map(wait).zip(0..).collect();
        radsort::sort_by_key(&mut sorted, |&(wait, _)| wait);
        let mut ranks = vec![0.0; sorted.len()];
        let (mut first, mean) = (0, sorted.len() + 1);
        while first < sorted.len() {
            let same = sorted[first..].iter().take_while(|(wait, _)| *wait == sorted[first].0).count();
            // Ranks from first + 1 to first + same share their mean.
            let rank = (2 * first + same + 1) as f64 - mean as f64;
            sorted[first..first + same].iter().for_each(|&(_, job)| ranks[job as usize] = rank);
            first += same;
        }
        ranks
    }

    /// Pearson's correlation of numbers whose mean is 0; `None` where one side does not vary.
    fn plain_correlation(a: &[f64], b: &[f64]) -> Option<f64> {
        let product = |a: &[f64], b: &[f64]| {
            let mut sum = Sum::default();
            a.iter().zip(b).for_each(|(a, b)| sum.add(a * b));
            sum.value()
        };
        let variances = product(a, a) * product(b, b);
        (variances > 0.0).then(|| product(a, b) / variances.sqrt())
    }

    #[test]
    fn waits_sorted_once_give_the_digits_of_sorting_them_anew() {
        for (count, told_of) in [(1_usize, 1), (2, 1), (9, 2), (10, 1), (500, 1), (501, 3), (2_000, 7)] {
            let number = |i: usize, factor: usize| ((i * i * factor) % 97 * (i % 5)) as i64;
            let waits: Vec<(i64, i64)> = (0..count)
                .map(|i| (if i % told_of == 0 { number(i, 7_919) } else { -1 }, number(i, 104_729)))
                .collect();
            let told: Vec<(i64, i64)> = waits.iter().filter(|pair| pair.0 >= 0).map(|&(l, w)| (w, l)).collect();
            let found = distance(&waits).unwrap();
            let plain = plain_correlation(&plain_ranks(&told, |pair| pair.0), &plain_ranks(&told, |pair| pair.1));
            assert_eq!(found.rank_correlation, plain, "{count}");
            let mut gaps: Vec<i64> = told.iter().map(|(wait, logged)| (wait - logged).abs()).collect();
            gaps.sort();
            let middle = gaps[(gaps.len() - 1) / 2] + gaps[gaps.len() / 2];
            assert_eq!(found.median_gap, middle as f64 / 2.0, "{count}");
            assert_eq!(found.p90_gap, gaps[(gaps.len() * 9).div_ceil(10) - 1] as f64, "{count}");
        }
    }

    #[test]
    fn few_of_many_jobs_have_the_ranks_that_they_have_by_themselves() {
        let waits: Vec<(i64, i64)> = (0..400).map(|i| (i * 7_919 % 311, i * 104_729 % 83)).collect();
        let lines = waits
            .iter()
            .zip(1..)
            .map(|((logged, _), n)| format!("{n} {n} {logged} 50 4 -1 -1 4 60 -1 1 -1 -1 -1 -1 -1 -1 -1\n"));
        let log = reading::read("waits.swf", lines.collect::<String>().as_bytes()).unwrap();
        let workload = clean(&log, &Filter::default(), Cleaning::Metrics, Some(8)).unwrap();
        let schedule = crate::model::Schedule::of_starts(
            &workload,
            workload.jobs().zip(&waits).map(|(job, (_, wait))| workload.request(job).submit + wait).collect(),
        );
        let all = super::super::outcomes(&workload, &schedule);
        for few in [&all[..20], &all[30..130], &all[..]] {
            let told: Vec<(i64, i64)> =
                few.iter().map(|job| (job.wait(), workload.logged_wait(job.job).unwrap())).collect();
            let plain = plain_correlation(&plain_ranks(&told, |pair| pair.0), &plain_ranks(&told, |pair| pair.1));
            assert_eq!(Distance::of(&workload, few).unwrap().rank_correlation, plain);
        }
    }
}

//! How far a schedule is from what the log tells: a measure of how much of what the machine did is in the simulation.

use super::Outcome;
use super::sum::Sum;
use crate::order;
use crate::workload::{Seconds, Workload};
use serde::{Deserialize, Serialize};

/// A job within this of its logged start starts about as in the log, seconds.
const NEAR: Seconds = 600;

/// A job within this of its logged start starts as in the log, seconds: schedulers look at their queues every few
/// minutes.
const NEARER: Seconds = 300;

/// How far a schedule is from the log's own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distance {
    /// Share of jobs that start within ten minutes of their logged start.
    pub near: f64,
    /// Share of jobs that start within five minutes of their logged start.
    pub nearer: f64,
    /// Median of |Q − logged Q|, seconds; of an even number of jobs the mean of the two in the middle.
    pub median_gap: f64,
    /// 90th percentile of |Q − logged Q|, seconds, by nearest rank.
    pub p90_gap: f64,
    /// Spearman's rank correlation of Q and logged Q, equal waits sharing their mean rank; none where all waits are
    /// equal.
    pub rank_correlation: Option<f64>,
}

impl Distance {
    /// Of the `kept` jobs whose wait the log tells (field 3); none if it tells none.
    pub fn of(workload: &Workload, kept: &[Outcome]) -> Option<Self> {
        let pair = |job: &Outcome| Some((job.wait(), workload.logged_wait(job.job)?));
        let waits: Vec<(Seconds, Seconds)> = kept.iter().filter_map(pair).collect();
        if waits.is_empty() { None } else { Some(Distance::of_waits(&waits)) }
    }

    /// Of waits and logged waits of the same jobs, at least one.
    #[inline(never)]
    fn of_waits(waits: &[(Seconds, Seconds)]) -> Self {
        let mut gaps: Vec<Seconds> = waits.iter().map(|(wait, logged)| (wait - logged).abs()).collect();
        let jobs = gaps.len();
        let within = |bound: Seconds| gaps.iter().filter(|&&gap| gap <= bound).count() as f64 / jobs as f64;
        let (near, nearer) = (within(NEAR), within(NEARER));
        let mut smallest = |place: usize| *gaps.select_nth_unstable(place).1;
        let middle = smallest((jobs - 1) / 2) + smallest(jobs / 2);
        let p90 = smallest((jobs * 9).div_ceil(10) - 1);
        Distance {
            near,
            nearer,
            median_gap: middle as f64 / 2.0,
            p90_gap: p90 as f64,
            rank_correlation: correlation(&ranks(waits, |pair| pair.0), &ranks(waits, |pair| pair.1)),
        }
    }
}

/// Twice the rank of each job by `wait`, less twice the mean rank: whole numbers.
fn ranks(waits: &[(Seconds, Seconds)], wait: fn(&(Seconds, Seconds)) -> Seconds) -> Vec<f64> {
    let mut sorted: Vec<(Seconds, u32)> = waits.iter().map(wait).zip(0..).collect();
    order::sort_many_by(&mut sorted, |&(wait, _)| wait);
    let mut ranks = vec![0.0; sorted.len()];
    let (mut first, mean) = (0, sorted.len() + 1);
    while first < sorted.len() {
        let same = sorted[first..].iter().take_while(|(wait, _)| *wait == sorted[first].0).count();
        // ranks from first + 1 to first + same share their mean
        let rank = (2 * first + same + 1) as f64 - mean as f64;
        sorted[first..first + same].iter().for_each(|&(_, job)| ranks[job as usize] = rank);
        first += same;
    }
    ranks
}

/// Pearson's correlation of what has mean 0; none where one of the two does not vary.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let product = |a: &[f64], b: &[f64]| {
        let mut sum = Sum::default();
        a.iter().zip(b).for_each(|(a, b)| sum.add(a * b));
        sum.value()
    };
    let variances = product(a, a) * product(b, b);
    (variances > 0.0).then(|| product(a, b) / variances.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{Cleaning, Filter, JobId, clean, reading};

    /// Of jobs with these waits in the log (−1: not told) and these in a schedule.
    fn distance(waits: &[(i64, i64)]) -> Option<Distance> {
        let lines = waits.iter().zip(1..).map(|((logged, _), n)| format!("{n} {n} {logged} 50 4 -1 -1 4 60 -1 1\n"));
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
        // gaps of 600, 601, 0 and 2,000 s
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
        // ranks 1.5 1.5 3 4 and 2 1 3 4: 4.5 / sqrt(4.5 * 5)
        let tied = of(&[(0, 7), (0, 3), (10, 20), (20, 50)]).unwrap();
        assert!((tied - 4.5 / 22.5_f64.sqrt()).abs() < 1e-15, "{tied}");
    }

    #[test]
    fn jobs_whose_wait_is_not_told_do_not_count() {
        let one = Distance { near: 1.0, nearer: 1.0, median_gap: 5.0, p90_gap: 5.0, rank_correlation: None };
        assert_eq!(distance(&[(-1, 10), (5, 10), (-1, 0)]), Some(one));
        assert_eq!(distance(&[(-1, 10)]), None);
    }
}

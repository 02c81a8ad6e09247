//! How far a schedule is from what the log tells: a measure of how much of what the machine did is in the simulation.

use super::Outcome;
use crate::workload::{Seconds, Workload};

/// A job within this of its logged start starts as in the log, seconds: schedulers look at their queues every few
/// minutes.
const NEAR: Seconds = 600;

/// How far a schedule is from the log's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Share of jobs that start within ten minutes of their logged start.
    pub near: f64,
    /// Median of |Q − logged Q|, seconds; of an even number of jobs the mean of the two in the middle.
    pub median_gap: f64,
}

impl Distance {
    /// Of the `kept` jobs whose wait the log tells (field 3); none if it tells none.
    pub fn of(workload: &Workload, kept: &[Outcome]) -> Option<Self> {
        let gap = |job: &Outcome| Some((job.wait() - workload.logged_wait(job.job)?).abs());
        let mut gaps: Vec<Seconds> = kept.iter().filter_map(gap).collect();
        if gaps.is_empty() {
            return None;
        }
        let near = gaps.iter().filter(|&&gap| gap <= NEAR).count() as f64 / gaps.len() as f64;
        let middle = gaps.len() / 2;
        let is_even = gaps.len().is_multiple_of(2);
        let (below, &mut upper, _) = gaps.select_nth_unstable(middle);
        let lower = if is_even { below.iter().max().copied().unwrap_or(upper) } else { upper };
        Some(Distance { near, median_gap: (lower + upper) as f64 / 2.0 })
    }
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
        let distance = distance(&[(0, 600), (601, 0), (50, 50), (0, 2_000)]).unwrap();
        assert_eq!((distance.near, distance.median_gap), (0.5, 600.5));
    }

    #[test]
    fn jobs_whose_wait_is_not_told_do_not_count() {
        assert_eq!(distance(&[(-1, 10), (5, 10), (-1, 0)]), Some(Distance { near: 1.0, median_gap: 5.0 }));
        assert_eq!(distance(&[(-1, 10)]), None);
    }
}

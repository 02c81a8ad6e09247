//! How good a classifier is, and what can be learned from a log (CLASSIFY §3 and §4).

use super::{Class, Classified, Weeks};
use crate::classifier::Classifier;
use crate::classifier::divider::median;
use crate::classifier::table::{Categories, Category, NONE};
use packfair_workload::{JobId, Seconds, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Jobs by their predicted and their true class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Confusion {
    /// Small jobs classified as small.
    pub true_small: u64,
    /// Large jobs classified as large.
    pub true_large: u64,
    /// Large jobs classified as small.
    pub false_small: u64,
    /// Small jobs classified as large.
    pub false_large: u64,
}

impl Confusion {
    /// Counts a job.
    pub fn count(&mut self, predicted: Class, actual: Class) {
        let count = match (predicted, actual) {
            (Class::Small, Class::Small) => &mut self.true_small,
            (Class::Large, Class::Large) => &mut self.true_large,
            (Class::Small, Class::Large) => &mut self.false_small,
            (Class::Large, Class::Small) => &mut self.false_large,
        };
        *count += 1;
    }

    /// Adds the counts of another confusion.
    pub fn add(&mut self, other: &Confusion) {
        self.true_small += other.true_small;
        self.true_large += other.true_large;
        self.false_small += other.false_small;
        self.false_large += other.false_large;
    }

    /// The number of jobs.
    pub fn jobs(&self) -> u64 {
        self.true_small + self.true_large + self.false_small + self.false_large
    }

    /// Share of jobs that were classified correctly; `None` without jobs, as below.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.true_small + self.true_large, self.jobs())
    }

    /// Share of small ones among the jobs classified as small.
    pub fn precision(&self) -> Option<f64> {
        share(self.true_small, self.true_small + self.false_small)
    }

    /// Share of small jobs that were classified as small.
    pub fn recall(&self) -> Option<f64> {
        share(self.true_small, self.true_small + self.false_large)
    }

    /// Share of small jobs classified as large among all jobs.
    pub fn false_large_share(&self) -> Option<f64> {
        share(self.false_large, self.jobs())
    }

    /// Share of large jobs classified as small among all jobs.
    pub fn false_small_share(&self) -> Option<f64> {
        share(self.false_small, self.jobs())
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The jobs of each week, from week 0 on. Jobs without a divider do not count, so week 0 has none. `classified` has an
/// entry for each job of the workload, in log order.
pub fn weekly(workload: &Workload, classified: &[Classified]) -> Vec<Confusion> {
    let weeks = Weeks::of(workload);
    let mut weekly = Vec::new();
    for ((request, &run), classified) in workload.requests().iter().zip(workload.runs()).zip(classified) {
        let week = weeks.week(request.submit);
        if weekly.len() <= week {
            weekly.resize(week + 1, Confusion::default());
        }
        if let Some(divider) = classified.divider {
            weekly[week].count(classified.class, Class::of(run, divider));
        }
    }
    weekly
}

/// The jobs of all weeks from `first` on.
pub fn from_week(first: usize, weekly: &[Confusion]) -> Confusion {
    let mut all = Confusion::default();
    weekly.iter().skip(first).for_each(|week| all.add(week));
    all
}

// Shares of small and large jobs in number and in area (CLASSIFY Tables 2 and 3).

/// Jobs of a workload by classes, by the median of all its run times (CLASSIFY Tables 2 and 3).
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Shares {
    /// The divider, seconds.
    pub divider: Seconds,
    /// Shares in the number of jobs (Table 2).
    pub jobs: Parts,
    /// Shares in their area, the sum of q D (Table 3).
    pub area: Parts,
}

/// Shares of classes, each 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Parts {
    /// Large: D is not below the divider.
    pub large: f64,
    /// Small, and L is at most the divider: "non premature".
    pub expected: f64,
    /// Small, though L is above the divider: "premature".
    pub premature: f64,
}

/// Shares of the classes of a workload's jobs; `None` where it has no job.
pub fn shares(workload: &Workload) -> Option<Shares> {
    let divider = median(workload.runs())?;
    let (mut jobs, mut area) = (Parts::default(), Parts::default());
    for job in workload.jobs() {
        let is_small = Class::of(workload.run(job), divider).is_small();
        let part = |parts: &'_ mut Parts, value: f64| match (is_small, workload.request(job).limit <= divider) {
            (false, _) => parts.large += value,
            (true, true) => parts.expected += value,
            (true, false) => parts.premature += value,
        };
        part(&mut jobs, 1.0);
        part(&mut area, workload.area(job));
    }
    Some(Shares { divider, jobs: jobs.of_whole(), area: area.of_whole() })
}

impl Parts {
    fn of_whole(self) -> Self {
        let whole = self.large + self.expected + self.premature;
        if whole == 0.0 {
            return self;
        }
        Parts { large: self.large / whole, expected: self.expected / whole, premature: self.premature / whole }
    }
}

// Classifies the jobs of a given schedule.

/// Classifies the jobs of a workload that start at `starts`, in log order. No job is killed.
pub fn replay(classifier: &mut dyn Classifier, workload: &Workload, starts: &[Seconds]) -> Vec<Classified> {
    let mut waiting: BinaryHeap<Reverse<(Seconds, JobId)>> = BinaryHeap::new();
    let mut running: BinaryHeap<Reverse<(Seconds, Seconds, JobId)>> = BinaryHeap::new();
    let mut classified = Vec::with_capacity(workload.len());
    for job in workload.jobs() {
        let request = workload.request(job);
        let now = request.submit;
        // events before this submission: at each instant jobs complete in the order of their starts, then others start
        loop {
            let start = waiting.peek().map(|&Reverse((start, _))| start).filter(|&start| start < now);
            let end = running.peek().map(|&Reverse((end, _, _))| end).filter(|&end| end < now);
            if let Some(end) = end.filter(|&end| start.is_none_or(|start| end <= start))
                && let Some(Reverse((_, _, job))) = running.pop()
            {
                classifier.completed(job, workload.request(job), workload.run(job), end);
            } else if let Some(start) = start
                && let Some(Reverse((_, job))) = waiting.pop()
            {
                classifier.started(job, start);
                running.push(Reverse((start + workload.run(job), start, job)));
            } else {
                break;
            }
        }
        classified.push(classifier.classify(job, request, now));
        waiting.push(Reverse((starts[job.index()], job)));
    }
    classified
}

// How well run times predict later ones (CLASSIFY Fig. 2).

/// Autocorrelation of run times at a lag, over the categories of a workload.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Autocorrelation {
    /// Distance in jobs of the category.
    pub lag: usize,
    /// The coefficient of each category, about -1 to 1, in order of size.
    pub coefficients: Vec<f64>,
}

impl Autocorrelation {
    /// The coefficient nearest to the quantile of this share.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let last = self.coefficients.len().checked_sub(1)?;
        self.coefficients.get((share * last as f64 + 0.5) as usize).copied()
    }
}

/// Autocorrelation of the run times of jobs of the same category, in the order of their submission, at lags from 1 to
/// `lags`: of all users, or of one. Categories of fewer than `least` jobs, or with a single run time, are left out.
pub fn autocorrelation(
    workload: &Workload,
    category: Category,
    user: Option<i32>,
    least: usize,
    lags: usize,
) -> Vec<Autocorrelation> {
    let categories = Categories::of(workload);
    let mut series: Vec<Vec<f64>> = vec![Vec::new(); categories.counts[category.place()]];
    for job in workload.jobs() {
        let number = categories.numbers(job)[category.place()];
        if number != NONE && user.is_none_or(|user| workload.request(job).user == user) {
            series[number as usize].push(workload.run(job) as f64);
        }
    }
    series.retain(|runs| runs.len() >= least);
    let at = |lag| {
        let mut coefficients: Vec<f64> = series.iter().filter_map(|runs| coefficient(runs, lag)).collect();
        coefficients.sort_by(f64::total_cmp);
        Autocorrelation { lag, coefficients }
    };
    (1..=lags).map(at).collect()
}

/// rho(l) = sum of (p(i) - mean) (p(i + l) - mean) / ((n - l) variance), of n run times p.
fn coefficient(runs: &[f64], lag: usize) -> Option<f64> {
    let n = runs.len();
    let pairs = n.checked_sub(lag).filter(|&pairs| pairs > 0)?;
    let mean = runs.iter().sum::<f64>() / n as f64;
    let variance = runs.iter().map(|run| (run - mean) * (run - mean)).sum::<f64>() / n as f64;
    let products = runs.iter().zip(&runs[lag..]).map(|(run, later)| (run - mean) * (later - mean));
    (variance > 0.0).then(|| products.sum::<f64>() / (pairs as f64 * variance))
}

#[cfg(test)]
mod tests {
    use super::super::testing::workload;
    use super::super::{Because, WEEK};
    use super::*;

    fn classified(class: Class, divider: Option<i64>) -> Classified {
        Classified { class, divider, because: Because::EveryJob }
    }

    #[test]
    fn shares_are_of_the_right_jobs() {
        let confusion = Confusion { true_small: 30, true_large: 40, false_small: 10, false_large: 20 };
        assert_eq!(confusion.jobs(), 100);
        assert_eq!(confusion.accuracy(), Some(0.7));
        assert_eq!(confusion.precision(), Some(0.75));
        assert_eq!(confusion.recall(), Some(0.6));
        assert_eq!((confusion.false_large_share(), confusion.false_small_share()), (Some(0.2), Some(0.1)));
        assert_eq!((Confusion::default().accuracy(), Confusion::default().recall()), (None, None));
    }

    #[test]
    fn jobs_count_in_their_weeks_by_the_divider_that_they_were_given() {
        let workload = workload(&[(0, 5), (WEEK, 10), (WEEK + 1, 10), (3 * WEEK, 10)]);
        let classified = [
            classified(Class::Large, None),
            classified(Class::Small, Some(11)),
            classified(Class::Small, Some(10)),
            classified(Class::Large, Some(11)),
        ];
        let weekly = weekly(&workload, &classified);
        assert_eq!(weekly.len(), 4);
        assert_eq!(weekly[0], Confusion::default());
        assert_eq!(weekly[1], Confusion { true_small: 1, false_small: 1, ..Confusion::default() });
        assert_eq!(weekly[2].jobs(), 0);
        assert_eq!(from_week(1, &weekly), Confusion { true_small: 1, false_small: 1, false_large: 1, true_large: 0 });
        assert_eq!(from_week(2, &weekly).jobs(), 1);
    }
}

#[cfg(test)]
mod shares_tests {
    use super::*;
    use crate::classifier::testing::{of, request};
    use packfair_workload::Request;

    #[test]
    fn small_jobs_are_premature_if_they_requested_more_than_the_divider() {
        let job = |limit, processors, run| (Request { limit, processors, ..request(0) }, run);
        let workload = of([job(100, 1, 10), job(50, 2, 20), job(100, 1, 80), job(100, 4, 90)]);
        let shares = shares(&workload).unwrap();
        assert_eq!(shares.divider, 50);
        assert_eq!(shares.jobs, Parts { large: 0.5, expected: 0.25, premature: 0.25 });
        let whole = 10.0 + 40.0 + 80.0 + 360.0;
        assert_eq!(shares.area, Parts { large: 440.0 / whole, expected: 40.0 / whole, premature: 10.0 / whole });
    }

    #[test]
    fn no_jobs_have_no_shares_and_no_area_is_no_share() {
        assert_eq!(shares(&of([])), None);
        assert_eq!(shares(&of([(request(0), 0)])).unwrap().area, Parts::default());
    }
}

#[cfg(test)]
mod autocorrelation_tests {
    use super::*;
    use crate::classifier::testing::{of, request};
    use packfair_workload::Request;

    #[test]
    fn run_times_that_alternate_are_correlated_at_even_lags() {
        assert_eq!(coefficient(&[1.0, 3.0, 1.0, 3.0], 1), Some(-1.0));
        assert_eq!(coefficient(&[1.0, 3.0, 1.0, 3.0], 2), Some(1.0));
        assert_eq!(coefficient(&[1.0, 3.0], 2), None, "no job comes so much later");
        assert_eq!(coefficient(&[2.0, 2.0, 2.0], 1), None, "nothing varies");
    }

    #[test]
    fn each_category_has_its_coefficient() {
        let job = |user, processors, run| (Request { user, processors, ..request(0) }, run);
        let alternating = (0..10).map(|i| job(1, 1, 1 + i % 2));
        let growing = (0..10).map(|i| job(1, 2, i));
        let other = (0..10).map(|i| job(2, 2, 100 + i % 2));
        let workload = of(alternating.chain(growing).chain(other).chain([job(1, 3, 5), job(-1, 1, 5)]));
        let all = autocorrelation(&workload, Category::UserWidth, None, 5, 2);
        assert_eq!(all.iter().map(|at| (at.lag, at.coefficients.len())).collect::<Vec<_>>(), [(1, 3), (2, 3)]);
        assert_eq!(all[0].quantile(0.0), Some(-1.0));
        assert!(all[0].quantile(1.0).unwrap() > 0.6);
        let one = autocorrelation(&workload, Category::UserWidth, Some(2), 5, 2);
        assert_eq!((one[0].coefficients.as_slice(), one[1].coefficients.as_slice()), (&[-1.0][..], &[1.0][..]));
        assert_eq!(autocorrelation(&workload, Category::UserWidth, Some(3), 5, 1)[0].quantile(0.5), None);
    }
}

//! What a workload like a log's is generated from: the rows of DYNP Table 2, the gaps between submissions, and which
//! widths, requests and run times occur together.

use super::combination::combinations;
use super::joint::JointClass;
use super::weibull::{NoFit, Weibull, WeibullFit};
use crate::workload::{Seconds, Steps, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The mean, the least and the largest of some times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeExtent {
    /// Mean, seconds.
    pub mean: f64,
    pub min: Seconds,
    pub max: Seconds,
}

/// The rows of DYNP Table 2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    pub jobs: usize,
    pub max_width: u32,
    pub processors: u32,
    pub mean_width: f64,
    pub requested: TimeExtent,
    pub run: TimeExtent,
    pub gap: TimeExtent,
    /// Jobs that ran for longer than requested.
    pub overruns: usize,
    /// How many gaps are 0 s long.
    pub zero_gaps: u64,
    /// Gaps of 0 s over the number of jobs ("likelihood of interarrival time" in DYNP Table 2).
    pub p0: f64,
    /// The Weibull law of the gaps above 0, by maximum likelihood, or why there is none.
    pub fit: Result<WeibullFit, NoFit>,
    /// Cumulative fraction of the gaps above 0 against their length, seconds.
    pub by_length: Steps,
    /// How many combinations of width, requested and run time occur.
    pub combinations: usize,
    /// The joint distribution of width, requested and run time, in classes.
    #[serde(default)]
    pub joint: Vec<JointClass>,
}

/// A gap between submissions: how often it occurs, and what share of the gaps above 0 is no longer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GapShare {
    /// The length of the gap, seconds, above 0.
    pub gap: Seconds,
    pub times: u64,
    /// The share of the gaps above 0 that are at most this long.
    pub share: f64,
}

impl Analysis {
    pub fn of(workload: &Workload) -> Self {
        let requests = workload.requests();
        let gaps = gaps(workload);
        let zero_gaps = gaps.first().filter(|(gap, _)| *gap == 0).map_or(0, |&(_, times)| times);
        let combinations = combinations(workload);
        let jobs = workload.len();
        let mean = |sum: f64| if jobs > 0 { sum / jobs as f64 } else { 0.0 };
        Analysis {
            jobs,
            max_width: requests.iter().map(|request| request.processors).max().unwrap_or(0),
            processors: workload.machine.processors,
            mean_width: mean(requests.iter().map(|request| f64::from(request.processors)).sum()),
            requested: TimeExtent::of(requests.iter().map(|request| (request.limit, 1))),
            run: TimeExtent::of(workload.runs().iter().map(|&run| (run, 1))),
            gap: TimeExtent::of(gaps.iter().copied()),
            overruns: requests.iter().zip(workload.runs()).filter(|(request, run)| **run > request.limit).count(),
            zero_gaps,
            p0: mean(zero_gaps as f64),
            fit: Weibull::fit(&gaps),
            by_length: by_length(workload),
            joint: JointClass::all(&combinations),
            combinations: combinations.len(),
        }
    }
}

impl TimeExtent {
    /// The extent of times, each with how often it occurs; all 0 where there is none.
    fn of(times: impl Iterator<Item = (Seconds, u64)>) -> Self {
        let (mut sum, mut count, mut extent) = (0_i128, 0, None);
        for (time, often) in times {
            sum += i128::from(time) * i128::from(often);
            count += often;
            let (min, max) = extent.unwrap_or((time, time));
            extent = Some((time.min(min), time.max(max)));
        }
        extent.map_or(TimeExtent::default(), |(min, max)| TimeExtent { mean: sum as f64 / count as f64, min, max })
    }
}

/// The times between submissions, ascending, each with how often it occurs.
pub fn gaps(workload: &Workload) -> Vec<(Seconds, u64)> {
    let mut gaps: BTreeMap<Seconds, u64> = BTreeMap::new();
    for pair in workload.requests().windows(2) {
        *gaps.entry(pair[1].submit - pair[0].submit).or_default() += 1;
    }
    gaps.into_iter().collect()
}

/// The gaps above 0 as a distribution function.
pub fn gap_shares(workload: &Workload) -> Vec<GapShare> {
    let gaps: Vec<(Seconds, u64)> = gaps(workload).into_iter().filter(|(gap, _)| *gap > 0).collect();
    let all: u64 = gaps.iter().map(|(_, times)| times).sum();
    let mut until = 0;
    let share = |(gap, times)| {
        until += times;
        GapShare { gap, times, share: until as f64 / all as f64 }
    };
    gaps.into_iter().map(share).collect()
}

/// The distribution function of the gaps above 0 as a curve, with at most as many points as a chart can show.
fn by_length(workload: &Workload) -> Steps {
    let mut steps = Steps::default();
    for GapShare { gap, share, .. } in gap_shares(workload) {
        steps.push(gap as f64, share);
    }
    steps.reduced()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::test_jobs;
    use crate::workload::like::Combination;

    #[test]
    fn the_rows_of_table_2_come_from_the_jobs() {
        // (submit, width, run, requested)
        let jobs = [(0, 1, 10, 60), (0, 4, 20, 15), (5, 1, 10, 60), (25, 2, 30, 60)];
        let workload = test_jobs::workload(8, &jobs);
        let analysis = Analysis::of(&workload);
        assert_eq!((analysis.jobs, analysis.max_width, analysis.processors, analysis.mean_width), (4, 4, 8, 2.0));
        assert_eq!(analysis.requested, TimeExtent { mean: 48.75, min: 15, max: 60 });
        assert_eq!(analysis.run, TimeExtent { mean: 17.5, min: 10, max: 30 });
        assert_eq!(analysis.gap, TimeExtent { mean: 25.0 / 3.0, min: 0, max: 20 });
        assert_eq!((analysis.overruns, analysis.zero_gaps, analysis.p0), (1, 1, 0.25));
        assert!(analysis.fit.is_ok());
        assert_eq!(analysis.combinations, 3);
        assert_eq!(combinations(&workload)[0], Combination { width: 1, requested: 60, run: 10, jobs: 2 });
        let shares: Vec<_> = gap_shares(&workload).into_iter().map(|share| (share.gap, share.share)).collect();
        assert_eq!(shares, [(5, 0.5), (20, 1.0)]);
    }

    #[test]
    fn few_jobs_have_no_law() {
        for jobs in [&[][..], &[(7, 1, 10, 60)], &[(7, 1, 10, 60), (7, 1, 1, 1)]] {
            let analysis = Analysis::of(&test_jobs::workload(8, jobs));
            assert_eq!(analysis.fit, Err(NoFit { distinct: 0 }));
            assert!(analysis.p0.is_finite() && analysis.gap.mean == 0.0);
        }
    }
}

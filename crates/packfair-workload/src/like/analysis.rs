//! What a workload like a log's is generated from: the rows of DYNP Table 2, the gaps between submissions, and which
//! widths, requests and run times occur together.

use crate::{Seconds, Steps, Workload};
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

// The joint distribution of width, requested and run time, in classes: for a chart, and for a page that should not
// carry every job.

/// Jobs whose width, requested and run time lie in the same classes. Each class reaches from a power of two to below the
/// next; a time of 0 s is in the class from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JointClass {
    /// Widths of at least 2 to the power of this.
    pub width: u8,
    /// Requested times of at least 2 to the power of this, seconds.
    pub requested: u8,
    /// Run times of at least 2 to the power of this, seconds.
    pub run: u8,
    pub jobs: u64,
}

impl JointClass {
    /// The bounds of a class: from the first to below the second.
    pub fn bounds(class: u8) -> (f64, f64) {
        let from = 2_f64.powi(i32::from(class));
        (from, 2.0 * from)
    }

    /// The classes in which there are jobs, ascending.
    pub(super) fn all(combinations: &[Combination]) -> Vec<JointClass> {
        let class = |value: i64| value.max(1).ilog2() as u8;
        let mut all: Vec<JointClass> = combinations
            .iter()
            .map(|alike| JointClass {
                width: class(i64::from(alike.width)),
                requested: class(alike.requested),
                run: class(alike.run),
                jobs: alike.jobs,
            })
            .collect();
        all.sort_unstable_by_key(JointClass::classes);
        all.dedup_by(|next, kept| {
            let is_same = next.classes() == kept.classes();
            kept.jobs += if is_same { next.jobs } else { 0 };
            is_same
        });
        all
    }

    fn classes(&self) -> (u8, u8, u8) {
        (self.width, self.requested, self.run)
    }
}

// Which widths, requested and run times occur together in a workload.

/// Jobs of the same width, requested and run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Combination {
    pub width: u32,
    pub requested: Seconds,
    pub run: Seconds,
    pub jobs: u64,
}

/// The joint distribution of width, requested and run time: the combinations that occur, by width, then requested, then
/// run time.
pub fn combinations(workload: &Workload) -> Vec<Combination> {
    let mut jobs: Vec<(u32, Seconds, Seconds)> = workload
        .requests()
        .iter()
        .zip(workload.runs())
        .map(|(request, &run)| (request.processors, request.limit, run))
        .collect();
    jobs.sort_unstable();
    let alike = jobs.chunk_by(|a, b| a == b);
    alike
        .map(|alike| {
            let (width, requested, run) = alike[0];
            Combination { width, requested, run, jobs: alike.len() as u64 }
        })
        .collect()
}

// The Weibull law of the gaps between submissions, and its fit by maximum likelihood.

/// A Weibull law: P(X <= x) = 1 - exp(-(x / beta)^alpha).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weibull {
    pub alpha: f64,
    /// Scale, seconds.
    pub beta: f64,
}

/// A law that was fitted to gaps, and how likely it makes them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeibullFit {
    pub law: Weibull,
    /// Logarithm of the likelihood of all gaps above 0, with times in seconds.
    pub log_likelihood: f64,
}

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error(
    "the times between submissions have {distinct} different values above 0 s; a Weibull law can be fitted to two or \
     more. Give alpha and beta instead"
)]
pub struct NoFit {
    /// How many different gaps above 0 there are.
    pub distinct: usize,
}

/// Laws of DYNP Table 2, with the share of gaps of 0 s beside them (there: "likelihood of interarrival time"). Its
/// alpha and beta are not those of maximum likelihood: they look like a fit of the distribution function, with alpha on
/// a grid of 0.05 and beta on one of 10.
pub const OF_DYNP: [(&str, Weibull, f64); 4] = [
    ("CTC", Weibull { alpha: 0.35, beta: 60.0 }, 0.006_393_2),
    ("KTH", Weibull { alpha: 0.35, beta: 200.0 }, 0.011_688_3),
    ("PC2", Weibull { alpha: 0.25, beta: 40.0 }, 0.065_994_2),
    ("SDSC", Weibull { alpha: 0.4, beta: 290.0 }, 0.010_492_6),
];

impl Weibull {
    /// The law of maximum likelihood for gaps, each with how often it occurs. Gaps of 0 s have no density and are left
    /// out.
    ///
    /// # Errors
    /// Fewer than two different gaps above 0.
    pub fn fit(gaps: &[(Seconds, u64)]) -> Result<WeibullFit, NoFit> {
        let positive: Vec<(f64, f64)> =
            gaps.iter().filter(|(gap, _)| *gap > 0).map(|&(gap, times)| (gap as f64, times as f64)).collect();
        if positive.len() < 2 {
            return Err(NoFit { distinct: positive.len() });
        }
        // powers of gaps up to 1 do not overflow
        let longest = positive.iter().map(|(gap, _)| *gap).fold(0.0, f64::max);
        let scaled: Vec<(f64, f64)> = positive.iter().map(|&(gap, times)| (libm::log(gap / longest), times)).collect();
        let alpha = shape(&scaled);
        let count: f64 = scaled.iter().map(|(_, times)| times).sum();
        let mean_power = scaled.iter().map(|&(log, times)| times * libm::exp(alpha * log)).sum::<f64>() / count;
        let law = Weibull { alpha, beta: longest * libm::pow(mean_power, 1.0 / alpha) };
        let log_likelihood = positive.iter().map(|&(gap, times)| times * law.log_density(gap)).sum();
        Ok(WeibullFit { law, log_likelihood })
    }

    /// The share of gaps that are at most `gap`.
    pub fn share_until(&self, gap: f64) -> f64 {
        if gap > 0.0 { 1.0 - libm::exp(-libm::pow(gap / self.beta, self.alpha)) } else { 0.0 }
    }

    /// The gap that a share of all gaps stays below; `share` is from 0 to less than 1.
    pub fn quantile(&self, share: f64) -> f64 {
        self.beta * libm::pow(-libm::log(1.0 - share), 1.0 / self.alpha)
    }

    /// The mean gap, seconds.
    pub fn mean(&self) -> f64 {
        self.beta * libm::tgamma(1.0 + 1.0 / self.alpha)
    }

    fn log_density(&self, gap: f64) -> f64 {
        let Weibull { alpha, beta } = *self;
        let log = libm::log(gap / beta);
        libm::log(alpha / beta) + (alpha - 1.0) * log - libm::exp(alpha * log)
    }
}

/// The shape of maximum likelihood for logarithms of gaps, each with its weight: the root of an increasing function, by
/// Newton's method within shrinking bounds.
fn shape(logs: &[(f64, f64)]) -> f64 {
    let count: f64 = logs.iter().map(|(_, times)| times).sum();
    let mean = logs.iter().map(|(log, times)| log * times).sum::<f64>() / count;
    // value and slope
    let at = |alpha: f64| {
        let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
        for &(log, times) in logs {
            let power = times * libm::exp(alpha * log);
            sum += power;
            first += power * log;
            second += power * log * log;
        }
        let tilted = first / sum;
        (tilted - 1.0 / alpha - mean, second / sum - tilted * tilted + 1.0 / (alpha * alpha))
    };
    let (mut low, mut high) = (0.0, 1.0);
    // for a large alpha the function is above 0, because the mean is below the largest logarithm
    while at(high).0 < 0.0 {
        (low, high) = (high, high * 2.0);
    }
    let mut alpha = (low + high) / 2.0;
    for _ in 0..200 {
        let (value, slope) = at(alpha);
        if value < 0.0 {
            low = alpha
        } else {
            high = alpha
        }
        let newton = alpha - value / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        if next == alpha || (high - low) <= f64::EPSILON * alpha {
            break;
        }
        let is_near = (next - alpha).abs() <= f64::EPSILON * alpha;
        alpha = next;
        if is_near {
            break;
        }
    }
    alpha
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::like::Combination;
    use crate::testing;

    #[test]
    fn the_rows_of_table_2_come_from_the_jobs() {
        // (submit, width, run, requested)
        let jobs = [(0, 1, 10, 60), (0, 4, 20, 15), (5, 1, 10, 60), (25, 2, 30, 60)];
        let workload = testing::jobs(8, &jobs);
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
            let analysis = Analysis::of(&testing::jobs(8, jobs));
            assert_eq!(analysis.fit, Err(NoFit { distinct: 0 }));
            assert!(analysis.p0.is_finite() && analysis.gap.mean == 0.0);
        }
    }
}

#[cfg(test)]
mod joint_tests {
    use super::*;

    #[test]
    fn classes_hold_all_jobs() {
        let of = |width, requested, run, jobs| Combination { width, requested, run, jobs };
        let all = JointClass::all(&[of(1, 60, 0, 2), of(1, 63, 1, 3), of(3, 64, 40, 1), of(1, 32, 1, 4)]);
        let class = |width, requested, run, jobs| JointClass { width, requested, run, jobs };
        assert_eq!(all, [class(0, 5, 0, 9), class(1, 6, 5, 1)]);
        assert_eq!(JointClass::bounds(5), (32.0, 64.0));
        assert!(JointClass::all(&[]).is_empty());
    }
}

#[cfg(test)]
mod weibull_tests {
    use super::*;

    #[test]
    fn a_law_is_found_again_in_its_quantiles() {
        for law in [Weibull { alpha: 0.8, beta: 5_000.0 }, Weibull { alpha: 1.7, beta: 90_000.0 }] {
            let quantiles = (0..20_000).map(|i| ((law.quantile((f64::from(i) + 0.5) / 20_000.0) + 0.5) as i64, 1));
            let found = Weibull::fit(&quantiles.collect::<Vec<_>>()).unwrap().law;
            assert!((found.alpha / law.alpha - 1.0).abs() < 0.03, "{found:?}");
            assert!((found.beta / law.beta - 1.0).abs() < 0.03, "{found:?}");
        }
    }

    #[test]
    fn likelihood_is_least_nowhere_near_the_fit() {
        let gaps = [(0, 7), (1, 4), (5, 3), (60, 2), (900, 2), (40_000, 1)];
        let WeibullFit { law, log_likelihood } = Weibull::fit(&gaps).unwrap();
        let of = |law: Weibull| gaps[1..].iter().map(|&(gap, n)| n as f64 * law.log_density(gap as f64)).sum::<f64>();
        assert!((of(law) - log_likelihood).abs() < 1e-9);
        for (a, b) in [(1.001, 1.0), (0.999, 1.0), (1.0, 1.001), (1.0, 0.999)] {
            assert!(of(Weibull { alpha: law.alpha * a, beta: law.beta * b }) < log_likelihood);
        }
    }

    #[test]
    fn one_gap_is_not_enough() {
        assert_eq!(Weibull::fit(&[(0, 5), (60, 100)]), Err(NoFit { distinct: 1 }));
        assert!(Weibull::fit(&[]).unwrap_err().to_string().contains("have 0 different values above 0 s"));
        assert!(Weibull::fit(&[(60, 1), (61, 1)]).is_ok_and(|fit| fit.law.alpha.is_finite()));
    }

    #[test]
    fn shares_means_and_quantiles_belong_together() {
        let law = Weibull { alpha: 1.0, beta: 50.0 }; // exponential
        assert!((law.mean() - 50.0).abs() < 1e-9);
        assert!((law.share_until(law.quantile(0.3)) - 0.3).abs() < 1e-12);
        assert_eq!(law.share_until(0.0), 0.0);
        assert!((OF_DYNP[1].1.mean() - 1006.0).abs() < 1.0, "KTH: 1006 s");
    }
}

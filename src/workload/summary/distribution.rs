//! How values are distributed: quantiles, and a histogram with classes of equal ratio.

use serde::{Deserialize, Serialize};

/// Bounds of classes within a decade (the preferred numbers R5 of ISO 3). Their ratios are nearly equal, and they are
/// the same on every machine.
const DECADE: [f64; 5] = [1.0, 1.6, 2.5, 4.0, 6.3];

/// The distribution of a positive quantity over jobs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    pub jobs: usize,
    pub mean: f64,
    /// Smallest, quantiles and largest.
    pub quantiles: Quantiles,
    /// Classes without gaps, from the first to the last that holds a value.
    pub classes: Vec<HistogramClass>,
}

/// Quantiles by nearest rank: each is a value that occurs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quantiles {
    pub min: f64,
    /// 10 %.
    pub p10: f64,
    /// 25 %.
    pub p25: f64,
    /// 50 %.
    pub median: f64,
    /// 75 %.
    pub p75: f64,
    /// 90 %.
    pub p90: f64,
    /// 99 %.
    pub p99: f64,
    pub max: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistogramClass {
    /// The lower bound, which belongs to the class.
    pub from: f64,
    /// The upper bound, which does not belong to the class.
    pub below: f64,
    pub jobs: usize,
}

impl Distribution {
    /// The distribution of `values`, finite and not negative; all zero where there are none.
    pub(in crate::workload) fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (values.first(), values.last()) else { return Distribution::default() };
        let jobs = values.len();
        let rank = |percent: usize| values[(jobs * percent).div_ceil(100).max(1) - 1];
        let quantiles = Quantiles {
            min,
            p10: rank(10),
            p25: rank(25),
            median: rank(50),
            p75: rank(75),
            p90: rank(90),
            p99: rank(99),
            max,
        };
        let mean = values.iter().sum::<f64>() / jobs as f64;
        Distribution { jobs, mean, quantiles, classes: classes(&values) }
    }
}

/// Counts ascending values by class.
fn classes(values: &[f64]) -> Vec<HistogramClass> {
    let mut classes = Vec::new();
    let mut rest = values;
    let mut from = 0.0;
    for below in bounds() {
        let jobs = rest.partition_point(|&value| value < below);
        rest = &rest[jobs..];
        if jobs > 0 || !classes.is_empty() {
            classes.push(HistogramClass { from, below, jobs });
        }
        if rest.is_empty() {
            break;
        }
        from = below;
    }
    classes
}

/// Upper bounds of the classes: 0.01, 0.016, ... to 6.3e14, and then all that is larger.
fn bounds() -> impl Iterator<Item = f64> {
    let decades = [0.01, 0.1].into_iter().chain((0..15).map(|exponent| 10_u64.pow(exponent) as f64));
    decades.flat_map(|decade| DECADE.map(|step| step * decade)).chain([f64::MAX])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_nearest_ranks() {
        let values = (1..=200).rev().map(f64::from).collect();
        let distribution = Distribution::of(values);
        let q = distribution.quantiles;
        let all = [q.min, q.p10, q.p25, q.median, q.p75, q.p90, q.p99, q.max];
        assert_eq!(all, [1.0, 20.0, 50.0, 100.0, 150.0, 180.0, 198.0, 200.0]);
        assert_eq!((distribution.jobs, distribution.mean), (200, 100.5));
    }

    #[test]
    fn counts_by_class() {
        let distribution = Distribution::of(vec![1.0, 1.5, 1.6, 6.3, 99.0]);
        let classes: Vec<_> = distribution.classes.iter().map(|class| (class.from, class.below, class.jobs)).collect();
        let expected = [
            (1.0, 1.6, 2),
            (1.6, 2.5, 1),
            (2.5, 4.0, 0),
            (4.0, 6.3, 0),
            (6.3, 10.0, 1),
            (10.0, 16.0, 0),
            (16.0, 25.0, 0),
            (25.0, 40.0, 0),
            (40.0, 63.0, 0),
            (63.0, 100.0, 1),
        ];
        assert_eq!(classes, expected);
    }

    #[test]
    fn takes_extremes_and_nothing() {
        assert_eq!(Distribution::of(Vec::new()), Distribution::default());
        let distribution = Distribution::of(vec![0.0, 1e300]);
        assert_eq!(distribution.classes.iter().map(|class| class.jobs).sum::<usize>(), 2);
    }
}

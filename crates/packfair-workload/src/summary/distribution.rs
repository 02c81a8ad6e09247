//! How values are distributed: quantiles, and a histogram with classes of equal ratio.

use super::QueueChoice;
use crate::{Seconds, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    pub(crate) fn of(mut values: Vec<f64>) -> Self {
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

// How jobs and their area are distributed over job area (METRICS Fig. 3, top).

/// The most points of a curve: more than a chart has pixels to tell apart.
const POINTS: usize = 600;

/// A step function: `y[i]` holds from `x[i]` on, until `x[i + 1]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Steps {
    /// The positions of the steps, ascending.
    pub x: Vec<f64>,
    /// The values, as many as `x`.
    pub y: Vec<f64>,
}

/// Cumulative fractions against job area r D, in processor-seconds.
pub(super) struct ByArea {
    /// F(x): the fraction of jobs with an area of at most x.
    pub jobs: Steps,
    /// The fraction of all area that these jobs have.
    pub area: Steps,
}

impl ByArea {
    pub(super) fn of(workload: &Workload) -> Self {
        let mut areas: Vec<f64> = workload.jobs().map(|job| workload.area(job)).collect();
        areas.sort_unstable_by(f64::total_cmp);
        let total: f64 = areas.iter().sum();
        let (mut jobs, mut area) = (Steps::default(), Steps::default());
        let mut sum = 0.0;
        for (i, &size) in areas.iter().enumerate() {
            sum += size;
            if areas.get(i + 1) != Some(&size) {
                jobs.push(size, (i + 1) as f64 / areas.len() as f64);
                // where all jobs take no time there is no area, and the fraction is 0
                area.push(size, if total > 0.0 { sum / total } else { 0.0 });
            }
        }
        ByArea { jobs: jobs.reduced(), area: area.reduced() }
    }
}

impl Steps {
    pub(crate) fn push(&mut self, x: f64, y: f64) {
        self.x.push(x);
        self.y.push(y);
    }

    /// The same curve with at most [`POINTS`] points.
    ///
    /// A point is kept if it is far enough from the last kept one. The distance is measured in the logarithm of x and
    /// in y, each relative to its whole range. So every visible step is kept: the points left out move the curve by
    /// less than 1/299 of the chart's width and height together.
    pub(crate) fn reduced(self) -> Self {
        let (Some(&first), Some(&last)) = (self.x.first(), self.x.last()) else { return self };
        if self.x.len() <= POINTS {
            return self;
        }
        // below one processor-second there are only jobs of no area
        let log = |x: f64| libm::log(x.max(1.0));
        let width = (log(last) - log(first)).max(f64::MIN_POSITIVE);
        let (low, high) = (self.y[0], self.y[self.y.len() - 1]);
        let height = (high - low).max(f64::MIN_POSITIVE);
        let way = |i: usize| (log(self.x[i]) - log(first)) / width + (self.y[i] - low) / height;
        let pace = 2.0 / (POINTS - 2) as f64;
        let mut kept = Steps::default();
        let mut next = 0.0;
        for i in 0..self.x.len() {
            if way(i) >= next || i + 1 == self.x.len() {
                kept.push(self.x[i], self.y[i]);
                next = way(i) + pace;
            }
        }
        kept
    }
}

// The most processors of each partition that were in use at once.

/// The most processors that jobs of each of these partitions held at once, as logged; none where the log does not say of all
/// of them when they started.
pub(super) fn partition_peaks(workload: &Workload, partitions: &[QueueChoice]) -> Vec<Option<u32>> {
    let places: BTreeMap<i32, usize> = partitions.iter().map(|choice| choice.id).zip(0..).collect();
    let mut changes: Vec<Option<Vec<(Seconds, i64)>>> = vec![Some(Vec::new()); partitions.len()];
    for job in workload.jobs() {
        let request = workload.request(job);
        let Some(&place) = places.get(&request.partition) else { continue };
        let Some(start) = workload.logged_wait(job).map(|wait| request.submit + wait) else {
            changes[place] = None;
            continue;
        };
        if let Some(changes) = &mut changes[place] {
            let processors = i64::from(request.processors);
            changes.extend([(start, processors), (start + workload.run(job), -processors)]);
        }
    }
    changes.into_iter().map(|changes| changes.map(peak)).collect()
}

fn peak(mut changes: Vec<(Seconds, i64)>) -> u32 {
    // at an instant, jobs that end come first
    changes.sort_unstable();
    let mut used = 0;
    let most = changes.into_iter().map(|(_, change)| {
        used += change;
        used
    });
    most.max().and_then(|most| u32::try_from(most).ok()).unwrap_or(0)
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

#[cfg(test)]
mod area_tests {
    use super::*;

    #[test]
    fn keeps_short_curves_as_they_are() {
        let steps = Steps { x: vec![1.0, 2.0], y: vec![0.5, 1.0] };
        assert_eq!(steps.clone().reduced(), steps);
        assert_eq!(Steps::default().reduced(), Steps::default());
    }

    #[test]
    fn keeps_steps_that_can_be_seen() {
        let mut steps = Steps::default();
        (0..50_000).for_each(|i| steps.push(f64::from(i), f64::from(i) / 100_000.0));
        steps.push(50_000.0, 1.0);
        let reduced = steps.clone().reduced();
        assert!((300..=POINTS).contains(&reduced.x.len()), "{}", reduced.x.len());
        assert_eq!((reduced.x.first(), reduced.x.last()), (Some(&0.0), Some(&50_000.0)));
        for (x, y) in steps.x.iter().zip(&steps.y) {
            let at = reduced.x.partition_point(|kept| kept <= x) - 1;
            assert!((reduced.y[at] - y).abs() <= 2.0 / 598.0, "{x}");
        }
    }
}

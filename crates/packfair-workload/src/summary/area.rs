//! How jobs and their area are distributed over job area (METRICS Fig. 3, top).

use crate::Workload;
use serde::{Deserialize, Serialize};

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

#[cfg(test)]
mod tests {
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

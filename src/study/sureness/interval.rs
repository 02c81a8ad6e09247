//! Bounds on a number, from repeats.

use serde::{Deserialize, Serialize};

/// The share of the repeats that a band holds at each point.
const HELD: f64 = 0.95;

/// With at least this many repeats, some lie beyond the band at either end. With fewer it holds all of them.
const TELLING: usize = 40;

/// Bounds on a number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

impl Interval {
    /// The range in which 95 % of these values lie: from the 2.5th to the 97.5th percentile. `None` with fewer than two
    /// finite ones.
    pub(super) fn holding(mut values: Vec<f64>) -> Option<Self> {
        values.retain(|value| value.is_finite());
        if values.len() < 2 {
            return None;
        }
        values.sort_by(f64::total_cmp);
        let beyond = if values.len() < TELLING { 0.0 } else { (1.0 - HELD) / 2.0 };
        Some(Interval { low: quantile(&values, beyond), high: quantile(&values, 1.0 - beyond) })
    }

    /// Whether a number lies within it.
    pub fn holds(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// For the interval of a change: whether the change could also be zero or have the opposite sign.
    pub fn is_unsure(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0 && self.low < self.high
    }
}

/// The value below which `share` of the sorted values lies, interpolated between the two nearest (Hyndman and Fan 1996,
/// type 7). There is at least one value.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = at as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (at - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_have_known_intervals() {
        // 0 to 200 in some order: 2.5 % of them lie below 5, and 2.5 % above 195.
        let values: Vec<f64> = (0..=200).map(|i| f64::from(i * 37 % 201)).collect();
        let interval = Interval::holding(values).unwrap();
        assert!((interval.low - 5.0).abs() < 1e-9 && (interval.high - 195.0).abs() < 1e-9, "{interval:?}");
        // Interpolated: 0.025 of the way from the 1st to the 41st value is the 2nd one.
        let values: Vec<f64> = (0..41).map(|i| f64::from(i * i)).collect();
        let interval = Interval::holding(values).unwrap();
        assert!((interval.low - 1.0).abs() < 1e-9 && (interval.high - 1521.0).abs() < 1e-9, "{interval:?}");
    }

    #[test]
    fn few_values_are_all_within() {
        assert_eq!(Interval::holding(vec![3.0, -1.0, 2.0, f64::NAN]), Some(Interval { low: -1.0, high: 3.0 }));
        assert_eq!(Interval::holding(vec![3.0]), None);
        assert_eq!(Interval::holding(vec![]), None);
    }

    #[test]
    fn a_change_that_could_be_none_is_not_sure() {
        let is_unsure = |low, high| Interval { low, high }.is_unsure();
        assert!(is_unsure(-0.02, 0.05) && is_unsure(0.0, 0.1) && is_unsure(-0.1, 0.0));
        assert!(!is_unsure(0.01, 0.05) && !is_unsure(-0.2, -0.1));
        assert!(!is_unsure(0.0, 0.0), "it is surely none");
    }
}

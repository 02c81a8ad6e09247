//! Quartiles, as a box plot shows them.

use serde::{Deserialize, Serialize};

/// How values are spread: the quartiles, and the ends of a box plot's whiskers (Tukey 1977).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quartiles {
    /// The smallest value that is at most one and a half interquartile ranges below the first quartile.
    pub low: f64,
    pub first: f64,
    pub median: f64,
    pub third: f64,
    /// The largest value that is at most one and a half interquartile ranges above the third quartile.
    pub high: f64,
}

/// How far whiskers reach, in interquartile ranges.
const REACH: f64 = 1.5;

impl Quartiles {
    /// The quartiles of these values, none of which is NaN; `None` without values. A quartile between two values is
    /// interpolated linearly.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        radsort::sort(&mut values);
        let last = values.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = share * last as f64;
            let below = place as usize;
            let above = values[(below + 1).min(last)];
            values[below] + (above - values[below]) * (place - below as f64)
        };
        let (first, median, third) = (at(0.25), at(0.5), at(0.75));
        let reach = REACH * (third - first);
        let low = values.iter().copied().find(|&value| value >= first - reach).unwrap_or(first);
        let high = values.iter().copied().rfind(|&value| value <= third + reach).unwrap_or(third);
        // Between two values that are far apart, a quartile may lie beyond both ends.
        Some(Quartiles { low: low.min(first), first, median, third, high: high.max(third) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_and_whiskers_are_those_found_by_hand() {
        assert_eq!(Quartiles::of(vec![]), None);
        let one = Quartiles { low: 3.0, first: 3.0, median: 3.0, third: 3.0, high: 3.0 };
        assert_eq!(Quartiles::of(vec![3.0]), Some(one));
        // Indices 1, 2 and 3 of 0 to 4; 20 lies beyond 4 + 1.5 (4 - 2).
        let spread = Quartiles { low: 1.0, first: 2.0, median: 3.0, third: 4.0, high: 4.0 };
        assert_eq!(Quartiles::of(vec![4.0, 20.0, 1.0, 3.0, 2.0]), Some(spread));
        // Indices 0.75, 1.5 and 2.25 of 0 to 3.
        let spread = Quartiles { low: 0.0, first: 0.75, median: 1.5, third: 2.25, high: 3.0 };
        assert_eq!(Quartiles::of(vec![0.0, 1.0, 2.0, 3.0]), Some(spread));
    }
}

//! How the time of a log becomes that of a shrunk one, in exact fractions.

use crate::Seconds;
use serde::{Deserialize, Serialize};

/// The smallest shrinking factor.
pub(crate) const LEAST: f64 = 0.001;

/// The largest shrinking factor.
pub(crate) const MOST: f64 = 1000.0;

/// How the time of a log has become that of a shrunk one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shrinking {
    /// When the first job is submitted, in the log as in the shrunk one.
    pub(super) first: Seconds,
    pub(super) ratio: Ratio,
}

impl Shrinking {
    /// The time in the shrunk log of `time` in the log, which is not before the first job.
    pub(crate) fn moved(self, time: Seconds) -> Seconds {
        self.first + self.ratio.times(time - self.first)
    }

    /// The time in the log of `time` in the shrunk log.
    pub(crate) fn unmoved(self, time: Seconds) -> Seconds {
        self.first + self.ratio.inverse().times(time - self.first)
    }

    /// How long `seconds` of the log last in the shrunk log, seconds.
    pub(crate) fn lasting(self, seconds: Seconds) -> Seconds {
        self.ratio.times(seconds)
    }
}

/// A factor as an exact fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    /// The shortest decimal number that is read as this factor, which is in range.
    pub(super) fn of(factor: f64) -> Ratio {
        let text = factor.to_string(); // never with an exponent
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let digits = whole.bytes().chain(fraction.bytes()).map(|digit| i128::from(digit - b'0'));
        // at most 17 digits are significant, and at most 3 zeros stand before them
        let numerator = digits.fold(0, |number, digit| number * 10 + digit);
        Ratio { numerator, denominator: 10_i128.pow(fraction.len() as u32) }
    }

    fn inverse(self) -> Ratio {
        Ratio { numerator: self.denominator, denominator: self.numerator }
    }

    /// The product with a distance that is not negative, rounded half up.
    fn times(self, distance: Seconds) -> Seconds {
        let Ratio { numerator, denominator } = self;
        match i128::from(distance).checked_mul(2 * numerator) {
            Some(twice) => ((twice + denominator) / (2 * denominator)) as Seconds,
            // at such distances single seconds do not matter
            None => (distance as f64 * (numerator as f64 / denominator as f64)) as Seconds,
        }
    }
}

//! Bounds that settings must keep.

use super::Aspect;
use crate::metric::Aim;
use crate::study::format::TimeUnit;
use std::fmt;
use std::str::FromStr;

/// An upper or lower limit on a metric, or on what groups lose. As text: `max_wait<=2d`, `utilisation>=70%`,
/// `loss(user)<=10%`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptBound {
    pub aspect: Aspect,
    /// Whether the limit is an upper or a lower one.
    pub side: BoundSide,
    pub limit: f64,
}

/// The side of its limit on which a metric must stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundSide {
    AtMost,
    /// At least the limit.
    AtLeast,
}

/// Units of times in limits, in seconds.
const UNITS: [(&str, f64); 5] = [("min", 60.0), ("s", 1.0), ("m", 60.0), ("h", 3_600.0), ("d", 86_400.0)];

impl KeptBound {
    /// How far a value breaks the bound, as a share of the limit; 0 where it keeps it, and infinite where there is no
    /// value.
    pub fn broken_by(&self, value: Option<f64>) -> f64 {
        let Some(value) = value else { return f64::INFINITY };
        let beyond = match self.side {
            BoundSide::AtMost => value - self.limit,
            BoundSide::AtLeast => self.limit - value,
        };
        if beyond > 0.0 { beyond / self.limit.abs().max(f64::MIN_POSITIVE) } else { 0.0 }
    }

    /// The bound for a person: `Max wait ≤ 2 d`.
    pub fn in_words(&self) -> String {
        let sign = if self.side == BoundSide::AtMost { '≤' } else { '≥' };
        format!("{} {sign} {}", self.aspect.name(), self.aspect.text(self.limit, TimeUnit::Fitting))
    }
}

impl fmt::Display for KeptBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.side == BoundSide::AtMost { "<=" } else { ">=" };
        let unit = if self.aspect.is_time() { "s" } else { "" };
        let percent = 100.0 * self.limit;
        // as a percentage where that is the same number once it is read again
        match self.aspect {
            Aspect::Loss(_) if percent / 100.0 == self.limit => write!(f, "{}{sign}{percent}%", self.aspect),
            _ => write!(f, "{}{sign}{}{unit}", self.aspect, self.limit),
        }
    }
}

impl FromStr for KeptBound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("\"{text}\" is none; a bound looks like max_wait<=2d or utilisation>=70%");
        let (side, parts) = match (text.split_once("<="), text.split_once(">=")) {
            (Some(parts), None) => (BoundSide::AtMost, parts),
            (None, Some(parts)) => (BoundSide::AtLeast, parts),
            _ => return Err(form()),
        };
        let aspect: Aspect = parts.0.trim().parse()?;
        if aspect.aim() == Aim::None {
            return Err(format!("{aspect} is neither better where it is large nor where it is small"));
        }
        let limit = limit(parts.1.trim(), aspect.is_time()).ok_or_else(form)?;
        Ok(KeptBound { aspect, side, limit })
    }
}

/// Reads a number, which may have a unit of time, if it is a time, or be in percent.
fn limit(text: &str, is_time: bool) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    if let Some(percent) = text.strip_suffix('%') {
        return number(percent).filter(|_| !is_time).map(|percent| percent / 100.0);
    }
    let unit = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    match unit.filter(|_| is_time) {
        Some((digits, seconds)) => number(digits).map(|digits| digits * seconds),
        None => number(text),
    }
}

crate::serde_as_text!(KeptBound);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::format::SPACE;

    fn bound(text: &str) -> Result<KeptBound, String> {
        text.parse()
    }

    #[test]
    fn bounds_are_read_with_their_units() {
        for (text, limit) in [
            ("max_wait<=2d", 172_800.0),
            ("AF <= 90 min", 5_400.0),
            ("AF<=3h", 10_800.0),
            ("BSLD<=5.5", 5.5),
            ("max_wait<=7", 7.0),
        ] {
            assert_eq!(bound(text).unwrap().limit, limit, "{text}");
        }
        let utilisation = bound("utilisation>=70%").unwrap();
        assert_eq!((utilisation.limit, utilisation.side), (0.7, BoundSide::AtLeast));
        assert_eq!(bound("loss(user) <= 10%").unwrap().in_words().replace(SPACE, " "), "Loss by user ≤ 10.0 %");
        for text in ["max_wait<=172800s", "utilisation>=0.7", "loss(user)<=10%"] {
            assert_eq!(bound(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_bound_is_refused_in_words() {
        for text in ["max_wait", "max_wait<2d", "max_wait<=", "max_wait<=2w", "BSLD<=2d", "AF<=-3", "AF<=5%", "AF<=NaN"]
        {
            assert!(bound(text).unwrap_err().contains("is none; a bound looks like max_wait<=2d"), "{text}");
        }
        assert!(bound("maxwait<=2d").unwrap_err().starts_with("there is no metric"));
        assert!(bound("corrections<=2").unwrap_err().contains("neither better"));
    }

    #[test]
    fn a_value_that_is_missing_keeps_no_bound() {
        let bound = bound("max_wait<=100").unwrap();
        assert_eq!([Some(90.0), Some(100.0), Some(150.0)].map(|value| bound.broken_by(value)), [0.0, 0.0, 0.5]);
        assert_eq!(bound.broken_by(None), f64::INFINITY);
    }
}

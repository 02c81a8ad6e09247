//! How strongly a change to the baseline is coloured.

use crate::metric::Aim;

/// Change of a factor of ten either way is coloured fully.
const FULL: f64 = std::f64::consts::LN_10;

/// Below about this change the colour grows in proportion, above it with the logarithm.
const KNEE: f64 = 0.05;

/// The side of the diverging palette a change is on, for a metric's aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// As the baseline, or neither better nor worse.
    Neutral,
    /// Better than the baseline.
    Better,
    /// Worse than the baseline.
    Worse,
}

impl Side {
    /// Of a relative change (0.07: 7 % more than the baseline).
    pub fn of(change: f64, aim: Aim) -> Side {
        match (aim, change) {
            (Aim::Low, c) if c < 0.0 => Side::Better,
            (Aim::High, c) if c > 0.0 => Side::Better,
            (Aim::Low | Aim::High, c) if c != 0.0 => Side::Worse,
            _ => Side::Neutral,
        }
    }

    /// In words, to stand behind a change.
    pub fn judgement(self) -> &'static str {
        match self {
            Side::Neutral => "",
            Side::Better => ", better",
            Side::Worse => ", worse",
        }
    }
}

/// How much of the colour a relative change gets, 0 to 1: logarithmic, and the same for a factor and
/// its inverse.
pub fn strength(change: f64) -> f64 {
    let ratio = (1.0 + change).max(f64::MIN_POSITIVE).ln().abs();
    ((1.0 + ratio / KNEE).ln() / (1.0 + FULL / KNEE).ln()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_factor_and_its_inverse_are_equally_strong() {
        assert!((strength(1.0) - strength(-0.5)).abs() < 1e-12);
        assert_eq!(strength(0.0), 0.0);
        assert_eq!(strength(20.0), 1.0);
        assert_eq!(strength(-1.0), 1.0);
        assert!(strength(0.04) > 0.1 && strength(0.04) < strength(0.4));
    }

    #[wasm_bindgen_test]
    fn sides_follow_the_aim() {
        assert_eq!(Side::of(-0.1, Aim::Low), Side::Better);
        assert_eq!(Side::of(-0.1, Aim::High), Side::Worse);
        assert_eq!(Side::of(-0.1, Aim::None), Side::Neutral);
        assert_eq!(Side::of(0.0, Aim::Low), Side::Neutral);
    }
}

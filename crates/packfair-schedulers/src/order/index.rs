//! A queue order with exponents: wait^a / (E^b r^c).
//!
//! Many orders of the literature are cases of it: (3, 3, -1) is WFP, (0, 1, 1) SAF, (0, 1, 0) shortest first, (0, -1,
//! -1) LAF, (1, 1, 0) longest expansion, (1, 0, 0) first come first served.

use packfair_base::catalogue::{Formula, FormulaNumber};

/// The formula of the catalogue.
pub(super) const FORMULA: Formula = Formula {
    id: "index",
    name: "Index (wait^a / (E^b r^c))",
    help: "largest wait^a / (E^b r^c) first, with exponents to choose",
    numbers: &[
        exponent("a", "Exponent of the wait", "0: the order does not change as time passes", 0.0, 1.0),
        exponent("b", "Exponent of the estimate", "above 0: short jobs first; below: long ones", -LARGEST, 1.0),
        exponent("c", "Exponent of the width", "above 0: narrow jobs first; below: wide ones", -LARGEST, 0.0),
    ],
};

/// The largest exponent. With it no power of a wait, an estimate or a width overflows.
const LARGEST: f64 = 5.0;

/// The step of exponents. Powers of whole quarters are made of square roots and products, which are the same on every
/// machine.
const QUARTER: f64 = 0.25;

const fn exponent(id: &'static str, name: &'static str, help: &'static str, min: f64, default: f64) -> FormulaNumber {
    FormulaNumber { id, name, help, min, max: LARGEST, step: QUARTER, default, unit: "" }
}

/// The exponents a, b and c of wait^a / (E^b r^c), in quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exponents {
    wait: i8,
    estimate: i8,
    width: i8,
}

impl Exponents {
    /// Reads the numbers of the formula, which are whole quarters.
    pub(super) fn of(numbers: &[f64]) -> Self {
        let quarters = |i: usize| (numbers[i] / QUARTER) as i8;
        Exponents { wait: quarters(0), estimate: quarters(1), width: quarters(2) }
    }

    /// Whether the index changes as time passes.
    pub(super) fn depend_on_wait(self) -> bool {
        self.wait != 0
    }

    /// wait^a of a job that has waited `wait` seconds.
    #[inline]
    pub(super) fn dividend(self, wait: f64) -> f64 {
        power(wait, self.wait)
    }

    /// E^b r^c of a job of r processors with estimate E.
    pub(super) fn divisor(self, r: f64, e: f64) -> f64 {
        power(e, self.estimate) * power(r, self.width)
    }
}

/// x to the power of `quarters` / 4.
#[inline]
fn power(x: f64, quarters: i8) -> f64 {
    let (whole, rest) = (quarters.unsigned_abs() / 4, quarters.unsigned_abs() % 4);
    let mut power = 1.0;
    for _ in 0..whole {
        power *= x;
    }
    if rest > 0 {
        let root = x.sqrt();
        power *= if rest >= 2 { root } else { 1.0 };
        power *= if rest != 2 { root.sqrt() } else { 1.0 };
    }
    if quarters < 0 { 1.0 / power } else { power }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_powers() {
        for (x, quarters, expected) in [
            (16.0, 1, 2.0),
            (16.0, 2, 4.0),
            (16.0, 3, 8.0),
            (16.0, 5, 32.0),
            (3.0, 8, 9.0),
            (2.0, -4, 0.5),
            (7.0, 0, 1.0),
            (0.0, 3, 0.0),
            (16.0, -3, 0.125),
        ] {
            assert_eq!(power(x, quarters), expected, "{x} to {quarters} quarters");
        }
    }

    #[test]
    fn no_index_is_beyond_numbers() {
        let most = Exponents { wait: 20, estimate: -20, width: -20 };
        assert!((most.dividend(1e10) / most.divisor(1e7, 1e10)).is_finite());
        let least = Exponents { wait: 20, estimate: 20, width: 20 };
        assert!(least.dividend(1.0) / least.divisor(1e7, 1e10) > 0.0);
    }
}

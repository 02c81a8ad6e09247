//! Powers whose exponents are whole quarters: made of products and square roots, which are the same on every machine.

use super::tree::ExpressionTree;

/// An exponent in quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quarters(i8);

/// The largest exponent that is computed by multiplications.
const LARGEST: f64 = 16.0;

impl Quarters {
    /// x to the power of 1.
    pub(super) const ONE: Quarters = Quarters(4);

    /// The exponent that a part of a formula is, if it is a number of whole quarters.
    pub(super) fn of(exponent: &ExpressionTree) -> Option<Self> {
        let quarters = exponent.number()? * 4.0;
        (quarters.abs() <= 4.0 * LARGEST && quarters.fract() == 0.0).then_some(Quarters(quarters as i8))
    }

    pub(super) fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// `x` to this power.
    #[inline]
    pub fn power(self, x: f64) -> f64 {
        let (whole, rest) = (self.0.unsigned_abs() / 4, self.0.unsigned_abs() % 4);
        let mut power = 1.0;
        for _ in 0..whole {
            power *= x;
        }
        if rest > 0 {
            let root = x.sqrt();
            power *= if rest >= 2 { root } else { 1.0 };
            power *= if rest != 2 { root.sqrt() } else { 1.0 };
        }
        if self.is_negative() { 1.0 / power } else { power }
    }
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
            assert_eq!(Quarters(quarters).power(x), expected, "{x} to {quarters} quarters");
        }
        let of = |exponent: f64| Quarters::of(&ExpressionTree::Number(exponent));
        assert_eq!([of(0.75), of(-16.0), of(0.3), of(16.25)], [Some(Quarters(3)), Some(Quarters(-64)), None, None]);
    }
}

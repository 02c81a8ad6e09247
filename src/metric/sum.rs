//! Sums that do not lose digits, and are the same on every machine.

/// A sum with Neumaier's compensation: the error does not grow with the number of its terms.
///
/// It only uses additions in the order of the terms, so every target gives the same bits. The rounding error of an
/// addition is found by Knuth's method, which needs no comparison and is exact too.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    total: f64,
    lost: f64,
}

impl Sum {
    #[inline]
    pub(super) fn add(&mut self, term: f64) {
        let Sum { total, lost } = *self;
        let next = total + term;
        let of_term = next - total;
        let rest = (total - (next - of_term)) + (term - of_term);
        *self = Sum { total: next, lost: lost + rest };
    }

    /// The sum of the terms so far.
    pub(super) fn value(self) -> f64 {
        self.total + self.lost
    }
}

/// Several sums with equally many terms, as [`Sum`] computes each. They are added side by side, for machines with
/// vector instructions.
pub(super) struct Sums<const N: usize> {
    totals: [f64; N],
    lost: [f64; N],
}

impl<const N: usize> Default for Sums<N> {
    fn default() -> Self {
        Sums { totals: [0.0; N], lost: [0.0; N] }
    }
}

impl<const N: usize> Sums<N> {
    #[inline(always)]
    pub(super) fn add(&mut self, terms: [f64; N]) {
        for ((total, lost), term) in self.totals.iter_mut().zip(&mut self.lost).zip(terms) {
            let next = *total + term;
            let of_term = next - *total;
            *lost += (*total - (next - of_term)) + (term - of_term);
            *total = next;
        }
    }

    /// The sums of the terms so far.
    pub(super) fn values(self) -> [f64; N] {
        let mut lost = self.lost.into_iter();
        // There are as many rest terms as totals.
        self.totals.map(|total| total + lost.next().unwrap_or_default())
    }
}

pub(super) fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let mut sum = Sum::default();
    for term in terms {
        sum.add(term);
    }
    sum.value()
}

/// The mean of `terms`; `None` without terms.
pub(super) fn mean(terms: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = terms.len() as f64;
    ratio(sum(terms), count)
}

/// `numerator / denominator`; `None` unless the denominator is above 0 and the result is finite.
pub(super) fn ratio(numerator: f64, denominator: f64) -> Option<f64> {
    let quotient = numerator / denominator;
    (denominator > 0.0 && quotient.is_finite()).then_some(quotient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_terms_survive_beside_large_ones() {
        assert_eq!(sum([1.0, 1e100, 1.0, -1e100].into_iter()), 2.0);
        let tenths = std::iter::repeat_n(0.1, 1_000_000);
        assert_eq!(sum(tenths), 100_000.0);
    }

    #[test]
    fn what_is_not_defined_is_none() {
        assert_eq!(mean([].into_iter()), None);
        assert_eq!(mean([1.0, 2.0].into_iter()), Some(1.5));
        assert_eq!(ratio(0.0, 0.0), None);
        assert_eq!(ratio(f64::INFINITY, 1.0), None);
    }
}

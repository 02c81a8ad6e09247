//! Where a job stands in a queue.

use super::order::Key;
use crate::workload::JobId;

/// Where a job stands in a queue: by its key, ties in log order. It holds whoever enters or leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    /// Both numbers of the key, as a whole number of the same order.
    key: u128,
    pub(super) job: JobId,
}

impl Spot {
    /// Before every job.
    pub(super) const FIRST: Spot = Spot { key: 0, job: JobId(0) };

    /// Behind every job.
    pub(super) const LAST: Spot = Spot { key: u128::MAX, job: JobId(u32::MAX) };

    /// Of a job with this key, which is not NaN.
    #[inline]
    pub(super) fn new((first, second): Key, job: JobId) -> Self {
        Spot { key: u128::from(ordered(first)) << 64 | u128::from(ordered(second)), job }
    }

    /// The first behind this one.
    pub(super) fn next(self) -> Spot {
        Spot { job: JobId(self.job.0 + 1), ..self }
    }
}

/// A whole number of the same order: numbers below zero descend as their bits do.
#[inline]
fn ordered(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits(); // of the two zeros the positive one
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spots_are_in_the_order_of_keys_then_of_the_log() {
        let numbers = [f64::NEG_INFINITY, -1e300, -2.5, -1.0, -1e-300, 0.0, 1e-300, 1.0, 2.5, 1e300, f64::INFINITY];
        let keys = numbers.iter().flat_map(|&first| numbers.iter().map(move |&second| (first, second)));
        let spots: Vec<Spot> = keys.flat_map(|key| [0, 1, 7].map(|job| Spot::new(key, JobId(job)))).collect();
        assert!(spots.is_sorted() && spots[0] > Spot::FIRST);
        assert_eq!(Spot::new((-0.0, 0.0), JobId(1)), Spot::new((0.0, -0.0), JobId(0)).next());
    }
}

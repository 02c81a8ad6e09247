//! Where a job belongs in a queue.

use super::order::Key;
use packfair_workload::JobId;

/// Where a job belongs in a queue: its key, ties in log order. It stays the same when other jobs enter or leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// Both numbers of the key as one whole number with the same order.
    key: u128,
    pub(super) job: JobId,
}

impl Rank {
    /// The rank before every job.
    pub(super) const FIRST: Rank = Rank { key: 0, job: JobId(0) };

    /// The rank after every job.
    pub(super) const LAST: Rank = Rank { key: u128::MAX, job: JobId(u32::MAX) };

    /// The rank of a job with this key, which must not contain NaN.
    #[inline]
    pub(super) fn new((first, second): Key, job: JobId) -> Self {
        Rank { key: u128::from(ordered(first)) << 64 | u128::from(ordered(second)), job }
    }

    /// The first rank after this one.
    pub(super) fn next(self) -> Rank {
        Rank { job: JobId(self.job.0 + 1), ..self }
    }
}

/// Maps a number to a whole number, keeping the order. The bits of negative numbers descend, so they are inverted.
#[inline]
fn ordered(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits(); // maps -0 to +0
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spots_are_in_the_order_of_keys_then_of_the_log() {
        let numbers = [f64::NEG_INFINITY, -1e300, -2.5, -1.0, -1e-300, 0.0, 1e-300, 1.0, 2.5, 1e300, f64::INFINITY];
        let keys = numbers.iter().flat_map(|&first| numbers.iter().map(move |&second| (first, second)));
        let ranks: Vec<Rank> = keys.flat_map(|key| [0, 1, 7].map(|job| Rank::new(key, JobId(job)))).collect();
        assert!(ranks.is_sorted() && ranks[0] > Rank::FIRST);
        assert_eq!(Rank::new((-0.0, 0.0), JobId(1)), Rank::new((0.0, -0.0), JobId(0)).next());
    }
}

//! The random numbers of a search.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The random numbers of a search, the same on every machine.
pub(super) struct ExploreRandom(ChaCha8Rng);

impl ExploreRandom {
    pub(super) fn seeded(seed: u64) -> Self {
        // The key is set directly, because the way in which a library expands a seed may change.
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        ExploreRandom(ChaCha8Rng::from_seed(key))
    }

    /// A random number, uniform in 0..n.
    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    /// The numbers 0..n in random order.
    pub(super) fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            numbers.swap(i, self.below(i + 1));
        }
        numbers
    }
}

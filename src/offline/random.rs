//! Random numbers of a search: the same on every machine, natively and in a browser.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct OfflineRandom(ChaCha8Rng);

impl OfflineRandom {
    /// The stream of a seed.
    pub fn seeded(seed: u64) -> Self {
        // the key is filled here, because how a library spreads a seed may change
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        OfflineRandom(ChaCha8Rng::from_seed(key))
    }

    /// A uniform number in 0..n. Its probabilities deviate by at most a factor of n / 2³².
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    /// An exponential random number with mean 1. Its logarithm is the same on every machine.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        let uniform = (f64::from(self.0.next_u32()) + 0.5) / 4_294_967_296.0;
        -libm::log(uniform)
    }
}

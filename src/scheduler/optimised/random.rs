//! Random numbers of a round: the same on every machine, natively and in a browser.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct RoundRandom(ChaCha8Rng);

impl RoundRandom {
    /// The stream of the round with a number.
    pub fn of_round(seed: u64, round: u64) -> Self {
        // the key is filled here, because how a library spreads a seed may change
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&round.to_le_bytes());
        RoundRandom(ChaCha8Rng::from_seed(key))
    }

    /// A uniform number in 0..n. Its probabilities deviate by at most a factor of n / 2³².
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }
}

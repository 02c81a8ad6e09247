//! Random numbers of a forest: the same on every machine and target, and others in each week.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct TrainingRandom(ChaCha8Rng);

/// What random numbers are for. Each purpose has its own stream.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// Sample of the training rows.
    Sample,
    /// Tree of a forest, by its place.
    Tree(u32),
    /// Round of boosting, by its place.
    Round(u32),
}

impl TrainingRandom {
    /// The stream of a purpose in a week.
    pub(super) fn new(seed: u64, week: usize, purpose: Purpose) -> Self {
        let purpose = match purpose {
            Purpose::Sample => 0,
            Purpose::Tree(place) => 1 << 32 | u64::from(place),
            Purpose::Round(place) => 2 << 32 | u64::from(place),
        };
        // the key is the seed itself: how a library makes a key of a seed may change
        let mut key = [0; 32];
        for (bytes, word) in key.chunks_exact_mut(8).zip([seed, week as u64, purpose]) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        TrainingRandom(ChaCha8Rng::from_seed(key))
    }

    /// A number from 0 to `n` - 1, with a bias of at most n in 2^32.
    #[inline]
    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    /// A sample of `count` of the numbers from 0 to `n` - 1, in order. Every set has the same probability (Knuth's
    /// Algorithm S).
    pub(super) fn sample(&mut self, count: usize, n: usize) -> Vec<u32> {
        let mut taken = Vec::with_capacity(count);
        for (i, left) in (0..n).zip((1..=n).rev()) {
            if self.below(left) < count - taken.len() {
                taken.push(i as u32);
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_of_the_size_asked_for_in_order_and_differ_by_week() {
        for (count, n) in [(0, 0), (0, 5), (5, 5), (3, 10), (200, 1_000)] {
            let sample = |week| TrainingRandom::new(1, week, Purpose::Sample).sample(count, n);
            let taken = sample(3);
            assert_eq!(taken.len(), count);
            assert!(taken.windows(2).all(|pair| pair[0] < pair[1]) && taken.iter().all(|&i| (i as usize) < n));
            assert_eq!(taken, sample(3));
        }
        let sample = |week| TrainingRandom::new(1, week, Purpose::Sample).sample(200, 1_000);
        assert_ne!(sample(1), sample(2));
    }

    #[test]
    fn every_number_is_sampled_equally_often() {
        let mut random = TrainingRandom::new(7, 0, Purpose::Tree(1));
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            for i in random.sample(3, 10) {
                counts[i as usize] += 1;
            }
        }
        assert!(counts.iter().all(|count| (2_800..3_200).contains(count)), "{counts:?}");
    }
}

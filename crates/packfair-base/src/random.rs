//! Random numbers that are the same on every machine and target.
//!
//! The generator is ChaCha8. The distributions are sampled here with libm's functions alone: rand_distr would take exp
//! and ln from num-traits, which are the platform's own as soon as any crate of the build turns its `std` feature on,
//! and those differ in the last bit between targets.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The stream of `seed`.
    pub fn seeded(seed: u64) -> Self {
        Random::of([seed])
    }

    /// The stream of some numbers, at most four: a seed, and what tells this stream from others of the seed. Zeroes at
    /// the end do not count.
    pub fn of<const N: usize>(numbers: [u64; N]) -> Self {
        const { assert!(N <= 4) };
        // the key is the numbers themselves, because a library's way of making a key from a seed may change
        let mut key = [0; 32];
        for (bytes, number) in key.chunks_exact_mut(8).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        Random(ChaCha8Rng::from_seed(key))
    }

    /// A number in 0..n, from 32 bits: probabilities deviate by at most a factor of n / 2³².
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    /// A number in 0..n, where n is above 0, from 53 bits: for models of workloads.
    pub fn below_fine(&mut self, n: usize) -> usize {
        // a uniform number is below 1; the minimum guards against rounding
        ((self.uniform() * n as f64) as usize).min(n - 1)
    }

    /// A sample of `count` of the numbers 0..n, in order. Every set has the same probability (Knuth's Algorithm S).
    pub fn sample(&mut self, count: usize, n: usize) -> Vec<u32> {
        let mut sample = Vec::with_capacity(count);
        for (i, left) in (0..n).zip((1..=n).rev()) {
            if self.below(left) < count - sample.len() {
                sample.push(i as u32);
            }
        }
        sample
    }

    /// The numbers 0..n in random order.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            numbers.swap(i, self.below(i + 1));
        }
        numbers
    }

    /// An exponential random number with mean 1, from 32 bits.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        let uniform = (f64::from(self.0.next_u32()) + 0.5) / 4_294_967_296.0;
        -libm::log(uniform)
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Normal with mean 0 and variance 1, by Marsaglia's polar method.
    fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * libm::sqrt(-2.0 * libm::log(square) / square);
            }
        }
    }

    /// Gamma with this shape, at least 1, and scale: mean shape x scale. By Marsaglia and Tsang,
    /// "A simple method for generating gamma variables", 2000.
    pub fn gamma(&mut self, shape: f64, scale: f64) -> f64 {
        debug_assert!(shape >= 1.0);
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / libm::sqrt(9.0 * d);
        loop {
            let x = self.normal();
            let root = 1.0 + c * x;
            let v = root * root * root;
            if v > 0.0 && libm::log(1.0 - self.uniform()) < 0.5 * x * x + d - d * v + d * libm::log(v) {
                return d * v * scale;
            }
        }
    }
}

// The law of gamma variables, of which Lublin's model is made.

/// The probability that a gamma variable of this shape and scale is at most `x`.
///
/// This is the regularised incomplete gamma function, computed by its series up to about the mean and by Lentz's
/// continued fraction above it (Abramowitz and Stegun 6.5.29 and 6.5.31).
pub fn gamma_cdf(x: f64, shape: f64, scale: f64) -> f64 {
    /// The relative size of a term at which sums end: far below rounding.
    const PRECISION: f64 = 1e-17;
    /// The most steps. Both converge in far fewer for the shapes of workload models.
    const STEPS: usize = 10_000;
    let x = x / scale;
    if x <= 0.0 {
        return 0.0;
    }
    let front = libm::exp(shape * libm::log(x) - x - libm::lgamma(shape));
    if x < shape + 1.0 {
        let mut term = 1.0 / shape;
        let mut sum = term;
        for n in 1..STEPS {
            term *= x / (shape + n as f64);
            sum += term;
            if term < sum * PRECISION {
                break;
            }
        }
        return front * sum;
    }
    let mut b = x + 1.0 - shape;
    let mut c = f64::MAX;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for n in 1..STEPS {
        let n = n as f64;
        let a = n * (shape - n);
        b += 2.0;
        d = 1.0 / (b + a * d);
        c = b + a / c;
        let factor = c * d;
        fraction *= factor;
        if (factor - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    1.0 - front * fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of many values.
    fn moments(mut value: impl FnMut() -> f64) -> (f64, f64) {
        let values: Vec<f64> = (0..200_000).map(|_| value()).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        (mean, values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / values.len() as f64)
    }

    #[test]
    fn has_the_moments_of_its_distributions() {
        let mut random = Random::seeded(1);
        let (mean, variance) = moments(|| random.uniform());
        assert!((mean - 0.5).abs() < 0.003 && (variance - 1.0 / 12.0).abs() < 0.001, "{mean} {variance}");
        let (mean, variance) = moments(|| random.normal());
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.015, "{mean} {variance}");
        for (shape, scale) in [(1.0, 2.0), (4.2, 0.94), (312.0, 0.03)] {
            let (mean, variance) = moments(|| random.gamma(shape, scale));
            assert!((mean / (shape * scale) - 1.0).abs() < 0.01, "{shape}: {mean}");
            assert!((variance / (shape * scale * scale) - 1.0).abs() < 0.03, "{shape}: {variance}");
        }
    }

    #[test]
    fn samples_are_of_the_size_asked_for_in_order_and_differ_by_week() {
        for (count, n) in [(0, 0), (0, 5), (5, 5), (3, 10), (200, 1_000)] {
            let sample = |week| Random::of([1, week]).sample(count, n);
            let taken = sample(3);
            assert_eq!(taken.len(), count);
            assert!(taken.windows(2).all(|pair| pair[0] < pair[1]) && taken.iter().all(|&i| (i as usize) < n));
            assert_eq!(taken, sample(3));
        }
        let sample = |week| Random::of([1, week]).sample(200, 1_000);
        assert_ne!(sample(1), sample(2));
    }

    #[test]
    fn every_number_is_sampled_equally_often() {
        let mut random = Random::seeded(7);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            for i in random.sample(3, 10) {
                counts[i as usize] += 1;
            }
        }
        assert!(counts.iter().all(|count| (2_800..3_200).contains(count)), "{counts:?}");
    }
}

#[cfg(test)]
mod gamma_tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn follows_its_own_distribution_function() {
        let mut random = Random::seeded(2);
        let values: Vec<f64> = (0..100_000).map(|_| random.gamma(4.2, 0.94)).collect();
        for x in [1.0, 2.0, 4.0, 6.0, 9.0] {
            let below = values.iter().filter(|&&value| value <= x).count() as f64 / values.len() as f64;
            assert!((below - gamma_cdf(x, 4.2, 0.94)).abs() < 0.006, "{x}: {below}");
        }
    }

    #[test]
    fn gamma_cdf_has_known_values() {
        // shape 1: 1 - e^-x; shape 2: 1 - (1 + x) e^-x; shape 1/2: erf(sqrt x)
        for x in [0.1, 0.9, 1.5, 3.0, 10.0] {
            let e = libm::exp(-x);
            assert!((gamma_cdf(2.0 * x, 1.0, 2.0) - (1.0 - e)).abs() < 1e-14, "{x}");
            assert!((gamma_cdf(x, 2.0, 1.0) - (1.0 - (1.0 + x) * e)).abs() < 1e-14, "{x}");
            assert!((gamma_cdf(x, 0.5, 1.0) - libm::erf(libm::sqrt(x))).abs() < 1e-14, "{x}");
        }
        assert_eq!((gamma_cdf(0.0, 3.0, 1.0), gamma_cdf(-1.0, 3.0, 1.0)), (0.0, 0.0));
        assert!((gamma_cdf(1e3, 8.0, 4.0) - 1.0).abs() < 1e-14);
    }
}

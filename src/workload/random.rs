//! Random numbers that are the same on every machine and target.
//!
//! The generator is ChaCha8. The distributions are sampled here with libm's functions alone: rand_distr would take exp
//! and ln from num-traits, which are the platform's own as soon as any crate of the build turns its `std` feature on,
//! and those differ in the last bit between targets.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
pub(super) struct WorkloadRandom(ChaCha8Rng);

impl WorkloadRandom {
    /// The stream of `seed`.
    pub(super) fn seeded(seed: u64) -> Self {
        // the key holds the seed itself, because a library's way of making a key from a seed may change
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        WorkloadRandom(ChaCha8Rng::from_seed(key))
    }

    /// The stream with this number of `seed`. Streams of the same seed are independent of each other.
    pub(super) fn numbered(seed: u64, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        // stream 0 is not that of `seeded`
        key[8..16].copy_from_slice(&stream.wrapping_add(1).to_le_bytes());
        WorkloadRandom(ChaCha8Rng::from_seed(key))
    }

    /// A whole number below `count`, which is above 0, each with the same probability.
    pub(super) fn below(&mut self, count: usize) -> usize {
        // a uniform number is below 1; the minimum guards against rounding
        ((self.uniform() * count as f64) as usize).min(count - 1)
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    pub(super) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Uniform in [low, high).
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
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
    pub(super) fn gamma(&mut self, shape: f64, scale: f64) -> f64 {
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

/// The probability that a gamma variable of this shape and scale is at most `x`.
///
/// This is the regularised incomplete gamma function, computed by its series up to about the mean and by Lentz's
/// continued fraction above it (Abramowitz and Stegun 6.5.29 and 6.5.31).
pub(super) fn gamma_cdf(x: f64, shape: f64, scale: f64) -> f64 {
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
        let mut random = WorkloadRandom::seeded(1);
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
    fn follows_its_own_distribution_function() {
        let mut random = WorkloadRandom::seeded(2);
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

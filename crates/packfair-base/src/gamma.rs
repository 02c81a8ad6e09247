//! The law of gamma variables, of which Lublin's model is made.

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

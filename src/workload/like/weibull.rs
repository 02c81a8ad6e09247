//! The Weibull law of the gaps between submissions, and its fit by maximum likelihood.

use crate::workload::Seconds;
use serde::{Deserialize, Serialize};

/// A Weibull law: P(X <= x) = 1 - exp(-(x / beta)^alpha).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weibull {
    pub alpha: f64,
    /// Scale, seconds.
    pub beta: f64,
}

/// A law that was fitted to gaps, and how likely it makes them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeibullFit {
    pub law: Weibull,
    /// Logarithm of the likelihood of all gaps above 0, with times in seconds.
    pub log_likelihood: f64,
}

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error(
    "the times between submissions have {distinct} different values above 0 s; a Weibull law can be fitted to two or \
     more. Give alpha and beta instead"
)]
pub struct NoFit {
    /// How many different gaps above 0 there are.
    pub distinct: usize,
}

/// Laws of DYNP Table 2, with the share of gaps of 0 s beside them (there: "likelihood of interarrival time"). Its
/// alpha and beta are not those of maximum likelihood: they look like a fit of the distribution function, with alpha on
/// a grid of 0.05 and beta on one of 10.
pub const OF_DYNP: [(&str, Weibull, f64); 4] = [
    ("CTC", Weibull { alpha: 0.35, beta: 60.0 }, 0.006_393_2),
    ("KTH", Weibull { alpha: 0.35, beta: 200.0 }, 0.011_688_3),
    ("PC2", Weibull { alpha: 0.25, beta: 40.0 }, 0.065_994_2),
    ("SDSC", Weibull { alpha: 0.4, beta: 290.0 }, 0.010_492_6),
];

impl Weibull {
    /// The law of maximum likelihood for gaps, each with how often it occurs. Gaps of 0 s have no density and are left
    /// out.
    ///
    /// # Errors
    /// Fewer than two different gaps above 0.
    pub fn fit(gaps: &[(Seconds, u64)]) -> Result<WeibullFit, NoFit> {
        let positive: Vec<(f64, f64)> =
            gaps.iter().filter(|(gap, _)| *gap > 0).map(|&(gap, times)| (gap as f64, times as f64)).collect();
        if positive.len() < 2 {
            return Err(NoFit { distinct: positive.len() });
        }
        // powers of gaps up to 1 do not overflow
        let longest = positive.iter().map(|(gap, _)| *gap).fold(0.0, f64::max);
        let scaled: Vec<(f64, f64)> = positive.iter().map(|&(gap, times)| (libm::log(gap / longest), times)).collect();
        let alpha = shape(&scaled);
        let count: f64 = scaled.iter().map(|(_, times)| times).sum();
        let mean_power = scaled.iter().map(|&(log, times)| times * libm::exp(alpha * log)).sum::<f64>() / count;
        let law = Weibull { alpha, beta: longest * libm::pow(mean_power, 1.0 / alpha) };
        let log_likelihood = positive.iter().map(|&(gap, times)| times * law.log_density(gap)).sum();
        Ok(WeibullFit { law, log_likelihood })
    }

    /// The share of gaps that are at most `gap`.
    pub fn share_until(&self, gap: f64) -> f64 {
        if gap > 0.0 { 1.0 - libm::exp(-libm::pow(gap / self.beta, self.alpha)) } else { 0.0 }
    }

    /// The gap that a share of all gaps stays below; `share` is from 0 to less than 1.
    pub fn quantile(&self, share: f64) -> f64 {
        self.beta * libm::pow(-libm::log(1.0 - share), 1.0 / self.alpha)
    }

    /// The mean gap, seconds.
    pub fn mean(&self) -> f64 {
        self.beta * libm::tgamma(1.0 + 1.0 / self.alpha)
    }

    fn log_density(&self, gap: f64) -> f64 {
        let Weibull { alpha, beta } = *self;
        let log = libm::log(gap / beta);
        libm::log(alpha / beta) + (alpha - 1.0) * log - libm::exp(alpha * log)
    }
}

/// The shape of maximum likelihood for logarithms of gaps, each with its weight: the root of an increasing function, by
/// Newton's method within shrinking bounds.
fn shape(logs: &[(f64, f64)]) -> f64 {
    let count: f64 = logs.iter().map(|(_, times)| times).sum();
    let mean = logs.iter().map(|(log, times)| log * times).sum::<f64>() / count;
    // value and slope
    let at = |alpha: f64| {
        let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
        for &(log, times) in logs {
            let power = times * libm::exp(alpha * log);
            sum += power;
            first += power * log;
            second += power * log * log;
        }
        let tilted = first / sum;
        (tilted - 1.0 / alpha - mean, second / sum - tilted * tilted + 1.0 / (alpha * alpha))
    };
    let (mut low, mut high) = (0.0, 1.0);
    // for a large alpha the function is above 0, because the mean is below the largest logarithm
    while at(high).0 < 0.0 {
        (low, high) = (high, high * 2.0);
    }
    let mut alpha = (low + high) / 2.0;
    for _ in 0..200 {
        let (value, slope) = at(alpha);
        if value < 0.0 {
            low = alpha
        } else {
            high = alpha
        }
        let newton = alpha - value / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        if next == alpha || (high - low) <= f64::EPSILON * alpha {
            break;
        }
        let is_near = (next - alpha).abs() <= f64::EPSILON * alpha;
        alpha = next;
        if is_near {
            break;
        }
    }
    alpha
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_is_found_again_in_its_quantiles() {
        for law in [Weibull { alpha: 0.8, beta: 5_000.0 }, Weibull { alpha: 1.7, beta: 90_000.0 }] {
            let quantiles = (0..20_000).map(|i| ((law.quantile((f64::from(i) + 0.5) / 20_000.0) + 0.5) as i64, 1));
            let found = Weibull::fit(&quantiles.collect::<Vec<_>>()).unwrap().law;
            assert!((found.alpha / law.alpha - 1.0).abs() < 0.03, "{found:?}");
            assert!((found.beta / law.beta - 1.0).abs() < 0.03, "{found:?}");
        }
    }

    #[test]
    fn likelihood_is_least_nowhere_near_the_fit() {
        let gaps = [(0, 7), (1, 4), (5, 3), (60, 2), (900, 2), (40_000, 1)];
        let WeibullFit { law, log_likelihood } = Weibull::fit(&gaps).unwrap();
        let of = |law: Weibull| gaps[1..].iter().map(|&(gap, n)| n as f64 * law.log_density(gap as f64)).sum::<f64>();
        assert!((of(law) - log_likelihood).abs() < 1e-9);
        for (a, b) in [(1.001, 1.0), (0.999, 1.0), (1.0, 1.001), (1.0, 0.999)] {
            assert!(of(Weibull { alpha: law.alpha * a, beta: law.beta * b }) < log_likelihood);
        }
    }

    #[test]
    fn one_gap_is_not_enough() {
        assert_eq!(Weibull::fit(&[(0, 5), (60, 100)]), Err(NoFit { distinct: 1 }));
        assert!(Weibull::fit(&[]).unwrap_err().to_string().contains("have 0 different values above 0 s"));
        assert!(Weibull::fit(&[(60, 1), (61, 1)]).is_ok_and(|fit| fit.law.alpha.is_finite()));
    }

    #[test]
    fn shares_means_and_quantiles_belong_together() {
        let law = Weibull { alpha: 1.0, beta: 50.0 }; // exponential
        assert!((law.mean() - 50.0).abs() < 1e-9);
        assert!((law.share_until(law.quantile(0.3)) - 0.3).abs() < 1e-12);
        assert_eq!(law.share_until(0.0), 0.0);
        assert!((OF_DYNP[1].1.mean() - 1006.0).abs() < 1.0, "KTH: 1006 s");
    }
}

//! How well run times predict later ones (CLASSIFY Fig. 2).

use crate::classifier::categories::{Categories, Category, NONE};
use crate::workload::Workload;

/// Autocorrelation of run times at a lag, over the categories of a workload.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Autocorrelation {
    /// Distance in jobs of the category.
    pub lag: usize,
    /// The coefficient of each category, about -1 to 1, in order of size.
    pub coefficients: Vec<f64>,
}

impl Autocorrelation {
    /// The coefficient nearest to the quantile of this share.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let last = self.coefficients.len().checked_sub(1)?;
        self.coefficients.get((share * last as f64 + 0.5) as usize).copied()
    }
}

/// Autocorrelation of the run times of jobs of the same category, in the order of their submission, at lags from 1 to
/// `lags`: of all users, or of one. Categories of fewer than `least` jobs, or with a single run time, are left out.
pub fn autocorrelation(
    workload: &Workload,
    category: Category,
    user: Option<i32>,
    least: usize,
    lags: usize,
) -> Vec<Autocorrelation> {
    let categories = Categories::of(workload);
    let mut series: Vec<Vec<f64>> = vec![Vec::new(); categories.counts[category.place()]];
    for job in workload.jobs() {
        let number = categories.numbers(job)[category.place()];
        if number != NONE && user.is_none_or(|user| workload.request(job).user == user) {
            series[number as usize].push(workload.run(job) as f64);
        }
    }
    series.retain(|runs| runs.len() >= least);
    let at = |lag| {
        let mut coefficients: Vec<f64> = series.iter().filter_map(|runs| coefficient(runs, lag)).collect();
        coefficients.sort_by(f64::total_cmp);
        Autocorrelation { lag, coefficients }
    };
    (1..=lags).map(at).collect()
}

/// rho(l) = sum of (p(i) - mean) (p(i + l) - mean) / ((n - l) variance), of n run times p.
fn coefficient(runs: &[f64], lag: usize) -> Option<f64> {
    let n = runs.len();
    let pairs = n.checked_sub(lag).filter(|&pairs| pairs > 0)?;
    let mean = runs.iter().sum::<f64>() / n as f64;
    let variance = runs.iter().map(|run| (run - mean) * (run - mean)).sum::<f64>() / n as f64;
    let products = runs.iter().zip(&runs[lag..]).map(|(run, later)| (run - mean) * (later - mean));
    (variance > 0.0).then(|| products.sum::<f64>() / (pairs as f64 * variance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classifier::testing::{of, request};
    use crate::workload::Request;

    #[test]
    fn run_times_that_alternate_are_correlated_at_even_lags() {
        assert_eq!(coefficient(&[1.0, 3.0, 1.0, 3.0], 1), Some(-1.0));
        assert_eq!(coefficient(&[1.0, 3.0, 1.0, 3.0], 2), Some(1.0));
        assert_eq!(coefficient(&[1.0, 3.0], 2), None, "no job comes so much later");
        assert_eq!(coefficient(&[2.0, 2.0, 2.0], 1), None, "nothing varies");
    }

    #[test]
    fn each_category_has_its_coefficient() {
        let job = |user, processors, run| (Request { user, processors, ..request(0) }, run);
        let alternating = (0..10).map(|i| job(1, 1, 1 + i % 2));
        let growing = (0..10).map(|i| job(1, 2, i));
        let other = (0..10).map(|i| job(2, 2, 100 + i % 2));
        let workload = of(alternating.chain(growing).chain(other).chain([job(1, 3, 5), job(-1, 1, 5)]));
        let all = autocorrelation(&workload, Category::UserWidth, None, 5, 2);
        assert_eq!(all.iter().map(|at| (at.lag, at.coefficients.len())).collect::<Vec<_>>(), [(1, 3), (2, 3)]);
        assert_eq!(all[0].quantile(0.0), Some(-1.0));
        assert!(all[0].quantile(1.0).unwrap() > 0.6);
        let one = autocorrelation(&workload, Category::UserWidth, Some(2), 5, 2);
        assert_eq!((one[0].coefficients.as_slice(), one[1].coefficients.as_slice()), (&[-1.0][..], &[1.0][..]));
        assert_eq!(autocorrelation(&workload, Category::UserWidth, Some(3), 5, 1)[0].quantile(0.5), None);
    }
}

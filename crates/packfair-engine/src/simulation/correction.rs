//! Corrections: longer estimates for running jobs that outlive their estimates.

use packfair_workload::Seconds;
use serde::{Deserialize, Serialize};

/// The increments of Tsafrir et al. (2007): by how much the first estimate grows at each correction, seconds.
const INCREMENTS: [Seconds; 11] = [60, 300, 900, 1_800, 3_600, 7_200, 18_000, 36_000, 72_000, 180_000, 360_000];

/// How the estimate E of a running job is raised when it runs out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Correction {
    /// E becomes the requested time L, as in METRICS and CP.
    #[default]
    Request,
    /// At the i-th correction E becomes the first estimate plus the i-th increment (1, 5, 15, 30 min, 1, 2, 5, 10, 20,
    /// 50, 100 h), at most L; after the last increment E becomes L.
    Incremental,
    /// E doubles, at most L.
    Doubling,
}

packfair_base::named!(Correction, "correction", {
    Request => "request", "Requested time", "the estimate becomes the requested time";
    Incremental => "incremental", "Incremental", "the first estimate plus 1, 5, 15, 30 min, 1, 2, 5, 10, 20, 50, 100 h";
    Doubling => "doubling", "Doubling", "the estimate doubles, up to the requested time";
});

impl Correction {
    /// The estimate after the `count`-th correction (from 1), given the `first` and the `current` estimate and the
    /// requested time `limit`, all in seconds.
    pub fn apply(self, count: u32, first: f64, current: f64, limit: Seconds) -> f64 {
        let limit = limit as f64;
        match self {
            Correction::Request => limit,
            Correction::Incremental => match INCREMENTS.get(count as usize - 1) {
                Some(&increment) => (first + increment as f64).min(limit),
                None => limit,
            },
            Correction::Doubling => (2.0 * current).min(limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_raise_the_estimate_up_to_the_request() {
        assert_eq!(Correction::Request.apply(1, 10.0, 10.0, 500), 500.0);
        assert_eq!(Correction::Incremental.apply(1, 10.0, 10.0, 5_000), 70.0);
        assert_eq!(Correction::Incremental.apply(2, 10.0, 70.0, 5_000), 310.0);
        assert_eq!(Correction::Incremental.apply(5, 10.0, 70.0, 1_000), 1_000.0);
        assert_eq!(Correction::Incremental.apply(12, 10.0, 70.0, 9_000_000), 9_000_000.0);
        assert_eq!(Correction::Doubling.apply(1, 10.0, 10.0, 5_000), 20.0);
        assert_eq!(Correction::Doubling.apply(2, 10.0, 20.0, 30), 30.0);
    }
}

//! How small and large jobs of a workload differ, and what run times say of later ones (CLASSIFY §3.3, §4.1).

use crate::classifier::evaluation::{Autocorrelation, Shares, autocorrelation, shares};
use crate::classifier::{CATEGORIES, Category};
use crate::workload::Workload;
use serde::{Deserialize, Serialize};

/// Lags up to this are told (CLASSIFY Fig. 2).
const LAGS: usize = 10;

/// Categories of fewer jobs say nothing.
const LEAST: usize = 50;

/// Categories of CLASSIFY Table 4: those of a user with the same requested time, width or weekday.
const KINDS: usize = 3;

/// What there is to be learned from a workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedSizes {
    /// Shares of small and large jobs by the median run time (Tables 2 and 3); none where there are no jobs.
    pub shares: Option<Shares>,
    /// Autocorrelation of run times within the categories of a kind, by lag (Fig. 2).
    pub lags: Vec<(Category, Vec<Autocorrelation>)>,
}

impl LearnedSizes {
    /// Of a workload.
    pub fn of(workload: &Workload) -> Self {
        let of_kind = |&category: &Category| (category, autocorrelation(workload, category, None, LEAST, LAGS));
        LearnedSizes { shares: shares(workload), lags: CATEGORIES.iter().take(KINDS).map(of_kind).collect() }
    }
}

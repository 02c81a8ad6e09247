//! Cleaning profiles: from a log's records to the jobs of a workload.

use serde::{Deserialize, Serialize};

/// A cleaning profile: a named choice of what is repaired and dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cleaning {
    /// METRICS §V, CP §4.
    #[default]
    Metrics,
    /// FAIRNESS §4.
    Fairness,
    /// Only what cannot be simulated is dropped.
    Raw,
}

//! Settings that no others beat, with their values.

use crate::study::Run;
use serde::{Deserialize, Serialize};

/// The values of a run on the parts of the log by which a search chooses and selects, in the order of [`ExploreQuestion::aspects`](super::ExploreQuestion::aspects).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartValues {
    pub choose: Vec<Option<f64>>,
    /// The values on the select part; empty before they have been measured.
    pub select: Vec<Option<f64>>,
}

/// Settings that no other settings beat on the part on which they were chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontMember {
    pub run: Run,
    pub values: PartValues,
}

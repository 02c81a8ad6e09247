//! What the page is told of a search for settings.

use packfair_study::Run;
use packfair_study::explore::Findings;
use std::sync::Arc;

/// The values of settings that were tried, in the order of the question's metrics.
pub type TriedValues = Arc<[Option<f64>]>;

#[derive(Clone, Debug, PartialEq)]
pub enum SearchStatus {
    Idle,
    Running,
    /// The answer is known. Further searches on drawn workloads tell how often the same comes out; so many have ended.
    Again(u32),
    Stopped,
    Ended,
    /// The search cannot continue, and why.
    Failed(String),
}

/// What has happened in a search since the previous news.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchNews {
    pub status: SearchStatus,
    /// Whether this is a new search, about which there was no news before.
    pub is_new: bool,
    pub tried: Vec<(Run, TriedValues)>,
    /// The findings so far, if they have changed.
    pub findings: Option<Arc<Findings>>,
    /// The remaining time, seconds, if it is known.
    pub left: Option<f64>,
}

//! What the page is told of a search for settings.

use packfair_study::explore::Findings;
use packfair_study::Run;
use std::sync::Arc;

/// The values of settings that were tried, in the order of the question's metrics.
pub type TriedValues = Arc<[Option<f64>]>;

/// The status of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchStatus {
    /// No search was started.
    Idle,
    /// The search is under way.
    Running,
    /// The search was stopped and can be continued.
    Stopped,
    /// The search has ended.
    Ended,
    /// The search cannot continue, and why.
    Failed(String),
}

/// What has happened in a search since the previous news.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchNews {
    /// The status of the search.
    pub status: SearchStatus,
    /// Whether this is a new search, about which there was no news before.
    pub is_new: bool,
    /// The runs tried since then, with their values.
    pub tried: Vec<(Run, TriedValues)>,
    /// The findings so far, if they have changed.
    pub findings: Option<Arc<Findings>>,
    /// The remaining time, seconds, if it is known.
    pub left: Option<f64>,
}

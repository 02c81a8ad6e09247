//! Where a workload's submissions come from.

use super::Reactions;
use crate::workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::workload) enum Submissions {
    #[default]
    Logged,
    /// From users who react to what a simulation does with their jobs. Until it runs, submit times are the log's.
    Reacting(Box<Reactions>),
    Lived(Box<Life>),
}

/// What a workload that has come about in a simulation keeps of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Life {
    /// The log's first and last submission, between which metrics are measured.
    pub span: (Seconds, Seconds),
    pub places: Vec<JobId>,
    /// The session of each job; empty where there are no sessions.
    pub sessions: Vec<u32>,
}

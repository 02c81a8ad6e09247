//! Users who react: which of a log's jobs waited for which others, so that a simulation can tell when each is
//! submitted.
//!
//! A log's submit times come from users who saw the log's scheduler: under a better one they would have come back sooner.
//! Here a log is taken apart into what its users submitted at once (`rule.rs`), what each of these waited for, and
//! how long the user thought before it. Sources: Shmueli and Feitelson, "On simulation and design of parallel-systems
//! schedulers: are we doing the right thing?", IEEE TPDS 20(7), 2009; Zakay and Feitelson, "Preserving user behavior
//! characteristics in trace-based simulation of parallel job scheduling", MASCOTS 2014.
//!
//! A job that runs for no time counts as ended a second after its start. At an instant submissions come before starts:
//! a job that is submitted in the second of a start cannot have waited for the end of the job that starts.

mod habits;
mod lived;
mod reactions;
mod rule;
mod stated;

use crate::{JobId, Seconds};
pub use habits::{Dependence, Habits};
pub use reactions::{Reactions, WaitedFor};
pub use rule::{Feedback, FeedbackRule, GAP_RANGE, NoFeedback, SessionBy};
use serde::{Deserialize, Serialize};
pub use stated::StatedCounts;

// Where a workload's submissions come from.

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum Submissions {
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

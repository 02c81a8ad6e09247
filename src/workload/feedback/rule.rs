//! How users are to react.

use crate::workload::Seconds;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The gaps between sessions that can be set, minutes.
pub const GAP_RANGE: RangeInclusive<u64> = 1..=525_600;

/// Whether submissions follow what happens to the jobs before them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Feedback {
    /// They do not: each job is submitted when the log says.
    #[default]
    Off,
    /// They do where the log itself states which job another one came after.
    Stated,
    /// They do where the log states it, and wherever a user had waited for earlier jobs.
    Sessions,
}

crate::named!(Feedback, "feedback", {
    Off => "off", "Submit times of the log", "Each job is submitted when the log says";
    Stated => "stated", "Stated dependencies", "Where the log says which job another one came after";
    Sessions => "sessions", "Users who react", "There, and wherever a user had waited for the jobs before";
});

/// Where a user's session ends and the next begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionBy {
    /// Between two submissions in a row that are further apart than the gap.
    #[default]
    Arrival,
    /// Before a submission that comes more than the gap after the last end of the user's earlier jobs.
    Max,
}

crate::named!(SessionBy, "way of telling sessions", {
    Arrival => "arrival", "By submissions", "Where two submissions in a row are further apart than the gap";
    Max => "max", "By the last end", "Where a submission comes later than the gap after the last end";
});

/// How users react.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct FeedbackRule {
    /// Whether users react, and to what.
    pub feedback: Feedback,
    pub session: SessionBy,
    /// The gap between sessions, minutes; none: 60 by arrival, 20 by the last end.
    pub gap: Option<u64>,
    /// Whether submissions keep to the hours in which the user works.
    pub hours: bool,
}

impl FeedbackRule {
    /// Feedback by sessions, all else as usual.
    pub fn sessions() -> Self {
        FeedbackRule { feedback: Feedback::Sessions, ..FeedbackRule::default() }
    }

    /// The gap between sessions, seconds.
    pub fn gap(&self) -> Seconds {
        let minutes = self.gap.unwrap_or(match self.session {
            SessionBy::Arrival => 60,
            SessionBy::Max => 20,
        });
        // at most a year
        60 * minutes.min(*GAP_RANGE.end()) as Seconds
    }
}

/// Why the users of a log cannot react.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoFeedback {
    #[error(
        "users cannot react: the log does not tell when its jobs started, so nobody knows what its users had waited for; \
         take feedback off, or a log with wait times"
    )]
    NoStarts,
    #[error("users cannot react: the log does not tell the users of its jobs; take feedback off, or stated")]
    NoUsers,
    #[error(
        "the log states no dependency that could be followed (SWF field 17, Slurm's Dependency, PBS's depend); take feedback \
         off, or sessions"
    )]
    NothingStated,
    #[error(
        "none of the dependencies that the log states could be followed: {0} are of jobs that were submitted before what \
         they come after had ended, and held until then; count waits since jobs were eligible, or take feedback off, or \
         sessions"
    )]
    AllHeld(usize),
}

//! How users are to react, and what they submitted without waiting for any of it.

use super::reactions::{Dependency, WaitedFor};
use crate::Seconds;
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

packfair_base::named!(Feedback, "feedback", {
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

packfair_base::named!(SessionBy, "way of telling sessions", {
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

// Batches: what a user submitted without waiting for any of it, and what the user had waited for before.

/// The last batch of a user, as far as it is known.
struct Open {
    batch: u32,
    begin: Seconds,
    /// When the first of its jobs ended. A job submitted after that is not of this batch.
    soonest_end: Seconds,
    end: Seconds,
}

#[derive(Default)]
pub(super) struct UserBatches {
    open: Option<Open>,
    /// Earlier batches on which later ones may still depend, as (end, begin, batch).
    before: Vec<(Seconds, Seconds, u32)>,
    /// The latest begin of a batch that had ended before a later batch began.
    latest: Option<Seconds>,
}

impl UserBatches {
    /// The batch that a job submitted at `submit` joins, if it does: no job of it had ended by then.
    pub(super) fn joined(&self, submit: Seconds) -> Option<u32> {
        self.open.as_ref().filter(|open| submit < open.soonest_end).map(|open| open.batch)
    }

    pub(super) fn join(&mut self, end: Seconds) {
        if let Some(open) = &mut self.open {
            open.soonest_end = open.soonest_end.min(end);
            open.end = open.end.max(end);
        }
    }

    /// Begins the next batch with a job that was submitted at `submit` and ended at `end`. The batch depends on those
    /// that had ended by `submit`, except those on which another such batch depends.
    pub(super) fn begin(&mut self, batch: u32, submit: Seconds, end: Seconds, depends: &mut Vec<Dependency>) {
        if let Some(Open { batch, begin, end, .. }) = self.open.take() {
            self.before.push((end, begin, batch));
        }
        let ended = self.before.iter().filter(|(end, ..)| *end <= submit);
        self.latest = self.latest.max(ended.map(|&(_, begin, _)| begin).max());
        if let Some(latest) = self.latest {
            // the batch that began at `latest` depends on all that had ended by then, directly or not: later batches
            // need not
            self.before.retain(|&(end, ..)| end > latest);
        }
        let direct = self.before.iter().filter(|(end, ..)| *end <= submit);
        depends.extend(direct.map(|&(end, begin, batch)| Dependency {
            on: WaitedFor::Batch(batch),
            think: submit - end,
            begin,
            end,
        }));
        self.open = Some(Open { batch, begin: submit, soonest_end: end, end });
    }
}

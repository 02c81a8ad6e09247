//! When waiting jobs are estimated anew, and which submissions trigger a round.

use serde::{Deserialize, Serialize};

/// When waiting jobs are estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reestimation {
    #[default]
    Submission,
    /// At submission, and in every round in which a job could start, with all that was learned since.
    /// Running jobs keep the estimate with which they started, unless the estimator takes the time
    /// that a job has run into account.
    Round,
}

/// Which submissions trigger a scheduling round. A completion always does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoundTrigger {
    #[default]
    Every,
    /// Submissions of jobs no wider than what is free at that moment. This matters where estimates are wrong: an
    /// estimate that ran out may have moved a reservation, and the next round then finds other jobs to backfill.
    Fitting,
}

crate::named!(Reestimation, "time of estimating", {
    Submission => "submission", "At submission only", "a waiting job keeps its first estimate";
    Round => "round", "Every round", "in every round, with all that was learned meanwhile";
});

crate::named!(RoundTrigger, "trigger of rounds", {
    Every => "every", "Every submission", "whether or not the job fits at once";
    Fitting => "fitting", "Submissions that fit", "those of jobs no wider than what is free at that moment";
});

/// What a scheduler family does when a study says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usual {
    /// When waiting jobs are estimated.
    pub reestimation: Reestimation,
    pub trigger: RoundTrigger,
}

impl Usual {
    /// As the program of METRICS does for the list family: jobs are estimated in every round, and every submission
    /// triggers one.
    pub const EACH_ROUND: Usual = Usual { reestimation: Reestimation::Round, trigger: RoundTrigger::Every };
    /// Jobs are estimated once, at submission, and every submission triggers a round.
    pub const AT_SUBMISSION: Usual = Usual { reestimation: Reestimation::Submission, trigger: RoundTrigger::Every };
    /// Jobs are estimated in every round, and only submissions of jobs that fit trigger one.
    pub const IF_FITTING: Usual = Usual { reestimation: Reestimation::Round, trigger: RoundTrigger::Fitting };
}

//! When waiting jobs are estimated anew, and which submissions trigger a round.

use serde::{Deserialize, Serialize};

/// When waiting jobs are estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reestimation {
    /// Once, at submission.
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
    /// Every one.
    #[default]
    Every,
    /// Those of jobs no wider than what is free at that moment. It matters where estimates are wrong:
    /// one that ran out may have moved a reservation, and the next round finds others to backfill.
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

/// What a scheduler family does if a study says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usual {
    /// When waiting jobs are estimated.
    pub reestimation: Reestimation,
    /// Which submissions trigger a round.
    pub trigger: RoundTrigger,
}

impl Usual {
    /// As the list family's program does (METRICS): estimated in every round, every submission asks for one.
    pub const EACH_ROUND: Usual = Usual { reestimation: Reestimation::Round, trigger: RoundTrigger::Every };
    /// Estimated once, at submission; every submission triggers a round.
    pub const AT_SUBMISSION: Usual = Usual { reestimation: Reestimation::Submission, trigger: RoundTrigger::Every };
    /// Estimated in every round; only submissions of jobs that fit ask for one.
    pub const IF_FITTING: Usual = Usual { reestimation: Reestimation::Round, trigger: RoundTrigger::Fitting };
}

//! The rules of a study's runs, and their defaults.

use super::Run;
use crate::model::{Reestimation, RoundTrigger};
use crate::simulation::{Correction, Options};
use serde::{Deserialize, Serialize};

/// What holds for all runs of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// How estimates that run out are corrected.
    pub correction: Correction,
    /// When waiting jobs are estimated; `None`: as usual for the scheduler and estimator.
    pub reestimation: Option<Reestimation>,
    /// Which submissions trigger a round; `None`: as usual for the scheduler and estimator.
    pub trigger: Option<RoundTrigger>,
}

impl From<Correction> for Rules {
    fn from(correction: Correction) -> Self {
        Rules { correction, ..Rules::default() }
    }
}

impl Rules {
    pub fn options(self, run: &Run) -> Options {
        let usual = run.scheduler.usual(run.estimate.method.family().learns);
        Options {
            correction: self.correction,
            reestimation: self.reestimation.unwrap_or(usual.reestimation),
            trigger: self.trigger.unwrap_or(usual.trigger),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(scheduler: &str, estimate: &str, rules: Rules) -> (Reestimation, RoundTrigger) {
        let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let Options { reestimation, trigger, .. } = rules.options(&run);
        (reestimation, trigger)
    }

    #[test]
    fn what_is_usual_depends_on_scheduler_and_estimator() {
        let usual = |scheduler, estimate| options(scheduler, estimate, Rules::default());
        assert_eq!(usual("easy", "hierarchy"), (Reestimation::Round, RoundTrigger::Fitting));
        assert_eq!(usual("easy-sjbf", "sp2*2"), (Reestimation::Round, RoundTrigger::Fitting));
        assert_eq!(usual("easy-sjbf", "requested"), (Reestimation::Submission, RoundTrigger::Every));
        assert_eq!(usual("saf-easy", "last2"), (Reestimation::Submission, RoundTrigger::Every));
        assert_eq!(usual("saf-justbf", "cvh"), (Reestimation::Round, RoundTrigger::Every));
    }

    #[test]
    fn what_is_said_goes_before() {
        let reestimation = Some(Reestimation::Submission);
        let rules = Rules { reestimation, ..Rules::default() };
        assert_eq!(options("easy", "hierarchy", rules), (Reestimation::Submission, RoundTrigger::Fitting));
        let rules = Rules { trigger: Some(RoundTrigger::Every), ..Rules::default() };
        assert_eq!(options("easy", "hierarchy", rules), (Reestimation::Round, RoundTrigger::Every));
    }
}

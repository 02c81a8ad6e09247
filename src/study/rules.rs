//! The rules of a study's runs, and what they are where nothing is said.

use super::Run;
use crate::scheduler::Policy;
use crate::simulation::{Asking, Correction, Options, Reestimation};
use serde::{Deserialize, Serialize};

/// What holds for all runs of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// What becomes of estimates that run out.
    pub correction: Correction,
    /// When waiting jobs are estimated; none: as usual for scheduler and estimator.
    pub reestimation: Option<Reestimation>,
    /// Which submissions ask for a round; none: as usual for scheduler and estimator.
    pub asking: Option<Asking>,
}

impl From<Correction> for Rules {
    fn from(correction: Correction) -> Self {
        Rules { correction, ..Rules::default() }
    }
}

impl Rules {
    /// The options of one run.
    pub fn options(self, run: &Run) -> Options {
        let (reestimation, asking) = usual(&run.scheduler, run.estimate.method.family().learns);
        Options {
            correction: self.correction,
            reestimation: self.reestimation.unwrap_or(reestimation),
            asking: self.asking.unwrap_or(asking),
        }
    }
}

/// What the programs behind the papers' tables do. They differ by scheduler, for each scheduler of
/// METRICS was a program of its own:
///
/// | scheduler | estimator | waiting jobs are estimated | a round is asked for by |
/// | --- | --- | --- | --- |
/// | list family (JustBF, Aggressive, FCFS), optimised rounds | any | in every round | every submission |
/// | EASY, from the head in order of submission | learned | in every round | submissions that fit |
/// | EASY, from the head in order of submission | actual, requested | at submission | every submission |
/// | EASY in another initial order (SAF-EASY) | any | at submission | every submission |
/// | those that guarantee starts (Conservative, PC, DC) | any | at submission | every submission |
///
/// With actual and requested times the two ways of asking give the same schedules (the programs differ
/// there too), and there is nothing to estimate anew. For distorted ones the papers have no EASY.
fn usual(scheduler: &Policy, learns: bool) -> (Reestimation, Asking) {
    match scheduler.family().entry.id {
        "easy" if scheduler.settings().choice("initial") != "fcfs" => (Reestimation::Submission, Asking::Every),
        "easy" if learns => (Reestimation::Round, Asking::Fitting),
        "easy" | "conservative" | "pc" | "dc" => (Reestimation::Submission, Asking::Every),
        _ => (Reestimation::Round, Asking::Every),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(scheduler: &str, estimate: &str, rules: Rules) -> (Reestimation, Asking) {
        let run = Run { scheduler: scheduler.parse().unwrap(), estimate: estimate.parse().unwrap() };
        let Options { reestimation, asking, .. } = rules.options(&run);
        (reestimation, asking)
    }

    #[test]
    fn what_is_usual_depends_on_scheduler_and_estimator() {
        let usual = |scheduler, estimate| options(scheduler, estimate, Rules::default());
        assert_eq!(usual("easy", "hierarchy"), (Reestimation::Round, Asking::Fitting));
        assert_eq!(usual("easy-sjbf", "sp2*2"), (Reestimation::Round, Asking::Fitting));
        assert_eq!(usual("easy-sjbf", "requested"), (Reestimation::Submission, Asking::Every));
        assert_eq!(usual("saf-easy", "last2"), (Reestimation::Submission, Asking::Every));
        assert_eq!(usual("saf-justbf", "cvh"), (Reestimation::Round, Asking::Every));
    }

    #[test]
    fn what_is_said_goes_before() {
        let reestimation = Some(Reestimation::Submission);
        let rules = Rules { reestimation, ..Rules::default() };
        assert_eq!(options("easy", "hierarchy", rules), (Reestimation::Submission, Asking::Fitting));
        let rules = Rules { asking: Some(Asking::Every), ..Rules::default() };
        assert_eq!(options("easy", "hierarchy", rules), (Reestimation::Round, Asking::Every));
    }
}

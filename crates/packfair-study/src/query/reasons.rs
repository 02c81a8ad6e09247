//! Why a job waited, in the words of its scheduler.

use packfair_engine::simulation::{ReasonSearch, Simulation};
use packfair_workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

/// Why a job waited, in words for a person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reasons {
    /// What the scheduler said about the job after the first round in which it did not start, and when that was. `None`
    /// where it said nothing.
    pub plan: Option<(Seconds, String)>,
}

/// A search for reasons under way: the run is simulated again until the job waits.
pub struct FindingReasons<'a>(ReasonSearch<'a>);

impl<'a> FindingReasons<'a> {
    /// Begins to look for the reasons of `job`; `None` where the scheduler gives none. `simulation` must not have
    /// begun.
    pub fn begin(simulation: Simulation<'a>, job: JobId) -> Option<Self> {
        ReasonSearch::begin(simulation, job).map(FindingReasons)
    }

    /// Advances by up to `instants` further instants; gives the reasons once they are found.
    pub fn advance(&mut self, instants: usize) -> Option<Reasons> {
        self.0.advance(instants).map(|plan| Reasons { plan })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Query, answer};
    use super::*;
    use crate::{Rules, Run, Treatment, execute};
    use packfair_engine::metric::Measure;
    use packfair_workload::lublin;

    /// What the scheduler says about the first job that waits at least an hour, and the submit time and the start of
    /// that job.
    fn reasons(scheduler: &str) -> (Reasons, Seconds, Seconds) {
        let workload = Treatment::default().apply(&lublin(1_500, 32, 7)).unwrap();
        let (rules, run) = (Rules::default(), Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap()));
        let schedule = execute(&run, &workload, rules, &Measure::default()).unwrap().schedule;
        let submit = |job: JobId| workload.request(job).submit;
        let late = workload.jobs().filter(|&job| schedule.start(job) > submit(job) + 3_600).last().unwrap();
        let query = Query::Reasons { run, rules, job: late };
        let Ok(Answer::Reasons(reasons)) = answer(&query, &workload, None, &|_| Some(&schedule)) else {
            panic!("these are reasons")
        };
        (reasons, submit(late), schedule.start(late))
    }

    #[test]
    fn a_plan_says_what_an_earlier_start_would_have_cost() {
        let (reasons, submit, start) = reasons("optimised");
        let (at, said) = reasons.plan.unwrap();
        assert!(at >= submit && at < start);
        assert!(said.starts_with("planned "), "{said}");
    }

    #[test]
    fn who_gives_no_reasons_is_not_lived_through_again() {
        for scheduler in ["easy", "classes:by=all"] {
            assert_eq!(reasons(scheduler).0, Reasons::default(), "{scheduler}");
        }
    }
}

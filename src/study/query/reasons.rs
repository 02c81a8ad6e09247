//! Why a job waited, in the words of those who decided.

use crate::classifier::Because;
use crate::model::Class;
use crate::simulation::{ReasonSearch, Simulation, WaitReasons};
use crate::workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

/// Why a job waited, in words for a person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reasons {
    /// Why the classifier took the job for small or large; nothing where none was at work.
    pub class: Option<String>,
    /// What the scheduler said of the job after the first round in which it did not start, and when that was; nothing
    /// where it says none.
    pub plan: Option<(Seconds, String)>,
}

/// Reasons under way: the run is lived through again until the job waits.
pub struct FindingReasons<'a>(ReasonSearch<'a>);

impl<'a> FindingReasons<'a> {
    /// Begins to look for the reasons of `job`; nothing where nobody gives any. `simulation` has not begun.
    pub fn begin(simulation: Simulation<'a>, job: JobId) -> Option<Self> {
        let search = ReasonSearch::new(simulation, job);
        search.is_worthwhile().then_some(FindingReasons(search))
    }

    /// Lives through up to `instants` further instants; the reasons, once they are found.
    pub fn advance(&mut self, instants: usize) -> Option<Reasons> {
        let WaitReasons { class, scheduler } = self.0.advance(instants)?;
        // where there is no divider, that is said with the class itself
        let class = class.filter(|classified| classified.because != Because::NoDivider).map(|classified| {
            let taken_for = if classified.class == Class::Small { "small" } else { "large" };
            format!("It was taken for {taken_for} because {}.", classified.because)
        });
        Some(Reasons { class, plan: scheduler })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Query, answer};
    use super::*;
    use crate::metric::Measure;
    use crate::study::{Rules, Run, Treatment, execute};
    use crate::workload::lublin;

    /// What is said of the first job that waits at least an hour, and when it was submitted and started.
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
        assert_eq!(reasons.class, None);
    }

    #[test]
    fn trees_say_how_they_voted() {
        let (reasons, ..) = reasons("fcfs-ci");
        let said = reasons.class.unwrap();
        assert!(said.starts_with("It was taken for ") && said.contains(" because "), "{said}");
        assert_eq!(reasons.plan, None);
    }

    #[test]
    fn who_gives_no_reasons_is_not_lived_through_again() {
        assert_eq!(reasons("easy").0, Reasons::default());
    }
}

//! When waiting jobs are estimated anew, and which submissions trigger a round.

use packfair::estimator::Estimate;
use packfair::model::{Reestimation, RoundTrigger};
use packfair::scheduler::Policy;
use packfair::simulation::{Correction, Options, Simulation};
use packfair::workload::{Seconds, testing};

/// The starts of jobs, given as (submit, processors, run time, requested time), on 4 processors.
fn starts(
    jobs: &[(Seconds, u32, Seconds, Seconds)],
    scheduler: &str,
    estimate: &str,
    reestimation: Reestimation,
    trigger: RoundTrigger,
) -> Vec<Seconds> {
    let workload = testing::jobs(4, jobs);
    let scheduler: Policy = scheduler.parse().unwrap();
    let estimator = estimate.parse::<Estimate>().unwrap().build(&workload);
    let options = Options { correction: Correction::Request, reestimation, trigger };
    Simulation::new(&workload, scheduler.build().unwrap(), estimator, options).finish().starts
}

#[test]
fn what_is_learned_while_jobs_wait_changes_their_order() {
    let jobs = [(0, 4, 20, 100), (1, 2, 50, 60), (1, 4, 10, 25), (1, 4, 5, 200)];
    let of = |reestimation| starts(&jobs, "saf-justbf", "hierarchy", reestimation, RoundTrigger::Every);
    // areas of the waiting jobs, as requested: 120, 100, 800
    assert_eq!(of(Reestimation::Submission), [0, 30, 20, 80]);
    // after a job of 20 s was seen: 40, 80, 80
    assert_eq!(of(Reestimation::Round), [0, 20, 70, 80]);
}

#[test]
fn the_submission_of_a_job_that_does_not_fit_may_leave_things_as_they_are() {
    let jobs = [(0, 3, 50, 100), (0, 4, 10, 10), (0, 1, 60, 60), (10, 4, 10, 10)];
    let of = |trigger| starts(&jobs, "easy", "actual*0.1", Reestimation::Submission, trigger);
    // the shadow time of the second job is 5 s; from 5 s on, when that estimate has run out, it is 100 s: then the
    // third could be backfilled, if a round were triggered
    assert_eq!(of(RoundTrigger::Every), [0, 70, 10, 80]);
    assert_eq!(of(RoundTrigger::Fitting), [0, 50, 60, 120]);
}

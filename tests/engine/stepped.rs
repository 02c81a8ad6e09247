//! A simulation that is stepped from outside, beside the ordinary one: who always decides as EASY does, gets its
//! schedule.

use crate::random::{self, cases, workloads};
use packfair::estimator::Estimate;
use packfair::model::RoundTrigger;
use packfair::scheduler::Policy;
use packfair::simulation::{Correction, Options, Question, Simulation, SteppedSimulation, SteppedWorkload, check};
use packfair::workload::{Seconds, Workload};
use proptest::prelude::*;
use std::sync::Arc;

fn built_in(policy: &str, estimate: &str, options: Options, workload: &Workload) -> Vec<Seconds> {
    let (policy, estimate): (Policy, Estimate) = (policy.parse().unwrap(), estimate.parse().unwrap());
    let simulation = Simulation::new(workload, policy.build().unwrap(), estimate.build(workload), options);
    simulation.finish().starts
}

/// Always the first that may be chosen; where backfilling is asked for, the first after the head.
fn stepped(question: Question, estimate: &str, options: Options, workload: &Workload) -> Vec<Seconds> {
    let estimate: Estimate = estimate.parse().unwrap();
    let of = Arc::new(SteppedWorkload::new(workload.clone(), &estimate).unwrap());
    let mut simulation = SteppedSimulation::new(of, question, options, 0..workload.len());
    let skip = usize::from(question == Question::Backfill);
    while !simulation.is_done() {
        let first = simulation.visible().skip(skip).position(|job| simulation.may_choose(job));
        assert!(simulation.step(first.unwrap() + skip), "what may be chosen is taken");
    }
    let schedule = simulation.schedule(workload);
    assert_eq!(check(workload, &schedule), []);
    schedule.starts
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn who_decides_as_the_built_in_ones_gets_their_schedule(
        jobs in workloads(0),
        estimate in random::estimates(),
        correction in prop::sample::select(vec![Correction::Request, Correction::Incremental, Correction::Doubling]),
        trigger in prop::sample::select(vec![RoundTrigger::Every, RoundTrigger::Fitting]),
    ) {
        let workload = random::workload(&jobs);
        let options = Options { correction, trigger, ..Options::default() };
        let easy = built_in("easy", estimate, options, &workload);
        prop_assert_eq!(&stepped(Question::Backfill, estimate, options, &workload), &easy);
        prop_assert_eq!(&stepped(Question::Next { backfills: true }, estimate, options, &workload), &easy);
        let fcfs = built_in("fcfs", estimate, options, &workload);
        prop_assert_eq!(&stepped(Question::Next { backfills: false }, estimate, options, &workload), &fcfs);
    }

    #[test]
    fn whatever_is_chosen_is_a_schedule(
        jobs in workloads(0),
        choices in prop::collection::vec(0..70_usize, 1..50),
        question in prop::sample::select(vec![
            Question::Backfill, Question::Next { backfills: true }, Question::Next { backfills: false },
        ]),
    ) {
        let workload = random::workload(&jobs);
        let of = Arc::new(SteppedWorkload::new(workload.clone(), &"requested".parse().unwrap()).unwrap());
        let mut simulation = SteppedSimulation::new(of.clone(), question, Options::default(), 0..workload.len());
        let mut steps = 0;
        for &choice in choices.iter().cycle() {
            if simulation.is_done() {
                break;
            }
            simulation.step(choice);
            steps += 1;
            prop_assert!(steps <= 100 * workload.len(), "it comes to an end");
        }
        prop_assert_eq!(check(&workload, &simulation.schedule(&workload)), []);
        let half = workload.len() / 2..workload.len();
        simulation.begin(half.clone());
        let part = of.part(half);
        while !simulation.is_done() {
            simulation.step(0);
        }
        prop_assert_eq!(check(&part, &simulation.schedule(&part)), []);
    }
}

#[test]
fn what_cannot_be_stepped_says_why() {
    let jobs = random::Jobs { processors: 4, jobs: vec![(0, 1, 5, 5)] };
    let workload = random::workload(&jobs);
    let refused = SteppedWorkload::new(workload, &"last2".parse().unwrap()).unwrap_err().to_string();
    assert!(refused.starts_with("last2 learns from the schedule"), "{refused}");
}

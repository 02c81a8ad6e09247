//! Every fast scheduler does the same as the plain one with the same settings, on random workloads.

use crate::random::{
    cases, classes, crowds, estimates, learned_estimates, over_two_weeks, rules, settings, stretched, tuning,
    with_shares, workload, workloads,
};
use packfair::model::{FairStarts, Schedule};
use packfair::simulation::{Driven, Reserved, Simulation, check, fair_starts, reservation_course};
use packfair::study::{Rules, Run};
use packfair::workload::{JobId, Workload};
use proptest::prelude::*;
use proptest::test_runner::Config;

/// A run, made with the fast and with the plain scheduler.
struct Pair<'a> {
    run: Run,
    rules: Rules,
    workload: &'a Workload,
}

impl<'a> Pair<'a> {
    fn new(scheduler: &str, estimate: &str, rules: Rules, workload: &'a Workload) -> Self {
        Pair { run: Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap()), rules, workload }
    }

    fn simulation(&self, scheduler: Option<Box<dyn Driven>>) -> Simulation<'a> {
        let estimator = self.run.estimate.build(self.workload);
        let simulation = Simulation::new(self.workload, scheduler.unwrap(), estimator, self.rules.options(&self.run));
        simulation.with_classifier(self.run.scheduler.classifier(self.workload))
    }

    fn fast(&self) -> Simulation<'a> {
        self.simulation(self.run.scheduler.build())
    }

    fn plain(&self) -> Simulation<'a> {
        self.simulation(self.run.scheduler.build_plain())
    }

    fn fair_starts(&self, simulation: Simulation<'a>, schedule: &Schedule) -> FairStarts {
        fair_starts(simulation, schedule, 0..self.workload.len())
    }

    /// The reservations of every job.
    fn reservations(&self, simulation: impl Fn() -> Simulation<'a>) -> Vec<Vec<Reserved>> {
        (0..self.workload.len()).map(|job| reservation_course(simulation(), JobId(job as u32))).collect()
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn the_fast_scheduler_does_what_the_plain_one_does(
        jobs in workloads(0),
        scheduler in settings(),
        estimate in estimates(),
        rules in rules(),
    ) {
        let workload = workload(&jobs);
        let pair = Pair::new(&scheduler, estimate, rules, &workload);
        prop_assert_eq!(pair.fast().finish(), pair.plain().finish());
    }

    #[test]
    fn so_it_does_where_it_counts_how_much_each_user_has_had(
        jobs in workloads(0),
        times in 1..=900_i64,
        scheduler in with_shares(),
        estimate in estimates(),
        rules in rules(),
    ) {
        let workload = workload(&stretched(jobs, times));
        let pair = Pair::new(&scheduler, estimate, rules, &workload);
        prop_assert_eq!(pair.fast().finish(), pair.plain().finish());
    }

    #[test]
    fn so_it_does_with_estimates_that_are_learned(
        jobs in workloads(0),
        scheduler in settings(),
        estimate in learned_estimates(),
        rules in rules(),
    ) {
        let workload = workload(&jobs);
        let pair = Pair::new(&scheduler, estimate, rules, &workload);
        prop_assert_eq!(pair.fast().finish(), pair.plain().finish());
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn small_jobs_go_first_and_are_killed_as_in_the_plain_one(
        jobs in prop_oneof![4 => workloads(0), 1 => crowds()],
        scheduler in classes(),
        estimate in prop_oneof![3 => Just("requested"), 1 => estimates(), 1 => learned_estimates()],
        rules in rules(),
    ) {
        let workload = workload(&over_two_weeks(jobs));
        let pair = Pair::new(&scheduler, estimate, rules, &workload);
        let schedule = pair.fast().finish();
        prop_assert_eq!(check(&workload, &schedule), []);
        prop_assert_eq!(schedule, pair.plain().finish());
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn so_it_does_where_it_chooses_among_policies(
        jobs in workloads(0),
        scheduler in tuning(),
        estimate in prop_oneof![1 => estimates(), 3 => learned_estimates()],
        rules in rules(),
    ) {
        let workload = workload(&jobs);
        let pair = Pair::new(&scheduler, estimate, rules, &workload);
        prop_assert_eq!(pair.fast().finish(), pair.plain().finish());
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn both_have_the_same_fair_starts_and_reservations(
        jobs in workloads(0),
        scheduler in settings(),
        estimate in prop_oneof![estimates(), learned_estimates()],
        rules in rules(),
    ) {
        let workload = workload(&jobs);
        let pair = Pair::new(&scheduler, estimate, rules, &workload);
        let schedule = pair.fast().finish();
        prop_assert_eq!(pair.fair_starts(pair.fast(), &schedule), pair.fair_starts(pair.plain(), &schedule));
        prop_assert_eq!(pair.reservations(|| pair.fast()), pair.reservations(|| pair.plain()));
    }

    #[test]
    fn so_they_have_where_jobs_are_killed(
        jobs in workloads(0),
        scheduler in classes(),
        estimate in prop_oneof![estimates(), learned_estimates()],
        rules in rules(),
    ) {
        let workload = workload(&over_two_weeks(jobs));
        let pair = Pair::new(&scheduler, estimate, rules, &workload);
        let schedule = pair.fast().finish();
        prop_assert_eq!(pair.fair_starts(pair.fast(), &schedule), pair.fair_starts(pair.plain(), &schedule));
        prop_assert_eq!(pair.reservations(|| pair.fast()), pair.reservations(|| pair.plain()));
    }
}

proptest! {
    // each case is slow to simulate plainly
    #![proptest_config(Config { max_shrink_iters: 20, ..cases(6) })]

    #[test]
    fn the_fast_scheduler_does_what_the_plain_one_does_where_hundreds_wait(
        jobs in crowds(),
        scheduler in settings(),
        estimate in prop_oneof![estimates(), learned_estimates()],
        rules in rules(),
    ) {
        let workload = workload(&jobs);
        let pair = Pair::new(&scheduler, estimate, rules, &workload);
        prop_assert_eq!(pair.fast().finish(), pair.plain().finish());
    }
}

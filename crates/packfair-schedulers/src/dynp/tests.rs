//! The worked example, and comparisons of the plain scheduler with the fast one.

use super::basic::Basic;
use super::lower_bounds::Bounds;
use super::plans::LongFrom;
use super::rules::DynpRules;
use super::self_tuning::SelfTuning;
use super::{Case, Counts};
use crate::Policy;
use packfair_engine::estimator::Estimate;
use packfair_engine::simulation::{Driven, Options, Simulation};
use packfair_workload::{Seconds, Workload, testing};

/// The workload of the worked example; its jobs are (submit, width, run time, estimate).
fn example() -> Workload {
    let jobs = [
        (0, 4, 15, 30),
        (2, 3, 30, 30),
        (3, 3, 30, 30),
        (8, 3, 40, 40),
        (8, 6, 20, 20),
        (10, 2, 30, 60),
        (12, 5, 60, 60),
        (17, 3, 40, 40),
    ];
    testing::jobs(8, &jobs)
}

/// Simulates a scheduler. Returns the starts and what was counted.
fn simulate(
    workload: &Workload,
    scheduler: Box<dyn Driven>,
    estimate: &str,
    options: Options,
) -> (Vec<Seconds>, Counts) {
    let estimator = estimate.parse::<Estimate>().unwrap().build(workload);
    let schedule = Simulation::new(workload, scheduler, estimator, options).finish();
    let counts = Counts::of(&schedule.notes).expect("dynP counts");
    (schedule.starts, counts)
}

/// The fast scheduler of a policy that treats queues as long from a few jobs on.
fn of_long_queues(policy: &Policy) -> Box<dyn Driven> {
    let (settings, long) = (policy.settings(), LongFrom { effort: 8, bounds: 8 });
    match policy.family().entry.id {
        "dynp" => Box::new(SelfTuning::new(DynpRules::of(settings), long)),
        _ => Box::new(Basic::new(Bounds::of(settings), long)),
    }
}

/// Simulates the fast scheduler of a policy, as it is and for long queues, and the plain one.
fn all(workload: &Workload, policy: &str, estimate: &str, options: Options) -> [(Vec<Seconds>, Counts); 3] {
    let policy: Policy = policy.parse().unwrap();
    [policy.build().unwrap(), of_long_queues(&policy), policy.build_plain().unwrap()]
        .map(|scheduler| simulate(workload, scheduler, estimate, options))
}

/// Which cases occurred, and how often.
fn cases(counts: &Counts) -> Vec<(&'static str, u64)> {
    let occurred = Case::ALL.into_iter().map(|case| (case.id(), counts.of_case(case)));
    occurred.filter(|(_, times)| *times > 0).collect()
}

#[test]
fn the_worked_example_comes_out() {
    let check = |policy: &str, starts: [Seconds; 8], expected: &[(&str, u64)]| {
        for (got, counts) in all(&example(), policy, "requested", Options::default()) {
            assert_eq!(got, starts, "{policy}");
            assert_eq!(cases(&counts), expected, "{policy}");
            assert_eq!(counts.started.iter().sum::<u64>(), 8);
            if !expected.is_empty() {
                assert_eq!(counts.tries, expected.iter().map(|(_, times)| times).sum::<u64>(), "{policy}");
            }
        }
    };
    let art = |last| [("2&7", 2), ("3&9", 1), ("4a", 2), last, ("6b", 1), ("6c", 1)];
    let mut simple = art(("6a", 1));
    simple[3..].sort_unstable();
    check("dynp:quality=art,decider=simple", [0, 2, 15, 45, 85, 15, 105, 45], &simple);
    let advanced = [("1", 1), ("2&7", 2), ("3&9", 1), ("4a", 2), ("6b", 1), ("6c", 1)];
    check("dynp:quality=art", [0, 2, 15, 65, 45, 15, 105, 65], &advanced);
    for policy in ["dynp:decider=simple", "dynp"] {
        check(policy, [0, 2, 52, 52, 32, 15, 82, 92], &[("2&7", 6), ("3&9", 2), ("8a", 1)]);
    }
    let ms = |ones| [("1", ones), ("2&7", 2), ("4b&5", 2), ("4c", 1), ("10b", 1), ("10c", 1)];
    check("dynp:quality=ms,decider=simple", [0, 2, 32, 75, 115, 62, 15, 75], &ms(1));
    check("dynp:quality=ms", [0, 2, 32, 95, 75, 62, 15, 95], &ms(3));
}

#[test]
fn fcfs_may_take_the_queue_as_the_last_sjf_sort_left_it() {
    // one processor; at t = 1 the second job waits, of 30 s, and at t = 2 the third comes, of 20 s: by submission it is
    // behind the second. The try sorts it before the second. No job came since at t = 10, so FCFS has that order
    let jobs = [(0, 1, 10, 10), (1, 1, 30, 30), (2, 1, 20, 20)];
    let workload = testing::jobs(1, &jobs);
    // ART prefers the shorter job first, so SJF is in force from t = 2 on: cases 2&7 by submission both times
    for (starts, counts) in all(&workload, "dynp:quality=art", "requested", Options::default()) {
        assert_eq!((starts, cases(&counts)), (vec![0, 30, 10], vec![("2&7", 2)]));
    }
    // with the order that is left, both plans are the same at t = 10, and the current policy, SJF, is kept: 6b
    for setting in ["left", "resorted"] {
        let policy = format!("dynp:quality=art,fcfs={setting}");
        for (starts, counts) in all(&workload, &policy, "requested", Options::default()) {
            assert_eq!((starts, cases(&counts)), (vec![0, 30, 10], vec![("2&7", 1), ("6b", 1)]), "{setting}");
        }
    }
    // the makespan is the same in any order, so FCFS stays in force: it takes the order that was left, or that of
    // submission
    for (setting, expected) in [("submission", [0, 10, 40]), ("left", [0, 30, 10]), ("resorted", [0, 10, 40])] {
        let policy = format!("dynp:quality=ms,fcfs={setting}");
        for (starts, counts) in all(&workload, &policy, "requested", Options::default()) {
            assert_eq!((starts, cases(&counts)), (expected.to_vec(), vec![("1", 2)]), "{setting}");
        }
    }
}

#[test]
fn basic_dynp_of_the_worked_example_switches_once() {
    for (starts, counts) in all(&example(), "dynp-basic:lower=20,upper=40", "requested", Options::default()) {
        assert_eq!(starts, [0, 2, 32, 62, 102, 75, 15, 122]);
        // the mean estimate is 42 s at t = 12: LJF; 38 s at t = 17: FCFS
        assert_eq!(counts.course, [(0, 0), (12, 2), (17, 0)]);
        assert_eq!((counts.tries, &counts.switches[..], counts.same_policy()), (2, &[1, 0, 1][..], 0));
        assert_eq!(counts.mean_backlog(), Some(5.0));
    }
}

#[test]
fn how_many_jobs_must_wait_for_basic_dynp_to_decide_is_a_setting() {
    let of = |jobs: u32| {
        let policy = format!("dynp-basic:lower=20,upper=40,jobs={jobs}");
        all(&example(), &policy, "requested", Options::default())
    };
    // the mean estimate at the arrivals is 30, 30, 30, 30, 37.5, 42 and 38 s: only at t = 12 the policy is not FCFS
    for (starts, counts) in of(1) {
        assert_eq!(starts, [0, 2, 32, 62, 102, 75, 15, 122]);
        assert_eq!((counts.tries, counts.mean_backlog()), (7, Some(20.0 / 7.0)));
        assert_eq!(counts.course, [(0, 0), (12, 2), (17, 0)]);
    }
    // there are never six waiting jobs
    for (starts, counts) in of(6) {
        assert_eq!(starts, [0, 2, 15, 32, 72, 15, 92, 92]);
        assert_eq!(counts.tries, 0);
    }
}

#[test]
fn the_first_try_of_the_worked_example_is_decided_by_slowdown_and_by_two_qualities() {
    // slowdowns of FCFS, SJF, LJF at t = 8, times 19: 21.6, 21.15, 21.3; ART with the makespan: 2.03, 2.04, 2
    for (policy, case) in [("dynp:quality=sldww", "2&7"), ("dynp:quality=art+ms", "4a")] {
        let first_three =
            testing::jobs(8, &[(0, 4, 15, 30), (2, 3, 30, 30), (3, 3, 30, 30), (8, 3, 40, 40), (8, 6, 20, 20)]);
        for (_, counts) in all(&first_three, policy, "requested", Options::default()) {
            // the course begins with FCFS, and the next policy is that of t = 8
            let (at, to) = counts.course[1];
            assert_eq!((at, to), (8, if case == "2&7" { 1 } else { 2 }), "{policy}");
            assert!(cases(&counts).iter().any(|&(id, _)| id == case), "{policy}: {:?}", cases(&counts));
        }
    }
}

#[test]
fn a_single_policy_is_that_of_the_list_family() {
    let starts = |policy: &str| {
        let scheduler = policy.parse::<Policy>().unwrap().build().unwrap();
        let workload = example();
        let estimator = "requested".parse::<Estimate>().unwrap().build(&workload);
        Simulation::new(&workload, scheduler, estimator, Options::default()).finish().starts
    };
    for (order, expected) in [
        ("fcfs", [0, 2, 15, 32, 72, 15, 92, 92]),
        ("sjf", [0, 2, 52, 52, 32, 15, 92, 82]),
        ("ljf", [0, 2, 102, 62, 132, 32, 15, 75]),
    ] {
        assert_eq!(starts(&format!("dynp:policies={order}")), expected);
        assert_eq!(starts(&format!("list:order={order}")), expected);
    }
}

#[test]
fn slackness_keeps_the_current_policy() {
    let [(starts, counts), _, (plainly, _)] = all(&example(), "dynp:slackness=99", "requested", Options::default());
    assert_eq!(starts, [0, 2, 15, 32, 72, 15, 92, 92], "as FCFS");
    assert_eq!(plainly, starts);
    assert_eq!(counts.same_policy(), counts.tries);
}

#[cfg(not(target_arch = "wasm32"))]
mod random {
    use super::*;
    use packfair_engine::model::{Reestimation, RoundTrigger};
    use packfair_engine::simulation::Correction;
    use proptest::prelude::*;
    use proptest::test_runner::{Config, RngSeed};

    fn config(cases: u32) -> Config {
        let rng_seed = RngSeed::Fixed(2002);
        Config { cases, rng_seed, failure_persistence: None, max_shrink_iters: 5_000, ..Config::default() }
    }

    /// A job as (seconds since the last submission, processors, run time, requested time).
    type Job = (Seconds, u32, Seconds, Seconds);

    /// Workloads whose requests are below, at and above the run times.
    fn jobs(most: usize) -> impl Strategy<Value = (u32, Vec<Job>)> {
        let gap = prop_oneof![3 => Just(0), 2 => 1..=3_i64, 1 => 4..=30_i64];
        let request = prop_oneof![Just(0), 0..=12_i64, -3..=0_i64];
        let job = (gap, 1..=8_u32, 0..=12_i64, request)
            .prop_map(|(gap, width, run, more)| (gap, width, run, (run + more).max(1)));
        (1..=8_u32, prop::collection::vec(job, 1..=most))
    }

    fn workload((processors, jobs): &(u32, Vec<Job>)) -> Workload {
        let mut submit = 0;
        let jobs: Vec<_> = jobs
            .iter()
            .map(|&(gap, width, run, limit)| {
                submit += gap;
                (submit, width.min(*processors), run, limit)
            })
            .collect();
        testing::jobs(*processors, &jobs)
    }

    fn dynps() -> impl Strategy<Value = String> {
        let quality = prop::sample::select(vec!["art", "artww", "ms", "sldww", "art+ms", "artww+ms", "artww+sldww"]);
        let decider = prop::sample::select(vec!["simple", "advanced"]);
        let rest = prop_oneof![
            6 => Just(""),
            1 => Just(",policies=all"),
            1 => Just(",policies=sjf+saf+wfp"),
            1 => Just(",policies=sjf+formula:wait/requested+formula:-area"),
            1 => Just(",policies=fcfs+formula:(user_waiting-user_running*wait)+formula:(free-queue_length*area),first=3"),
            1 => Just(",policies=formula:0/(wait-5)+formula:hour-user_usage"),
            1 => Just(",slackness=5"),
            1 => Just(",first=2"),
            1 => Just(",within=8"),
            1 => Just(",slackness=0.5,first=3,within=20"),
        ];
        prop_oneof![
            9 => (quality, decider, rest).prop_map(|(q, d, rest)| format!("dynp:quality={q},decider={d}{rest}")),
            1 => Just("dynp-basic:lower=5,upper=7".to_owned()),
            1 => Just("dynp-basic:lower=5,upper=7,jobs=2".to_owned()),
        ]
    }

    fn options() -> impl Strategy<Value = Options> {
        let correction = prop::sample::select(Correction::ALL.to_vec());
        let reestimation = prop::sample::select(Reestimation::ALL.to_vec());
        (correction, reestimation).prop_map(|(correction, reestimation)| Options {
            correction,
            reestimation,
            trigger: RoundTrigger::Every,
        })
    }

    /// Named orders, and formulas that mean the same.
    const SAME: [(&str, &str); 6] = [
        ("fcfs", "0"),
        ("saf", "-area"),
        ("laf", "processors*estimate"),
        ("srf", "-processors"),
        ("wfp", "(wait/estimate)^3*processors"),
        ("lxf", "(wait+estimate)/estimate"),
    ];

    proptest! {
        #![proptest_config(config(300))]

        #[test]
        fn a_formula_is_as_good_a_policy_as_the_order_that_it_means(
            jobs in jobs(40),
            quality in prop::sample::select(vec!["art", "artww", "ms"]),
            (first, second) in (0..SAME.len(), 0..SAME.len()).prop_filter("two", |(a, b)| a < b),
            estimate in prop::sample::select(vec!["actual", "requested", "actual*1.5", "last2"]),
        ) {
            let workload = workload(&jobs);
            let starts = |policies: String| {
                let policy = format!("dynp:quality={quality},policies={policies}");
                all(&workload, &policy, estimate, Options::default()).map(|(starts, _)| starts)
            };
            let named = starts(format!("{}+{}", SAME[first].0, SAME[second].0));
            let written = starts(format!("{}+formula:{}", SAME[first].0, SAME[second].1));
            prop_assert_eq!(&written, &named, "{:?}", SAME[second]);
            // both as formulas: dynP begins with the first policy, as it would with FCFS
            if SAME[first].0 == "fcfs" {
                let [_, formula] = [first, second].map(|place| SAME[place].1);
                prop_assert_eq!(starts(format!("formula:0+formula:{formula}")), named);
            }
        }
    }

    proptest! {
        #![proptest_config(config(1500))]

        #[test]
        fn the_fast_one_does_what_the_plain_one_does(
            jobs in jobs(50),
            policy in dynps(),
            estimate in prop::sample::select(vec![
                "actual", "requested", "requested", "actual*0.5", "actual*2", "requested*0.5", "actual*1.149",
                "requested*0.3", "last2", "hierarchy", "sp:x=30", "survival:x=40",
            ]),
            options in options(),
        ) {
            let [fast, of_long_queues, plain] = all(&workload(&jobs), &policy, estimate, options);
            prop_assert_eq!(&fast, &plain);
            prop_assert_eq!(of_long_queues, plain);
        }
    }
}

//! Properties that hold for every workload, tested on random ones, which are the same in every run of the tests.

use crate::naive;
use crate::naive::{Key, Rule};
use crate::random::{cases, crowds, estimates, guaranteeing, plain_estimates, policies, run, workload, workloads};
use packfair::estimator::Estimate;
use packfair::metric::{Counted, Evaluation, Measure, Metric, fairness, outcomes, time_series};
use packfair::model::{NoteId, Reestimation, RoundTrigger, Schedule};
use packfair::scheduler::Policy;
use packfair::simulation::{
    Correction, Fault, Options, Reserved, Simulation, check, check_conservative, check_earliest_fit, check_easy,
    check_fcfs, reservation_course,
};
use packfair::study::{Rules, Run, execute};
use packfair::workload::{JobId, Seconds, Workload};
use proptest::prelude::*;
use proptest::test_runner::Config;

/// The reservation of a job over time.
fn course(workload: &Workload, scheduler: &str, estimate: &str, job: JobId) -> Vec<Reserved> {
    let (scheduler, estimate) = (scheduler.parse::<Policy>().unwrap(), estimate.parse::<Estimate>().unwrap());
    let (scheduler, estimator) = (scheduler.build().unwrap(), estimate.build(workload));
    reservation_course(Simulation::new(workload, scheduler, estimator, Options::default()), job)
}

const FCFS: Key = |_, _, _| (0.0, 0.0);
const SJF: Key = |r, e, _| (e, f64::from(r));
const SAF: Key = |r, e, _| (f64::from(r) * e, 0.0);
const LAF: Key = |r, e, _| (-f64::from(r) * e, 0.0);
const SPF: Key = |r, e, _| (f64::from(r) * e * e, f64::from(r) * e);
const WFP: Key = |r, e, wait| (-(wait / e * (wait / e) * (wait / e) * f64::from(r)), 0.0);
const LXF: Key = |_, e, wait| (-((wait + e) / e), 0.0);
const UNICEF: Key = |r, e, wait| (if wait == 0.0 { 0.0 } else { -(wait / (libm::log2(f64::from(r)) * e)) }, 0.0);
const INDEX: Key = |r, e, wait| (-(wait * wait.sqrt() / (e * e * (1.0 / f64::from(r)))), 0.0);
const AGE_AND_SIZE: Key = |r, _, wait| (-(wait.min(3600.0) - 7.0 * f64::from(r)), 0.0);
const SHORTEST: Key = |_, e, _| (e, 0.0);

/// Smallest area first, but jobs that have waited for more than 20 s before all others.
const SAF_THRESHOLD: Key = |r, e, wait| (if wait > 20.0 { -1.0 } else { f64::from(r) * e }, 0.0);

/// The rule of the naive simulator for each preset, and for further settings in which the head changes as time passes.
const NAIVE: [(&str, Rule); 24] = [
    ("fcfs", Rule::Strict),
    ("easy", Rule::Easy(FCFS, FCFS)),
    ("easy-sjbf", Rule::Easy(FCFS, SHORTEST)),
    ("saf-easy", Rule::Easy(SAF, SAF)),
    ("easy:initial=saf,backfill=fcfs,threshold=20", Rule::Easy(SAF_THRESHOLD, FCFS)),
    ("easy:initial=wfp,backfill=saf", Rule::Easy(WFP, SAF)),
    ("justbf", Rule::Reserving(FCFS)),
    ("sjf-justbf", Rule::Reserving(SJF)),
    ("saf-justbf", Rule::Reserving(SAF)),
    ("laf-justbf", Rule::Reserving(LAF)),
    ("spf-justbf", Rule::Reserving(SPF)),
    ("list:order=wfp", Rule::Reserving(WFP)),
    ("list:order=lxf", Rule::Reserving(LXF)),
    ("easy:initial=lxf,backfill=lxf", Rule::Easy(LXF, LXF)),
    ("unicef-easy", Rule::Easy(UNICEF, UNICEF)),
    ("easy:initial=formula:wait^1.5/(estimate^2*processors^(-1))", Rule::Easy(INDEX, FCFS)),
    ("list:order=formula:wait^1.5/(estimate^2*processors^(-1))", Rule::Reserving(INDEX)),
    ("list:order=formula:min(wait,1h)-7*processors", Rule::Reserving(AGE_AND_SIZE)),
    ("easy:initial=formula:(wait/estimate)^3*processors,backfill=formula:-area", Rule::Easy(WFP, SAF)),
    ("list:order=formula:(wait/estimate)^3*processors", Rule::Reserving(WFP)),
    ("list:order=formula:(wait+estimate)/estimate,blocked=reserving", Rule::Reserving(LXF)),
    ("sjf-aggressive", Rule::Greedy(SJF)),
    ("saf-aggressive", Rule::Greedy(SAF)),
    ("laf-aggressive", Rule::Greedy(LAF)),
];

/// The estimate of the naive simulator for an estimator's text form.
fn naive_estimate(text: &str) -> impl Fn(Seconds, Seconds) -> f64 {
    let Estimate { k, .. } = text.parse().unwrap();
    let actual = text.starts_with("actual");
    move |run, limit| k * (if actual { run.max(1) } else { limit }) as f64
}

/// The start that each job was guaranteed at its submission.
fn promises(schedule: &Schedule) -> &[Seconds] {
    schedule.notes.of_jobs(NoteId::PROMISE)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn every_schedule_is_one(jobs in workloads(0), policy in policies(), estimate in estimates()) {
        let schedule = run(&jobs, &policy, estimate);
        prop_assert_eq!(check(&workload(&jobs), &schedule), []);
    }

    #[test]
    fn learned_estimates_make_schedules_too(
        jobs in workloads(0),
        policy in policies(),
        method in prop::sample::select(vec!["last2", "hierarchy", "sp2", "sp:x=30", "survival", "survival:x=40", "cvh"]),
        reestimation in prop::option::of(prop::sample::select(Reestimation::ALL.to_vec())),
        trigger in prop::option::of(prop::sample::select(RoundTrigger::ALL.to_vec())),
        correction in prop::sample::select(Correction::ALL.to_vec()),
    ) {
        let workload = workload(&jobs);
        let run = Run::new(policy.parse().unwrap(), method.parse().unwrap());
        let rules = Rules { correction, reestimation, trigger };
        let schedule = execute(&run, &workload, rules, &Measure::default()).unwrap().schedule;
        prop_assert_eq!(check(&workload, &schedule), []);
        for (request, &estimate) in workload.requests().iter().zip(&schedule.estimates) {
            prop_assert!(estimate.fract() == 0.0 && (1.0..=request.limit as f64).contains(&estimate));
        }
    }

    #[test]
    fn fcfs_keeps_the_order_and_never_waits_in_vain(jobs in workloads(0), estimate in estimates()) {
        prop_assert_eq!(check_fcfs(&workload(&jobs), &run(&jobs, "fcfs", estimate)), []);
    }

    #[test]
    fn easy_keeps_its_one_promise(
        jobs in workloads(1),
        policy in prop::sample::select(vec!["easy", "easy-sjbf", "easy:backfill=laf"]),
        estimate in estimates(),
    ) {
        prop_assert_eq!(check_easy(&workload(&jobs), &run(&jobs, policy, estimate)), []);
    }

    #[test]
    fn justbf_with_exact_estimates_is_conservative(jobs in workloads(1)) {
        let schedule = run(&jobs, "justbf", "actual");
        prop_assert_eq!(check_earliest_fit(&workload(&jobs), &schedule), []);
        prop_assert_eq!(check_conservative(&workload(&jobs), &schedule), []);
    }

    #[test]
    fn with_exact_estimates_all_that_guarantee_are_conservative(jobs in workloads(1), policy in guaranteeing()) {
        let schedule = run(&jobs, policy, "actual");
        prop_assert_eq!(check_earliest_fit(&workload(&jobs), &schedule), []);
        prop_assert_eq!(promises(&schedule), &schedule.starts);
    }

    #[test]
    fn a_guaranteed_start_never_moves_later(
        jobs in workloads(0),
        policy in guaranteeing(),
        estimate in prop::sample::select(vec!["actual", "actual*2", "actual*1.149", "actual*7"]),
    ) {
        let schedule = run(&jobs, policy, estimate);
        prop_assert_eq!(promises(&schedule).len(), schedule.starts.len());
        prop_assert!(schedule.starts.iter().zip(promises(&schedule)).all(|(start, promise)| start <= promise));
        prop_assert_eq!(schedule.notes.count(NoteId::REMADE), Some(0.0));
        if estimate == "actual*2" {
            prop_assert_eq!(check_conservative(&workload(&jobs), &schedule), []);
        }
    }

    #[test]
    fn nobody_starts_later_than_promised_unless_a_guarantee_was_made_anew(
        jobs in workloads(0),
        policy in guaranteeing(),
        estimate in estimates(),
    ) {
        let schedule = run(&jobs, policy, estimate);
        prop_assert_eq!(check(&workload(&jobs), &schedule), []);
        let late = schedule.starts.iter().zip(promises(&schedule)).any(|(start, promise)| start > promise);
        prop_assert!(!late || schedule.notes.count(NoteId::REMADE) > Some(0.0));
    }

    #[test]
    fn one_reservation_makes_justbf_easy(jobs in workloads(0), estimate in estimates()) {
        prop_assert_eq!(run(&jobs, "list:depth=1", estimate).starts, run(&jobs, "easy", estimate).starts);
    }

    #[test]
    fn a_depth_beyond_the_queue_changes_nothing(jobs in workloads(0), estimate in estimates()) {
        prop_assert_eq!(run(&jobs, "list:depth=60", estimate).starts, run(&jobs, "justbf", estimate).starts);
    }

    #[test]
    fn metrics_keep_their_relations(jobs in workloads(0), policy in policies(), bins in 1..=40_usize) {
        let (schedule, workload) = (run(&jobs, &policy, "requested"), workload(&jobs));
        let measure = Measure { counted: Counted::All, alpha: 2.5, ..Measure::default() };
        let evaluation = Evaluation::new(&workload, &schedule, &measure);
        let values = evaluation.values();
        prop_assert!(values.values().all(|value| value.is_finite()));
        let value = |metric| values.get(&metric).copied().unwrap_or(0.0);
        // METRICS §IV: P⁰SF is the mean of AWF and AWQ; larger exponents weigh longer responses more
        let p0sf = (value(Metric::Awf) + value(Metric::Awq)) / 2.0;
        prop_assert!((value(Metric::P0sf) - p0sf).abs() <= 1e-12 * p0sf);
        let levels = [Metric::P0sf, Metric::P1sf, Metric::P2sf, Metric::Pasf, Metric::P3sf].map(value);
        prop_assert!(levels.windows(2).all(|pair| pair[1] >= pair[0] * (1.0 - 1e-12)), "{:?}", levels);
        // lost capacity is a part of the idle capacity
        prop_assert!(value(Metric::Loc) + value(Metric::Utilisation) <= 1.0 + 1e-12);
        // the bins add up to the whole
        let end = workload.requests()[0].submit as f64 + value(Metric::Makespan);
        let series = time_series(&workload, &schedule, workload.requests()[0].submit as f64, end, bins);
        let mean = series.utilisation.mean.iter().sum::<f64>() / bins as f64;
        prop_assert!((mean - value(Metric::Utilisation)).abs() < 1e-12);
        let highest = series.utilisation.high.iter().copied().fold(0.0, f64::max);
        prop_assert!(highest <= 1.0 && series.utilisation.low.iter().all(|&low| low >= 0.0));
    }

    #[test]
    fn fair_shares_are_those_counted_by_the_second(jobs in workloads(0), policy in policies(), skipped in 0..=3_usize) {
        let (schedule, workload) = (run(&jobs, &policy, "requested"), workload(&jobs));
        let all = outcomes(&workload, &schedule);
        let some = &all[skipped.min(all.len() - 1)..];
        let last = all.iter().map(|job| job.completion()).max().unwrap();
        let (mut equal, mut weighted) = (0.0, 0.0);
        for now in 0..last {
            let active = || all.iter().filter(|job| job.submit <= now && now < job.completion());
            let busy: u32 = active().filter(|job| job.start <= now).map(|job| job.processors).sum();
            let asked: u32 = active().map(|job| job.processors).sum();
            for job in some.iter().filter(|job| job.submit <= now && now < job.completion()) {
                let r = f64::from(job.processors);
                equal += (f64::from(busy) / active().count() as f64).min(r);
                weighted += (r / f64::from(asked) * f64::from(busy)).min(r);
            }
        }
        let got: f64 = some.iter().map(|job| job.area()).sum();
        let close = |value: Option<f64>, share: f64| (value.unwrap() * some.len() as f64 - (share - got)).abs() < 1e-6;
        prop_assert!(close(fairness::unweighted_unfairness(some, &all), equal));
        prop_assert!(close(fairness::weighted_unfairness(some, &all), weighted));
    }

    #[test]
    fn the_check_finds_what_a_count_by_the_second_finds(
        (jobs, starts) in workloads(0).prop_flat_map(|jobs| {
            let starts = prop::collection::vec(0..=400_i64, jobs.jobs.len());
            (Just(jobs), starts)
        }),
    ) {
        let workload = workload(&jobs);
        let mut used = [0; 420];
        for (job, &start) in workload.jobs().zip(&starts) {
            for second in start..start + workload.run(job) {
                used[second as usize] += workload.request(job).processors;
            }
        }
        let machine = workload.machine.processors;
        let begins = |&second: &usize| used[second] > machine && (second == 0 || used[second - 1] <= machine);
        let overfull: Vec<Seconds> = (0..used.len()).filter(begins).map(|second| second as Seconds).collect();
        let early = workload.requests().iter().zip(&starts).filter(|(request, start)| **start < request.submit).count();
        let faults = check(&workload, &Schedule::of_starts(&workload, starts));
        let found = |fault: &Fault| if let Fault::Overfull { at, .. } = fault { Some(*at) } else { None };
        prop_assert_eq!(faults.iter().filter_map(found).collect::<Vec<_>>(), overfull);
        prop_assert_eq!(faults.iter().filter(|fault| matches!(fault, Fault::BeforeSubmission { .. })).count(), early);
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_naive_simulator_gives_the_same_starts(jobs in workloads(0), estimate in plain_estimates()) {
        for (policy, rule) in &NAIVE {
            let expected = naive::simulate(&workload(&jobs), rule, naive_estimate(estimate));
            prop_assert_eq!(&run(&jobs, policy, estimate).starts, &expected, "{} with {}", policy, estimate);
        }
    }

    #[test]
    fn a_reservation_is_never_after_the_one_before_where_starts_are_guaranteed(
        jobs in workloads(1),
        policy in guaranteeing(),
        estimate in prop::sample::select(vec!["actual", "actual*1.5", "actual*3"]),
    ) {
        let (workload, schedule) = (workload(&jobs), run(&jobs, policy, estimate));
        for job in workload.jobs() {
            let course = course(&workload, policy, estimate, job);
            let starts: Vec<f64> = course.iter().map(|reserved| reserved.start.expect("all have one")).collect();
            let waits = schedule.start(job) > workload.request(job).submit;
            prop_assert_eq!(starts.first().copied(), waits.then_some(promises(&schedule)[job.index()] as f64));
            prop_assert!(starts.is_sorted_by(|a, b| a > b), "{:?}", starts);
            prop_assert!(starts.iter().all(|start| *start >= schedule.start(job) as f64), "{:?}", starts);
        }
    }

    #[test]
    fn who_has_a_reservation_starts_by_it_where_estimates_hold(
        jobs in workloads(1),
        policy in prop::sample::select(vec!["easy", "easy-sjbf", "justbf"]),
    ) {
        let (workload, schedule) = (workload(&jobs), run(&jobs, policy, "actual*2"));
        for job in workload.jobs() {
            // the last reservation before its start
            let last = course(&workload, policy, "actual*2", job).last().and_then(|reserved| reserved.start);
            if let Some(last) = last {
                prop_assert!(schedule.start(job) as f64 <= last, "{:?}: {} after {}", job, schedule.start(job), last);
            }
        }
    }
}

proptest! {
    // each case is slow to simulate plainly
    #![proptest_config(Config { max_shrink_iters: 20, ..cases(2) })]

    #[test]
    fn a_naive_simulator_gives_the_same_starts_where_hundreds_wait(
        jobs in crowds(),
        estimate in prop::sample::select(vec!["actual", "requested", "actual*2"]),
    ) {
        for (policy, rule) in &NAIVE {
            let expected = naive::simulate(&workload(&jobs), rule, naive_estimate(estimate));
            prop_assert_eq!(&run(&jobs, policy, estimate).starts, &expected, "{} with {}", policy, estimate);
        }
    }
}

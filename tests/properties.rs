//! What must hold for every workload: random ones, the same at every run of the tests.

#![cfg(not(target_arch = "wasm32"))]

mod naive;

use naive::{Key, Rule};
use packfair::estimator::Estimate;
use packfair::metric::{Counted, Evaluation, Measure, Metric, fair_share, outcomes, time_series};
use packfair::scheduler::{PRESETS, Policy};
use packfair::simulation::{
    Asking, Correction, FairStarts, Fault, Options, Reestimation, Reserved, Schedule, Simulation, check,
    check_conservative, check_earliest_fit, check_easy, check_fcfs, reservation_course,
};
use packfair::study::{Rules, Run, execute, fair_starts_of};
use packfair::workload::{Header, JobId, Machine, MachineSource, Request, Seconds, Workload};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use std::fmt;

fn cases(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(2022),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    }
}

/// A job as (seconds since the last submission, processors, run time, requested time).
type Job = (Seconds, u32, Seconds, Seconds);

/// What a workload is made of; as short in a message as can be.
#[derive(Clone)]
struct Jobs {
    processors: u32,
    jobs: Vec<Job>,
}

impl fmt::Debug for Jobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} processors, {:?}", self.processors, self.jobs)
    }
}

/// Few processors, many submissions in the same second, run times from `shortest` on, requests below
/// (as a log that is not cleaned may have), at and above run times.
fn workloads(shortest: Seconds) -> impl Strategy<Value = Jobs> {
    let gap = prop_oneof![3 => Just(0), 2 => 1..=3_i64, 1 => 4..=30_i64];
    let request = prop_oneof![Just(0), 0..=12_i64, -3..=0_i64];
    let job = (gap, 1..=8_u32, shortest..=12_i64, request)
        .prop_map(|(gap, width, run, more)| (gap, width, run, (run + more).max(1)));
    (1..=8_u32, prop::collection::vec(job, 1..=60)).prop_map(|(processors, mut jobs)| {
        jobs.iter_mut().for_each(|job| job.1 = job.1.min(processors));
        Jobs { processors, jobs }
    })
}

fn workload(Jobs { processors, jobs }: &Jobs) -> Workload {
    let machine = Machine { processors: *processors, source: MachineSource::Given };
    let mut workload = Workload::empty("random", machine, Header::default());
    let mut submit = 0;
    for (i, &(gap, processors, run, limit)) in jobs.iter().enumerate() {
        submit += gap;
        let unknown = -1;
        let request = Request {
            number: i as i64 + 1,
            submit,
            processors,
            limit,
            user: i as i32 % 3,
            group: unknown,
            executable: i as i32 % 2,
            queue: unknown,
            partition: unknown,
        };
        workload.push(request, run, -1, i as u32);
    }
    workload
}

/// Estimates that are multiples of half a second.
fn plain_estimates() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["actual", "requested", "actual*0.5", "actual*2", "requested*0.5", "requested*1.5"])
}

/// Estimates of every kind.
fn estimates() -> impl Strategy<Value = &'static str> {
    prop_oneof![plain_estimates(), prop::sample::select(vec!["actual*1.149", "requested*0.3", "actual*0.7"])]
}

fn run(jobs: &Jobs, scheduler: &str, estimate: &str) -> Schedule {
    run_by(Correction::Request, jobs, scheduler, estimate)
}

fn run_by(rules: impl Into<Rules>, jobs: &Jobs, scheduler: &str, estimate: &str) -> Schedule {
    let run = Run { scheduler: scheduler.parse().unwrap(), estimate: estimate.parse().unwrap() };
    execute(&run, &workload(jobs), rules, &Measure::default()).unwrap().schedule
}

fn policies() -> impl Strategy<Value = String> {
    let presets = PRESETS.iter().map(|preset| preset.id.to_owned());
    let others = ["list:depth=2", "list:order=wfp", "easy:initial=wfp,threshold=20", "list:order=lrf,blocked=greedy"];
    prop::sample::select(presets.chain(others.map(str::to_owned)).collect::<Vec<_>>())
}

/// Schedulers that guarantee starts.
fn guaranteeing() -> impl Strategy<Value = &'static str> {
    let policies = ["conservative", "conservative:compression=submission", "pc", "dc"];
    let orders = ["pc:order=sjf", "pc:order=wfp", "dc:order=lrf", "dc:order=wfp"];
    prop::sample::select([policies, orders].concat())
}

fn fair_starts(
    rules: impl Into<Rules>,
    jobs: &Jobs,
    scheduler: &str,
    estimate: &str,
    range: std::ops::Range<usize>,
) -> FairStarts {
    let (rules, asked) =
        (rules.into(), Run { scheduler: scheduler.parse().unwrap(), estimate: estimate.parse().unwrap() });
    let schedule = run_by(rules, jobs, scheduler, estimate);
    fair_starts_of(&asked, &workload(jobs), rules, &schedule, range).unwrap()
}

/// The reservation of a job over time.
fn course(workload: &Workload, scheduler: &str, estimate: &str, job: JobId) -> Vec<Reserved> {
    let (scheduler, estimate) = (scheduler.parse::<Policy>().unwrap(), estimate.parse::<Estimate>().unwrap());
    let (scheduler, estimator) = (scheduler.build().unwrap(), estimate.build(workload));
    reservation_course(Simulation::new(workload, scheduler, estimator, Options::default()), job)
}

/// Fair starts by their definition: a simulation of its own for each job, with those before it alone.
/// A job that is withheld until the queue is empty starts as soon as its processors are free.
fn fair_starts_one_by_one(rules: impl Into<Rules>, jobs: &Jobs, scheduler: &str, estimate: &str) -> FairStarts {
    let rules = rules.into();
    let (all, starts) = (workload(jobs), run_by(rules, jobs, scheduler, estimate).starts);
    let until = |n: usize| {
        let first = Jobs { jobs: jobs.jobs[..n].to_vec(), ..*jobs };
        if n == 0 { Vec::new() } else { run_by(rules, &first, scheduler, estimate).starts }
    };
    let mut fair = FairStarts::default();
    for (i, &start) in starts.iter().enumerate() {
        let request = &all.requests()[i];
        let strict = until(i + 1)[i];
        fair.strict.push(strict.min(start));
        let others = until(i);
        let queued = (0..i).filter(|&other| starts[other] >= request.submit);
        let relaxed = queued.map(|other| others[other]).max().map_or(strict, |last| {
            let in_use = |at: Seconds| {
                let uses = |&other: &usize| others[other] <= at && at < others[other] + all.runs()[other];
                (0..i).filter(uses).map(|other| all.requests()[other].processors).sum::<u32>()
            };
            let fits = |at: &Seconds| in_use(*at) + request.processors <= jobs.processors;
            (last..).find(fits).expect("all end some time")
        });
        fair.relaxed.push(relaxed.min(start));
    }
    fair
}

/// The fair starts are those of the definition, found in one go or in two parts.
fn check_fair_starts(
    rules: Rules,
    jobs: &Jobs,
    scheduler: &str,
    estimate: &str,
    split: usize,
) -> Result<(), TestCaseError> {
    let count = jobs.jobs.len();
    let whole = fair_starts(rules, jobs, scheduler, estimate, 0..count);
    prop_assert_eq!(&whole, &fair_starts_one_by_one(rules, jobs, scheduler, estimate));
    let split = split.min(count);
    let mut parts = fair_starts(rules, jobs, scheduler, estimate, 0..split);
    parts.append(fair_starts(rules, jobs, scheduler, estimate, split..count));
    prop_assert_eq!(parts, whole);
    Ok(())
}

const FCFS: Key = |_, _| (0.0, 0.0);
const SJF: Key = |r, e| (e, f64::from(r));
const SAF: Key = |r, e| (f64::from(r) * e, 0.0);
const LAF: Key = |r, e| (-f64::from(r) * e, 0.0);
const SPF: Key = |r, e| (f64::from(r) * e * e, f64::from(r) * e);
const SHORTEST: Key = |_, e| (e, 0.0);

/// Each preset as the naive simulator has it.
const NAIVE: [(&str, Rule); 12] = [
    ("fcfs", Rule::Strict),
    ("easy", Rule::Easy(FCFS, FCFS)),
    ("easy-sjbf", Rule::Easy(FCFS, SHORTEST)),
    ("saf-easy", Rule::Easy(SAF, SAF)),
    ("justbf", Rule::Reserving(FCFS)),
    ("sjf-justbf", Rule::Reserving(SJF)),
    ("saf-justbf", Rule::Reserving(SAF)),
    ("laf-justbf", Rule::Reserving(LAF)),
    ("spf-justbf", Rule::Reserving(SPF)),
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

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn every_schedule_is_one(jobs in workloads(0), policy in policies(), estimate in estimates()) {
        let schedule = run(&jobs, &policy, estimate);
        prop_assert_eq!(check(&workload(&jobs), &schedule.starts), []);
    }

    #[test]
    fn learned_estimates_make_schedules_too(
        jobs in workloads(0),
        policy in policies(),
        method in prop::sample::select(vec!["last2", "hierarchy", "sp2", "sp:x=30", "survival", "survival:x=40", "cvh"]),
        reestimation in prop::option::of(prop::sample::select(Reestimation::ALL.to_vec())),
        asking in prop::option::of(prop::sample::select(Asking::ALL.to_vec())),
        correction in prop::sample::select(Correction::ALL.to_vec()),
    ) {
        let workload = workload(&jobs);
        let run = Run { scheduler: policy.parse().unwrap(), estimate: method.parse().unwrap() };
        let rules = Rules { correction, reestimation, asking };
        let schedule = execute(&run, &workload, rules, &Measure::default()).unwrap().schedule;
        prop_assert_eq!(check(&workload, &schedule.starts), []);
        for (request, &estimate) in workload.requests().iter().zip(&schedule.estimates) {
            prop_assert!(estimate.fract() == 0.0 && (1.0..=request.limit as f64).contains(&estimate));
        }
    }

    #[test]
    fn fcfs_keeps_the_order_and_never_waits_in_vain(jobs in workloads(0), estimate in estimates()) {
        prop_assert_eq!(check_fcfs(&workload(&jobs), &run(&jobs, "fcfs", estimate).starts), []);
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
        prop_assert_eq!(check_earliest_fit(&workload(&jobs), &schedule.starts), []);
        prop_assert_eq!(check_conservative(&workload(&jobs), &schedule), []);
    }

    #[test]
    fn with_exact_estimates_all_that_guarantee_are_conservative(jobs in workloads(1), policy in guaranteeing()) {
        let schedule = run(&jobs, policy, "actual");
        prop_assert_eq!(check_earliest_fit(&workload(&jobs), &schedule.starts), []);
        prop_assert_eq!(schedule.promises, schedule.starts);
    }

    #[test]
    fn a_guaranteed_start_never_moves_later(
        jobs in workloads(0),
        policy in guaranteeing(),
        estimate in prop::sample::select(vec!["actual", "actual*2", "actual*1.149", "actual*7"]),
    ) {
        let schedule = run(&jobs, policy, estimate);
        prop_assert_eq!(schedule.promises.len(), schedule.starts.len());
        prop_assert!(schedule.starts.iter().zip(&schedule.promises).all(|(start, promise)| start <= promise));
        prop_assert_eq!(schedule.remade, 0);
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
        prop_assert_eq!(check(&workload(&jobs), &schedule.starts), []);
        let late = schedule.starts.iter().zip(&schedule.promises).any(|(start, promise)| start > promise);
        prop_assert!(!late || schedule.remade > 0);
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
        // what is lost is idle
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
        prop_assert!(close(fair_share::unweighted_unfairness(some, &all), equal));
        prop_assert!(close(fair_share::weighted_unfairness(some, &all), weighted));
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
        let faults = check(&workload, &starts);
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
    fn fair_starts_are_those_without_later_jobs(
        jobs in workloads(0),
        policy in policies(),
        estimate in estimates(),
        split in 0..=60_usize,
    ) {
        check_fair_starts(Correction::Request.into(), &jobs, &policy, estimate, split)?;
    }

    #[test]
    fn fair_starts_are_those_without_later_jobs_where_estimates_are_learned(
        jobs in workloads(0),
        policy in policies(),
        estimate in prop::sample::select(vec![
            "last2", "last2*0.7", "hierarchy", "sp2", "survival", "survival:x=40", "survival*1.5", "cvh",
        ]),
        correction in prop::sample::select(Correction::ALL.to_vec()),
        reestimation in prop::sample::select(Reestimation::ALL.to_vec()),
        asking in prop::option::of(prop::sample::select(Asking::ALL.to_vec())),
        split in 0..=60_usize,
    ) {
        let rules = Rules { correction, reestimation: Some(reestimation), asking };
        check_fair_starts(rules, &jobs, &policy, estimate, split)?;
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
            prop_assert_eq!(starts.first().copied(), waits.then_some(schedule.promises[job.index()] as f64));
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
            // the last one that it was given before it started
            let last = course(&workload, policy, "actual*2", job).last().and_then(|reserved| reserved.start);
            if let Some(last) = last {
                prop_assert!(schedule.start(job) as f64 <= last, "{:?}: {} after {}", job, schedule.start(job), last);
            }
        }
    }

    #[test]
    fn fcfs_is_fair_and_so_is_conservative_with_exact_estimates(jobs in workloads(1), estimate in estimates()) {
        for (policy, estimate) in [("fcfs", estimate), ("conservative", "actual")] {
            let starts = run(&jobs, policy, estimate).starts;
            let fair = fair_starts(Correction::Request, &jobs, policy, estimate, 0..starts.len());
            prop_assert_eq!(fair.strict, starts);
        }
    }
}

//! Fair start times are those of their definition, on random workloads, which are the same in every run of the tests.

use crate::random::{
    Jobs, cases, classes, estimates, learned_estimates, over_two_weeks, policies, rules, run, run_by, workload,
    workloads,
};
use packfair::metric::Measure;
use packfair::model::{FairStarts, Reestimation, RoundTrigger};
use packfair::simulation::Correction;
use packfair::study::{Rules, Run, Treatment, execute, fair_starts_of};
use packfair::workload::{Cleaning, Seconds, reading};
use proptest::prelude::*;

fn fair_starts(
    rules: impl Into<Rules>,
    jobs: &Jobs,
    scheduler: &str,
    estimate: &str,
    range: std::ops::Range<usize>,
) -> FairStarts {
    let (rules, asked) = (rules.into(), Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap()));
    let schedule = run_by(rules, jobs, scheduler, estimate);
    fair_starts_of(&asked, &workload(jobs), rules, &schedule, range).unwrap()
}

/// Whether a policy starts a job that waits alone as soon as its processors are free. Policies that hold jobs back do
/// not.
fn starts_whoever_fits(policy: &str) -> bool {
    !policy.contains("hold=")
}

/// Fair starts by their definition: a separate simulation for each job, with only that job and those before it. A job
/// that is withheld until the queue is empty starts as soon as its processors are free.
fn fair_starts_one_by_one(rules: impl Into<Rules>, jobs: &Jobs, scheduler: &str, estimate: &str) -> FairStarts {
    let rules = rules.into();
    let (all, starts) = (workload(jobs), run_by(rules, jobs, scheduler, estimate).starts);
    let until = |n: usize| {
        let first = Jobs { jobs: jobs.jobs[..n].to_vec(), ..*jobs };
        if n == 0 { Vec::new() } else { run_by(rules, &first, scheduler, estimate).starts }
    };
    let mut fair = FairStarts::default();
    for i in 0..starts.len() {
        let request = &all.requests()[i];
        let strict = until(i + 1)[i];
        fair.strict.push(strict);
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
        fair.relaxed.push(relaxed);
    }
    fair
}

/// Fair starts that do not depend on the scheduler, by their definition: the schedule of Conservative until a job
/// arrives, and from then on the queue in order, second by second.
fn independent_second_by_second(rules: Rules, jobs: &Jobs, estimate: &str) -> Vec<Seconds> {
    let (all, starts) = (workload(jobs), run_by(rules, jobs, "conservative", estimate).starts);
    let of = |i: usize| {
        let request = &all.requests()[i];
        let mut started: Vec<(Seconds, usize)> =
            (0..i).filter(|&other| starts[other] < request.submit).map(|other| (starts[other], other)).collect();
        let mut queue = (0..=i).filter(|&other| other == i || starts[other] >= request.submit).peekable();
        (request.submit..)
            .find(|&now| {
                while let Some(&next) = queue.peek() {
                    let runs = |&&(start, other): &&(Seconds, usize)| now < start + all.runs()[other];
                    let used: u32 =
                        started.iter().filter(runs).map(|&(_, other)| all.requests()[other].processors).sum();
                    if used + all.requests()[next].processors > jobs.processors {
                        return false;
                    }
                    started.push((now, next));
                    queue.next();
                }
                true
            })
            .expect("all end some time")
    };
    (0..starts.len()).map(of).collect()
}

/// Hybrid fair starts by their definition, with a time for each processor, if no job outlives its estimate.
fn hybrid_processor_by_processor(jobs: &Jobs, scheduler: &str, estimate: &str) -> Vec<Seconds> {
    let (all, schedule) = (workload(jobs), run_by(Correction::Request, jobs, scheduler, estimate));
    let of = |i: usize| {
        let now = all.requests()[i].submit;
        let mut free = vec![now; jobs.processors as usize];
        let mut start = now;
        let runs = |&other: &usize| schedule.starts[other] < now && now < schedule.starts[other] + all.runs()[other];
        let waits = |&other: &usize| schedule.starts[other] >= now;
        for other in (0..i).filter(runs) {
            let end = (schedule.starts[other] as f64 + schedule.estimates[other]).ceil() as Seconds;
            let idle = free.iter_mut().filter(|at| **at == now).take(all.requests()[other].processors as usize);
            // it ends later than now
            idle.for_each(|at| *at = end);
        }
        for other in (0..i).filter(waits).chain([i]) {
            free.sort_unstable();
            let width = all.requests()[other].processors as usize;
            start = free[width - 1];
            free[..width].fill(start + schedule.estimates[other].ceil() as Seconds);
        }
        start
    };
    (0..all.len()).map(of).collect()
}

/// Asserts that the fair starts are those of the definition, found in one go or in two parts.
fn check_fair_starts(
    rules: Rules,
    jobs: &Jobs,
    scheduler: &str,
    estimate: &str,
    split: usize,
) -> Result<(), TestCaseError> {
    let count = jobs.jobs.len();
    let whole = fair_starts(rules, jobs, scheduler, estimate, 0..count);
    let expected = fair_starts_one_by_one(rules, jobs, scheduler, estimate);
    prop_assert_eq!((&whole.strict, &whole.relaxed), (&expected.strict, &expected.relaxed));
    prop_assert_eq!(&whole.independent, &independent_second_by_second(rules, jobs, estimate));
    let split = split.min(count);
    let mut parts = fair_starts(rules, jobs, scheduler, estimate, 0..split);
    parts.append(fair_starts(rules, jobs, scheduler, estimate, split..count));
    prop_assert_eq!(parts, whole);
    Ok(())
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn fair_starts_are_those_without_later_jobs(
        jobs in workloads(0),
        policy in policies(),
        estimate in estimates(),
        split in 0..=60_usize,
    ) {
        prop_assume!(starts_whoever_fits(&policy));
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
        trigger in prop::option::of(prop::sample::select(RoundTrigger::ALL.to_vec())),
        split in 0..=60_usize,
    ) {
        prop_assume!(starts_whoever_fits(&policy));
        let rules = Rules { correction, reestimation: Some(reestimation), trigger };
        check_fair_starts(rules, &jobs, &policy, estimate, split)?;
    }

    #[test]
    fn hybrid_fair_starts_are_those_of_the_processors(
        jobs in workloads(1),
        policy in policies(),
        estimate in prop::sample::select(vec!["actual", "actual*1.5", "actual*7"]),
    ) {
        let fair = fair_starts(Correction::Request, &jobs, &policy, estimate, 0..jobs.jobs.len());
        prop_assert_eq!(fair.hybrid, hybrid_processor_by_processor(&jobs, &policy, estimate));
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

/// A log in which a job that runs when later ones arrive is killed after they have arrived: in their forks it is older than
/// all that wait. Two jobs of the first week make the divider 6 s; the third of the next week runs from 10 s to 16 s in it.
const KILLED_LATER: &str = "; MaxProcs: 4\n1 0 -1 6 4 -1 -1 4 10 -1 1 2 2 2 1 1 -1 -1\n\
    2 9 -1 6 4 -1 -1 4 10 -1 1 2 2 2 1 1 -1 -1\n3 604800 -1 4 4 -1 -1 4 10 -1 1 2 2 2 1 1 -1 -1\n\
    4 604800 -1 8 1 -1 -1 1 10 -1 1 2 2 1 1 1 -1 -1\n5 604807 -1 8 4 -1 -1 4 10 -1 1 1 1 3 1 1 -1 -1\n\
    6 604814 -1 8 4 -1 -1 4 8 -1 1 2 2 3 1 1 -1 -1\n7 604814 -1 3 4 -1 -1 4 3 -1 1 3 3 2 1 1 -1 -1\n";

#[test]
fn a_job_that_was_running_may_be_killed_after_the_last_arrival() {
    let log = reading::read("killed.swf", KILLED_LATER.as_bytes()).unwrap();
    let treatment = Treatment { cleaning: Cleaning::Raw, ..Treatment::default() };
    let workload = treatment.apply(&log).unwrap();
    for scheduler in ["classes:by=all,policy=spf", "classes:by=all,policy=spf,kill=useful"] {
        let asked = Run::new(scheduler.parse().unwrap(), "actual".parse().unwrap());
        let schedule = execute(&asked, &workload, Rules::default(), &Measure::default()).unwrap().schedule;
        let fair = fair_starts_of(&asked, &workload, Rules::default(), &schedule, 0..workload.len()).unwrap();
        assert_eq!(fair.strict.len(), workload.len());
        let last = workload.requests()[workload.len() - 1].submit;
        assert!(schedule.killed.iter().any(|killed| killed.start < last && last < killed.end), "{scheduler}");
    }
}

/// A search that begins with a job must give the same as one in which the job follows in the fork of the job before.
/// The case was found by `tests/everywhere/matrix.rs`.
#[test]
fn parts_of_a_search_give_what_the_whole_gives_where_running_jobs_outlive_their_estimates() {
    // gap, processors, run time, request
    let jobs = [
        (25, 5, 7, 6),
        (0, 3, 12, 12),
        (2, 2, 4, 6),
        (0, 2, 8, 10),
        (2, 1, 0, 1),
        (2, 5, 2, 1),
        (2, 5, 1, 1),
        (0, 1, 6, 9),
        (3, 2, 0, 1),
        (1, 1, 8, 8),
        (0, 2, 5, 11),
        (0, 5, 11, 17),
    ];
    let mut log = "; MaxProcs: 5\n; UnixStartTime: 1000000000\n".to_owned();
    let mut submit = 0;
    for (i, (gap, width, run, limit)) in jobs.into_iter().enumerate() {
        submit += gap;
        let (number, user, executable) = (i + 1, i % 3 + 1, i % 2);
        log +=
            &format!("{number} {submit} -1 {run} {width} -1 -1 {width} {limit} -1 1 {user} 1 {executable} 1 1 -1 -1\n");
    }
    let log = reading::read("outlived.swf", log.as_bytes()).unwrap();
    let treatment = Treatment { cleaning: Cleaning::Fairness, ..Treatment::default() };
    let workload = treatment.apply(&log).unwrap();
    let rules = Rules { trigger: Some(RoundTrigger::Every), ..Rules::default() };
    for (scheduler, estimate) in [
        ("pc:order=formula:0/(wait-5)+class", "cvh:rate=43.751,lambda=12.5*0.3"),
        ("pc:order=formula:wait", "requested*0.3"),
        ("dc", "last2*0.3"),
        ("conservative", "cvh*0.3"),
    ] {
        let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let schedule = execute(&run, &workload, rules, &Measure::default()).unwrap().schedule;
        let of = |range| fair_starts_of(&run, &workload, rules, &schedule, range).unwrap();
        let whole = of(0..workload.len());
        for split in 0..=workload.len() {
            let mut parts = of(0..split);
            parts.append(of(split..workload.len()));
            assert_eq!(parts, whole, "{scheduler} {estimate}, in two at {split}");
        }
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn strict_fair_starts_are_those_without_later_jobs_where_jobs_are_killed(
        jobs in workloads(0),
        scheduler in classes(),
        estimate in prop_oneof![estimates(), learned_estimates()],
        rules in rules(),
    ) {
        let jobs = over_two_weeks(jobs);
        let asked = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let starts = |count: usize| {
            let first = Jobs { jobs: jobs.jobs[..count].to_vec(), ..jobs };
            execute(&asked, &workload(&first), rules, &Measure::default()).unwrap().schedule.starts
        };
        let fair = fair_starts(rules, &jobs, &scheduler, estimate, 0..jobs.jobs.len());
        for job in 0..jobs.jobs.len() {
            prop_assert_eq!(fair.strict[job], starts(job + 1)[job], "job {}", job);
        }
    }
}

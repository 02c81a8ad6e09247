//! Compares the search with all orders and its profile with one of single seconds, and tests what holds of every
//! schedule.

use super::annealing::OfflineAnnealing;
use super::plain::{PlainProfile, least};
use super::problem::{OfflineGoal, OfflineJob, OfflineProblem, lower_bound};
use super::{OfflineRule, OfflineSearch, search};
use packfair_base::random::Random;
use packfair_engine::metric::{Counted, Evaluation, Measure, Metric};
use packfair_engine::model::{NoteId, Schedule};
use packfair_engine::simulation::check;
use packfair_schedulers::{Policy, Profile};
use packfair_workload::{Cleaning, Filter, Seconds, Workload, clean, lublin, testing};

const GOALS: [OfflineGoal; 4] = [OfflineGoal::Bsld, OfflineGoal::Af, OfflineGoal::Awf, OfflineGoal::P2sf];

/// A workload whose jobs crowd a machine of 8 processors.
fn crowded(jobs: usize, seed: u64) -> Workload {
    let mut random = Random::seeded(seed);
    let mut submit = 100;
    let jobs: Vec<(Seconds, u32, Seconds, Seconds)> = (0..jobs)
        .map(|_| {
            submit += random.below(12) as Seconds;
            let run = random.below(40) as Seconds;
            (submit, 1 + random.below(8) as u32, run, run + 1)
        })
        .collect();
    testing::jobs(8, &jobs)
}

fn schedule(workload: &Workload, text: &str) -> Schedule {
    let policy: Policy = text.parse().unwrap();
    OfflineSearch::begin(OfflineRule::of(&policy).unwrap(), workload).finish()
}

fn values(workload: &Workload, schedule: &Schedule) -> [f64; 4] {
    let measure = Measure { counted: Counted::All, ..Measure::default() };
    let values = Evaluation::new(workload, schedule, &measure).values();
    [Metric::Bsld, Metric::Af, Metric::Awf, Metric::P2sf].map(|metric| values[&metric])
}

#[test]
fn the_profile_is_that_of_seconds_counted_one_by_one() {
    for seed in 0..60 {
        let mut random = Random::seeded(seed);
        // so that the profile has one block of steps, or many
        let longest = [200, 1_000, 10_000][seed as usize % 3];
        let (mut fast, mut plain) = (Profile::idle(0.0, 16), PlainProfile::idle(16));
        let mut placed: Vec<(OfflineJob, Seconds)> = Vec::new();
        for _ in 0..500 {
            if random.below(3) == 0 && !placed.is_empty() {
                let (job, begin) = placed.swap_remove(random.below(placed.len()));
                job.release(&mut fast, begin);
                plain.release(&job, begin);
                continue;
            }
            let (submit, length) = (random.below(longest) as Seconds, 1 + random.below(60) as Seconds);
            let processors = 1 + random.below(16) as u32;
            let job = OfflineJob { submit, length, processors, width: f64::from(processors), run: length as f64 };
            let begin = job.place(&mut fast);
            assert_eq!(begin, plain.place(&job), "seed {seed}");
            placed.push((job, begin));
        }
    }
}

#[test]
fn few_jobs_are_scheduled_as_well_as_by_trying_all_orders() {
    let (mut best, mut all) = (0, 0);
    for seed in 0..100 {
        let workload = crowded(2 + seed as usize % 5, seed);
        for goal in GOALS {
            let problem = OfflineProblem::new(&workload, goal);
            let starts = search::by_area_and_run(&problem);
            let mut search = OfflineAnnealing::new(problem.clone(), starts, 2_000, 1);
            search.advance(u64::MAX);
            let (found, least) = (problem.total(search.best()).value(), least(&problem));
            if goal.is_sum() {
                assert!(found >= least * (1.0 - 1e-12), "{goal:?} {seed}: {found} below {least}");
            }
            all += 1;
            best += u32::from(found <= least * (1.0 + 1e-12));
            assert!(lower_bound(&problem) <= found, "{goal:?} {seed}: the bound is above {found}");
        }
    }
    assert!(best * 100 >= all * 99, "{best} of {all}");
}

#[test]
fn schedules_are_valid_and_no_worse_than_what_they_begin_with() {
    let log = lublin(400, 64, 5);
    let workload = clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap();
    for (i, objective) in ["bsld", "af", "awf", "p2sf"].into_iter().enumerate() {
        let of =
            |iterations: u32| schedule(&workload, &format!("offline:objective={objective},iterations={iterations}"));
        let (begun, better) = (of(0), of(50));
        for schedule in [&begun, &better] {
            assert_eq!(check(&workload, schedule), []);
        }
        let (begun, found) = (values(&workload, &begun)[i], values(&workload, &better)[i]);
        assert!(found < begun, "{objective}: {found}, {begun}");
        let bound = better.notes.count(NoteId::LOWER_BOUND).unwrap();
        assert!(bound > 0.0 && bound <= found, "{objective}: {bound}, {found}");
        assert_eq!(better, of(50), "the same every time");
    }
}

#[test]
fn the_objective_is_the_metric() {
    let workload = crowded(40, 3);
    let problem = OfflineProblem::new(&workload, OfflineGoal::Af);
    let starts = search::by_area_and_run(&problem);
    let schedule = Schedule::of_starts(&workload, starts.iter().map(|start| start + problem.origin).collect());
    for (goal, value) in GOALS.into_iter().zip(values(&workload, &schedule)) {
        let own = OfflineProblem { goal, ..problem.clone() }.total(&starts).value();
        assert!((own / value - 1.0).abs() < 1e-12, "{goal:?}: {own}, {value}");
    }
}

#[test]
fn another_seed_is_another_search_and_steps_do_not_matter() {
    let workload = clean(&lublin(300, 32, 2), &Filter::default(), Cleaning::Metrics, None).unwrap();
    let rule = |text: &str| OfflineRule::of(&text.parse().unwrap()).unwrap();
    let one = rule("offline:iterations=10");
    let mut search = OfflineSearch::begin(one, &workload);
    let mut last = 0;
    loop {
        let progress = search.advance(7);
        assert!(progress.completed >= last && progress.jobs == workload.len());
        last = progress.completed;
        if progress.is_done() {
            break;
        }
    }
    let whole = OfflineSearch::begin(one, &workload).finish();
    assert_eq!(search.finish(), whole);
    assert_ne!(schedule(&workload, "offline:iterations=10,seed=2").starts, whole.starts);
}

#[test]
fn there_may_be_no_jobs_one_or_none_that_waits() {
    for jobs in [&[][..], &[(5, 4, 0, 10)], &[(5, 4, 10, 10), (5, 4, 10, 10)]] {
        let workload = testing::jobs(8, jobs);
        for objective in ["bsld", "af", "awf", "p2sf"] {
            let schedule = schedule(&workload, &format!("offline:objective={objective}"));
            assert_eq!(schedule.starts, vec![5; jobs.len()]);
        }
    }
}

#[test]
fn a_scheduler_is_none() {
    assert_eq!(OfflineRule::of(&"easy".parse().unwrap()), None);
    assert_eq!(OfflineRule::of(&"as-logged".parse().unwrap()), None);
}

//! Machines of cells, resources, partitions and a calendar (docs/machine.md): cases computed by hand, and random
//! machines with a checker that has no code in common with the engine.

use crate::random;
use crate::random::cases;
use crate::told::{ToldChange, ToldJob, faults, log, machine, machines, told_jobs, workload};
use packfair::catalogue::Script;
use packfair::metric::Measure;
use packfair::model::Schedule;
use packfair::scheduler::Policy;
use packfair::scheduler::script::EXAMPLES;
use packfair::simulation::{Correction, Simulation};
use packfair::study::{CannotRun, Run, RunResult, Treatment, execute};
use packfair::workload::{Seconds, Workload};
use proptest::prelude::*;
use serde_json::json;

/// The families that know cells, with their settings.
const ON_CELLS: [&str; 15] = [
    "fcfs",
    "justbf",
    "saf-justbf",
    "sjf-aggressive",
    "list:depth=2",
    "easy",
    "easy-sjbf",
    "saf-easy",
    "conservative",
    "conservative:compression=submission",
    "pc",
    "dc",
    "dynp",
    "dynp-basic:lower=10,upper=20,jobs=2",
    "classes:policy=sjf,by=clairvoyant,safeguard=off",
];

fn result(workload: &Workload, scheduler: &str, estimate: &str) -> Result<RunResult, CannotRun> {
    let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
    execute(&run, workload, Correction::Request, &Measure::default())
}

fn schedule(workload: &Workload, scheduler: &str, estimate: &str) -> Schedule {
    result(workload, scheduler, estimate).unwrap().schedule
}

/// Jobs of (submit, processors, run time, requested time).
fn plain_jobs(jobs: &[(Seconds, u32, Seconds, Seconds)]) -> Vec<ToldJob> {
    let told = |&(submit, processors, run, limit)| ToldJob {
        submit,
        processors,
        run,
        limit,
        partition: -1,
        ..Default::default()
    };
    jobs.iter().map(told).collect()
}

/// The starts of the last executions, and (job number, start, end) of the killed ones, on four single processors with
/// these changes.
fn on_four(
    changes: serde_json::Value,
    jobs: &[(Seconds, u32, Seconds, Seconds)],
    scheduler: &str,
) -> (Vec<Seconds>, Vec<(u32, Seconds, Seconds)>) {
    let described = json!({"cells": [{"name": "m", "nodes": 4, "node": {"processors": 1}}], "changes": changes});
    let workload = workload(&machine(&described).unwrap(), &plain_jobs(jobs)).unwrap();
    let schedule = schedule(&workload, scheduler, "requested");
    (schedule.starts, schedule.killed.iter().map(|run| (run.job.0 + 1, run.start, run.end)).collect())
}

#[test]
fn nobody_starts_who_would_run_into_a_window_that_is_announced() {
    let window = json!([{"from": 10, "until": 20, "cell": "m", "nodes": -4, "announced": 0}]);
    for scheduler in ON_CELLS {
        let (starts, killed) = on_four(window.clone(), &[(0, 4, 12, 12)], scheduler);
        assert_eq!((starts, killed), (vec![20], vec![]), "{scheduler}: it starts when the window ends");
        let (starts, _) = on_four(window.clone(), &[(0, 4, 10, 10)], scheduler);
        assert_eq!(starts, [0], "{scheduler}: it ends when the window begins");
    }
    let half = json!([{"from": 10, "until": 20, "cell": "m", "nodes": -2, "announced": 0}]);
    let (starts, _) = on_four(half, &[(0, 2, 30, 30), (0, 2, 30, 30), (0, 2, 5, 5)], "easy");
    assert_eq!(starts, [0, 20, 0], "the second does not fit beside the first in the window; the third is backfilled");
}

#[test]
fn who_runs_when_nodes_go_runs_on_or_is_killed() {
    let window = |what: &str| json!([{"from": 10, "until": 20, "cell": "m", "nodes": -4, "what": what}]);
    let jobs = [(0, 4, 15, 15), (12, 1, 3, 3)];
    for scheduler in ON_CELLS {
        assert_eq!(on_four(window("drain"), &jobs, scheduler), (vec![0, 20], vec![]), "{scheduler}");
    }
    assert_eq!(
        on_four(window("kill"), &jobs, "fcfs"),
        (vec![20, 35], vec![(1, 0, 10)]),
        "it waits again, before the other"
    );
    assert_eq!(on_four(window("kill"), &jobs, "easy"), (vec![20, 35], vec![(1, 0, 10)]));
}

#[test]
fn the_youngest_is_killed_first_until_what_is_left_fits() {
    let window = |nodes: i64| json!([{"from": 10, "until": 20, "cell": "m", "nodes": nodes, "what": "kill"}]);
    let jobs = [(0, 1, 30, 30), (1, 2, 30, 30), (1, 1, 30, 30)];
    assert_eq!(on_four(window(-1), &jobs, "easy").1, [(3, 1, 10)], "of two that started at 1 the later in the log");
    assert_eq!(on_four(window(-2), &jobs, "easy").1, [(3, 1, 10), (2, 1, 10)]);
    let ends = [(0, 4, 10, 10)];
    assert_eq!(on_four(window(-4), &ends, "easy"), (vec![0], vec![]), "who ends when the window begins has ended");
}

#[test]
fn what_is_announced_late_or_never_is_seen_when_it_comes() {
    let window = |announced: serde_json::Value| json!([{"from": 10, "until": 20, "cell": "m", "nodes": -4, "announced": announced}]);
    // at 11 it is not known when the nodes come back; at 15 it is announced
    let jobs = [(0, 4, 12, 12), (11, 4, 5, 5), (16, 1, 5, 5)];
    for announced in [json!(15), json!(null)] {
        for scheduler in
            ON_CELLS.into_iter().filter(|id| ["aggressive", "saf", "dynp"].iter().all(|one| !id.contains(one)))
        {
            let (starts, _) = on_four(window(announced.clone()), &jobs, scheduler);
            assert_eq!(starts[..2], [0, 20], "{scheduler}, announced at {announced}");
        }
    }
    // Conservative guarantees a start as soon as the return is announced, and moves no later job before it
    let conservative = on_four(window(json!(15)), &jobs, "conservative").0;
    assert_eq!(conservative, [0, 20, 25]);
}

#[test]
fn nodes_that_are_added_are_used_and_go_again() {
    let more = json!([{"from": 5, "until": 30, "cell": "m", "nodes": 4, "announced": 0}]);
    let (starts, _) = on_four(more.clone(), &[(0, 4, 100, 100), (0, 4, 10, 10), (0, 4, 26, 26)], "justbf");
    assert_eq!(starts, [0, 5, 100], "the third would still run when they go");
    let described = json!({"cells": [{"name": "m", "nodes": 4, "node": {"processors": 1}}], "changes": more});
    let left_out = workload(&machine(&described).unwrap(), &plain_jobs(&[(0, 5, 10, 10), (0, 4, 10, 10)])).unwrap();
    assert_eq!(left_out.len(), 1, "no empty machine holds it in the end");
}

/// The machine has two cells: `a` with single processors in one partition, `b` with graphics processors.
#[test]
fn parts_do_not_move_between_cells() {
    let described = json!({
        "cells": [
            {"name": "a", "nodes": 2, "node": {"processors": 1}},
            {"name": "b", "nodes": 2, "node": {"processors": 1, "gpus": 1}}],
        "changes": [
            {"from": 10, "until": 20, "cell": "a", "nodes": -2, "announced": 0},
            {"from": 20, "until": 30, "cell": "b", "nodes": -2, "announced": 0}]});
    let machine = machine(&described).unwrap();
    let one = ToldJob { processors: 2, run: 25, limit: 25, partition: -1, ..Default::default() };
    let on_gpus = ToldJob { gpus: 2, run: 5, limit: 5, ..one.clone() };
    let workload = workload(&machine, &[one.clone(), ToldJob { run: 20, limit: 20, ..one }, on_gpus]).unwrap();
    for scheduler in ["justbf", "easy", "conservative", "dc"] {
        let schedule = schedule(&workload, scheduler, "requested");
        // two processors are always free, but two in one cell for 25 s only from 20 on; b is free until 20
        assert_eq!(schedule.starts, [20, 0, 30], "{scheduler}");
        let cells: Vec<_> = schedule.placed.iter().map(|placed| (placed.job.0, placed.placement.0.clone())).collect();
        assert_eq!(cells, [(1, vec![(1, 2)]), (0, vec![(0, 2)]), (2, vec![(1, 2)])], "{scheduler}");
    }
}

/// A job is killed at its divider only if that makes room in a cell for which another job waits.
#[test]
fn classes_kill_in_the_cells_that_somebody_waits_for() {
    let described = json!({
        "cells": [
            {"name": "a", "nodes": 1, "node": {"processors": 1}},
            {"name": "b", "nodes": 1, "node": {"processors": 1}}],
        "partitions": [{"name": "1", "cells": ["a"]}, {"name": "2", "cells": ["b"]}]});
    let machine = machine(&described).unwrap();
    let job =
        |submit, run, partition| ToldJob { submit, processors: 1, run, limit: 200, partition, ..Default::default() };
    for wanted in [1, 2] {
        // there is no divider in the first week; in the second it is the median run time, 2 s
        let later = 700_000;
        let long = |partition| job(later, 100, partition);
        let jobs = [job(0, 1, 1), long(1), long(2), job(later + 1, 1, wanted), job(later + 1, 2, wanted)];
        let workload = workload(&machine, &jobs).unwrap();
        let settings = "classes:policy=fcfs,by=all,divider=trace,safeguard=on,kill=useful";
        let schedule = schedule(&workload, settings, "requested");
        let killed: Vec<(u32, Seconds)> = schedule.killed.iter().map(|run| (run.job.0, run.end - later)).collect();
        assert_eq!(killed, [(wanted as u32, 2)]);
        let kept = schedule.starts[3 - wanted as usize] - later;
        assert_eq!(kept, 0, "the other partition's job runs on");
    }
}

#[test]
fn families_that_do_not_know_cells_say_who_does() {
    let described = json!({"cells": [{"name": "m", "nodes": 4, "node": {"processors": 2}}]});
    let workload = workload(&machine(&described).unwrap(), &plain_jobs(&[(0, 4, 12, 12)])).unwrap();
    for scheduler in ["opt-balanced", "off-awf"] {
        let refused = result(&workload, scheduler, "requested").unwrap_err().to_string();
        assert!(
            refused
                .ends_with("Take one of List, EASY, Conservative, PC, DC, Self-tuning dynP, Basic dynP, Classes, Script, As logged, or leave the machine file out."),
            "{refused}"
        );
    }
    assert!(result(&workload, "justbf", "requested").unwrap().report.is_plain);
    assert!(!result(&workload, "easy", "requested").unwrap().report.is_plain, "EASY is fast on cells");
}

// ---- Random machines, whose schedules are checked independently of the engine. ----

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn every_schedule_on_a_random_machine_is_one(
        told in machines(),
        jobs in told_jobs(),
        scheduler in prop::sample::select(ON_CELLS.to_vec()),
        estimate in prop::sample::select(vec!["requested", "actual", "actual*0.5", "requested*1.5"]),
    ) {
        let mut told = told;
        let machine = told.machine();
        let Some(workload) = workload(&machine, &jobs) else { return Ok(()) };
        if workload.cluster().is_none() {
            return Ok(());
        }
        let schedule = schedule(&workload, scheduler, estimate);
        prop_assert_eq!(faults(&told, &jobs, &workload, &schedule), Vec::<String>::new());
    }

    /// Compares the fast EASY on cells with the plain one, with all settings.
    #[test]
    fn easy_on_cells_does_what_the_plain_one_does(
        told in machines(),
        jobs in told_jobs(),
        initial in random::orders(),
        backfill in random::orders(),
        threshold in prop::option::of(0..=40_u32),
        estimate in prop_oneof![3 => random::estimates(), 1 => random::learned_estimates()],
        rules in random::rules(),
    ) {
        let mut told = told;
        let machine = told.machine();
        let Some(workload) = workload(&machine, &jobs) else { return Ok(()) };
        if workload.cluster().is_none() {
            return Ok(());
        }
        let threshold = threshold.map_or(String::new(), |threshold| format!(",threshold={threshold}"));
        let scheduler = format!("easy:initial={initial},backfill={backfill}{threshold}");
        let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        prop_assert!(!run.scheduler.is_plain_on(workload.cells()));
        let [fast, plain] = [run.scheduler.build_on(&workload), run.scheduler.build_plain()].map(|scheduler| {
            let estimator = run.estimate.build(&workload);
            Simulation::new(&workload, scheduler.unwrap(), estimator, rules.options(&run)).finish()
        });
        prop_assert_eq!(fast, plain);
    }

    /// Scripts know cells as the plain schedulers do.
    #[test]
    fn scripts_on_cells_do_what_the_plain_ones_do(
        told in machines(),
        jobs in told_jobs(),
        example in prop::sample::select(EXAMPLES.iter().filter(|example| ["fcfs", "easy"].contains(&example.id)).collect::<Vec<_>>()),
    ) {
        let mut told = told;
        let machine = told.machine();
        let Some(workload) = workload(&machine, &jobs) else { return Ok(()) };
        if workload.cluster().is_none() {
            return Ok(());
        }
        let policy = Policy::of_script(Script::new(example.id, example.text).unwrap());
        let run = Run::new(policy, "requested".parse().unwrap());
        let own = execute(&run, &workload, Correction::Request, &Measure::default());
        let own = own.map_err(|error| TestCaseError::fail(error.to_string()))?.schedule;
        prop_assert_eq!(faults(&told, &jobs, &workload, &own), Vec::<String>::new());
        let theirs = schedule(&workload, example.equals.unwrap(), "requested");
        prop_assert_eq!(own.starts, theirs.starts);
    }

    /// Changes that are not announced by a moment, and have not begun, do not affect starts up to that moment.
    #[test]
    fn starts_never_depend_on_what_is_not_announced(
        told in machines(),
        jobs in told_jobs(),
        scheduler in prop::sample::select(ON_CELLS.to_vec()),
        moment in 0..60_i64,
        later in 1..40_i64,
    ) {
        let mut told = told;
        let before = told.machine();
        let is_known = |change: &ToldChange| change.announced.is_some_and(|announced| announced <= moment);
        let mut other = told.clone();
        other.changes.retain(|change| is_known(change) || change.from <= moment);
        for change in other.changes.iter_mut().filter(|change| !is_known(change) && change.until > moment) {
            change.until += later;
        }
        let kept = other.changes.len();
        let after = other.machine();
        // later ends may make windows overlap
        prop_assume!(other.changes.len() == kept);
        let workloads = (workload(&before, &jobs), workload(&after, &jobs));
        let (Some(first), Some(second)) = workloads else { return Ok(()) };
        if first.cluster().is_none() || second.cluster().is_none() {
            return Ok(());
        }
        let past = |workload: &Workload| {
            let placed = schedule(workload, scheduler, "requested").placed;
            placed.into_iter().filter(|placed| placed.start <= moment).collect::<Vec<_>>()
        };
        prop_assert_eq!(past(&first), past(&second));
    }

    /// With a calendar that never takes effect, a machine behaves like one number of processors.
    #[test]
    fn one_cell_of_single_processors_is_one_number(
        jobs in random::workloads(1),
        scheduler in prop_oneof![2 => random::settings(), 1 => random::tuning(), 1 => random::classes()],
        estimate in random::estimates(),
        rules in random::rules(),
    ) {
        let number = random::workload(&jobs);
        let told: Vec<ToldJob> = number.jobs().map(|job| {
            let request = number.request(job);
            let (submit, processors, limit) = (request.submit, request.processors, request.limit);
            ToldJob { submit, processors, run: number.run(job), limit, partition: -1, ..Default::default() }
        }).collect();
        let far = json!([{"from": 1_000_000, "until": 1_000_001, "cell": "m", "nodes": -1}]);
        let described = json!({"cells": [{"name": "m", "nodes": jobs.processors, "node": {"processors": 1}}], "changes": far});
        let machine = Box::new(machine(&described).unwrap().into());
        let treatment = Treatment { cleaning: packfair::workload::Cleaning::Raw, ..Treatment::default() };
        let on = |treatment: Treatment| treatment.apply(&log(&told)).unwrap();
        let cells = on(Treatment { machine: Some(machine), ..treatment.clone() });
        let number = on(Treatment { processors: Some(jobs.processors), ..treatment });
        let starts = |workload: &Workload| {
            let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
            execute(&run, workload, rules, &Measure::default()).unwrap().schedule.starts
        };
        prop_assert_eq!(starts(&cells), starts(&number));
    }
}

//! Machines of cells, resources, partitions and a calendar (docs/machine.md): cases computed by hand, and random
//! machines with a checker that has no code in common with the engine.

#![cfg(not(target_arch = "wasm32"))]

mod random;

use packfair::catalogue::Script;
use packfair::machine::{Machine, MachineDescription};
use packfair::metric::Measure;
use packfair::model::Schedule;
use packfair::scheduler::Policy;
use packfair::scheduler::script::EXAMPLES;
use packfair::simulation::{Correction, Simulation};
use packfair::study::{CannotRun, Run, RunResult, Treatment, execute};
use packfair::workload::{Log, Seconds, Workload, reading};
use proptest::prelude::*;
use random::cases;
use serde_json::json;
use std::collections::BTreeSet;

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

/// A job as a log tells it: what it asks for, as far as that is known.
#[derive(Clone, Debug, Default)]
struct ToldJob {
    submit: Seconds,
    processors: u32,
    run: Seconds,
    limit: Seconds,
    nodes: Option<u32>,
    gpus: u32,
    memory: u32,
    /// The partition, from 1; -1 where it is unknown.
    partition: i32,
}

fn log(jobs: &[ToldJob]) -> Log {
    let line = |(number, job): (usize, &ToldJob)| {
        let ToldJob { submit, processors, run, limit, partition, .. } = job;
        format!(
            "{} {submit} -1 {run} {processors} -1 -1 {processors} {limit} -1 1 1 1 1 1 {partition} -1 -1\n",
            number + 1
        )
    };
    let text: String = jobs.iter().enumerate().map(line).collect();
    let mut log = reading::read("told", text.as_bytes()).unwrap();
    log.beyond.nodes = jobs.iter().map(|job| job.nodes.map_or(-1, |nodes| nodes as i32)).collect();
    log.beyond.gpus = jobs.iter().map(|job| job.gpus as i32).collect();
    log.beyond.memory = jobs.iter().map(|job| job.memory as i32).collect();
    log
}

fn machine(description: &serde_json::Value) -> Result<Machine, String> {
    let described: MachineDescription =
        serde_json::from_value(description.clone()).map_err(|error| error.to_string())?;
    described.machine(|_| Err("no clock".to_owned())).map_err(|error| error.to_string())
}

fn workload(machine: &Machine, jobs: &[ToldJob]) -> Option<Workload> {
    Treatment { machine: Some(Box::new(machine.clone().into())), ..Treatment::default() }.apply(&log(jobs)).ok()
}

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

// ---- The rest checks schedules of random machines independently of the engine. ----

/// A cell as the description tells it.
#[derive(Clone, Debug)]
struct ToldCell {
    nodes: u32,
    /// Processors, GPUs, memory.
    node: [u64; 3],
}

#[derive(Clone, Debug)]
struct ToldChange {
    from: Seconds,
    until: Seconds,
    cell: usize,
    nodes: i64,
    announced: Option<Seconds>,
    kills: bool,
}

#[derive(Clone, Debug)]
struct ToldMachine {
    /// How many of the resources processors, GPUs and memory the machine has.
    resources: usize,
    cells: Vec<ToldCell>,
    /// The cells of each partition, and whether its jobs take whole nodes. Empty: there are no partitions.
    partitions: Vec<(BTreeSet<usize>, bool)>,
    changes: Vec<ToldChange>,
}

const RESOURCES: [&str; 3] = ["processors", "gpus", "memory"];

impl ToldMachine {
    fn description(&self) -> serde_json::Value {
        let name = |cell: usize| format!("c{cell}");
        let cells: Vec<_> = self
            .cells
            .iter()
            .enumerate()
            .map(|(i, cell)| {
                let node: serde_json::Map<String, serde_json::Value> =
                    (0..self.resources).map(|r| (RESOURCES[r].to_owned(), json!(cell.node[r]))).collect();
                json!({"name": name(i), "nodes": cell.nodes, "node": node})
            })
            .collect();
        let partitions: Vec<_> = self.partitions.iter().zip(1..).map(|((cells, whole), number)| {
            json!({"name": number.to_string(), "cells": cells.iter().map(|&cell| name(cell)).collect::<Vec<_>>(), "whole_nodes": whole})
        }).collect();
        let changes: Vec<_> = self
            .changes
            .iter()
            .map(|change| {
                let what = if change.kills { "kill" } else { "drain" };
                json!({"from": change.from, "until": change.until, "cell": name(change.cell), "nodes": change.nodes,
                "announced": change.announced, "what": what})
            })
            .collect();
        json!({"cells": cells, "partitions": partitions, "changes": changes})
    }

    /// The machine, without the changes that remove what does not exist.
    fn machine(&mut self) -> Machine {
        loop {
            match machine(&self.description()) {
                Ok(machine) => return machine,
                Err(_) => drop(self.changes.pop().expect("without changes it is one")),
            }
        }
    }

    /// The number of nodes of a cell at a time.
    fn nodes(&self, cell: usize, at: Seconds) -> i64 {
        let active =
            self.changes.iter().filter(|change| change.cell == cell && (change.from..change.until).contains(&at));
        i64::from(self.cells[cell].nodes) + active.map(|change| change.nodes).sum::<i64>()
    }

    /// How much of each resource a cell has at a time.
    fn capacity(&self, cell: usize, at: Seconds) -> [i64; 3] {
        self.cells[cell].node.map(|of_node| of_node as i64 * self.nodes(cell, at))
    }

    /// The number of parts of a job, and what each takes in a cell; none where the job may not use the cell.
    fn part(&self, job: &ToldJob, cell: usize) -> (u32, Option<[i64; 3]>) {
        let partition = usize::try_from(job.partition - 1).ok().and_then(|place| self.partitions.get(place));
        let is_whole = partition.is_some_and(|(_, whole)| *whole);
        let gpus = if self.resources > 1 { job.gpus } else { 0 };
        let memory = if self.resources > 2 { job.memory } else { 0 };
        // on a single cell of single processors jobs take processors, whatever nodes the log tells
        let is_number = self.resources == 1 && self.cells.len() == 1 && self.cells[0].node[0] == 1;
        let parts = match (job.nodes, gpus) {
            _ if is_number => job.processors,
            (Some(nodes), _) => nodes,
            (None, _) if is_whole => {
                let smallest = partition.unwrap().0.iter().map(|&cell| self.cells[cell].node[0]).min().unwrap();
                (u64::from(job.processors).div_ceil(smallest)) as u32
            }
            (None, 0) => job.processors,
            (None, gpus) => gpus,
        };
        let each = [job.processors, gpus, memory].map(|amount| i64::from(amount.div_ceil(parts)));
        let may = partition.is_none_or(|(cells, _)| cells.contains(&cell));
        let node = self.cells[cell].node.map(|amount| amount as i64);
        let fits_node = each.iter().zip(node).all(|(&each, node)| each <= node);
        (
            parts,
            if !may || (is_whole && !fits_node) {
                None
            } else if is_whole {
                Some(node)
            } else {
                Some(each)
            },
        )
    }
}

/// An execution in a schedule: the number of the job, its start and end, its parts in cells, and whether it was killed.
#[derive(Clone, Debug)]
struct ToldRun {
    number: usize,
    start: Seconds,
    end: Seconds,
    parts: Vec<(u32, u32)>,
    killed: bool,
}

fn runs(workload: &Workload, schedule: &Schedule) -> Result<Vec<ToldRun>, String> {
    let mut runs = Vec::new();
    for placed in &schedule.placed {
        let killed = schedule.killed_of(placed.job).find(|killed| {
            killed.start == placed.start && !(killed.end == killed.start && schedule.start(placed.job) == placed.start)
        });
        let number = workload.request(placed.job).number as usize;
        let end = match killed {
            Some(killed) => killed.end,
            None if schedule.start(placed.job) == placed.start => schedule.end(placed.job),
            None => return Err(format!("job {number} was placed at {} and did not start", placed.start)),
        };
        runs.push(ToldRun {
            number,
            start: placed.start,
            end,
            parts: placed.placement.0.clone(),
            killed: killed.is_some(),
        });
    }
    let all = workload.len() + schedule.killed.len();
    if runs.len() == all { Ok(runs) } else { Err(format!("{} of {all} executions have a place", runs.len())) }
}

/// All that is wrong with a schedule.
fn faults(told: &ToldMachine, jobs: &[ToldJob], workload: &Workload, schedule: &Schedule) -> Vec<String> {
    let runs = match runs(workload, schedule) {
        Ok(runs) => runs,
        Err(fault) => return vec![fault],
    };
    let mut faults = Vec::new();
    let job = |run: &ToldRun| &jobs[run.number - 1];
    for run in &runs {
        let ToldRun { number, start, end, parts, killed } = run;
        if *start < job(run).submit || (!killed && end - start != job(run).run.min(job(run).limit)) {
            faults.push(format!("job {number} runs over {start}..{end}"));
        }
        let wanted = told.part(job(run), 0).0;
        if parts.iter().map(|&(_, parts)| parts).sum::<u32>() != wanted {
            faults.push(format!("job {number} has the parts {parts:?} of {wanted}"));
        }
        if parts.iter().any(|&(cell, _)| told.part(job(run), cell as usize).1.is_none()) {
            faults.push(format!("job {number} is where it may not be: {parts:?}"));
        }
    }
    let used = |cell: usize, runs: &[&ToldRun]| {
        let mut used = [0; 3];
        for run in runs {
            for &(_, parts) in run.parts.iter().filter(|&&(other, _)| other as usize == cell) {
                let each = told.part(job(run), cell).1.unwrap_or_default();
                (0..3).for_each(|r| used[r] += each[r] * i64::from(parts));
            }
        }
        used
    };
    let fits = |cell: usize, at: Seconds, runs: &[&ToldRun]| {
        let (used, capacity) = (used(cell, runs), told.capacity(cell, at));
        (0..told.resources).all(|r| used[r] <= capacity[r])
    };
    let is_in = |run: &ToldRun, cell: usize| run.parts.iter().any(|&(other, _)| other as usize == cell);
    // at each start the jobs in a cell fit into it
    for at in runs.iter().map(|run| run.start).collect::<BTreeSet<_>>() {
        let there: Vec<&ToldRun> = runs.iter().filter(|run| run.start <= at && at < run.end).collect();
        for cell in 0..told.cells.len() {
            let starts = there.iter().any(|run| run.start == at && is_in(run, cell));
            if starts && !fits(cell, at, &there) {
                faults.push(format!(
                    "cell {cell} is overfull at {at}: {:?} of {:?}",
                    used(cell, &there),
                    told.capacity(cell, at)
                ));
            }
        }
    }
    // kills: only where nodes go that kill, from the youngest, and no more than must
    let goes = |change: &ToldChange| if change.nodes < 0 { change.from } else { change.until };
    for at in schedule.killed.iter().map(|run| run.end).collect::<BTreeSet<_>>() {
        let all: Vec<&ToldChange> = told.changes.iter().filter(|change| change.kills && goes(change) == at).collect();
        let killed: Vec<&ToldRun> = runs.iter().filter(|run| run.killed && run.end == at && run.start < at).collect();
        for run in &killed {
            if !all.iter().any(|change| is_in(run, change.cell)) {
                faults.push(format!("job {} is killed at {at}, where nothing kills", run.number));
            }
        }
        let left: Vec<&ToldRun> = runs.iter().filter(|run| run.start < at && at < run.end).collect();
        let others = told.changes.iter().filter(|change| change.from == at || change.until == at).count();
        if let ([change], 1) = (&all[..], others) {
            let in_cell = |runs: &[&ToldRun]| {
                runs.iter().copied().filter(|run| is_in(run, change.cell)).cloned().collect::<Vec<_>>()
            };
            let (mut killed, left) = (in_cell(&killed), in_cell(&left));
            killed.sort_by_key(|run| (run.start, run.number));
            if let Some(oldest) = killed.first() {
                if left.iter().any(|run| (run.start, run.number) > (oldest.start, oldest.number)) {
                    faults.push(format!("at {at} an older one than the youngest is killed"));
                }
                let with: Vec<&ToldRun> = left.iter().chain([oldest]).collect();
                if fits(change.cell, at, &with) {
                    faults.push(format!("at {at} job {} is killed in vain", oldest.number));
                }
            }
        }
    }
    // the jobs left in a cell after a kill fit into it
    for change in told.changes.iter().filter(|change| change.kills) {
        let at = goes(change);
        let drains = told.changes.iter().any(|other| !other.kills && other.cell == change.cell && goes(other) == at);
        let left: Vec<&ToldRun> = runs.iter().filter(|run| run.start < at && at < run.end).collect();
        if !drains && !fits(change.cell, at, &left) {
            faults.push(format!("after the kills at {at} cell {} is overfull", change.cell));
        }
    }
    faults
}

fn machines() -> impl Strategy<Value = ToldMachine> {
    let cell = (1..=4_u32, 1..=4_u64, 0..=2_u64, 1..=8_u64)
        .prop_map(|(nodes, processors, gpus, memory)| ToldCell { nodes, node: [processors, gpus, memory] });
    let change = (0..80_i64, 1..30_i64, 0..6_usize, -4..=3_i64, prop::option::of(-10..90_i64), any::<bool>());
    let partition = (prop::collection::btree_set(0..6_usize, 1..4), prop::bool::weighted(0.3));
    (
        1..=3_usize,
        prop::collection::vec(cell, 1..=6),
        prop::collection::vec(partition, 0..3),
        prop::collection::vec(change, 0..8),
    )
        .prop_map(|(resources, cells, partitions, changes)| {
            let count = cells.len();
            let within = |cells: BTreeSet<usize>| cells.into_iter().map(|cell| cell % count).collect();
            let partitions = partitions.into_iter().map(|(cells, whole)| (within(cells), whole)).collect();
            let change = |(from, length, cell, nodes, announced, kills): (
                Seconds,
                Seconds,
                usize,
                i64,
                Option<Seconds>,
                bool,
            )| {
                ToldChange {
                    from,
                    until: from + length,
                    cell: cell % count,
                    nodes: if nodes == 0 { -1 } else { nodes },
                    announced,
                    kills,
                }
            };
            ToldMachine { resources, cells, partitions, changes: changes.into_iter().map(change).collect() }
        })
}

fn told_jobs() -> impl Strategy<Value = Vec<ToldJob>> {
    let gap = prop_oneof![3 => Just(0), 2 => 1..=3_i64, 1 => 4..=20_i64];
    let job = (gap, 1..=8_u32, 1..=20_i64, -3..=10_i64, prop::option::of(1..=3_u32), 0..=2_u32, 0..=6_u32, -1..=2_i32);
    prop::collection::vec(job, 1..=30).prop_map(|jobs| {
        let mut submit = 0;
        let told = |(gap, processors, run, more, nodes, gpus, memory, partition): (
            Seconds,
            u32,
            Seconds,
            Seconds,
            Option<u32>,
            u32,
            u32,
            i32,
        )| {
            submit += gap;
            let partition = if partition == 0 { -1 } else { partition };
            ToldJob { submit, processors, run, limit: (run + more).max(1), nodes, gpus, memory, partition }
        };
        jobs.into_iter().map(told).collect()
    })
}

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

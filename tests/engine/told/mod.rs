//! Machines as descriptions tell them, random ones too, and a checker of their schedules that has no code in common with
//! the engine.

use packfair::machine::{Machine, MachineDescription};
use packfair::model::Schedule;
use packfair::study::Treatment;
use packfair::workload::{Log, Seconds, Workload, reading};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeSet;

/// A job as a log tells it: what it asks for, as far as that is known.
#[derive(Clone, Debug, Default)]
pub struct ToldJob {
    pub submit: Seconds,
    pub processors: u32,
    pub run: Seconds,
    pub limit: Seconds,
    pub nodes: Option<u32>,
    pub gpus: u32,
    pub memory: u32,
    /// The partition, from 1; -1 where it is unknown.
    pub partition: i32,
}

pub fn log(jobs: &[ToldJob]) -> Log {
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

pub fn machine(description: &serde_json::Value) -> Result<Machine, String> {
    let described: MachineDescription =
        serde_json::from_value(description.clone()).map_err(|error| error.to_string())?;
    described.machine(|_| Err("no clock".to_owned())).map_err(|error| error.to_string())
}

pub fn workload(machine: &Machine, jobs: &[ToldJob]) -> Option<Workload> {
    Treatment { machine: Some(Box::new(machine.clone().into())), ..Treatment::default() }.apply(&log(jobs)).ok()
}

/// A cell as the description tells it.
#[derive(Clone, Debug)]
pub struct ToldCell {
    pub nodes: u32,
    /// Processors, GPUs, memory.
    pub node: [u64; 3],
}

#[derive(Clone, Debug)]
pub struct ToldChange {
    pub from: Seconds,
    pub until: Seconds,
    pub cell: usize,
    pub nodes: i64,
    pub announced: Option<Seconds>,
    pub kills: bool,
}

#[derive(Clone, Debug)]
pub struct ToldMachine {
    /// How many of the resources processors, GPUs and memory the machine has.
    pub resources: usize,
    pub cells: Vec<ToldCell>,
    /// The cells of each partition, and whether its jobs take whole nodes. Empty: there are no partitions.
    pub partitions: Vec<(BTreeSet<usize>, bool)>,
    pub changes: Vec<ToldChange>,
}

pub const RESOURCES: [&str; 3] = ["processors", "gpus", "memory"];

impl ToldMachine {
    pub fn description(&self) -> serde_json::Value {
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
    pub fn machine(&mut self) -> Machine {
        loop {
            match machine(&self.description()) {
                Ok(machine) => return machine,
                Err(_) => drop(self.changes.pop().expect("without changes it is one")),
            }
        }
    }

    /// The number of nodes of a cell at a time.
    pub fn nodes(&self, cell: usize, at: Seconds) -> i64 {
        let active =
            self.changes.iter().filter(|change| change.cell == cell && (change.from..change.until).contains(&at));
        i64::from(self.cells[cell].nodes) + active.map(|change| change.nodes).sum::<i64>()
    }

    /// How much of each resource a cell has at a time.
    pub fn capacity(&self, cell: usize, at: Seconds) -> [i64; 3] {
        self.cells[cell].node.map(|of_node| of_node as i64 * self.nodes(cell, at))
    }

    /// The number of parts of a job, and what each takes in a cell; none where the job may not use the cell.
    pub fn part(&self, job: &ToldJob, cell: usize) -> (u32, Option<[i64; 3]>) {
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
pub struct ToldRun {
    pub number: usize,
    pub start: Seconds,
    pub end: Seconds,
    pub parts: Vec<(u32, u32)>,
    pub killed: bool,
}

pub fn runs(workload: &Workload, schedule: &Schedule) -> Result<Vec<ToldRun>, String> {
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
pub fn faults(told: &ToldMachine, jobs: &[ToldJob], workload: &Workload, schedule: &Schedule) -> Vec<String> {
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

pub fn machines() -> impl Strategy<Value = ToldMachine> {
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

pub fn told_jobs() -> impl Strategy<Value = Vec<ToldJob>> {
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

//! A machine of cells with what the jobs of a workload ask of it (docs/machine.md).

use crate::clock::time_of;
use crate::{CleanError, Clock, JobPower, Log, Reason, Request, Seconds, Summary, Workload, read_moment};
use packfair_base::machine::{Demand, DemandedPart, Demands, DemandsBuilder, Machine, MachineOfLog, Short};
use serde::{Deserialize, Serialize};

/// A machine of cells, and what the jobs of a log ask of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    pub machine: Machine,
    /// What each job asks for, by its record in the log.
    pub demands: Demands,
}

// What the description of a machine needs to know of a log or of a workload.

const DAY: Seconds = 86_400;

/// What the description of a machine needs to know of its log.
#[derive(Clone, Debug)]
pub struct DescribedFor {
    clock: Clock,
    end: Seconds,
    processors: Option<u32>,
}

impl DescribedFor {
    /// What the description needs to know of `log`, whose machine has `processors`, where that is known.
    pub fn log(log: &Log, processors: Option<u32>) -> Self {
        let submits = || log.records.iter().map(|record| record.submit);
        let (first, end) = (submits().min().unwrap_or(0), submits().max().unwrap_or(0));
        DescribedFor { clock: Clock::of(&log.header, first, end), end, processors }
    }
}

impl MachineOfLog for DescribedFor {
    fn processors(&self) -> Option<u32> {
        self.processors
    }

    fn moment(&self, text: &str) -> Result<Seconds, String> {
        read_moment(Some(&self.clock), text).map_err(|right| format!("it takes {right}"))
    }

    fn days_later(&self, time: Seconds, days: i64) -> Seconds {
        days_later(&self.clock, time, days)
    }

    fn end(&self) -> Option<Seconds> {
        Some(self.end)
    }
}

impl MachineOfLog for Summary {
    fn processors(&self) -> Option<u32> {
        Some(self.machine.processors)
    }

    fn moment(&self, text: &str) -> Result<Seconds, String> {
        read_moment(Some(&self.clock), text).map_err(|right| format!("it takes {right}"))
    }

    fn days_later(&self, time: Seconds, days: i64) -> Seconds {
        days_later(&self.clock, time, days)
    }

    fn end(&self) -> Option<Seconds> {
        Some(self.span.last_submit)
    }
}

/// The same time of day, on a log's clock, `days` days later.
fn days_later(clock: &Clock, time: Seconds, days: i64) -> Seconds {
    time_of(clock, clock.local(time).saturating_add(days.saturating_mul(DAY)))
}

// A workload on a machine of cells: what each job asks for, as far as the log tells (docs/machine.md).

/// The number of KiB in a MiB.
const KIB: f64 = 1024.0;

impl Workload {
    /// Puts the workload, whose jobs are counted in processors, on a machine of cells. Jobs that the empty machine, as
    /// it is after its last change, could not hold are left out. So are jobs of a partition that it does not have. The
    /// account says how many.
    ///
    /// # Errors
    /// If no job is left.
    pub fn put_on(&mut self, machine: &Machine, log: &Log) -> Result<(), CleanError> {
        let mut builder = DemandsBuilder::new(machine);
        let mut fits = Vec::with_capacity(self.len());
        let mut left_out = Vec::new();
        let told = LogOnMachine { machine, log };
        let expected = self.expected_power(machine, log);
        for job in self.jobs() {
            let (request, record) = (self.request(job), self.record(job));
            let taken = told.partition(request).and_then(|partition| {
                let demand = told.demand(request, record, partition);
                let drawn = expected.get(job.index()).copied().flatten();
                let each = drawn.map(|drawn| drawn / i64::from(demand.parts.max(1)));
                builder.take_drawing(record, demand, partition, each).map_err(|short| told.reason(short))
            });
            if let Err(reason) = taken {
                left_out.push((reason, log.records.get(record).map_or(0, |record| record.line)));
            }
            fits.push(taken.is_ok());
        }
        let demands = builder.finish();
        self.keep_jobs(|job| fits[job.index()]);
        left_out.into_iter().for_each(|(reason, line)| self.account.note(reason, line));
        if self.is_empty() {
            return Err(CleanError::NothingLeft { records: log.records.len(), account: self.account.clone() });
        }
        self.set_cluster(Some(Cluster { machine: machine.clone(), demands }));
        Ok(())
    }
}

impl Workload {
    /// What schedulers expect that jobs draw, nanowatts, in log order; empty where the nameplate of their nodes counts.
    fn expected_power(&self, machine: &Machine, log: &Log) -> Vec<Option<i64>> {
        let Some(power) = machine.power().filter(|power| power.cap.is_some()) else { return Vec::new() };
        JobPower::of_log(self, log).map(|known| known.expected(self, power.expected)).unwrap_or_default()
    }
}

/// The source of demands: a log, and the machine for which they are made.
struct LogOnMachine<'a> {
    machine: &'a Machine,
    log: &'a Log,
}

impl LogOnMachine<'_> {
    /// The partition of a job; none where the log does not tell it, or the machine has no partitions.
    fn partition(&self, request: &Request) -> Result<Option<usize>, Reason> {
        let partitions = self.machine.partitions();
        if partitions.is_empty() || request.partition < 0 {
            return Ok(None);
        }
        let number = request.partition;
        let place = usize::try_from(number - 1).ok();
        let name = place.and_then(|place| self.log.names.partitions.get(place)).map(String::as_str);
        let name = name.or_else(|| self.log.header.name_of("Partition", number.into()));
        let number = number.to_string();
        let is_it = |known: &str| known == number || Some(known) == name;
        partitions.iter().position(|partition| is_it(&partition.name)).map(Some).ok_or(Reason::NoSuchPartition)
    }

    /// What a job asks for: nodes, else graphics processors, else processors, each with its share of the rest.
    /// Resources of which the log tells nothing, or that the machine does not count, are not asked for.
    fn demand(&self, request: &Request, record: usize, partition: Option<usize>) -> Demand {
        if self.machine.is_one_cell_of_processors() {
            return Demand::of_processors(request.processors);
        }
        let processors = u64::from(request.processors);
        let known = |column: &[i32]| column.get(record).and_then(|&count| u32::try_from(count).ok()).filter(|&n| n > 0);
        let counted = |name| self.machine.resource(name);
        let gpus = counted(Machine::GPUS).and_then(|place| Some((place, known(&self.log.beyond.gpus)?)));
        let memory = counted(Machine::MEMORY).and_then(|place| Some((place, self.memory(processors, record)?)));
        let nodes = known(&self.log.beyond.nodes).or_else(|| {
            // the number of whole nodes that hold its processors, even if all are the smallest
            let rules = &self.machine.partitions()[partition?];
            let smallest = rules.cells.iter().map(|&cell| self.machine.cells()[cell].node[0]).min()?;
            // at most the number of processors, which has 32 bits
            rules.rules.whole_nodes.then(|| processors.div_ceil(smallest) as u32)
        });
        let parts = nodes.or(gpus.map(|(_, gpus)| gpus)).unwrap_or(request.processors);
        let each = |whole: u64| whole.div_ceil(u64::from(parts));
        let mut amounts = vec![0; self.machine.resources().len()];
        amounts[0] = each(processors);
        for (place, whole) in gpus.map(|(place, gpus)| (place, u64::from(gpus))).into_iter().chain(memory) {
            amounts[place] = each(whole);
        }
        Demand { parts, each: DemandedPart { amounts, whole_node: false } }
    }

    /// The memory of a job, MiB, where that is known.
    fn memory(&self, processors: u64, record: usize) -> Option<u64> {
        let told = self.log.beyond.memory.get(record).and_then(|&memory| u64::try_from(memory).ok());
        told.filter(|&memory| memory > 0).or_else(|| {
            let each = self.log.records.get(record)?.requested_memory;
            // a whole number of MiB, or more than any node has
            (each > 0.0).then(|| (each * processors as f64 / KIB).ceil() as u64)
        })
    }

    /// Why a job is left out for which the machine has too little of a resource.
    fn reason(&self, Short(resource): Short) -> Reason {
        match self.machine.resources().get(resource).map(String::as_str) {
            Some(Machine::PROCESSORS) => Reason::WiderThanMachine,
            Some(Machine::GPUS) => Reason::ShortOfGpus,
            Some(Machine::MEMORY) => Reason::ShortOfMemory,
            None => Reason::ShortOfPower,
            Some(_) => Reason::ShortOfResource,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cleaning, Filter, clean, reading};
    use packfair_base::machine::MachineDescription;

    fn machine(json: &str) -> Machine {
        let described: MachineDescription = serde_json::from_str(json).unwrap();
        described.machine(|_| Err(String::new())).unwrap()
    }

    const GPUS: &str = r#"{"cells": [
        {"name": "cpu", "nodes": 4, "node": {"processors": 8, "memory": 8192}},
        {"name": "gpu", "nodes": 2, "node": {"processors": 8, "gpus": 4, "memory": 16384}}],
        "partitions": [{"name": "batch", "cells": ["cpu", "gpu"]}, {"name": "accel", "cells": ["gpu"], "whole_nodes": true}]}"#;

    #[test]
    fn sacct_brings_nodes_gpus_and_memory() {
        let dump = "JobIDRaw|User|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|ReqTRES|AllocTRES|ReqMem|Partition|State\n\
            1|ann|2026-01-01T00:00:00|2026-01-01T00:00:00|100|5|2|10||cpu=10,mem=5000M,node=2||batch|COMPLETED\n\
            2|ann|2026-01-01T00:00:01|2026-01-01T00:00:01|100|5||6||cpu=6,gres/gpu=4||batch|COMPLETED\n\
            3|ann|2026-01-01T00:00:02|2026-01-01T00:00:02|100|5|1|2|||4Gc|batch|COMPLETED\n\
            4|ann|2026-01-01T00:00:03|2026-01-01T00:00:03|100|5|2|9||gres/gpu=2,cpu=9||accel|COMPLETED\n\
            5|ann|2026-01-01T00:00:04|2026-01-01T00:00:04|100|5|3|3||cpu=3,gres/gpu=12||batch|COMPLETED\n\
            6|ann|2026-01-01T00:00:05|2026-01-01T00:00:05|100|5|1|4|||40Gn|batch|COMPLETED\n\
            7|ann|2026-01-01T00:00:06|2026-01-01T00:00:06|100|5|1|4||||none|COMPLETED\n";
        let log = reading::read("sacct", dump.as_bytes()).unwrap();
        let machine = machine(GPUS);
        let mut workload = clean(&log, &Filter::default(), Cleaning::Metrics, Some(machine.processors())).unwrap();
        workload.put_on(&machine, &log).unwrap();
        let numbers: Vec<i64> = workload.requests().iter().map(|request| request.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4]);
        let account = &workload.account;
        let counts = [Reason::ShortOfGpus, Reason::ShortOfMemory, Reason::NoSuchPartition, Reason::WiderThanMachine];
        assert_eq!(counts.map(|reason| account.count(reason)), [1, 1, 1, 0]);
        let cluster = workload.cluster().unwrap();
        let held = |record: usize| {
            let need = cluster.demands.need(record);
            let placed = need.shape.place(need.parts, &machine.capacity()).unwrap();
            (need.parts, placed.0.clone(), [0, 1, 2].map(|resource| need.shape.holds(&placed, resource)))
        };
        assert_eq!(machine.resources(), ["processors", "gpus", "memory"]);
        assert_eq!(held(0), (2, vec![(0, 2)], [10, 0, 5_000]), "two nodes of five processors and 2500 MiB");
        assert_eq!(held(1), (4, vec![(1, 4)], [8, 4, 0]), "a graphics processor has two of six processors");
        assert_eq!(held(2), (1, vec![(0, 1)], [2, 0, 8_192]), "4 GiB for each of two processors");
        assert_eq!(held(3), (2, vec![(1, 2)], [16, 8, 32_768]), "two whole nodes");
    }

    #[test]
    fn swf_brings_memory_and_partitions_by_number_or_name() {
        let line = |number: u32, processors: u32, memory: i64, partition: i32| {
            format!("{number} {number} 0 10 {processors} -1 -1 {processors} 10 {memory} 1 1 1 1 1 {partition} -1 -1\n")
        };
        let text =
            ["; Partition: 2 accel\n", &line(1, 3, 1024 * 1024, -1), &line(2, 9, -1, 2), &line(3, 1, -1, 3)].concat();
        let log = reading::read("swf", text.as_bytes()).unwrap();
        let machine = machine(GPUS);
        let mut workload = clean(&log, &Filter::default(), Cleaning::Metrics, Some(machine.processors())).unwrap();
        workload.put_on(&machine, &log).unwrap();
        assert_eq!((workload.len(), workload.account.count(Reason::NoSuchPartition)), (2, 1));
        let demands = &workload.cluster().unwrap().demands;
        let memory = demands.need(0);
        assert_eq!((memory.parts, memory.shape.least(2)), (3, 1_024), "1 GiB for each processor");
        let whole = demands.need(1);
        assert_eq!((whole.parts, whole.shape.least(0)), (2, 8), "nine processors are two whole nodes");
    }
}

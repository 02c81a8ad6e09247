//! The machine that the partitions of a log form, as far as the log tells (docs/machine.md).

use packfair_base::machine::{CellDescription, Machine, MachineDescription, PartitionDescription};
use packfair_workload::{Summary, Unit};
use std::collections::BTreeMap;

/// A summary lists at most this many partitions. Where it lists so many, there may be more.
const MOST: usize = Summary::MOST_CHOICES;

/// A machine with a cell of single processors for each partition of the log, as large as the most that its jobs held at
/// once. A log does not say which partitions share nodes; where the cells together exceed the log's machine, some do.
///
/// # Errors
/// Where the log does not tell enough: it names no partitions or too many, starts are unknown, or jobs are not counted
/// in processors.
pub fn machine_of_partitions(summary: &Summary) -> Result<MachineDescription, String> {
    if summary.partitions.is_empty() {
        return Err("the log names no partitions".to_owned());
    }
    if summary.counting.unit != Unit::Processors {
        let counted = summary.counting.unit.plural();
        return Err(format!("jobs are counted in {counted}; count them in processors, of which cells are made, first"));
    }
    if summary.partitions.len() >= MOST {
        return Err(format!("the log names {MOST} partitions or more; describe the machine's cells in a file"));
    }
    let mut machine = MachineDescription::default();
    for (choice, peak) in summary.partitions.iter().zip(&summary.partition_peaks) {
        let name = choice.name.clone().unwrap_or_else(|| choice.id.to_string());
        let Some(nodes) = *peak else {
            return Err(format!("the log does not say when the jobs of partition {name} started"));
        };
        let node = BTreeMap::from([(Machine::PROCESSORS.to_owned(), 1)]);
        machine.cells.push(CellDescription { name: name.clone(), nodes, node });
        machine.partitions.push(PartitionDescription { cells: vec![name.clone()], name, whole_nodes: false });
    }
    Ok(machine)
}

/// A warning where the partitions together have more processors than the log's machine; `None` otherwise.
pub fn overlap_of_partitions(summary: &Summary, machine: &MachineDescription) -> Option<String> {
    let all: u64 = machine.cells.iter().map(|cell| u64::from(cell.nodes)).sum();
    let own = u64::from(summary.machine.processors);
    (all > own).then(|| {
        format!(
            "together they are {all} processors, more than the {own} of the log's machine: some share nodes, or changed size; \
             put shared nodes into a cell of their own"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::{Cleaning, Filter, clean, reading};

    fn summary(text: &str) -> Summary {
        let log = reading::read("small", text.as_bytes()).unwrap();
        Summary::of(&clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap())
    }

    const LOG: &str = "; MaxProcs: 8\n; Partition: 2 wide nodes\n\
        1 0 0 100 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n\
        2 0 0 100 5 -1 -1 5 -1 -1 1 1 1 1 1 2 -1 -1\n";

    #[test]
    fn each_partition_is_a_cell_as_large_as_what_its_jobs_held() {
        let summary = summary(LOG);
        let machine = machine_of_partitions(&summary).unwrap();
        let cells: Vec<_> = machine.cells.iter().map(|cell| (cell.name.as_str(), cell.nodes)).collect();
        assert_eq!(cells, [("1", 4), ("wide nodes", 5)]);
        assert_eq!(machine.partitions[1].cells, ["wide nodes"]);
        machine.clone().on(&summary).unwrap();
        let told = overlap_of_partitions(&summary, &machine).unwrap();
        assert!(told.starts_with("together they are 9 processors, more than the 8"), "{told}");
    }

    #[test]
    fn what_a_log_does_not_tell_is_said() {
        let none = summary("1 0 0 100 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1\n");
        assert_eq!(machine_of_partitions(&none).unwrap_err(), "the log names no partitions");
        let without_starts = summary("1 0 -1 100 4 -1 -1 4 -1 -1 1 1 1 1 1 3 -1 -1\n");
        let said = machine_of_partitions(&without_starts).unwrap_err();
        assert_eq!(said, "the log does not say when the jobs of partition 3 started");
    }
}

//! A machine as a file or a study has it, with names in place of numbers.

use super::calendar::{Change, Displaced};
use super::layout::{Cell, Machine, Partition, PartitionRules};
use super::{MachineError, Seconds};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a file says of a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineDescription {
    /// Its cells.
    pub cells: Vec<CellDescription>,
    /// Its partitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<PartitionDescription>,
    /// Its calendar.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeDescription>,
}

/// What a file says of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellDescription {
    /// Its name.
    pub name: String,
    /// How many nodes it has.
    pub nodes: u32,
    /// What a node has of each resource; of those that are not named it has none.
    pub node: BTreeMap<String, u64>,
}

/// What a file says of a partition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartitionDescription {
    /// Its name, as the log has it.
    pub name: String,
    /// The names of its cells.
    pub cells: Vec<String>,
    /// Whether jobs take whole nodes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole_nodes: bool,
}

/// What a file says of a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeDescription {
    /// When it begins.
    pub from: MomentDescription,
    /// When it ends; none: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<MomentDescription>,
    /// The name of the cell.
    pub cell: String,
    /// How many nodes more or, below 0, fewer.
    pub nodes: i64,
    /// When it is known; none: nobody knew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub announced: Option<MomentDescription>,
    /// What becomes of who runs there.
    #[serde(default)]
    pub what: Displaced,
}

/// A moment: seconds of the log, or a date on the clock of the log's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MomentDescription {
    /// Seconds of the log.
    Seconds(Seconds),
    /// A date, as `2026-01-31 08:00`.
    Text(String),
}

impl MachineDescription {
    /// The machine that is described. `moment` reads a date, or says what is wrong with it.
    ///
    /// # Errors
    /// What is wrong with it, in words for a person.
    pub fn machine(self, moment: impl Fn(&str) -> Result<Seconds, String>) -> Result<Machine, MachineError> {
        let mut others: BTreeSet<&String> = self.cells.iter().flat_map(|cell| cell.node.keys()).collect();
        let processors = Machine::PROCESSORS.to_owned();
        others.remove(&processors);
        let resources: Vec<String> = std::iter::once(&processors).chain(others).cloned().collect();
        let cell = |described: CellDescription| {
            let amount = |resource: &String| described.node.get(resource).copied().unwrap_or(0);
            Cell { node: resources.iter().map(amount).collect(), name: described.name, nodes: described.nodes }
        };
        let cells: Vec<Cell> = self.cells.into_iter().map(cell).collect();
        let place = |what: &dyn Fn() -> String, name: &String| {
            let place = cells.iter().position(|cell| cell.name == *name);
            place.ok_or_else(|| MachineError::UnknownCell {
                what: what(),
                cell: name.clone(),
                cells: Machine::cell_names(&cells),
            })
        };
        let mut partitions = Vec::new();
        for PartitionDescription { name, cells: named, whole_nodes } in self.partitions {
            let what = || format!("partition \"{name}\"");
            let mut cells = named.iter().map(|cell| place(&what, cell)).collect::<Result<Vec<_>, _>>()?;
            cells.sort_unstable();
            cells.dedup();
            partitions.push(Partition { name, cells, rules: PartitionRules { whole_nodes } });
        }
        let mut calendar = Vec::new();
        for (described, number) in self.changes.into_iter().zip(1..) {
            let seconds = |what: &'static str, described: &MomentDescription| match described {
                MomentDescription::Seconds(seconds) => Ok(*seconds),
                MomentDescription::Text(text) => {
                    moment(text).map_err(|problem| MachineError::NoMoment { number, what, text: text.clone(), problem })
                }
            };
            let ChangeDescription { from, until, cell, nodes, announced, what } = &described;
            calendar.push(Change {
                from: seconds("from", from)?,
                until: until.as_ref().map(|until| seconds("until", until)).transpose()?,
                cell: place(&|| format!("change {number}"), cell)?,
                nodes: *nodes,
                announced: announced.as_ref().map(|announced| seconds("announced", announced)).transpose()?,
                displaced: *what,
            });
        }
        Machine::new(resources, cells, partitions, calendar)
    }
}

impl TryFrom<MachineDescription> for Machine {
    type Error = MachineError;

    fn try_from(description: MachineDescription) -> Result<Self, MachineError> {
        description.machine(|_| Err("give seconds of the log".to_owned()))
    }
}

impl From<Machine> for MachineDescription {
    fn from(machine: Machine) -> Self {
        let name = |&cell: &usize| machine.cells()[cell].name.clone();
        let cell = |cell: &Cell| CellDescription {
            name: cell.name.clone(),
            nodes: cell.nodes,
            node: machine.resources().iter().cloned().zip(cell.node.iter().copied()).collect(),
        };
        let partition = |partition: &Partition| PartitionDescription {
            name: partition.name.clone(),
            cells: partition.cells.iter().map(name).collect(),
            whole_nodes: partition.rules.whole_nodes,
        };
        let change = |change: &Change| ChangeDescription {
            from: MomentDescription::Seconds(change.from),
            until: change.until.map(MomentDescription::Seconds),
            cell: name(&change.cell),
            nodes: change.nodes,
            announced: change.announced.map(MomentDescription::Seconds),
            what: change.displaced,
        };
        MachineDescription {
            cells: machine.cells().iter().map(cell).collect(),
            partitions: machine.partitions().iter().map(partition).collect(),
            changes: machine.calendar().iter().map(change).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a machine that JSON describes.
    fn said(json: &str) -> String {
        match serde_json::from_str::<MachineDescription>(json) {
            Ok(described) => {
                described.machine(|_| Err("no clock".to_owned())).map_or_else(|e| e.to_string(), |_| String::new())
            }
            Err(error) => error.to_string(),
        }
    }

    fn with_changes(changes: &str) -> String {
        said(&format!(
            r#"{{"cells": [{{"name": "cpu", "nodes": 10, "node": {{"processors": 4}}}}], "changes": [{changes}]}}"#
        ))
    }

    #[test]
    fn what_is_wrong_with_cells_and_partitions_is_said() {
        assert_eq!(
            said(r#"{"cells": []}"#),
            "the machine has no cell; give at least one, with a name, a number of nodes and the resources of a node"
        );
        let cell = |nodes: u32, node: &str| format!(r#"{{"name": "cpu", "nodes": {nodes}, "node": {{{node}}}}}"#);
        let of =
            |cells: &str, partitions: &str| said(&format!(r#"{{"cells": [{cells}], "partitions": [{partitions}]}}"#));
        let good = cell(2, r#""processors": 4, "gpus": 1"#);
        assert_eq!(of(&good, r#"{"name": "all", "cells": ["cpu"]}"#), "");
        let none = cell(0, r#""processors": 4"#);
        assert_eq!(of(&none, ""), "cell \"cpu\" has 0 nodes; give at least 1, or leave the cell out");
        assert_eq!(
            of(&cell(2, r#""gpus": 4"#), ""),
            "a node of cell \"cpu\" has no processors; give at least 1 (node = { processors = 64 })"
        );
        assert_eq!(of(&format!("{good},{good}"), ""), "two cells are called \"cpu\"; give each a name of its own");
        assert_eq!(
            of(&good, r#"{"name": "short", "cells": []}"#),
            "partition \"short\" has no cell; name at least one of cpu"
        );
        assert_eq!(
            of(&good, r#"{"name": "short", "cells": ["gpu"]}"#),
            "partition \"short\" names the cell \"gpu\", but there is none of that name; there are cpu"
        );
        assert_eq!(
            of(&cell(4_000_000_000, r#""processors": 1"#), ""),
            "the machine has 4000000000 processors, more than are simulated; give at most 100000000"
        );
        assert_eq!(
            of(&cell(2, r#""processors": 1, "memory": 18446744073709551615"#), ""),
            "there is too much of memory in cell \"cpu\"; give numbers that are meant"
        );
        assert!(of(&cell(2, r#""processors": -1"#), "").contains("invalid value"));
    }

    #[test]
    fn what_is_wrong_with_the_calendar_is_said() {
        let change = |from: i64, until: i64, nodes: i64| {
            format!(r#"{{"from": {from}, "until": {until}, "cell": "cpu", "nodes": {nodes}}}"#)
        };
        assert_eq!(with_changes(&change(5, 9, -10)), "");
        assert_eq!(
            with_changes(&change(9, 5, -1)),
            "change 1 ends at 5 s, but begins at 9 s; an end comes after the beginning"
        );
        assert_eq!(
            with_changes(&change(9, 9, -1)),
            "change 1 ends at 9 s, but begins at 9 s; an end comes after the beginning"
        );
        assert_eq!(
            with_changes(&change(5, 9, 0)),
            "change 1 is of 0 nodes; give how many nodes are fewer (-4) or more (4)"
        );
        assert_eq!(
            with_changes(&format!("{},{}", change(5, 9, -6), change(8, 12, -6))),
            "at 8 s the changes leave cell \"cpu\" with -2 nodes: windows overlap, or one takes more nodes than there are; \
             make overlapping windows one, or let them take fewer"
        );
        assert_eq!(
            with_changes(&format!("{},{}", change(5, 9, -6), change(9, 12, -6))),
            "",
            "one ends as the other begins"
        );
        assert_eq!(with_changes(&format!("{},{}", change(5, 9, -6), change(8, 12, -4))), "", "they may overlap");
        assert!(
            with_changes(r#"{"from": 1, "cell": "gpu", "nodes": 1}"#).starts_with("change 1 names the cell \"gpu\"")
        );
        assert_eq!(
            with_changes(r#"{"from": "noon", "cell": "cpu", "nodes": 1}"#),
            "from of change 1 is \"noon\", which is no moment: no clock"
        );
        let many = vec![change(5, 9, 1); 100_001].join(",");
        assert!(with_changes(&many).starts_with("the calendar has 100001 changes; give at most 100000: "));
    }

    #[test]
    fn a_machine_is_what_its_description_says_again() {
        let json = r#"{"cells": [{"name": "cpu", "nodes": 10, "node": {"processors": 4}},
            {"name": "gpu", "nodes": 2, "node": {"processors": 8, "gpus": 4, "memory": 1000}}],
            "partitions": [{"name": "all", "cells": ["gpu", "cpu"]}, {"name": "gpus", "cells": ["gpu"], "whole_nodes": true}],
            "changes": [{"from": 5, "until": 9, "cell": "gpu", "nodes": -2, "announced": 1, "what": "kill"}]}"#;
        let machine: Machine = serde_json::from_str(json).unwrap();
        assert_eq!(machine.resources(), ["processors", "gpus", "memory"]);
        assert_eq!((machine.processors(), machine.total(1), machine.total(2)), (56, 8, 2_000));
        assert_eq!(machine.taking_order(None), [0, 1], "the first cell is of one partition alone");
        assert_eq!(machine.capacity(), [40, 0, 0, 16, 8, 2_000]);
        let again = serde_json::to_string(&machine).unwrap();
        assert_eq!(serde_json::from_str::<Machine>(&again).unwrap(), machine);
    }
}

//! A description of a machine as tables that a person fills in.

use super::description::{
    CellDescription, ChangeDescription, MachineDescription, MomentDescription, PartitionDescription,
};
use super::events::Displaced;
use super::{MOST_CELLS, MOST_CHANGES, Machine, Seconds};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// A column of a table.
pub struct SheetColumn<T: 'static> {
    pub title: &'static str,
    pub help: &'static str,
    /// Whether it holds points in time: seconds of the log, or dates.
    pub is_moment: bool,
    pub get: fn(&T) -> String,
    /// Sets the text of a row. The error says what the column takes.
    pub set: fn(&mut T, &str) -> Result<(), &'static str>,
}

const fn column<T>(
    title: &'static str,
    help: &'static str,
    get: fn(&T) -> String,
    set: fn(&mut T, &str) -> Result<(), &'static str>,
) -> SheetColumn<T> {
    SheetColumn { title, help, is_moment: false, get, set }
}

const fn moment<T>(
    title: &'static str,
    help: &'static str,
    get: fn(&T) -> String,
    set: fn(&mut T, &str) -> Result<(), &'static str>,
) -> SheetColumn<T> {
    SheetColumn { is_moment: true, ..column(title, help, get, set) }
}

const WEEK: Seconds = 7 * 86_400;

const COUNT: &str = "a whole number";
const NAME: &str = "a name";

/// The columns of cells, except their names ([`MachineDescription::rename_cell`]).
pub static CELL_COLUMNS: [SheetColumn<CellDescription>; 8] = [
    column(
        "Nodes",
        "How many nodes the cell has",
        |cell| cell.nodes.to_string(),
        |cell, text| {
            cell.nodes = count(text).filter(|&nodes| nodes > 0).ok_or(COUNT)?;
            Ok(())
        },
    ),
    column(
        "Processors",
        "Of a node",
        |cell| amount(cell, Machine::PROCESSORS),
        |cell, text| set_amount(cell, Machine::PROCESSORS, text),
    ),
    column(
        "GPUs",
        "Of a node; empty for none",
        |cell| amount(cell, Machine::GPUS),
        |cell, text| set_amount(cell, Machine::GPUS, text),
    ),
    column(
        "Memory, MiB",
        "Of a node; empty where it is not counted",
        |cell| amount(cell, Machine::MEMORY),
        |cell, text| set_amount(cell, Machine::MEMORY, text),
    ),
    column(
        "Watts idle",
        "Of a node that is on and that nobody holds; empty where watts are not known",
        |cell| amount(cell, "idle_watts"),
        |cell, text| set_amount(cell, "idle_watts", text),
    ),
    column(
        "Watts busy",
        "Of a node whose processors are all held",
        |cell| amount(cell, "busy_watts"),
        |cell, text| set_amount(cell, "busy_watts", text),
    ),
    column(
        "Watts off",
        "Of a node that is switched off",
        |cell| amount(cell, "off_watts"),
        |cell, text| set_amount(cell, "off_watts", text),
    ),
    column(
        "Boot, s",
        "How long a node takes to switch on",
        |cell| amount(cell, "boot"),
        |cell, text| set_amount(cell, "boot", text),
    ),
];

pub static PARTITION_COLUMNS: [SheetColumn<PartitionDescription>; 3] = [
    column(
        "Name",
        "As the log has it: its name or its number",
        |of| of.name.clone(),
        |of, text| {
            of.name = Some(text.trim()).filter(|name| !name.is_empty()).ok_or(NAME)?.to_owned();
            Ok(())
        },
    ),
    column(
        "Cells",
        "Which cells its jobs may use, separated by commas",
        |of| of.cells.join(", "),
        |of, text| {
            of.cells = text.split(',').map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty()).collect();
            Ok(())
        },
    ),
    column(
        "Whole nodes",
        "yes: its jobs take whole nodes; no: they share them",
        |of| (if of.whole_nodes { "yes" } else { "no" }).to_owned(),
        |of, text| {
            of.whole_nodes = match text.trim() {
                "yes" => true,
                "" | "no" => false,
                _ => return Err("yes or no"),
            };
            Ok(())
        },
    ),
];

pub static CHANGE_COLUMNS: [SheetColumn<ChangeDescription>; 7] = [
    moment(
        "From",
        "When it begins: a date, or seconds of the log",
        |of| of.from.to_string(),
        |of, text| {
            of.from = moment_of(text).ok_or("a date, or seconds of the log")?;
            Ok(())
        },
    ),
    moment(
        "Until",
        "When it ends; empty for never",
        |of| optional(&of.until),
        |of, text| {
            of.until = moment_of(text);
            Ok(())
        },
    ),
    column(
        "Nodes",
        "How many are fewer (-4) or more (4) meanwhile",
        |of| of.nodes.to_string(),
        |of, text| {
            let nodes = text.trim().replace('\u{2212}', "-").parse().ok();
            of.nodes = nodes.filter(|&nodes: &i64| nodes != 0).ok_or("how many nodes are fewer (-4) or more (4)")?;
            Ok(())
        },
    ),
    column(
        "Cell",
        "Of which cell; empty where there is one",
        |of| of.cell.clone().unwrap_or_default(),
        |of, text| {
            of.cell = Some(text.trim().to_owned()).filter(|cell| !cell.is_empty());
            Ok(())
        },
    ),
    moment(
        "Announced",
        "When it is known; empty: nobody knew",
        |of| optional(&of.announced),
        |of, text| {
            of.announced = moment_of(text);
            Ok(())
        },
    ),
    column(
        "Jobs there",
        "drain: they run on, and nodes go as they end; kill: the youngest are killed and wait again",
        |of| (if of.what == Displaced::Kill { "kill" } else { "drain" }).to_owned(),
        |of, text| {
            of.what = match text.trim() {
                "" | "drain" => Displaced::Drain,
                "kill" => Displaced::Kill,
                _ => return Err("drain or kill"),
            };
            Ok(())
        },
    ),
    column(
        "Every, days",
        "After how many days it comes again, as long as the log goes on; empty for once",
        |of| of.every.map(|days| days.to_string()).unwrap_or_default(),
        |of, text| {
            of.every = match text.trim() {
                "" => None,
                days => Some(count(days).filter(|&days| days > 0).ok_or(COUNT)?),
            };
            Ok(())
        },
    ),
];

impl MachineDescription {
    /// The description that a person begins with: one cell with the log's processors.
    pub fn of_processors(processors: u32) -> Self {
        MachineDescription::from(Machine::of_processors(processors))
    }

    /// Renames a cell, wherever it is named.
    ///
    /// # Errors
    /// If the name cannot be used: what a name must be.
    pub fn rename_cell(&mut self, place: usize, name: &str) -> Result<(), &'static str> {
        let name = name.trim();
        let is_known = self.cells.iter().enumerate().any(|(other, cell)| other != place && cell.name == name);
        if name.is_empty() || name.contains(',') || is_known {
            return Err("a name that no other cell has");
        }
        let Some(cell) = self.cells.get_mut(place) else { return Ok(()) };
        let before = std::mem::replace(&mut cell.name, name.to_owned());
        let named = self.partitions.iter_mut().flat_map(|of| &mut of.cells);
        for other in named.chain(self.changes.iter_mut().filter_map(|change| change.cell.as_mut())) {
            if *other == before {
                name.clone_into(other);
            }
        }
        Ok(())
    }

    pub fn add_cell(&mut self) {
        let name = (1..).map(|number| format!("cell{number}")).find(|name| self.cells.iter().all(|c| c.name != *name));
        // some number is always unused
        let name = name.unwrap_or_default();
        let node = BTreeMap::from([(Machine::PROCESSORS.to_owned(), 1)]);
        self.cells.push(CellDescription { name, nodes: 1, node });
    }

    /// Removes a cell and its changes, and partitions that have no cell left.
    pub fn remove_cell(&mut self, place: usize) {
        if place >= self.cells.len() {
            return;
        }
        let gone = self.cells.remove(place).name;
        self.changes.retain(|change| change.cell.as_ref() != Some(&gone));
        self.partitions.iter_mut().for_each(|of| of.cells.retain(|cell| *cell != gone));
        self.partitions.retain(|of| !of.cells.is_empty());
    }

    /// Adds a partition of all cells.
    pub fn add_partition(&mut self) {
        let number = (1..).find(|number: &u32| self.partitions.iter().all(|of| of.name != number.to_string()));
        let name = number.unwrap_or_default().to_string();
        let cells = self.cells.iter().map(|cell| cell.name.clone()).collect();
        self.partitions.push(PartitionDescription { name, cells, whole_nodes: false });
    }

    /// Adds a window in which a node of the first cell goes. It is announced a week before.
    pub fn add_window(&mut self, from: Seconds, until: Seconds) {
        self.changes.push(ChangeDescription {
            from: MomentDescription::Seconds(from),
            until: Some(MomentDescription::Seconds(until.max(from + 1))),
            cell: self.cells.first().map(|cell| cell.name.clone()),
            nodes: -1,
            announced: Some(MomentDescription::Seconds(from - WEEK)),
            what: Displaced::Drain,
            every: None,
            last: None,
            power_cap: None,
        });
    }
}

fn optional(moment: &Option<MomentDescription>) -> String {
    moment.as_ref().map(ToString::to_string).unwrap_or_default()
}

fn moment_of(text: &str) -> Option<MomentDescription> {
    let text = text.trim();
    (!text.is_empty()).then(|| MomentDescription::from(text))
}

/// Reads a number, whose digits may be in groups.
fn count<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.replace([' ', ',', '\u{202f}'], "").parse().ok()
}

fn amount(cell: &CellDescription, resource: &str) -> String {
    cell.node.get(resource).filter(|&&amount| amount > 0).map(u64::to_string).unwrap_or_default()
}

fn set_amount(cell: &mut CellDescription, resource: &str, text: &str) -> Result<(), &'static str> {
    let amount: u64 = if text.trim().is_empty() { 0 } else { count(text).ok_or(COUNT)? };
    match amount {
        0 if resource == Machine::PROCESSORS => return Err("a whole number from 1"),
        0 => drop(cell.node.remove(resource)),
        amount => drop(cell.node.insert(resource.to_owned(), amount)),
    }
    Ok(())
}

// Errors in the description of a machine.

/// Why a description is not one of a machine. Changes are numbered from 1, times are seconds of the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineError {
    #[error("the machine has no cell; give at least one, with a name, a number of nodes and the resources of a node")]
    NoCell,
    #[error("the machine has {0} cells; give at most {MOST_CELLS}")]
    TooManyCells(usize),
    #[error("two {what}s are called \"{name}\"; give each a name of its own")]
    Twice {
        /// "cell" or "partition".
        what: &'static str,
        name: String,
    },
    #[error("cell \"{0}\" has 0 nodes; give at least 1, or leave the cell out")]
    NoNode(String),
    #[error("a node of cell \"{0}\" has no processors; give at least 1 (node = {{ processors = 64 }})")]
    NoProcessor(String),
    #[error("there is too much of {resource} in cell \"{cell}\"; give numbers that are meant")]
    TooMuch { resource: String, cell: String },
    /// What is said of its power cannot be.
    #[error("{0}")]
    Power(String),
    #[error("the machine has {processors} processors, more than are simulated; give at most {most}")]
    TooManyProcessors {
        processors: u64,
        /// How many there may be at most.
        most: u32,
    },
    #[error("partition \"{partition}\" has no cell; name at least one of {cells}")]
    PartitionOfNoCell { partition: String, cells: String },
    #[error("{what} names the cell \"{cell}\", but there is none of that name; there are {cells}")]
    UnknownCell { what: String, cell: String, cells: String },
    #[error("change {number} names no cell; name one of {cells}")]
    WhichCell { number: usize, cells: String },
    #[error("change {number} repeats every so many days, but does not end in between: give until, and at least 1 day")]
    RepeatsWithoutEnd { number: usize },
    #[error("change {number} repeats, and there is no log to say how long; give last, when it comes for the last time")]
    RepeatsForEver { number: usize },
    #[error(
        "the calendar has {0} changes; give at most {MOST_CHANGES}: leave out what lies outside the log, and make changes \
         of the same times in one cell a single one"
    )]
    TooManyChanges(usize),
    #[error("change {number} is of 0 nodes; give how many nodes are fewer (-4) or more (4)")]
    ChangeOfNothing { number: usize },
    #[error("change {number} ends at {until} s, but begins at {from} s; an end comes after the beginning")]
    EndsBeforeItBegins { number: usize, from: Seconds, until: Seconds },
    #[error(
        "at {at} s the changes leave cell \"{cell}\" with {left} nodes: windows overlap, or one takes more nodes than there \
         are; make overlapping windows one, or let them take fewer"
    )]
    TakesTooMany {
        at: Seconds,
        cell: String,
        /// How many nodes would be left, below 0.
        left: i64,
    },
    #[error("{what} of change {number} is \"{text}\", which is no moment: {problem}")]
    NoMoment {
        number: usize,
        /// "from", "until" or "announced".
        what: &'static str,
        text: String,
        problem: String,
    },
    #[error("cell \"{cell}\" has {nodes} nodes, and {more} of them leave none; take fewer")]
    NoneLeft {
        cell: String,
        nodes: u32,
        /// How many nodes it is to have more, below 0.
        more: i64,
    },
    #[error("\"{what}\" names no cell; say which with cell=, one of {cells}")]
    WhatIfOfWhichCell {
        /// The part of the what-if that needs a cell.
        what: String,
        cells: String,
    },
    /// Nodes that a site's partition cannot have more or fewer, and why.
    #[error("{0}")]
    OfSite(String),
    #[error("no node has any {0}; give how much, as {0}=64000")]
    NothingToMultiply(String),
}

// How machines are stored and sent: as their descriptions.

impl Serialize for Machine {
    /// Serializes the description. Binary formats get it as JSON in a text, because it has fields that may be left out.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let described = MachineDescription::from(self.clone());
        if serializer.is_human_readable() {
            return described.serialize(serializer);
        }
        serializer.serialize_str(&serde_json::to_string(&described).map_err(S::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Machine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let described: MachineDescription = if deserializer.is_human_readable() {
            MachineDescription::deserialize(deserializer)?
        } else {
            let text = String::deserialize(deserializer)?;
            serde_json::from_str(&text).map_err(D::Error::custom)?
        };
        Machine::try_from(described).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<T>(columns: &[SheetColumn<T>], row: &mut T, title: &str, text: &str) -> Result<String, &'static str> {
        let column = columns.iter().find(|column| column.title == title).unwrap();
        (column.set)(row, text)?;
        Ok((column.get)(row))
    }

    #[test]
    fn what_is_typed_into_a_table_is_the_machine() {
        let mut machine = MachineDescription::of_processors(100);
        machine.add_cell();
        machine.add_partition();
        machine.add_window(10, 20);
        assert_eq!(machine.rename_cell(0, "cpu"), Ok(()));
        assert!(machine.rename_cell(1, "cpu").is_err() && machine.rename_cell(1, " ").is_err());
        assert_eq!(machine.partitions[0].cells, ["cpu", "cell1"]);
        assert_eq!(machine.changes[0].cell.as_deref(), Some("cpu"));
        let cell = &mut machine.cells[1];
        assert_eq!(set(&CELL_COLUMNS, cell, "Nodes", "1,000"), Ok("1000".to_owned()));
        assert_eq!(set(&CELL_COLUMNS, cell, "GPUs", "4"), Ok("4".to_owned()));
        assert_eq!(set(&CELL_COLUMNS, cell, "GPUs", ""), Ok(String::new()));
        assert_eq!(set(&CELL_COLUMNS, cell, "Processors", "0"), Err("a whole number from 1"));
        let change = &mut machine.changes[0];
        for (title, text) in [
            ("From", "2026-02-03 08:00"),
            ("Until", "99"),
            ("Nodes", "-3"),
            ("Announced", "5"),
            ("Jobs there", "kill"),
            ("Every, days", "7"),
            ("Cell", "cell1"),
        ] {
            assert_eq!(set(&CHANGE_COLUMNS, change, title, text), Ok(text.to_owned()));
        }
        assert_eq!(set(&CHANGE_COLUMNS, change, "Nodes", "0"), Err("how many nodes are fewer (-4) or more (4)"));
        assert_eq!(set(&PARTITION_COLUMNS, &mut machine.partitions[0], "Whole nodes", "yes"), Ok("yes".to_owned()));
        assert!(set(&PARTITION_COLUMNS, &mut machine.partitions[0], "Whole nodes", "some").is_err());
        machine.remove_cell(1);
        assert_eq!((machine.cells.len(), machine.changes.len(), machine.partitions[0].cells.len()), (1, 0, 1));
        machine.remove_cell(0);
        assert!(machine.is_empty());
    }
}

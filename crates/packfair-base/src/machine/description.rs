//! A machine as a file or a study describes it, with names in place of numbers.

mod change;

pub use self::change::{ChangeDescription, MomentDescription, POWER_WORDS, SuspendDescription};

use self::change::DAY;
use super::events::Change;
use super::layout::{Cell, Machine, Partition, PartitionRules};
use super::power::{CapChange, ExpectedPower};
use super::{MachineError, Seconds};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MachineDescription {
    /// The cap of what the machine may draw, kW.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power_cap: Option<f64>,
    /// What schedulers reckon that a job draws.
    #[serde(skip_serializing_if = "is_usual")]
    pub power_expected: ExpectedPower,
    /// By how much more the site draws than its nodes do; none: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pue: Option<f64>,
    /// When idle nodes are switched off; none: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspend: Option<SuspendDescription>,
    /// The cells; if there are none, one cell of single processors, as many as the log's machine has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellDescription>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<PartitionDescription>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeDescription>,
}

fn is_usual(expected: &ExpectedPower) -> bool {
    *expected == ExpectedPower::default()
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellDescription {
    pub name: String,
    pub nodes: u32,
    /// What a node has of each resource, by name. It has none of resources that are not listed.
    pub node: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartitionDescription {
    /// The name of the partition, as the log has it.
    pub name: String,
    pub cells: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole_nodes: bool,
}

/// What the description of a machine needs to know of the log that is simulated on it.
pub trait MachineOfLog {
    /// The number of processors of the log's machine, if it is known.
    fn processors(&self) -> Option<u32>;

    /// Reads a date on the clock of the log's place.
    ///
    /// # Errors
    /// If it cannot be read: what is wrong with it.
    fn moment(&self, text: &str) -> Result<Seconds, String>;

    /// The same time of day on the clock of the log's place, `days` days later.
    fn days_later(&self, time: Seconds, days: i64) -> Seconds;

    /// When the last job of the log is submitted; none where there is no log.
    fn end(&self) -> Option<Seconds>;
}

/// Stands for a log where there is none. The function reads dates.
struct NoLog<F>(F);

impl<F: Fn(&str) -> Result<Seconds, String>> MachineOfLog for NoLog<F> {
    fn processors(&self) -> Option<u32> {
        None
    }

    fn moment(&self, text: &str) -> Result<Seconds, String> {
        self.0(text)
    }

    fn days_later(&self, time: Seconds, days: i64) -> Seconds {
        time.saturating_add(days.saturating_mul(DAY))
    }

    fn end(&self) -> Option<Seconds> {
        None
    }
}

impl MachineDescription {
    /// The machine that is described, without a log. `moment` reads a date, or says what is wrong with it.
    ///
    /// # Errors
    /// If the description is not one of a machine: what is wrong, in words for a person.
    pub fn machine(self, moment: impl Fn(&str) -> Result<Seconds, String>) -> Result<Machine, MachineError> {
        self.on(&NoLog(moment))
    }

    /// Whether the description is empty.
    pub fn is_empty(&self) -> bool {
        *self == MachineDescription::default()
    }

    /// The machine that is described, for a log.
    ///
    /// # Errors
    /// If the description is not one of a machine: what is wrong, in words for a person.
    pub fn on(&self, log: &impl MachineOfLog) -> Result<Machine, MachineError> {
        let of_log;
        let described = match (&self.cells[..], log.processors()) {
            ([], Some(processors)) => {
                of_log = Self::from(Machine::of_processors(processors)).cells;
                &of_log
            }
            (cells, _) => cells,
        };
        let mut others: BTreeSet<&String> = described.iter().flat_map(|cell| cell.node.keys()).collect();
        let processors = Machine::PROCESSORS.to_owned();
        others.retain(|&name| *name != processors && !POWER_WORDS.contains(&name.as_str()));
        let resources: Vec<String> = std::iter::once(&processors).chain(others).cloned().collect();
        let cell = |described: &CellDescription| {
            let amount = |resource: &String| described.node.get(resource).copied().unwrap_or(0);
            Cell { node: resources.iter().map(amount).collect(), name: described.name.clone(), nodes: described.nodes }
        };
        let cells: Vec<Cell> = described.iter().map(cell).collect();
        let place = |what: &dyn Fn() -> String, name: &String| {
            let place = cells.iter().position(|cell| cell.name == *name);
            place.ok_or_else(|| MachineError::UnknownCell {
                what: what(),
                cell: name.clone(),
                cells: Machine::cell_names(&cells),
            })
        };
        let mut partitions = Vec::new();
        for PartitionDescription { name, cells: named, whole_nodes } in &self.partitions {
            let what = || format!("partition \"{name}\"");
            let mut cells = named.iter().map(|cell| place(&what, cell)).collect::<Result<Vec<_>, _>>()?;
            cells.sort_unstable();
            cells.dedup();
            let rules = PartitionRules { whole_nodes: *whole_nodes };
            partitions.push(Partition { name: name.clone(), cells, rules });
        }
        let mut calendar = Vec::new();
        let mut cap_changes = Vec::new();
        // repetitions follow all others, so that errors number the changes as they are listed
        let mut again = Vec::new();
        for (described, number) in self.changes.iter().zip(1..) {
            if let Some(kw) = described.power_cap {
                described.check_of_cap(number)?;
                let first = described.first(number, cells.len(), log)?;
                let mut repeated = Vec::new();
                described.repeat(number, &first, log, &mut repeated)?;
                cap_changes.extend(std::iter::once(first).chain(repeated).map(|change| (change, kw)));
                continue;
            }
            let cell = match (&described.cell, &cells[..]) {
                (Some(name), _) => place(&|| format!("change {number}"), name)?,
                (None, [_]) => 0,
                (None, []) => return Err(MachineError::NoCell),
                (None, _) => {
                    return Err(MachineError::WhichCell { number, cells: Machine::cell_names(&cells) });
                }
            };
            let change = described.first(number, cell, log)?;
            described.repeat(number, &change, log, &mut again)?;
            calendar.push(change);
        }
        calendar.extend(again);
        let machine = Machine::new(resources, cells, partitions, calendar)?;
        self.with_power(machine, described, cap_changes)
    }

    pub fn names(&self) -> Vec<&str> {
        let cells = self.cells.iter().flat_map(|cell| cell.node.keys().chain([&cell.name]));
        let partitions = self.partitions.iter().flat_map(|of| of.cells.iter().chain([&of.name]));
        let changes = self.changes.iter().filter_map(|change| change.cell.as_ref());
        cells.chain(partitions).chain(changes).map(String::as_str).collect()
    }

    /// The description of a partition, given by one of its names, as a machine by itself: its cells and their changes.
    pub fn of_partition(&self, names: &[&str]) -> Self {
        let Some(partition) = self.partitions.iter().find(|of| names.contains(&of.name.as_str())) else {
            return self.clone();
        };
        let is_of = |cell: &str| partition.cells.iter().any(|own| own == cell);
        MachineDescription {
            cells: self.cells.iter().filter(|cell| is_of(&cell.name)).cloned().collect(),
            partitions: vec![partition.clone()],
            changes: self.changes.iter().filter(|of| of.cell.as_deref().is_none_or(is_of)).cloned().collect(),
            ..self.clone()
        }
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
        let cell = |(place, cell): (usize, &Cell)| {
            let resources = machine.resources().iter().cloned().zip(cell.node.iter().copied());
            let words = machine.power().map(|power| power.words(place)).unwrap_or_default();
            CellDescription { name: cell.name.clone(), nodes: cell.nodes, node: resources.chain(words).collect() }
        };
        let partition = |partition: &Partition| PartitionDescription {
            name: partition.name.clone(),
            cells: partition.cells.iter().map(name).collect(),
            whole_nodes: partition.rules.whole_nodes,
        };
        let change = |change: &Change| ChangeDescription {
            from: MomentDescription::Seconds(change.from),
            until: change.until.map(MomentDescription::Seconds),
            cell: Some(name(&change.cell)),
            nodes: change.nodes,
            announced: change.announced.map(MomentDescription::Seconds),
            what: change.displaced,
            every: None,
            last: None,
            power_cap: None,
        };
        let of_cap = |own: &CapChange| {
            let Change { from, until, announced, displaced, .. } = own.change;
            ChangeDescription::of_cap(own.kw, from, until, announced, displaced)
        };
        let (power, cap) = (machine.power(), machine.power_cap());
        let changes_of_cap = cap.into_iter().flat_map(|cap| cap.changes.iter().map(of_cap));
        MachineDescription {
            power_cap: cap.map(|cap| cap.kw),
            power_expected: power.map(|power| power.expected).unwrap_or_default(),
            pue: power.map(|power| power.pue).filter(|&pue| pue != 1.0),
            suspend: power.and_then(|power| Some(power.suspend.as_ref()?.described(machine.cells()))),
            cells: machine.cells().iter().enumerate().map(cell).collect(),
            partitions: machine.partitions().iter().map(partition).collect(),
            changes: machine.calendar().iter().map(change).chain(changes_of_cap).collect(),
        }
    }
}

#[cfg(test)]
mod tests;

//! A machine as a file or a study describes it, with names in place of numbers.

use super::calendar::{Change, Displaced};
use super::layout::{Cell, Machine, Partition, PartitionRules};
use super::limits::MOST_CHANGES;
use super::{MachineError, Seconds};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The seconds of a day.
const DAY: Seconds = 86_400;

/// The description of a machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MachineDescription {
    /// The cells; if there are none, one cell of single processors, as many as the log's machine has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellDescription>,
    /// The partitions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<PartitionDescription>,
    /// The changes of the calendar.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeDescription>,
}

/// The description of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellDescription {
    /// The name of the cell.
    pub name: String,
    /// How many nodes the cell has.
    pub nodes: u32,
    /// What a node has of each resource, by name. It has none of resources that are not listed.
    pub node: BTreeMap<String, u64>,
}

/// The description of a partition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartitionDescription {
    /// The name of the partition, as the log has it.
    pub name: String,
    /// The names of the partition's cells.
    pub cells: Vec<String>,
    /// Whether jobs take whole nodes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole_nodes: bool,
}

/// The description of a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeDescription {
    /// When it begins.
    pub from: MomentDescription,
    /// When it ends; none: it never ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<MomentDescription>,
    /// The name of the cell; none: the only cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// How many nodes more there are, or below 0, fewer.
    pub nodes: i64,
    /// When it is announced; none: it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub announced: Option<MomentDescription>,
    /// What happens to jobs that run on nodes that go.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub what: Displaced,
    /// After how many days it repeats, at the same time of day on the clock of the log's place; none: it does not
    /// repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u32>,
    /// The latest time of its last repetition; none: it repeats until the end of the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<MomentDescription>,
}

fn is_usual(what: &Displaced) -> bool {
    *what == Displaced::default()
}

/// A point in time: seconds of the log, or a date on the clock of the log's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MomentDescription {
    /// Seconds of the log.
    Seconds(Seconds),
    /// A date, such as `2026-01-31 08:00`.
    Text(String),
}

impl From<&str> for MomentDescription {
    /// Seconds if the text is a whole number, otherwise a date.
    fn from(text: &str) -> Self {
        text.parse().map_or_else(|_| MomentDescription::Text(text.to_owned()), MomentDescription::Seconds)
    }
}

impl fmt::Display for MomentDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MomentDescription::Seconds(seconds) => seconds.fmt(f),
            MomentDescription::Text(text) => text.fmt(f),
        }
    }
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
        others.remove(&processors);
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
        // repetitions follow all others, so that errors number the changes as they are listed
        let mut again = Vec::new();
        for (described, number) in self.changes.iter().zip(1..) {
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
        Machine::new(resources, cells, partitions, calendar)
    }

    /// All names in the description.
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
        }
    }
}

impl ChangeDescription {
    /// The first occurrence of the change.
    fn first(&self, number: usize, cell: usize, log: &impl MachineOfLog) -> Result<Change, MachineError> {
        let seconds = |what, moment: &Option<MomentDescription>| {
            moment.as_ref().map(|moment| seconds(number, what, moment, log)).transpose()
        };
        Ok(Change {
            from: self::seconds(number, "from", &self.from, log)?,
            until: seconds("until", &self.until)?,
            cell,
            nodes: self.nodes,
            announced: seconds("announced", &self.announced)?,
            displaced: self.what,
        })
    }

    /// Adds the repetitions of the change to `into`.
    fn repeat(
        &self,
        number: usize,
        first: &Change,
        log: &impl MachineOfLog,
        into: &mut Vec<Change>,
    ) -> Result<(), MachineError> {
        let Some(every) = self.every.map(i64::from) else { return Ok(()) };
        if every == 0 || first.until.is_none() {
            return Err(MachineError::RepeatsWithoutEnd { number });
        }
        let last = self.last.as_ref().map(|last| seconds(number, "last", last, log)).transpose()?;
        let last = last.or(log.end()).ok_or(MachineError::RepeatsForEver { number })?;
        let times = last.saturating_sub(first.from) / (every * DAY);
        let all = usize::try_from(times.max(0)).unwrap_or(usize::MAX).saturating_add(into.len());
        if all > MOST_CHANGES {
            return Err(MachineError::TooManyChanges(all));
        }
        for time in 1..=times + 1 {
            let later = |moment: Seconds| log.days_later(moment, time * every);
            let from = later(first.from);
            // a change to or from daylight saving may shift it by an hour
            if from > last {
                break;
            }
            into.push(Change { from, until: first.until.map(later), announced: first.announced.map(later), ..*first });
        }
        Ok(())
    }
}

/// A time of a change, in seconds of the log.
fn seconds(
    number: usize,
    what: &'static str,
    moment: &MomentDescription,
    log: &impl MachineOfLog,
) -> Result<Seconds, MachineError> {
    match moment {
        MomentDescription::Seconds(seconds) => Ok(*seconds),
        MomentDescription::Text(text) => {
            log.moment(text).map_err(|problem| MachineError::NoMoment { number, what, text: text.clone(), problem })
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
            cell: Some(name(&change.cell)),
            nodes: change.nodes,
            announced: change.announced.map(MomentDescription::Seconds),
            what: change.displaced,
            every: None,
            last: None,
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

    /// The error message for a machine that JSON describes; empty if there is no error.
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

    /// A log of 30 days for 12 processors.
    struct Month;

    impl MachineOfLog for Month {
        fn processors(&self) -> Option<u32> {
            Some(12)
        }

        fn moment(&self, text: &str) -> Result<Seconds, String> {
            text.strip_prefix("day ").and_then(|day| day.parse::<i64>().ok()).map(|day| day * DAY).ok_or("?".into())
        }

        fn days_later(&self, time: Seconds, days: i64) -> Seconds {
            // the clocks go forward on day 10
            let hour = |time: Seconds| if time >= 10 * DAY { 3_600 } else { 0 };
            time + days * DAY - hour(time + days * DAY) + hour(time)
        }

        fn end(&self) -> Option<Seconds> {
            Some(30 * DAY)
        }
    }

    #[test]
    fn a_change_comes_again_at_the_same_time_of_day_as_long_as_the_log_goes_on() {
        let of = |more: &str| {
            let json =
                format!(r#"{{"changes": [{{"from": "day 2", "until": 180000, "nodes": -3, "announced": 0 {more}}}]}}"#);
            serde_json::from_str::<MachineDescription>(&json).unwrap().on(&Month).map_err(|error| error.to_string())
        };
        let times = |more: &str| -> Vec<(Seconds, Option<Seconds>, Option<Seconds>)> {
            of(more).unwrap().calendar().iter().map(|change| (change.from, change.until, change.announced)).collect()
        };
        let day = |day: i64| day * DAY - if day >= 10 { 3_600 } else { 0 };
        let length = 180_000 - 2 * DAY;
        let weekly: Vec<_> = [2, 9, 16, 23, 30].map(|d| (day(d), Some(day(d) + length), Some(day(d - 2)))).to_vec();
        assert_eq!(times(", \"every\": 7"), weekly);
        assert_eq!(times(", \"every\": 7, \"last\": \"day 9\""), weekly[..2]);
        assert_eq!(times(""), weekly[..1]);
        assert_eq!(of(", \"every\": 7").unwrap().processors(), 12, "on the log's own machine");
        assert_eq!(
            of(", \"every\": 0").unwrap_err(),
            "change 1 repeats every so many days, but does not end in between: give until, and at least 1 day"
        );
        let alone = r#"{"from": 5, "until": 9, "nodes": -1, "every": 1}"#;
        assert!(with_changes(alone).starts_with("change 1 repeats, and there is no log to say how long"));
    }

    #[test]
    fn processors_that_are_away_are_the_last_of_their_cell() {
        let json = r#"{"cells": [{"name": "cpu", "nodes": 10, "node": {"processors": 4}},
            {"name": "gpu", "nodes": 3, "node": {"processors": 8}}],
            "changes": [{"from": 5, "until": 9, "cell": "gpu", "nodes": -2}, {"from": 7, "cell": "gpu", "nodes": 1},
                {"from": 1, "until": 2, "cell": "cpu", "nodes": 5}]}"#;
        let machine: Machine = serde_json::from_str(json).unwrap();
        assert_eq!(machine.processor_ranges(), [(0, 40), (40, 24)]);
        let gone: Vec<_> = machine.gone().iter().map(|of| (of.from, of.until, of.first, of.count)).collect();
        assert_eq!(gone, [(5, 7, 48, 16), (7, 9, 56, 8)]);
    }

    #[test]
    fn a_partition_by_itself_has_its_cells_and_their_changes() {
        let json = r#"{"cells": [{"name": "cpu", "nodes": 10, "node": {"processors": 4}},
            {"name": "gpu", "nodes": 2, "node": {"processors": 8, "gpus": 4}}],
            "partitions": [{"name": "batch", "cells": ["cpu"]}, {"name": "accel", "cells": ["gpu"]}],
            "changes": [{"from": 5, "cell": "gpu", "nodes": -2}, {"from": 5, "cell": "cpu", "nodes": -1}]}"#;
        let whole: MachineDescription = serde_json::from_str(json).unwrap();
        let part = whole.of_partition(&["2", "accel"]).machine(|_| Err(String::new())).unwrap();
        assert_eq!((part.processors(), part.cells().len(), part.calendar().len()), (16, 1, 1));
        assert_eq!(whole.of_partition(&["3"]), whole, "nothing is known of it");
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
        // the form in which workers get it, with its workload
        let sent = postcard::to_stdvec(&machine).unwrap();
        assert_eq!(postcard::from_bytes::<Machine>(&sent).unwrap(), machine);
    }
}

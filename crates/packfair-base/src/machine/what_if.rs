//! What if a machine were otherwise: more nodes, a maintenance window, more memory, another partition.

use super::description::{
    CellDescription, ChangeDescription, MachineDescription, MomentDescription, PartitionDescription, SuspendDescription,
};
use super::events::Displaced;
use super::power::{Deferral, Deferred};
use super::{Machine, MachineError, Seconds};
use std::fmt;
use std::str::FromStr;

/// The longest text of a what-if, characters.
pub const LONGEST_WHAT_IF: usize = 1_000;

/// The factors by which a resource of nodes can be multiplied.
const TIMES: std::ops::RangeInclusive<f64> = 0.01..=1_000.0;

/// What is otherwise on a machine. In a study it is a row of its own: `nodes=+20 cell=gpu from=2026-02-03`,
/// `memory=x2`, `partition=batch cells=cpu+gpu`. Several alterations are separated by commas.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIf(Vec<Alteration>);

#[derive(Clone, Debug, PartialEq)]
enum Alteration {
    /// A cell has this many nodes more, or fewer, from the beginning and for ever.
    Nodes {
        more: i64,
        cell: Option<String>,
    },
    /// Nodes come or go at a time.
    Change(ChangeDescription),
    /// Nodes have more or less of a resource: those of a cell, or of all cells whose nodes have any of it.
    Resource {
        resource: String,
        amount: WhatIfAmount,
        cell: Option<String>,
    },
    Partition(PartitionDescription),
    /// The cap of power is another one, for ever or for a time.
    PowerCap {
        cap: Cap,
        during: Option<ChangeDescription>,
    },
    /// Nodes that idle for so many seconds are switched off.
    Suspend(Seconds),
    /// Jobs wait for hours in which energy is cheap.
    Deferral(Deferral),
}

/// A cap of power.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cap {
    /// Kilowatts.
    Kilowatts(f64),
    /// Percent of what the machine draws if all its nodes are held.
    Percent(f64),
}

impl Cap {
    fn read(text: &str) -> Option<Self> {
        let read = |number: &str| number.parse().ok().filter(|&number: &f64| number.is_finite() && number > 0.0);
        match text.strip_suffix('%') {
            Some(percent) => read(percent).map(Cap::Percent),
            None => read(text).map(Cap::Kilowatts),
        }
    }

    /// The cap on a machine, kW.
    fn on(self, machine: &MachineDescription) -> Result<f64, MachineError> {
        match self {
            Cap::Kilowatts(kw) => Ok(kw),
            Cap::Percent(percent) => {
                let bare = MachineDescription { changes: Vec::new(), power_cap: None, ..machine.clone() };
                let most = bare.machine(|_| Err(String::new()))?.most_watts();
                let none = || MachineError::Power("a cap in percent needs the watts of the machine's nodes".to_owned());
                most.map(|watts| watts / 1_000.0 * percent / 100.0).ok_or_else(none)
            }
        }
    }
}

impl fmt::Display for Cap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cap::Kilowatts(kw) => write!(f, "{kw}"),
            Cap::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

/// A new amount of a resource in a node.
#[derive(Clone, Copy, Debug, PartialEq)]
enum WhatIfAmount {
    Times(f64),
    Of(u64),
}

/// Why a text cannot be read as a what-if.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhatIfError {
    #[error("say what is otherwise, as nodes=+20 cell=gpu, memory=x2 or partition=batch cells=cpu+gpu")]
    Nothing,
    #[error("it has more than {LONGEST_WHAT_IF} characters")]
    TooLong,
    #[error(
        "\"{0}\" is none of nodes=, memory=, gpus=, processors=, partition=, power_cap=, suspend=, wait_for=, with cell=, cells=, from=, until=, announced=, what=, every=, last=, whole_nodes=, user=, queue=, share="
    )]
    Word(String),
    #[error("{key}={value}: give {right}")]
    Value {
        key: String,
        value: String,
        /// What would be valid.
        right: &'static str,
    },
    #[error("{key}= says nothing of {of}=")]
    Beside { key: String, of: String },
}

impl WhatIf {
    /// The description with these alterations. All its cells must be listed.
    ///
    /// # Errors
    /// If an alteration does not fit the machine.
    pub fn of(&self, mut description: MachineDescription) -> Result<MachineDescription, MachineError> {
        self.0.iter().try_for_each(|alteration| alteration.make(&mut description))?;
        Ok(description)
    }

    /// A short name, for a row: "20 more nodes of gpu".
    pub fn name(&self) -> String {
        self.0.iter().map(Alteration::name).collect::<Vec<_>>().join(" and ")
    }

    /// The numbers of nodes that cells have more or fewer from the beginning, each with the cell's name where one is given;
    /// `None` where it alters anything else.
    pub fn nodes_alone(&self) -> Option<Vec<(i64, Option<&str>)>> {
        let nodes = self.0.iter().map(|alteration| match alteration {
            Alteration::Nodes { more, cell } => Some((*more, cell.as_deref())),
            _ => None,
        });
        nodes.collect()
    }

    /// Whether it alters nothing but the machine's power.
    pub fn is_of_power(&self) -> bool {
        let is_it = |alteration: &Alteration| {
            matches!(alteration, Alteration::PowerCap { .. } | Alteration::Suspend(_) | Alteration::Deferral(_))
        };
        self.0.iter().all(is_it)
    }

    /// Which jobs wait for cheap hours, if any do.
    pub fn deferral(&self) -> Option<&Deferral> {
        self.0.iter().find_map(|alteration| match alteration {
            Alteration::Deferral(deferral) => Some(deferral),
            _ => None,
        })
    }

    /// Whether it leaves the machine as it is: all that it says is which jobs wait.
    pub fn is_of_jobs(&self) -> bool {
        self.0.iter().all(|alteration| matches!(alteration, Alteration::Deferral(_)))
    }

    /// That so many percent of all jobs wait for the hours from one to another.
    pub(super) fn waiting_for(hours: (u8, u8), percent: f64) -> Self {
        WhatIf(vec![Alteration::Deferral(Deferral::of_share(hours, percent))])
    }
}

impl Alteration {
    fn make(&self, machine: &mut MachineDescription) -> Result<(), MachineError> {
        match self {
            Alteration::Nodes { more, cell } => {
                let cell = the_cell(&mut machine.cells, cell.as_ref(), &|| self.to_string())?;
                let left = i64::from(cell.nodes).saturating_add(*more);
                let none = || MachineError::NoneLeft { cell: cell.name.clone(), nodes: cell.nodes, more: *more };
                cell.nodes = u32::try_from(left).ok().filter(|&nodes| nodes > 0).ok_or_else(none)?;
            }
            Alteration::Change(change) => machine.changes.push(change.clone()),
            Alteration::Resource { resource, amount, cell } => {
                let has = |node: &CellDescription| node.node.get(resource).is_some_and(|&amount| amount > 0);
                let is_all = machine.cells.iter().any(has);
                let named = cell.as_ref();
                let mut altered: Vec<&mut CellDescription> = match named {
                    Some(_) => vec![the_cell(&mut machine.cells, named, &|| self.to_string())?],
                    None => machine.cells.iter_mut().filter(|cell| has(cell) || !is_all).collect(),
                };
                for cell in &mut altered {
                    let now = cell.node.get(resource).copied().unwrap_or(0);
                    let then = match *amount {
                        WhatIfAmount::Of(amount) => amount,
                        WhatIfAmount::Times(_) if now == 0 => {
                            return Err(MachineError::NothingToMultiply(resource.clone()));
                        }
                        // at most 1000 times as much; later checks tell if it is too much
                        WhatIfAmount::Times(times) => (now as f64 * times).round() as u64,
                    };
                    cell.node.insert(resource.clone(), then);
                }
            }
            Alteration::Partition(partition) => {
                match machine.partitions.iter_mut().find(|own| own.name == partition.name) {
                    Some(own) => own.clone_from(partition),
                    None => machine.partitions.push(partition.clone()),
                }
            }
            Alteration::PowerCap { cap, during: None } => machine.power_cap = Some(cap.on(machine)?),
            Alteration::PowerCap { cap, during: Some(during) } => {
                let power_cap = Some(cap.on(machine)?);
                machine.changes.push(ChangeDescription { power_cap, ..during.clone() });
            }
            Alteration::Suspend(after) => match &mut machine.suspend {
                Some(suspend) => suspend.after = *after,
                none => *none = Some(SuspendDescription::after(*after)),
            },
            Alteration::Deferral(_) => {}
        }
        Ok(())
    }

    fn name(&self) -> String {
        let of = |cell: &Option<String>| cell.as_ref().map(|cell| format!(" of {cell}")).unwrap_or_default();
        match self {
            Alteration::Nodes { more, cell } => format!("{}{}", nodes(*more), of(cell)),
            Alteration::Change(change) => {
                let until = change.until.as_ref().map(|until| format!(" until {until}")).unwrap_or_default();
                let every = change.every.map(|days| format!(" every {days} days")).unwrap_or_default();
                format!("{}{} from {}{until}{every}", nodes(change.nodes), of(&change.cell), change.from)
            }
            Alteration::Resource { resource, amount: WhatIfAmount::Times(times), cell } => {
                format!("{resource} x {times}{}", of(cell))
            }
            Alteration::Resource { resource, amount: WhatIfAmount::Of(amount), cell } => {
                format!("{amount} {resource} a node{}", of(cell))
            }
            Alteration::Partition(PartitionDescription { name, cells, .. }) => {
                format!("partition {name} on {}", cells.join(" and "))
            }
            Alteration::PowerCap { cap, during } => {
                let cap = match cap {
                    Cap::Kilowatts(kw) => format!("cap of {kw} kW"),
                    Cap::Percent(percent) => format!("cap at {percent} % of the peak"),
                };
                let from = during.as_ref().map(|during| format!(" from {}", during.from)).unwrap_or_default();
                let until = during.as_ref().and_then(|during| during.until.as_ref());
                let until = until.map(|until| format!(" until {until}")).unwrap_or_default();
                format!("{cap}{from}{until}")
            }
            Alteration::Suspend(after) if after % 60 == 0 => format!("idle nodes off after {} min", after / 60),
            Alteration::Suspend(after) => format!("idle nodes off after {after} s"),
            Alteration::Deferral(deferral) => deferral.name(),
        }
    }
}

/// The words for a change of the number of nodes, such as "20 more nodes".
fn nodes(more: i64) -> String {
    let (count, than) = (more.unsigned_abs(), if more < 0 { "fewer" } else { "more" });
    format!("{count} {than} {}", if count == 1 { "node" } else { "nodes" })
}

/// The cell with a name, or without a name the only cell.
fn the_cell<'a>(
    cells: &'a mut [CellDescription],
    name: Option<&String>,
    what: &dyn Fn() -> String,
) -> Result<&'a mut CellDescription, MachineError> {
    let known = cells.iter().map(|cell| cell.name.as_str()).collect::<Vec<_>>().join(", ");
    match (name, cells.len()) {
        (None, 1) => Ok(&mut cells[0]),
        (None, _) => Err(MachineError::WhatIfOfWhichCell { what: what(), cells: known }),
        (Some(name), _) => {
            let unknown =
                || MachineError::UnknownCell { what: format!("\"{}\"", what()), cell: name.clone(), cells: known };
            cells.iter_mut().find(|cell| cell.name == *name).ok_or_else(unknown)
        }
    }
}

impl fmt::Display for WhatIf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, alteration) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            alteration.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Alteration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Alteration::Nodes { more, cell } => {
                write!(f, "nodes={more:+}")?;
                word(f, "cell", cell.as_ref())
            }
            Alteration::Change(change) => {
                write!(f, "nodes={:+}", change.nodes)?;
                word(f, "cell", change.cell.as_ref())?;
                words_of(f, change)
            }
            Alteration::PowerCap { cap, during } => {
                write!(f, "power_cap={cap}")?;
                during.as_ref().map_or(Ok(()), |during| words_of(f, during))
            }
            Alteration::Suspend(after) => write!(f, "suspend={after}"),
            Alteration::Deferral(deferral) => deferral.fmt(f),
            Alteration::Resource { resource, amount, cell } => {
                match amount {
                    WhatIfAmount::Times(times) => write!(f, "{resource}=x{times}")?,
                    WhatIfAmount::Of(amount) => write!(f, "{resource}={amount}")?,
                }
                word(f, "cell", cell.as_ref())
            }
            Alteration::Partition(PartitionDescription { name, cells, whole_nodes }) => {
                write!(f, "partition={name} cells={}", cells.join("+"))?;
                word(f, "whole_nodes", whole_nodes.then_some(&"yes"))
            }
        }
    }
}

/// Writes when a change is.
fn words_of(f: &mut fmt::Formatter<'_>, change: &ChangeDescription) -> fmt::Result {
    let ChangeDescription { from, until, announced, what, every, last, cell: _, nodes: _, power_cap: _ } = change;
    word(f, "from", Some(from))?;
    word(f, "until", until.as_ref())?;
    word(f, "announced", announced.as_ref())?;
    word(f, "what", (*what == Displaced::Kill).then_some(&"kill"))?;
    word(f, "every", every.as_ref())?;
    word(f, "last", last.as_ref())
}

fn word(f: &mut fmt::Formatter<'_>, key: &str, value: Option<&impl fmt::Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key}={value}"))
}

impl FromStr for WhatIf {
    type Err = WhatIfError;

    fn from_str(text: &str) -> Result<Self, WhatIfError> {
        if text.chars().count() > LONGEST_WHAT_IF {
            return Err(WhatIfError::TooLong);
        }
        let clauses = text.split(',').map(str::trim).filter(|clause| !clause.is_empty());
        let alterations = clauses.map(str::parse).collect::<Result<Vec<Alteration>, _>>()?;
        if alterations.is_empty() { Err(WhatIfError::Nothing) } else { Ok(WhatIf(alterations)) }
    }
}

struct ClauseWords {
    of: String,
    left: Vec<(String, String)>,
}

impl ClauseWords {
    fn take(&mut self, key: &str) -> Option<String> {
        let place = self.left.iter().position(|(own, _)| own == key)?;
        Some(self.left.remove(place).1)
    }

    /// Takes the value of a word, and reads it with `of`. `right` says what would be valid.
    fn read<T>(
        &mut self,
        key: &str,
        right: &'static str,
        of: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, WhatIfError> {
        let read =
            |value: String| of(&value).ok_or(WhatIfError::Value { key: key.to_owned(), value: value.clone(), right });
        self.take(key).map(read).transpose()
    }

    /// Takes the words of a change that begins at `from`.
    fn change(&mut self, from: String, cell: Option<String>, nodes: i64) -> Result<ChangeDescription, WhatIfError> {
        let moment = |text: String| MomentDescription::from(text.as_str());
        let displaced = |what: &str| match what {
            "drain" => Some(Displaced::Drain),
            "kill" => Some(Displaced::Kill),
            _ => None,
        };
        Ok(ChangeDescription {
            from: moment(from),
            until: self.take("until").map(moment),
            cell,
            nodes,
            announced: self.take("announced").map(moment),
            what: self.read("what", "drain or kill", displaced)?.unwrap_or_default(),
            every: self.read("every", "after how many days it comes again", |days| days.parse().ok())?,
            last: self.take("last").map(moment),
            power_cap: None,
        })
    }

    /// Checks that no words are left.
    fn end(self) -> Result<(), WhatIfError> {
        match self.left.into_iter().next() {
            None => Ok(()),
            Some((key, _)) => Err(WhatIfError::Beside { key, of: self.of }),
        }
    }
}

/// The words that may follow the first word of a clause.
const BESIDE: [&str; 12] =
    ["cell", "cells", "from", "until", "announced", "what", "every", "last", "whole_nodes", "user", "queue", "share"];

impl FromStr for Alteration {
    type Err = WhatIfError;

    fn from_str(text: &str) -> Result<Self, WhatIfError> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for part in text.split_whitespace() {
            match (part.split_once('='), pairs.last_mut()) {
                (Some((key, value)), _) => pairs.push((key.to_owned(), value.to_owned())),
                // a part without `=` is the time of day behind a date
                (None, Some((_, value))) => *value = format!("{value} {part}"),
                // a number by itself is one of nodes
                (None, None) if part.starts_with(['+', '-']) => pairs.push(("nodes".to_owned(), part.to_owned())),
                (None, None) => return Err(WhatIfError::Word(part.to_owned())),
            }
        }
        if let Some((key, _)) = pairs.iter().skip(1).find(|(key, _)| !BESIDE.contains(&key.as_str())) {
            return Err(WhatIfError::Word(format!("{key}=")));
        }
        let mut words = pairs.into_iter();
        let (of, value) = words.next().ok_or(WhatIfError::Nothing)?;
        let mut words = ClauseWords { of: of.clone(), left: words.collect() };
        let wrong = |right| WhatIfError::Value { key: of.clone(), value: value.clone(), right };
        let cell = words.take("cell");
        let alteration = match of.as_str() {
            "nodes" => {
                let more = value.parse().ok().filter(|&more: &i64| more != 0);
                let more = more.ok_or_else(|| wrong("how many nodes are more (+20) or fewer (-20)"))?;
                match words.take("from") {
                    None => Alteration::Nodes { more, cell },
                    Some(from) => Alteration::Change(words.change(from, cell, more)?),
                }
            }
            "power_cap" | "suspend" | "wait_for" if cell.is_some() => {
                return Err(WhatIfError::Beside { key: "cell".to_owned(), of });
            }
            "power_cap" => {
                let cap =
                    Cap::read(&value).ok_or_else(|| wrong("kilowatts, as 2.5, or percent of the peak, as 80%"))?;
                let during = words.take("from").map(|from| words.change(from, None, 0)).transpose()?;
                Alteration::PowerCap { cap, during }
            }
            "suspend" => {
                let after = value.parse().ok().filter(|&after: &Seconds| after >= 0);
                Alteration::Suspend(after.ok_or_else(|| wrong("after how many idle seconds nodes are switched off"))?)
            }
            "wait_for" => {
                let names = |text: &str| {
                    let names: Vec<String> = text.split('+').map(|name| name.trim().to_owned()).collect();
                    (!names.iter().any(String::is_empty)).then_some(names)
                };
                let percent = |text: &str| {
                    let share = text.strip_suffix('%')?.parse().ok();
                    share.filter(|share: &f64| *share > 0.0 && *share <= 100.0)
                };
                let users = words.read("user", "users, as ann+bob", names)?.map(Deferred::Users);
                let queues = words.read("queue", "queues, as batch+night", names)?.map(Deferred::Queues);
                let share = words.read("share", "percent of all jobs, as 30%", percent)?.map(Deferred::Share);
                let mut said = [users, queues, share].into_iter().flatten();
                let who = said.next().unwrap_or(Deferred::All);
                if said.next().is_some() {
                    return Err(wrong("one of user=, queue= and share= beside it"));
                }
                let hours = "the hours of the day in which energy is cheap, as 22-6";
                Alteration::Deferral(Deferral::read(&value, who).ok_or_else(|| wrong(hours))?)
            }
            "partition" => {
                let cells: Vec<String> = match words.take("cells") {
                    Some(cells) => cells.split('+').map(|cell| cell.trim().to_owned()).collect(),
                    None => cell.into_iter().collect(),
                };
                if value.is_empty() || cells.is_empty() || cells.iter().any(String::is_empty) {
                    return Err(wrong("its name, and cells=, as partition=batch cells=cpu+gpu"));
                }
                let whole_nodes = words.read("whole_nodes", "yes or no", |text| match text {
                    "yes" => Some(true),
                    "no" => Some(false),
                    _ => None,
                })?;
                Alteration::Partition(PartitionDescription {
                    name: value,
                    cells,
                    whole_nodes: whole_nodes.unwrap_or_default(),
                })
            }
            resource if [Machine::PROCESSORS, Machine::GPUS, Machine::MEMORY].contains(&resource) => {
                let times = value.strip_prefix('x').and_then(|times| times.parse().ok());
                let times = times.filter(|times| TIMES.contains(times)).map(WhatIfAmount::Times);
                let amount = times.or_else(|| value.parse().ok().map(WhatIfAmount::Of));
                let amount =
                    amount.ok_or_else(|| wrong("how much a node has (64000), or how many times as much (x2)"))?;
                Alteration::Resource { resource: of, amount, cell }
            }
            _ => return Err(WhatIfError::Word(format!("{of}="))),
        };
        words.end()?;
        Ok(alteration)
    }
}

crate::serde_as_text!(WhatIf);

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<WhatIf, String> {
        text.parse().map_err(|error: WhatIfError| error.to_string())
    }

    #[test]
    fn what_is_read_is_written_again_and_has_a_name() {
        for (text, name) in [
            ("nodes=+20", "20 more nodes"),
            ("nodes=-1 cell=gpu", "1 fewer node of gpu"),
            ("nodes=+20 cell=gpu from=2026-02-03 08:00", "20 more nodes of gpu from 2026-02-03 08:00"),
            (
                "nodes=-4 from=100 until=200 announced=0 what=kill every=7 last=5000",
                "4 fewer nodes from 100 until 200 every 7 days",
            ),
            ("memory=x2", "memory x 2"),
            ("memory=512000 cell=cpu", "512000 memory a node of cpu"),
            ("partition=batch cells=cpu+gpu whole_nodes=yes", "partition batch on cpu and gpu"),
            ("nodes=+2 cell=a, memory=x1.5 cell=a", "2 more nodes of a and memory x 1.5 of a"),
            ("power_cap=2.5", "cap of 2.5 kW"),
            ("power_cap=80%", "cap at 80 % of the peak"),
            ("power_cap=80% from=5 until=9 announced=1 what=kill", "cap at 80 % of the peak from 5 until 9"),
            ("suspend=600, power_cap=1", "idle nodes off after 10 min and cap of 1 kW"),
            ("suspend=90", "idle nodes off after 90 s"),
        ] {
            let what_if = read(text).unwrap();
            assert_eq!((what_if.to_string().as_str(), what_if.name().as_str()), (text, name));
            assert_eq!(read(&what_if.to_string()).unwrap(), what_if);
        }
        assert_eq!(read(" nodes=20 ,").unwrap().to_string(), "nodes=+20");
        assert_eq!(read("+20").unwrap().to_string(), "nodes=+20");
        assert_eq!(read("-4 cell=gpu").unwrap().to_string(), "nodes=-4 cell=gpu");
        assert_eq!(read("-4 cell=gpu, +2").unwrap().nodes_alone(), Some(vec![(-4, Some("gpu")), (2, None)]));
        assert_eq!(read("+2, memory=x2").unwrap().nodes_alone(), None);
        assert_eq!(read("+2 from=5").unwrap().nodes_alone(), None, "not from the beginning");
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for (text, said) in [
            ("", "say what is otherwise"),
            ("twice", "\"twice\" is none of nodes="),
            ("nodes=many", "nodes=many: give how many nodes are more (+20) or fewer (-20)"),
            ("nodes=0", "nodes=0: give how many"),
            ("+many", "nodes=+many: give how many nodes are more (+20) or fewer (-20)"),
            ("nodes=+2 colour=red", "\"colour=\" is none of"),
            ("nodes=+2 until=5", "until= says nothing of nodes="),
            ("nodes=+2 from=1 what=stop", "what=stop: give drain or kill"),
            ("memory=double", "memory=double: give how much a node has (64000), or how many times as much (x2)"),
            ("memory=x0", "memory=x0: give"),
            ("memory=x2 every=7", "every= says nothing of memory="),
            ("partition=batch", "partition=batch: give its name, and cells="),
            ("power_cap=some", "power_cap=some: give kilowatts, as 2.5, or percent of the peak"),
            ("power_cap=-1", "power_cap=-1: give"),
            ("power_cap=5 until=9", "until= says nothing of power_cap="),
            ("suspend=5 cell=gpu", "cell= says nothing of suspend="),
            ("suspend=soon", "suspend=soon: give after how many idle seconds"),
            ("partition=batch cells=a+", "partition=batch: give its name, and cells="),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(said), "{text}: {error}");
        }
        assert_eq!(read(&"x".repeat(1_001)).unwrap_err(), "it has more than 1000 characters");
    }

    fn otherwise(text: &str) -> Result<Machine, String> {
        let json = r#"{"cells": [{"name": "cpu", "nodes": 10, "node": {"processors": 4, "memory": 100}},
            {"name": "gpu", "nodes": 2, "node": {"processors": 8, "gpus": 4}}],
            "partitions": [{"name": "batch", "cells": ["cpu"]}]}"#;
        let machine: MachineDescription = serde_json::from_str(json).unwrap();
        let machine = read(text).unwrap().of(machine).map_err(|error| error.to_string())?;
        machine.machine(|_| Err("no clock".to_owned())).map_err(|error| error.to_string())
    }

    #[test]
    fn the_machine_is_otherwise() {
        assert_eq!(otherwise("nodes=+3 cell=gpu").unwrap().processors(), 40 + 40);
        let machine = otherwise("nodes=-2 cell=cpu from=10 until=20").unwrap();
        assert_eq!((machine.processors(), machine.calendar().len()), (56, 1));
        let twice = otherwise("memory=x2").unwrap();
        assert_eq!(twice.total(2), 2_000, "the cell that has none has none now");
        assert_eq!(otherwise("memory=50 cell=gpu").unwrap().total(2), 1_000 + 100);
        let both = otherwise("partition=batch cells=cpu+gpu, partition=new cells=gpu").unwrap();
        assert_eq!(both.partitions().iter().map(|of| of.cells.len()).collect::<Vec<_>>(), [2, 1]);
        for (text, said) in [
            ("nodes=+3", "\"nodes=+3\" names no cell; say which with cell=, one of cpu, gpu"),
            ("nodes=-2 cell=gpu", "cell \"gpu\" has 2 nodes, and -2 of them leave none; take fewer"),
            ("nodes=+1 cell=big", "\"nodes=+1 cell=big\" names the cell \"big\", but there is none of that name"),
            ("gpus=x2 cell=cpu", "no node has any gpus; give how much"),
            ("partition=batch cells=big", "partition \"batch\" names the cell \"big\""),
            ("nodes=-1 from=5", "change 1 names no cell; name one of cpu, gpu"),
            ("power_cap=80%", "a cap in percent needs the watts of the machine's nodes"),
            ("power_cap=8", "power_cap needs idle_watts and busy_watts of a node of each cell"),
        ] {
            let error = otherwise(text).unwrap_err();
            assert!(error.starts_with(said), "{text}: {error}");
        }
    }
}

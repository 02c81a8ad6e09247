//! A change of the calendar as a description has it: when it begins, and whether it comes again.

use super::{CellDescription, MachineDescription, MachineOfLog};
use crate::machine::events::{Change, Displaced};
use crate::machine::layout::{Cell, MOST_CHANGES, Machine};
use crate::machine::power::{CapChange, NodePower, PowerCap, PowerModel, Suspend, milliwatts};
use crate::machine::{MachineError, Seconds};
use serde::{Deserialize, Serialize};
use std::fmt;

pub(super) const DAY: Seconds = 86_400;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeDescription {
    pub from: MomentDescription,
    /// When it ends; none: it never ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<MomentDescription>,
    /// The name of the cell; none: the only cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// How many nodes more there are, or below 0, fewer.
    #[serde(default, skip_serializing_if = "is_none")]
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
    /// The cap of power meanwhile, kW, where the change is of the cap and not of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_cap: Option<f64>,
}

fn is_none(nodes: &i64) -> bool {
    *nodes == 0
}

fn is_usual(what: &Displaced) -> bool {
    *what == Displaced::default()
}

/// A point in time: seconds of the log, or a date on the clock of the log's place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MomentDescription {
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

impl ChangeDescription {
    /// A change of the cap of power.
    pub(super) fn of_cap(
        kw: f64,
        from: Seconds,
        until: Option<Seconds>,
        announced: Option<Seconds>,
        what: Displaced,
    ) -> Self {
        ChangeDescription {
            from: MomentDescription::Seconds(from),
            until: until.map(MomentDescription::Seconds),
            cell: None,
            nodes: 0,
            announced: announced.map(MomentDescription::Seconds),
            what,
            every: None,
            last: None,
            power_cap: Some(kw),
        }
    }

    /// Checks a change of the cap of power.
    pub(super) fn check_of_cap(&self, number: usize) -> Result<(), MachineError> {
        if self.nodes != 0 || self.cell.is_some() {
            let text = format!("change {number} has nodes or a cell beside power_cap; make it two changes");
            return Err(MachineError::Power(text));
        }
        Ok(())
    }

    /// The first occurrence of the change.
    pub(super) fn first(&self, number: usize, cell: usize, log: &impl MachineOfLog) -> Result<Change, MachineError> {
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
    pub(super) fn repeat(
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

// The power of a machine as its description says it.

/// The words of a node that say what it draws, and how long it takes to go off and on. They are no resources.
pub const POWER_WORDS: [&str; 7] =
    ["idle_watts", "busy_watts", "off_watts", "gpu_idle_watts", "gpu_busy_watts", "boot", "shutdown"];

/// The most watts of a node or of a GPU.
const MOST_WATTS: u64 = 10_000_000;

/// The most seconds that a node takes to boot, and that it is idle until it is switched off.
const LONGEST: Seconds = 366 * 86_400;

/// The range of a cap, kW.
const CAPS: std::ops::RangeInclusive<f64> = 0.000_001..=100_000_000.0;

/// The range of the power usage effectiveness.
const PUES: std::ops::RangeInclusive<f64> = 1.0..=10.0;

/// The description of when idle nodes are switched off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuspendDescription {
    /// After how many idle seconds.
    pub after: Seconds,
    /// The most nodes that are switched off in a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<u32>,
    /// The most nodes that are switched on in a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume_rate: Option<u32>,
    /// How many idle nodes of each cell stay on.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub keep: u32,
    /// The names of cells whose nodes are never switched off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<String>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl NodePower {
    fn of(cell: &CellDescription) -> Result<Self, MachineError> {
        let get = |word: &str| cell.node.get(word).copied().unwrap_or(0);
        let wrong = |what: String| MachineError::Power(format!("a node of cell \"{}\" {what}", cell.name));
        let watts = |word: &str| match get(word) {
            watts if watts > MOST_WATTS => Err(wrong(format!("has {word} = {watts}; give at most {MOST_WATTS}"))),
            watts => Ok(watts),
        };
        let seconds = |word: &str| match i64::try_from(get(word)) {
            Ok(seconds) if seconds <= LONGEST => Ok(seconds),
            _ => Err(wrong(format!("takes {word} = {} seconds; give at most {LONGEST}", get(word)))),
        };
        let power = NodePower {
            idle: watts("idle_watts")?,
            busy: watts("busy_watts")?,
            off: watts("off_watts")?,
            gpu_idle: watts("gpu_idle_watts")?,
            gpu_busy: watts("gpu_busy_watts")?,
            boot: seconds("boot")?,
            shutdown: seconds("shutdown")?,
        };
        for (idle, busy, [of_idle, of_busy]) in [
            (power.idle, power.busy, ["idle_watts", "busy_watts"]),
            (power.gpu_idle, power.gpu_busy, ["gpu_idle_watts", "gpu_busy_watts"]),
        ] {
            if busy < idle {
                return Err(wrong(format!("has {of_busy} = {busy}, below {of_idle} = {idle}; give at least as much")));
            }
        }
        Ok(power)
    }
}

impl MachineDescription {
    /// The machine with the power that is described, where something is said of it. `described` are its cells,
    /// `cap_changes` the changes of the calendar that are of the cap, with their caps.
    pub(in crate::machine) fn with_power(
        &self,
        mut machine: Machine,
        described: &[CellDescription],
        cap_changes: Vec<(Change, f64)>,
    ) -> Result<Machine, MachineError> {
        let says = |cell: &CellDescription, words: &[&str]| words.iter().any(|&word| cell.node.contains_key(word));
        let is_said = described.iter().any(|cell| says(cell, &POWER_WORDS));
        let is_capped = self.power_cap.is_some() || !cap_changes.is_empty();
        if !is_said && !is_capped && self.pue.is_none() && self.suspend.is_none() {
            return Ok(machine);
        }
        let has_watts = described.iter().any(|cell| says(cell, &POWER_WORDS[..5]));
        let lacking = described.iter().find(|cell| !says(cell, &["busy_watts"]) || !says(cell, &["idle_watts"]));
        if let Some(cell) = lacking.filter(|_| has_watts) {
            return Err(MachineError::Power(format!(
                "cell \"{}\" lacks idle_watts or busy_watts; give both for a node of each cell, or no watts at all",
                cell.name
            )));
        }
        let nodes = described.iter().map(NodePower::of).collect::<Result<Vec<_>, _>>()?;
        let pue = self.pue.unwrap_or(1.0);
        if !PUES.contains(&pue) {
            return Err(MachineError::Power(format!("pue is {pue}; give a number from 1 to 10")));
        }
        let suspend = self.suspend.as_ref().map(|described| described.of(machine.cells())).transpose()?;
        let power = PowerModel { nodes, has_watts, pue, cap: None, expected: self.power_expected, suspend };
        machine.power = Some(Box::new(power.clone()));
        if !is_capped {
            return Ok(machine);
        }
        let Some(most) = machine.most_watts() else {
            let text = "power_cap needs idle_watts and busy_watts of a node of each cell";
            return Err(MachineError::Power(text.to_owned()));
        };
        // a cap may hold for a time only; otherwise the machine may draw what it can
        let kw = self.power_cap.unwrap_or(most / 1_000.0);
        check_cap(kw)?;
        let mut changes = Vec::new();
        for (change, kw_then) in cap_changes {
            check_cap(kw_then)?;
            let nodes = milliwatts(kw_then, pue) - milliwatts(kw, pue);
            changes.push(CapChange { change: Change { nodes, ..change }, kw: kw_then });
        }
        machine.power = Some(Box::new(PowerModel { cap: Some(PowerCap { kw, changes }), ..power }));
        Ok(machine)
    }
}

fn check_cap(kw: f64) -> Result<(), MachineError> {
    if CAPS.contains(&kw) {
        return Ok(());
    }
    Err(MachineError::Power(format!("power_cap is {kw}; give kilowatts above 0, as power_cap = 2.5")))
}

impl SuspendDescription {
    /// Nodes are switched off after so many idle seconds.
    pub(in crate::machine) fn after(after: Seconds) -> Self {
        SuspendDescription { after, rate: None, resume_rate: None, keep: 0, except: Vec::new() }
    }

    fn of(&self, cells: &[Cell]) -> Result<Suspend, MachineError> {
        if !(0..=LONGEST).contains(&self.after) {
            let text = format!("suspend.after is {}; give seconds from 0 to {LONGEST}", self.after);
            return Err(MachineError::Power(text));
        }
        if self.rate == Some(0) || self.resume_rate == Some(0) {
            let text = "suspend.rate and suspend.resume_rate are nodes a minute from 1; leave them out for any number";
            return Err(MachineError::Power(text.to_owned()));
        }
        if let Some(cell) = self.except.iter().find(|&name| cells.iter().all(|cell| cell.name != *name)) {
            return Err(MachineError::UnknownCell {
                what: "suspend.except".to_owned(),
                cell: cell.clone(),
                cells: Machine::cell_names(cells),
            });
        }
        let is_on = |cell: &Cell| !self.except.contains(&cell.name);
        Ok(Suspend {
            after: self.after,
            rate: self.rate,
            resume_rate: self.resume_rate,
            keep: self.keep,
            cells: cells.iter().map(is_on).collect(),
        })
    }
}

impl Suspend {
    /// The description of it, for a machine with these cells.
    pub(in crate::machine) fn described(&self, cells: &[Cell]) -> SuspendDescription {
        let off = |(cell, &is_on): (&Cell, &bool)| (!is_on).then(|| cell.name.clone());
        SuspendDescription {
            after: self.after,
            rate: self.rate,
            resume_rate: self.resume_rate,
            keep: self.keep,
            except: cells.iter().zip(&self.cells).filter_map(off).collect(),
        }
    }
}

impl PowerModel {
    /// The words of a node of a cell, with what they say.
    pub(in crate::machine) fn words(&self, cell: usize) -> Vec<(String, u64)> {
        let NodePower { idle, busy, off, gpu_idle, gpu_busy, boot, shutdown } = self.nodes[cell];
        // times are not below 0
        let values = [idle, busy, off, gpu_idle, gpu_busy, boot.unsigned_abs(), shutdown.unsigned_abs()];
        let is_said = |place: usize, value: u64| value > 0 || (place < 2 && self.has_watts);
        let words = POWER_WORDS.into_iter().zip(values).enumerate();
        words
            .filter(|&(place, (_, value))| is_said(place, value))
            .map(|(_, (word, value))| (word.to_owned(), value))
            .collect()
    }
}

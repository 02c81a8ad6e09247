//! What a machine draws: watts of its nodes, and of what is held of them (docs/power.md).

use super::description::{MachineDescription, SuspendDescription};
use super::events::Change;
use super::sheet::SheetColumn;
use super::what_if::WhatIf;
use super::{Machine, Seconds};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is held in a cell, as power: nanowatts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeldPower {
    /// What it would draw if it were idle.
    pub idle: i64,
    /// What it draws by the machine's watts.
    pub busy: i64,
}

impl Machine {
    /// What is known of the machine's power; none where nothing is.
    pub fn power(&self) -> Option<&PowerModel> {
        self.power.as_deref()
    }

    /// Whether idle nodes are switched off.
    pub fn switches_off(&self) -> bool {
        self.power().is_some_and(|power| power.suspend.is_some())
    }

    /// What is known of the machine's power, where its watts are known.
    pub fn watts(&self) -> Option<&PowerModel> {
        self.power().filter(|power| power.has_watts)
    }

    /// Nanowatts that a node of a cell draws while nobody holds anything of it.
    pub fn idle_node(&self, cell: usize) -> i64 {
        self.held_power(cell, &self.node_amounts(cell), 1).idle
    }

    /// Nanowatts that a node of a cell draws while all of it is held.
    pub fn busy_node(&self, cell: usize) -> i64 {
        self.held_power(cell, &self.node_amounts(cell), 1).busy
    }

    fn node_amounts(&self, cell: usize) -> Vec<i64> {
        self.cells()[cell].node.iter().map(|&amount| amount as i64).collect()
    }

    /// What so many parts draw that take these amounts of the resources of a cell.
    pub fn held_power(&self, cell: usize, each: &[i64], parts: u32) -> HeldPower {
        let Some(power) = self.watts() else { return HeldPower::default() };
        let (node, own) = (&power.nodes[cell], &self.cells()[cell].node);
        let held = |resource: usize| i128::from(each[resource]) * i128::from(parts);
        let gpus = self.resource(Self::GPUS).map_or(0, held);
        let all = |watts: u64, of_gpu: u64| {
            let share = held(0) * i128::from(watts) * i128::from(NANO) / i128::from(own[0].max(1));
            // a description limits watts and amounts
            i64::try_from(share + gpus * i128::from(of_gpu) * i128::from(NANO)).unwrap_or(i64::MAX)
        };
        HeldPower { idle: all(node.idle, node.gpu_idle), busy: all(node.busy, node.gpu_busy) }
    }

    /// The most that the machine draws, watts, without its calendar: all nodes are held. None where watts are not known.
    pub fn most_watts(&self) -> Option<f64> {
        let power = self.watts()?;
        let of = |cell: usize| i128::from(self.busy_node(cell)) * i128::from(self.cells()[cell].nodes);
        let all: i128 = (0..self.cells().len()).map(of).sum();
        Some(all as f64 / NANO as f64 * power.pue)
    }
}

// The cap of what a machine may draw, as an amount that jobs take from: one more place behind those of all cells.
//
// The amount is what is left of the cap if all nodes are idle, milliwatts; a job takes what it draws beyond that.
// Changes of the cap are changes of the calendar, of a cell behind the last one, whose nodes are milliwatts.

/// Nanowatts in a milliwatt.
const TO_MILLI: i64 = NANO / 1_000;

impl Machine {
    /// The cap of what the machine may draw, if it has one.
    pub fn power_cap(&self) -> Option<&PowerCap> {
        self.power()?.cap.as_ref()
    }

    /// The changes of the cap, as changes of the calendar.
    pub fn cap_changes(&self) -> impl Iterator<Item = Change> + '_ {
        self.power_cap().into_iter().flat_map(|cap| cap.changes.iter().map(|own| own.change))
    }

    /// The place of the cap among the amounts of all cells, if there is one.
    pub(super) fn cap_place(&self) -> Option<usize> {
        self.power_cap().map(|_| self.cells().len() * self.resources().len())
    }

    /// What is left of a cap if all nodes are idle, milliwatts; below 0 where it is less than that.
    pub(super) fn cap_left(&self) -> Option<i64> {
        let power = self.power()?;
        let idle = |cell: usize| self.idle_milliwatts(cell) * i64::from(self.cells()[cell].nodes);
        let idle: i64 = (0..self.cells().len()).map(idle).sum();
        Some(milliwatts(power.cap.as_ref()?.kw, power.pue) - idle)
    }

    /// Milliwatts that an idle node draws, rounded up.
    pub(super) fn idle_milliwatts(&self, cell: usize) -> i64 {
        to_milliwatts(self.idle_node(cell))
    }

    /// Milliwatts that a part draws beyond what it would if it were idle. `watts` is what it draws in all, nanowatts,
    /// where that is known.
    pub(super) fn drawn(&self, cell: usize, each: &[i64], watts: Option<i64>) -> i64 {
        let held = self.held_power(cell, each, 1);
        to_milliwatts((watts.unwrap_or(held.busy) - held.idle).max(0))
    }
}

/// The cap over time, watts: a time from which it holds, and the cap; the first holds from the beginning.
pub fn cap_steps(cap: &PowerCap) -> Vec<(Seconds, f64)> {
    let mut changes: Vec<(Seconds, f64)> = Vec::new();
    for own in &cap.changes {
        let more = (own.kw - cap.kw) * 1_000.0;
        changes.push((own.change.from, more));
        changes.extend(own.change.until.map(|until| (until, -more)));
    }
    changes.sort_by_key(|change| change.0);
    let mut now = cap.kw * 1_000.0;
    let mut steps = vec![(Seconds::MIN, now)];
    for (at, more) in changes {
        now += more;
        steps.push((at, now));
    }
    steps
}

/// The milliwatts of the nodes under a cap of the site, rounded down.
pub(super) fn milliwatts(kw: f64, pue: f64) -> i64 {
    (kw * 1e6 / pue).floor() as i64
}

fn to_milliwatts(nanowatts: i64) -> i64 {
    nanowatts.div_euclid(TO_MILLI) + i64::from(nanowatts.rem_euclid(TO_MILLI) > 0)
}

// What is known of the power of a machine (docs/power.md).

/// Nanowatts in a watt. Power is added up in whole nanowatts, so that sums do not depend on their order.
pub const NANO: i64 = 1_000_000_000;

/// What a node draws, and how long it takes to go off and on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodePower {
    /// Watts of a node that is on and of which nobody holds anything, without its GPUs.
    pub idle: u64,
    /// Watts of a node whose processors are all held, without its GPUs.
    pub busy: u64,
    /// Watts of a node that is off.
    pub off: u64,
    /// Watts of a GPU that nobody holds.
    pub gpu_idle: u64,
    /// Watts of a GPU that a job holds.
    pub gpu_busy: u64,
    /// Seconds from the decision to switch a node on until it can be used.
    pub boot: Seconds,
    /// Seconds that a node takes to switch off.
    pub shutdown: Seconds,
}

/// What schedulers reckon that a job draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpectedPower {
    /// What its nodes can draw, by the machine's watts.
    #[default]
    Nameplate,
    /// The mean of what the user's last two jobs drew, for each processor, which by the log had ended as it was
    /// submitted; the nameplate where there is none.
    History,
    /// What it drew by the log; the nameplate where the log does not tell.
    Actual,
}

/// When idle nodes are switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspend {
    /// After how many idle seconds.
    pub after: Seconds,
    /// The most nodes that are switched off in a minute; none: any number.
    pub rate: Option<u32>,
    /// The most nodes that are switched on in a minute; none: any number.
    pub resume_rate: Option<u32>,
    /// How many idle nodes of each cell stay on.
    pub keep: u32,
    /// For each cell, whether its nodes are ever switched off.
    pub cells: Vec<bool>,
}

/// The power of a machine.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerModel {
    /// What the nodes of each cell draw.
    pub nodes: Vec<NodePower>,
    /// Whether watts are known; if not, only times are.
    pub has_watts: bool,
    /// By how much more the site draws than its nodes do (power usage effectiveness), at least 1.
    pub pue: f64,
    /// The cap of what the machine may draw.
    pub cap: Option<PowerCap>,
    /// What is reckoned with under the cap.
    pub expected: ExpectedPower,
    /// When idle nodes are switched off; none: never.
    pub suspend: Option<Suspend>,
}

/// The cap of what a machine may draw.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerCap {
    /// The cap without its changes, kW.
    pub kw: f64,
    /// Its changes.
    pub changes: Vec<CapChange>,
}

/// A time in which the cap is another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapChange {
    /// The change of the calendar: of a cell behind the last one, whose nodes are milliwatts.
    pub change: Change,
    /// The cap meanwhile, kW.
    pub kw: f64,
}

// Jobs that are let wait for hours of the day in which energy is cheap.

/// An hour, seconds.
const HOUR: Seconds = 3_600;

/// A day, seconds.
const DAY: Seconds = 24 * HOUR;

/// Which jobs wait for which hours: an assumption, for no log tells who could have waited.
#[derive(Clone, Debug, PartialEq)]
pub struct Deferral {
    /// The hours of the day, 0 to 23: from the first to before the second, past midnight where that is smaller.
    hours: (u8, u8),
    who: Deferred,
}

/// Who waits.
#[derive(Clone, Debug, PartialEq)]
pub enum Deferred {
    All,
    /// The jobs of these users, by name or number.
    Users(Vec<String>),
    /// The jobs of these queues (partitions), by name or number.
    Queues(Vec<String>),
    /// So many percent of all jobs.
    Share(f64),
}

impl Deferral {
    /// Who waits from which hour on it is cheap, and until which.
    pub(super) fn read(hours: &str, who: Deferred) -> Option<Self> {
        let (from, until) = hours.split_once('-')?;
        let hours = (from.trim().parse().ok()?, until.trim().parse().ok()?);
        let is_hour = |hour: u8| hour < 24;
        (is_hour(hours.0) && is_hour(hours.1) && hours.0 != hours.1).then_some(Deferral { hours, who })
    }

    /// That of so many percent of all jobs, for the hours from one to another.
    pub(super) fn of_share(hours: (u8, u8), percent: f64) -> Self {
        Deferral { hours, who: Deferred::Share(percent) }
    }

    /// Who waits.
    pub fn who(&self) -> &Deferred {
        &self.who
    }

    /// How long a job waits at least that is submitted at this time of a clock, seconds.
    pub fn wait_at(&self, local: Seconds) -> Seconds {
        let begin = Seconds::from(self.hours.0) * HOUR;
        let length = (Seconds::from(self.hours.1) * HOUR - begin).rem_euclid(DAY);
        let since = (local - begin).rem_euclid(DAY);
        if since < length { 0 } else { DAY - since }
    }

    /// A short name, for a row.
    pub(super) fn name(&self) -> String {
        let who = match &self.who {
            Deferred::All => "all jobs".to_owned(),
            Deferred::Users(names) => format!("jobs of {}", names.join(" and ")),
            Deferred::Queues(names) => format!("jobs of queue {}", names.join(" and ")),
            Deferred::Share(percent) => format!("{percent} % of jobs"),
        };
        format!("{who} waiting for {:02}:00 to {:02}:00", self.hours.0, self.hours.1)
    }
}

impl fmt::Display for Deferral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wait_for={}-{}", self.hours.0, self.hours.1)?;
        match &self.who {
            Deferred::All => Ok(()),
            Deferred::Users(names) => write!(f, " user={}", names.join("+")),
            Deferred::Queues(names) => write!(f, " queue={}", names.join("+")),
            Deferred::Share(percent) => write!(f, " share={percent}%"),
        }
    }
}

// The power of a machine as fields that a person fills in, and what is usually asked of it.

const KILOWATTS: &str = "kilowatts above 0, as 2.5";
const SECONDS: &str = "whole seconds";
const FACTOR: &str = "a number from 1 to 10";

/// The fields of what is said of a machine's power beside its cells.
pub static POWER_FIELDS: [SheetColumn<MachineDescription>; 3] = [
    SheetColumn {
        title: "Cap of power, kW",
        help: "The most that may be drawn; jobs wait where they would draw more. Empty for none",
        is_moment: false,
        get: |machine| machine.power_cap.map(|kw| kw.to_string()).unwrap_or_default(),
        set: |machine, text| {
            machine.power_cap = optional(text, |kw: &f64| kw.is_finite() && *kw > 0.0).ok_or(KILOWATTS)?;
            Ok(())
        },
    },
    SheetColumn {
        title: "Idle nodes off after, s",
        help: "After how many idle seconds a node is switched off; jobs wait for it to boot. Empty for never",
        is_moment: false,
        get: |machine| machine.suspend.as_ref().map(|suspend| suspend.after.to_string()).unwrap_or_default(),
        set: |machine, text| {
            let after = optional(text, |&after: &i64| after >= 0).ok_or(SECONDS)?;
            machine.suspend = match (machine.suspend.take(), after) {
                (Some(suspend), Some(after)) => Some(SuspendDescription { after, ..suspend }),
                (None, Some(after)) => Some(SuspendDescription::after(after)),
                (_, None) => None,
            };
            Ok(())
        },
    },
    SheetColumn {
        title: "PUE",
        help: "What the site draws for each watt of its nodes; empty for 1",
        is_moment: false,
        get: |machine| machine.pue.map(|pue| pue.to_string()).unwrap_or_default(),
        set: |machine, text| {
            machine.pue = optional(text, |pue: &f64| (1.0..=10.0).contains(pue)).ok_or(FACTOR)?;
            Ok(())
        },
    },
];

/// The value of a field that may be empty; none where the text is no such value.
fn optional<T: std::str::FromStr>(text: &str, is_right: impl Fn(&T) -> bool) -> Option<Option<T>> {
    match text.trim() {
        "" => Some(None),
        text => text.parse().ok().filter(is_right).map(Some),
    }
}

/// What is usually asked of the power of a machine of which watts are known: idle nodes off after 5, 10 and 30 minutes,
/// and a cap at 90, 80 and 70 % of what it can draw.
pub fn usual_of_power(machine: &MachineDescription) -> Vec<WhatIf> {
    let has_watts = machine.cells.iter().any(|cell| cell.node.contains_key("busy_watts"));
    let texts = ["suspend=300", "suspend=600", "suspend=1800", "power_cap=90%", "power_cap=80%", "power_cap=70%"];
    let asked = if has_watts { &texts[..] } else { &[] };
    asked.iter().filter_map(|text| text.parse().ok()).collect()
}

/// How many hours of a day count as cheap where nothing else is said.
const CHEAP_HOURS: u8 = 6;

/// How many percent of jobs may wait where nothing else is said. No log tells it.
const WAITING_SHARE: f64 = 30.0;

/// That some jobs wait for the hours that are cheapest together, by what each hour of the day costs on the average; none
/// where all hours cost the same.
pub fn waits_for(costs: &[f64; 24]) -> Option<WhatIf> {
    let of = |from: u8| (from..from + CHEAP_HOURS).map(|hour| costs[usize::from(hour % 24)]).sum::<f64>();
    let from = (0..24_u8).min_by(|&one, &other| of(one).total_cmp(&of(other)))?;
    let is_less = costs.iter().any(|cost| *cost * f64::from(CHEAP_HOURS) > of(from));
    is_less.then(|| WhatIf::waiting_for((from, (from + CHEAP_HOURS) % 24), WAITING_SHARE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_comes_in_cheap_hours_does_not_wait() {
        let night = Deferral::read("22-6", Deferred::All).unwrap();
        for (hour, wait) in [(0, 0), (5, 0), (6, 16), (21, 1), (22, 0), (30, 16), (-1, 0)] {
            assert_eq!(night.wait_at(hour * HOUR), wait * HOUR, "{hour}");
        }
        assert_eq!(night.wait_at(6 * HOUR - 1), 0);
        assert_eq!(night.wait_at(22 * HOUR - 1), 1);
        for wrong in ["22", "22-22", "24-6", "a-b", "-1-6", ""] {
            assert_eq!(Deferral::read(wrong, Deferred::All), None, "{wrong}");
        }
    }
}

#[cfg(test)]
mod power_sheet_tests {
    use super::*;

    #[test]
    fn what_is_typed_is_the_power_of_the_machine() {
        let mut machine = MachineDescription::of_processors(4);
        for (place, text) in [(0, "2.5"), (1, "600"), (2, "1.2")] {
            assert_eq!((POWER_FIELDS[place].set)(&mut machine, text), Ok(()));
            assert_eq!((POWER_FIELDS[place].get)(&machine), text);
        }
        assert_eq!(machine.suspend, Some(SuspendDescription::after(600)));
        for (place, text, takes) in [(0, "-1", KILOWATTS), (1, "soon", SECONDS), (2, "0.5", FACTOR)] {
            assert_eq!((POWER_FIELDS[place].set)(&mut machine, text), Err(takes));
        }
        for field in &POWER_FIELDS {
            assert_eq!((field.set)(&mut machine, " "), Ok(()));
        }
        assert_eq!(machine, MachineDescription::of_processors(4));
    }

    #[test]
    fn the_hours_are_found_that_are_cheapest_together() {
        let mut costs = [100.0; 24];
        assert_eq!(waits_for(&costs), None);
        costs[23] = 10.0;
        costs[4] = 20.0;
        let found = waits_for(&costs).unwrap();
        assert_eq!((found.to_string(), found.is_of_power()), ("wait_for=23-5 share=30%".to_owned(), true));
        assert_eq!(found.name(), "30 % of jobs waiting for 23:00 to 05:00");
        for text in ["wait_for=22-6 user=ann+7", "wait_for=0-6 queue=night", "wait_for=0-6 share=30%"] {
            assert_eq!(text.parse::<WhatIf>().unwrap().to_string(), text);
        }
        for wrong in ["wait_for=22", "wait_for=1-2 share=0%", "wait_for=1-2 user=a queue=b", "wait_for=1-2 cell=a"] {
            assert!(wrong.parse::<WhatIf>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn where_watts_are_known_six_questions_are_ready() {
        let mut machine = MachineDescription::of_processors(4);
        assert!(usual_of_power(&machine).is_empty());
        for word in ["idle_watts", "busy_watts"] {
            machine.cells[0].node.insert(word.to_owned(), 100);
        }
        let names: Vec<String> = usual_of_power(&machine).iter().map(WhatIf::name).collect();
        assert_eq!(names.len(), 6);
        assert_eq!((&names[1][..], &names[4][..]), ("idle nodes off after 10 min", "cap at 80 % of the peak"));
        for asked in usual_of_power(&machine) {
            assert!(asked.of(machine.clone()).is_ok_and(|machine| machine.machine(|_| Err(String::new())).is_ok()));
        }
    }
}

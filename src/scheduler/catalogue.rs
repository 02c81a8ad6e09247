//! The catalogue of schedulers.

use super::order::Order;
use super::{Scheduler, easy, guaranteed, list, logged};
use crate::catalogue::{Entry, Kind, Settings, UnknownId};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// All families, in the order in which they are offered.
pub const FAMILIES: &[Family] =
    &[list::FAMILY, easy::FAMILY, guaranteed::CONSERVATIVE, guaranteed::PC, guaranteed::DC, logged::FAMILY];

/// All named presets, in the order in which they are offered.
pub const PRESETS: &[Preset] = &[
    preset("fcfs", "FCFS", "no backfilling: nobody starts before an earlier job", "list:blocked=strict"),
    preset("easy", "EASY", "one reservation, for the head of the queue", "easy"),
    preset("easy-sjbf", "EASY-SJBF", "EASY, backfilling the shortest jobs first", "easy:backfill=sjf"),
    preset("saf-easy", "SAF-EASY", "EASY with the smallest area first throughout", "easy:initial=saf,backfill=saf"),
    preset("justbf", "JustBF", "first come first served, a reservation for every blocked job", "list"),
    preset("sjf-justbf", "SJF-JustBF", "shortest first, a reservation for every blocked job", "list:order=sjf"),
    preset("saf-justbf", "SAF-JustBF", "smallest area first, a reservation for every blocked job", "list:order=saf"),
    preset("laf-justbf", "LAF-JustBF", "largest area first, a reservation for every blocked job", "list:order=laf"),
    preset("spf-justbf", "SPF-JustBF", "smallest r E² first, a reservation for every blocked job", "list:order=spf"),
    preset("sjf-aggressive", "SJF-Aggressive", "shortest first, no reservations", "list:order=sjf,blocked=greedy"),
    preset("saf-aggressive", "SAF-Aggressive", "smallest area first, no reservations", "list:order=saf,blocked=greedy"),
    preset("laf-aggressive", "LAF-Aggressive", "largest area first, no reservations", "list:order=laf,blocked=greedy"),
    preset("conservative", "Conservative", "every job is guaranteed a start when it is submitted", "conservative"),
    preset("pc", "PC", "Conservative, compressing first come first served", "pc"),
    preset("dc", "DC", "Conservative, compressing first come first served, and not before it must", "dc"),
];

/// The values of a parameter that is a queue order.
pub(super) const ORDER: Kind = Kind::Choice { options: Order::OPTIONS, default: "fcfs" };

const fn preset(id: &'static str, name: &'static str, help: &'static str, means: &'static str) -> Preset {
    Preset { id, name, help, means }
}

/// Makes a scheduler with an empty queue.
pub type Build = fn(&Settings) -> Box<dyn Scheduler>;

/// A family of schedulers: an algorithm and what can be set of it.
#[derive(Debug)]
pub struct Family {
    /// What a person is told of it.
    pub entry: Entry,
    /// Makes a scheduler with an empty queue; nothing where nobody decides, for the log's own starts
    /// are taken.
    pub build: Option<Build>,
}

/// A policy that has a name in the papers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Stable id.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The policy, as family and settings.
    pub means: &'static str,
}

/// A scheduler and all its settings. As text: a preset's id (`saf-justbf`), or a family and what
/// differs from its defaults (`easy:backfill=sjf,threshold=3600`).
#[derive(Clone, Debug)]
pub struct Policy {
    family: &'static Family,
    settings: Settings,
}

impl PartialEq for Policy {
    fn eq(&self, other: &Self) -> bool {
        self.family.entry.id == other.family.entry.id && self.settings == other.settings
    }
}

impl Policy {
    /// A family with everything at its default.
    pub fn of(family: &'static Family) -> Self {
        Policy { family, settings: Settings::defaults(family.entry.parameters) }
    }

    /// Its family.
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes one setting.
    ///
    /// # Errors
    /// A parameter that the family does not have, or a value that it does not take.
    pub fn set(&mut self, parameter: &str, value: &str) -> Result<(), UnknownId> {
        self.settings.set(self.family.entry.name, parameter, value)
    }

    /// The preset that it is, if it is one.
    pub fn preset(&self) -> Option<&'static Preset> {
        static MEANT: LazyLock<Vec<Option<Policy>>> =
            LazyLock::new(|| PRESETS.iter().map(|preset| long_form(preset.means).ok()).collect());
        let i = MEANT.iter().position(|policy| policy.as_ref() == Some(self))?;
        Some(&PRESETS[i])
    }

    /// Display name: the preset's, or the family's with its settings.
    pub fn name(&self) -> String {
        match (self.preset(), self.settings.to_string()) {
            (Some(preset), _) => preset.name.to_owned(),
            (None, settings) if settings.is_empty() => self.family.entry.name.to_owned(),
            (None, settings) => format!("{} ({})", self.family.entry.name, settings.replace(',', ", ")),
        }
    }

    /// A scheduler with an empty queue; nothing where the log's own starts are taken.
    pub fn build(&self) -> Option<Box<dyn Scheduler>> {
        self.family.build.map(|build| build(&self.settings))
    }

    /// Whether it is the log's own schedule, for which estimates mean nothing.
    pub fn is_as_logged(&self) -> bool {
        self.family.build.is_none()
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.preset(), self.settings.to_string()) {
            (Some(preset), _) => f.write_str(preset.id),
            (None, settings) if settings.is_empty() => f.write_str(self.family.entry.id),
            (None, settings) => write!(f, "{}:{settings}", self.family.entry.id),
        }
    }
}

fn long_form(text: &str) -> Result<Policy, UnknownId> {
    let (family, settings) = text.split_once(':').unwrap_or((text, ""));
    let ids = PRESETS.iter().map(|p| p.id).chain(FAMILIES.iter().map(|f| f.entry.id));
    let found = FAMILIES.iter().find(|f| f.entry.id == family.trim());
    let family = found.ok_or_else(|| UnknownId::entry("scheduler", family, ids))?;
    Ok(Policy { family, settings: Settings::parse(family.entry.parameters, family.entry.name, settings)? })
}

impl FromStr for Policy {
    type Err = UnknownId;

    fn from_str(text: &str) -> Result<Self, UnknownId> {
        let text = text.trim();
        long_form(PRESETS.iter().find(|p| p.id == text).map_or(text, |p| p.means))
    }
}

crate::serde_as_text!(Policy);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_means_a_policy_and_is_found_again() {
        for preset in PRESETS {
            let policy: Policy = preset.id.parse().unwrap();
            assert_eq!(policy.to_string(), preset.id);
            assert_eq!(policy.name(), preset.name);
        }
    }

    #[test]
    fn settings_survive_the_text_form() {
        for text in ["easy:initial=wfp,threshold=3600", "list:order=lrf,depth=5", "list:order=ljf"] {
            assert_eq!(text.parse::<Policy>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        let message = |text: &str| text.parse::<Policy>().unwrap_err().to_string();
        assert!(message("easyy").starts_with("there is no scheduler \"easyy\"; there are fcfs, easy, "));
        assert_eq!(
            message("list:depth=0"),
            "depth of List cannot be \"0\"; it takes a whole number from 1 to 1000000 jobs, or off"
        );
        assert!(message("list:deep=1").contains("no parameter \"deep\"; there are order, blocked, depth"));
    }
}

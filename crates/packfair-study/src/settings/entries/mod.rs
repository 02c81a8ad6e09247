//! The entries of the catalogue of settings, by the part of a study that they change.

mod feedback;
mod filter;
mod measure;
mod rules;
mod treatment;

use super::{CommandOption, Commands, Empty, Kind, LogFacts, Members, Section, Setting, Shown, Unit};
use crate::Study;
use packfair_base::catalogue::Named;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// All settings. A setting that changes what another one means comes before it.
pub(super) static ALL: &[&[Setting]] = &[
    treatment::SETTINGS,
    feedback::SETTINGS,
    filter::SETTINGS,
    filter::LIKE,
    rules::SETTINGS,
    measure::SETTINGS,
    rules::REPEATS,
];

impl Setting {
    /// The defaults of an entry.
    const PLAIN: Setting = Setting {
        id: "",
        title: "",
        help: "",
        what: "",
        section: Section::Machine,
        kind: Kind::Seed { get: |_| None, set: |_, _| {} },
        usual: |_| String::new(),
        knows: |_, _| true,
        is_offered: |_, _| true,
        metric: None,
        told: |_, _, _| None,
        option: CommandOption::new("", "", Commands::Run, ""),
    };

    /// The value as text, where it is not the default.
    fn told_value(&self, study: &Study, facts: &LogFacts) -> Option<String> {
        match &self.kind {
            Kind::Choice { options, get, .. } => {
                let id = get(study)?;
                options.iter().find(|option| option.id == id).map(|option| option.name.to_owned())
            }
            _ => Some(self.text(study, facts)),
        }
    }
}

/// The value with this id. The forms and the command line pass no other ids.
fn chosen<T: FromStr>(id: Option<&str>) -> Option<T> {
    id.and_then(|id| id.parse().ok())
}

/// Sets the value with this id.
fn choose<T: FromStr>(place: &mut T, id: Option<&str>) {
    if let Some(value) = chosen(id) {
        *place = value;
    }
}

/// A count whose range is within a `u32`.
fn count(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

const fn counts(range: &RangeInclusive<u32>) -> RangeInclusive<u64> {
    *range.start() as u64..=*range.end() as u64
}

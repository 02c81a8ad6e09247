//! A change of the calendar as a description has it: when it begins, and whether it comes again.

use super::MachineOfLog;
use crate::machine::calendar::{Change, Displaced};
use crate::machine::limits::MOST_CHANGES;
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

//! The cap of what a machine may draw, as an amount that jobs take from: one more place behind those of all cells.
//!
//! The amount is what is left of the cap if all nodes are idle, milliwatts; a job takes what it draws beyond that.
//! Changes of the cap are changes of the calendar, of a cell behind the last one, whose nodes are milliwatts.

use super::calendar::Change;
use super::watts::{NANO, PowerCap};
use super::{Machine, Seconds};

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

//! Intervals that came without the repeats that they are made of.

use super::Interval;
use crate::metric::Metric;
use crate::study::Run;
use std::collections::BTreeMap;

/// Intervals out of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedIntervals {
    /// How many repeats they hold.
    complete: u32,
    /// By the run's id and the metric.
    values: BTreeMap<(String, Metric), Interval>,
    /// The same, with the id of the run that it is compared with.
    changes: BTreeMap<(String, Metric), (String, Interval)>,
}

impl CarriedIntervals {
    /// None yet, of so many repeats.
    pub fn of(complete: u32) -> Self {
        CarriedIntervals { complete, values: BTreeMap::new(), changes: BTreeMap::new() }
    }

    /// Those of a run and a metric: of its value, and of its change to another run.
    pub fn add(&mut self, run: &Run, metric: Metric, value: Option<Interval>, change: Option<(&Run, Interval)>) {
        if let Some(value) = value {
            self.values.insert((run.id(), metric), value);
        }
        if let Some((baseline, change)) = change {
            self.changes.insert((run.id(), metric), (baseline.id(), change));
        }
    }

    pub(super) fn complete(&self) -> usize {
        self.complete as usize
    }

    pub(super) fn interval(&self, run: &Run, metric: Metric) -> Option<Interval> {
        self.values.get(&(run.id(), metric)).copied()
    }

    pub(super) fn change(&self, run: &Run, baseline: &Run, metric: Metric) -> Option<Interval> {
        let (of, change) = self.changes.get(&(run.id(), metric))?;
        (*of == baseline.id()).then_some(*change)
    }
}

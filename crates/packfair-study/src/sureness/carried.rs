//! Intervals from a link, without the repeats that they were made from.

use super::Interval;
use packfair_engine::metric::Metric;
use crate::Run;
use std::collections::BTreeMap;

/// The intervals that a link carries.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedIntervals {
    /// The number of repeats behind them.
    complete: u32,
    /// The intervals of values, by run id and metric.
    values: BTreeMap<(String, Metric), Interval>,
    /// The intervals of changes, by run id and metric, with the id of the run that it is compared with.
    changes: BTreeMap<(String, Metric), (String, Interval)>,
}

impl CarriedIntervals {
    /// No intervals yet, of `complete` repeats.
    pub fn of(complete: u32) -> Self {
        CarriedIntervals { complete, values: BTreeMap::new(), changes: BTreeMap::new() }
    }

    /// Adds the intervals of a run and a metric: of its value, and of its change relative to another run.
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

    /// The interval of a change; both runs are given by their ids.
    pub(super) fn change(&self, run: &str, baseline: &str, metric: Metric) -> Option<Interval> {
        let (of, change) = self.changes.get(&(run.to_owned(), metric))?;
        (of == baseline).then_some(*change)
    }
}

//! Intervals from a link, without the repeats that they were made from.

use super::{Interval, NoInterval};
use crate::metric::Metric;
use crate::study::Run;
use std::collections::BTreeMap;

/// An interval, or why there is none.
pub type CarriedInterval = Result<Interval, NoInterval>;

/// The intervals that a link carries.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedIntervals {
    /// The number of repeats behind them.
    complete: u32,
    values: BTreeMap<(String, Metric), CarriedInterval>,
    /// The intervals of changes, by run id and metric, with the id of the run that it is compared with.
    changes: BTreeMap<(String, Metric), (String, CarriedInterval)>,
}

impl CarriedIntervals {
    /// No intervals yet, of `complete` repeats.
    pub fn of(complete: u32) -> Self {
        CarriedIntervals { complete, values: BTreeMap::new(), changes: BTreeMap::new() }
    }

    /// Adds the intervals of a run and a metric: of its value, and of its change relative to another run.
    pub fn add(&mut self, run: &Run, metric: Metric, value: CarriedInterval, change: Option<(&Run, CarriedInterval)>) {
        self.values.insert((run.id(), metric), value);
        if let Some((baseline, change)) = change {
            self.changes.insert((run.id(), metric), (baseline.id(), change));
        }
    }

    pub(super) fn complete(&self) -> usize {
        self.complete as usize
    }

    /// The interval of a value; the run is given by its id.
    pub(super) fn interval(&self, run: &str, metric: Metric) -> CarriedInterval {
        self.values.get(&(run.to_owned(), metric)).copied().unwrap_or(Err(NoInterval::NotRepeated))
    }

    /// The interval of a change; both runs are given by their ids.
    pub(super) fn change(&self, run: &str, baseline: &str, metric: Metric) -> CarriedInterval {
        let carried = self.changes.get(&(run.to_owned(), metric));
        carried.filter(|(of, _)| of == baseline).map_or(Err(NoInterval::NotRepeated), |(_, change)| *change)
    }
}

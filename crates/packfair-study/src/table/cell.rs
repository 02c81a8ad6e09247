//! A metric of a run, in a table.

use crate::format::{self, TimeUnit};
use crate::sureness::{Interval, NoInterval};
use packfair_engine::metric::Metric;

/// A metric of a run, in a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableCell {
    pub metric: Metric,
    pub value: f64,
    /// The baseline's value, where there is a baseline.
    pub baseline: Option<f64>,
    /// (value − baseline) / |baseline|, where that is defined (METRICS Tables II, III): below 0 where the value is
    /// lower.
    pub change: Option<f64>,
    /// Whether the value is the best of its group, and ahead of the next by
    /// [`WORTH_ACTING_ON`](crate::verdict::WORTH_ACTING_ON). Where changes are shown, a group has the rows with the
    /// same baseline; otherwise the whole column.
    pub is_best: bool,
    pub shown: CellDisplay,
    /// The interval of the value on repeats ([`Table::with_repeats`](super::Table::with_repeats)).
    pub interval: Option<Interval>,
    /// The interval of the change on repeats ([`Table::with_repeats`](super::Table::with_repeats)).
    pub change_interval: Option<Interval>,
    /// Why what the cell shows has no interval, where the table has repeats.
    pub no_interval: Option<NoInterval>,
    /// Whether the table has repeats, so that a change without an interval is no fact.
    pub is_repeated: bool,
}

/// What a cell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellDisplay {
    Value,
    /// The change relative to the baseline.
    Change,
    /// Nothing: a change should be shown, but the baseline has no result or is 0.
    Nothing,
}

impl TableCell {
    /// The cell for a person, with times in `unit`, and with its interval where there is one.
    pub fn text(&self, unit: TimeUnit) -> String {
        match self.interval.or(self.change_interval) {
            Some(_) => self.text_with_interval(unit),
            None => self.value_text(unit),
        }
    }

    /// The cell for a person, without an interval.
    pub fn value_text(&self, unit: TimeUnit) -> String {
        match (self.shown, self.change) {
            (CellDisplay::Value, _) => format::value(self.metric, self.value, unit),
            (CellDisplay::Change, Some(change)) => format::change(change),
            // The change from nothing to something. FAIRNESS Figs 4 to 8 write −∞ for such an improvement.
            _ if self.baseline == Some(0.0) && self.value != 0.0 && self.shown == CellDisplay::Nothing => {
                format::boundless(self.value)
            }
            _ => format::MISSING.to_owned(),
        }
    }
}

// The texts of a table.

/// The texts of a table, not escaped yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Headings of the columns on the left, which name the run.
    pub labels: Vec<String>,
    pub headings: Vec<String>,
    pub lines: Vec<GridLine>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct GridLine {
    pub labels: Vec<String>,
    pub values: Vec<String>,
    pub best: Vec<bool>,
}

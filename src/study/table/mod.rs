//! Tables of results: what the page shows, the command line prints and files carry.
//!
//! A [`Table`] holds numbers; its renderers turn them into text, each escaping what its format needs.

mod csv;
mod json;
mod latex;
mod markdown;
mod text;

pub use self::csv::csv;
pub use json::json;
pub use latex::latex;
pub use markdown::markdown;
pub use text::text;

use super::format::{self, TimeUnit};
use super::{Baseline, Run, RunReport};
use crate::metric::{Aim, Metric};
use std::collections::HashMap;

/// What the cells of a table show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Mode {
    /// The values themselves.
    Absolute,
    /// The change to the baseline; the baseline's own rows show values.
    Change,
}

/// Results as rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// A metric a column.
    pub columns: Vec<Metric>,
    /// A run a row.
    pub rows: Vec<Row>,
    /// What the values are compared with.
    pub baseline: Baseline,
    /// What the cells show.
    pub mode: Mode,
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub run: Run,
    /// Display name of its scheduler.
    pub scheduler: String,
    /// Whether it is what others (or it itself) are compared with.
    pub is_baseline: bool,
    /// How many jobs counted.
    pub jobs: usize,
    /// How long the simulation took, seconds; 0 where it was not timed.
    pub wall_s: f64,
    /// One a column; none where the metric is not defined for this schedule.
    pub cells: Vec<Option<Cell>>,
}

/// A metric of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Of which metric.
    pub metric: Metric,
    /// Its value.
    pub value: f64,
    /// The baseline's, where there is one.
    pub baseline: Option<f64>,
    /// (value − baseline) / |baseline|, where that is defined (METRICS Tables II, III): below 0 where
    /// the value is lower.
    pub change: Option<f64>,
    /// Whether no row has a better one; false throughout a column in which all are alike.
    pub is_best: bool,
    /// What is shown of it.
    pub shown: Shown,
}

/// What is shown of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Its value.
    Value,
    /// Its change to the baseline.
    Change,
    /// Nothing: it should be compared, but the baseline has no result or is 0.
    Nothing,
}

impl Cell {
    /// As a person reads it, times in `unit`.
    pub fn text(&self, unit: TimeUnit) -> String {
        match (self.shown, self.change) {
            (Shown::Value, _) => format::value(self.metric, self.value, unit),
            (Shown::Change, Some(change)) => format::change(change),
            _ => format::MISSING.to_owned(),
        }
    }
}

impl Table {
    /// Of these results, in this order.
    pub fn of<'a>(
        results: impl IntoIterator<Item = &'a RunReport>,
        columns: &[Metric],
        baseline: &Baseline,
        mode: Mode,
    ) -> Self {
        let results: Vec<&RunReport> = results.into_iter().collect();
        let by_id: HashMap<String, &RunReport> = results.iter().map(|result| (result.run.id(), *result)).collect();
        let best: Vec<Option<f64>> = columns.iter().map(|&metric| best(metric, &results)).collect();
        let ids: Vec<Option<String>> = results.iter().map(|r| baseline.of(&r.run).map(|run| run.id())).collect();
        let baselines: std::collections::HashSet<&String> = ids.iter().flatten().collect();
        let row = |(result, baseline_id): (&&RunReport, &Option<String>)| {
            let is_baseline = baselines.contains(&result.run.id());
            let compared = baseline_id.as_ref().map(|id| by_id.get(id).copied());
            let cell = |(&metric, &best): (&Metric, &Option<f64>)| {
                let value = *result.values.get(&metric)?;
                let baseline = compared.flatten().and_then(|other| other.values.get(&metric)).copied();
                let change = baseline.and_then(|baseline| relative(value, baseline));
                let shown = match (mode, compared, change) {
                    (Mode::Absolute, ..) | (_, None, _) => Shown::Value,
                    _ if is_baseline => Shown::Value,
                    (_, _, Some(_)) => Shown::Change,
                    (_, _, None) => Shown::Nothing,
                };
                Some(Cell { metric, value, baseline, change, is_best: best == Some(value), shown })
            };
            Row {
                run: result.run.clone(),
                scheduler: result.run.scheduler.name(),
                is_baseline,
                jobs: result.jobs,
                wall_s: result.wall_s,
                cells: columns.iter().zip(&best).map(cell).collect(),
            }
        };
        let rows = results.iter().zip(&ids).map(row).collect();
        Table { columns: columns.to_vec(), rows, baseline: baseline.clone(), mode }
    }

    /// One sentence that says what the numbers are compared with; empty where with nothing.
    pub fn caption(&self) -> String {
        if self.mode == Mode::Absolute {
            return String::new();
        }
        match &self.baseline {
            Baseline::None => String::new(),
            Baseline::Run(run) => format!("Change to {} with {} estimates.", run.scheduler.name(), run.estimate),
            Baseline::Scheduler(scheduler) => format!("Change to {} with the same estimates.", scheduler.name()),
            Baseline::Estimate(estimate) => format!("Change to the same scheduler with {estimate} estimates."),
        }
    }

    /// Whether any run's estimates are distorted, so that a column must tell by how much.
    fn has_factors(&self) -> bool {
        self.rows.iter().any(|row| row.run.estimate.k != 1.0)
    }

    /// The rows' texts for a person: headings first, then a line a row.
    fn grid(&self, unit: TimeUnit) -> Grid {
        let has_factors = self.has_factors();
        let mut labels = vec!["Scheduler".to_owned(), "Estimate".to_owned()];
        if has_factors {
            labels.push("k".to_owned());
        }
        let heading = |metric: &Metric| match format::unit(*metric, unit) {
            "" => metric.about().name.to_owned(),
            unit => format!("{} ({unit})", metric.about().name),
        };
        let missing = || format::MISSING.to_owned();
        let line = |row: &Row| {
            let star = if row.is_baseline && self.mode == Mode::Change { " *" } else { "" };
            let mut labels = vec![format!("{}{star}", row.scheduler), row.run.estimate.method.to_string()];
            if has_factors {
                labels.push(format::factor(row.run.estimate.k));
            }
            let text = |cell: &Option<Cell>| cell.as_ref().map_or_else(missing, |cell| cell.text(unit));
            Line {
                labels,
                values: row.cells.iter().map(text).collect(),
                best: row
                    .cells
                    .iter()
                    .map(|cell| cell.is_some_and(|c| c.is_best && c.shown != Shown::Nothing))
                    .collect(),
            }
        };
        Grid {
            labels,
            headings: self.columns.iter().map(heading).collect(),
            lines: self.rows.iter().map(line).collect(),
        }
    }
}

/// A table's texts, not escaped yet.
struct Grid {
    /// Headings of the columns to the left, that name a run.
    labels: Vec<String>,
    /// Headings of the columns of values.
    headings: Vec<String>,
    lines: Vec<Line>,
}

/// A line of a [`Grid`].
struct Line {
    labels: Vec<String>,
    values: Vec<String>,
    /// Which of the values are the best of their columns.
    best: Vec<bool>,
}

/// The change from `baseline` to `value`; none where it is not defined.
fn relative(value: f64, baseline: f64) -> Option<f64> {
    if value == baseline {
        return Some(0.0);
    }
    Some((value - baseline) / baseline.abs()).filter(|change| change.is_finite())
}

/// The best value of a metric; none where it has no aim or all values are alike.
fn best(metric: Metric, results: &[&RunReport]) -> Option<f64> {
    let values = || results.iter().filter_map(|result| result.values.get(&metric).copied());
    let (low, high) = (values().reduce(f64::min)?, values().reduce(f64::max)?);
    match metric.about().aim {
        _ if low == high => None,
        Aim::Low => Some(low),
        Aim::High => Some(high),
        Aim::None => None,
    }
}

#[cfg(test)]
mod tests;

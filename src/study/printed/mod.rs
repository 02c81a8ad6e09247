//! Figures that papers print, to be shown beside our results. Each paper has its own file.
//!
//! A log is recognised as one of the papers' by what all its copies have in common ([`logs`]). A part of it, or jobs
//! made like it, are not recognised. A person who knows better may say which log it is ([`Facts::taken_for`]).

mod classes;
mod comparison;
mod cp;
mod dynp;
mod facts;
mod logs;
mod metrics;

pub use comparison::{Agreement, ComparedRun, ComparedShare, PrintedCell, PrintedComparison};
pub use facts::Facts;
pub use logs::{LogForm, PaperLog, paper_log, paper_logs};

use crate::classifier::evaluation::Shares;
use crate::metric::Metric;

/// All tables whose figures are known.
const TABLES: [PrintedTable; 16] = [
    metrics::TABLE_2,
    metrics::TABLE_3,
    metrics::TABLE_4,
    cp::TABLE_2,
    cp::FIG_2,
    cp::FIG_3,
    cp::FIG_4,
    cp::FIG_6,
    dynp::TABLE_4,
    dynp::TABLE_5,
    dynp::TABLE_6,
    classes::TABLES_2_3,
    classes::TABLES_5_6,
    classes::TABLE_7,
    classes::FIGS_6_8,
    classes::FIG_9,
];

/// The quantity that the figures of a table give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PrintedQuantity {
    /// Change relative to the recipe's baseline, percent.
    Change,
    /// Percent of the recipe's baseline.
    OfBaseline,
    /// The metric's value.
    Value,
    /// The metric's value, a share, in percent.
    Percent,
    /// By how many percent the metric is below that of another run ([`RunFigures::against`]).
    Improvement,
    /// The metric's value, a number of jobs, in percent of all jobs.
    OfJobs,
    /// The metric's value, a number of tries of self-tuning dynP, in percent of all of them.
    OfTries,
}

/// A table of a paper, as it is printed.
#[derive(Debug)]
pub struct PrintedTable {
    /// The id of the recipe that makes the table.
    pub recipe: &'static str,
    /// The paper's name for the table.
    pub name: &'static str,
    /// What the figures are, and what to know about them.
    pub caption: &'static str,
    logs: &'static [PaperLog],
    blocks: &'static [MetricFigures],
    shares: &'static [ShareLine],
}

/// The figures of one metric.
#[derive(Debug)]
struct MetricFigures {
    metric: Metric,
    quantity: PrintedQuantity,
    /// Decimal places of its figures.
    places: usize,
    lines: &'static [RunFigures],
}

/// The figures of one run.
#[derive(Debug)]
struct RunFigures {
    scheduler: &'static str,
    estimate: &'static str,
    /// The paper's name for the scheduler, where it differs from ours.
    name: Option<&'static str>,
    /// The scheduler, with requested times, with which this one is compared, where that is not the recipe's baseline.
    against: Option<&'static str>,
    figures: Figures,
    /// A figure that cannot be read in our copy of the paper: the log's name, and our own result.
    read_off: Option<(&'static str, f64)>,
}

/// The figures of a line.
#[derive(Clone, Copy, Debug)]
enum Figures {
    /// One figure for each log of the table; NaN where it is not known.
    OfLogs(&'static [f64]),
    /// The range in which all of the paper's logs lie.
    Between(f64, f64),
}

/// Figures of the log itself, one for each log of the table.
#[derive(Debug)]
struct ShareLine {
    /// The name of the figures, with their unit.
    name: &'static str,
    places: usize,
    of: fn(&Shares) -> f64,
    figures: &'static [f64],
}

const fn line(scheduler: &'static str, estimate: &'static str, figures: &'static [f64]) -> RunFigures {
    RunFigures { scheduler, estimate, name: None, against: None, figures: Figures::OfLogs(figures), read_off: None }
}

const fn line_named(
    scheduler: &'static str,
    estimate: &'static str,
    name: &'static str,
    figures: &'static [f64],
) -> RunFigures {
    RunFigures { name: Some(name), ..line(scheduler, estimate, figures) }
}

impl PrintedTable {
    /// The table that a recipe makes; `None` where its figures are not known.
    pub fn of_recipe(recipe: &str) -> Option<&'static Self> {
        static ALL: &[PrintedTable] = &TABLES;
        ALL.iter().find(|table| table.recipe == recipe)
    }

    /// Whether the table has figures of the log itself, which need [`Shares`].
    pub fn has_shares(&self) -> bool {
        !self.shares.is_empty()
    }

    /// The names of the table's logs.
    pub fn logs(&self) -> impl Iterator<Item = &'static str> {
        self.logs.iter().map(|log| log.name)
    }

    /// The place of a log among the table's logs, and the form in which it is that log. The form is `None` where a
    /// person says which log it is.
    fn column(&self, facts: &Facts) -> Option<(usize, Option<&'static LogForm>)> {
        if let Some(name) = facts.taken_for {
            return Some((self.logs.iter().position(|log| log.name == name)?, None));
        }
        self.logs.iter().enumerate().find_map(|(column, log)| Some((column, Some(log.form(facts)?))))
    }
}

#[cfg(test)]
mod tests;

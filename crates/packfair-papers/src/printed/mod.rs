//! Figures that papers print, to be shown beside our results. They stand in the papers' files ([`super::papers`]).
//!
//! A log is recognised as one of the papers' by what all its copies have in common ([`logs`]). A part of it, or jobs
//! made like it, are not recognised. A person who knows better may say which log it is ([`Facts::taken_for`]).

mod comparison;
mod facts;
mod logs;

pub use comparison::{ComparedRun, ComparedShare, PrintedAgreement, PrintedCell, PrintedComparison};
pub use facts::Facts;
pub use logs::{LogForm, PaperLog, paper_log, paper_logs};

use super::lines::joined;
use logs::LOGS;
use packfair_engine::classifier::evaluation::Shares;
use packfair_engine::metric::Metric;
use serde::Deserialize;

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PrintedQuantity {
    /// Change relative to the recipe's baseline, percent.
    Change,
    /// Percent of the recipe's baseline.
    OfBaseline,
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
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedTable {
    /// The id of the recipe that makes the table.
    pub recipe: &'static str,
    /// The paper's name for the table; in a file, where it differs from the recipe's name.
    #[serde(default)]
    pub name: &'static str,
    /// What the paper says of the table.
    #[serde(default, deserialize_with = "joined")]
    pub caption: &'static str,
    #[serde(skip)]
    logs: Vec<&'static PaperLog>,
    #[serde(default)]
    blocks: Vec<MetricFigures>,
    #[serde(default)]
    shares: Vec<ShareLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
struct MetricFigures {
    metric: Metric,
    quantity: PrintedQuantity,
    #[serde(default)]
    places: usize,
    lines: Vec<RunFigures>,
}

/// A line of a table: the figures of one run of the paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunFigures {
    /// The ids of our runs that are compared with it; that of a scheduler stands for the run with requested times.
    runs: Vec<&'static str>,
    /// The paper's name for the scheduler, where it differs from ours.
    name: Option<&'static str>,
    /// The scheduler, with requested times, with which this one is compared, where that is not the recipe's baseline.
    against: Option<&'static str>,
    figures: Figures,
    read_off: Option<ReadOff>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Figures {
    /// One figure for each log of the table; `None` where it is not printed, or cannot be read.
    OfLogs(Vec<Option<f64>>),
    /// The range in which all of the paper's logs lie.
    Between { from: f64, to: f64 },
}

/// A figure that cannot be read in our copy of the paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadOff {
    log: &'static str,
    ours: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShareLine {
    name: &'static str,
    share: PrintedShare,
    #[serde(default)]
    places: usize,
    figures: Vec<f64>,
}

/// What figures of the log itself tell of it (CLASSIFY Tables 2 and 3).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PrintedShare {
    /// The divider, seconds.
    Divider,
    /// Small jobs that are not premature, percent of all jobs.
    ExpectedJobs,
    /// Small jobs that are premature, percent of all jobs.
    PrematureJobs,
    LargeWork,
    /// Small jobs that are not premature, percent of the work.
    ExpectedWork,
    /// Small jobs that are premature, percent of the work.
    PrematureWork,
}

impl PrintedShare {
    fn of(self, shares: &Shares) -> f64 {
        match self {
            PrintedShare::Divider => shares.divider as f64,
            PrintedShare::ExpectedJobs => 100.0 * shares.jobs.expected,
            PrintedShare::PrematureJobs => 100.0 * shares.jobs.premature,
            PrintedShare::LargeWork => 100.0 * shares.area.large,
            PrintedShare::ExpectedWork => 100.0 * shares.area.expected,
            PrintedShare::PrematureWork => 100.0 * shares.area.premature,
        }
    }
}

impl PrintedTable {
    /// The table as its file has it, for a recipe of this name, with columns for these logs.
    pub(super) fn on_logs(mut self, recipe: &'static str, logs: &[&str]) -> Self {
        let log = |name: &&str| LOGS.iter().find(|log| log.name == *name);
        self.logs = logs.iter().map(|name| log(name).unwrap_or_else(|| panic!("no log is called {name}"))).collect();
        if self.name.is_empty() {
            self.name = recipe;
        }
        self
    }

    /// Whether the table has figures of the log itself, which need [`Shares`].
    pub fn has_shares(&self) -> bool {
        !self.shares.is_empty()
    }

    /// The names of the logs for which the paper prints the table.
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

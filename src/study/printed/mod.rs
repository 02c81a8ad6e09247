//! Figures that papers print, to stand beside those that come out here. A file for each paper.
//!
//! The papers' logs are known by what is said of them in METRICS Table I (CP has the same; of its other logs CLASSIFY says
//! it in its Table 1): the size of the machine, how many jobs there are, how many months they came in. A file's name and its comments differ from copy to copy of a log,
//! and its fingerprint with every comment; these three say which log it is whoever has it, whatever it is called, and no
//! two of the papers' logs are alike in them. They are those of the workload that is simulated, so that a part of a log,
//! or jobs made like it, are not taken for it.

mod classes;
mod comparison;
mod cp;
mod metrics;

pub use comparison::{Agreement, ComparedRun, ComparedShare, Facts, PrintedCell, PrintedComparison};

use crate::classifier::evaluation::Shares;
use crate::metric::Metric;

/// All tables whose figures are known.
const TABLES: [PrintedTable; 13] = [
    metrics::TABLE_2,
    metrics::TABLE_3,
    metrics::TABLE_4,
    cp::TABLE_2,
    cp::FIG_2,
    cp::FIG_3,
    cp::FIG_4,
    cp::FIG_6,
    classes::TABLES_2_3,
    classes::TABLES_5_6,
    classes::TABLE_7,
    classes::FIGS_6_8,
    classes::FIG_9,
];

/// A log of the papers.
#[derive(Debug, PartialEq)]
pub struct PaperLog {
    /// What the papers call it.
    pub name: &'static str,
    /// Processors of its machine.
    pub processors: u32,
    /// How many jobs it has, in thousands.
    pub thousands: f64,
    /// Over how many months they were submitted.
    pub months: f64,
    /// Where the papers say so.
    pub source: &'static str,
}

/// A log of METRICS Table I.
const fn of_metrics(name: &'static str, processors: u32, thousands: f64, months: f64) -> PaperLog {
    PaperLog { name, processors, thousands, months, source: "METRICS Table I" }
}

/// METRICS Table I, which CP's Table 1 repeats: the columns of their tables.
const LOGS: [PaperLog; 6] = [
    of_metrics("KTH-SP2", 100, 28.0, 11.0),
    of_metrics("CTC-SP2", 338, 77.0, 11.0),
    of_metrics("SDSC-SP2", 128, 60.0, 24.0),
    of_metrics("SDSC-BLUE", 1_152, 234.0, 32.0),
    of_metrics("CEA-CURIE", 93_312, 313.0, 8.0),
    of_metrics("BW201911", 22_636, 92.0, 1.0),
];

/// What the figures of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PrintedQuantity {
    /// Change to the recipe's baseline, percent of that.
    Change,
    /// Percent of the recipe's baseline.
    OfBaseline,
    /// The metric's value.
    Value,
    /// The metric's value, a share, in percent.
    Percent,
    /// By how many percent the metric is less than that of another run ([`RunFigures::against`]).
    Improvement,
    /// The metric's value, a number of jobs, in percent of all jobs.
    OfJobs,
}

/// A table of a paper, as it is printed.
#[derive(Debug)]
pub struct PrintedTable {
    /// The recipe that makes it.
    pub recipe: &'static str,
    /// What the paper calls it.
    pub name: &'static str,
    /// What its figures are, and what is to be known of them.
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
    /// What the paper calls the scheduler, where that is another name.
    name: Option<&'static str>,
    /// The scheduler that this one is compared with, where that is not the recipe's baseline; with requested times.
    against: Option<&'static str>,
    figures: Figures,
}

/// The figures of a line.
#[derive(Clone, Copy, Debug)]
enum Figures {
    /// One for each log of the table; not a number where it is not known.
    OfLogs(&'static [f64]),
    /// The paper says between which values all of its logs lie.
    Between(f64, f64),
}

/// Figures of the log itself, one for each log of the table.
#[derive(Debug)]
struct ShareLine {
    /// What they are, with their unit.
    name: &'static str,
    places: usize,
    of: fn(&Shares) -> f64,
    figures: &'static [f64],
}

const fn line(scheduler: &'static str, estimate: &'static str, figures: &'static [f64]) -> RunFigures {
    RunFigures { scheduler, estimate, name: None, against: None, figures: Figures::OfLogs(figures) }
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
    /// The table that a recipe makes, where its figures are known.
    pub fn of_recipe(recipe: &str) -> Option<&'static Self> {
        static ALL: &[PrintedTable] = &TABLES;
        ALL.iter().find(|table| table.recipe == recipe)
    }

    /// Whether it has figures of the log itself, for which [`Shares`] are needed.
    pub fn has_shares(&self) -> bool {
        !self.shares.is_empty()
    }

    /// The place of a log among the papers'.
    fn column(&self, facts: &Facts) -> Option<usize> {
        self.logs.iter().position(|log| log.is(facts))
    }
}

impl PaperLog {
    /// Whether it is this log. Copies of a log differ by some hundred jobs, and the papers round.
    fn is(&self, facts: &Facts) -> bool {
        /// Mean length of a month, seconds.
        const MONTH: f64 = 2_629_746.0;
        self.processors == facts.processors
            && (facts.jobs as f64 / (1_000.0 * self.thousands) - 1.0).abs() <= 0.02
            && (facts.span as f64 / MONTH - self.months).abs() < 1.0
    }

    /// What it is known by, in words.
    pub fn known_by(&self) -> String {
        let PaperLog { name, processors, thousands, months, source } = self;
        format!(
            "Taken for {name} by the size of its machine ({processors} processors), its number of jobs (about \
             {thousands:.0},000) and the time they came in (about {months} months), as in {source}."
        )
    }
}

#[cfg(test)]
mod tests;

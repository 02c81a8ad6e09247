//! Figures that papers print, to stand beside those that come out here. A file for each paper.
//!
//! The papers' logs are known by what is said of them in METRICS Table I (CP has the same): the size of the machine, how
//! many jobs there are, how many months they came in. A file's name and its comments differ from copy to copy of a log,
//! and its fingerprint with every comment; these three say which log it is whoever has it, whatever it is called, and no
//! two of the papers' logs are alike in them. They are those of the workload that is simulated, so that a part of a log,
//! or jobs made like it, are not taken for it.

pub mod classes;
mod comparison;
mod cp;
mod metrics;

pub use comparison::{Agreement, Compared, ComparedRun, Comparison, Facts};

use crate::metric::Metric;

/// All tables whose figures are known.
const TABLES: [PrintedTable; 4] = [metrics::TABLE_2, metrics::TABLE_3, metrics::TABLE_4, cp::TABLE_2];

/// How many logs METRICS and CP have.
const OF_PAPERS: usize = 6;

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
}

/// METRICS Table I, which CP's Table 1 repeats: the columns of all tables.
const LOGS: [PaperLog; OF_PAPERS] = [
    PaperLog { name: "KTH-SP2", processors: 100, thousands: 28.0, months: 11.0 },
    PaperLog { name: "CTC-SP2", processors: 338, thousands: 77.0, months: 11.0 },
    PaperLog { name: "SDSC-SP2", processors: 128, thousands: 60.0, months: 24.0 },
    PaperLog { name: "SDSC-BLUE", processors: 1_152, thousands: 234.0, months: 32.0 },
    PaperLog { name: "CEA-CURIE", processors: 93_312, thousands: 313.0, months: 8.0 },
    PaperLog { name: "BW201911", processors: 22_636, thousands: 92.0, months: 1.0 },
];

/// What the figures of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Change to the recipe's baseline, percent of that.
    Change,
    /// Percent of the recipe's baseline.
    OfBaseline,
    /// The metric's value.
    Value,
}

/// A table of a paper, as it is printed.
#[derive(Debug)]
pub struct PrintedTable {
    /// The recipe that makes it.
    pub recipe: &'static str,
    /// What the paper calls it.
    pub name: &'static str,
    /// What its figures are.
    pub quantity: Quantity,
    /// Decimal places of its figures.
    pub places: usize,
    logs: &'static [PaperLog; OF_PAPERS],
    blocks: &'static [Block],
}

/// The figures of one metric.
#[derive(Debug)]
struct Block {
    metric: Metric,
    lines: &'static [Line],
}

/// The figures of one run, a log each.
#[derive(Debug)]
struct Line {
    scheduler: &'static str,
    estimate: &'static str,
    /// What the paper calls the scheduler, where that is another name.
    name: Option<&'static str>,
    /// Not a number where the figure is not known.
    figures: [f64; OF_PAPERS],
}

const fn line(scheduler: &'static str, estimate: &'static str, figures: [f64; OF_PAPERS]) -> Line {
    Line { scheduler, estimate, name: None, figures }
}

const fn line_named(
    scheduler: &'static str,
    estimate: &'static str,
    name: &'static str,
    figures: [f64; OF_PAPERS],
) -> Line {
    Line { scheduler, estimate, name: Some(name), figures }
}

impl PrintedTable {
    /// The table that a recipe makes, where its figures are known.
    pub fn of_recipe(recipe: &str) -> Option<&'static Self> {
        static ALL: &[PrintedTable] = &TABLES;
        ALL.iter().find(|table| table.recipe == recipe)
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
        let PaperLog { name, processors, thousands, months } = self;
        format!(
            "Taken for {name} by the size of its machine ({processors} processors), its number of jobs (about \
             {thousands},000) and the time they came in (about {months} months), as in METRICS Table I."
        )
    }
}

#[cfg(test)]
mod tests;

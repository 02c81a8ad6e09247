//! What a paper prints, beside what came out.

use super::{Block, Line, PaperLog, PrintedTable, Quantity};
use crate::metric::Metric;
use crate::study::format::{MISSING, with_places};
use crate::study::recipe::Recipe;
use crate::study::table::{Grid, GridLine};
use crate::study::{Baseline, Run, RunReport, Study, Treatment};
use crate::workload::{Cleaning, Filter, Seconds, Since, Summary, Workload};
use std::fmt;

/// What a log is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// How many jobs are simulated.
    pub jobs: usize,
    /// Processors of the machine.
    pub processors: u32,
    /// From the first submission to the last, seconds.
    pub span: Seconds,
}

impl From<&Workload> for Facts {
    fn from(workload: &Workload) -> Self {
        let submits = || workload.requests().iter().map(|request| request.submit);
        let span = submits().max().zip(submits().min()).map_or(0, |(last, first)| last - first);
        Facts { jobs: workload.len(), processors: workload.machine.processors, span }
    }
}

impl From<&Summary> for Facts {
    fn from(summary: &Summary) -> Self {
        let span = summary.span.last_submit - summary.span.first_submit;
        Facts { jobs: summary.jobs, processors: summary.machine.processors, span }
    }
}

/// A paper's table for one log, beside ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What the paper calls it.
    pub name: &'static str,
    /// What its figures are.
    pub quantity: Quantity,
    /// The paper's log.
    pub log: &'static PaperLog,
    /// The metrics of which the paper prints something.
    pub metrics: Vec<Metric>,
    /// Runs of which it prints something, in the order of the study.
    pub rows: Vec<ComparedRun>,
    places: usize,
}

/// A run of which a paper prints something.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedRun {
    /// Which.
    pub run: Run,
    /// What the paper calls its scheduler, where that is another name.
    pub name: Option<&'static str>,
    /// One for each metric; none where the paper has no such cell.
    pub cells: Vec<Option<Compared>>,
}

/// A cell of a paper's table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// As printed.
    pub printed: f64,
    /// Ours, with all digits; none as long as the run, or the one it is compared with, has no result.
    pub ours: Option<f64>,
}

impl Comparison {
    /// What the paper prints of a recipe's table, where the log is one of the paper's and `study` measures as the recipe
    /// does. `reports` are the results so far.
    pub fn of<'a>(
        recipe: &Recipe,
        study: &Study,
        facts: &Facts,
        reports: impl IntoIterator<Item = &'a RunReport>,
    ) -> Option<Self> {
        let table = PrintedTable::of_recipe(recipe.entry.id)?;
        let column = table.column(facts)?;
        let mut own = study.clone();
        recipe.apply(&mut own);
        if !is_comparable(study, &own) {
            return None;
        }
        let reports: Vec<&RunReport> = reports.into_iter().collect();
        let ours = |run: &Run, metric| ours(table, &own.baseline, &reports, run, metric);
        let rows = study.runs().into_iter().filter_map(|run| {
            let (scheduler, estimate) = (run.scheduler.to_string(), run.estimate.to_string());
            let lines: Vec<Option<&Line>> =
                table.blocks.iter().map(|block| block.line(&scheduler, &estimate)).collect();
            let cell = |(block, line): (&Block, &Option<&Line>)| {
                let printed = line.map(|line| line.figures[column]).filter(|figure| !figure.is_nan())?;
                Some(Compared { printed, ours: ours(&run, block.metric) })
            };
            let cells: Vec<Option<Compared>> = table.blocks.iter().zip(&lines).map(cell).collect();
            let name = lines.iter().flatten().find_map(|line| line.name);
            cells.iter().any(Option::is_some).then_some(ComparedRun { run, name, cells })
        });
        let rows: Vec<ComparedRun> = rows.collect();
        let metrics = table.blocks.iter().map(|block| block.metric).collect();
        (!rows.is_empty()).then(|| Comparison {
            name: table.name,
            quantity: table.quantity,
            log: &table.logs[column],
            metrics,
            rows,
            places: table.places,
        })
    }

    /// What the table is, on which log: "METRICS Table II, KTH-SP2".
    pub fn title(&self) -> String {
        format!("{}, {}", self.name, self.log.name)
    }

    /// What the figures are.
    pub fn caption(&self) -> &'static str {
        match self.quantity {
            Quantity::Change => {
                "Percent change to the paper's baseline. Difference: ours, rounded as printed, less what is printed."
            }
            Quantity::OfBaseline => {
                "Percent of JustBF with the same estimates. Difference: ours, rounded as printed, less what is printed."
            }
            Quantity::Value => "Difference: ours, rounded as printed, less what is printed.",
        }
    }

    /// How many cells the paper has, of how many of those there is ours, and how many of these are as printed.
    pub fn agreement(&self) -> Agreement {
        let mut agreement = Agreement::default();
        for cell in self.rows.iter().flat_map(|row| row.cells.iter().flatten()) {
            agreement.printed += 1;
            if let Some(difference) = self.difference(cell) {
                agreement.ours += 1;
                agreement.equal += usize::from(difference == 0.0);
            }
        }
        agreement
    }

    /// Ours, rounded as printed, less what is printed.
    pub fn difference(&self, cell: &Compared) -> Option<f64> {
        let scale = 10_f64.powi(self.places as i32);
        let units = |value: f64| (value * scale).round();
        // in units of the last place, so that equal ones are 0
        Some((units(cell.ours?) - units(cell.printed)) / scale)
    }

    /// The table's texts: of each metric what is printed, ours, and the difference.
    pub fn grid(&self) -> Grid {
        let headings = self.metrics.iter().flat_map(|metric| {
            let name = metric.about().name;
            [format!("{name} printed"), "ours".to_owned(), "difference".to_owned()]
        });
        let text = |value: Option<f64>| value.map_or_else(|| MISSING.to_owned(), |x| with_places(x, self.places));
        let line = |row: &ComparedRun| {
            let scheduler = match row.name {
                Some(name) => format!("{} ({name})", row.run.scheduler.name()),
                None => row.run.scheduler.name(),
            };
            let values = row.cells.iter().flat_map(|cell| {
                let difference = cell.as_ref().and_then(|cell| self.difference(cell));
                [text(cell.map(|cell| cell.printed)), text(cell.and_then(|cell| cell.ours)), text(difference)]
            });
            let values: Vec<String> = values.collect();
            GridLine { labels: vec![scheduler, row.run.estimate.to_string()], best: vec![false; values.len()], values }
        };
        Grid {
            labels: vec!["Scheduler".to_owned(), "Estimate".to_owned()],
            headings: headings.collect(),
            lines: self.rows.iter().map(line).collect(),
        }
    }
}

/// How far a table of a paper and ours agree, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// What the paper prints.
    pub printed: usize,
    /// Of how many of those there is ours.
    pub ours: usize,
    /// How many of these are as printed, to the last digit.
    pub equal: usize,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Agreement { printed, ours, equal } = self;
        match printed == ours {
            true => write!(f, "{equal} of {printed} printed figures come out to the last digit"),
            false => write!(f, "{equal} of {ours} figures so far come out to the last digit; {printed} are printed"),
        }
    }
}

impl Block {
    /// The line of a run, by the ids that catalogues give its scheduler and its estimates.
    fn line(&self, scheduler: &str, estimate: &str) -> Option<&'static Line> {
        self.lines.iter().find(|line| line.scheduler == scheduler && line.estimate == estimate)
    }
}

/// Whether `study` simulates and measures the log as `own`, the recipe's, does. What it shows may differ, and what it runs.
fn is_comparable(study: &Study, own: &Study) -> bool {
    let Treatment { filter, cleaning, like, shrink, processors: _, unit: _, since } = &study.treatment;
    *filter == Filter::default()
        && *cleaning == Cleaning::Metrics
        && like.is_none()
        && *shrink == 1.0
        && *since == Since::Submit
        && study.measure == own.measure
        && study.rules() == own.rules()
}

/// The table's quantity of a metric of a run.
fn ours(table: &PrintedTable, baseline: &Baseline, reports: &[&RunReport], run: &Run, metric: Metric) -> Option<f64> {
    let value = |run: &Run| reports.iter().find(|report| report.run == *run)?.values.get(&metric).copied();
    let own = value(run)?;
    let beside = || baseline.of(run).and_then(|other| value(&other));
    let ours = match table.quantity {
        Quantity::Value => own,
        Quantity::Change => {
            let baseline = beside()?;
            (own - baseline) / baseline.abs() * 100.0
        }
        Quantity::OfBaseline => own / beside()? * 100.0,
    };
    Some(ours).filter(|ours| ours.is_finite())
}

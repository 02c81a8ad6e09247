//! What a paper prints, beside what came out.

use super::{Facts, Figures, LogForm, MetricFigures, PaperLog, PrintedQuantity, PrintedTable, RunFigures, ShareLine};
use crate::classifier::evaluation::Shares;
use crate::estimator::{Estimate, Method};
use crate::metric::Metric;
use crate::scheduler::dynp::notes;
use crate::study::advice;
use crate::study::format::{MISSING, whole, with_places};
use crate::study::recipe::Recipe;
use crate::study::table::{Grid, GridLine};
use crate::study::{Baseline, Run, RunReport, Study, Treatment, preset};
use crate::workload::{Cleaning, Feedback, Filter, InitialJobs, Since};
use std::fmt;

/// A paper's table for one log, beside ours.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedComparison {
    /// What the paper calls it.
    pub name: &'static str,
    /// What its figures are, and what is to be known of them.
    pub about: &'static str,
    /// The paper's log.
    pub log: &'static PaperLog,
    /// In which form it is that log; none where somebody says that it is.
    pub form: Option<&'static LogForm>,
    /// What the log is known by.
    pub facts: Facts,
    /// The metrics of which the paper prints something.
    pub metrics: Vec<Metric>,
    /// Runs of which it prints something, in the order of the study.
    pub rows: Vec<ComparedRun>,
    /// What it prints of the log itself.
    pub shares: Vec<ComparedShare>,
}

/// A run of which a paper prints something.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedRun {
    /// Which.
    pub run: Run,
    /// What the paper calls its scheduler, where that is another name.
    pub name: Option<&'static str>,
    /// One for each metric; none where the paper has no such cell.
    pub cells: Vec<Option<PrintedCell>>,
}

/// A figure of the log itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedShare {
    /// What it is, with its unit.
    pub name: &'static str,
    /// As printed, and ours.
    pub cell: PrintedCell,
}

/// A cell of a paper's table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedCell {
    /// As printed.
    pub printed: f64,
    /// Where the paper prints a range: its upper end, and `printed` is the lower one.
    pub up_to: Option<f64>,
    /// Ours, with all digits; none as long as the run, or the one it is compared with, has no result.
    pub ours: Option<f64>,
    /// Decimal places as printed.
    pub places: usize,
    /// It cannot be read in our copy of the paper: `printed` is what came out here before, and nothing is compared with it.
    pub is_ours: bool,
}

impl PrintedComparison {
    /// What the paper prints of a recipe's table, where the log is one of the paper's and `study` measures as the recipe
    /// does. `reports` are the results so far, and `shares` those of the log, where they are known.
    pub fn of<'a>(
        recipe: &Recipe,
        study: &Study,
        facts: &Facts,
        shares: Option<&Shares>,
        reports: impl IntoIterator<Item = &'a RunReport>,
    ) -> Option<Self> {
        let table = PrintedTable::of_recipe(recipe.entry.id)?;
        let (column, form) = table.column(facts)?;
        let mut own = study.clone();
        recipe.apply(&mut own);
        if !is_comparable(study, &own, &table.logs[column]) {
            return None;
        }
        let reports: Vec<&RunReport> = reports.into_iter().collect();
        let rows = study.runs().into_iter().filter_map(|run| {
            let (scheduler, estimate) = (run.scheduler.to_string(), run.estimate.to_string());
            let lines: Vec<Option<&RunFigures>> =
                table.blocks.iter().map(|block| block.line(&scheduler, &estimate)).collect();
            let cell = |(block, line): (&MetricFigures, &Option<&RunFigures>)| {
                let line = (*line)?;
                let read_off = line.read_off.filter(|(log, _)| *log == table.logs[column].name);
                let (printed, up_to) = line.figures.of_log(column).or(read_off.map(|(_, ours)| (ours, None)))?;
                Some(PrintedCell {
                    printed,
                    up_to,
                    ours: block.ours(line, &run, &own.baseline, &reports),
                    places: block.places,
                    is_ours: read_off.is_some(),
                })
            };
            let cells: Vec<Option<PrintedCell>> = table.blocks.iter().zip(&lines).map(cell).collect();
            let name = lines.iter().flatten().find_map(|line| line.name);
            cells.iter().any(Option::is_some).then_some(ComparedRun { run, name, cells })
        });
        let rows: Vec<ComparedRun> = rows.collect();
        let share = |line: &'static ShareLine| {
            let ours = shares.map(|shares| (line.of)(shares));
            let cell =
                PrintedCell { printed: line.figures[column], up_to: None, ours, places: line.places, is_ours: false };
            ComparedShare { name: line.name, cell }
        };
        let shares: Vec<ComparedShare> = table.shares.iter().map(share).collect();
        let metrics = table.blocks.iter().map(|block| block.metric).collect();
        let is_any = !rows.is_empty() || !shares.is_empty();
        is_any.then(|| PrintedComparison {
            name: table.name,
            about: table.caption,
            log: &table.logs[column],
            form,
            facts: *facts,
            metrics,
            rows,
            shares,
        })
    }

    /// What the table is, on which log: "METRICS Table II, KTH-SP2".
    pub fn title(&self) -> String {
        format!("{}, {}", self.name, self.log.name)
    }

    /// By what the log is known to be the paper's, in words, and in what it differs.
    pub fn known_by(&self) -> String {
        let PaperLog { name, processors, source, .. } = self.log;
        let Some(form) = self.form else {
            return format!("Taken for {name}, as was asked for.");
        };
        let Facts { lines, jobs, users, .. } = self.facts;
        let months = form.months(self.log);
        let users = if users > 0 { format!(", of {} users", whole(users as i64)) } else { String::new() };
        let known = format!(
            "Taken for {name} ({source}), in {}: {} jobs, {} of them simulated, on {} processors, over {months:.0} \
             months{users}.",
            form.name,
            whole(lines as i64),
            whole(jobs as i64),
            whole(*processors),
        );
        format!("{known} {}", form.caveat).trim_end().to_owned()
    }

    /// What of its figures cannot come out on this log; nothing where all can.
    fn lacking(&self) -> Option<&'static str> {
        let is_grouped = self.rows.iter().any(|row| advice::groups_by_executable(&row.run.estimate.method));
        (is_grouped && !self.facts.has_executables).then_some(advice::NO_EXECUTABLES)
    }

    /// What the figures are, and how they are compared.
    pub fn caption(&self) -> String {
        let compared = match self.cells().any(|cell| cell.up_to.is_some()) {
            true => "Difference: ours, rounded as printed, less what is printed; 0 within a range.",
            false => "Difference: ours, rounded as printed, less what is printed.",
        };
        let mut caption = format!("{} {compared}", self.about).trim_start().to_owned();
        if self.cells().any(|cell| cell.is_ours) {
            caption.push_str(
                " In brackets: not legible in the copy of the paper that these are taken from, but read off a run here.",
            );
        }
        if let Some(lacking) = self.lacking() {
            caption = format!("{caption} {lacking}");
        }
        caption
    }

    /// All cells that the paper has.
    fn cells(&self) -> impl Iterator<Item = &PrintedCell> {
        let of_runs = self.rows.iter().flat_map(|row| row.cells.iter().flatten());
        of_runs.chain(self.shares.iter().map(|share| &share.cell))
    }

    /// How many cells the paper has, of how many of those there is ours, and how many of these are as printed.
    pub fn agreement(&self) -> Agreement {
        let mut agreement = Agreement::default();
        for cell in self.cells().filter(|cell| !cell.is_ours) {
            agreement.printed += 1;
            if let Some(difference) = cell.difference() {
                agreement.ours += 1;
                agreement.equal += usize::from(difference == 0.0);
            }
        }
        agreement
    }

    /// The table's texts: of each metric what is printed, ours, and the difference.
    pub fn grid(&self) -> Grid {
        let three = |name: &str| {
            [format!("{name} printed").trim_start().to_owned(), "ours".to_owned(), "difference".to_owned()]
        };
        if !self.shares.is_empty() {
            let line = |share: &ComparedShare| GridLine {
                labels: vec![share.name.to_owned()],
                best: vec![false; 3],
                values: share.cell.texts().to_vec(),
            };
            return Grid {
                labels: vec!["Of the log".to_owned()],
                headings: three("").to_vec(),
                lines: self.shares.iter().map(line).collect(),
            };
        }
        let line = |row: &ComparedRun| {
            let scheduler = match row.name {
                Some(name) if name != row.run.scheduler.name() => format!("{} ({name})", row.run.scheduler.name()),
                _ => row.run.scheduler.name(),
            };
            let missing = || [(); 3].map(|()| MISSING.to_owned());
            let texts = |cell: &Option<PrintedCell>| cell.as_ref().map_or_else(missing, PrintedCell::texts);
            let values: Vec<String> = row.cells.iter().flat_map(texts).collect();
            GridLine { labels: vec![scheduler, row.run.estimate.to_string()], best: vec![false; values.len()], values }
        };
        Grid {
            labels: vec!["Scheduler".to_owned(), "Estimate".to_owned()],
            headings: self.metrics.iter().flat_map(|metric| three(metric.about().name)).collect(),
            lines: self.rows.iter().map(line).collect(),
        }
    }
}

impl PrintedCell {
    /// Ours, rounded as printed, less what is printed; of a range its nearer end, and 0 within it. None where the printed
    /// figure is not known.
    pub fn difference(&self) -> Option<f64> {
        if self.is_ours {
            return None;
        }
        let scale = 10_f64.powi(self.places as i32);
        // in units of the last place, so that equal ones are 0
        let units = |value: f64| (value * scale).round();
        let ours = units(self.ours?);
        let nearest = ours.clamp(units(self.printed), units(self.up_to.unwrap_or(self.printed)));
        Some((ours - nearest) / scale)
    }

    /// What is printed, ours, and the difference.
    fn texts(&self) -> [String; 3] {
        let text = |value: Option<f64>| value.map_or_else(|| MISSING.to_owned(), |x| with_places(x, self.places));
        let printed = match self.up_to {
            Some(up_to) => format!("{} to {}", with_places(self.printed, 0), with_places(up_to, 0)),
            None if self.is_ours => format!("({})", with_places(self.printed, self.places)),
            None => text(Some(self.printed)),
        };
        [printed, text(self.ours), text(self.difference())]
    }
}

/// How far a table of a paper and ours agree, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// What the paper prints.
    pub printed: usize,
    /// Of how many of those there is ours.
    pub ours: usize,
    /// How many of these are as printed, to the last digit, or within the printed range.
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

impl Figures {
    /// The figure of a log, or the range that it lies in; none where the paper has none.
    fn of_log(self, column: usize) -> Option<(f64, Option<f64>)> {
        match self {
            Figures::OfLogs(figures) => Some((figures[column], None)).filter(|(figure, _)| !figure.is_nan()),
            Figures::Between(low, high) => Some((low, Some(high))),
        }
    }
}

impl MetricFigures {
    /// The line of a run, by the ids that catalogues give its scheduler and its estimates.
    fn line(&self, scheduler: &str, estimate: &str) -> Option<&'static RunFigures> {
        self.lines.iter().find(|line| line.scheduler == scheduler && line.estimate == estimate)
    }

    /// The quantity of a run, as far as there are results.
    fn ours(&self, line: &RunFigures, run: &Run, baseline: &Baseline, reports: &[&RunReport]) -> Option<f64> {
        let report = |run: &Run| reports.iter().find(|report| report.run == *run);
        let value = |run: &Run| report(run)?.values.get(&self.metric).copied();
        let own = value(run)?;
        let other = || match line.against {
            Some(id) => value(&Run::new(preset(id), Estimate::of(Method::requested()))),
            None => baseline.of(run).and_then(|other| value(&other)),
        };
        let ours = match self.quantity {
            PrintedQuantity::Value => own,
            PrintedQuantity::Percent => own * 100.0,
            PrintedQuantity::OfJobs => own / report(run)?.jobs as f64 * 100.0,
            PrintedQuantity::OfTries => {
                let tries = Metric::of_note(notes::TRIES, "")?;
                own / report(run)?.values.get(&tries)? * 100.0
            }
            PrintedQuantity::OfBaseline => own / other()? * 100.0,
            PrintedQuantity::Change => {
                let other = other()?;
                (own - other) / other.abs() * 100.0
            }
            PrintedQuantity::Improvement => {
                let other = other()?;
                (other - own) / other.abs() * 100.0
            }
        };
        Some(ours).filter(|ours| ours.is_finite())
    }
}

/// Whether `study` simulates and measures the paper's `log` as `own`, the recipe's, does. What it shows may differ, and what
/// it runs; and a set of jobs that was made at random may be made anew.
fn is_comparable(study: &Study, own: &Study, log: &PaperLog) -> bool {
    let Treatment {
        filter,
        cleaning,
        like,
        split,
        shrink,
        processors: _,
        machine,
        what_if,
        site,
        unit: _,
        since,
        initial,
        users,
        feedback,
    } = &study.treatment;
    *filter == Filter::default()
        && *cleaning == Cleaning::Metrics
        && (like.is_none() || log.is_made())
        && split.is_none()
        && machine.is_none()
        && what_if.is_none()
        && site.is_empty()
        && *shrink == 1.0
        && *since == Since::Submit
        && *users == 1.0
        && feedback.feedback == Feedback::Off
        && *initial != Some(InitialJobs::Held)
        && study.measure == own.measure
        && study.rules() == own.rules()
}

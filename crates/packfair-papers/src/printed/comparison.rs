//! What a paper prints, beside our results.

use super::{Figures, LogForm, MetricFigures, PaperLog, PrintedQuantity, PrintedTable, RunFigures, ShareLine};
use crate::recipe::Recipe;
use packfair_engine::classifier::evaluation::Shares;
use packfair_engine::estimator::{Estimate, Method};
use packfair_engine::metric::Metric;
use packfair_schedulers::dynp::decider;
use packfair_study::format::{MISSING, whole, with_places};
use packfair_study::link::SharedStudy;
use packfair_study::table::{Grid, GridLine};
use packfair_study::{Baseline, Run, RunReport, Study, Treatment, advice, preset};
use packfair_workload::{Cleaning, Feedback, Filter, InitialJobs, Seconds, Since, Summary, Workload};
use std::collections::BTreeSet;
use std::fmt;

/// A paper's table for one log, beside our results.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedComparison {
    /// The name of the table.
    pub name: &'static str,
    /// What the paper says of the table.
    pub about: &'static str,
    /// The log for which the figures are printed.
    pub log: &'static PaperLog,
    /// The form in which the study's log is that log; `None` where a person says that it is.
    pub form: Option<&'static LogForm>,
    /// By what the log was recognised.
    pub facts: Facts,
    /// The metrics of the columns.
    pub metrics: Vec<Metric>,
    /// A row for each run of the table.
    pub rows: Vec<ComparedRun>,
    /// Figures of the log itself, where the table has such.
    pub shares: Vec<ComparedShare>,
}

/// A run for which a paper prints figures.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedRun {
    /// The run as we make it.
    pub run: Run,
    /// The paper's name for the scheduler, where it differs from ours.
    pub name: Option<&'static str>,
    /// One cell for each metric; `None` where the paper has no such cell.
    pub cells: Vec<Option<PrintedCell>>,
}

/// A figure of the log itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedShare {
    /// What is counted.
    pub name: &'static str,
    /// The printed figure beside ours.
    pub cell: PrintedCell,
}

/// A cell of a paper's table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedCell {
    /// The printed figure; the lower end where the paper prints a range.
    pub printed: f64,
    /// The upper end where the paper prints a range.
    pub up_to: Option<f64>,
    /// Our figure, with all digits; `None` until the run, and the one that it is compared with, have results.
    pub ours: Option<f64>,
    /// The decimal places with which it is printed.
    pub places: usize,
    /// Whether our copy of the paper cannot be read here: `printed` is then an earlier result of ours, and nothing is
    /// compared with it.
    pub is_ours: bool,
}

impl PrintedComparison {
    /// The paper's table for a recipe beside our results. `None` where the log is none of the paper's, or where `study`
    /// does not simulate and measure as the recipe does. `reports` are the results so far; `shares` are figures of the
    /// log, where they are known.
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
        if !is_comparable(study, &own, table.logs[column]) {
            return None;
        }
        let reports: Vec<&RunReport> = reports.into_iter().collect();
        let rows = study.runs().into_iter().filter_map(|run| {
            let (scheduler, estimate) = (run.scheduler.to_string(), run.estimate.to_string());
            let lines: Vec<Option<&RunFigures>> =
                table.blocks.iter().map(|block| block.line(&scheduler, &estimate)).collect();
            let cell = |(block, line): (&MetricFigures, &Option<&RunFigures>)| {
                let line = (*line)?;
                let read_off = line.read_off.as_ref().filter(|read| read.log == table.logs[column].name);
                let (printed, up_to) = line.figures.of_log(column).or(read_off.map(|read| (read.ours, None)))?;
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
            let ours = shares.map(|shares| line.share.of(shares));
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
            log: table.logs[column],
            form,
            facts: *facts,
            metrics,
            rows,
            shares,
        })
    }

    /// The table and the log: "METRICS Table II, KTH-SP2".
    pub fn title(&self) -> String {
        format!("{}, {}", self.name, self.log.name)
    }

    /// How the log was recognised as the paper's, in words, and how it differs from that.
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

    /// Why some of the paper's figures cannot come out on this log; `None` where all can.
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

    fn cells(&self) -> impl Iterator<Item = &PrintedCell> {
        let of_runs = self.rows.iter().flat_map(|row| row.cells.iter().flatten());
        of_runs.chain(self.shares.iter().map(|share| &share.cell))
    }

    /// Counts the cells that the paper prints, those for which we have a figure, and those where it agrees.
    pub fn agreement(&self) -> PrintedAgreement {
        let mut agreement = PrintedAgreement::default();
        for cell in self.cells().filter(|cell| !cell.is_ours) {
            agreement.printed += 1;
            if let Some(difference) = cell.difference() {
                agreement.ours += 1;
                agreement.equal += usize::from(difference == 0.0);
            }
        }
        agreement
    }

    /// The table's texts: for each metric the printed figure, ours, and the difference.
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
    /// Our figure, rounded as printed, less the printed one. With a printed range it is the distance to the nearer end,
    /// and 0 within the range. `None` where there is no figure of ours, or the printed one cannot be read.
    pub fn difference(&self) -> Option<f64> {
        if self.is_ours {
            return None;
        }
        let scale = 10_f64.powi(self.places as i32);
        // In units of the last place, so that equal figures give exactly 0.
        let units = |value: f64| (value * scale).round();
        let ours = units(self.ours?);
        let nearest = ours.clamp(units(self.printed), units(self.up_to.unwrap_or(self.printed)));
        Some((ours - nearest) / scale)
    }

    /// The printed figure, ours, and the difference.
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

/// How far our table agrees with a paper's, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintedAgreement {
    /// Cells that the paper prints.
    pub printed: usize,
    /// Cells of which we have the figure too.
    pub ours: usize,
    /// How many of ours equal the printed figure to the last digit, or lie in the printed range.
    pub equal: usize,
}

impl fmt::Display for PrintedAgreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PrintedAgreement { printed, ours, equal } = self;
        match printed == ours {
            true => write!(f, "{equal} of {printed} printed figures come out to the last digit"),
            false => write!(f, "{equal} of {ours} figures so far come out to the last digit; {printed} are printed"),
        }
    }
}

impl Figures {
    /// The figure for a log, or the two ends of its range; `None` where the paper has no figure.
    fn of_log(&self, column: usize) -> Option<(f64, Option<f64>)> {
        match self {
            Figures::OfLogs(figures) => figures[column].map(|figure| (figure, None)),
            Figures::Between { from, to } => Some((*from, Some(*to))),
        }
    }
}

impl RunFigures {
    /// The catalogue ids of the scheduler and the estimates of each run.
    pub(super) fn runs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.runs.iter().map(|run| run.split_once("__").unwrap_or((run, "requested")))
    }
}

impl MetricFigures {
    /// The line for a run, by the catalogue ids of its scheduler and its estimates.
    pub(super) fn line(&self, scheduler: &str, estimate: &str) -> Option<&RunFigures> {
        self.lines.iter().find(|line| line.runs().any(|run| run == (scheduler, estimate)))
    }

    /// Our value of the printed quantity for a run; `None` where results are missing.
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
                let tries = Metric::of_note(decider::TRIES, "")?;
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

/// Whether `study` simulates and measures the paper's `log` as `own`, the recipe's study, does. It may show and run
/// other things, and it may make a random set of jobs anew.
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
        announced: _,
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

// The facts by which a log is recognised.

/// The facts by which a log is recognised as one of the papers'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Jobs in the log, before any cleaning.
    pub lines: usize,
    /// The jobs that are simulated.
    pub jobs: usize,
    /// The processors of the machine.
    pub processors: u32,
    /// From the first submission to the last, seconds.
    pub span: Seconds,
    /// Number of users of the simulated jobs; 0 where they are not known.
    pub users: usize,
    /// Whether the log says which program any job runs.
    pub has_executables: bool,
    /// The log of the papers for which a person takes the log ([`paper_log`](super::paper_log)). It overrides the other
    /// facts.
    pub taken_for: Option<&'static str>,
}

impl Facts {
    /// The facts of a workload, made from a log with so many jobs.
    pub fn of(workload: &Workload, lines: usize) -> Self {
        let requests = workload.requests();
        let (first, last) = (requests.first(), requests.last());
        let users: BTreeSet<i32> = requests.iter().map(|request| request.user).filter(|&user| user >= 0).collect();
        Facts {
            lines,
            jobs: workload.len(),
            processors: workload.machine.processors,
            span: first.zip(last).map_or(0, |(first, last)| last.submit - first.submit),
            users: users.len(),
            has_executables: requests.iter().any(|request| request.executable >= 0),
            taken_for: None,
        }
    }

    /// The facts of the log of a study that was shared; `None` where the link does not tell.
    pub fn of_shared(shared: &SharedStudy) -> Option<Self> {
        let log = shared.sender_view.as_ref()?.log?;
        Some(Facts {
            // A link's limits keep this within range.
            lines: log.lines as usize,
            jobs: shared.workload.jobs,
            processors: shared.workload.machine.processors,
            span: log.span,
            users: log.users as usize,
            has_executables: log.has_executables,
            taken_for: None,
        })
    }

    /// The facts of a summary of a workload, made from a log with so many jobs.
    pub fn of_summary(summary: &Summary, lines: usize) -> Self {
        Facts {
            lines,
            jobs: summary.jobs,
            processors: summary.machine.processors,
            span: summary.span.last_submit - summary.span.first_submit,
            users: summary.users,
            has_executables: summary.executables > 0,
            taken_for: None,
        }
    }
}

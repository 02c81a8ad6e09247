//! Results in the output forms of the command line.

use super::args::{OutputArguments, OutputFormat};
use super::machine;
use super::watch::{Step, Watch};
use packfair_engine::metric::Metric;
use packfair_engine::model::Schedule;
use packfair_papers::printed::{PrintedComparison, PrintedTable};
use packfair_slurm::Patch;
use packfair_study::export::for_spreadsheets;
use packfair_study::format::{TimeUnit, whole};
use packfair_study::grouped::{WaitsRow, sort_waits, waits_as_logged, waits_csv, waits_grid, waits_json, waits_of};
use packfair_study::sureness::Repeated;
use packfair_study::table::{self, FailedRun, Mode, Table, TitledGrid};
use packfair_study::verdict::{Apart, Concern, Fit, FitGrade, Judged, OfPartition, Verdict, judge, judge_apart};
use packfair_study::{Baseline, GroupedWaits, Run, RunReport, SiteFit, Study, claiming};
use packfair_workload::{Clock, Summary, Workload};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Instant;

/// The metrics to show: those that are `asked` for or, if there are none, the study's columns in forms for people and
/// all defined metrics in forms for programs.
pub(super) fn columns(study: &Study, reports: &[RunReport], asked: &[Metric], format: OutputFormat) -> Vec<Metric> {
    match (asked.is_empty(), format.is_for_programs()) {
        (false, _) => asked.to_vec(),
        (true, true) => all_defined(reports),
        (true, false) => table::columns(&study.columns, reports),
    }
}

/// The results of `study`, with the intervals of its repeats if there are any. `account` says in one line what became of the
/// log's records.
pub(super) fn result_table(
    study: &Study,
    reports: &[RunReport],
    failed: &[FailedRun],
    repeated: Option<&Repeated>,
    columns: &[Metric],
    account: String,
) -> Table {
    let mode = if study.baseline == Baseline::None { Mode::Absolute } else { Mode::Change };
    let table = Table::of(reports, columns, &study.baseline, mode);
    let mut table = table.with_truth(study, reports).with_origin(&study.source).with_account(account);
    if let Some(repeated) = repeated {
        table = table.with_repeats(repeated);
    }
    table.with_failed(failed).with_names(&study.row_names)
}

pub(super) fn render(table: &Table, format: OutputFormat) -> String {
    match format {
        OutputFormat::Table => table::text(table, TimeUnit::Seconds),
        OutputFormat::Json => table::json(table) + "\n",
        OutputFormat::Csv => table::csv(table),
        OutputFormat::Spreadsheet => for_spreadsheets(&table::csv(table)),
        OutputFormat::Markdown => table::markdown(table, TimeUnit::Seconds),
        OutputFormat::Latex => table::latex(table, TimeUnit::Seconds),
    }
}

/// The most runs that are told in words, and of each the most lines of what jobs are stuck behind.
const RUNS_IN_WORDS: usize = 3;
const STUCK_IN_WORDS: usize = 2;

/// How the machine's cells, resources and windows were used, and what jobs are stuck behind, below the results. Forms for programs have the values of
/// the whole machine as metrics.
pub(super) fn of_machine(reports: &[RunReport], clock: &Clock, format: OutputFormat) -> String {
    let grids = table::machine_grids(reports, Some(clock));
    let texts = grids.iter().map(|TitledGrid { title, grid }| match format {
        OutputFormat::Table => format!("\n{title}\n\n{}", table::text_of(grid)),
        OutputFormat::Markdown => format!("\n{title}\n\n{}", table::markdown_of(grid)),
        OutputFormat::Latex => format!("\n% {title}\n{}", table::latex_of(grid)),
        OutputFormat::Json | OutputFormat::Csv | OutputFormat::Spreadsheet => String::new(),
    });
    let mut text: String = texts.collect();
    if matches!(format, OutputFormat::Table | OutputFormat::Markdown) {
        let told = reports.iter().take(RUNS_IN_WORDS).flat_map(|report| table::stuck_in_words(report, STUCK_IN_WORDS));
        told.for_each(|sentence| text.push_str(&format!("\n{sentence}\n")));
    }
    text
}

/// How close Slurm as configured comes to the log, by user, partition and QOS, below the results. Forms for programs
/// and papers contain the results only.
pub(super) fn of_site(fit: &SiteFit, format: OutputFormat) -> String {
    let text = match format {
        OutputFormat::Table => table::text_of(&fit.grid()),
        OutputFormat::Markdown => table::markdown_of(&fit.grid()),
        _ => return String::new(),
    };
    let priorities = fit.of_priorities().map_or_else(String::new, |words| format!("\n{words}\n"));
    format!("\nSlurm as configured beside the log\n\n{text}{priorities}")
}

/// The verdict for this concern, below a table. Forms for programs and papers contain the results only.
pub(super) fn in_words(study: &Study, table: &Judged<'_>, concern: Concern, format: OutputFormat) -> String {
    if !matches!(format, OutputFormat::Table | OutputFormat::Markdown) {
        return String::new();
    }
    if let Some(apart) = judge_apart(table, concern) {
        return in_words_apart(&apart);
    }
    let Some(verdict) = judge(table, concern) else { return String::new() };
    // how far the cluster's own scheduler can be trusted comes first
    let own = claiming(study, table.reports.iter().copied());
    let fit = Fit::of(own).map_or_else(String::new, |fit| format!("{} ", fit.in_words()));
    format!("\n{fit}{}\n", verdict.text)
}

/// A verdict for each partition, and one for all of them.
fn in_words_apart(apart: &Apart) -> String {
    let with_fit = |fit: &Option<(FitGrade, String)>, verdict: &Verdict| {
        let fit = fit.as_ref().map_or_else(String::new, |(_, words)| format!("{words} "));
        format!("{fit}{}", verdict.text)
    };
    let mut text = String::new();
    for OfPartition { partition, jobs, fit, verdict } in &apart.each {
        let jobs = jobs.map_or_else(String::new, |jobs| format!(" ({} jobs)", whole(jobs as i64)));
        text.push_str(&format!("\n{}{jobs}: {}\n", partition.name, with_fit(fit, verdict)));
    }
    text.push_str(&format!("\n{}: {}\n", Apart::ALL, with_fit(&apart.fit, &apart.total)));
    text
}

/// Every metric that is defined for some run, in the order of the catalogue.
fn all_defined(reports: &[RunReport]) -> Vec<Metric> {
    let defined: BTreeSet<Metric> = reports.iter().flat_map(|report| report.values.keys().copied()).collect();
    Metric::ALL.iter().copied().filter(|metric| defined.contains(metric)).collect()
}

/// The numbers that a paper prints beside ours, below the results. Forms for programs contain the results only.
pub(super) fn beside_printed(comparison: &PrintedComparison, format: OutputFormat) -> String {
    let title = format!("{}: as printed, and ours. {}.", comparison.title(), comparison.agreement());
    let (caption, known_by) = (comparison.caption(), comparison.known_by());
    let grid = comparison.grid();
    match format {
        OutputFormat::Table => format!("\n{title}\n\n{}\n{caption}\n{known_by}\n", table::text_of(&grid)),
        OutputFormat::Markdown => format!("\n{title}\n\n{}\n{caption} {known_by}\n", table::markdown_of(&grid)),
        OutputFormat::Latex => format!("\n% {title}\n% {caption}\n% {known_by}\n{}", table::latex_of(&grid)),
        OutputFormat::Json | OutputFormat::Csv | OutputFormat::Spreadsheet => String::new(),
    }
}

/// Why the paper's numbers are not shown beside the results, and what the user can do.
pub(super) fn not_printed(table: &PrintedTable, taken_for: Option<&str>) -> String {
    let names = table.logs().collect::<Vec<_>>().join(", ");
    match taken_for {
        Some(log) => format!(
            "{} prints no figures of {log} for these runs, or these runs are measured in another way",
            table.name
        ),
        None => format!(
            "{} prints figures of {names}, whole and unchanged. This log is recognised as none of them, or it is \
             measured in another way. If it is one of them, --take-for names it",
            table.name
        ),
    }
}

// Counts how far a command has come, for who looks on.

/// The progress of a part of a command.
pub(super) struct ProgressLine<'a> {
    what: &'static str,
    all: usize,
    begun: Instant,
    done: Mutex<Done>,
    watch: &'a dyn Watch,
}

struct Done {
    items: usize,
    work: f64,
}

impl<'a> ProgressLine<'a> {
    /// The progress of `all` items called `what`, none of which is finished.
    pub(super) fn of(what: &'static str, all: usize, watch: &'a dyn Watch) -> Self {
        ProgressLine { what, all, begun: Instant::now(), done: Mutex::new(Done { items: 0, work: 0.0 }), watch }
    }

    /// Counts one more finished item, of which this fraction was not yet counted by [`ProgressLine::advance`].
    pub(super) fn finish(&self, part: f64) {
        self.count(1, part);
    }

    /// Counts this fraction of an item that goes on.
    pub(super) fn advance(&self, part: f64) {
        self.count(0, part);
    }

    fn count(&self, items: usize, part: f64) {
        // no thread panics while holding the lock
        let mut done = self.done.lock().unwrap();
        done.items += items;
        done.work += part;
        let Done { items, work } = *done;
        self.watch.come(&Step { what: self.what, items, work, all: self.all, took: self.begun.elapsed() });
    }
}

impl Drop for ProgressLine<'_> {
    fn drop(&mut self) {
        self.watch.ended();
    }
}

// What is printed of the results of a study on a log, whether one process has computed them or several.

pub(super) struct Printout<'a> {
    pub(super) study: &'a Study,
    pub(super) summary: &'a Summary,
    /// What became of the log's records, in a sentence.
    pub(super) account: String,
    pub(super) reports: &'a [RunReport],
    pub(super) failed: &'a [FailedRun],
    pub(super) repeated: Option<&'a Repeated>,
    /// Whether the table tells how near its schedulers come to what the cluster did.
    pub(super) tells_fit: bool,
    pub(super) waits: &'a BTreeMap<String, GroupedWaits>,
    /// By run id, what is to be done at a Slurm site ([`machine::to_do`]).
    pub(super) to_do: &'a BTreeMap<String, (Patch, String)>,
    /// How close Slurm as configured comes to the log, if that is asked for.
    pub(super) site_fit: Option<&'a SiteFit>,
}

impl Printout<'_> {
    /// The table of these columns, and below it how the machine was used, the verdict, and the answers to questions
    /// about a site.
    pub(super) fn text(&self, columns: &[Metric], matters: Concern, format: OutputFormat) -> String {
        let Printout { study, summary, reports, failed, .. } = self;
        let repeated = self.repeated;
        let judged = Judged {
            reports: reports.iter().collect(),
            missing: Vec::new(),
            columns,
            baseline: &study.baseline,
            repeated,
            load: summary.offered_load,
            has_site: !study.treatment.site.is_empty(),
        };
        let table = result_table(study, reports, failed, repeated, columns, self.account.clone());
        let table = if self.tells_fit { table } else { table.without_truth() };
        [
            render(&table, format),
            of_machine(reports, &summary.clock, format),
            in_words(study, &judged, matters, format),
            self.site_fit.map_or_else(String::new, |fit| of_site(fit, format)),
            machine::answers(&judged, self.waits, self.to_do, summary, format),
        ]
        .concat()
    }
}

// Waits by group of jobs, for `packfair run --by`.

/// Collects the waits by group from the threads that make a study's runs.
pub(super) struct Collected<'a> {
    study: &'a Study,
    output: &'a OutputArguments,
    runs: Vec<Run>,
    rows: Mutex<Vec<(usize, Vec<WaitsRow>)>>,
}

impl<'a> Collected<'a> {
    pub(super) fn of(study: &'a Study, output: &'a OutputArguments) -> Self {
        Collected { study, output, runs: study.runs(), rows: Mutex::default() }
    }

    /// Whether waits by group are asked for.
    pub(super) fn is_asked_for(&self) -> bool {
        !self.output.by.is_empty()
    }

    /// Called when a run has ended. [`Collected::render`] adds the log's own waits.
    pub(super) fn add(&self, run: &Run, workload: &Workload, schedule: &Schedule) {
        if !self.is_asked_for() || run.scheduler.is_as_logged() {
            return;
        }
        let place = self.runs.iter().position(|other| other == run).unwrap_or(usize::MAX);
        let of = |&by| waits_of(run, workload, schedule, by, &self.study.measure);
        let rows = self.output.by.iter().flat_map(of).collect();
        // no thread panics while holding the lock
        self.rows.lock().unwrap().push((place, rows));
    }

    /// All rows, including the log's own, in the requested form.
    pub(super) fn render(self, workload: &Workload) -> String {
        // no thread panics while holding the lock
        let mut each = self.rows.into_inner().unwrap();
        each.sort_by_key(|(place, _)| *place);
        let logged = self.output.by.iter().flat_map(|&by| waits_as_logged(workload, by, &self.study.measure));
        let mut rows: Vec<WaitsRow> = logged.chain(each.into_iter().flat_map(|(_, rows)| rows)).collect();
        // groups with the longest waits come first
        sort_waits(&mut rows, self.output.sort.map(|column| (column, true)));
        match self.output.format {
            OutputFormat::Table => format!("\n{}", table::text_of(&waits_grid(&rows))),
            OutputFormat::Markdown => format!("\n{}", table::markdown_of(&waits_grid(&rows))),
            OutputFormat::Latex => format!("\n{}", table::latex_of(&waits_grid(&rows))),
            OutputFormat::Json => waits_json(&rows) + "\n",
            OutputFormat::Csv => waits_csv(&rows),
            OutputFormat::Spreadsheet => for_spreadsheets(&waits_csv(&rows)),
        }
    }
}

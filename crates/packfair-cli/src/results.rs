//! Results in the output forms of the command line.

use super::args::OutputFormat;
use packfair_engine::metric::Metric;
use packfair_papers::printed::{PrintedComparison, PrintedTable};
use packfair_study::export::for_spreadsheets;
use packfair_study::format::{TimeUnit, whole};
use packfair_study::sureness::Repeated;
use packfair_study::table::{self, FailedRun, Mode, Table, TitledGrid};
use packfair_study::verdict::{Apart, Concern, Fit, FitGrade, Judged, OfPartition, Verdict, judge, judge_apart};
use packfair_study::{Baseline, RunReport, SiteFit, Study, claiming};
use packfair_workload::Clock;
use std::collections::BTreeSet;

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
pub(super) fn table(
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

//! Results as the forms that the command line gives.

use super::args::Format;
use crate::metric::Metric;
use crate::study::format::TimeUnit;
use crate::study::printed::Comparison;
use crate::study::table::{self, Mode, Table};
use crate::study::{Baseline, RunReport, Study};
use std::collections::BTreeSet;

/// The results of `study` in `format`. `columns` are the metrics asked for; where none are, people
/// get the study's, and programs all that are defined.
pub(super) fn render(study: &Study, reports: &[RunReport], columns: &[Metric], format: Format) -> String {
    let for_programs = matches!(format, Format::Json | Format::Csv);
    let columns = match (columns.is_empty(), for_programs) {
        (false, _) => columns.to_vec(),
        (true, true) => all_defined(reports),
        (true, false) => table::columns(&study.columns, reports),
    };
    let mode = if study.baseline == Baseline::None { Mode::Absolute } else { Mode::Change };
    let table = Table::of(reports, &columns, &study.baseline, mode);
    match format {
        Format::Table => table::text(&table, TimeUnit::Seconds),
        Format::Json => table::json(&table) + "\n",
        Format::Csv => table::csv(&table),
        Format::Markdown => table::markdown(&table, TimeUnit::Seconds),
        Format::Latex => table::latex(&table, TimeUnit::Seconds),
    }
}

/// Every metric that some run has, in the catalogue's order.
fn all_defined(reports: &[RunReport]) -> Vec<Metric> {
    let defined: BTreeSet<Metric> = reports.iter().flat_map(|report| report.values.keys().copied()).collect();
    Metric::ALL.iter().copied().filter(|metric| defined.contains(metric)).collect()
}

/// What a paper prints beside ours, below the results. Programs get the results alone.
pub(super) fn beside_printed(comparison: &Comparison, format: Format) -> String {
    let title = format!("{}: as printed, and ours. {}.", comparison.title(), comparison.agreement());
    let (caption, known_by) = (comparison.caption(), comparison.log.known_by());
    let grid = comparison.grid();
    match format {
        Format::Table => format!("\n{title}\n\n{}\n{caption}\n{known_by}\n", table::text_of(&grid)),
        Format::Markdown => format!("\n{title}\n\n{}\n{caption} {known_by}\n", table::markdown_of(&grid)),
        Format::Latex => format!("\n% {title}\n% {caption}\n% {known_by}\n{}", table::latex_of(&grid)),
        Format::Json | Format::Csv => String::new(),
    }
}

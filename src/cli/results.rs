//! Results as the forms that the command line gives.

use super::args::Format;
use crate::metric::Metric;
use crate::study::format::TimeUnit;
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

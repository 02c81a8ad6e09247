//! Waits by group of jobs, for `packfair run --by`.

use super::args::{OutputArguments, OutputFormat};
use crate::model::Schedule;
use crate::study::export::for_spreadsheets;
use crate::study::grouped::WaitsRow;
use crate::study::grouped::{sort_waits, waits_as_logged, waits_csv, waits_grid, waits_json, waits_of};
use crate::study::{Run, Study, table};
use crate::workload::Workload;
use std::sync::Mutex;

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

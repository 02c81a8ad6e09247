//! The engine's results outside the browser, with which the page's numbers are compared.

use crate::page::Table;
use packfair::metric::Metric;
use packfair::study::{RunReport, Study, execute, fair_starts_of};
use packfair::workload::{Workload, clean, reading, shrink};
use std::fs::File;
use std::path::Path;

/// A log as the page should see it, treated as `study` says.
pub fn workload(log: &Path, study: &Study) -> Workload {
    let name = log.file_name().and_then(|name| name.to_str()).expect("names of test files are text");
    let log = reading::read(name, File::open(log).expect("the log is there")).expect("the log is good");
    let treatment = &study.treatment;
    let mut workload =
        clean(&log, &treatment.filter, treatment.cleaning, treatment.processors).expect("the log has usable jobs");
    shrink(&mut workload, treatment.shrink).expect("the factor is in range");
    workload
}

/// The comparison table of a study, in the columns `shown`.
pub fn table(workload: &Workload, study: &Study) -> Table {
    let values = |run: &packfair::study::Run| {
        let mut result = execute(run, workload, study.rules(), &study.measure).unwrap();
        if study.asks_for_fair_starts() {
            let fair = fair_starts_of(run, workload, study.rules(), &result.schedule, 0..workload.len());
            result.schedule.fair = fair.ok();
            result.report = RunReport::of(run.clone(), workload, &result.schedule, &study.measure, 0.0);
        }
        let report = result.report;
        let shown = report.values.into_iter().filter(|(metric, _)| study.columns.contains(metric));
        shown.map(|(metric, value): (Metric, f64)| (metric.about().id.to_owned(), value)).collect()
    };
    study.runs().iter().map(|run| (run.id(), values(run))).collect()
}

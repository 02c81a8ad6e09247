//! What the engine says outside the browser, to hold the page's numbers against.

use crate::page::Table;
use packfair::metric::Metric;
use packfair::study::{Study, execute};
use packfair::workload::{Workload, clean, shrink, swf};
use std::fs::File;
use std::path::Path;

/// A log as the page should see it, treated as `study` says.
pub fn workload(log: &Path, study: &Study) -> Workload {
    let name = log.file_name().and_then(|name| name.to_str()).expect("names of test files are text");
    let log = swf::read(name, File::open(log).expect("the log is there")).expect("the log is good");
    let treatment = &study.treatment;
    let mut workload =
        clean(&log, &treatment.filter, treatment.cleaning, treatment.processors).expect("the log has usable jobs");
    shrink(&mut workload, treatment.shrink).expect("the factor is in range");
    workload
}

/// The comparison table of a study, in the columns `shown`.
pub fn table(workload: &Workload, study: &Study) -> Table {
    let values = |run: &packfair::study::Run| {
        let report = execute(run, workload, study.rules(), &study.measure).unwrap().report;
        let shown = report.values.into_iter().filter(|(metric, _)| study.columns.contains(metric));
        shown.map(|(metric, value): (Metric, f64)| (metric.about().id.to_owned(), value)).collect()
    };
    study.runs().iter().map(|run| (run.id(), values(run))).collect()
}

//! `packfair collect`: one report of everything in a folder.

use super::folder::{Kept, SpreadFolder};
use super::unit::{SpreadLog, SpreadUnit};
use crate::args::{CollectArguments, OutputFormat};
use crate::{Failure, print, results, say};
use packfair_study::export::{for_spreadsheets, write_results};
use packfair_study::sureness::{Repeated, repeatable};
use packfair_study::{Report, RunReport, link};
use std::collections::BTreeMap;

/// The largest number of missing runs that are named.
const NAMED: usize = 20;

/// The results on one log.
struct CollectedLog {
    reports: Vec<RunReport>,
    repeated: Option<Repeated>,
}

/// Collects the results, writes them as files into the folder, and prints them.
///
/// # Errors
/// Some runs are missing or have failed; the report then contains the other runs.
pub(crate) fn collect(arguments: &CollectArguments) -> Result<(), Failure> {
    let (folder, logs) = SpreadFolder::open(&arguments.folder)?;
    let (collected, absent, all) = read(&folder, &logs);
    let render = |format| rendered(&logs, &collected, format);
    folder.write("report.txt", &render(OutputFormat::Table))?;
    folder.write("report.csv", &render(OutputFormat::Csv))?;
    folder.write("report.json", &render(OutputFormat::Json))?;
    for (place, (log, collected)) in logs.iter().zip(&collected).enumerate() {
        let report = Report { study: log.study.clone(), summary: log.summary.clone(), runs: collected.reports.clone() };
        match link::encode(&link::SharedStudy::of(&report, Vec::new()).with_repeats(collected.repeated.clone())) {
            Ok(link) => folder.write(&page_file(place, logs.len()), &write_results(&log.study, &link))?,
            Err(error) => say(&format!("packfair: {}: no file for the page: {error}", log.study.source.name())),
        }
    }
    print(&render(arguments.format))?;
    if absent.is_empty() {
        // the list of what was missing before, if there was one
        let _ = std::fs::remove_file(folder.path("missing.txt"));
        folder.remove_parts();
        return Ok(());
    }
    for why in absent.iter().take(NAMED) {
        say(&format!("packfair: {why}"));
    }
    if absent.len() > NAMED {
        say(&format!("packfair: and {} more, which missing.txt lists", absent.len() - NAMED));
    }
    folder.write("missing.txt", &(absent.join("\n") + "\n"))?;
    Err(Failure::Missing { missing: absent.len(), runs: all })
}

/// The name of the file that the page can open: one for each log.
fn page_file(place: usize, logs: usize) -> String {
    if logs == 1 { "results.json".to_owned() } else { format!("results-{}.json", place + 1) }
}

/// The results on each log, the missing runs with the reasons, and the number of runs that there should be.
fn read(folder: &SpreadFolder, logs: &[SpreadLog]) -> (Vec<CollectedLog>, Vec<String>, usize) {
    let empty = |log: &SpreadLog| {
        let study = &log.study;
        let new = |repeats| Repeated::new(repeats, repeatable(&study.columns), &study.repeated_runs());
        CollectedLog { reports: Vec::new(), repeated: study.repeats.map(new) }
    };
    let mut collected: Vec<CollectedLog> = logs.iter().map(empty).collect();
    let (units, mut absent) = (SpreadUnit::all(logs), Vec::new());
    // units are in the order of the table
    for unit in &units {
        let of_log = &mut collected[unit.log];
        match (folder.result(unit), unit.repeat, &mut of_log.repeated) {
            (Some(result), None, _) if result.report.is_some() => of_log.reports.extend(result.report),
            (Some(result), Some(repeat), Some(repeated)) if result.values.is_some() => {
                repeated.set(&unit.run, repeat, result.values.unwrap_or_default());
            }
            _ => absent.push(match folder.failure(unit) {
                Some(failure) => format!("{} failed: {}", unit.name(logs), failure.reason),
                None if folder.kept(unit) == Kept::Damaged => {
                    format!("{} is missing: its result is damaged, or of another run", unit.name(logs))
                }
                None => format!("{} is missing: no process has finished it", unit.name(logs)),
            }),
        }
    }
    (collected, absent, units.len())
}

/// The results on all logs in one form.
fn rendered(logs: &[SpreadLog], collected: &[CollectedLog], format: OutputFormat) -> String {
    if format == OutputFormat::Spreadsheet {
        return for_spreadsheets(&rendered(logs, collected, OutputFormat::Csv));
    }
    let mut each = logs.iter().zip(collected).map(|(log, CollectedLog { reports, repeated })| {
        let columns = results::columns(&log.study, reports, &log.study.columns, format);
        (log.study.source.name(), results::render(&log.study, reports, &[], repeated.as_ref(), &columns, format))
    });
    match format {
        _ if logs.len() == 1 => each.next().map(|(_, text)| text).unwrap_or_default(),
        OutputFormat::Json => {
            // each text is JSON that was made here; logs of the same name are distinguished by their index
            let value = |(place, (name, text)): (usize, (String, String))| {
                let rows: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
                (format!("{} {name}", place + 1), rows)
            };
            let all: BTreeMap<String, serde_json::Value> = each.enumerate().map(value).collect();
            serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
        }
        OutputFormat::Csv => each.enumerate().map(|(place, (name, text))| with_log(place, &name, &text)).collect(),
        _ => each.map(|(name, text)| format!("{name}\n\n{text}\n")).collect(),
    }
}

/// A table as CSV with a first column for the log. Only the first log has a heading line.
fn with_log(place: usize, name: &str, text: &str) -> String {
    let mut out = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    let mut rows = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    for (line, row) in rows.records().flatten().enumerate() {
        let first = if line == 0 { "log" } else { name };
        if line > 0 || place == 0 {
            // writing into memory cannot fail
            out.write_record(std::iter::once(first).chain(row.iter())).unwrap();
        }
    }
    // writing into memory cannot fail, and all fields are UTF-8
    String::from_utf8(out.into_inner().unwrap()).unwrap()
}

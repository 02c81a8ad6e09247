//! A table as CSV: exact numbers under the metrics' ids, for programs.

use super::{Table, TableOrigin};
use crate::Engine;
use crate::format::exact;
use crate::sureness::Interval;

/// A heading line, then a line for each run: scheduler, estimator and k as ids, jobs, and the exact values. Each value
/// is followed by its change relative to the baseline (a fraction) where values are compared, and by the bounds of both
/// where the study was repeated. Then come the simulation's seconds, the engine, the shrinking factor, whether the
/// queue grew to the end, the log with its fingerprint, the version of Packfair, whether the log's own schedule exceeds
/// the machine, why a run failed, the what-if where any run has one, what became of the log's
/// records, and the names that a person has given to rows, where there are any. Units are those of the catalogue of metrics;
/// times are in seconds.
pub fn csv(table: &Table) -> String {
    let compared = table.baseline != crate::Baseline::None;
    let repeated = table.sureness.is_some();
    let mut out = csv::Writer::from_writer(Vec::new());
    let mut heading = vec!["scheduler".to_owned(), "estimator".to_owned(), "k".to_owned(), "jobs".to_owned()];
    for metric in &table.columns {
        heading.push(metric.to_string());
        if compared {
            heading.push(format!("{metric}_change"));
        }
        if repeated {
            heading.extend(["low", "high"].map(|bound| format!("{metric}_{bound}")));
        }
        if repeated && compared {
            heading.extend(["low", "high"].map(|bound| format!("{metric}_change_{bound}")));
        }
    }
    heading.extend(
        ["wall_s", "engine", "shrink", "saturated", "log", "fingerprint", "version", "overfull", "failed"]
            .map(str::to_owned),
    );
    // Without what-ifs there is no such column.
    let has_what_ifs = table.rows.iter().any(|row| row.run.what_if.is_some());
    heading.extend(has_what_ifs.then(|| "what_if".to_owned()));
    let has_account = !table.origin.account.is_empty();
    heading.extend(has_account.then(|| "account".to_owned()));
    let has_names = table.rows.iter().any(|row| row.given.is_some());
    heading.extend(has_names.then(|| "name".to_owned()));
    write(&mut out, &heading);
    for row in &table.rows {
        let estimate = &row.run.estimate;
        let mut line =
            vec![row.run.scheduler.to_string(), estimate.to_string(), exact(estimate.k), row.jobs.to_string()];
        for cell in &row.cells {
            line.push(cell.map_or_else(String::new, |cell| exact(cell.value)));
            if compared {
                line.push(cell.and_then(|cell| cell.change).map_or_else(String::new, exact));
            }
            if repeated {
                line.extend(bounds(cell.and_then(|cell| cell.interval)));
            }
            if repeated && compared {
                line.extend(bounds(cell.and_then(|cell| cell.change_interval)));
            }
        }
        // empty where the log is too short to tell
        let saturated = if row.is_too_short { String::new() } else { row.is_saturated.to_string() };
        let shrink = exact(row.shrink);
        let TableOrigin { log, fingerprint, account } = table.origin.clone();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        line.extend([exact(row.wall_s), Engine::THIS.to_string(), shrink, saturated, log, fingerprint, version]);
        line.extend([row.is_overfull.to_string(), row.failure.clone().unwrap_or_default()]);
        if has_what_ifs {
            line.push(row.run.what_if.as_ref().map(ToString::to_string).unwrap_or_default());
        }
        line.extend(has_account.then_some(account));
        line.extend(has_names.then(|| row.given.clone().unwrap_or_default()));
        write(&mut out, &line);
    }
    // Flushing into memory does not fail, and all fields are UTF-8.
    String::from_utf8(out.into_inner().unwrap()).unwrap()
}

fn bounds(interval: Option<Interval>) -> [String; 2] {
    interval.map_or_else(Default::default, |Interval { low, high }| [low, high].map(exact))
}

fn write(out: &mut csv::Writer<Vec<u8>>, line: &[String]) {
    // Writing to memory does not fail, and every line has the heading's length.
    out.write_record(line).unwrap();
}

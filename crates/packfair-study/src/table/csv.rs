//! A table as CSV: exact numbers under the metrics' ids, for programs.

use super::{Grid, Row, Table, TableCell, TableOrigin};
use crate::Engine;
use crate::format::{TimeUnit, duration, exact};
use crate::sureness::Interval;
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};

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

// A table for the terminal.

/// Columns aligned by spaces, with numbers aligned to the right, and with the time that each simulation took where it
/// is known. Below the table a line says what the values are compared with.
pub fn text(table: &Table, unit: TimeUnit) -> String {
    let mut grid = table.grid(unit);
    if table.rows.iter().any(|row| row.wall_s > 0.0) {
        grid.headings.push("run".to_owned());
        for (line, row) in grid.lines.iter_mut().zip(&table.rows) {
            line.values.push(duration(row.wall_s));
        }
    }
    let mut out = text_of(&grid);
    for said in table.machines.iter().chain(&table.truth) {
        out.push_str(&format!("\n{said}\n"));
    }
    let caption = table.caption();
    if !caption.is_empty() {
        out.push_str(&format!("\n{caption} * baseline, absolute values.\n"));
    }
    if let Some(sureness) = &table.sureness {
        out.push_str(&format!("\n{sureness}\n"));
    }
    for caveat in table.caveats() {
        out.push_str(&format!("\n{caveat}\n"));
    }
    out
}

/// The aligned text of any grid.
pub fn text_of(grid: &Grid) -> String {
    let mut lines = vec![grid.labels.iter().chain(&grid.headings).cloned().collect::<Vec<_>>()];
    lines.extend(grid.lines.iter().map(|line| line.labels.iter().chain(&line.values).cloned().collect()));
    let columns = lines[0].len();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in &lines {
        let cell = |(column, text): (usize, &String)| {
            let width = widths[column];
            if column < grid.labels.len() { format!("{text:<width$}") } else { format!("{text:>width$}") }
        };
        let cells: Vec<String> = line.iter().enumerate().map(cell).collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

// A table as JSON: exact numbers under the metrics' ids, for programs.

/// A list of `{scheduler, estimator, k, shrink, saturated, overfull, jobs, metrics {id: value}, changes {id: fraction},
/// units {id: unit}, wall_s, engine, log, fingerprint, account, version}`, one for each run. `changes` is there only where
/// values are compared, `units` only lists metrics that have one, `what_if` is there only for a run with a what-if, `name` for a
/// row that a person has named, and `failed` says why a run failed. Where the study was repeated, there are `intervals` and `change_intervals` with {id:
/// {low, high}}, and `no_intervals` with {id: why what the table shows has none}.
pub fn json(table: &Table) -> String {
    // All keys are text and all numbers are finite, so this does not fail.
    serde_json::to_string_pretty(&JsonRows(table)).unwrap()
}

struct JsonRows<'a>(&'a Table);

impl Serialize for JsonRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let compared = self.0.baseline != crate::Baseline::None;
        let mut list = serializer.serialize_seq(Some(self.0.rows.len()))?;
        for row in &self.0.rows {
            let repeated = self.0.sureness.is_some();
            list.serialize_element(&Object { row, compared, repeated, origin: &self.0.origin })?;
        }
        list.end()
    }
}

struct Object<'a> {
    row: &'a Row,
    compared: bool,
    repeated: bool,
    origin: &'a TableOrigin,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Object { row, compared, repeated, origin } = self;
        let mut object = serializer.serialize_struct("run", 21)?;
        object.serialize_field("scheduler", &row.run.scheduler)?;
        if let Some(given) = &row.given {
            object.serialize_field("name", given)?;
        }
        object.serialize_field("estimator", &row.run.estimate)?;
        object.serialize_field("k", &row.run.estimate.k)?;
        object.serialize_field("shrink", &row.shrink)?;
        // null where the log is too short to tell
        object.serialize_field("saturated", &Some(row.is_saturated).filter(|_| !row.is_too_short))?;
        object.serialize_field("overfull", &row.is_overfull)?;
        if let Some(what_if) = &row.run.what_if {
            object.serialize_field("what_if", what_if)?;
        }
        if let Some(failure) = &row.failure {
            object.serialize_field("failed", failure)?;
        }
        object.serialize_field("jobs", &row.jobs)?;
        object.serialize_field("metrics", &JsonValues { row, of: |cell| Some(cell.value) })?;
        if *compared {
            object.serialize_field("changes", &JsonValues { row, of: |cell| cell.change })?;
        }
        if *repeated {
            object.serialize_field("intervals", &JsonIntervals { row, of: |cell| cell.interval })?;
        }
        if *repeated && *compared {
            object.serialize_field("change_intervals", &JsonIntervals { row, of: |cell| cell.change_interval })?;
        }
        if row.cells.iter().flatten().any(|cell| cell.no_interval.is_some()) {
            object.serialize_field("no_intervals", &JsonReasons(row))?;
        }
        object.serialize_field("units", &JsonUnits(row))?;
        object.serialize_field("wall_s", &row.wall_s)?;
        object.serialize_field("engine", &Engine::THIS.to_string())?;
        object.serialize_field("log", &origin.log)?;
        object.serialize_field("fingerprint", &origin.fingerprint)?;
        if !origin.account.is_empty() {
            object.serialize_field("account", &origin.account)?;
        }
        object.serialize_field("version", env!("CARGO_PKG_VERSION"))?;
        object.end()
    }
}

/// A number of each cell that has it, by the metric's id.
struct JsonValues<'a> {
    row: &'a Row,
    of: fn(&TableCell) -> Option<f64>,
}

impl Serialize for JsonValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.row.cells.iter().flatten();
        serializer.collect_map(cells.filter_map(|cell| Some((cell.metric, (self.of)(cell)?))))
    }
}

/// The unit of each metric that has one, by the metric's id.
struct JsonUnits<'a>(&'a Row);

impl Serialize for JsonUnits<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let units = self.0.cells.iter().flatten().map(|cell| (cell.metric, cell.metric.about().unit));
        serializer.collect_map(units.filter(|(_, unit)| !unit.is_empty()))
    }
}

/// An interval of each cell that has it, by the metric's id.
struct JsonIntervals<'a> {
    row: &'a Row,
    of: fn(&TableCell) -> Option<Interval>,
}

impl Serialize for JsonIntervals<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.row.cells.iter().flatten();
        serializer.collect_map(cells.filter_map(|cell| Some((cell.metric, (self.of)(cell)?))))
    }
}

/// Why what a cell shows has no interval, by the metric's id.
struct JsonReasons<'a>(&'a Row);

impl Serialize for JsonReasons<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.0.cells.iter().flatten();
        serializer.collect_map(cells.filter_map(|cell| Some((cell.metric, cell.no_interval?.why()))))
    }
}

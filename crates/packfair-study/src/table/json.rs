//! A table as JSON: exact numbers under the metrics' ids, for programs.

use super::{Row, Table, TableCell, TableOrigin};
use crate::Engine;
use crate::sureness::Interval;
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};

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

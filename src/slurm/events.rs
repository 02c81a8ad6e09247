//! The reader of `sacctmgr -P show event`: when nodes were drained or down.

use super::finding::FindingLog;
use super::table::SlurmTable;
use super::time::moment;
use serde::{Deserialize, Serialize};

/// A state in which a node takes no jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outage {
    /// Drained: jobs that ran there ran on, and no job started.
    Drained,
    Down,
}

/// A time during which a node took no jobs. Times are seconds since 1970 on the site's clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeEvent {
    pub node: String,
    pub from: i64,
    /// When it ended; none: the node did not come back.
    pub until: Option<i64>,
    pub what: Outage,
    /// The reason, as somebody wrote it.
    pub reason: String,
}

/// Reads the table. Events of the whole cluster, which have no node, are left out.
pub(super) fn read(text: &str, findings: &mut FindingLog<'_>) -> Vec<NodeEvent> {
    let table = SlurmTable::of(text);
    let mut found = Vec::new();
    for (line, row) in table.rows() {
        let node = table.value(row, "nodename");
        if node.is_empty() {
            continue;
        }
        let begin = table.value(row, "timestart");
        let Some(from) = moment(if begin.is_empty() { table.value(row, "start") } else { begin }) else {
            findings.wrong(*line, format!("node {node:.60}: no time at which it began"));
            continue;
        };
        let end = table.value(row, "timeend");
        let until = moment(if end.is_empty() { table.value(row, "end") } else { end });
        let state = table.value(row, "state").to_ascii_uppercase();
        let what = if state.starts_with("DOWN") { Outage::Down } else { Outage::Drained };
        let reason = table.value(row, "reason").to_owned();
        found.push(NodeEvent { node: node.to_owned(), from, until, what, reason });
    }
    found
}

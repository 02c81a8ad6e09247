//! The calendar that follows from a site's own records: what `sacctmgr -P show event` prints (docs/machine.md).

use super::Seconds;
use super::description::{ChangeDescription, MachineDescription, MomentDescription};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The columns by which the table is recognised, whatever others it has.
const COLUMNS: [&str; 2] = ["nodename", "timestart"];

pub(super) fn begins(first: &str) -> bool {
    let names: Vec<String> = first.split('|').map(|name| name.trim().to_ascii_lowercase()).collect();
    COLUMNS.iter().all(|column| names.iter().any(|name| name == column))
}

/// A time during which a node is away. Dates are as in a site's files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeAway {
    pub node: String,
    pub from: String,
    /// When it comes back; none: it does not.
    pub until: Option<String>,
    /// When this was announced; none: it was not.
    pub announced: Option<String>,
    /// Whether jobs that run there are killed; otherwise they run on.
    pub kills: bool,
}

/// What nodes that are away together have in common: begin, end, cell, announcement, and whether jobs are killed.
type Together = (String, Option<String>, Option<String>, Option<String>, bool);

/// The changes that a table of events tells: one for each node, not announced. Jobs on a node that was down are killed;
/// on a node that was drained they run on. A node belongs to the cell whose name its own name begins with, the longest
/// such name; if there is only one cell, to that.
///
/// # Errors
/// If the table cannot be read: what is wrong and in which line, in words for a person.
pub(super) fn changes(text: &str, machine: &MachineDescription) -> Result<Vec<ChangeDescription>, String> {
    let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let (first, _) = lines.next().ok_or("the table of events is empty")?;
    let names: Vec<String> = first.split('|').map(|name| name.trim().to_ascii_lowercase()).collect();
    let place = |column: &str| names.iter().position(|name| name == column);
    let (Some(node), Some(start)) = (place("nodename"), place("timestart")) else {
        return Err("the table of events lacks NodeName or TimeStart; ask for sacctmgr -P show event".to_owned());
    };
    let mut away = Vec::new();
    for (line, number) in lines {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let get = |place: Option<usize>| place.and_then(|at| fields.get(at)).copied().filter(|text| !text.is_empty());
        // events of the whole cluster name no node, and are skipped
        let Some(name) = get(Some(node)) else { continue };
        let from = get(Some(start)).ok_or_else(|| format!("line {number}: {name} has no TimeStart"))?;
        let until = get(place("timeend")).filter(|end| end.starts_with(|c: char| c.is_ascii_digit()));
        let state = get(place("state")).unwrap_or_default().to_ascii_uppercase();
        away.push(NodeAway {
            node: name.to_owned(),
            from: from.to_owned(),
            until: until.map(str::to_owned),
            announced: None,
            kills: state.starts_with("DOWN"),
        });
    }
    changes_of_nodes(away, |node| cell_of(node, machine))
}

/// The changes for nodes that are away. Nodes of a cell that are away at the same time are one change. If a node is to
/// go while it is already away, it goes when it would have come back. `cell_of` names the cell of a node; none where
/// there is only one cell.
///
/// # Errors
/// The errors of `cell_of`.
pub fn changes_of_nodes(
    mut away: Vec<NodeAway>,
    cell_of: impl Fn(&str) -> Result<Option<String>, String>,
) -> Result<Vec<ChangeDescription>, String> {
    // sorted by node, then date; dates in one format sort as texts
    away.sort();
    let mut together: BTreeMap<Together, i64> = BTreeMap::new();
    for of_node in away.chunk_by(|one, other| one.node == other.node) {
        let cell = cell_of(&of_node[0].node)?;
        let mut is_back_at = Some(String::new());
        for NodeAway { from, until, announced, kills, .. } in of_node {
            // after a node does not come back, its further entries are skipped
            let Some(back) = &is_back_at else { break };
            let from = from.max(back).clone();
            if until.as_ref().is_some_and(|until| *until <= from) {
                continue;
            }
            is_back_at.clone_from(until);
            *together.entry((from, until.clone(), cell.clone(), announced.clone(), *kills)).or_default() += 1;
        }
    }
    let change = |((from, until, cell, announced, kills), nodes): (Together, i64)| ChangeDescription {
        from: MomentDescription::Text(from),
        until: until.map(MomentDescription::Text),
        cell,
        nodes: -nodes,
        announced: announced.map(MomentDescription::Text),
        what: if kills { Displaced::Kill } else { Displaced::Drain },
        every: None,
        last: None,
        power_cap: None,
    };
    Ok(together.into_iter().map(change).collect())
}

/// The name of a node's cell; none where there is only one cell.
fn cell_of(node: &str, machine: &MachineDescription) -> Result<Option<String>, String> {
    if machine.cells.len() < 2 {
        return Ok(None);
    }
    let names = machine.cells.iter().map(|cell| &cell.name).filter(|name| node.starts_with(name.as_str()));
    let longest = names.max_by_key(|name| name.len());
    longest.cloned().map(Some).ok_or_else(|| {
        format!(
            "{node} is of no cell that is known: call cells as their nodes begin (\"gpu\" for gpu01), or write the changes \
             as from,until,nodes,cell"
        )
    })
}

// The calendar of a machine: nodes that go, come back and are added.

/// What happens to jobs that run on nodes that go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Displaced {
    /// The jobs run on. Each node goes when its jobs end, and no job starts there before.
    #[default]
    Drain,
    /// Jobs are killed and wait again, the latest start first (ties: later in log order), until the remaining ones fit.
    Kill,
}

/// A change of the number of nodes in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub from: Seconds,
    /// When it ends, which is later than `from`; none: it never ends.
    pub until: Option<Seconds>,
    /// The place of the cell in [`Machine::cells`](super::Machine::cells).
    pub cell: usize,
    /// How many nodes more (above 0) or fewer (below 0) there are during the change.
    pub nodes: i64,
    /// When schedulers learn of it. None: it is not announced, and they see its beginning and its end as these happen.
    pub announced: Option<Seconds>,
    /// What happens to jobs on nodes that go: at the beginning, or at the end of a change that added nodes.
    pub displaced: Displaced,
}

impl Change {
    /// The steps of the change: its beginning and, if it ends, its end, each with the change of the number of nodes.
    pub(super) fn steps(&self) -> impl Iterator<Item = (Seconds, i64)> + use<> {
        let Change { from, until, nodes, .. } = *self;
        std::iter::once((from, nodes)).chain(until.map(|until| (until, -nodes)))
    }
}

// Tables of changes of a machine.

const CHANGES_COLUMNS: [&str; 8] = ["from", "until", "nodes", "cell", "announced", "what", "every", "last"];

/// Reads the changes of a table, whose first line has the names of columns (docs/machine.md).
///
/// # Errors
/// If the table cannot be read: what is wrong and in which line, in words for a person.
pub fn changes_of_table(text: &str) -> Result<Vec<ChangeDescription>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| error.to_string())?.clone();
    let place = |column: &str| names.iter().position(|name| name.eq_ignore_ascii_case(column));
    let missing: Vec<&str> = ["from", "nodes"].into_iter().filter(|column| place(column).is_none()).collect();
    if !missing.is_empty() {
        return Err(format!(
            "the table lacks {}; its first line names its columns: {}",
            missing.join(" and "),
            CHANGES_COLUMNS.join(",")
        ));
    }
    let mut changes = Vec::new();
    for (row, line) in reader.records().zip(2..) {
        let row = row.map_err(|error| error.to_string())?;
        let get = |column: &str| place(column).and_then(|at| row.get(at)).filter(|text| !text.is_empty());
        let moment = |column: &str| get(column).map(MomentDescription::from);
        let nodes = get("nodes").unwrap_or_default();
        let nodes = nodes
            .parse()
            .map_err(|_| format!("line {line}: nodes is \"{nodes}\"; give how many are fewer (-4) or more (4)"))?;
        let what = match get("what").unwrap_or("drain") {
            "drain" => Displaced::Drain,
            "kill" => Displaced::Kill,
            other => return Err(format!("line {line}: what is \"{other}\"; it is drain or kill")),
        };
        changes.push(ChangeDescription {
            from: moment("from")
                .ok_or_else(|| format!("line {line}: there is no from; give when the change begins"))?,
            until: moment("until"),
            cell: get("cell").map(str::to_owned),
            nodes,
            announced: moment("announced"),
            what,
            every: get("every")
                .map(|days| {
                    let wrong =
                        |_| format!("line {line}: every is \"{days}\"; give after how many days it comes again");
                    days.parse().map_err(wrong)
                })
                .transpose()?,
            last: moment("last"),
            power_cap: None,
        });
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: &str = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n\
        c||2026-01-01T00:00:00|Unknown|||\n\
        c|gpu01|2026-01-02T00:00:00|2026-01-03T00:00:00|DRAIN|disk|root\n\
        c|gpu02|2026-01-02T00:00:00|2026-01-03T00:00:00|DRAIN|disk|root\n\
        c|cpu1|2026-01-02T00:00:00|2026-01-02T06:00:00|DOWN*|power|root\n\
        c|cpu1|2026-01-02T05:00:00|2026-01-02T07:00:00|DRAIN|power|root\n\
        c|cpu2|2026-01-05T00:00:00|Unknown|DOWN|gone|root\n";

    fn machine(cells: &[&str]) -> MachineDescription {
        let mut machine = MachineDescription::default();
        for (place, name) in cells.iter().enumerate() {
            machine.add_cell();
            machine.rename_cell(place, name).unwrap();
        }
        machine
    }

    #[test]
    fn nodes_that_were_away_are_the_calendar() {
        let told = changes(EVENTS, &machine(&["cpu", "gpu"])).unwrap();
        let short: Vec<_> = told
            .iter()
            .map(|c| {
                format!(
                    "{} {} {} {}",
                    c.from,
                    c.until.as_ref().map(ToString::to_string).unwrap_or_default(),
                    c.cell.as_deref().unwrap_or(""),
                    c.nodes
                )
            })
            .collect();
        assert_eq!(
            short,
            [
                "2026-01-02T00:00:00 2026-01-02T06:00:00 cpu -1",
                "2026-01-02T00:00:00 2026-01-03T00:00:00 gpu -2",
                "2026-01-02T06:00:00 2026-01-02T07:00:00 cpu -1",
                "2026-01-05T00:00:00  cpu -1",
            ]
        );
        assert_eq!(told[0].what, Displaced::Kill);
        assert_eq!(told[1].what, Displaced::Drain);
        assert!(changes(EVENTS, &machine(&["all"])).unwrap().iter().all(|change| change.cell.is_none()));
        assert!(
            changes(EVENTS, &machine(&["cpu", "fat"])).unwrap_err().starts_with("gpu01 is of no cell that is known")
        );
        assert!(
            changes("NodeName|TimeStart\nn1|\n", &machine(&[])).unwrap_err().contains("line 2: n1 has no TimeStart")
        );
        assert!(begins("Cluster|NodeName|TimeStart|TimeEnd") && !begins("JobID|Submit"));
    }
}

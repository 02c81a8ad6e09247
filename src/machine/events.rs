//! The calendar that a site's own notes tell: what `sacctmgr -P show event` prints (docs/machine.md).

use super::calendar::Displaced;
use super::description::{ChangeDescription, MachineDescription, MomentDescription};
use std::collections::BTreeMap;

/// How it begins, whatever columns it has.
const COLUMNS: [&str; 2] = ["nodename", "timestart"];

/// Whether a text that begins with this line is such a table.
pub(super) fn begins(first: &str) -> bool {
    let names: Vec<String> = first.split('|').map(|name| name.trim().to_ascii_lowercase()).collect();
    COLUMNS.iter().all(|column| names.iter().any(|name| name == column))
}

/// From when until when a node is away, and what becomes of its jobs.
type Away = (String, Option<String>, Displaced);

/// The changes that a table of events tells: a node each, nobody knew. Who ran on a node that was down is killed; on one that
/// was drained, they run on. Where an event of a node begins before another of it has ended, it begins there. A node is one
/// of the cell whose name begins its own, the longest such; where there is one cell, of that.
///
/// # Errors
/// What is wrong, with its line, in words for a person.
pub(super) fn changes(text: &str, machine: &MachineDescription) -> Result<Vec<ChangeDescription>, String> {
    let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let (first, _) = lines.next().ok_or("the table of events is empty")?;
    let names: Vec<String> = first.split('|').map(|name| name.trim().to_ascii_lowercase()).collect();
    let place = |column: &str| names.iter().position(|name| name == column);
    let (Some(node), Some(start)) = (place("nodename"), place("timestart")) else {
        return Err("the table of events lacks NodeName or TimeStart; ask for sacctmgr -P show event".to_owned());
    };
    let mut nodes: BTreeMap<&str, Vec<Away>> = BTreeMap::new();
    for (line, number) in lines {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let get = |place: Option<usize>| place.and_then(|at| fields.get(at)).copied().filter(|text| !text.is_empty());
        // events of the whole cluster have no node
        let Some(name) = get(Some(node)) else { continue };
        let from = get(Some(start)).ok_or_else(|| format!("line {number}: {name} has no TimeStart"))?;
        let until = get(place("timeend")).filter(|end| end.starts_with(|c: char| c.is_ascii_digit()));
        let state = get(place("state")).unwrap_or_default().to_ascii_uppercase();
        let what = if state.starts_with("DOWN") { Displaced::Kill } else { Displaced::Drain };
        nodes.entry(name).or_default().push((from.to_owned(), until.map(str::to_owned), what));
    }
    // those of one time count together
    let mut together: BTreeMap<(String, Option<String>, Option<String>, bool), i64> = BTreeMap::new();
    for (name, mut away) in nodes {
        let cell = cell_of(name, machine)?;
        // dates of one form are in the order of their texts
        away.sort_by(|a, b| a.0.cmp(&b.0));
        let mut free_from = String::new();
        for (from, until, what) in away {
            let from = from.max(free_from.clone());
            if until.as_ref().is_some_and(|until| *until <= from) {
                continue;
            }
            let ends = until.clone();
            *together.entry((from, until, cell.clone(), what == Displaced::Kill)).or_default() += 1;
            match ends {
                Some(end) => free_from = end,
                // it does not come back
                None => break,
            }
        }
    }
    let change = |((from, until, cell, kills), nodes): ((String, Option<String>, Option<String>, bool), i64)| {
        ChangeDescription {
            from: MomentDescription::Text(from),
            until: until.map(MomentDescription::Text),
            cell,
            nodes: -nodes,
            announced: None,
            what: if kills { Displaced::Kill } else { Displaced::Drain },
            every: None,
            last: None,
        }
    };
    Ok(together.into_iter().map(change).collect())
}

/// The cell of a node; none where there is one.
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

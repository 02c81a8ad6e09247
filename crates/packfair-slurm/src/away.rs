//! Nodes that are down or drained, as `scontrol show node` and `sinfo` tell it of the moment at which they are asked.

use super::hostlist;
use super::kind::without_date;
use super::lines::FindingLog;
use super::nodes::MOST_NODES;
use super::quantity::moment;
use super::table::SlurmTable;
use serde::{Deserialize, Serialize};

/// A node that took no jobs when it was listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeAway {
    pub node: String,
    /// Since when, seconds since 1970 on the site's clock; none where nothing tells it.
    pub since: Option<i64>,
    pub what: Outage,
}

/// What a node's state, as Slurm writes it (`IDLE+DRAIN`, `down*`), keeps it from; none where it takes jobs. Nodes that are
/// reserved or switched off to save power take jobs.
pub(super) fn outage(state: &str) -> Option<Outage> {
    let state = state.to_ascii_uppercase();
    // without an answer: DOWN*
    if state.ends_with('*') {
        return Some(Outage::Down);
    }
    let has = |names: &[&str]| {
        state.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| names.contains(&word))
    };
    match () {
        () if has(&["DOWN", "ERROR", "NOT_RESPONDING", "NO_RESPOND"]) => Some(Outage::Down),
        () if has(&["DRAIN", "DRAINED", "DRAINING", "DRNG", "FAIL", "FAILG", "FAILING", "INVAL"]) => {
            Some(Outage::Drained)
        }
        () => None,
    }
}

/// Since when a node is away, from the end of its reason: `Reason=disk [root@2026-11-20T10:00:00]`.
pub(super) fn since(line: &str) -> Option<i64> {
    let (_, reason) = line.split_once("Reason=")?;
    let (_, who_and_when) = reason.rsplit_once('[')?;
    let (_, when) = who_and_when.split_once(']')?.0.rsplit_once('@')?;
    moment(when)
}

/// The nodes that are away in a list of `sinfo`.
pub(super) fn listed(text: &str) -> Vec<NodeAway> {
    let mut lines = without_date(text).lines().filter(|line| !line.trim().is_empty());
    let header = lines.next().unwrap_or_default();
    let bar = header.contains('|');
    let fields = |line: &str| -> Vec<String> {
        let of = |field: &str| field.trim().to_owned();
        if bar { line.split('|').map(of).collect() } else { line.split_whitespace().map(of).collect() }
    };
    let names = fields(header);
    let place = |name: &str| names.iter().position(|column| column.eq_ignore_ascii_case(name));
    let (Some(nodes), Some(state)) = (place("NODELIST").or(place("HOSTNAMES")), place("STATE")) else {
        return Vec::new();
    };
    let mut found: Vec<NodeAway> = Vec::new();
    for line in lines {
        let row = fields(line);
        let Some((what, list)) = row.get(state).and_then(|state| outage(state)).zip(row.get(nodes)) else { continue };
        for node in hostlist::expand(list, MOST_NODES).unwrap_or_default() {
            // of several partitions
            if !found.iter().any(|other| other.node == node) {
                found.push(NodeAway { node, since: None, what });
            }
        }
    }
    found
}

// The reader of `sacctmgr -P show event`: when nodes were drained or down.

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

#[cfg(test)]
mod tests {
    use crate::{NodeAway, Outage, SiteFile, Version, read_site};

    const CONF: &str = "ClusterName=c\nNodeName=n[1-6] CPUs=8\nPartitionName=batch Nodes=ALL Default=YES\n";

    fn away(files: &[(&str, &str)]) -> Vec<(String, Option<i64>, Outage)> {
        let files: Vec<SiteFile<'_>> =
            files.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
        let mut site = read_site(&files, Version::default());
        let now = 1_767_225_600 + 100_000;
        site.keep_away(now);
        assert_eq!(site.events.len(), site.away.len(), "{:?}", site.events);
        assert!(site.events.iter().all(|event| event.until.is_none() && event.from <= now));
        site.away.into_iter().map(|NodeAway { node, since, what }| (node, since, what)).collect()
    }

    #[test]
    fn states_of_nodes_tell_who_is_away() {
        let of = |name: &str, rest: &str| {
            format!("NodeName={name} Arch=x86_64 CoresPerSocket=4\n   CPUAlloc=0 CPUTot=8\n   State={rest}\n\n")
        };
        let nodes = of("n1", "IDLE ThreadsPerCore=1")
            + &of("n2", "IDLE+DRAIN ThreadsPerCore=1\n   Reason=it is State=UP [x] [root@2026-01-01T00:00:00]")
            + &of("n3", "DOWN* ThreadsPerCore=1\n   Reason=Not responding [slurm@2026-01-02T00:00:00]")
            + &of("n4", "MIXED+PLANNED ThreadsPerCore=1")
            + &of("n5", "IDLE+MAINT+RESERVED ThreadsPerCore=1")
            + &of("n6", "ALLOCATED+DRAIN ThreadsPerCore=1");
        let right = [
            ("n2".to_owned(), Some(1_767_225_600), Outage::Drained),
            ("n3".to_owned(), Some(1_767_312_000), Outage::Down),
            ("n6".to_owned(), None, Outage::Drained),
        ];
        assert_eq!(away(&[("nodes.txt", &nodes), ("slurm.conf", CONF)]), right);
        assert_eq!(away(&[("nodes.txt", &nodes)]), right, "without slurm.conf too");
        let one_line = nodes.replace("\n   ", " ").replace("\n\n", "\n");
        assert_eq!(away(&[("slurm.conf", CONF), ("nodes.txt", &one_line)]), right, "{one_line}");
    }

    #[test]
    fn sinfo_tells_it_too() {
        let right = [("n2".to_owned(), None, Outage::Drained), ("n3".to_owned(), None, Outage::Down)];
        for text in [
            "NODELIST NODES PARTITION STATE\nn1 1 batch* idle\nn2 1 batch* drained\nn2 1 debug drained\nn3 1 batch* down*\n",
            "PARTITION AVAIL TIMELIMIT NODES STATE NODELIST\nbatch* up 1-00:00:00 4 idle n[1,4-6]\nbatch* up 1-00:00:00 1 \
             drain n2\nbatch* up infinite 1 down* n3\n",
            "Sun Nov  2 10:00:00 2025\nNODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON              \n\
             n1             1    batch*       mixed 64     2:16:2 256000        0     10 milan,hd none                \n\
             n2             1    batch*     drained 64     2:16:2 256000        0      1   (null) IB down, ticket     \n\
             n3             1    batch*       down* 64     2:16:2 256000        0      1   (null) a b                 \n",
            "NODELIST|STATE|REASON\nn[2]|draining|a b\nn3|down|x\nn1|idle~|none\n",
        ] {
            assert_eq!(away(&[("slurm.conf", CONF), ("sinfo.txt", text)]), right, "{text}");
        }
    }
}

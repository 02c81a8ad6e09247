//! The machine that a Slurm site's files describe (docs/machine.md).

use chrono::DateTime;
use packfair_base::machine::{
    CellDescription, Machine, MachineDescription, NodeAway, PartitionDescription, changes_of_nodes,
};
use packfair_slurm::{Outage, Site};
use std::collections::{BTreeMap, HashMap};

/// How long before its begin a reservation is known of which nobody tells when it was made, seconds: ten years.
const LONG_BEFORE: i64 = 10 * 365 * 86_400;

/// What nodes of a cell have in common: their partitions, processors, graphics processors and memory.
type NodeClass = (Vec<usize>, u32, u32, u64);

/// The machine of a site. Nodes in the same partitions and of the same size form a cell, which is named after their
/// first partition. Where there are partitions, nodes of no partition are left out. Events and reservations form the
/// calendar: jobs on a node that goes down are killed; a reserved node is away while it is reserved, announced when the
/// reservation was made, or `announced` seconds before where no file tells that.
///
/// # Errors
/// Where the files have no nodes.
pub fn machine_of_site(site: &Site, announced: Option<u64>) -> Result<MachineDescription, String> {
    let mut partitions_of: Vec<Vec<usize>> = vec![Vec::new(); site.nodes.len()];
    for (place, partition) in site.partitions.iter().enumerate() {
        // A site names only nodes that it has.
        partition.nodes.iter().for_each(|&node| partitions_of[node as usize].push(place));
    }
    let mut cells: Vec<CellDescription> = Vec::new();
    let mut known: BTreeMap<NodeClass, usize> = BTreeMap::new();
    let mut cell_of: HashMap<&str, usize> = HashMap::new();
    for (node, partitions) in site.nodes.iter().zip(&partitions_of) {
        if node.cpus == 0 || (partitions.is_empty() && !site.partitions.is_empty()) {
            continue;
        }
        let memory = if site.counts_memory { node.memory } else { 0 };
        let class = (partitions.clone(), node.cpus, node.gpus, memory);
        let place = *known.entry(class).or_insert_with(|| {
            let first = partitions.first().map_or("nodes", |&place| site.partitions[place].name.as_str());
            let same = cells.iter().filter(|cell| cell.name.split('-').next() == Some(first)).count();
            let name = if same == 0 { first.to_owned() } else { format!("{first}-{}", same + 1) };
            let has = [
                (Machine::PROCESSORS, u64::from(node.cpus)),
                (Machine::GPUS, u64::from(node.gpus)),
                (Machine::MEMORY, memory),
            ];
            let has = has.into_iter().filter(|(_, amount)| *amount > 0);
            let node = has.map(|(name, amount)| (name.to_owned(), amount)).collect();
            cells.push(CellDescription { name, nodes: 0, node });
            cells.len() - 1
        });
        cells[place].nodes += 1;
        cell_of.insert(&node.name, place);
    }
    if cells.is_empty() {
        return Err("there are no nodes in it; give slurm.conf, and beside it events and reservations".to_owned());
    }
    let used = |place: usize| known.iter().filter(move |((of, ..), _)| of.contains(&place)).map(|(_, &cell)| cell);
    let partition = |(place, partition): (usize, &packfair_slurm::SlurmPartition)| PartitionDescription {
        name: partition.name.clone(),
        cells: used(place).map(|cell| cells[cell].name.clone()).collect(),
        whole_nodes: partition.is_exclusive || site.is_linear,
    };
    let partitions = site.partitions.iter().enumerate().map(partition).filter(|of| !of.cells.is_empty()).collect();
    let events = site.events.iter().map(|event| NodeAway {
        node: event.node.clone(),
        from: date(event.from),
        until: event.until.map(date),
        announced: None,
        kills: event.what == Outage::Down,
    });
    let before = announced.and_then(|before| i64::try_from(before).ok()).unwrap_or(LONG_BEFORE);
    let reserved = site.reservations.iter().flat_map(|reservation| {
        reservation.nodes.iter().map(|node| NodeAway {
            node: node.clone(),
            from: date(reservation.time.from),
            until: Some(date(reservation.time.until)),
            announced: Some(date(reservation.time.announced.unwrap_or(reservation.time.from - before))),
            kills: false,
        })
    });
    // Unknown nodes are reported where the site's files are read.
    let away = events.chain(reserved).filter(|away| cell_of.contains_key(away.node.as_str())).collect();
    let name_of = |node: &str| Ok(cell_of.get(node).map(|&place| cells[place].name.clone()));
    let changes = changes_of_nodes(away, name_of)?;
    Ok(MachineDescription { cells, partitions, changes, ..MachineDescription::default() })
}

/// A moment on the site's clock as a date on the log's local clock.
fn date(local: i64) -> String {
    DateTime::from_timestamp(local, 0).map_or_else(|| local.to_string(), |date| date.naive_utc().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{SiteFile, Version, read_site};

    const CONF: &str = "ClusterName=c\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n\
        GresTypes=gpu\nNodeName=cpu[1-4] CPUs=8 RealMemory=1000\nNodeName=gpu[1-2] CPUs=8 RealMemory=2000 Gres=gpu:2\n\
        NodeName=spare CPUs=8 RealMemory=1000\n\
        PartitionName=batch Nodes=cpu[1-4],gpu[1-2] Default=YES\nPartitionName=accel Nodes=gpu[1-2] OverSubscribe=EXCLUSIVE\n";

    const EVENTS: &str = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n\
        c|gpu1|2026-01-02T00:00:00|2026-01-03T00:00:00|DOWN|disk|root\n\
        c|gpu2|2026-01-02T00:00:00|2026-01-03T00:00:00|DRAIN|disk|root\n";

    fn described(files: &[(&str, &str)]) -> Result<MachineDescription, String> {
        let files: Vec<SiteFile<'_>> =
            files.iter().map(|(name, text)| SiteFile { name, content: text.as_bytes() }).collect();
        machine_of_site(&read_site(&files, Version::default()), Some(7 * 86_400))
    }

    #[test]
    fn classes_of_nodes_are_cells_and_events_are_the_calendar() {
        let machine = described(&[("slurm.conf", CONF), ("events", EVENTS)]).unwrap();
        let cells: Vec<_> = machine.cells.iter().map(|cell| (cell.name.as_str(), cell.nodes)).collect();
        assert_eq!(cells, [("batch", 4), ("batch-2", 2)]);
        assert_eq!(machine.cells[1].node.get("gpus"), Some(&2));
        assert_eq!(machine.cells[1].node.get("memory"), Some(&2_000));
        let partitions: Vec<_> =
            machine.partitions.iter().map(|of| (of.name.as_str(), of.cells.join(","), of.whole_nodes)).collect();
        assert_eq!(partitions, [("batch", "batch,batch-2".to_owned(), false), ("accel", "batch-2".to_owned(), true)]);
        let changes: Vec<_> = machine.changes.iter().map(|of| (of.from.to_string(), of.nodes, of.what)).collect();
        assert_eq!(changes.len(), 2, "{changes:?}");
        assert_eq!((changes[0].0.as_str(), changes[0].1), ("2026-01-02 00:00:00", -1));
        let shown = "ReservationName=m StartTime=2026-02-08T08:00:00 EndTime=2026-02-08T20:00:00 Nodes=cpu1\n";
        let machine = described(&[("slurm.conf", CONF), ("reservations", shown)]).unwrap();
        let announced = machine.changes[0].announced.as_ref().map(ToString::to_string);
        assert_eq!(announced.as_deref(), Some("2026-02-01 08:00:00"));
        assert!(described(&[("events", EVENTS)]).unwrap_err().starts_with("there are no nodes in it"));
    }
}

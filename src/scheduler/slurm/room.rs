//! What is free on each node, and what it offers to a job.

use super::node_set::NodeBits;
use crate::slurm::Site;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ask {
    /// The nodes that the job had by the log. It has to have as many where nodes are its own; 0 where only processors
    /// count.
    pub nodes: u32,
    /// Where nodes are shared, the fewest and the most nodes that the job takes; 0: any number.
    pub node_range: (u32, u32),
    pub cpus: u32,
    /// GPUs on each of its nodes.
    pub gpus: u32,
    /// Memory on each of its nodes, MiB; 0 where memory is not counted.
    pub memory: u64,
    pub is_exclusive: bool,
}

/// What a job holds: its nodes, and the processors on each of them in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Allocation {
    pub nodes: NodeBits,
    /// Processors by node; empty where the job has whole nodes.
    pub(super) cpus: Vec<u32>,
    pub(super) gpus: u32,
    pub(super) memory: u64,
}

/// The properties of the nodes that do not change.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    pub count: usize,
    cpus: Vec<u32>,
    gpus: Vec<u32>,
    /// Memory by node, MiB; empty where memory is not counted.
    memory: Vec<u64>,
    pub(super) by_weight: Vec<NodeBits>,
    /// Whether every job has whole nodes, so that sets of nodes tell all.
    are_whole: bool,
    /// Whether every job has whole nodes and nodes have one processor, so that it is enough to count nodes.
    has_single_cpus: bool,
}

/// What is free: the nodes without a job, and what is left of the others.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub idle: NodeBits,
    cpus: Vec<u32>,
    pub(super) gpus: Vec<u32>,
    memory: Vec<u64>,
}

impl Nodes {
    pub(super) fn of(site: &Site) -> Self {
        let count = site.nodes.len();
        let mut weights: Vec<u32> = site.nodes.iter().map(|node| node.weight).collect();
        weights.sort_unstable();
        weights.dedup();
        let of = |weight| {
            let those = site.nodes.iter().enumerate().filter(move |(_, node)| node.weight == weight);
            NodeBits::of(count, those.map(|(at, _)| at))
        };
        let are_whole = site.is_linear
            || site.nodes.iter().all(|node| node.cpus == 1 && node.gpus == 0)
            || site.partitions.iter().all(|partition| partition.is_exclusive);
        Nodes {
            count,
            cpus: site.nodes.iter().map(|node| node.cpus).collect(),
            gpus: site.nodes.iter().map(|node| node.gpus).collect(),
            memory: if site.counts_memory { site.nodes.iter().map(|node| node.memory).collect() } else { Vec::new() },
            by_weight: weights.into_iter().map(of).collect(),
            are_whole,
            has_single_cpus: are_whole && !site.counts_memory && site.nodes.iter().all(|node| node.cpus == 1),
        }
    }

    /// The room while all nodes are free.
    pub(super) fn room(&self) -> Room {
        let kept = |column: &Vec<u32>| if self.are_whole { Vec::new() } else { column.clone() };
        let memory = if self.are_whole { Vec::new() } else { self.memory.clone() };
        Room { idle: NodeBits::all(self.count), cpus: kept(&self.cpus), gpus: kept(&self.gpus), memory }
    }

    pub(super) fn shares(&self, ask: Ask) -> bool {
        !self.are_whole && !ask.is_exclusive
    }

    /// What a node offers to a job: 1 where the job has whole nodes, otherwise processors; 0 where the node cannot be
    /// used.
    pub(super) fn offer(&self, room: &Room, ask: Ask, node: usize) -> u32 {
        if !self.shares(ask) {
            return if room.idle.contains(node) { self.offer_of_empty(ask, node) } else { 0 };
        }
        let memory = room.memory.get(node).copied().unwrap_or(0);
        self.offer_of(ask, room.cpus[node], room.gpus[node], memory)
    }

    /// What a node offers to a job when no job runs on it.
    pub(super) fn offer_of_empty(&self, ask: Ask, node: usize) -> u32 {
        self.offer_of(ask, self.cpus[node], self.gpus[node], self.memory.get(node).copied().unwrap_or(0))
    }

    fn offer_of(&self, ask: Ask, cpus: u32, gpus: u32, memory: u64) -> u32 {
        if gpus < ask.gpus || (!self.memory.is_empty() && memory < ask.memory) {
            return 0;
        }
        match ask.nodes {
            _ if self.shares(ask) => cpus,
            0 => cpus,
            nodes => u32::from(cpus >= ask.cpus.div_ceil(nodes)),
        }
    }

    /// What nodes offer together to a job.
    pub(super) fn offered(&self, room: &Room, ask: Ask, usable: &NodeBits) -> u64 {
        usable.iter().map(|node| u64::from(self.offer(room, ask, node))).sum()
    }

    /// What the nodes offer to a job that are in both sets.
    pub(super) fn offered_on(&self, room: &Room, ask: Ask, usable: &NodeBits, some: &NodeBits) -> u64 {
        some.iter().filter(|&node| usable.contains(node)).map(|node| u64::from(self.offer(room, ask, node))).sum()
    }

    /// The processors of nodes, added up.
    pub(super) fn cpus_of(&self, nodes: &NodeBits) -> u32 {
        nodes.iter().fold(0, |sum: u32, node| sum.saturating_add(self.cpus[node]))
    }

    /// How many of the nodes have no job.
    pub(super) fn idle_of(&self, room: &Room, usable: &NodeBits) -> u32 {
        usable.count_in(&room.idle)
    }

    /// Whether each node has at most one job, and one processor, so that sets of nodes tell all.
    pub(super) fn are_counted(&self) -> bool {
        self.has_single_cpus
    }

    /// Whether for this job it is enough to count nodes.
    pub(super) fn counts(&self, ask: Ask) -> bool {
        self.has_single_cpus && ask.gpus == 0 && ask.nodes == 0
    }

    /// How much a job wants, in the unit of [`Nodes::offer`].
    pub(super) fn wanted(&self, ask: Ask) -> u32 {
        if ask.nodes == 0 || self.shares(ask) { ask.cpus } else { ask.nodes }
    }

    pub(super) fn fewest(&self, ask: Ask) -> u32 {
        match ask.nodes {
            _ if self.has_single_cpus => ask.cpus,
            _ if self.shares(ask) => ask.node_range.0.max(1),
            nodes => nodes.max(1),
        }
    }

    pub(super) fn take(&self, room: &mut Room, allocation: &Allocation) {
        room.idle.take_out(&allocation.nodes);
        if self.are_whole {
            return;
        }
        for (at, node) in allocation.nodes.iter().enumerate() {
            let cpus = allocation.cpus.get(at).copied().unwrap_or(self.cpus[node]);
            let gpus = if allocation.cpus.is_empty() { self.gpus[node] } else { allocation.gpus };
            room.cpus[node] = room.cpus[node].saturating_sub(cpus);
            room.gpus[node] = room.gpus[node].saturating_sub(gpus);
            if let Some(memory) = room.memory.get_mut(node) {
                let own = if allocation.cpus.is_empty() { self.memory[node] } else { allocation.memory };
                *memory = memory.saturating_sub(own);
            }
        }
    }

    pub(super) fn give(&self, room: &mut Room, allocation: &Allocation) {
        if self.are_whole {
            room.idle.put_in(&allocation.nodes);
            return;
        }
        for (at, node) in allocation.nodes.iter().enumerate() {
            let cpus = allocation.cpus.get(at).copied().unwrap_or(self.cpus[node]);
            let gpus = if allocation.cpus.is_empty() { self.gpus[node] } else { allocation.gpus };
            room.cpus[node] = (room.cpus[node] + cpus).min(self.cpus[node]);
            room.gpus[node] = (room.gpus[node] + gpus).min(self.gpus[node]);
            if let Some(memory) = room.memory.get_mut(node) {
                let own = if allocation.cpus.is_empty() { self.memory[node] } else { allocation.memory };
                *memory = (*memory + own).min(self.memory[node]);
            }
            if room.cpus[node] == self.cpus[node] {
                room.idle.insert(node);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slurm::Version;

    fn ask(cpus: u32) -> Ask {
        Ask { nodes: 0, node_range: (1, 0), cpus, gpus: 0, memory: 0, is_exclusive: false }
    }

    #[test]
    fn the_shortest_run_that_is_enough_is_taken() {
        let nodes = Nodes::of(&Site::plain(12, Version::default()));
        let mut room = nodes.room();
        // free runs of 2, 5 and 3 nodes
        let busy = NodeBits::of(12, [2, 8]);
        room.idle.take_out(&busy);
        let of =
            |count| nodes.choose(&room, ask(count), &NodeBits::all(12)).map(|a| a.nodes.iter().collect::<Vec<_>>());
        assert_eq!(of(2).unwrap(), [0, 1]);
        assert_eq!(of(3).unwrap(), [9, 10, 11]);
        assert_eq!(of(4).unwrap(), [3, 4, 5, 6]);
        assert_eq!(of(7).unwrap(), [0, 1, 3, 4, 5, 6, 7], "the longest, and the shortest that is enough");
        assert_eq!(of(11), None);
    }

    #[test]
    fn light_nodes_come_first_and_nodes_are_shared() {
        let mut site = Site::plain(4, Version::default());
        for (node, (cpus, weight)) in site.nodes.iter_mut().zip([(8, 9), (8, 1), (8, 1), (16, 9)]) {
            (node.cpus, node.weight) = (cpus, weight);
        }
        let nodes = Nodes::of(&site);
        let mut room = nodes.room();
        let all = NodeBits::all(4);
        let first = nodes.choose(&room, ask(10), &all).unwrap();
        assert_eq!(first.nodes.iter().collect::<Vec<_>>(), [1, 2]);
        nodes.take(&mut room, &first);
        let fits = |room: &Room, cpus| nodes.choose(room, ask(cpus), &all).is_some();
        assert!(fits(&room, 30) && !fits(&room, 31));
        // a light node has six processors left, and ten of a heavy one are enough
        let two = Ask { nodes: 2, node_range: (2, 2), ..ask(16) };
        let found = nodes.choose(&room, two, &all).unwrap();
        assert_eq!((found.nodes.iter().collect::<Vec<_>>(), found.cpus), (vec![2, 3], vec![6, 10]));
        let whole = Ask { is_exclusive: true, ..two };
        assert!(nodes.choose(&room, Ask { nodes: 3, cpus: 3, ..whole }, &all).is_none());
        nodes.give(&mut room, &first);
        assert_eq!((room.idle.count(), fits(&room, 40)), (4, true));
    }
}

//! What is free on each node, and what it offers to a job.

use super::chosen::{Want, WantedSets, kinds_of, wants};
use super::gpu_limits::KindCounts;
use super::node_set::NodeBits;
use super::offers::EmptyOffers;
use super::tree::{SwitchAsk, SwitchTree};
use packfair_slurm::Site;
use packfair_workload::JobOptions;
use std::cell::RefCell;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Ask {
    /// The nodes that the job had by the log. It has to have as many where nodes are its own; 0 where only processors
    /// count.
    pub nodes: u32,
    /// Where nodes are shared, the fewest and the most nodes that the job takes; 0: any number.
    pub node_range: (u32, u32),
    pub cpus: u32,
    /// Processors of each of its tasks, of which a node that is shared has all or none; 0: one.
    pub of_task: u32,
    /// GPUs on each of its nodes.
    pub gpus: u32,
    /// Of these, GPUs of certain types, where nodes have several.
    pub kinds: KindCounts,
    pub memory: MemoryAsk,
    pub is_exclusive: bool,
    pub order: NodeOrder,
    pub switches: SwitchAsk,
    /// What its options want: the place in the list of [`Nodes`].
    pub want: u32,
}

/// Memory, MiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum MemoryAsk {
    /// It is not counted.
    #[default]
    None,
    OfNode(u64),
    OfCpu(u64),
    /// All memory of each node.
    Whole,
}

/// In which order nodes of equal weight are taken where nodes are shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum NodeOrder {
    /// The tightest that is enough.
    #[default]
    Tightest,
    /// Those of which the largest share is free (LLN, CR_LLN).
    LeastLoaded,
    /// From the last one on (pack_serial_at_end).
    FromEnd,
}

/// What a job holds: its nodes, and the processors on each of them in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Allocation {
    pub nodes: NodeBits,
    /// Processors by node; empty where the job has whole nodes.
    pub(super) cpus: Vec<u32>,
    pub(super) gpus: u32,
    /// GPUs by type and node, where nodes have several types.
    pub(super) kinds: Vec<KindCounts>,
    pub(super) memory: MemoryAsk,
}

/// The properties of the nodes that do not change.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    pub count: usize,
    /// The processors of each node that jobs can have which share it.
    pub(super) cpus: Vec<u32>,
    /// All processors of each node: with as many logs count a job that has the node for itself.
    all_cpus: Vec<u32>,
    gpus: Vec<u32>,
    /// GPUs by type and node; empty where no node has several types.
    kinds: Vec<KindCounts>,
    /// Memory by node, MiB; empty where memory is not counted.
    memory: Vec<u64>,
    pub(super) by_weight: Vec<NodeBits>,
    /// The place of each node's weight among all weights.
    pub(super) weights: Arc<[usize]>,
    /// What they offer while they are empty, as far as it has been asked for.
    pub(super) empty: RefCell<EmptyOffers>,
    /// The nodes of each weight, the lightest first: [`Nodes::by_weight`] while all nodes are on.
    of_weight: Vec<NodeBits>,
    /// Whether every job has whole nodes, so that sets of nodes tell all.
    are_whole: bool,
    /// Whether every job has whole nodes and nodes have one processor, so that it is enough to count nodes.
    has_single_cpus: bool,
    /// The switches that they are at, where these count.
    pub(super) tree: Option<Arc<SwitchTree>>,
    wants: Arc<Vec<Want>>,
}

/// What is free: the nodes without a job, and what is left of the others.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub idle: NodeBits,
    pub(super) cpus: Vec<u32>,
    pub(super) gpus: Vec<u32>,
    kinds: Vec<KindCounts>,
    memory: Vec<u64>,
}

/// What is free on a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeOnNode {
    cpus: u32,
    gpus: u32,
    kinds: Option<KindCounts>,
    memory: u64,
}

impl MemoryAsk {
    /// The memory on a node that has so much, of a job with so many processors there.
    fn on_node(self, cpus: u32, all: u64) -> u64 {
        match self {
            MemoryAsk::None => 0,
            MemoryAsk::OfNode(memory) => memory,
            MemoryAsk::OfCpu(memory) => memory * u64::from(cpus),
            MemoryAsk::Whole => all,
        }
    }

    /// The memory on so many nodes together, as far as it can be told without these.
    pub(super) fn on_all(self, nodes: f64, cpus: u32) -> f64 {
        match self {
            MemoryAsk::None | MemoryAsk::Whole => 0.0,
            MemoryAsk::OfNode(memory) => memory as f64 * nodes,
            MemoryAsk::OfCpu(memory) => memory as f64 * f64::from(cpus),
        }
    }
}

/// The place of each node's weight among all weights.
fn places(count: usize, by_weight: &[NodeBits]) -> Arc<[usize]> {
    let mut places = vec![0; count];
    for (place, nodes) in by_weight.iter().enumerate() {
        nodes.iter().for_each(|node| places[node] = place);
    }
    places.into()
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
        let of_weight: Vec<NodeBits> = weights.into_iter().map(of).collect();
        let are_whole = site.is_linear
            || site.nodes.iter().all(|node| node.cpus == 1 && node.gpus == 0)
            || site.partitions.iter().all(|partition| partition.is_exclusive);
        Nodes {
            count,
            cpus: site.nodes.iter().map(|node| node.cpus - node.reserved_cpus).collect(),
            all_cpus: site.nodes.iter().map(|node| node.cpus).collect(),
            gpus: site.nodes.iter().map(|node| node.gpus).collect(),
            kinds: mixed_kinds(site),
            memory: if site.counts_memory { site.nodes.iter().map(|node| node.memory).collect() } else { Vec::new() },
            weights: places(count, &of_weight),
            by_weight: of_weight.clone(),
            of_weight,
            empty: RefCell::default(),
            are_whole,
            has_single_cpus: are_whole && !site.counts_memory && site.nodes.iter().all(|node| node.cpus == 1),
            tree: SwitchTree::of(site).map(Arc::new),
            wants: Arc::new(vec![Want::default()]),
        }
    }

    /// The same nodes, with what the options of jobs want.
    pub(super) fn wanted_by(self, options: &[JobOptions], site: &Site) -> Self {
        Nodes { wants: Arc::new(wants(site, options)), ..self }
    }

    /// Lets nodes that are on go before the others, whatever they weigh: Slurm weighs nodes heaviest that are off.
    pub(super) fn prefer(&mut self, on: &NodeBits) {
        let mut off = NodeBits::all(self.count);
        off.take_out(on);
        let of = |set: &NodeBits| self.of_weight.iter().map(|nodes| nodes.common(set)).collect::<Vec<_>>();
        self.by_weight = [of(on), of(&off)].concat();
        self.weights = places(self.count, &self.by_weight);
    }

    /// What the options of a job want.
    pub(super) fn want(&self, ask: Ask) -> &Want {
        &self.wants[ask.want as usize]
    }

    /// The switches, where they decide on a job's nodes.
    pub(super) fn tree_of(&self, ask: Ask) -> Option<&SwitchTree> {
        self.tree.as_deref().filter(|_| ask.switches != SwitchAsk::Rows)
    }

    /// The place of what a want has, given by its place, and of being in these reservations.
    pub(super) fn want_in(&mut self, want: u32, reservations: Vec<usize>) -> u32 {
        let own = Want { reservations, ..self.wants[want as usize].clone() };
        let all = Arc::make_mut(&mut self.wants);
        all.push(own);
        all.len() as u32 - 1
    }

    /// Everything that some job wants.
    pub(super) fn wants(&self) -> &[Want] {
        &self.wants
    }

    /// The room while all nodes are free.
    pub(super) fn room(&self) -> Room {
        let kept = |column: &Vec<u32>| if self.are_whole { Vec::new() } else { column.clone() };
        let memory = if self.are_whole { Vec::new() } else { self.memory.clone() };
        let kinds = if self.are_whole { Vec::new() } else { self.kinds.clone() };
        Room { idle: NodeBits::all(self.count), cpus: kept(&self.cpus), gpus: kept(&self.gpus), kinds, memory }
    }

    pub(super) fn shares(&self, ask: Ask) -> bool {
        !self.are_whole && !ask.is_exclusive
    }

    /// Whether nodes may have several jobs.
    pub(super) fn are_shared(&self) -> bool {
        !self.are_whole
    }

    /// The processors, GPUs and memory (MiB, where it is counted) that nobody has on a node that may have several jobs.
    pub(super) fn free_on(&self, room: &Room, node: usize) -> [u64; 3] {
        let memory = room.memory.get(node).copied().unwrap_or(0);
        [u64::from(room.cpus[node]), u64::from(room.gpus[node]), memory]
    }

    /// The memory of a job's part on a node, MiB; 0 where memory is not counted.
    pub(super) fn memory_on(&self, ask: Ask, node: usize) -> u64 {
        self.memory.get(node).map_or(0, |&all| ask.memory.on_node(ask.cpus, all))
    }

    /// The memory of a node, MiB; 0 where memory is not counted.
    pub(super) fn all_memory_of(&self, node: usize) -> u64 {
        self.memory.get(node).copied().unwrap_or(0)
    }

    /// Whether a node has as many free GPUs of each type as a job asks for by type.
    pub(super) fn has_gpu_types(&self, room: &Room, ask: &Ask, node: usize) -> bool {
        room.kinds.get(node).is_none_or(|free| free.cover(&ask.kinds))
    }

    /// The least memory of a job's part on any node where it wants some, MiB; 0 where it wants none.
    pub(super) fn least_memory_on_any(&self, ask: Ask) -> u64 {
        (0..self.count).map(|node| self.memory_on(ask, node)).filter(|&memory| memory > 0).min().unwrap_or(0)
    }

    /// What a node offers to a job: 1 where the job has whole nodes, otherwise processors; 0 where the node cannot be
    /// used.
    pub(super) fn offer(&self, room: &Room, ask: Ask, node: usize) -> u32 {
        if !self.shares(ask) {
            return if room.idle.contains(node) { self.offer_of_empty(ask, node) } else { 0 };
        }
        self.offer_of(ask, node, self.free_of(room, node))
    }

    /// What is free on a node that may have several jobs.
    fn free_of(&self, room: &Room, node: usize) -> FreeOnNode {
        let memory = room.memory.get(node).copied().unwrap_or(0);
        let kinds = room.kinds.get(node).copied();
        FreeOnNode { cpus: room.cpus[node], gpus: room.gpus[node], kinds, memory }
    }

    /// What is free on a node, as far as jobs may share nodes, and whether it is idle.
    pub(super) fn state_of(&self, room: &Room, node: usize) -> (Option<FreeOnNode>, bool) {
        (self.are_shared().then(|| self.free_of(room, node)), room.idle.contains(node))
    }

    /// What a node in this state offers to a job, as [`Nodes::offer`].
    pub(super) fn offer_in(&self, (free, is_idle): (Option<FreeOnNode>, bool), ask: Ask, node: usize) -> u32 {
        match free.filter(|_| self.shares(ask)) {
            Some(free) => self.offer_of(ask, node, free),
            None if is_idle => self.offer_of_empty(ask, node),
            None => 0,
        }
    }

    /// Whether nothing but its free processors is what a node offers to a job that shares nodes.
    pub(super) fn offers_cpus_alone(&self, ask: Ask) -> bool {
        ask.gpus == 0 && ask.of_task < 2 && self.kinds.is_empty() && self.memory.is_empty()
    }

    /// What a node offers to a job when no job runs on it.
    pub(super) fn offer_of_empty(&self, ask: Ask, node: usize) -> u32 {
        let memory = self.memory.get(node).copied().unwrap_or(0);
        let kinds = self.kinds.get(node).copied();
        self.offer_of(ask, node, FreeOnNode { cpus: self.cpus[node], gpus: self.gpus[node], kinds, memory })
    }

    fn offer_of(&self, ask: Ask, node: usize, free: FreeOnNode) -> u32 {
        let mut cpus = free.cpus;
        if free.gpus < ask.gpus {
            return 0;
        }
        if free.kinds.is_some_and(|kinds| !kinds.cover(&ask.kinds)) {
            return 0;
        }
        if !self.memory.is_empty() {
            match ask.memory {
                MemoryAsk::OfCpu(each) if self.shares(ask) => {
                    cpus = cpus.min(u32::try_from(free.memory / each.max(1)).unwrap_or(u32::MAX));
                }
                asked if free.memory < asked.on_node(ask.cpus.div_ceil(ask.nodes.max(1)), self.memory[node]) => {
                    return 0;
                }
                _ => {}
            }
        }
        match ask.nodes {
            _ if self.shares(ask) => cpus - cpus % ask.of_task.max(1),
            0 => cpus,
            nodes => u32::from(self.all_cpus[node] >= ask.cpus.div_ceil(nodes)),
        }
    }

    /// The GPUs by type that a job gets on its nodes; empty where no node has several types.
    pub(super) fn kinds_on(&self, room: &Room, ask: Ask, nodes: &NodeBits) -> Vec<KindCounts> {
        if self.kinds.is_empty() || ask.gpus == 0 || !self.shares(ask) {
            return Vec::new();
        }
        nodes.iter().map(|node| room.kinds[node].given(&ask.kinds, ask.gpus)).collect()
    }

    /// What nodes offer together to a job.
    #[cfg(test)]
    pub(super) fn offered(&self, room: &Room, ask: Ask, usable: &NodeBits) -> u64 {
        usable.iter().map(|node| u64::from(self.offer(room, ask, node))).sum()
    }

    /// What the nodes offer to a job that are in both sets.
    #[cfg(test)]
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
        let is_alike = ask.gpus == 0 && ask.nodes == 0 && matches!(self.want(ask).sets, WantedSets::Any);
        self.has_single_cpus && is_alike && self.tree_of(ask).is_none()
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

    /// What an allocation holds of a node, given by its place among the nodes of the allocation.
    fn held(&self, allocation: &Allocation, at: usize, node: usize) -> FreeOnNode {
        let all = self.memory.get(node).copied().unwrap_or(0);
        let kinds = self.kinds.get(node).copied();
        match allocation.cpus.get(at).copied() {
            Some(cpus) => FreeOnNode {
                cpus,
                gpus: allocation.gpus,
                kinds: kinds.and(allocation.kinds.get(at).copied()),
                memory: allocation.memory.on_node(cpus, all),
            },
            None => FreeOnNode { cpus: self.cpus[node], gpus: self.gpus[node], kinds, memory: all },
        }
    }

    /// The memory of an allocation on a node for as long as its job is suspended, MiB: who has the node for itself has as
    /// much as it asked for, or all of it.
    fn kept_memory(&self, allocation: &Allocation, at: usize, node: usize) -> u64 {
        let Some(&all) = self.memory.get(node) else { return 0 };
        match allocation.memory {
            MemoryAsk::None => all,
            asked => asked.on_node(allocation.cpus.get(at).copied().unwrap_or(self.cpus[node]), all),
        }
    }

    /// What all of these allocations leave of a node's memory, and of its GPUs.
    fn rest<'a>(&self, node: usize, holders: impl Iterator<Item = &'a Allocation>) -> (u64, u32, Option<KindCounts>) {
        let all = self.memory.get(node).copied().unwrap_or(0);
        let mut left = (all, self.gpus[node], self.kinds.get(node).copied());
        for allocation in holders {
            let at = allocation.nodes.iter().take_while(|&other| other < node).count();
            let held = self.held(allocation, at, node);
            left.0 = left.0.saturating_sub(self.kept_memory(allocation, at, node));
            left.1 = left.1.saturating_sub(held.gpus);
            if let (Some(kinds), Some(own)) = (&mut left.2, held.kinds) {
                kinds.take_out(&own);
            }
        }
        left
    }

    /// Whether these allocations leave a job that has the node for itself the memory and the GPUs that it asks for.
    pub(super) fn leaves_enough<'a>(
        &self,
        ask: Ask,
        node: usize,
        holders: impl Iterator<Item = &'a Allocation>,
    ) -> bool {
        let all = self.memory.get(node).copied().unwrap_or(0);
        let (memory, gpus, _) = self.rest(node, holders);
        let wanted = match ask.memory {
            MemoryAsk::None => all,
            asked => asked.on_node(self.cpus[node], all),
        };
        !self.shares(ask) && wanted <= memory && ask.gpus <= gpus
    }

    /// Sets how many processors of a node are taken, and whether no job has it.
    pub(super) fn set_processors(&self, room: &mut Room, node: usize, taken: u32, is_idle: bool) {
        if is_idle {
            room.idle.insert(node);
        } else {
            room.idle.remove(node);
        }
        if !self.are_whole {
            room.cpus[node] = self.cpus[node].saturating_sub(taken);
        }
    }

    /// Sets what is left of a node's memory and GPUs.
    pub(super) fn set_rest<'a>(&self, room: &mut Room, node: usize, holders: impl Iterator<Item = &'a Allocation>) {
        if self.are_whole {
            return;
        }
        let (memory, gpus, kinds) = self.rest(node, holders);
        room.gpus[node] = gpus;
        room.memory.get_mut(node).into_iter().for_each(|own| *own = memory);
        room.kinds.get_mut(node).into_iter().zip(kinds).for_each(|(own, left)| *own = left);
    }

    pub(super) fn take(&self, room: &mut Room, allocation: &Allocation) {
        room.idle.take_out(&allocation.nodes);
        if self.are_whole {
            return;
        }
        for (at, node) in allocation.nodes.iter().enumerate() {
            let held = self.held(allocation, at, node);
            room.cpus[node] = room.cpus[node].saturating_sub(held.cpus);
            room.gpus[node] = room.gpus[node].saturating_sub(held.gpus);
            if let (Some(kinds), Some(own)) = (room.kinds.get_mut(node), held.kinds) {
                kinds.take_out(&own);
            }
            if let Some(memory) = room.memory.get_mut(node) {
                *memory = memory.saturating_sub(held.memory);
            }
        }
    }

    pub(super) fn give(&self, room: &mut Room, allocation: &Allocation) {
        if self.are_whole {
            room.idle.put_in(&allocation.nodes);
            return;
        }
        for (at, node) in allocation.nodes.iter().enumerate() {
            let held = self.held(allocation, at, node);
            room.cpus[node] = (room.cpus[node] + held.cpus).min(self.cpus[node]);
            room.gpus[node] = (room.gpus[node] + held.gpus).min(self.gpus[node]);
            if let (Some(kinds), Some(own)) = (room.kinds.get_mut(node), held.kinds) {
                kinds.put_in(&own, &self.kinds[node]);
            }
            if let Some(memory) = room.memory.get_mut(node) {
                *memory = (*memory + held.memory).min(self.memory[node]);
            }
            if room.cpus[node] == self.cpus[node] {
                room.idle.insert(node);
            }
        }
    }
}

/// GPUs by type and node; empty where no node has several types.
fn mixed_kinds(site: &Site) -> Vec<KindCounts> {
    if site.nodes.iter().all(|node| node.gpu_kinds.len() < 2) {
        return Vec::new();
    }
    let kinds = kinds_of(site);
    site.nodes.iter().map(|node| KindCounts::of_node(node, &kinds)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::Version;

    fn ask(cpus: u32) -> Ask {
        Ask { node_range: (1, 0), cpus, ..Ask::default() }
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

//! Fragmentation: what idles on nodes and no waiting job could use, because the rest of its node is taken.
//!
//! Idle GPUs (processors, memory) of a node that is up are *stranded* while there is a waiting job that would run on
//! that node if it were empty, and for which there are enough of them, but none that could run there as it is. A job is
//! taken to want an equal part on each of its nodes, or a processor where it takes any number of nodes. Priorities,
//! limits and reservations do not count: this is about what is taken, not about whose turn it is.

use super::chosen::WantedSets;
use super::job::JobState;
use super::node_set::NodeBits;
use super::room::{Allocation, Ask, MemoryAsk, Nodes, Room};
use packfair_engine::model::Notes;
use packfair_engine::model::note::stranded::{BEHIND, IDLE, OTHERS, RESOURCES, STRANDED};
use rustc_hash::FxHashMap;

/// How many kinds of resources are told apart: processors, GPUs, memory.
const KINDS: usize = RESOURCES.len();

/// What may be in the way: one of the resources, or that somebody is on the node at all.
const OBSTACLES: usize = KINDS + 1;

/// The places of GPUs among resources, and of others who are there among obstacles.
const GPUS: usize = 1;
const OTHERS_PLACE: usize = KINDS;

/// What waiting jobs of one kind want on a node, and where.
#[derive(Clone, Debug)]
struct WantedPart {
    ask: Ask,
    needs: PartNeeds,
    /// Whether it shares its node with other jobs.
    shares: bool,
    /// The nodes that they may use, and that would hold a part if they were empty.
    allowed: NodeBits,
    /// How many entries of the queue want it.
    waiting: u32,
}

/// What a part needs of each resource, of memory on any node at the least; 0 where it wants none.
#[derive(Clone, Copy, Debug)]
struct PartNeeds {
    least: [u64; KINDS],
    /// Whether it wants all memory of its node.
    wants_all_memory: bool,
}

/// The idle amount of a resource on a node, and what waiting jobs could do with it.
#[derive(Clone, Copy, Debug, Default)]
struct IdleOnNode {
    amount: u64,
    /// A part that fits.
    fits: Option<u32>,
    /// How many parts would fit if the node were empty and do not now; counted only while none fits.
    kept_out: u32,
    /// For how many of them each obstacle is in the way.
    obstacles: [u32; OBSTACLES],
}

/// What idles on a node, and the processors that jobs hold there.
#[derive(Clone, Copy, Debug, Default)]
struct IdleNode {
    idle: [IdleOnNode; KINDS],
    held: u32,
}

/// Sums over nodes: of idle amounts, of those that are stranded, and of the nodes with these by what is in the way.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    idle: [u64; KINDS],
    stranded: [u64; KINDS],
    behind: [[StuckNodes; OBSTACLES]; KINDS],
}

/// Nodes on which something is stranded, the processors that jobs hold there, and all of their processors.
#[derive(Clone, Copy, Debug, Default)]
struct StuckNodes {
    nodes: u64,
    held: u64,
    processors: u64,
}

/// The book of what is stranded, kept up with every start, end and arrival.
#[derive(Clone, Debug)]
pub(super) struct StrandedBook {
    parts: Vec<WantedPart>,
    /// The places of parts, by what is asked for and the partition.
    known: FxHashMap<(Ask, u32), u32>,
    /// The parts that somebody waits for.
    wanted: Vec<(u32, PartNeeds)>,
    nodes: Vec<IdleNode>,
    /// What is open on each node: what idles there, as long as no part is known that fits.
    open: Vec<[u64; KINDS]>,
    up: NodeBits,
    waiting: u32,
    sums: Sums,
    /// Until when sums were added up, seconds.
    at: f64,
    /// For how long jobs waited, seconds.
    span: f64,
    idle: [f64; KINDS],
    stranded: [f64; KINDS],
    behind: [[[f64; 3]; OBSTACLES]; KINDS],
}

/// The part of a job on one node.
fn part_of(ask: Ask, shares: bool) -> Ask {
    let most = if shares { ask.node_range.1 } else { ask.nodes };
    let cpus = if most == 0 { 1 } else { ask.cpus.div_ceil(most) };
    Ask { nodes: ask.nodes.min(1), node_range: (1, 1), cpus, switches: ask.switches.of_any_number(), ..ask }
}

impl PartNeeds {
    fn of(part: Ask, nodes: &Nodes) -> Self {
        let least = [u64::from(part.cpus), u64::from(part.gpus), nodes.least_memory_on_any(part)];
        PartNeeds { least, wants_all_memory: part.memory == MemoryAsk::Whole }
    }

    fn on(&self, nodes: &Nodes, node: usize) -> [u64; KINDS] {
        let [cpus, gpus, memory] = self.least;
        [cpus, gpus, if self.wants_all_memory { nodes.all_memory_of(node) } else { memory }]
    }

    /// Whether some resource might be enough. Most parts need more than is open on most nodes.
    fn might_be_met(&self, open: [u64; KINDS]) -> bool {
        self.least.iter().zip(open).any(|(&need, open)| need > 0 && need <= open)
    }
}

impl IdleOnNode {
    fn is_stranded(&self) -> bool {
        self.amount > 0 && self.fits.is_none() && self.kept_out > 0
    }

    /// What is in the way of most, where it is stranded.
    fn stranded_behind(self) -> Option<usize> {
        self.is_stranded().then(|| self.obstacle())
    }

    /// What is in the way of most.
    fn obstacle(&self) -> usize {
        let mut found = OBSTACLES - 1;
        for at in (0..KINDS).rev() {
            if self.obstacles[at] > self.obstacles[found] {
                found = at;
            }
        }
        found
    }
}

impl IdleNode {
    fn open(&self) -> [u64; KINDS] {
        self.idle.map(|own| if own.fits.is_none() { own.amount } else { 0 })
    }

    /// Counts a part that the empty node would hold among those that fit or do not (`by` 1), or takes out one that does not
    /// fit (-1). Keeps the sums where that changes what is stranded. The node has a job.
    fn count(
        &mut self,
        (place, part): (u32, &WantedPart),
        node: usize,
        (nodes, room): (&Nodes, &Room),
        by: i32,
        mut sums: Option<&mut Sums>,
    ) {
        let needs = part.needs.on(nodes, node);
        let mut concerns = [false; KINDS];
        for (of, own) in self.idle.iter().enumerate() {
            concerns[of] = own.fits.is_none() && needs[of] > 0 && needs[of] <= own.amount;
        }
        // most often nothing that idles there is enough
        if concerns == [false; KINDS] {
            return;
        }
        let shares = part.shares;
        let mut is_short = [false; KINDS];
        for (of, own) in self.idle.iter().enumerate() {
            is_short[of] = shares && needs[of] > own.amount;
        }
        // who is short of nothing lacks GPUs of its type, or wants the node for itself
        let is_short_of_none = is_short == [false; KINDS];
        let fits = is_short_of_none && shares && nodes.has_gpu_types(room, &part.ask, node);
        for (of, own) in self.idle.iter_mut().enumerate().filter(|(of, _)| concerns[*of]) {
            let before = *own;
            if fits {
                own.fits = Some(place);
            } else {
                own.kept_out = own.kept_out.saturating_add_signed(by);
                for (obstacle, count) in own.obstacles.iter_mut().enumerate() {
                    let is_in_the_way = match obstacle {
                        GPUS if is_short_of_none && shares => true,
                        OTHERS_PLACE => !shares,
                        _ => obstacle < KINDS && is_short[obstacle],
                    };
                    if is_in_the_way {
                        *count = count.saturating_add_signed(by);
                    }
                }
            }
            // most often nothing else is stranded for it
            if let Some(sums) = sums.as_deref_mut().filter(|_| own.stranded_behind() != before.stranded_behind()) {
                sums.count_kind(of, before, (self.held, nodes.cpus[node]), false);
                sums.count_kind(of, *own, (self.held, nodes.cpus[node]), true);
            }
        }
    }
}

impl Sums {
    /// Puts a node in, or takes it out.
    fn count(&mut self, node: &IdleNode, cpus: u32, is_in: bool) {
        for (of, own) in node.idle.iter().enumerate() {
            self.count_kind(of, *own, (node.held, cpus), is_in);
        }
    }

    /// Puts one resource of a node in, or takes it out; jobs hold `held` of the node's processors.
    fn count_kind(&mut self, of: usize, own: IdleOnNode, (held, cpus): (u32, u32), is_in: bool) {
        let put = |sum: &mut u64, amount: u64| *sum = if is_in { *sum + amount } else { sum.saturating_sub(amount) };
        put(&mut self.idle[of], own.amount);
        if let Some(obstacle) = own.stranded_behind() {
            put(&mut self.stranded[of], own.amount);
            let stuck = &mut self.behind[of][obstacle];
            put(&mut stuck.nodes, 1);
            put(&mut stuck.held, u64::from(held));
            put(&mut stuck.processors, u64::from(cpus));
        }
    }
}

impl StrandedBook {
    /// The book of a machine on which jobs share nodes; none where a node is either idle or taken.
    pub(super) fn of(nodes: &Nodes, room: &Room, now: f64) -> Option<Self> {
        if !nodes.are_shared() {
            return None;
        }
        let mut book = StrandedBook {
            parts: Vec::new(),
            known: FxHashMap::default(),
            wanted: Vec::new(),
            nodes: vec![IdleNode::default(); nodes.count],
            open: vec![[0; KINDS]; nodes.count],
            up: NodeBits::all(nodes.count),
            waiting: 0,
            sums: Sums::default(),
            at: now,
            span: 0.0,
            idle: [0.0; KINDS],
            stranded: [0.0; KINDS],
            behind: [[[0.0; 3]; OBSTACLES]; KINDS],
        };
        (0..nodes.count).for_each(|node| book.look_at(nodes, room, node));
        Some(book)
    }

    /// Adds up what was idle until now. Only while jobs wait can anything be stranded, and only then idle time counts.
    pub(super) fn advance(&mut self, at: f64) {
        let span = at - self.at;
        self.at = self.at.max(at);
        if span <= 0.0 || self.waiting == 0 {
            return;
        }
        self.span += span;
        for of in 0..KINDS {
            self.idle[of] += self.sums.idle[of] as f64 * span;
            self.stranded[of] += self.sums.stranded[of] as f64 * span;
            for (areas, stuck) in self.behind[of].iter_mut().zip(self.sums.behind[of]) {
                for (area, count) in areas.iter_mut().zip([stuck.nodes, stuck.held, stuck.processors]) {
                    *area += count as f64 * span;
                }
            }
        }
    }

    /// A job begins to wait, as an entry of a queue for these nodes of a partition.
    pub(super) fn waits(&mut self, job: &JobState, partition: &NodeBits, (nodes, room): (&Nodes, &Room)) {
        self.waiting += 1;
        let key = (part_of(job.ask, nodes.shares(job.ask)), job.partition);
        let place = match self.known.get(&key) {
            Some(&place) => place,
            None => {
                let ask = key.0;
                self.parts.push(WantedPart {
                    ask,
                    needs: PartNeeds::of(ask, nodes),
                    shares: nodes.shares(ask),
                    allowed: allowed(nodes, ask, partition),
                    waiting: 0,
                });
                let place = self.parts.len() as u32 - 1;
                self.known.insert(key, place);
                place
            }
        };
        let part = &mut self.parts[place as usize];
        part.waiting += 1;
        if part.waiting == 1 {
            self.wanted.push((place, part.needs));
            self.change_part(nodes, room, place, 1);
        }
    }

    /// An entry of a job leaves its queue.
    pub(super) fn waits_no_more(&mut self, job: &JobState, (nodes, room): (&Nodes, &Room)) {
        let key = (part_of(job.ask, nodes.shares(job.ask)), job.partition);
        let Some(&place) = self.known.get(&key) else { return };
        self.waiting = self.waiting.saturating_sub(1);
        let part = &mut self.parts[place as usize];
        part.waiting = part.waiting.saturating_sub(1);
        if part.waiting == 0 {
            self.wanted.retain(|&(other, _)| other != place);
            self.change_part(nodes, room, place, -1);
        }
    }

    /// A part is wanted by the first job that waits (`by` 1), or no longer by any (-1).
    fn change_part(&mut self, nodes: &Nodes, room: &Room, place: u32, by: i32) {
        let mut again = Vec::new();
        let part = &self.parts[place as usize];
        // nothing is stranded on an empty node, which holds all parts that may go there
        for node in part.allowed.iter().filter(|&node| self.up.contains(node) && !room.idle.contains(node)) {
            let own = &mut self.nodes[node];
            if by < 0 && own.idle.iter().any(|idle| idle.fits == Some(place)) {
                again.push(node);
            } else if part.needs.might_be_met(self.open[node]) {
                own.count((place, part), node, (nodes, room), by, Some(&mut self.sums));
                self.open[node] = own.open();
            }
        }
        again.into_iter().for_each(|node| self.look_at(nodes, room, node));
    }

    /// What is free on these nodes has changed.
    pub(super) fn changed(&mut self, allocation: &Allocation, (nodes, room): (&Nodes, &Room)) {
        allocation.nodes.iter().for_each(|node| self.look_at(nodes, room, node));
    }

    /// Nodes went away or came back.
    pub(super) fn turn(&mut self, up: &NodeBits, (nodes, room): (&Nodes, &Room)) {
        let before = std::mem::replace(&mut self.up, up.clone());
        let differs = |node: &usize| before.contains(*node) != up.contains(*node);
        (0..nodes.count).filter(differs).for_each(|node| self.look_at(nodes, room, node));
    }

    /// Looks at a node anew.
    fn look_at(&mut self, nodes: &Nodes, room: &Room, node: usize) {
        let mut after = IdleNode::default();
        if self.up.contains(node) {
            let amounts = nodes.free_on(room, node);
            after.held = nodes.cpus[node] - u32::try_from(amounts[0]).unwrap_or(0).min(nodes.cpus[node]);
            after.idle.iter_mut().zip(amounts).for_each(|(own, amount)| own.amount = amount);
            let wanted: &[(u32, PartNeeds)] = if room.idle.contains(node) { &[] } else { &self.wanted };
            let mut open = after.open();
            for (place, needs) in wanted {
                if open == [0; KINDS] {
                    break;
                }
                if !needs.might_be_met(open) {
                    continue;
                }
                let part = &self.parts[*place as usize];
                if part.allowed.contains(node) {
                    after.count((*place, part), node, (nodes, room), 1, None);
                    open = after.open();
                }
            }
        }
        self.open[node] = after.open();
        self.sums.count(&self.nodes[node], nodes.cpus[node], false);
        self.sums.count(&after, nodes.cpus[node], true);
        self.nodes[node] = after;
    }

    /// Reports what was idle and stranded over time, and how many nodes that was in the mean, by what was in the way.
    pub(super) fn report(&self, notes: &mut Notes) {
        for (of, name) in RESOURCES.iter().enumerate().filter(|(of, _)| self.idle[*of] > 0.0) {
            notes.set(IDLE[of], self.idle[of]);
            notes.set(STRANDED[of], self.stranded[of]);
            for (obstacle, areas) in self.behind[of].into_iter().enumerate().filter(|(_, areas)| areas[0] > 0.0) {
                let obstacle = RESOURCES.get(obstacle).copied().unwrap_or(OTHERS);
                for (what, area) in ["nodes", "held", "processors"].into_iter().zip(areas) {
                    notes.set_part(BEHIND, &format!("{name}.{obstacle}.{what}"), area / self.span);
                }
            }
        }
    }
}

/// Whether a node with such an offer holds the part of a job on one node.
fn is_enough(nodes: &Nodes, part: Ask, offer: u32) -> bool {
    if nodes.shares(part) { offer >= part.cpus } else { offer > 0 }
}

/// The nodes of a partition that have what a job wants, and of which one that is empty holds a part of it.
fn allowed(nodes: &Nodes, ask: Ask, partition: &NodeBits) -> NodeBits {
    let want = nodes.want(ask);
    let mut allowed = NodeBits::none(nodes.count);
    let levels = nodes.empty_offers(ask);
    levels.iter().filter(|level| is_enough(nodes, ask, level.offer)).for_each(|level| allowed.put_in(&level.nodes));
    allowed.keep(partition);
    want.fit.iter().for_each(|fit| allowed.keep(fit));
    if let WantedSets::OneOf(sets) = &want.sets {
        let mut any = NodeBits::none(nodes.count);
        sets.iter().for_each(|set| any.put_in(set));
        allowed.keep(&any);
    }
    allowed
}

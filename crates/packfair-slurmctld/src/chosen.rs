//! Which nodes a job gets.

use super::gpu_limits::KindCounts;
use super::node_set::NodeBits;
use super::room::{Allocation, Ask, Nodes, Room};
use super::shared::Left;
use super::tree::WantedSwitches;
use packfair_slurm::{AllowedNodes, Site, SlurmParameter, allowed_nodes};
use packfair_workload::{JobOptions, NodeSharing, Seconds};
use rustc_hash::FxHashSet;

impl Ask {
    /// The part of a job of `nodes` nodes that so many of them do.
    fn part(&self, count: u32, nodes: u32) -> Ask {
        let cpus = self.cpus.min((self.cpus.div_ceil(nodes)).max(1) * count);
        Ask { nodes: if self.nodes > 0 { count } else { 0 }, node_range: (count, count), cpus, ..*self }
    }

    /// What is left of a job without a part of it.
    fn without(&self, part: &Ask) -> Ask {
        let (least, most) = self.node_range;
        let count = part.node_range.0;
        let most = if most == 0 { 0 } else { most.saturating_sub(count).max(1) };
        Ask {
            nodes: self.nodes.saturating_sub(part.nodes),
            node_range: (least.saturating_sub(count).max(1), most),
            cpus: self.cpus - part.cpus,
            ..*self
        }
    }
}

impl Allocation {
    /// The allocations of the parts of a job together. Parts have no nodes in common.
    fn joined(count: usize, parts: Vec<Allocation>) -> Allocation {
        let (gpus, memory) = parts.first().map_or((0, Default::default()), |first| (first.gpus, first.memory));
        let mut of_nodes: Vec<(usize, Option<u32>, Option<super::gpu_limits::KindCounts>)> = Vec::new();
        for part in &parts {
            let nodes = part.nodes.iter().enumerate();
            of_nodes.extend(nodes.map(|(at, node)| (node, part.cpus.get(at).copied(), part.kinds.get(at).copied())));
        }
        of_nodes.sort_unstable();
        Allocation {
            nodes: NodeBits::of(count, of_nodes.iter().map(|&(node, ..)| node)),
            cpus: of_nodes.iter().filter_map(|&(_, cpus, _)| cpus).collect(),
            kinds: of_nodes.iter().filter_map(|&(.., kinds)| kinds).collect(),
            gpus,
            memory,
        }
    }
}

struct NodeRun {
    amount: u32,
    nodes: Vec<(usize, u32)>,
}

impl Nodes {
    /// Whether a job fits on these nodes when no job runs on them.
    pub(super) fn could_hold(&self, ask: Ask, usable: &NodeBits) -> bool {
        match &self.want(ask).sets {
            WantedSets::Any => self.could_hold_on(ask, usable),
            WantedSets::OneOf(sets) => sets.iter().any(|set| self.could_hold_on(ask, &usable.common(set))),
            WantedSets::Counts(_) => {
                self.choose(&self.room(), Ask { switches: ask.switches.of_any_number(), ..ask }, usable).is_some()
            }
        }
    }

    fn could_hold_on(&self, ask: Ask, usable: &NodeBits) -> bool {
        match self.tree_of(ask) {
            Some(tree) => tree.tops().any(|top| self.could_hold_in_rows(ask, &usable.common(top))),
            None => self.could_hold_in_rows(ask, usable),
        }
    }

    fn could_hold_in_rows(&self, ask: Ask, usable: &NodeBits) -> bool {
        let wanted = self.wanted(ask);
        if self.counts(ask) {
            return usable.count() >= wanted;
        }
        self.could_hold_anywhere(ask, usable)
    }

    /// The nodes of `usable` that Slurm would choose. Whole nodes are chosen by weight; of each weight the shortest run
    /// of consecutive nodes that is enough, otherwise the longest, and so on. None where there are not enough.
    ///
    /// Where a job takes nodes of one of several sets, it is the first set that has enough. Where there are switches, these
    /// decide within a weight, and a job that asks for few of them gets none while they would be more.
    pub(super) fn choose(&self, room: &Room, ask: Ask, usable: &NodeBits) -> Option<Allocation> {
        let is_near = |found: &Allocation| ask.is_near(self.tree.as_deref(), &found.nodes);
        match &self.want(ask).sets {
            WantedSets::Any => self.choose_of(room, ask, usable).filter(is_near),
            WantedSets::OneOf(sets) => {
                sets.iter().find_map(|set| self.choose_of(room, ask, &usable.common(set)).filter(is_near))
            }
            WantedSets::Counts(sets) => self.choose_some_of_each(room, ask, usable, sets).filter(is_near),
        }
    }

    /// Chooses as many nodes of each set as a job wants at least, one set after the other, and the rest among all.
    fn choose_some_of_each(
        &self,
        room: &Room,
        ask: Ask,
        usable: &NodeBits,
        sets: &[(u32, NodeBits)],
    ) -> Option<Allocation> {
        let nodes = if ask.nodes > 0 { ask.nodes } else { ask.node_range.0.max(1) };
        let mut left = usable.clone();
        let mut asked = Ask { want: 0, ..ask };
        let mut parts: Vec<Allocation> = Vec::new();
        for (count, set) in sets {
            let part = ask.part(*count, nodes);
            let part = Ask { cpus: part.cpus.min(asked.cpus), ..part };
            let found = self.choose_of(room, part, &left.common(set))?;
            left.take_out(&found.nodes);
            asked = asked.without(&part);
            parts.push(found);
        }
        let is_left = if ask.nodes > 0 { asked.nodes > 0 } else { asked.cpus > 0 };
        if is_left {
            parts.push(self.choose_of(room, asked, &left)?);
        }
        Some(Allocation::joined(self.count, parts))
    }

    fn choose_of(&self, room: &Room, ask: Ask, usable: &NodeBits) -> Option<Allocation> {
        let mut left = self.wanted(ask);
        if self.counts(ask) {
            return self.choose_counted(room, left, usable);
        }
        if self.shares(ask) {
            return self.choose_shared(room, ask, usable);
        }
        if let Some(tree) = self.tree_of(ask) {
            let offered = |node| Some((node, self.offer(room, ask, node))).filter(|&(_, offer)| offer > 0);
            let mut offers: Vec<(usize, u32)> = usable.iter().filter_map(offered).collect();
            let least = ask.nodes.max(ask.node_range.0).max(1);
            let wanted = Left { cpus: i64::from(left), least: i64::from(least), most: i64::MAX };
            let found = tree.choose(wanted, &mut offers, &self.weights)?;
            let nodes = NodeBits::of(self.count, found.into_iter().map(|(node, _)| node));
            return Some(Allocation { nodes, gpus: ask.gpus, memory: ask.memory, ..Allocation::default() });
        }
        let mut nodes = NodeBits::none(self.count);
        for weight in &self.by_weight {
            let mut runs = self.runs(room, ask, usable, weight);
            while left > 0 && !runs.is_empty() {
                let enough = runs.iter().enumerate().filter(|(_, run)| run.amount >= left);
                let shortest = enough.min_by_key(|(_, run)| (run.amount, run.nodes[0].0));
                let longest =
                    || runs.iter().enumerate().max_by_key(|(_, run)| (run.amount, std::cmp::Reverse(run.nodes[0].0)));
                let Some((at, _)) = shortest.or_else(longest) else { break };
                for (node, offer) in runs.swap_remove(at).nodes {
                    if left == 0 {
                        break;
                    }
                    let taken = offer.min(left);
                    left -= taken;
                    nodes.insert(node);
                }
            }
            if left == 0 {
                break;
            }
        }
        if left > 0 {
            return None;
        }
        Some(Allocation { nodes, gpus: ask.gpus, memory: ask.memory, ..Allocation::default() })
    }

    /// Does what [`Nodes::choose`] does, where it is enough to count nodes.
    fn choose_counted(&self, room: &Room, wanted: u32, usable: &NodeBits) -> Option<Allocation> {
        // counting shows for most jobs that they do not fit
        if self.idle_of(room, usable) < wanted {
            return None;
        }
        let mut left = wanted;
        let mut nodes = NodeBits::none(self.count);
        let mut free = usable.clone();
        free.keep(&room.idle);
        for weight in &self.by_weight {
            let mut runs = if self.by_weight.len() == 1 { free.runs() } else { free.common(weight).runs() };
            // most often one run is enough
            let enough =
                runs.iter().filter(|(_, length)| *length >= left).min_by_key(|(first, length)| (*length, *first));
            if let Some(&(first, _)) = enough {
                nodes.insert_run(first, left);
                left = 0;
                break;
            }
            // the longest first, of equally long ones the first
            let longest_first = |&(first, length): &(usize, u32)| (std::cmp::Reverse(length), first);
            runs.sort_unstable_by_key(longest_first);
            for (at, &(first, length)) in runs.iter().enumerate() {
                if length < left {
                    nodes.insert_run(first, length);
                    left -= length;
                    continue;
                }
                // of the runs that are enough the shortest: the first with the last such length
                let enough = runs[at..].partition_point(|&(_, length)| length >= left);
                let shortest = runs[at + enough - 1].1;
                let first_of_it = runs[at..].partition_point(|&(_, length)| length > shortest);
                nodes.insert_run(runs[at + first_of_it].0, left);
                left = 0;
                break;
            }
            if left == 0 {
                break;
            }
        }
        (left == 0).then_some(Allocation { nodes, ..Allocation::default() })
    }

    /// The runs of consecutive nodes of one weight that the job can use.
    fn runs(&self, room: &Room, ask: Ask, usable: &NodeBits, weight: &NodeBits) -> Vec<NodeRun> {
        let mut runs: Vec<NodeRun> = Vec::new();
        let mut free = usable.clone();
        free.keep(weight);
        for node in free.iter() {
            let offer = self.offer(room, ask, node);
            if offer == 0 {
                continue;
            }
            match runs.last_mut().filter(|run| run.nodes.last().is_some_and(|&(last, _)| last + 1 == node)) {
                Some(run) => {
                    run.amount += offer;
                    run.nodes.push((node, offer));
                }
                None => runs.push(NodeRun { amount: offer, nodes: vec![(node, offer)] }),
            }
        }
        runs
    }
}

// What the options of jobs mean on the nodes of a site: which nodes a job may use, and what else it takes.

/// What the jobs with certain options want.
#[derive(Clone, Debug, Default)]
pub(super) struct Want {
    /// The nodes that they may use; none: all.
    pub fit: Option<NodeBits>,
    pub sets: WantedSets,
    /// GPUs by type on all nodes together.
    pub kinds: KindCounts,
    /// Licences, by their places in the site, and how many.
    pub licences: Vec<(usize, u32)>,
    /// Whether one of the licences is enough.
    pub is_any_licence: bool,
    /// The most leaf switches, and for how long it waits for that.
    pub switches: Option<WantedSwitches>,
    /// Processors of each task; 0 where nothing is told.
    pub of_task: u32,
    pub sharing: NodeSharing,
    /// The reservations of which they may be in one, by their places in the site.
    pub reservations: Vec<usize>,
}

/// Sets of nodes of which a job takes one, or some of each.
#[derive(Clone, Debug, Default)]
pub(super) enum WantedSets {
    #[default]
    Any,
    OneOf(Vec<NodeBits>),
    /// The fewest nodes of each set.
    Counts(Vec<(u32, NodeBits)>),
}

/// The types of GPUs of a site.
pub(super) fn kinds_of(site: &Site) -> Vec<&str> {
    let (mut kinds, mut seen): (Vec<&str>, FxHashSet<&str>) = Default::default();
    for (kind, _) in site.nodes.iter().flat_map(|node| &node.gpu_kinds) {
        if seen.insert(kind.as_str()) {
            kinds.push(kind);
        }
    }
    kinds
}

/// What each of the options wants; the first is that of jobs without options. What a site does not have is not wanted,
/// for by the log the jobs ran.
pub(super) fn wants(site: &Site, options: &[JobOptions]) -> Vec<Want> {
    let kinds = kinds_of(site);
    std::iter::once(Want::default()).chain(options.iter().map(|options| Want::of(options, site, &kinds))).collect()
}

impl Want {
    fn of(options: &JobOptions, site: &Site, kinds: &[&str]) -> Self {
        let count = site.nodes.len();
        let bits = |nodes: &[u32]| NodeBits::of(count, nodes.iter().map(|&node| node as usize));
        let allowed =
            if options.constraint.is_empty() { None } else { allowed_nodes(&options.constraint, &site.nodes) };
        let (mut fit, mut sets) = (None, WantedSets::Any);
        match allowed.filter(|allowed| !allowed.are_none()) {
            Some(AllowedNodes::Each(nodes)) => fit = Some(bits(&nodes)),
            Some(AllowedNodes::OneOf(of)) => sets = WantedSets::OneOf(of.iter().map(|nodes| bits(nodes)).collect()),
            Some(AllowedNodes::Counts(of)) => {
                sets = WantedSets::Counts(of.iter().map(|(least, nodes)| (*least, bits(nodes))).collect());
            }
            None => {}
        }
        let mut wanted = KindCounts::default();
        for (kind, amount) in &options.gpus {
            let Some(at) = kinds.iter().position(|own| own == kind) else { continue };
            wanted.add(at, *amount);
            let has = |node: &packfair_slurm::Node| node.gpu_kinds.iter().any(|(own, _)| own == kind);
            let having = site.nodes.iter().enumerate().filter(|(_, node)| has(node)).map(|(at, _)| at);
            let having = NodeBits::of(count, having);
            fit = Some(fit.map_or(having.clone(), |fit| fit.common(&having)));
        }
        let licences = options.licences.iter().filter_map(|(name, wanted)| {
            let at = site.licences.iter().position(|own| own.name == *name)?;
            // more than there are is wanted by nobody who ran
            Some((at, (*wanted).min(site.licences[at].count)))
        });
        let names: Vec<&str> = options.reservation.split(',').filter(|name| !name.is_empty()).collect();
        let reservations = site.reservations.iter().enumerate().filter(|(_, own)| names.contains(&own.name.as_str()));
        Want {
            reservations: reservations.map(|(at, _)| at).collect(),
            fit: fit.filter(|fit| fit.count() > 0),
            sets,
            kinds: wanted,
            licences: licences.collect(),
            is_any_licence: options.is_any_licence,
            switches: options.switches.map(|(most, wait)| {
                // who tells no time waits as long as the site lets anybody
                (most, Seconds::from(wait).min(site.parameters.get(SlurmParameter::MaxSwitchWait)))
            }),
            of_task: options.of_task,
            sharing: match options.names_reserved && site.allows_reserved {
                true => NodeSharing::Nobody,
                false => options.sharing,
            },
        }
    }

    /// The GPUs by type on each of so many nodes.
    pub(super) fn kinds_of_each(&self, nodes: u32) -> KindCounts {
        self.kinds.divided(u16::try_from(nodes).unwrap_or(u16::MAX))
    }
}

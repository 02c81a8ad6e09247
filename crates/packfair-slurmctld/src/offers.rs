//! What nodes offer to jobs of one kind: while all are empty, and as running jobs end.

use super::chosen::WantedSets;
use super::node_set::NodeBits;
use super::room::{Ask, FreeOnNode, MemoryAsk, NodeOrder, Nodes, Room};
use super::shared::range_of;
use super::tree::SwitchAsk;
use super::will_run::AllocationEnd;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// How many kinds of jobs are remembered with what empty nodes offer to them.
const MOST_KEPT: usize = 1_000;

/// The nodes that offer the same to a job while they are empty.
#[derive(Clone, Debug)]
pub(super) struct OfferLevel {
    pub offer: u32,
    pub nodes: NodeBits,
}

/// What empty nodes offer to jobs, by what counts of these; the largest offer first.
pub(super) type EmptyOffers = rustc_hash::FxHashMap<Ask, Arc<[OfferLevel]>>;

/// The offer of a node grows once so many of the running jobs have ended.
#[derive(Clone, Copy, Debug)]
struct OfferStep {
    ended: u32,
    node: u32,
    before: u32,
    after: u32,
}

/// What must be offered at least before a job fits.
#[derive(Clone, Copy, Debug)]
struct Least {
    /// In all.
    amount: u64,
    /// On so many nodes.
    nodes: u32,
    /// On each of these nodes.
    of_each: u32,
}

/// How the offers of nodes to one kind of jobs grow as running jobs end one after another, as far as it has been asked for.
#[derive(Clone, Debug)]
pub(super) struct GrowingOffers {
    kind: Ask,
    /// In the order in which jobs end.
    steps: Vec<OfferStep>,
    /// What each node offers once the first `ended` jobs have ended, by which there are so many states; none while nothing is
    /// known.
    offers: Option<Vec<u32>>,
    ended: usize,
    states: usize,
    freed: Vec<FreedNodes>,
}

/// What is free as running jobs end one after another, which is the same for all kinds of jobs.
#[derive(Clone, Debug)]
struct FreedStates {
    /// What is free before any of them has ended.
    first: Room,
    /// What is free once the first `ended` jobs have ended; none while that is none of them.
    room: Option<Room>,
    ended: usize,
    /// After how many ends what is free on a node becomes what, in this order.
    states: Vec<FreedState>,
}

#[derive(Clone, Copy, Debug)]
struct FreedState {
    ended: u32,
    node: u32,
    free: Option<FreeOnNode>,
    is_idle: bool,
}

impl FreedStates {
    fn of(room: &Room) -> Self {
        FreedStates { first: room.clone(), room: None, ended: 0, states: Vec::new() }
    }

    /// Lets at least the first `ended` of the running jobs end.
    fn grow(&mut self, nodes: &Nodes, ending: &[AllocationEnd<'_>], ended: usize) {
        for AllocationEnd { allocation, .. } in &ending[self.ended.min(ended)..ended] {
            self.ended += 1;
            let room = self.room.get_or_insert_with(|| self.first.clone());
            nodes.give(room, allocation);
            allocation.nodes.for_each(|node| {
                let (free, is_idle) = nodes.state_of(room, node);
                self.states.push(FreedState { ended: self.ended as u32, node: node as u32, free, is_idle });
            });
        }
    }
}

/// How many further jobs are taken to have ended at a time.
const AT_A_TIME: usize = 64;

/// The growing offers to each kind of jobs that has been asked for.
#[derive(Debug, Default)]
pub(super) struct KnownOffers {
    kinds: RefCell<rustc_hash::FxHashMap<Ask, Rc<RefCell<GrowingOffers>>>>,
    states: OnceCell<Rc<RefCell<FreedStates>>>,
}

/// How many jobs end between two sets of nodes that are remembered.
const APART: usize = 8;

/// The nodes that offer at least so much once some of the running jobs have ended.
#[derive(Clone, Debug)]
struct FreedNodes {
    of_each: u32,
    /// Each node, and the number of jobs that have to end before, in this order.
    nodes: Vec<(u32, u32)>,
    /// The nodes after 0, [`APART`], 2 [`APART`], ... ends, as far as it has been asked for.
    sets: Vec<NodeBits>,
    /// How many steps of the offers are counted.
    steps: usize,
}

/// How many of the running jobs have to end before nodes offer enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FewestEnds {
    Of(usize),
    /// More than was asked about.
    More,
    /// They never offer enough.
    Never,
}

impl Nodes {
    /// What counts of a job for the offer of a single node: jobs with the same have the same offers.
    pub(super) fn kind_of(&self, ask: Ask) -> Ask {
        let (nodes, cpus) =
            if self.shares(ask) { (0, 0) } else { (ask.nodes.min(1), ask.cpus.div_ceil(ask.nodes.max(1))) };
        Ask { nodes, cpus, node_range: (0, 0), order: NodeOrder::Tightest, switches: SwitchAsk::Fewest, want: 0, ..ask }
    }

    /// What empty nodes offer to a job, the most first. Nodes that offer nothing are left out.
    pub(super) fn empty_offers(&self, ask: Ask) -> Arc<[OfferLevel]> {
        let kind = self.kind_of(ask);
        if let Some(known) = self.empty.borrow().get(&kind) {
            return known.clone();
        }
        let mut levels: Vec<OfferLevel> = Vec::new();
        for node in 0..self.count {
            let offer = self.offer_of_empty(kind, node);
            match levels.iter_mut().find(|level| level.offer == offer) {
                _ if offer == 0 => {}
                Some(level) => level.nodes.insert(node),
                None => levels.push(OfferLevel { offer, nodes: NodeBits::of(self.count, [node]) }),
            }
        }
        levels.sort_unstable_by_key(|level| std::cmp::Reverse(level.offer));
        let levels: Arc<[OfferLevel]> = levels.into();
        let mut known = self.empty.borrow_mut();
        if known.len() >= MOST_KEPT {
            known.clear();
        }
        known.insert(kind, levels.clone());
        levels
    }

    /// Whether these nodes, empty, are enough for a job, wherever they are.
    pub(super) fn could_hold_anywhere(&self, ask: Ask, usable: &NodeBits) -> bool {
        let levels = self.empty_offers(ask);
        let there = levels.iter().map(|level| (level.offer, level.nodes.count_in(usable)));
        if !self.shares(ask) {
            let all: u64 = there.map(|(offer, count)| u64::from(offer) * u64::from(count)).sum();
            return all > 0 && all >= u64::from(self.wanted(ask));
        }
        let (least, most) = range_of(ask);
        let (mut taken, mut amount) = (0, 0);
        for (offer, count) in there {
            let more = count.min(most - taken);
            taken += more;
            amount += u64::from(offer) * u64::from(more);
            if taken >= least && amount >= u64::from(ask.cpus) {
                return true;
            }
        }
        false
    }

    /// Whether nothing but what nodes offer decides whether a job fits: neither sets of nodes nor switches.
    pub(super) fn is_by_offers(&self, ask: Ask) -> bool {
        matches!(self.want(ask).sets, WantedSets::Any) && self.tree_of(ask).is_none()
    }

    /// What must be offered before a job fits, and the most that a node offers.
    fn least_of(&self, ask: Ask) -> (Least, u32) {
        let amount = u64::from(self.wanted(ask));
        let largest = self.empty_offers(ask).first().map_or(0, |level| level.offer);
        if !self.shares(ask) || !self.is_by_offers(ask) {
            return (Least { amount, nodes: 0, of_each: 1 }, largest);
        }
        let (least, most) = range_of(ask);
        // if all other nodes gave as much as any can, this one still has to give the rest
        let rest = amount.saturating_sub(u64::from(most - 1) * u64::from(largest));
        (Least { amount, nodes: least, of_each: u32::try_from(rest).unwrap_or(u32::MAX).max(1) }, largest)
    }

    /// A kind of jobs to which nodes offer at least as much, and that many kinds have in common: memory counts up to the
    /// last power of two.
    fn roughly(&self, kind: Ask) -> Ask {
        let power = |memory: u64| memory.checked_ilog2().map_or(0, |power| 1 << power);
        let memory = match kind.memory {
            MemoryAsk::OfNode(memory) => MemoryAsk::OfNode(power(memory)),
            MemoryAsk::OfCpu(memory) => MemoryAsk::OfCpu(power(memory)),
            other => other,
        };
        Ask { memory, ..kind }
    }
}

impl GrowingOffers {
    /// The nodes that offer at least `of_each`, known up to `place` times [`APART`] ends.
    fn freed(
        &mut self,
        nodes: &Nodes,
        of_each: u32,
        (place, all): (usize, &RefCell<FreedStates>),
        ending: &[AllocationEnd<'_>],
    ) -> &FreedNodes {
        while self.offers.is_none() || self.ended < ending.len().min(place * APART) {
            self.grow(nodes, all, ending);
        }
        let at = self.freed.iter().position(|freed| freed.of_each == of_each).unwrap_or_else(|| {
            self.freed.push(FreedNodes::of(of_each));
            self.freed.len() - 1
        });
        self.freed[at].learn(&self.steps, place, nodes.count);
        &self.freed[at]
    }

    /// The offers to jobs of a kind, of which nothing is known yet.
    fn of(kind: Ask) -> Self {
        GrowingOffers { kind, steps: Vec::new(), offers: None, ended: 0, states: 0, freed: Vec::new() }
    }

    /// Lets some more of the running jobs end.
    fn grow(&mut self, nodes: &Nodes, all: &RefCell<FreedStates>, ending: &[AllocationEnd<'_>]) {
        let mut all = all.borrow_mut();
        let Some(offers) = &mut self.offers else {
            let offers: Vec<u32> = (0..nodes.count).map(|node| nodes.offer(&all.first, self.kind, node)).collect();
            let there = (0..).zip(&offers).filter(|(_, offer)| **offer > 0);
            self.steps.extend(there.map(|(node, &after)| OfferStep { ended: 0, node, before: 0, after }));
            self.offers = Some(offers);
            return;
        };
        self.ended = ending.len().min(self.ended + AT_A_TIME);
        all.grow(nodes, ending, self.ended);
        for state in all.states[self.states..].iter().take_while(|state| state.ended as usize <= self.ended) {
            self.states += 1;
            let node = state.node as usize;
            let after = nodes.offer_in((state.free, state.is_idle), self.kind, node);
            let before = std::mem::replace(&mut offers[node], after);
            if after > before {
                self.steps.push(OfferStep { ended: state.ended, node: state.node, before, after });
            }
        }
    }

    /// The number of jobs that have to end before the nodes offer enough, as far as it is at most `most`.
    fn first(
        &mut self,
        nodes: &Nodes,
        least: Least,
        usable: &NodeBits,
        all: &RefCell<FreedStates>,
        (ending, most): (&[AllocationEnd<'_>], usize),
    ) -> FewestEnds {
        let (mut amount, mut count) = (0_u64, 0_u32);
        let mut at = 0;
        loop {
            for step in &self.steps[at..] {
                if step.ended as usize > most {
                    return FewestEnds::More;
                }
                if step.after < least.of_each || !usable.contains(step.node as usize) {
                    continue;
                }
                let is_new = step.before < least.of_each;
                count += u32::from(is_new);
                amount += u64::from(step.after) - if is_new { 0 } else { u64::from(step.before) };
                if amount >= least.amount && count >= least.nodes {
                    return FewestEnds::Of(step.ended as usize);
                }
            }
            if self.offers.is_some() && self.ended == ending.len() {
                return FewestEnds::Never;
            }
            if self.offers.is_some() && self.ended >= most {
                return FewestEnds::More;
            }
            at = self.steps.len();
            self.grow(nodes, all, ending);
        }
    }
}

impl FreedNodes {
    /// What is known of nodes that offer at least so much.
    fn of(of_each: u32) -> Self {
        FreedNodes { of_each, nodes: Vec::new(), sets: Vec::new(), steps: 0 }
    }

    /// Learns which nodes there are after `place` times [`APART`] ends, of which all steps must be known.
    fn learn(&mut self, steps: &[OfferStep], place: usize, count: usize) {
        while self.sets.len() <= place {
            let mut set = self.sets.last().cloned().unwrap_or_else(|| NodeBits::none(count));
            let ended = self.sets.len() * APART;
            while let Some(step) = steps.get(self.steps).filter(|step| step.ended as usize <= ended) {
                self.steps += 1;
                if step.before < self.of_each && step.after >= self.of_each {
                    set.insert(step.node as usize);
                    self.nodes.push((step.ended, step.node));
                }
            }
            self.sets.push(set);
        }
    }

    /// The number of jobs that have to end before so many of the usable nodes are among these, which they are after `place`
    /// times [`APART`] ends.
    fn first(&self, usable: &NodeBits, fewest: u32, place: usize) -> usize {
        let at = self.sets[..place].partition_point(|set| usable.count_in(set) < fewest);
        let Some(before) = at.checked_sub(1) else { return 0 };
        let mut count = usable.count_in(&self.sets[before]);
        let later = self.nodes.partition_point(|&(ended, _)| ended as usize <= before * APART);
        for &(ended, node) in &self.nodes[later..] {
            count += u32::from(usable.contains(node as usize));
            if count >= fewest {
                return ended as usize;
            }
        }
        at * APART
    }
}

/// The question how many of the running jobs have to end before a job may fit.
#[derive(Clone, Debug)]
pub(super) struct EndsAsked {
    least: Least,
    /// The fewest nodes that are enough, each of which has to offer [`Least::of_each`], and whether any so many are.
    fewest: (u32, bool),
    offers: Rc<RefCell<GrowingOffers>>,
    states: Rc<RefCell<FreedStates>>,
}

impl EndsAsked {
    pub(super) fn of((nodes, room): (&Nodes, &Room), ask: Ask, known: &KnownOffers) -> Self {
        let kind = nodes.roughly(nodes.kind_of(ask));
        let states = known.states.get_or_init(|| Rc::new(RefCell::new(FreedStates::of(room)))).clone();
        let made = || Rc::new(RefCell::new(GrowingOffers::of(kind)));
        let offers = known.kinds.borrow_mut().entry(kind).or_insert_with(made).clone();
        let (least, largest) = nodes.least_of(ask);
        let fewest = least.amount.div_ceil(u64::from(largest.max(1))).max(u64::from(least.nodes));
        let fewest = u32::try_from(fewest).unwrap_or(u32::MAX);
        let is_any_enough = u64::from(fewest) * u64::from(least.of_each) >= least.amount;
        EndsAsked { least, fewest: (fewest, is_any_enough), offers, states }
    }

    /// How many of the running jobs, which go one after another, have to end at least before the usable nodes offer what the
    /// job wants, as far as it is at most `most`.
    pub(super) fn fewest(
        &self,
        nodes: &Nodes,
        usable: &NodeBits,
        (ending, most): (&[AllocationEnd<'_>], usize),
    ) -> FewestEnds {
        let EndsAsked { least, fewest: (fewest, is_any_enough), .. } = *self;
        let mut offers = self.offers.borrow_mut();
        let last = most.div_ceil(APART);
        // most often few have to end, so no more is learned than what it takes
        let mut place = 0;
        while usable.count_in(&offers.freed(nodes, least.of_each, (place, &self.states), ending).sets[place]) < fewest {
            if place == last {
                return if most >= ending.len() { FewestEnds::Never } else { FewestEnds::More };
            }
            place = last.min((2 * place).max(AT_A_TIME / APART));
        }
        let freed = offers.freed(nodes, least.of_each, (place, &self.states), ending);
        if is_any_enough {
            let ends = freed.first(usable, fewest, place);
            return if ends <= most { FewestEnds::Of(ends) } else { FewestEnds::More };
        }
        offers.first(nodes, least, usable, &self.states, (ending, most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{Site, Version};

    #[test]
    fn what_counts_of_a_job_has_its_offers() {
        let mut site = Site::plain(3, Version::default());
        site.counts_memory = true;
        for (node, (cpus, memory)) in site.nodes.iter_mut().zip([(8, 4_000), (16, 8_000), (16, 64_000)]) {
            (node.cpus, node.memory) = (cpus, memory);
        }
        let nodes = Nodes::of(&site);
        let room = nodes.room();
        for memory in [MemoryAsk::None, MemoryAsk::OfNode(5_000), MemoryAsk::OfCpu(1_000), MemoryAsk::Whole] {
            for (count, cpus) in [(0, 9), (1, 9), (2, 20), (3, 24)] {
                for is_exclusive in [false, true] {
                    let ask = Ask { nodes: count, node_range: (1, 0), cpus, memory, is_exclusive, ..Ask::default() };
                    for node in 0..3 {
                        let offer = nodes.offer(&room, ask, node);
                        assert_eq!(offer, nodes.offer(&room, nodes.kind_of(ask), node), "{ask:?} {node}");
                        let level = nodes.empty_offers(ask).iter().find(|level| level.nodes.contains(node)).cloned();
                        assert_eq!(offer, level.map_or(0, |level| level.offer), "{ask:?} {node}");
                    }
                }
            }
        }
    }

    #[test]
    fn sets_of_nodes_find_what_counting_finds() {
        let mut state = 11_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut exact, mut found) = (0, 0);
        for case in 0..1_000 {
            let count = 1 + random(120) as usize;
            let mut site = Site::plain(count as u32, Version::default());
            site.counts_memory = random(2) == 0;
            for node in &mut site.nodes {
                (node.cpus, node.memory) = ([4, 8, 8, 16][random(4) as usize], 1_000 * (1 + random(8)));
            }
            let nodes = Nodes::of(&site);
            let (mut room, all) = (nodes.room(), NodeBits::all(count));
            let mut ask = |most: u64| {
                let cpus = 1 + random(most) as u32;
                let range = [(1, 0), (1, 1), (1 + random(4) as u32, 0)][random(3) as usize];
                let memory = if random(2) == 0 { MemoryAsk::OfNode(random(4_000)) } else { MemoryAsk::None };
                Ask { nodes: range.0.min(cpus), node_range: range, cpus, memory, ..Ask::default() }
            };
            let mut held = Vec::new();
            while let Some(allocation) = nodes.choose(&room, ask(12), &all) {
                nodes.take(&mut room, &allocation);
                held.push(allocation);
            }
            let wanted: Vec<Ask> = (0..6).map(|_| ask(count as u64 * 6)).collect();
            let ending: Vec<AllocationEnd> =
                held.iter().map(|allocation| AllocationEnd { end: 0, allocation }).collect();
            let known = KnownOffers::default();
            for wanted in wanted {
                let usable = NodeBits::of(count, (0..count).filter(|_| random(4) > 0));
                let most = random(held.len() as u64 + 1) as usize;
                let (least, _) = nodes.least_of(wanted);
                let mut plain = GrowingOffers::of(nodes.kind_of(wanted));
                let states = RefCell::new(FreedStates::of(&room));
                let plain = plain.first(&nodes, least, &usable, &states, (&ending, most));
                let fast = EndsAsked::of((&nodes, &room), wanted, &known).fewest(&nodes, &usable, (&ending, most));
                let is_found = matches!(fast, FewestEnds::Of(_)) || matches!(plain, FewestEnds::Of(_));
                if wanted.memory == MemoryAsk::None && is_found {
                    assert_eq!(fast, plain, "case {case}: {wanted:?}");
                    exact += 1;
                }
                if let FewestEnds::Of(ends) = plain {
                    assert!(matches!(fast, FewestEnds::Of(own) if own <= ends), "case {case}: {wanted:?}");
                    found += 1;
                }
            }
        }
        assert!(exact > 500 && found > 500, "{exact} {found}");
    }
}

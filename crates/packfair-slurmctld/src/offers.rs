//! What nodes offer to jobs of one kind: while all are empty, and as running jobs end.

use super::node_set::NodeBits;
use super::room::{Ask, NodeOrder, Nodes, Room};
use super::shared::range_of;
use super::tree::SwitchAsk;
use super::wants::WantedSets;
use super::will_run::AllocationEnd;
use std::cell::RefCell;
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
    /// What is free once the first `ended` jobs have ended, and what it offers by node.
    room: Room,
    offers: Vec<u32>,
    ended: usize,
}

/// How many further jobs are taken to have ended at a time.
const AT_A_TIME: usize = 64;

/// The growing offers to each kind of jobs that has been asked for.
pub(super) type KnownOffers = RefCell<rustc_hash::FxHashMap<Ask, GrowingOffers>>;

/// The nodes that offer enough to be of use to a job by some moment, as more and more of the running jobs end.
#[derive(Clone, Debug)]
pub(super) struct FreedNodes {
    least: Least,
    /// How many of them it takes at least.
    pub fewest: u32,
    pub nodes: NodeBits,
    /// How many jobs have ended, and how many steps of the offers are counted.
    ended: Option<usize>,
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

    /// What must be offered before a job fits.
    fn least_of(&self, ask: Ask) -> Least {
        let amount = u64::from(self.wanted(ask));
        if !self.shares(ask) || !self.is_by_offers(ask) {
            return Least { amount, nodes: 0, of_each: 1 };
        }
        let (least, most) = range_of(ask);
        // if all other nodes gave as much as any can, this one still has to give the rest
        let largest = self.empty_offers(ask).first().map_or(0, |level| level.offer);
        let rest = amount.saturating_sub(u64::from(most - 1) * u64::from(largest));
        Least { amount, nodes: least, of_each: u32::try_from(rest).unwrap_or(u32::MAX).max(1) }
    }
}

impl GrowingOffers {
    /// The offers to jobs of a kind in this room.
    fn of(nodes: &Nodes, room: &Room, kind: Ask) -> Self {
        let mut made =
            GrowingOffers { kind, steps: Vec::new(), room: room.clone(), offers: vec![0; nodes.count], ended: 0 };
        (0..nodes.count).for_each(|node| made.look(nodes, node));
        made
    }

    /// Notes what a node offers now.
    fn look(&mut self, nodes: &Nodes, node: usize) {
        let after = nodes.offer(&self.room, self.kind, node);
        let before = std::mem::replace(&mut self.offers[node], after);
        if after > before {
            self.steps.push(OfferStep { ended: self.ended as u32, node: node as u32, before, after });
        }
    }

    /// Lets some more of the running jobs end.
    fn grow(&mut self, nodes: &Nodes, ending: &[AllocationEnd<'_>]) {
        for AllocationEnd { allocation, .. } in ending[self.ended..].iter().take(AT_A_TIME) {
            self.ended += 1;
            nodes.give(&mut self.room, allocation);
            allocation.nodes.iter().for_each(|node| self.look(nodes, node));
        }
    }

    /// The number of jobs that have to end before the nodes offer enough, as far as it is at most `most`.
    fn first(
        &mut self,
        nodes: &Nodes,
        least: Least,
        usable: &NodeBits,
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
            if self.ended == ending.len() {
                return FewestEnds::Never;
            }
            if self.ended >= most {
                return FewestEnds::More;
            }
            at = self.steps.len();
            self.grow(nodes, ending);
        }
    }
}

impl FreedNodes {
    /// Those of a job while none is known.
    pub(super) fn of(nodes: &Nodes, ask: Ask) -> Self {
        let least = nodes.least_of(ask);
        let largest = nodes.empty_offers(ask).first().map_or(0, |level| u64::from(level.offer));
        let fewest = least.amount.div_ceil(largest.max(1)).max(u64::from(least.nodes));
        let fewest = u32::try_from(fewest).unwrap_or(u32::MAX);
        FreedNodes { least, fewest, nodes: NodeBits::none(nodes.count), ended: None, steps: 0 }
    }

    /// Lets at least the first `ended` of the running jobs have ended.
    pub(super) fn grow(
        &mut self,
        (nodes, room): (&Nodes, &Room),
        ask: Ask,
        known: &KnownOffers,
        (ending, ended): (&[AllocationEnd<'_>], usize),
    ) {
        if self.ended.is_some_and(|own| own >= ended) {
            return;
        }
        self.ended = Some(ended);
        let mut known = known.borrow_mut();
        let offers = offers_to(&mut known, (nodes, room), ask);
        while offers.ended < ended {
            offers.grow(nodes, ending);
        }
        let more = offers.steps[self.steps..].iter().take_while(|step| step.ended as usize <= ended);
        self.steps += more.clone().count();
        more.filter(|step| step.after >= self.least.of_each).for_each(|step| self.nodes.insert(step.node as usize));
    }
}

/// The growing offers to a job.
fn offers_to<'a>(
    known: &'a mut rustc_hash::FxHashMap<Ask, GrowingOffers>,
    (nodes, room): (&Nodes, &Room),
    ask: Ask,
) -> &'a mut GrowingOffers {
    let kind = nodes.kind_of(ask);
    known.entry(kind).or_insert_with(|| GrowingOffers::of(nodes, room, kind))
}

/// How many of the running jobs, which go one after another, have to end at least before the usable nodes offer what a job
/// wants, as far as it is at most `most`.
pub(super) fn fewest_ends(
    (nodes, room): (&Nodes, &Room),
    ask: Ask,
    usable: &NodeBits,
    known: &KnownOffers,
    (ending, most): (&[AllocationEnd<'_>], usize),
) -> FewestEnds {
    offers_to(&mut known.borrow_mut(), (nodes, room), ask).first(nodes, nodes.least_of(ask), usable, (ending, most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::MemoryAsk;
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
}

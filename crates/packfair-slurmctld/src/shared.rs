//! Which nodes a job gets where jobs share nodes: a processor for each task, on a number of nodes within its range.

use super::node_set::NodeBits;
use super::room::{Allocation, Ask, NodeOrder, Nodes, Room};

/// Consecutive nodes of one weight: the first and how many, by their places among the offers.
struct NodeRow {
    weight: usize,
    cpus: u32,
    first: usize,
    count: usize,
}

/// What a job still needs.
#[derive(Clone, Copy)]
pub(super) struct Left {
    pub cpus: i64,
    /// The fewest nodes that are still needed, and the most that may be taken.
    pub least: i64,
    pub most: i64,
}

impl Left {
    fn of(ask: Ask, (least, most): (u32, u32)) -> Self {
        Left { cpus: i64::from(ask.cpus), least: i64::from(least), most: i64::from(most) }
    }

    pub(super) fn is_enough(self) -> bool {
        self.cpus <= 0 && self.least <= 0
    }

    /// Takes a node with an offer of processors, of which one is left for each of the other nodes that are still needed.
    /// Returns how many are taken.
    pub(super) fn take(&mut self, offer: u32) -> u32 {
        let taken = i64::from(offer).min((self.cpus - (self.least - 1).max(0)).max(1));
        *self = Left { cpus: self.cpus - taken, least: self.least - 1, most: self.most - 1 };
        taken as u32
    }
}

/// The fewest and the most nodes that a job takes. Each node gives it at least one processor.
pub(super) fn range_of(ask: Ask) -> (u32, u32) {
    let (least, most) = ask.node_range;
    let least = least.max(1);
    (least, if most == 0 { ask.cpus.max(least) } else { most.min(ask.cpus.max(least)) })
}

/// The most processors that count of a node's offer. Of a job with GPUs Slurm counts no more than its tasks on the node can
/// use, where it knows how many these are: so of nodes that are enough for all of them the first is taken, and not the tightest.
fn most_of_each(ask: Ask) -> u32 {
    let of_task = ask.of_task.max(1);
    match ask.node_range {
        _ if ask.gpus == 0 => u32::MAX,
        (_, 1) => ask.cpus,
        // a task for each node
        (least, most) if least == most && least.saturating_mul(of_task) == ask.cpus => of_task,
        _ => u32::MAX,
    }
}

/// Whether nodes with these offers of processors are enough for a job: the plain form.
#[cfg(test)]
pub(super) fn could_hold(ask: Ask, offers: impl Iterator<Item = u32>) -> bool {
    let (least, most) = range_of(ask);
    let mut offers: Vec<u32> = offers.filter(|&offer| offer > 0).collect();
    if offers.len() > most as usize {
        offers.sort_unstable_by(|one, other| other.cmp(one));
        offers.truncate(most as usize);
    }
    offers.len() >= least as usize && offers.iter().map(|&offer| u64::from(offer)).sum::<u64>() >= u64::from(ask.cpus)
}

impl Nodes {
    /// The nodes of `usable` that Slurm would choose: the lightest first, of equal weight the row of consecutive nodes
    /// with the fewest processors that is enough, otherwise the one with most processors, and so on. If that is not
    /// enough, nodes with few processors are left out, the fewest first, and it is tried again. None where no try is
    /// enough.
    pub(super) fn choose_shared(&self, room: &Room, ask: Ask, usable: &NodeBits) -> Option<Allocation> {
        let (least, most) = range_of(ask);
        let mut offers = self.shared_offers(room, ask, usable);
        if offers.len() < least as usize
            || offers.iter().map(|&(_, offer)| u64::from(offer)).sum::<u64>() < u64::from(ask.cpus)
        {
            return None;
        }
        // GPUs count as well where it is decided which nodes are left out
        let beside = |node: usize| if ask.gpus > 0 { room.gpus.get(node).copied().unwrap_or(0) } else { 0 };
        let found = match self.least_of_each(ask, (least, most), &offers) {
            Some(rest) => self.choose_large(ask, (least, most), &offers, rest, beside),
            None => self.choose_by_tries(ask, (least, most), &mut offers, beside),
        };
        let mut found = found?;
        found.sort_unstable();
        let nodes = NodeBits::of(self.count, found.iter().map(|&(node, _)| node));
        Some(Allocation {
            kinds: self.kinds_on(room, ask, &nodes),
            nodes,
            cpus: found.into_iter().map(|(_, cpus)| cpus).collect(),
            gpus: ask.gpus,
            memory: ask.memory,
        })
    }

    /// The nodes of `usable` that offer enough for a job, with what they offer.
    fn shared_offers(&self, room: &Room, ask: Ask, usable: &NodeBits) -> Vec<(usize, u32)> {
        // a job of one node has all of its tasks there
        let enough = if ask.node_range.1 == 1 { ask.cpus } else { 1 };
        let most = most_of_each(ask);
        let mut offers: Vec<(usize, u32)> = Vec::with_capacity(usable.count() as usize);
        let only_cpus = self.offers_cpus_alone(ask);
        usable.for_each(|node| {
            let offer = if only_cpus { room.cpus[node] } else { self.offer(room, ask, node).min(most) };
            if offer >= enough {
                offers.push((node, offer));
            }
        });
        offers
    }

    /// Leaves out nodes with few processors, the fewest first, until a try is enough.
    fn choose_by_tries(
        &self,
        ask: Ask,
        (least, most): (u32, u32),
        offers: &mut Vec<(usize, u32)>,
        beside: impl Fn(usize) -> u32,
    ) -> Option<Vec<(usize, u32)>> {
        let weights = &self.weights;
        let mut found = self.try_shared(ask, (least, most), offers, weights);
        let largest = offers.iter().map(|&(node, offer)| offer + beside(node)).max().unwrap_or(0);
        let mut few = 1;
        while found.is_none() && few < largest && offers.len() > least as usize {
            let before = offers.len();
            let mut left = before;
            offers.retain(|&(node, offer)| {
                let is_kept = left <= least as usize || offer + beside(node) > few;
                left -= usize::from(!is_kept);
                is_kept
            });
            if offers.len() < before || few == 1 {
                found = self.try_shared(ask, (least, most), offers, weights);
            }
            few += 1;
        }
        found
    }

    /// What each node of a job has to give at least, where nodes are taken in rows and all others give as much as any
    /// can; none where that is nothing.
    fn least_of_each(&self, ask: Ask, (least, most): (u32, u32), offers: &[(usize, u32)]) -> Option<u32> {
        if most < 2 || least > most || ask.order != NodeOrder::Tightest || self.tree_of(ask).is_some() {
            return None;
        }
        let largest = offers.iter().map(|&(_, offer)| offer).max()?;
        let rest = u64::from(ask.cpus).checked_sub(u64::from(most - 1) * u64::from(largest))?;
        u32::try_from(rest).ok().filter(|&rest| rest > 0)
    }

    /// Does what [`Nodes::choose_by_tries`] does for a job each of whose nodes has to give at least `rest`. A try that takes
    /// another one before its last node is not enough, and leaves all offers as they are, so it need not be made.
    fn choose_large(
        &self,
        ask: Ask,
        (least, most): (u32, u32),
        offers: &[(usize, u32)],
        rest: u32,
        beside: impl Fn(usize) -> u32,
    ) -> Option<Vec<(usize, u32)>> {
        let mut large = NodeBits::none(self.count);
        let mut kept = NodeBits::none(self.count);
        let mut before = vec![0; self.count + 1];
        for &(node, offer) in offers {
            kept.insert(node);
            before[node + 1] = offer;
            if offer >= rest {
                large.insert(node);
            }
        }
        for node in 0..self.count {
            before[node + 1] += before[node];
        }
        let values = offers.iter().map(|&(node, offer)| (offer + beside(node), node));
        let largest = values.clone().map(|(value, _)| value).max()?;
        let mut few: Vec<(u32, usize)> = values.filter(|&(value, _)| value < largest).collect();
        few.sort_unstable();
        let mut few = few.as_slice();
        let mut left = offers.len();
        loop {
            let row = self.first_row(&kept, &before, Left::of(ask, (least, most)));
            if row.is_some_and(|(first, count)| {
                (first..first + count.min(most as usize - 1)).all(|node| large.contains(node))
            }) {
                let mut offers: Vec<(usize, u32)> =
                    offers.iter().filter(|&&(node, _)| kept.contains(node)).copied().collect();
                let found = self.try_shared(ask, (least, most), &mut offers, &self.weights);
                if found.is_some() {
                    return found;
                }
            }
            let more = left - least as usize;
            let fewest = few.first().filter(|_| more > 0)?.0;
            let (gone, others) = few.split_at(few.partition_point(|&(value, _)| value <= fewest));
            let gone = &gone[..gone.len().min(more)];
            gone.iter().for_each(|&(_, node)| kept.remove(node));
            left -= gone.len();
            few = others;
        }
    }

    /// The row that a try takes first: its first node, and its length. `before` has what all nodes before each one offer.
    fn first_row(&self, kept: &NodeBits, before: &[u32], left: Left) -> Option<(usize, usize)> {
        let mut best: Option<NodeRow> = None;
        let mut compare = |first: usize, count: usize| {
            let row = NodeRow { weight: 0, cpus: before[first + count] - before[first], first, count };
            if best.as_ref().is_none_or(|best| row.is_better(best, left)) {
                best = Some(row);
            }
        };
        if self.by_weight.len() == 1 {
            kept.for_each_run(&mut compare);
        } else {
            let lightest = self.by_weight.iter().map(|nodes| nodes.common(kept)).find(|nodes| !nodes.is_empty());
            lightest?.for_each_run(&mut compare);
        }
        best.map(|row| (row.first, row.count))
    }

    /// Tries to choose among the nodes in `offers`. What the job would take of the nodes that were tried replaces their
    /// offers, and the next try begins with that, as in Slurm.
    fn try_shared(
        &self,
        ask: Ask,
        (least, most): (u32, u32),
        offers: &mut [(usize, u32)],
        weights: &[usize],
    ) -> Option<Vec<(usize, u32)>> {
        let mut left = Left::of(ask, (least, most));
        if let Some(tree) = self.tree_of(ask) {
            return tree.choose(left, offers, weights);
        }
        if ask.order != NodeOrder::Tightest {
            return self.try_in_order(ask.order, left, offers, weights);
        }
        let mut rows = rows(offers, weights);
        let mut found: Vec<(usize, u32)> = Vec::new();
        while left.most > 0 && !rows.is_empty() {
            let row = rows.swap_remove(best(&rows, left));
            let places = row.first..row.first + row.count;
            // a single node is best: the one with the fewest processors that are enough
            let is_enough = |&place: &usize| i64::from(offers[place].1) >= left.cpus;
            let single = if left.least <= 1 {
                places.clone().filter(is_enough).min_by_key(|&place| (offers[place].1, place))
            } else {
                None
            };
            for place in single.map_or(places, |place| place..place + 1) {
                if left.most == 0 || left.is_enough() {
                    break;
                }
                let (node, cpus) = offers[place];
                if left.most == 1 && i64::from(cpus) < left.cpus {
                    continue;
                }
                let taken = left.take(cpus);
                offers[place].1 = taken;
                found.push((node, taken));
            }
            if left.is_enough() {
                return Some(found);
            }
        }
        None
    }
}

impl Nodes {
    /// Tries the nodes in `offers` one by one: of each weight those of which the largest share is free first, or from the
    /// last one on.
    fn try_in_order(
        &self,
        order: NodeOrder,
        mut left: Left,
        offers: &mut [(usize, u32)],
        weights: &[usize],
    ) -> Option<Vec<(usize, u32)>> {
        let mut places: Vec<usize> = (0..offers.len()).collect();
        places.sort_by(|&one, &other| {
            let ((node, cpus), (other_node, other_cpus)) = (offers[one], offers[other]);
            let share = |cpus: u32, all: usize| u64::from(cpus) * u64::from(self.cpus[all]);
            let by_order = match order {
                NodeOrder::FromEnd => other_node.cmp(&node),
                // the larger share of its own processors
                _ => share(other_cpus, node).cmp(&share(cpus, other_node)),
            };
            weights[node].cmp(&weights[other_node]).then(by_order)
        });
        let mut found = Vec::new();
        for place in places {
            if left.most == 0 || left.is_enough() {
                break;
            }
            let (node, cpus) = offers[place];
            let taken = left.take(cpus);
            offers[place].1 = taken;
            found.push((node, taken));
        }
        left.is_enough().then_some(found)
    }
}

fn rows(offers: &[(usize, u32)], weights: &[usize]) -> Vec<NodeRow> {
    let mut rows: Vec<NodeRow> = Vec::new();
    let mut last = None;
    for (place, &(node, cpus)) in offers.iter().enumerate() {
        let goes_on = last.is_some_and(|last: usize| last + 1 == node);
        last = Some(node);
        match rows.last_mut().filter(|row| goes_on && row.weight == weights[node]) {
            Some(row) => {
                row.cpus += cpus;
                row.count += 1;
            }
            None => rows.push(NodeRow { weight: weights[node], cpus, first: place, count: 1 }),
        }
    }
    rows
}

impl NodeRow {
    /// Whether it is taken before another one: of the lightest rows the one that is enough with the fewest processors,
    /// otherwise the one with most.
    fn is_better(&self, other: &NodeRow, left: Left) -> bool {
        let is_enough = |row: &NodeRow| i64::from(row.cpus) >= left.cpus && row.count as i64 >= left.least;
        // if a row that is not enough has more processors than one that is enough, it has too few nodes
        let is_better =
            if is_enough(self) { !is_enough(other) || self.cpus < other.cpus } else { self.cpus > other.cpus };
        self.weight < other.weight || self.weight == other.weight && is_better
    }
}

/// The index of the row to take next.
fn best(rows: &[NodeRow], left: Left) -> usize {
    let mut best = 0;
    for (at, row) in rows.iter().enumerate().skip(1) {
        if row.is_better(&rows[best], left) {
            best = at;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{Site, Version};

    fn nodes(cpus: &[u32]) -> (Nodes, Room) {
        let mut site = Site::plain(cpus.len() as u32, Version::default());
        for node in &mut site.nodes {
            node.cpus = 8;
        }
        let nodes = Nodes::of(&site);
        let mut room = nodes.room();
        for (node, &free) in cpus.iter().enumerate() {
            if free < 8 {
                let taken = Allocation {
                    nodes: NodeBits::of(cpus.len(), [node]),
                    cpus: vec![8 - free],
                    ..Allocation::default()
                };
                nodes.take(&mut room, &taken);
            }
        }
        (nodes, room)
    }

    fn found(free: &[u32], node_range: (u32, u32), cpus: u32) -> Option<Vec<(usize, u32)>> {
        found_of(free, Ask { node_range, cpus, ..Ask::default() })
    }

    fn found_of(free: &[u32], ask: Ask) -> Option<Vec<(usize, u32)>> {
        let (nodes, room) = nodes(free);
        let all = NodeBits::all(free.len());
        let allocation = nodes.choose(&room, ask, &all)?;
        Some(allocation.nodes.iter().zip(allocation.cpus).collect())
    }

    #[test]
    fn tasks_are_spread_where_no_node_is_enough() {
        assert_eq!(found(&[8, 3, 5, 8], (1, 0), 3), Some(vec![(1, 3)]), "the tightest node");
        assert_eq!(found(&[8, 3, 5, 8], (1, 0), 11), Some(vec![(0, 8), (1, 3)]));
        assert_eq!(found(&[3, 0, 3, 0, 2], (1, 0), 7), Some(vec![(0, 3), (2, 3), (4, 1)]));
        assert_eq!(found(&[3, 0, 3, 0, 2], (1, 1), 4), None, "one node has to be enough");
        assert_eq!(found(&[3, 0, 3, 0, 2], (1, 0), 9), None);
    }

    #[test]
    fn nodes_have_whole_tasks() {
        let of = |cpus, of_task| found_of(&[3, 8, 5, 8], Ask { node_range: (1, 0), cpus, of_task, ..Ask::default() });
        assert_eq!(of(16, 2), Some(vec![(0, 2), (1, 8), (2, 4), (3, 2)]), "three processors are a task");
        assert_eq!(of(16, 4), Some(vec![(1, 8), (2, 4), (3, 4)]));
        assert_eq!(of(24, 4), None);
        assert_eq!(of(24, 1), Some(vec![(0, 3), (1, 8), (2, 5), (3, 8)]));
    }

    #[test]
    fn with_gpus_the_first_node_is_taken_where_tasks_are_known() {
        let mut site = Site::plain(3, Version::default());
        site.nodes.iter_mut().for_each(|node| (node.cpus, node.gpus) = (8, 2));
        let nodes = Nodes::of(&site);
        let mut room = nodes.room();
        let all = NodeBits::all(3);
        let busy = nodes.choose(&room, Ask { node_range: (1, 1), cpus: 4, ..Ask::default() }, &NodeBits::of(3, [1]));
        nodes.take(&mut room, &busy.unwrap());
        let of = |gpus, node_range, cpus| {
            let ask = Ask { node_range, cpus, gpus, ..Ask::default() };
            nodes.choose(&room, ask, &all).unwrap().nodes.iter().collect::<Vec<_>>()
        };
        assert_eq!(of(0, (1, 1), 2), [1], "the tightest");
        assert_eq!(of(1, (1, 1), 2), [0], "all have room for both tasks");
        assert_eq!(of(1, (1, 0), 2), [1], "nobody knows how many tasks a node is to have");
        assert_eq!(of(1, (2, 2), 2), [0, 1]);
    }

    #[test]
    fn nodes_are_taken_by_load_or_from_the_end() {
        let of = |order, cpus| found_of(&[3, 8, 5, 8], Ask { node_range: (1, 0), cpus, order, ..Ask::default() });
        assert_eq!(of(NodeOrder::LeastLoaded, 1), Some(vec![(1, 1)]));
        assert_eq!(of(NodeOrder::LeastLoaded, 18), Some(vec![(1, 8), (2, 2), (3, 8)]));
        assert_eq!(of(NodeOrder::FromEnd, 1), Some(vec![(3, 1)]));
        assert_eq!(of(NodeOrder::LeastLoaded, 25), None);
    }

    #[test]
    fn as_many_nodes_as_were_asked_for_share_the_tasks_as_they_come() {
        assert_eq!(found(&[8, 8], (2, 2), 10), Some(vec![(0, 8), (1, 2)]));
        assert_eq!(found(&[8, 8], (2, 2), 4), Some(vec![(0, 3), (1, 1)]), "one is kept for the other");
        assert_eq!(found(&[8, 2], (2, 2), 12), None);
        // the first two nodes are not enough; without the node of one processor the others are
        assert_eq!(found(&[1, 8, 8], (2, 2), 12), Some(vec![(1, 8), (2, 4)]));
        assert_eq!(found(&[8, 0, 8], (3, 3), 3), None);
    }

    #[test]
    fn a_job_of_large_parts_gets_what_trying_all_gives_it() {
        let mut state = 5_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below) as u32
        };
        let (mut found, mut late) = (0, 0);
        for case in 0..3_000 {
            let count = 2 + random(150) as usize;
            let mut site = Site::plain(count as u32, Version::default());
            for node in &mut site.nodes {
                (node.cpus, node.gpus) = (8, random(3));
                node.weight = 1 + random(if case % 2 == 0 { 1 } else { 2 });
            }
            let nodes = Nodes::of(&site);
            let mut room = nodes.room();
            room.cpus.iter_mut().for_each(|free| *free = if random(3) > 0 { random(9) } else { 8 });
            let most = 2 + random(6);
            let least = 1 + random(u64::from(most));
            let ask = Ask {
                node_range: (least, most),
                cpus: (most - 1) * 8 + 1 + random(8),
                gpus: random(4) / 3,
                ..Ask::default()
            };
            let usable = NodeBits::of(count, (0..count).filter(|_| random(5) > 0));
            let offers = nodes.shared_offers(&room, ask, &usable);
            let beside = |node: usize| if ask.gpus > 0 { room.gpus[node] } else { 0 };
            let Some(rest) = nodes.least_of_each(ask, (least, most), &offers) else { continue };
            if offers.len() < least as usize {
                continue;
            }
            let fast = nodes.choose_large(ask, (least, most), &offers, rest, beside);
            let plain = nodes.choose_by_tries(ask, (least, most), &mut offers.clone(), beside);
            assert_eq!(fast, plain, "case {case}");
            found += usize::from(fast.is_some());
            let first = nodes.try_shared(ask, (least, most), &mut offers.clone(), &nodes.weights);
            late += usize::from(fast.is_some() && first.is_none());
        }
        assert!(found > 1_000 && late > 500, "{found} {late}");
    }
}

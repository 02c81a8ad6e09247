//! Which nodes a job gets.

use super::node_set::NodeBits;
use super::room::{Allocation, Ask, Nodes, Room};
use super::shared;

struct NodeRun {
    amount: u32,
    nodes: Vec<(usize, u32)>,
}

impl Nodes {
    /// Whether a job fits on these nodes when no job runs on them.
    pub(super) fn could_hold(&self, ask: Ask, usable: &NodeBits) -> bool {
        let wanted = self.wanted(ask);
        if self.counts(ask) {
            return usable.count() >= wanted;
        }
        if self.shares(ask) {
            return shared::could_hold(ask, usable.iter().map(|node| self.offer_of_empty(ask, node)));
        }
        let mut left = wanted;
        usable.iter().any(|node| {
            left = left.saturating_sub(self.offer_of_empty(ask, node));
            left == 0
        })
    }

    /// The nodes of `usable` that Slurm would choose. Whole nodes are chosen by weight; of each weight the shortest run
    /// of consecutive nodes that is enough, otherwise the longest, and so on. None where there are not enough.
    pub(super) fn choose(&self, room: &Room, ask: Ask, usable: &NodeBits) -> Option<Allocation> {
        let mut left = self.wanted(ask);
        if self.counts(ask) {
            return self.choose_counted(room, left, usable);
        }
        if self.shares(ask) {
            return self.choose_shared(room, ask, usable);
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
        Some(Allocation { nodes, cpus: Vec::new(), gpus: ask.gpus, memory: ask.memory })
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
        (left == 0).then_some(Allocation { nodes, cpus: Vec::new(), gpus: 0, memory: 0 })
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

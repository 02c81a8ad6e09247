//! Jobs that run as a forecast begins: each stands on the nodes that are named.

use super::Controller;
use super::node_set::NodeBits;
use super::room::{Allocation, Ask, Nodes, Room};
use super::tree::SwitchAsk;
use packfair_engine::model::Actions;
use packfair_workload::{JobId, Seconds};

impl Controller {
    /// Starts a job that has just been submitted on the nodes on which it runs as a forecast begins, whatever else would keep
    /// it from these. Returns whether it was started; not where nothing names its nodes, or they have no room.
    pub(super) fn start_where_it_runs(&mut self, job: JobId, at: f64, actions: &mut Actions) -> bool {
        let Some(place) = self.newcomers.iter().position(|other| other.waiting.job == job) else { return false };
        let own = &self.newcomers[place];
        let Some(held) = self.jobs.held_nodes(own.place.index()) else { return false };
        let found =
            if own.waiting.processors <= actions.free() { self.nodes.held_of(&self.room, own.ask, held) } else { None };
        let Some(allocation) = found else {
            self.elsewhere += 1;
            return false;
        };
        let Some(mut own) = self.newcomers.remove(place) else { return false };
        // it waits in no other partition
        self.newcomers.retain(|other| other.waiting.job != job);
        self.eligibility.submitted(&own);
        self.rate(&mut own, at.floor() as Seconds);
        self.start(own, allocation, at, actions);
        true
    }
}

impl Nodes {
    /// What a job has of the nodes that it holds, each with its processors there (0: not told); none where one of them has
    /// not as much.
    fn held_of(&self, room: &Room, ask: Ask, held: &[(u32, u32)]) -> Option<Allocation> {
        let nodes = NodeBits::of(self.count, held.iter().map(|&(node, _)| node as usize));
        let count = held.len() as u32;
        // it has what it has, however its tasks are shared out
        let ask = Ask { of_task: 0, ..ask };
        if !self.shares(ask) {
            let is_free = self.idle_of(room, &nodes) == count;
            return is_free.then_some(Allocation {
                nodes,
                gpus: ask.gpus,
                memory: ask.memory,
                ..Allocation::default()
            });
        }
        if held.iter().any(|&(_, cpus)| cpus == 0) {
            let whichever = Ask { node_range: (count, count), switches: SwitchAsk::Rows, want: 0, ..ask };
            return self.choose(room, whichever, &nodes);
        }
        let is_free = |&(node, cpus): &(u32, u32)| self.offer(room, ask, node as usize) >= cpus;
        held.iter().all(is_free).then(|| Allocation {
            kinds: self.kinds_on(room, ask, &nodes),
            nodes,
            cpus: held.iter().map(|&(_, cpus)| cpus).collect(),
            gpus: ask.gpus,
            memory: ask.memory,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{Site, Version};

    #[test]
    fn a_job_has_of_its_nodes_what_is_told_or_what_slurm_would_give_it() {
        let mut site = Site::plain(3, Version::default());
        site.nodes.iter_mut().for_each(|node| node.cpus = 8);
        let nodes = Nodes::of(&site);
        let mut room = nodes.room();
        let ask = Ask { node_range: (1, 0), cpus: 10, ..Ask::default() };
        let of = |room: &Room, ask: Ask, held: &[(u32, u32)]| {
            let found = nodes.held_of(room, ask, held)?;
            Some((found.nodes.iter().collect::<Vec<_>>(), found.cpus))
        };
        assert_eq!(of(&room, ask, &[(0, 3), (2, 7)]), Some((vec![0, 2], vec![3, 7])));
        assert_eq!(of(&room, ask, &[(0, 0), (2, 0)]), Some((vec![0, 2], vec![8, 2])));
        assert_eq!(of(&room, ask, &[(1, 0)]), None, "a node has eight");
        let taken = nodes.held_of(&room, ask, &[(0, 3), (2, 7)]).unwrap();
        nodes.take(&mut room, &taken);
        assert_eq!(of(&room, ask, &[(1, 8), (2, 2)]), None, "one is left there");
        assert_eq!(of(&room, ask, &[(0, 0), (2, 0)]), None, "five and one are left");
        assert_eq!(of(&room, ask, &[(0, 0), (1, 0)]), Some((vec![0, 1], vec![5, 5])));
        let whole = Ask { nodes: 1, is_exclusive: true, ..ask };
        assert_eq!(of(&room, whole, &[(2, 0)]), None, "somebody is there");
        assert_eq!(of(&room, whole, &[(1, 4)]), Some((vec![1], vec![])));
    }
}

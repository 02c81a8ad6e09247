//! When a job could start, by giving back running jobs in the order of their ends, in groups.

use super::node_set::NodeSet;
use super::room::{Allocation, Ask, Nodes, Room};
use crate::workload::Seconds;

/// A running job as far as it matters: when its limit ends, and what it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending<'a> {
    pub end: Seconds,
    pub allocation: &'a Allocation,
}

/// What is settled of the question beforehand.
pub(super) struct WillRun<'a> {
    pub nodes: &'a Nodes,
    /// What is free now, nodes of jobs that are completing too.
    pub room: &'a Room,
    /// Running jobs by their ends.
    pub endings: &'a [Ending<'a>],
    pub now: Seconds,
    /// What is added to times of the log's clock to make them Slurm's.
    pub zero: Seconds,
    /// Added to an end that has passed (KillWait and OverTimeLimit).
    pub grace: Seconds,
    /// bf_window_linear; 0: the width of a group doubles.
    pub linear: Seconds,
    /// Since 25.05 the last job that has one of the nodes counts.
    pub is_by_own_nodes: bool,
}

/// The width of the first group, seconds.
const FIRST_WIDTH: Seconds = 30;

impl WillRun<'_> {
    /// When the job starts and on which of the nodes that it may use; none where it does not with all jobs gone.
    pub(super) fn start(&self, ask: Ask, usable: &NodeSet) -> Option<(Seconds, Allocation)> {
        if let Some(allocation) = self.nodes.choose(self.room, ask, usable) {
            return Some((self.now, allocation));
        }
        let mut room = self.room.clone();
        let mut left = self.endings.iter().peekable();
        // groups begin at the first end, rounded up, and whose nodes the job may not use counts for their borders alone
        let mut base = None;
        let mut width = FIRST_WIDTH;
        let mut back: Vec<&Ending<'_>> = Vec::new();
        while left.peek().is_some() {
            let before = back.len();
            while let Some(ending) = left.next() {
                if !ending.allocation.nodes.meets(usable) {
                    continue;
                }
                let round = || ending.end + FIRST_WIDTH - (ending.end + self.zero).rem_euclid(FIRST_WIDTH);
                let until = *base.get_or_insert_with(round) + width;
                self.nodes.give(&mut room, ending.allocation);
                back.push(ending);
                if left.peek().is_none_or(|next| next.end > until) {
                    break;
                }
            }
            if back.len() == before {
                return None;
            }
            loop {
                width = if self.linear > 0 { width + self.linear } else { width * 2 };
                let until = base? + width;
                if left.peek().is_none_or(|next| next.end <= until) {
                    break;
                }
            }
            if self.nodes.fits(&room, ask, usable)
                && let Some(allocation) = self.nodes.choose(&room, ask, usable)
            {
                let own = back.iter().rev().find(|ending| ending.allocation.nodes.meets(&allocation.nodes));
                let last = own.filter(|_| self.is_by_own_nodes).or(back.last())?;
                let end = if last.end <= self.now { (last.end + self.grace).max(self.now + 1) } else { last.end };
                return Some((end, allocation));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slurm::{Site, Version};

    #[test]
    fn jobs_are_given_back_in_groups() {
        let nodes = Nodes::of(&Site::plain(8, Version::default()));
        let mut room = nodes.room();
        let ask = |cpus| Ask { nodes: 0, cpus, gpus: 0, is_exclusive: false };
        let all = NodeSet::all(8);
        let take = |room: &mut Room| {
            let allocation = nodes.choose(room, ask(2), &all).unwrap();
            nodes.take(room, &allocation);
            allocation
        };
        let held: Vec<Allocation> = (0..4).map(|_| take(&mut room)).collect();
        let ends = [100, 140, 155, 1000];
        let endings: Vec<Ending<'_>> =
            held.iter().zip(ends).map(|(allocation, end)| Ending { end, allocation }).collect();
        let asked = WillRun {
            nodes: &nodes,
            room: &room,
            endings: &endings,
            now: 90,
            zero: 0,
            grace: 30,
            linear: 0,
            is_by_own_nodes: false,
        };
        // 100 is rounded up to 120, and the first group ends 30 s later
        assert_eq!(
            asked.start(ask(2), &all).unwrap().0,
            140,
            "the last of the group counts, though the first is enough"
        );
        assert_eq!(asked.start(ask(5), &all).unwrap().0, 155);
        assert_eq!(asked.start(ask(8), &all).unwrap().0, 1000);
        assert!(asked.start(ask(9), &all).is_none());
        let own = WillRun { is_by_own_nodes: true, ..asked };
        assert_eq!(own.start(ask(2), &all).unwrap().0, 100);
        let late = WillRun { now: 200, ..own };
        assert_eq!(late.start(ask(2), &all).unwrap().0, 201);
    }
}

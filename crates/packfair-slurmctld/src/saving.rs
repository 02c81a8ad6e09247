//! Nodes that slurmctld switches off while they idle, and on again for jobs (SuspendTime and its like).
//!
//! A node goes off SuspendTime after its last job, as far as SuspendRate lets it, and is off SuspendTimeout later. A job
//! that gets nodes that are off holds all its nodes at once, and begins once the last of them has booted after ResumeRate
//! has let it: slurmctld looks for such jobs every half a minute (job_time_limit). Its time limit counts from then on.

use super::node_set::NodeBits;
use packfair_engine::model::{NoteId, Notes};
use packfair_engine::power::NodeRate;
use packfair_slurm::{NodeTimes, Site};
use packfair_workload::Seconds;
use std::collections::BTreeSet;

/// How often slurmctld looks whether the nodes of a job are on, seconds (PERIODIC_TIMEOUT).
const LOOKS: f64 = 30.0;

/// The state of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodeState {
    /// A job holds it.
    Held,
    /// It is on, and has been idle since then.
    Idle(Seconds),
    /// It is off from then on.
    Off(Seconds),
}

/// The nodes of a site that are switched off and on.
#[derive(Clone, Debug)]
pub(super) struct NodeSaving {
    times: Vec<NodeTimes>,
    /// When slurmctld has looked once whether the nodes of jobs are on.
    looked: f64,
    going_off: NodeRate,
    coming_on: NodeRate,
    nodes: Vec<NodeState>,
    /// When each node that was switched on is up.
    up: Vec<Seconds>,
    /// When idle nodes have idled long enough.
    due: BTreeSet<(Seconds, usize)>,
    /// The partition after which each node is counted, and what was off and booting there.
    parts: Vec<usize>,
    off: Vec<(Seconds, usize, i64)>,
    booting: Vec<(Seconds, usize, i64)>,
    boots: u32,
    waited: Seconds,
    last: Seconds,
    names: Vec<String>,
}

impl NodeSaving {
    /// That of a site at `now`, when the first job comes, under a controller that began at `start`: nobody has had its nodes
    /// for long, so all are off that ever are. None where none is ever switched off. Nodes boot for `boot` seconds; 0: for
    /// ResumeTimeout.
    pub(super) fn of(site: &Site, boot: f64, (now, start): (Seconds, f64)) -> Option<Self> {
        if !site.power.switches_off(&site.partitions) {
            return None;
        }
        let count = site.nodes.len();
        let mut times = site.power.times(&site.nodes, &site.partitions);
        if boot > 0.0 {
            times.iter_mut().for_each(|times| times.boot = boot.ceil() as Seconds);
        }
        let part = |node: usize| {
            let is_there = |partition: &packfair_slurm::SlurmPartition| partition.nodes.contains(&(node as u32));
            site.partitions.iter().position(is_there).unwrap_or(0)
        };
        let parts: Vec<usize> = (0..count).map(part).collect();
        let is_off = |node: &usize| times[*node].after.is_some();
        let off = (0..count).filter(is_off).map(|node| (now, parts[node], 1)).collect();
        let state = |times: &NodeTimes| times.after.map_or(NodeState::Idle(now), |_| NodeState::Off(now));
        Some(NodeSaving {
            due: BTreeSet::new(),
            nodes: times.iter().map(state).collect(),
            up: vec![Seconds::MIN; count],
            off,
            parts,
            times,
            looked: start,
            going_off: NodeRate::of(site.power.suspend_rate),
            coming_on: NodeRate::of(site.power.resume_rate),
            booting: Vec::new(),
            boots: 0,
            waited: 0,
            last: now,
            names: site.partitions.iter().map(|partition| partition.name.clone()).collect(),
        })
    }

    /// Switches off by `now` what has idled long enough.
    fn advance(&mut self, now: Seconds) {
        self.last = self.last.max(now);
        while let Some(&(due, node)) = self.due.first() {
            let (at, _) = self.going_off.next(due);
            if at > now {
                break;
            }
            self.going_off.take(at, 1);
            self.due.pop_first();
            let off = at + self.times[node].off;
            self.nodes[node] = NodeState::Off(off);
            self.off.push((off, self.parts[node], 1));
        }
    }

    /// The nodes that are on.
    pub(super) fn awake(&mut self, now: Seconds) -> NodeBits {
        self.advance(now);
        let is_on = |node: &usize| !matches!(self.nodes[*node], NodeState::Off(_));
        NodeBits::of(self.nodes.len(), (0..self.nodes.len()).filter(is_on))
    }

    /// The first look at the nodes of jobs that is not before `ready`.
    fn look(&self, ready: Seconds) -> Seconds {
        (self.looked + ((ready as f64 - self.looked) / LOOKS).ceil() * LOOKS).ceil() as Seconds
    }

    /// A job holds these nodes. Returns after how many seconds it begins.
    pub(super) fn take(&mut self, nodes: &NodeBits, now: Seconds) -> Seconds {
        self.advance(now);
        let mut ready = now;
        let mut taken = Vec::new();
        for node in nodes.iter() {
            // another job may hold a node that still boots
            ready = ready.max(self.up[node]);
            match self.nodes[node] {
                NodeState::Held => continue,
                NodeState::Idle(since) => {
                    if let Some(after) = self.times[node].after {
                        self.due.remove(&(since + after, node));
                    }
                    taken.push((node, now));
                }
                NodeState::Off(off) => {
                    let (at, _) = self.coming_on.next(off.max(now));
                    self.coming_on.take(at, 1);
                    self.off.push((at, self.parts[node], -1));
                    self.up[node] = at + self.times[node].boot;
                    ready = ready.max(self.up[node]);
                    self.boots += 1;
                    // until it is off it is still on
                    if off > now {
                        self.booting.extend([(now, self.parts[node], 1), (off, self.parts[node], -1)]);
                    }
                    taken.push((node, at));
                }
            }
            self.nodes[node] = NodeState::Held;
        }
        if ready > now {
            ready = self.look(ready);
            self.waited += ready - now;
            for (node, at) in taken {
                self.booting.extend([(at, self.parts[node], 1), (ready, self.parts[node], -1)]);
            }
        }
        ready - now
    }

    /// No job holds these nodes any more.
    pub(super) fn give(&mut self, nodes: &NodeBits, now: Seconds) {
        self.advance(now);
        for node in nodes.iter().filter(|&node| self.nodes[node] == NodeState::Held).collect::<Vec<_>>() {
            self.nodes[node] = NodeState::Idle(now);
            if let Some(after) = self.times[node].after {
                self.due.insert((now + after, node));
            }
        }
    }

    /// Notes which nodes were off, by the partitions after which they are counted, and what that has cost.
    pub(super) fn report(&self, notes: &mut Notes) {
        notes.set(NoteId::BOOTS, f64::from(self.boots));
        notes.set(NoteId::BOOT_WAIT, self.waited as f64);
        for (note, changes) in [(NoteId::NODES_OFF, &self.off), (NoteId::NODES_BOOTING, &self.booting)] {
            for (part, name) in self.names.iter().enumerate() {
                let mut own: Vec<(Seconds, i64)> =
                    changes.iter().filter(|change| change.1 == part).map(|&(at, _, more)| (at, more)).collect();
                own.sort_unstable();
                let mut nodes = 0;
                let mut course: Vec<(Seconds, f64)> = Vec::new();
                for (at, more) in own {
                    nodes += more;
                    match course.last_mut() {
                        Some((last, count)) if *last == at => *count = nodes as f64,
                        _ => course.push((at, nodes as f64)),
                    }
                }
                if !course.is_empty() {
                    notes.set_course_part(note, name, course);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_slurm::{PartitionSaving, PowerSaving, Version};

    /// The same with all nodes on, and idle since 0.
    fn on(mut saving: NodeSaving) -> NodeSaving {
        let due = |(node, times): (usize, &NodeTimes)| Some((times.after?, node));
        saving.due = saving.times.iter().enumerate().filter_map(due).collect();
        saving.nodes.fill(NodeState::Idle(0));
        saving.off.clear();
        saving
    }

    fn saving(nodes: u32) -> NodeSaving {
        let mut site = Site::plain(nodes, Version::default());
        site.power = PowerSaving {
            suspend_time: Some(600),
            suspend_timeout: 30,
            resume_timeout: 120,
            suspend_rate: Some(2),
            except_nodes: "n[4-5]:1,n6".to_owned(),
            ..PowerSaving::default()
        };
        on(NodeSaving::of(&site, 0.0, (0, 0.0)).unwrap())
    }

    #[test]
    fn as_the_first_job_comes_idle_nodes_are_off() {
        let mut site = Site::plain(3, Version::default());
        site.power = PowerSaving { suspend_time: Some(600), except_nodes: "n2".to_owned(), ..PowerSaving::default() };
        let mut saving = NodeSaving::of(&site, 40.0, (100, 95.0)).unwrap();
        assert_eq!(saving.awake(100), NodeBits::of(3, [1]));
        // up at 140, and slurmctld looks at 155
        assert_eq!(saving.take(&NodeBits::of(3, [0, 1]), 100), 55);
        let mut notes = Notes::default();
        saving.report(&mut notes);
        let off: Vec<_> = notes.course_parts(NoteId::NODES_OFF).collect();
        assert_eq!(off, [("batch", &[(100, 1.0)][..])]);
    }

    #[test]
    fn nodes_go_off_in_turn_and_boot_for_jobs() {
        let mut saving = saving(6);
        let set = |nodes: &[usize]| NodeBits::of(6, nodes.iter().copied());
        assert_eq!(saving.awake(599), NodeBits::all(6));
        assert_eq!(saving.awake(600), set(&[2, 3, 4, 5]), "two in a minute");
        assert_eq!(saving.awake(2_000), set(&[3, 5]), "n4 is the first of its list, n6 is excepted");
        assert_eq!(saving.take(&set(&[3]), 2_000), 0);
        // it is on at 2120, and slurmctld looks at 2130
        assert_eq!(saving.take(&set(&[0, 5]), 2_000), 130);
        saving.give(&set(&[0]), 3_000);
        assert_eq!(saving.take(&set(&[0]), 3_599), 0);
        let mut notes = Notes::default();
        saving.report(&mut notes);
        assert_eq!((notes.count(NoteId::BOOTS), notes.count(NoteId::BOOT_WAIT)), (Some(1.0), Some(130.0)));
        let off: Vec<_> = notes.course_parts(NoteId::NODES_OFF).collect();
        assert_eq!(off, [("batch", &[(630, 2.0), (690, 4.0), (2_000, 3.0)][..])]);
        let booting: Vec<_> = notes.course_parts(NoteId::NODES_BOOTING).collect();
        assert_eq!(booting, [("batch", &[(2_000, 2.0), (2_130, 0.0)][..])]);
    }

    #[test]
    fn who_joins_another_on_a_node_that_boots_waits_for_it_too() {
        let mut site = Site::plain(2, Version::default());
        site.power.suspend_time = Some(600);
        let mut saving = NodeSaving::of(&site, 100.0, (0, 0.0)).unwrap();
        let first = NodeBits::of(2, [0]);
        assert_eq!(saving.take(&first, 0), 120, "up at 100, and slurmctld looks at 120");
        assert_eq!((saving.take(&first, 50), saving.take(&first, 110)), (70, 0));
        saving.give(&first, 60);
        assert_eq!((saving.awake(60), saving.take(&first, 60)), (first, 60));
    }

    #[test]
    fn nodes_that_are_going_off_are_off_before_they_boot() {
        let mut saving = saving(2);
        // both are off at 630, and on at 750
        assert_eq!(saving.take(&NodeBits::all(2), 610), 750 - 610);
    }

    #[test]
    fn what_a_partition_says_holds_for_its_nodes() {
        let mut site = Site::plain(4, Version::default());
        site.power.suspend_time = Some(600);
        let own = |nodes: [u32; 2], suspend_time| packfair_slurm::SlurmPartition {
            nodes: nodes.to_vec(),
            saving: PartitionSaving {
                suspend_time: Some(suspend_time),
                suspend_timeout: Some(0),
                ..Default::default()
            },
            ..packfair_slurm::SlurmPartition::of_all("own", 0)
        };
        site.partitions.extend([own([0, 1], Some(100)), own([1, 2], None)]);
        let mut saving = on(NodeSaving::of(&site, 0.0, (0, 0.0)).unwrap());
        let set = |nodes: &[usize]| NodeBits::of(4, nodes.iter().copied());
        assert_eq!((saving.awake(99), saving.awake(100)), (NodeBits::all(4), set(&[1, 2, 3])));
        assert_eq!(saving.awake(5_000), set(&[1, 2]), "never is the longest");
    }
}

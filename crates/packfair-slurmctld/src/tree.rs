//! Which nodes a job gets where they are at switches (topology/tree): those of the fewest leaf switches, as near to each
//! other as can be.

use super::node_set::NodeBits;
use super::room::Ask;
use super::shared::Left;
use packfair_slurm::{Site, Version};
use packfair_workload::Seconds;
use std::cmp::Ordering;

/// What a job asks of the switches at which its nodes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum SwitchAsk {
    /// As few leaf switches as can be.
    #[default]
    Fewest,
    /// At most so many leaf switches (`--switches`).
    AtMost(u32),
    /// Nodes are taken in rows, wherever they are.
    Rows,
}

impl SwitchAsk {
    /// The same without a number of switches.
    pub(super) fn of_any_number(self) -> Self {
        match self {
            SwitchAsk::AtMost(_) => SwitchAsk::Fewest,
            other => other,
        }
    }
}

/// How many leaf switches a job asks for, and how long it waits for that, seconds.
pub(super) type WantedSwitches = (u32, Seconds);

#[derive(Clone, Debug)]
struct SwitchNodes {
    nodes: NodeBits,
    above: Option<usize>,
    level: u32,
}

/// The switches of a site.
#[derive(Clone, Debug)]
pub(super) struct SwitchTree {
    all: Vec<SwitchNodes>,
    /// Whether only jobs that ask for a number of switches get their nodes by them.
    pub is_optional: bool,
    version: Version,
}

/// What is offered at each switch.
struct Offered {
    nodes: Vec<u32>,
    amounts: Vec<u64>,
}

impl SwitchTree {
    /// The switches of a site; none where they do not count. Nodes at no switch are at one of their own.
    pub(super) fn of(site: &Site) -> Option<Self> {
        if !site.has_tree || site.switches.is_empty() {
            return None;
        }
        let count = site.nodes.len();
        let of = |switch: &packfair_slurm::Switch| SwitchNodes {
            nodes: NodeBits::of(count, switch.nodes.iter().map(|&node| node as usize)),
            above: switch.above.map(|above| above as usize),
            level: switch.level,
        };
        let mut all: Vec<SwitchNodes> = site.switches.iter().map(of).collect();
        let mut far = NodeBits::all(count);
        all.iter().for_each(|switch| far.take_out(&switch.nodes));
        if far.count() > 0 {
            all.push(SwitchNodes { nodes: far, above: None, level: 0 });
        }
        Some(SwitchTree { all, is_optional: site.is_tree_optional, version: site.version })
    }

    /// The nodes of each switch that hangs on no other: a job has all of its nodes below one of these.
    pub(super) fn tops(&self) -> impl Iterator<Item = &NodeBits> {
        self.all.iter().filter(|switch| switch.above.is_none()).map(|switch| &switch.nodes)
    }

    fn leaves(&self) -> impl Iterator<Item = usize> {
        self.all.iter().enumerate().filter(|(_, switch)| switch.level == 0).map(|(at, _)| at)
    }

    /// At how many leaf switches nodes are.
    pub(super) fn spanned(&self, nodes: &NodeBits) -> u32 {
        self.leaves().filter(|&leaf| self.all[leaf].nodes.meets(nodes)).count() as u32
    }

    /// A switch and those above it, with the number of links to each.
    fn upwards(&self, from: usize) -> impl Iterator<Item = (usize, u32)> {
        std::iter::successors(Some((from, 0)), |&(at, links)| self.all[at].above.map(|above| (above, links + 1)))
    }

    /// The number of links from one switch to another; none where nothing links them.
    fn distance(&self, one: usize, other: usize) -> Option<u32> {
        self.upwards(one).find_map(|(at, links)| {
            let (_, more) = self.upwards(other).find(|&(above, _)| above == at)?;
            Some(links + more)
        })
    }

    fn offered(&self, offers: &[(usize, u32)]) -> Offered {
        let at = |switch: &SwitchNodes| {
            let here = offers.iter().filter(|&&(node, _)| switch.nodes.contains(node));
            here.fold((0, 0), |(count, sum): (u32, u64), &(_, offer)| (count + 1, sum + u64::from(offer)))
        };
        let (nodes, amounts) = self.all.iter().map(at).unzip();
        Offered { nodes, amounts }
    }

    /// The switch below which a job gets its nodes: of those where enough is offered one that reaches nodes of the least
    /// weight, the highest of these.
    fn top(&self, offered: &Offered, left: Left, offers: &[(usize, u32)], weights: &[usize]) -> Option<usize> {
        let mut top: Option<(usize, usize)> = None;
        for (at, switch) in self.all.iter().enumerate() {
            if !self.is_enough(at, left, offered) {
                continue;
            }
            let here = offers.iter().filter(|&&(node, _)| switch.nodes.contains(node));
            let Some(lightest) = here.map(|&(node, _)| weights[node]).min() else { continue };
            let is_better = top.is_none_or(|(best, weight)| switch.level >= self.all[best].level && lightest <= weight);
            if is_better {
                top = Some((at, lightest));
            }
        }
        top.map(|(at, _)| at)
    }

    /// Whether enough is offered at a switch, as far as the version counts it.
    fn is_enough(&self, at: usize, left: Left, offered: &Offered) -> bool {
        let has_cpus = !self.version.counts_what_is_left_at_switches() || offered.amounts[at] as i64 >= left.cpus;
        i64::from(offered.nodes[at]) >= left.least && has_cpus
    }

    /// How one leaf switch suits a job beside another that is as near, the better the greater: one that is enough, the
    /// tightest; else what hangs on the same higher switches is compared in its place, and last the one with more nodes wins.
    /// The second value is whether what was compared last is enough.
    fn suits(&self, one: usize, other: usize, left: Left, offered: &Offered) -> (Ordering, bool) {
        let (mut one, mut other) = (one, other);
        loop {
            let fits = (self.is_enough(one, left, offered), self.is_enough(other, left, offered));
            let counts = (offered.nodes[one], offered.nodes[other]);
            match fits {
                (true, true) if counts.0 != counts.1 => return (counts.1.cmp(&counts.0), true),
                (true, false) => return (Ordering::Greater, true),
                (false, true) => return (Ordering::Less, false),
                _ => {}
            }
            match (self.all[one].above, self.all[other].above) {
                (Some(above), Some(beside)) if !fits.0 && above != beside => (one, other) = (above, beside),
                _ => {
                    let levels = (self.all[one].level, self.all[other].level);
                    return (counts.0.cmp(&counts.1).then(levels.1.cmp(&levels.0)), fits.0);
                }
            }
        }
    }

    /// The leaf switch from which a job gets further nodes: the nearest that is enough, else the one that suits best of
    /// those that are as near as the first. `distances` are from the switches that the job is at, none where it cannot be
    /// reached from one of these.
    fn next_leaf(&self, distances: &[Option<u32>], is_used: &[bool], left: Left, offered: &Offered) -> Option<usize> {
        let mut best: Option<usize> = None;
        for leaf in self.leaves().filter(|&leaf| !is_used[leaf] && offered.nodes[leaf] > 0) {
            let Some(distance) = distances[leaf] else { continue };
            let Some(before) = best else {
                best = Some(leaf);
                continue;
            };
            let far = distances[before].unwrap_or(u32::MAX);
            let (suits, is_enough) = self.suits(leaf, before, left, offered);
            let is_good = if self.version.counts_what_is_left_at_switches() { is_enough } else { suits.is_ge() };
            if distance < far && is_good || distance == far && suits.is_gt() {
                best = Some(leaf);
            }
        }
        best
    }

    /// Chooses among the nodes in `offers`, which are in order; what the job would take of each replaces its offer. Light
    /// nodes come first, whatever switch they are at; of the heaviest that are needed, first those at the same switches.
    /// None where that is not enough.
    pub(super) fn choose(
        &self,
        wanted: Left,
        offers: &mut [(usize, u32)],
        weights: &[usize],
    ) -> Option<Vec<(usize, u32)>> {
        let mut offered = self.offered(offers);
        let top = &self.all[self.top(&offered, wanted, offers, weights)?].nodes;
        let mut by_weight: Vec<usize> = (0..offers.len()).filter(|&place| top.contains(offers[place].0)).collect();
        by_weight.sort_by_key(|&place| weights[offers[place].0]);
        let (heaviest, lighter) = split(&by_weight, wanted, offers, weights);
        let mut taking = Taking { left: wanted, found: Vec::new(), is_taken: vec![false; offers.len()] };
        let mut lighter = lighter.to_vec();
        lighter.sort_unstable();
        lighter.iter().for_each(|&place| taking.take(place, offers));
        let mut heaviest = heaviest.to_vec();
        heaviest.sort_unstable();
        let mut is_used = vec![false; self.all.len()];
        let mut distances = vec![Some(0); self.all.len()];
        let amounts = std::mem::take(&mut offered.amounts);
        let reached: Vec<(usize, u32)> = lighter.iter().chain(&heaviest).map(|&place| offers[place]).collect();
        // what a switch has of processors is not counted anew, as in Slurm
        offered = Offered { amounts, ..self.offered(&reached) };
        let take_all = |leaf: usize, taking: &mut Taking, offers: &mut [(usize, u32)]| {
            let here = heaviest.iter().filter(|&&place| self.all[leaf].nodes.contains(offers[place].0));
            let here: Vec<usize> = here.copied().collect();
            here.into_iter().for_each(|place| taking.take(place, offers));
        };
        for leaf in self.leaves() {
            is_used[leaf] = lighter.iter().any(|&place| self.all[leaf].nodes.contains(offers[place].0));
        }
        for leaf in self.leaves().filter(|&leaf| is_used[leaf]) {
            take_all(leaf, &mut taking, offers);
            self.leave(leaf, &mut offered);
            self.be_at(leaf, &mut distances);
        }
        while !taking.is_over()
            && let Some(leaf) = self.next_leaf(&distances, &is_used, taking.left, &offered)
        {
            is_used[leaf] = true;
            self.be_at(leaf, &mut distances);
            take_all(leaf, &mut taking, offers);
            self.leave(leaf, &mut offered);
        }
        taking.left.is_enough().then_some(taking.found)
    }

    /// Adds the way to a switch that the job is at.
    fn be_at(&self, leaf: usize, distances: &mut [Option<u32>]) {
        for other in self.leaves() {
            let sum = distances[other].zip(self.distance(leaf, other)).map(|(one, other)| one + other);
            distances[other] = sum;
        }
    }

    /// Notes that the nodes of a leaf switch are taken.
    fn leave(&self, leaf: usize, offered: &mut Offered) {
        let count = std::mem::take(&mut offered.nodes[leaf]);
        if !self.version.counts_what_is_left_at_switches() {
            return;
        }
        self.upwards(leaf).for_each(|(at, _)| offered.nodes[at] = offered.nodes[at].saturating_sub(count));
    }
}

/// Splits places by weight: the heaviest that are needed so that there is enough, and all that are lighter.
fn split<'a>(
    by_weight: &'a [usize],
    wanted: Left,
    offers: &[(usize, u32)],
    weights: &[usize],
) -> (&'a [usize], &'a [usize]) {
    let weight = |at: usize| weights[offers[by_weight[at]].0];
    let (mut begin, mut end, mut sum) = (0, 0, 0_i64);
    while end < by_weight.len() && (sum < wanted.cpus || (end as i64) < wanted.least) {
        begin = end;
        let own = weight(begin);
        while end < by_weight.len() && weight(end) == own {
            sum += i64::from(offers[by_weight[end]].1);
            end += 1;
        }
    }
    (&by_weight[begin..end], &by_weight[..begin])
}

/// Nodes that are taken one by one, until there are enough.
struct Taking {
    left: Left,
    found: Vec<(usize, u32)>,
    /// By the places of the offers: a node may be at several leaf switches.
    is_taken: Vec<bool>,
}

impl Taking {
    fn is_over(&self) -> bool {
        self.left.is_enough() || self.left.most == 0
    }

    fn take(&mut self, place: usize, offers: &mut [(usize, u32)]) {
        if self.is_over() || std::mem::replace(&mut self.is_taken[place], true) {
            return;
        }
        let (node, offer) = offers[place];
        let taken = self.left.take(offer);
        offers[place].1 = taken;
        self.found.push((node, taken));
    }
}

impl Ask {
    /// Whether nodes are few enough switches for a job.
    pub(super) fn is_near(&self, tree: Option<&SwitchTree>, nodes: &NodeBits) -> bool {
        match (self.switches, tree) {
            (SwitchAsk::AtMost(most), Some(tree)) => tree.spanned(nodes) <= most,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::room::{Nodes, Room};
    use super::*;
    use packfair_slurm::{SiteFile, Version, read_site};

    /// Four leaf switches of 4, 4, 6 and 2 nodes; the first two hang on one, the others on another, these on the top.
    const TREE: &str = "SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[5-8]\nSwitchName=c Nodes=n[9-14]\n\
        SwitchName=d Nodes=n[15-16]\nSwitchName=ab Switches=a,b\nSwitchName=cd Switches=c,d\nSwitchName=top Switches=ab,cd\n";

    fn nodes_of(conf: &str, tree: &str) -> Nodes {
        nodes_of_version(conf, tree, Version::V2605)
    }

    fn nodes_of_version(conf: &str, tree: &str, version: Version) -> Nodes {
        let conf = format!("TopologyPlugin=topology/tree\n{conf}\nPartitionName=p Nodes=ALL\n");
        let files = [("slurm.conf", conf.as_str()), ("topology.conf", tree)];
        let files = files.map(|(name, text)| SiteFile { name, content: text.as_bytes() });
        let site = read_site(&files, version);
        assert!(site.findings.iter().all(|told| told.line == 0), "{:?}", site.findings);
        Nodes::of(&site)
    }

    /// The numbers of the nodes that a job gets while some are taken.
    fn got(nodes: &Nodes, taken: &[usize], ask: Ask) -> Option<Vec<usize>> {
        let mut room: Room = nodes.room();
        let held = NodeBits::of(nodes.count, taken.iter().map(|number| number - 1));
        nodes.take(&mut room, &super::super::room::Allocation { nodes: held, ..Default::default() });
        let found = nodes.choose(&room, ask, &NodeBits::all(nodes.count))?;
        Some(found.nodes.iter().map(|node| node + 1).collect())
    }

    fn wide(cpus: u32) -> Ask {
        Ask { node_range: (1, 0), cpus, ..Ask::default() }
    }

    #[test]
    fn a_job_gets_the_tightest_leaf_that_is_enough_else_neighbours() {
        let nodes = nodes_of("NodeName=n[1-16]", TREE);
        let of = |taken: &[usize], count| got(&nodes, taken, wide(count));
        assert_eq!(of(&[], 2), Some(vec![15, 16]), "the smallest leaf");
        assert_eq!(of(&[], 3), Some(vec![1, 2, 3]), "of two that are alike the first");
        assert_eq!(of(&[1, 2], 4), Some(vec![5, 6, 7, 8]));
        assert_eq!(of(&[], 6), Some(vec![9, 10, 11, 12, 13, 14]));
        // no leaf is enough: below ab and cd eight are free each, and the first counts
        assert_eq!(of(&[], 7), Some(vec![1, 2, 3, 4, 5, 6, 7]));
        assert_eq!(of(&[9], 7), Some(vec![10, 11, 12, 13, 14, 15, 16]), "of both, cd is the tighter one");
        // neither is enough: ab has more, of it first b, and of the other leaves the tightest that is enough for one
        assert_eq!(of(&[1, 2, 9, 10, 11], 7), Some(vec![3, 4, 5, 6, 7, 8, 15]));
        assert_eq!(of(&[1], 16), None);
    }

    #[test]
    fn before_23_02_a_leaf_with_enough_nodes_is_enough() {
        let nodes = nodes_of_version("NodeName=n[1-16]", TREE, Version::V2205);
        let of = |taken: &[usize], ask| got(&nodes, taken, ask);
        // tasks that any number of nodes may have: for one node the smallest leaf is enough
        assert_eq!(of(&[], wide(3)), Some(vec![1, 15, 16]));
        assert_eq!(of(&[3, 4, 15], wide(3)), Some(vec![1, 2, 16]));
        let three = Ask { node_range: (3, 3), ..wide(3) };
        assert_eq!(of(&[], three), Some(vec![1, 2, 3]), "three nodes");
    }

    #[test]
    fn who_asks_for_few_switches_gets_nothing_else() {
        let nodes = nodes_of("NodeName=n[1-16]", TREE);
        let of = |taken: &[usize], count, switches| got(&nodes, taken, Ask { switches, ..wide(count) });
        let one = SwitchAsk::AtMost(1);
        assert_eq!(of(&[9], 6, one), None);
        assert_eq!(of(&[9], 6, SwitchAsk::AtMost(2)), Some(vec![10, 11, 12, 13, 14, 15]), "the nearest one besides c");
        assert_eq!(of(&[9], 5, one), Some(vec![10, 11, 12, 13, 14]));
        assert!(nodes.could_hold(Ask { switches: one, ..wide(9) }, &NodeBits::all(16)), "once it has waited");
        assert_eq!(of(&[5], 2, SwitchAsk::Fewest), Some(vec![15, 16]));
        assert_eq!(of(&[5], 2, SwitchAsk::Rows), Some(vec![1, 2]), "of the shorter row");
    }

    #[test]
    fn light_nodes_come_first_and_decide_on_the_switch() {
        // n5 is lighter than the others
        let nodes = nodes_of("NodeName=n[1-4,6-16] Weight=2\nNodeName=n5 Weight=1", TREE);
        assert_eq!(nodes.count, 16);
        // nodes have their numbers in the order of slurm.conf: n5 is the last
        let place = |name: usize| match name {
            5 => 16,
            6.. => name - 1,
            _ => name,
        };
        let found = got(&nodes, &[], wide(3)).unwrap();
        let mut own = [5, 6, 7].map(place);
        own.sort_unstable();
        assert_eq!(found, own, "the switch of the light node, though others are as tight");
    }

    #[test]
    fn nodes_that_jobs_share_are_taken_by_switch_too() {
        let nodes = nodes_of(
            "NodeName=n[1-6] CPUs=4",
            "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-6]\nSwitchName=t Switches=a,b\n",
        );
        let mut room = nodes.room();
        let all = NodeBits::all(6);
        let mut take = |ask: Ask| {
            let found = nodes.choose(&room, ask, &all).unwrap();
            nodes.take(&mut room, &found);
            found.nodes.iter().zip(found.cpus).map(|(node, cpus)| (node + 1, cpus)).collect::<Vec<_>>()
        };
        let ask = |cpus, count| Ask { nodes: count, node_range: (count, count), cpus, ..Ask::default() };
        assert_eq!(take(ask(6, 2)), [(1, 4), (2, 2)]);
        assert_eq!(take(ask(8, 2)), [(3, 4), (4, 4)], "the first switch has two processors left");
        assert_eq!(take(ask(2, 1)), [(2, 2)], "a single node is at the tightest switch");
    }

    #[test]
    fn what_nothing_links_is_not_joined() {
        let nodes = nodes_of("NodeName=n[1-6]", "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\n");
        let of = |count, switches| got(&nodes, &[], Ask { switches, ..wide(count) });
        assert_eq!(of(3, SwitchAsk::Fewest), None);
        assert_eq!(of(2, SwitchAsk::Fewest).map(|found| found.len()), Some(2));
        assert!(!nodes.could_hold(wide(3), &NodeBits::all(6)));
        assert_eq!(of(3, SwitchAsk::Rows), Some(vec![1, 2, 3]));
        let far = NodeBits::of(6, [4, 5]);
        assert!(nodes.could_hold(wide(2), &far), "nodes at no switch are together");
    }
}

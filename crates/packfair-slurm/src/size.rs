//! A site with more or fewer nodes in a partition.

use super::nodes::MOST_NODES;
use super::site::Site;
use rustc_hash::FxHashSet;

impl Site {
    /// The site with nodes added to a partition, or with fewer: its last ones go. New nodes are like the partition's last
    /// one and continue its names; a partition of all nodes has them too. Nodes that go are gone from all partitions.
    ///
    /// # Errors
    /// If there is no such partition, if no node of it would be left, or if there would be too many nodes.
    pub fn resized(&self, partition: &str, more: i64) -> Result<Site, String> {
        let names = || self.partitions.iter().map(|own| own.name.as_str()).collect::<Vec<_>>().join(", ");
        let place = self.partitions.iter().position(|own| own.name == partition);
        let place = place.ok_or_else(|| format!("there is no partition {partition:.60}; there are {}", names()))?;
        let count = usize::try_from(more.unsigned_abs()).unwrap_or(usize::MAX);
        let mut site = self.clone();
        if more >= 0 {
            site.add(place, count)?
        } else {
            site.take_last(place, count)?
        }
        Ok(site)
    }

    fn add(&mut self, place: usize, count: usize) -> Result<(), String> {
        let all = self.nodes.len();
        if count > MOST_NODES.saturating_sub(all) {
            return Err(format!("a site has at most {MOST_NODES} nodes"));
        }
        let like_which = self.partitions[place].nodes.last().copied();
        let like_which = like_which
            .ok_or_else(|| format!("partition {} has no node like which others can be", self.partitions[place].name))?;
        let like = self.nodes[like_which as usize].clone();
        let begin = like.name.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = like.name.len() - begin.len();
        let number = |name: &str| name.strip_prefix(begin)?.parse::<u64>().ok();
        let last = self.nodes.iter().filter_map(|node| number(&node.name)).max().unwrap_or(0);
        let begin = begin.to_owned();
        let made = (1..=count as u64).map(|next| {
            let mut node = like.clone();
            node.name = format!("{begin}{:0digits$}", last.saturating_add(next));
            node
        });
        self.nodes.extend(made);
        for (at, partition) in self.partitions.iter_mut().enumerate() {
            if at == place || partition.nodes.len() == all {
                partition.nodes.extend(all as u32..(all + count) as u32);
            }
        }
        for switch in self.switches.iter_mut().filter(|switch| switch.nodes.contains(&like_which)) {
            switch.nodes.extend(all as u32..(all + count) as u32);
        }
        Ok(())
    }

    fn take_last(&mut self, place: usize, count: usize) -> Result<(), String> {
        let own = &self.partitions[place];
        if count >= own.nodes.len() {
            return Err(format!("partition {} has {} nodes, and {count} fewer leave none", own.name, own.nodes.len()));
        }
        let gone: FxHashSet<u32> = own.nodes[own.nodes.len() - count..].iter().copied().collect();
        let mut next = 0;
        let moved: Vec<Option<u32>> = (0..self.nodes.len() as u32)
            .map(|at| {
                let stays = !gone.contains(&at);
                let place = next;
                next += u32::from(stays);
                stays.then_some(place)
            })
            .collect();
        let renumber = |nodes: &mut Vec<u32>| *nodes = nodes.iter().filter_map(|&at| moved[at as usize]).collect();
        self.partitions.iter_mut().for_each(|partition| renumber(&mut partition.nodes));
        self.node_sets.iter_mut().for_each(|set| renumber(&mut set.nodes));
        self.switches.iter_mut().for_each(|switch| renumber(&mut switch.nodes));
        let mut at = 0;
        self.nodes.retain(|_| {
            at += 1;
            !gone.contains(&(at - 1))
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Site, SiteFile, Version, folded, read_site};

    fn site() -> Site {
        let conf = "NodeName=n[01-12] CPUs=4 RealMemory=8000\nNodeName=g[1-2] CPUs=8 Gres=gpu:4\n\
            PartitionName=batch Nodes=n[01-12] Default=YES\nPartitionName=gpu Nodes=g[1-2]\nPartitionName=all Nodes=ALL\n";
        read_site(&[SiteFile { name: "slurm.conf", content: conf.as_bytes() }], Version::default())
    }

    fn of(site: &Site, partition: usize) -> String {
        folded(site.partitions[partition].nodes.iter().map(|&at| site.nodes[at as usize].name.as_str()))
    }

    #[test]
    fn new_nodes_are_like_the_last_of_their_partition() {
        let more = site().resized("batch", 20).unwrap();
        assert_eq!((of(&more, 0), of(&more, 1)), ("n[01-32]".to_owned(), "g[1-2]".to_owned()));
        assert_eq!(of(&more, 2), "n[01-12],g[1-2],n[13-32]", "all nodes are all nodes");
        assert_eq!((more.nodes.len(), more.nodes[33].cpus, more.nodes[33].memory), (34, 4, 8000));
        let gpus = site().resized("gpu", 1).unwrap();
        assert_eq!((of(&gpus, 1), gpus.nodes[14].gpus), ("g[1-3]".to_owned(), 4));
    }

    #[test]
    fn the_last_nodes_go_from_all_partitions() {
        let fewer = site().resized("batch", -4).unwrap();
        assert_eq!((of(&fewer, 0), of(&fewer, 1)), ("n[01-08]".to_owned(), "g[1-2]".to_owned()));
        assert_eq!((of(&fewer, 2), fewer.nodes.len()), ("n[01-08],g[1-2]".to_owned(), 10));
        assert_eq!(site().resized("gpu", 2).unwrap().resized("gpu", -2).unwrap(), site());
    }

    #[test]
    fn what_cannot_be_is_said() {
        let wrong = |partition, more| site().resized(partition, more).unwrap_err();
        assert_eq!(wrong("far", 2), "there is no partition far; there are batch, gpu, all");
        assert_eq!(wrong("gpu", -2), "partition gpu has 2 nodes, and 2 fewer leave none");
        assert!(wrong("gpu", i64::MAX).contains("at most"));
    }
}

//! A site with more or fewer nodes in a partition.

use super::lines::words;
use super::nodes::MOST_NODES;
use super::site::Site;
use chrono::{NaiveDate, NaiveDateTime};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

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

// Time spans and points in time, as Slurm writes them.

/// Reads a time span in seconds: minutes, `minutes:seconds`, `hours:minutes:seconds`, `days-hours`,
/// `days-hours:minutes`, and so on. The inner `None` stands for UNLIMITED and similar words.
pub(super) fn span(text: &str) -> Option<Option<i64>> {
    let text = text.trim();
    if ["unlimited", "infinite", "-1"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Some(None);
    }
    let number = |text: &str| text.parse::<u32>().ok().map(i64::from);
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(number(days)?), rest),
        None => (None, text),
    };
    let fields = rest.split(':').map(number).collect::<Option<Vec<i64>>>()?;
    let seconds = match (days, fields.as_slice()) {
        (None, [minutes]) => minutes * 60,
        (None, [minutes, seconds]) => minutes * 60 + seconds,
        (_, [hours, minutes, seconds]) => hours * 3600 + minutes * 60 + seconds,
        (Some(_), [hours]) => hours * 3600,
        (Some(_), [hours, minutes]) => hours * 3600 + minutes * 60,
        _ => return None,
    };
    Some(Some(days.unwrap_or(0) * 86_400 + seconds))
}

/// A span in seconds as Slurm writes it, `days-hours:minutes:seconds`; UNLIMITED for none.
pub(super) fn written(span: Option<i64>) -> String {
    let Some(seconds) = span else { return "UNLIMITED".to_owned() };
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let clock = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    if days == 0 { clock } else { format!("{days}-{clock}") }
}

/// Reads a point in time, `2026-01-31T14:30:59`, as seconds since 1970 on the site's own clock; none if it cannot be
/// read.
pub(super) fn moment(text: &str) -> Option<i64> {
    let text = text.trim();
    let date = |format: &str| NaiveDateTime::parse_from_str(text, format).ok();
    let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
    let found = date("%Y-%m-%dT%H:%M:%S").or_else(|| date("%Y-%m-%dT%H:%M")).or_else(day)?;
    Some(found.and_utc().timestamp())
}

// What a site has besides nodes, and what jobs get of memory that ask for none: DefMemPer..., MaxMemPer..., Licenses.

/// The memory of jobs that ask for none, and the most that they may ask for, MiB; none where nothing is set. A partition
/// has its own in place of the site's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryRules {
    /// For each processor (DefMemPerCPU).
    pub of_cpu: Option<u64>,
    /// On each node (DefMemPerNode).
    pub of_node: Option<u64>,
    /// For each GPU of jobs that have some (DefMemPerGPU).
    pub of_gpu: Option<u64>,
    /// The most for each processor (MaxMemPerCPU); who asks for more gets more processors.
    pub most_of_cpu: Option<u64>,
    /// The most on each node (MaxMemPerNode); who asks for more is refused.
    pub most_of_node: Option<u64>,
}

/// Memory that a rule gives, MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryRule {
    OfCpu(u64),
    OfNode(u64),
    OfGpu(u64),
}

impl MemoryRules {
    /// Sets a key, in lower case. None where the key is no rule of memory, false where its value is none.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Option<bool> {
        // for a processor or for a node: the last that is set counts
        let place = match key {
            "defmempercpu" => {
                self.of_node = None;
                &mut self.of_cpu
            }
            "defmempernode" => {
                self.of_cpu = None;
                &mut self.of_node
            }
            "defmempergpu" => &mut self.of_gpu,
            "maxmempercpu" => {
                self.most_of_node = None;
                &mut self.most_of_cpu
            }
            "maxmempernode" => {
                self.most_of_cpu = None;
                &mut self.most_of_node
            }
            _ => return None,
        };
        if value.eq_ignore_ascii_case("unlimited") {
            *place = None;
            return Some(true);
        }
        let Ok(amount) = value.parse::<u64>() else { return Some(false) };
        *place = Some(amount).filter(|&amount| amount > 0);
        Some(true)
    }

    /// Sets what JobDefaults names, `DefCpuPerGPU=8,DefMemPerGPU=32000`.
    pub(super) fn set_defaults(&mut self, list: &str) {
        for (key, value) in list.split(',').filter_map(|pair| pair.split_once('=')) {
            self.set(&key.trim().to_ascii_lowercase(), value.trim());
        }
    }

    /// What a job gets that asks for no memory, with the rules of its partition before those of the site; none where it
    /// gets all memory of its nodes.
    pub fn usual(&self, site: &MemoryRules, has_gpus: bool) -> Option<MemoryRule> {
        let own = |rules: &MemoryRules| {
            let of_gpu = rules.of_gpu.filter(|_| has_gpus).map(MemoryRule::OfGpu);
            let of_cpu = rules.of_cpu.map(MemoryRule::OfCpu);
            of_gpu.or(of_cpu).or(rules.of_node.map(MemoryRule::OfNode))
        };
        own(self).or_else(|| own(site))
    }

    /// The most memory of a job, for each processor or on each node, with the rules of its partition before those of the
    /// site; none where there is no such limit.
    pub fn most(&self, site: &MemoryRules) -> Option<MemoryRule> {
        let own = |rules: &MemoryRules| {
            rules.most_of_cpu.map(MemoryRule::OfCpu).or(rules.most_of_node.map(MemoryRule::OfNode))
        };
        own(self).or_else(|| own(site))
    }
}

/// Licences of the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Licence {
    pub name: String,
    pub count: u32,
}

/// Reads a list of licences, `matlab:10,ansys*4,fluent`. Without a number there is one.
///
/// # Errors
/// If an item is not one: which.
pub(super) fn licences(text: &str) -> Result<Vec<Licence>, String> {
    let mut found: Vec<Licence> = Vec::new();
    for item in text.split([',', ';']).map(str::trim).filter(|item| !item.is_empty()) {
        let (name, count) = item.rsplit_once([':', '=', '*']).unwrap_or((item, "1"));
        let count: u32 = count.parse().map_err(|_| format!("{item:.60} has no number of licences"))?;
        match found.iter_mut().find(|other| other.name == name) {
            Some(other) => other.count = count,
            None => found.push(Licence { name: name.to_owned(), count }),
        }
    }
    Ok(found)
}

/// The licences that `scontrol show licenses` prints, also those of other servers, which slurm.conf does not have.
pub(super) fn shown_licences(text: &str) -> Vec<Licence> {
    let mut found: Vec<Licence> = Vec::new();
    for (key, value) in words(text) {
        match (key.as_str(), value) {
            ("LicenseName", Some(name)) => found.push(Licence { name, count: 0 }),
            ("Total", Some(total)) => {
                found.last_mut().into_iter().for_each(|licence| licence.count = total.parse().unwrap_or(0));
            }
            _ => {}
        }
    }
    found
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

#[cfg(test)]
mod time_tests {
    use super::*;

    #[test]
    fn spans_have_slurms_forms() {
        assert_eq!(span("90"), Some(Some(5400)));
        assert_eq!(span("1:30"), Some(Some(90)));
        assert_eq!(span("02:00:01"), Some(Some(7201)));
        assert_eq!(span("7-0"), Some(Some(604_800)));
        assert_eq!(span("1-02:30"), Some(Some(95_400)));
        assert_eq!(span("1-00:00:01"), Some(Some(86_401)));
        assert_eq!(span("UNLIMITED"), Some(None));
        assert_eq!(span("soon"), None);
        assert_eq!(span("1-2-3"), None);
    }

    #[test]
    fn spans_are_written_as_they_are_read() {
        for seconds in [0, 59, 60, 3600, 86_399, 86_400, 1_000_001] {
            assert_eq!(span(&written(Some(seconds))), Some(Some(seconds)));
        }
        assert_eq!((written(Some(95_401)), written(None)), ("1-02:30:01".to_owned(), "UNLIMITED".to_owned()));
    }

    #[test]
    fn moments_are_dates() {
        assert_eq!(moment("1970-01-02T00:00:01"), Some(86_401));
        assert_eq!(moment("Unknown"), None);
    }
}

#[cfg(test)]
mod resources_tests {
    use super::*;

    #[test]
    fn rules_of_a_partition_go_before_those_of_the_site() {
        let (mut site, mut own) = (MemoryRules::default(), MemoryRules::default());
        assert_eq!(own.usual(&site, false), None);
        assert_eq!((site.set("defmempercpu", "2000"), site.set("defmempergpu", "x")), (Some(true), Some(false)));
        assert_eq!(own.usual(&site, true), Some(MemoryRule::OfCpu(2000)));
        own.set("defmempernode", "500");
        assert_eq!(own.usual(&site, false), Some(MemoryRule::OfNode(500)));
        own.set("defmempergpu", "100");
        assert_eq!(own.usual(&site, true), Some(MemoryRule::OfGpu(100)));
        assert_eq!((site.set("maxmempercpu", "4000"), own.most(&site)), (Some(true), Some(MemoryRule::OfCpu(4000))));
        own.set("maxmempernode", "9000");
        assert_eq!(own.most(&site), Some(MemoryRule::OfNode(9000)));
        own.set("maxmempernode", "0");
        assert_eq!(own.most(&site), Some(MemoryRule::OfCpu(4000)), "0 is no limit");
        own.set("defmempercpu", "UNLIMITED");
        assert_eq!((own.of_cpu, own.of_node, own.set("weight", "1")), (None, None, None));
    }

    #[test]
    fn licences_have_numbers() {
        let of = |text: &str| {
            licences(text)
                .map(|all| all.into_iter().map(|one| format!("{} {}", one.name, one.count)).collect::<Vec<_>>())
        };
        assert_eq!(of("matlab:10, ansys*4,fluent").unwrap(), ["matlab 10", "ansys 4", "fluent 1"]);
        assert_eq!(of("").unwrap(), Vec::<String>::new());
        assert!(of("matlab:many").is_err());
    }
}

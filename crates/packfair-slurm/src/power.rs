//! Power saving: which nodes Slurm switches off while they idle (SuspendTime and its like).

use super::Node;
use super::hostlist::expand;
use super::lines::{FindingKind, FindingLog};
use super::nodes::MOST_NODES;
use super::partitions::{PartitionSaving, SlurmPartition};
use serde::{Deserialize, Serialize};

/// What `slurm.conf` says of power saving; times in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PowerSaving {
    /// SuspendTime: after how long an idle node is switched off; none: never.
    pub suspend_time: Option<i64>,
    /// SuspendTimeout: how long a node takes to go off.
    pub suspend_timeout: i64,
    /// ResumeTimeout: how long a node takes to boot.
    pub resume_timeout: i64,
    /// SuspendRate: the most nodes that are switched off in a minute; none: any number.
    pub suspend_rate: Option<u32>,
    /// ResumeRate: the most nodes that are switched on in a minute; none: any number.
    pub resume_rate: Option<u32>,
    /// SuspendExcNodes: nodes that are never switched off, as Slurm writes them.
    pub except_nodes: String,
    /// SuspendExcParts: partitions whose nodes are never switched off, as Slurm writes them.
    pub except_partitions: String,
}

impl Default for PowerSaving {
    /// Slurm's defaults.
    fn default() -> Self {
        PowerSaving {
            suspend_time: None,
            suspend_timeout: 30,
            resume_timeout: 60,
            suspend_rate: Some(60),
            resume_rate: Some(300),
            except_nodes: String::new(),
            except_partitions: String::new(),
        }
    }
}

/// Applies a key of power saving, in lower case. Returns whether it is one.
pub(super) fn take(
    line: u32,
    lower: &str,
    key: &str,
    value: &str,
    power: &mut PowerSaving,
    findings: &mut FindingLog<'_>,
) -> bool {
    let mut wrong = |takes: &str| findings.wrong(line, format!("{key}={value:.60}: it takes {takes}"));
    let seconds = || value.parse::<u32>().ok().map(i64::from);
    // 0 stands for any number
    let rate = || value.parse::<u32>().ok().map(|rate| (rate > 0).then_some(rate));
    match lower {
        "suspendtime" if ["infinite", "-1"].iter().any(|word| value.eq_ignore_ascii_case(word)) => {
            power.suspend_time = None;
        }
        "suspendtime" => match seconds() {
            Some(seconds) => power.suspend_time = Some(seconds),
            None => wrong("seconds, or INFINITE"),
        },
        "suspendtimeout" => seconds().map_or_else(|| wrong("seconds"), |seconds| power.suspend_timeout = seconds),
        "resumetimeout" => seconds().map_or_else(|| wrong("seconds"), |seconds| power.resume_timeout = seconds),
        "suspendrate" => rate().map_or_else(|| wrong("nodes a minute"), |rate| power.suspend_rate = rate),
        "resumerate" => rate().map_or_else(|| wrong("nodes a minute"), |rate| power.resume_rate = rate),
        "suspendexcnodes" => {
            value.clone_into(&mut power.except_nodes);
            if value.contains(':') {
                let words = format!("{key}={value:.60}: of a list with a count, its first nodes stay on");
                findings.note(FindingKind::NotModelled, line, words);
            }
        }
        "suspendexcstates" => {
            findings.note(FindingKind::NotModelled, line, format!("{key}={value:.60}"));
        }
        "suspendexcparts" => value.clone_into(&mut power.except_partitions),
        _ => return false,
    }
    true
}

/// When a node is switched off and on, seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeTimes {
    /// After how long it is switched off while it idles; none: never.
    pub after: Option<i64>,
    /// How long it takes to go off.
    pub off: i64,
    /// How long it may take to boot.
    pub boot: i64,
}

impl PowerSaving {
    /// When each node of a site is switched off and on. What partitions say goes before what the site says; of several
    /// partitions of a node the longest time counts.
    pub fn times(&self, nodes: &[Node], partitions: &[SlurmPartition]) -> Vec<NodeTimes> {
        let mut own = vec![PartitionSaving::default(); nodes.len()];
        for partition in partitions {
            let said = partition.saving;
            for &node in &partition.nodes {
                let Some(times) = own.get_mut(node as usize) else { continue };
                times.suspend_timeout = times.suspend_timeout.max(said.suspend_timeout);
                times.resume_timeout = times.resume_timeout.max(said.resume_timeout);
                times.suspend_time = match (times.suspend_time, said.suspend_time) {
                    (Some(one), Some(other)) => Some(one.zip(other).map(|(one, other)| one.max(other))),
                    (one, other) => one.or(other),
                };
            }
        }
        let mut times: Vec<NodeTimes> = own
            .into_iter()
            .map(|own| NodeTimes {
                after: own.suspend_time.unwrap_or(self.suspend_time),
                off: own.suspend_timeout.unwrap_or(self.suspend_timeout),
                boot: own.resume_timeout.unwrap_or(self.resume_timeout),
            })
            .collect();
        self.never(nodes, partitions).into_iter().for_each(|node| times[node].after = None);
        times
    }

    /// Whether any node of these partitions may be switched off.
    pub fn switches_off(&self, partitions: &[SlurmPartition]) -> bool {
        let says = |partition: &SlurmPartition| partition.saving.suspend_time.flatten().is_some();
        self.suspend_time.is_some() || partitions.iter().any(says)
    }

    /// The places of the nodes of a site that are never switched off.
    pub fn never(&self, nodes: &[Node], partitions: &[SlurmPartition]) -> Vec<usize> {
        let mut places = Vec::new();
        for list in lists(&self.except_nodes) {
            let (list, most) = match list.rsplit_once(':') {
                Some((list, count)) => (list, count.parse().unwrap_or(usize::MAX)),
                None => (list, usize::MAX),
            };
            let names = if list.eq_ignore_ascii_case("all") { None } else { expand(list, MOST_NODES).ok() };
            let is_it = |name: &String| names.as_ref().is_none_or(|names| names.contains(name));
            let those = nodes.iter().enumerate().filter(|(_, node)| is_it(&node.name));
            places.extend(those.map(|(place, _)| place).take(most));
        }
        for name in self.except_partitions.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let of = partitions.iter().filter(|partition| partition.name == name);
            places.extend(of.flat_map(|partition| partition.nodes.iter().map(|&node| node as usize)));
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// The lists between commas outside of brackets.
fn lists(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let between = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    text.split(between).map(str::trim).filter(|list| !list.is_empty()).collect()
}

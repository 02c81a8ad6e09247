//! The reader of PartitionName lines.

use super::hostlist::expand;
use super::limits::TresAmounts;
use super::lines::{FindingKind, FindingLog, is_yes};
use super::nodes::{MOST_NODES, Node};
use super::quantity::{MemoryRules, span};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A partition: its nodes and rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlurmPartition {
    pub name: String,
    pub nodes: Vec<u32>,
    /// Whether jobs that name no partition go here.
    pub is_default: bool,
    /// The longest time limit of a job, seconds; none if there is none.
    pub max_time: Option<i64>,
    /// The time limit of jobs that ask for none, seconds.
    pub default_time: Option<i64>,
    pub min_nodes: u32,
    /// The most nodes of a job; none if there is no such limit.
    pub max_nodes: Option<u32>,
    /// The tier (PriorityTier). Jobs of a higher tier are looked at before all others.
    pub tier: u32,
    /// The priority factor (PriorityJobFactor).
    pub factor: u32,
    /// Whether jobs take whole nodes (OverSubscribe=EXCLUSIVE).
    pub is_exclusive: bool,
    /// Whether a node takes jobs of a single user at a time (ExclusiveUser).
    pub is_of_one_user: bool,
    /// Whether jobs go to the nodes that are loaded least (LLN).
    pub is_least_loaded: bool,
    /// The memory of jobs that ask for none.
    pub memory: MemoryRules,
    /// The partition's own QOS, whose limits go before those of a job's QOS.
    pub qos: Option<String>,
    pub is_up: bool,
    /// Whether a change has made the partition. Jobs go there whose time limit it allows and that its nodes can hold; where
    /// it has no limit and its nodes have GPUs of some types, those that ask for one of these.
    pub is_added: bool,
    /// What becomes of its jobs that are preempted by partition (PreemptMode), where it says so itself.
    #[serde(default)]
    pub preempted: Option<PreemptedJobs>,
    /// When its nodes are switched off, where it says so itself.
    #[serde(default)]
    pub saving: PartitionSaving,
    /// The billing weights of a processor, a GiB of memory, a GPU, and one of each type (TRESBillingWeights).
    pub billing: Option<TresAmounts>,
    /// Who may use it.
    #[serde(default)]
    pub permits: PartitionPermits,
}

impl SlurmPartition {
    /// A partition of all nodes without rules.
    pub fn of_all(name: &str, nodes: usize) -> Self {
        SlurmPartition {
            name: name.to_owned(),
            nodes: (0..nodes as u32).collect(),
            is_default: true,
            max_time: None,
            default_time: None,
            min_nodes: 1,
            max_nodes: None,
            tier: 1,
            factor: 1,
            is_exclusive: false,
            is_of_one_user: false,
            is_least_loaded: false,
            memory: MemoryRules::default(),
            qos: None,
            is_up: true,
            is_added: false,
            preempted: None,
            saving: PartitionSaving::default(),
            billing: None,
            permits: PartitionPermits::default(),
        }
    }
}

/// Who may use a partition, as far as it says so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PartitionPermits {
    allowed_accounts: Vec<String>,
    denied_accounts: Vec<String>,
    allowed_qos: Vec<String>,
    denied_qos: Vec<String>,
    /// Whether it is for some groups of users alone (AllowGroups), of which nothing is known here.
    has_groups: bool,
    /// Whether it takes no new jobs (State), those of root (RootOnly), or those of reservations alone (ReqResv).
    is_closed: bool,
    is_of_root: bool,
    is_of_reservations: bool,
}

impl PartitionPermits {
    /// Whether a new job may use the partition: of `accounts`, its own and those above it, and of a QOS, empty where they are
    /// not known. None where nothing tells it.
    pub fn allow(&self, accounts: &[&str], qos: &str) -> Option<bool> {
        let is_in = |list: &[String], name: &str| list.iter().any(|own| own.eq_ignore_ascii_case(name));
        let own = accounts.first().copied().unwrap_or_default();
        // accounts below one that is listed count in newer versions alone
        let is_below = |list: &[String]| accounts.iter().any(|account| is_in(list, account));
        let by_list = |allowed: &[String], denied: &[String], name: &str, is_below: &dyn Fn(&[String]) -> bool| {
            let (list, is_allowed) = if allowed.is_empty() { (denied, false) } else { (allowed, true) };
            match () {
                () if list.is_empty() => Some(true),
                () if name.is_empty() => None,
                () if is_in(list, name) => Some(is_allowed),
                () if is_below(list) => None,
                () => Some(!is_allowed),
            }
        };
        let told = [
            Some(!(self.is_closed || self.is_of_root || self.is_of_reservations)),
            by_list(&self.allowed_accounts, &self.denied_accounts, own, &is_below),
            by_list(&self.allowed_qos, &self.denied_qos, qos, &|_| false),
            (!self.has_groups).then_some(true),
        ];
        if told.contains(&Some(false)) {
            Some(false)
        } else {
            told.into_iter().collect::<Option<Vec<_>>>().map(|_| true)
        }
    }

    /// The list of names of a key, in lower case.
    fn list(&mut self, key: &str) -> Option<&mut Vec<String>> {
        match key {
            "allowaccounts" => Some(&mut self.allowed_accounts),
            "denyaccounts" => Some(&mut self.denied_accounts),
            "allowqos" => Some(&mut self.allowed_qos),
            "denyqos" => Some(&mut self.denied_qos),
            _ => None,
        }
    }
}

/// What becomes of preempted jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PreemptedJobs {
    /// OFF, or GANG alone: they are not preempted.
    Spared,
    /// REQUEUE or CANCEL: they are killed.
    Killed,
    /// SUSPEND: they are suspended, and run on once who preempted them has ended.
    Suspended,
}

impl PreemptedJobs {
    /// What a value of PreemptMode says; none where it names no mode.
    pub(super) fn of(modes: &str) -> Option<Self> {
        match () {
            () if has_mode(modes, "REQUEUE") || has_mode(modes, "CANCEL") => Some(PreemptedJobs::Killed),
            () if has_mode(modes, "SUSPEND") => Some(PreemptedJobs::Suspended),
            () if has_mode(modes, "OFF") || has_mode(modes, "GANG") => Some(PreemptedJobs::Spared),
            () => None,
        }
    }
}

/// Whether a value of PreemptMode names a mode.
pub(super) fn has_mode(modes: &str, mode: &str) -> bool {
    modes.split(',').any(|own| own.trim().eq_ignore_ascii_case(mode))
}

/// When the nodes of a partition are switched off and on, seconds, as far as it says so itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartitionSaving {
    /// SuspendTime: after how long an idle node is switched off; none within: never.
    pub suspend_time: Option<Option<i64>>,
    /// SuspendTimeout: how long a node takes to go off.
    pub suspend_timeout: Option<i64>,
    /// ResumeTimeout: how long a node takes to boot.
    pub resume_timeout: Option<i64>,
}

/// A name for several nodes (NodeSet).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeSet {
    pub name: String,
    pub nodes: Vec<u32>,
}

/// What a list of nodes may name.
#[derive(Clone, Debug)]
pub(super) struct PartitionPlaces<'a> {
    pub(super) names: FxHashMap<&'a str, u32>,
    pub(super) sets: &'a [NodeSet],
    /// The names of nodes that are not there yet.
    pub(super) future: &'a BTreeSet<String>,
}

impl NodeSet {
    /// A set of the nodes of a list, and of those that have a feature.
    pub(super) fn read(
        name: String,
        words: &[(String, String)],
        nodes: &[Node],
        names: &FxHashMap<&str, u32>,
        future: &BTreeSet<String>,
        line: u32,
        findings: &mut FindingLog<'_>,
    ) -> Self {
        let is_known = |node: &String| names.contains_key(node.as_str()) || future.contains(node);
        let (mut found, mut has_future) = (Vec::new(), false);
        for (key, value) in words {
            match key.as_str() {
                "nodes" => match expand(value, MOST_NODES) {
                    Ok(listed) => {
                        if let Some(unknown) = listed.iter().find(|node| !is_known(node) && !nodes.is_empty()) {
                            findings.wrong(line, format!("NodeSet {name}: there is no node {unknown}"));
                        }
                        has_future |= listed.iter().any(|node| future.contains(node));
                        found.extend(listed.iter().filter_map(|node| names.get(node.as_str())));
                    }
                    Err(wrong) => findings.wrong(line, format!("NodeSet {name}: {wrong}")),
                },
                "feature" | "features" => {
                    let has = |node: &Node| {
                        value.split(',').any(|wanted| node.features.iter().any(|own| own == wanted.trim()))
                    };
                    found.extend((0..).zip(nodes).filter(|(_, node)| has(node)).map(|(at, _)| at));
                }
                _ => findings.note(FindingKind::Unknown, line, format!("{key:.60} of a NodeSet")),
            }
        }
        found.sort_unstable();
        found.dedup();
        if found.is_empty() && !has_future && !nodes.is_empty() {
            findings.note(FindingKind::Note, line, format!("NodeSet {name} has no nodes"));
        }
        NodeSet { name, nodes: found }
    }
}

/// A PartitionName line, kept until all nodes of the file are known.
#[derive(Clone, Debug, Default)]
pub(super) struct PartitionLine {
    pub(super) file: usize,
    pub(super) line: u32,
    pub(super) name: String,
    words: Vec<(String, String)>,
}

/// The keys of partitions that do not decide on starts here.
const WITHOUT_EFFECT: &[&str] = &[
    "allocnodes",
    "alternate",
    "cpubind",
    "defcpupergpu",
    "disablerootjobs",
    "exclusive",
    "hidden",
    "rootonly",
    "topology",
];

/// The keys of partitions that say who may use them, as Slurm writes them.
const PERMITS: &[&str] = &["AllowAccounts", "AllowGroups", "AllowQos", "DenyAccounts", "DenyQos"];

/// The keys of partitions that decide on starts in Slurm and not here, as Slurm writes them.
const NOT_MODELLED: &[&str] = &[
    "ExclusiveTopo",
    "GraceTime",
    "MaxCPUsPerNode",
    "MaxCPUsPerSocket",
    "OverTimeLimit",
    "ReqResv",
    "SelectTypeParameters",
];

impl PartitionLine {
    /// A line with the words of `default`, what PartitionName=DEFAULT lines have set, before its own.
    pub(super) fn new((file, line): (usize, u32), words: &[(String, Option<String>)], default: &PartitionLine) -> Self {
        let mut said = PartitionLine { file, line, ..default.clone() };
        for (key, value) in words {
            let value = value.clone().unwrap_or_default();
            match key.to_ascii_lowercase().as_str() {
                "partitionname" => said.name = value,
                _ => said.words.push((key.clone(), value)),
            }
        }
        said
    }

    /// A line with a single key.
    pub(super) fn of(name: &str, key: &str, value: &str) -> Self {
        PartitionLine { file: 0, line: 0, name: name.to_owned(), words: vec![(key.to_owned(), value.to_owned())] }
    }

    /// Makes the partition of the line. `nodes` are those of the site, `places` their places by name.
    pub(super) fn partition(
        &self,
        nodes: &[Node],
        places: &PartitionPlaces<'_>,
        findings: &mut FindingLog<'_>,
    ) -> SlurmPartition {
        let bare = SlurmPartition { nodes: Vec::new(), is_default: false, ..SlurmPartition::of_all(&self.name, 0) };
        self.changed(bare, nodes, places, findings)
    }

    /// Applies the words of the line to a partition.
    pub(super) fn changed(
        &self,
        mut partition: SlurmPartition,
        nodes: &[Node],
        places: &PartitionPlaces<'_>,
        findings: &mut FindingLog<'_>,
    ) -> SlurmPartition {
        let line = self.line;
        let mut permits: Vec<&str> = Vec::new();
        for (key, value) in &self.words {
            let lower = key.to_ascii_lowercase();
            let said = |word: &str| value.to_ascii_uppercase().starts_with(word);
            let is_for_all = value.is_empty() || value.eq_ignore_ascii_case("all");
            if let Some(list) = partition.permits.list(&lower) {
                *list = value.split(',').filter(|_| !is_for_all).map(|name| name.trim().to_owned()).collect();
            }
            match lower.as_str() {
                "allowgroups" => partition.permits.has_groups = !is_for_all,
                "state" => partition.permits.is_closed = !said("UP"),
                "rootonly" => partition.permits.is_of_root = is_yes(value),
                "reqresv" => partition.permits.is_of_reservations = is_yes(value),
                _ => {}
            }
            let mut wrong = || findings.wrong(line, format!("{key}={value:.40} of partition {}", self.name));
            // as scontrol shows what is as for the site
            if value == "GLOBAL" {
                continue;
            }
            match lower.as_str() {
                "nodes" if value.eq_ignore_ascii_case("all") => partition.nodes = (0..nodes.len() as u32).collect(),
                "nodes" => partition.nodes = self.nodes(value, places, findings),
                "default" => partition.is_default = is_yes(value),
                "maxtime" => span(value).map_or_else(wrong, |time| partition.max_time = time),
                "defaulttime" => span(value).map_or_else(wrong, |time| partition.default_time = time),
                "minnodes" => value.parse().map_or_else(|_| wrong(), |count| partition.min_nodes = count),
                "maxnodes" if said("UNLIMITED") || said("INFINITE") => partition.max_nodes = None,
                "maxnodes" => value.parse().map_or_else(|_| wrong(), |count| partition.max_nodes = Some(count)),
                "prioritytier" => value.parse().map_or_else(|_| wrong(), |tier| partition.tier = tier),
                "priorityjobfactor" => value.parse().map_or_else(|_| wrong(), |factor| partition.factor = factor),
                // older files have both in one key
                "priority" => match value.parse() {
                    Ok(number) => (partition.tier, partition.factor) = (number, number),
                    Err(_) => wrong(),
                },
                // older files say Shared
                "oversubscribe" | "shared" => {
                    partition.is_exclusive = said("EXCLUSIVE");
                    let is_alone = value.ends_with(":1");
                    if (said("FORCE") || said("YES")) && !is_alone {
                        let words = format!(
                            "OverSubscribe={value:.20} of partition {}: a processor has one job at a time",
                            self.name
                        );
                        findings.note(FindingKind::NotModelled, line, words);
                    }
                }
                "exclusivetopo" | "reqresv" if !is_yes(value) => {}
                "gracetime" if value == "0" => {}
                "maxcpuspernode" | "maxcpuspersocket" | "overtimelimit" | "selecttypeparameters"
                    if value.is_empty() || value == "0" || said("UNLIMITED") || said("INFINITE") || said("NONE") => {}
                "maxcpuspernode"
                | "maxcpuspersocket"
                | "overtimelimit"
                | "selecttypeparameters"
                | "exclusivetopo"
                | "reqresv"
                | "gracetime" => {
                    let name = NOT_MODELLED.iter().find(|name| name.eq_ignore_ascii_case(key)).unwrap_or(&"");
                    let words = format!("{name}={value:.40} of partition {}", self.name);
                    findings.note(FindingKind::NotModelled, line, words);
                }
                "preemptmode" => {
                    partition.preempted = PreemptedJobs::of(value);
                    if partition.preempted.is_none() {
                        wrong();
                    }
                    if has_mode(value, "PRIORITY") {
                        let words = format!(
                            "PreemptMode={value:.40} of partition {}: its jobs preempt whatever their priority",
                            self.name
                        );
                        findings.note(FindingKind::NotModelled, line, words);
                    }
                }
                "powerdownonidle" if !is_yes(value) => {}
                "powerdownonidle" => {
                    let words =
                        format!("PowerDownOnIdle of partition {}: its nodes go off after SuspendTime alone", self.name);
                    findings.note(FindingKind::NotModelled, line, words);
                }
                "suspendtime" if ["infinite", "-1"].iter().any(|word| value.eq_ignore_ascii_case(word)) => {
                    partition.saving.suspend_time = Some(None);
                }
                "suspendtime" => {
                    seconds(value).map_or_else(wrong, |time| partition.saving.suspend_time = Some(Some(time)))
                }
                "suspendtimeout" => {
                    seconds(value).map_or_else(wrong, |time| partition.saving.suspend_timeout = Some(time))
                }
                "resumetimeout" => {
                    seconds(value).map_or_else(wrong, |time| partition.saving.resume_timeout = Some(time))
                }
                "exclusiveuser" => partition.is_of_one_user = is_yes(value),
                "lln" => partition.is_least_loaded = is_yes(value),
                "jobdefaults" => partition.memory.set_defaults(value),
                memory
                    if partition
                        .memory
                        .set(memory, value)
                        .inspect(|is_set| {
                            if !is_set {
                                wrong()
                            }
                        })
                        .is_some() => {}
                "qos" => partition.qos = Some(value.clone()).filter(|name| !name.is_empty() && !said("N/A")),
                "state" => partition.is_up = said("UP") || said("DRAIN"),
                "tresbillingweights" => {
                    let (weights, others) = billing(value);
                    partition.billing = Some(weights);
                    if !others.is_empty() {
                        let words = format!("TRESBillingWeights {:.60} of partition {}", others.join(","), self.name);
                        findings.note(FindingKind::NotModelled, line, words);
                    }
                }
                known if WITHOUT_EFFECT.contains(&known) => {}
                _ => match PERMITS.iter().find(|name| name.eq_ignore_ascii_case(key)) {
                    Some(_) if is_for_all => {}
                    Some(name) => permits.push(name),
                    None => findings.note(FindingKind::Unknown, line, format!("{key:.60} of a partition")),
                },
            }
        }
        if !permits.is_empty() {
            let words = format!(
                "{} of partition {}: who may use it is not looked at; jobs go where the log has them",
                permits.join(", "),
                self.name
            );
            findings.note(FindingKind::NotModelled, line, words);
        }
        if partition.max_nodes.is_some_and(|most| most < partition.min_nodes) {
            findings.wrong(line, format!("partition {}: MaxNodes is less than MinNodes; no job could run", self.name));
        }
        if let (Some(most), Some(usual)) = (partition.max_time, partition.default_time)
            && usual > most
        {
            let words =
                format!("DefaultTime of partition {} is longer than its MaxTime; Slurm reads it over", self.name);
            findings.note(FindingKind::Ignored, line, words);
            partition.default_time = None;
        }
        // a partition may be meant to have none
        let is_meant = self
            .words
            .iter()
            .rfind(|(key, _)| key.eq_ignore_ascii_case("nodes"))
            .is_some_and(|(_, list)| list.trim().is_empty());
        if partition.nodes.is_empty() && !is_meant && places.future.is_empty() && !nodes.is_empty() {
            findings.wrong(line, format!("partition {} has no nodes", self.name));
        }
        partition
    }

    fn nodes(&self, list: &str, places: &PartitionPlaces<'_>, findings: &mut FindingLog<'_>) -> Vec<u32> {
        let names = match expand(list, MOST_NODES) {
            Ok(names) => names,
            Err(wrong) => {
                findings.wrong(self.line, format!("Nodes of partition {}: {wrong}", self.name));
                return Vec::new();
            }
        };
        let of_set = |name: &String| places.sets.iter().find(|set| set.name == *name);
        let (sets, names): (Vec<_>, Vec<_>) = names.iter().partition(|name| of_set(name).is_some());
        let (known, unknown): (Vec<_>, Vec<_>) =
            names.into_iter().partition(|name| places.names.contains_key(name.as_str()));
        let unknown: Vec<_> = unknown.into_iter().filter(|name| !places.future.contains(name.as_str())).collect();
        // where no file tells of nodes, that is said once
        if let Some(name) = unknown.first().filter(|_| !places.names.is_empty() || !places.future.is_empty()) {
            let more = if unknown.len() > 1 { format!(" and {} others", unknown.len() - 1) } else { String::new() };
            findings.wrong(self.line, format!("partition {}: there is no node {name}{more}", self.name));
        }
        let mut nodes: Vec<u32> = known.into_iter().map(|name| places.names[name.as_str()]).collect();
        nodes.extend(sets.into_iter().filter_map(of_set).flat_map(|set| &set.nodes));
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

/// Whole seconds.
fn seconds(text: &str) -> Option<i64> {
    text.parse::<u32>().ok().map(i64::from)
}

/// How the name of GPUs of a type begins among resources.
const GPU_OF_KIND: &str = "gres/gpu:";

/// Reads `CPU=1.0,Mem=0.25G,GRES/gpu=2.0`. Memory is weighted by GiB. Returns the words of which the weight does not count
/// beside the weights.
fn billing(text: &str) -> (TresAmounts, Vec<&str>) {
    let (mut weights, mut others) = (TresAmounts::default(), Vec::new());
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let (name, weight) = word.split_once('=').unwrap_or((word, ""));
        let unit = weight.trim().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = weight.trim().trim_end_matches(unit).parse::<f64>().ok();
        match (name.trim().to_ascii_lowercase().as_str(), number) {
            ("cpu", Some(number)) => weights.cpus = Some(number),
            ("mem", Some(number)) => {
                let of_a_gib = match unit.to_ascii_uppercase().as_str() {
                    "G" => 1.0,
                    "T" => 1.0 / 1024.0,
                    _ => 1024.0,
                };
                weights.memory = Some(number * of_a_gib);
            }
            ("node", Some(number)) => weights.nodes = Some(number),
            ("gres/gpu", Some(number)) => weights.gpus = Some(number),
            (name, Some(number)) if name.len() > GPU_OF_KIND.len() && name.starts_with(GPU_OF_KIND) => {
                weights.gpu_kinds.push((name[GPU_OF_KIND.len()..].to_owned(), number));
            }
            (_, Some(0.0)) => {}
            _ => others.push(word),
        }
    }
    (weights, others)
}

//! A site, whatever files it was read from.

use super::partitions::PreemptedJobs;
use super::{
    Accounts, AssociationUsage, Finding, Licence, MemoryRules, Node, NodeAway, NodeEvent, NodeSet, Parameters,
    PowerSaving, PriorityPlan, Qos, SiteReservation, SlurmPartition, Switch, Version,
};
use packfair_base::catalogue::NamedFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A Slurm site: the part of its configuration that decides on starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Site {
    pub version: Version,
    /// The name of the cluster; empty where no file tells it.
    pub cluster: String,
    /// All nodes, in the order of `slurm.conf`, by which Slurm numbers them.
    pub nodes: Vec<Node>,
    pub node_sets: Vec<NodeSet>,
    /// The names of nodes that are not there yet (State=FUTURE).
    pub future_nodes: BTreeSet<String>,
    pub partitions: Vec<SlurmPartition>,
    /// Whether SchedulerType is sched/backfill, and not sched/builtin.
    pub has_backfill: bool,
    pub parameters: Parameters,
    pub priority: PriorityPlan,
    /// What AccountingStorageEnforce enforces.
    pub enforced: Enforced,
    /// Whether jobs take whole nodes, whatever they ask for (select/linear).
    pub is_linear: bool,
    /// Whether memory is counted (SelectTypeParameters ..._Memory).
    pub counts_memory: bool,
    /// The memory of jobs that ask for none, where their partition does not tell.
    pub memory: MemoryRules,
    /// Whether jobs may have processors of nodes that are for the system (AllowSpecResourcesUsage).
    #[serde(default)]
    pub allows_reserved: bool,
    /// Whether jobs go to the nodes that are loaded least (CR_LLN).
    pub is_least_loaded: bool,
    /// Whether the switches decide on which nodes a job gets (TopologyPlugin=topology/tree).
    #[serde(default)]
    pub has_tree: bool,
    /// Whether they do so only for jobs that ask for a number of switches (TopologyParam=TopoOptional).
    #[serde(default)]
    pub is_tree_optional: bool,
    /// The switches, in the order of `topology.conf`.
    #[serde(default)]
    pub switches: Vec<Switch>,
    /// The licences of the cluster.
    pub licences: Vec<Licence>,
    pub preempt_by: PreemptBy,
    /// What becomes of preempted jobs where their partition or QOS does not say so itself (PreemptMode).
    pub preempted: PreemptedJobs,
    /// Whether suspended jobs are resumed (GANG in PreemptMode).
    #[serde(default)]
    pub has_gang: bool,
    /// Whether by QOS a job may preempt others of its own QOS that have a lower priority (PreemptMode=WITHIN).
    #[serde(default)]
    pub preempts_within: bool,
    /// Whether jobs preempt only those that have a lower priority (PreemptMode=PRIORITY).
    #[serde(default)]
    pub preempts_by_priority: bool,
    /// For how long nobody preempts a job that has started where its QOS does not say so itself (PreemptExemptTime), seconds.
    #[serde(default)]
    pub exempt_time: i64,
    /// Whether jobs wait again that were killed because a node failed (JobRequeue).
    pub requeues: bool,
    /// KillWait, seconds.
    pub kill_wait: i64,
    /// OverTimeLimit, seconds.
    pub over_time: i64,
    /// CompleteWait, seconds.
    pub complete_wait: i64,
    /// Which nodes are switched off while they idle (SuspendTime and its like).
    #[serde(default)]
    pub power: PowerSaving,
    /// Accounts and users, with their shares and limits.
    pub accounts: Accounts,
    /// What associations have used by the time at which sshare was asked; empty without it.
    #[serde(default)]
    pub usage: Vec<AssociationUsage>,
    /// All QOS.
    pub qos: Vec<Qos>,
    pub reservations: Vec<SiteReservation>,
    /// Nodes that were drained or down.
    pub events: Vec<NodeEvent>,
    /// Nodes that were drained or down when they were listed.
    #[serde(default)]
    pub away: Vec<NodeAway>,
    pub findings: Vec<Finding>,
    /// The `slurm.conf`, where there is one.
    pub conf: Option<ConfText>,
    pub files: Vec<NamedFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfText {
    pub name: String,
    pub text: String,
}

/// What AccountingStorageEnforce names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforced {
    /// Whether users without an association run nothing.
    pub associations: bool,
    /// Whether limits of associations and QOS hold.
    pub limits: bool,
    /// Whether jobs may only use a QOS that they are allowed to.
    pub qos: bool,
    /// Whether jobs wait that could exceed GrpTRESMins before they end.
    #[serde(default)]
    pub safe: bool,
}

/// Which jobs may take the nodes of running jobs (PreemptType).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PreemptBy {
    #[default]
    Nobody,
    /// Jobs of a higher partition tier.
    Partition,
    /// Jobs of a QOS that may preempt the QOS of the running job.
    Qos,
}

impl Site {
    /// Whether jobs of some partition or QOS are killed when they are preempted.
    pub fn kills_preempted(&self) -> bool {
        match self.preempt_by {
            PreemptBy::Nobody => false,
            PreemptBy::Partition => (0..self.partitions.len() as u32).any(|at| self.kills_preempted_of(at, None)),
            PreemptBy::Qos => (0..self.qos.len() as u32).any(|at| self.kills_preempted_of(0, Some(at))),
        }
    }

    /// Whether the jobs of a partition and a QOS, given by their places, are killed when they are preempted.
    pub fn kills_preempted_of(&self, partition: u32, qos: Option<u32>) -> bool {
        self.preempted_of(partition, qos) == Some(PreemptedJobs::Killed)
    }

    /// What becomes of preempted jobs of a partition and a QOS; none where nobody is preempted.
    fn preempted_of(&self, partition: u32, qos: Option<u32>) -> Option<PreemptedJobs> {
        let own = match self.preempt_by {
            PreemptBy::Nobody => return None,
            PreemptBy::Partition => self.partitions.get(partition as usize).and_then(|partition| partition.preempted),
            PreemptBy::Qos => qos.and_then(|at| self.qos[at as usize].preempted),
        };
        Some(own.unwrap_or(self.preempted))
    }

    /// Whether jobs of some partition or QOS are suspended when they are preempted.
    pub fn suspends_preempted(&self) -> bool {
        match self.preempt_by {
            PreemptBy::Nobody => false,
            PreemptBy::Partition => (0..self.partitions.len() as u32).any(|at| self.suspends_preempted_of(at, None)),
            PreemptBy::Qos => (0..self.qos.len() as u32).any(|at| self.suspends_preempted_of(0, Some(at))),
        }
    }

    /// Whether the jobs of a partition and a QOS, given by their places, are suspended when they are preempted. Without
    /// GANG nobody is, for nobody would be resumed.
    pub fn suspends_preempted_of(&self, partition: u32, qos: Option<u32>) -> bool {
        self.has_gang && self.preempted_of(partition, qos) == Some(PreemptedJobs::Suspended)
    }

    /// Has the reservations of which no file tells when they were made be known this long before they begin, seconds.
    pub fn announce(&mut self, before: i64) {
        // those that come again have been there before
        for reservation in self.reservations.iter_mut().filter(|reservation| reservation.repeat.is_none()) {
            let time = &mut reservation.time;
            time.announced = time.announced.or(Some(time.from.saturating_sub(before)));
        }
    }

    /// Has the nodes that were away when they were listed be so from a moment on, seconds since 1970 on the site's clock;
    /// those of which it is told, since they went.
    pub fn keep_away(&mut self, now: i64) {
        for NodeAway { node, since, what } in &self.away {
            let from = since.unwrap_or(now).min(now);
            let is_told =
                self.events.iter().any(|event| event.node == *node && event.until.is_none_or(|until| until > now));
            if !is_told {
                let (node, what) = (node.clone(), *what);
                self.events.push(NodeEvent { node, from, until: None, what, reason: String::new() });
            }
        }
    }

    /// A site of `nodes` nodes of one processor each, with the defaults of a version.
    pub fn plain(nodes: u32, version: Version) -> Self {
        Site {
            nodes: (1..=nodes).map(|number| Node::small(format!("n{number}"))).collect(),
            partitions: vec![SlurmPartition::of_all("batch", nodes as usize)],
            ..Site::empty(version)
        }
    }

    /// A site without nodes, with the defaults of a version.
    pub(super) fn empty(version: Version) -> Self {
        Site {
            version,
            cluster: String::new(),
            nodes: Vec::new(),
            node_sets: Vec::new(),
            future_nodes: BTreeSet::new(),
            partitions: Vec::new(),
            has_backfill: true,
            parameters: Parameters::default(),
            priority: PriorityPlan::default(),
            enforced: Enforced::default(),
            is_linear: false,
            counts_memory: false,
            memory: MemoryRules::default(),
            allows_reserved: false,
            is_least_loaded: false,
            has_tree: false,
            is_tree_optional: false,
            switches: Vec::new(),
            licences: Vec::new(),
            preempt_by: PreemptBy::Nobody,
            preempted: PreemptedJobs::Spared,
            has_gang: false,
            preempts_within: false,
            preempts_by_priority: false,
            exempt_time: 0,
            requeues: true,
            kill_wait: 30,
            over_time: 0,
            complete_wait: 0,
            power: PowerSaving::default(),
            accounts: Accounts::default(),
            usage: Vec::new(),
            qos: Vec::new(),
            reservations: Vec::new(),
            events: Vec::new(),
            away: Vec::new(),
            findings: Vec::new(),
            conf: None,
            files: Vec::new(),
        }
    }

    /// The number of processors of all nodes.
    pub fn cpus(&self) -> u64 {
        self.nodes.iter().map(|node| u64::from(node.cpus)).sum()
    }

    /// The place of the partition with a name; if the name is empty, of the default partition. None if there is none.
    pub fn partition(&self, name: &str) -> Option<usize> {
        if name.is_empty() {
            return self.partitions.iter().position(|partition| partition.is_default);
        }
        self.partitions.iter().position(|partition| partition.name == name)
    }
}

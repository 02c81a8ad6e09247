//! A site, whatever files it was read from.

use super::{
    Accounts, Finding, Node, NodeEvent, Parameters, Partition, PriorityPlan, Qos, Reservation, SiteChange, Version,
};
use crate::catalogue::NamedFile;
use serde::{Deserialize, Serialize};

/// A Slurm site: all of its configuration that decides starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Site {
    /// Whose decisions are made.
    pub version: Version,
    /// All nodes, in the order of `slurm.conf`, by which Slurm numbers them.
    pub nodes: Vec<Node>,
    /// All partitions.
    pub partitions: Vec<Partition>,
    /// SchedulerType is sched/backfill, not sched/builtin.
    pub has_backfill: bool,
    /// SchedulerParameters.
    pub parameters: Parameters,
    /// How jobs are weighed.
    pub priority: PriorityPlan,
    /// AccountingStorageEnforce.
    pub enforced: Enforced,
    /// Jobs take whole nodes, whatever they ask for (select/linear).
    pub is_linear: bool,
    /// Memory is counted (SelectTypeParameters ..._Memory).
    pub counts_memory: bool,
    /// PreemptType.
    pub preempt_by: PreemptBy,
    /// PreemptMode is REQUEUE or CANCEL: who is preempted, is killed.
    pub preempts: bool,
    /// JobRequeue: jobs wait again that were killed because a node failed.
    pub requeues: bool,
    /// KillWait, seconds.
    pub kill_wait: i64,
    /// OverTimeLimit, seconds.
    pub over_time: i64,
    /// CompleteWait, seconds.
    pub complete_wait: i64,
    /// Accounts, users, shares, and their limits.
    pub accounts: Accounts,
    /// All QOS.
    pub qos: Vec<Qos>,
    /// Announced reservations.
    pub reservations: Vec<Reservation>,
    /// Nodes that were drained or down.
    pub events: Vec<NodeEvent>,
    /// What is to be said of the files.
    pub findings: Vec<Finding>,
    /// Its `slurm.conf`, where there is one.
    pub conf: Option<ConfText>,
    /// The files that it was read from, by name and content.
    pub files: Vec<NamedFile>,
}

/// A `slurm.conf` as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfText {
    /// What it is called.
    pub name: String,
    /// All of it.
    pub text: String,
}

/// What AccountingStorageEnforce names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enforced {
    /// Who has no association, runs nothing.
    pub associations: bool,
    /// Limits of associations and QOS hold.
    pub limits: bool,
    /// Jobs run with a QOS that they may have.
    pub qos: bool,
}

/// Who may take running jobs' nodes (PreemptType).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PreemptBy {
    /// Nobody.
    #[default]
    Nobody,
    /// Jobs of a higher partition tier.
    Partition,
    /// Jobs of a QOS that preempts theirs.
    Qos,
}

impl Site {
    /// A site of `nodes` nodes of one processor each, with the defaults of a version.
    pub fn plain(nodes: u32, version: Version) -> Self {
        let node = |number: u32| Node {
            name: format!("n{number}"),
            cpus: 1,
            memory: 1,
            gpus: 0,
            weight: 1,
            features: Vec::new(),
        };
        Site {
            nodes: (1..=nodes).map(node).collect(),
            partitions: vec![Partition::of_all("batch", nodes as usize)],
            ..Site::empty(version)
        }
    }

    /// Without nodes, with the defaults of a version.
    pub(super) fn empty(version: Version) -> Self {
        Site {
            version,
            nodes: Vec::new(),
            partitions: Vec::new(),
            has_backfill: true,
            parameters: Parameters::default(),
            priority: PriorityPlan::default(),
            enforced: Enforced::default(),
            is_linear: false,
            counts_memory: false,
            preempt_by: PreemptBy::Nobody,
            preempts: false,
            requeues: true,
            kill_wait: 30,
            over_time: 0,
            complete_wait: 0,
            accounts: Accounts::default(),
            qos: Vec::new(),
            reservations: Vec::new(),
            events: Vec::new(),
            findings: Vec::new(),
            conf: None,
            files: Vec::new(),
        }
    }

    /// The same with changes.
    ///
    /// # Errors
    /// It has nothing of the name that a change is of.
    pub fn changed(&self, changes: &[SiteChange]) -> Result<Site, String> {
        let mut site = self.clone();
        changes.iter().try_for_each(|change| change.apply(&mut site))?;
        Ok(site)
    }

    /// All processors.
    pub fn cpus(&self) -> u64 {
        self.nodes.iter().map(|node| u64::from(node.cpus)).sum()
    }

    /// The partition of a name; that of jobs that name none where it is empty.
    pub fn partition(&self, name: &str) -> Option<usize> {
        if name.is_empty() {
            return self.partitions.iter().position(|partition| partition.is_default);
        }
        self.partitions.iter().position(|partition| partition.name == name)
    }
}

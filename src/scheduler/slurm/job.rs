//! A job as slurmctld knows it.

use super::node_set::NodeSet;
use super::reason::Waits;
use super::room::{Allocation, Ask};
use crate::model::Waiting;
use crate::slurm::Partition;
use crate::workload::{ArrayTask, JobId, JobSite, Request, Seconds};
use std::cmp::Ordering;

/// A job that waits.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub waiting: Waiting,
    /// Its place in the workload.
    pub place: JobId,
    /// Since when nothing keeps it from being eligible; none: something does.
    pub eligible: Option<Seconds>,
    /// Its limit, whole minutes, in seconds.
    pub limit: Seconds,
    /// The partition of this entry.
    pub partition: u32,
    /// Whether it waits in other partitions too.
    pub has_others: bool,
    pub turn: Turn,
    /// The task of an array that it is.
    pub task: Option<ArrayTask>,
    /// Tier of its partition.
    pub tier: u32,
    pub association: Option<u32>,
    pub qos: Option<u32>,
    /// The QOS of its partition.
    pub partition_qos: Option<u32>,
    /// Its user, by the log's number.
    pub user: i32,
    /// Its user and its name, by the log's numbers.
    pub namesakes: (i32, i32),
    pub ask: Ask,
    /// The fewest nodes that it asked for.
    pub least_nodes: u32,
    /// What a second of it is billed.
    pub billing: f64,
    pub priority: f64,
    /// When it last had running jobs killed.
    pub preempting: Option<Seconds>,
    /// What it has waited for.
    pub waits: Waits,
}

/// Whose turn comes first where priorities and submit times are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    /// The job, of an array the first of its tasks.
    pub head: JobId,
    /// Which of the partitions that it names.
    pub entry: u32,
    /// Which task of the array.
    pub task: i64,
    job: JobId,
}

/// A job that runs, or has ended and whose nodes are not free yet.
#[derive(Clone, Debug)]
pub(super) struct Running {
    pub job: Job,
    /// When it started, with the part of the second.
    pub start: f64,
    /// When its limit ends.
    pub end: Seconds,
    /// The simulation has ended it in this second; here it goes in a moment.
    pub is_over: bool,
    /// It was preempted, and waits again.
    pub is_requeued: bool,
    pub allocation: Allocation,
}

impl Job {
    /// The partitions in which a job waits that asks for so many times its limit, by their places.
    pub(super) fn partitions(
        waiting: &Waiting,
        (request, place): (&Request, JobId),
        jobs: &JobSite,
        limits: f64,
    ) -> Vec<u32> {
        let site = &jobs.site;
        let (nodes, _) = jobs.nodes_and_gpus(place.index());
        let limit = limit_of(waiting, limits);
        let takes = |partition: &Partition| {
            let cpus: u64 = partition.nodes.iter().map(|&at| u64::from(site.nodes[at as usize].cpus)).sum();
            partition.is_added
                && partition.max_time.is_none_or(|longest| limit <= longest)
                && nodes as usize <= partition.nodes.len()
                && u64::from(waiting.processors) <= cpus
        };
        if let Some(added) = site.partitions.iter().position(takes) {
            return vec![added as u32];
        }
        let own = jobs.partitions(request);
        let has_nodes =
            |at: &u32| site.partitions.get(*at as usize).is_some_and(|partition| !partition.nodes.is_empty());
        let there: Vec<u32> = own.iter().copied().filter(has_nodes).collect();
        if !there.is_empty() {
            return there;
        }
        // a partition without nodes holds nobody: its jobs go where there are some
        let other = site.partitions.iter().position(|partition| !partition.nodes.is_empty());
        other.map(|at| at as u32).or(own.first().copied()).into_iter().collect()
    }

    /// What waits in a partition of a site, and asks for so many times its limit; with its request, and its place in the
    /// workload.
    pub(super) fn new(
        waiting: Waiting,
        partition: u32,
        (request, id): (&Request, JobId),
        jobs: &JobSite,
        limits: f64,
    ) -> Self {
        let place = id.index();
        let (nodes, gpus) = jobs.nodes_and_gpus(place);
        let site = &jobs.site;
        let limit = limit_of(&waiting, limits);
        let rules = site.partitions.get(partition as usize);
        let qos = jobs.qos(request);
        let has_small_nodes = site.nodes.iter().all(|node| node.cpus == 1);
        let is_exclusive = site.is_linear || rules.is_some_and(|rules| rules.is_exclusive);
        let gpus_of_each = if nodes > 0 { gpus.div_ceil(nodes) } else { gpus };
        // where nobody tells what it asked for, as many as it got, in a machine of which all nodes are known
        let as_many = if has_small_nodes || nodes == 0 { (1, 0) } else { (nodes, nodes) };
        let range = jobs.node_range(place);
        let ask = Ask {
            nodes: if has_small_nodes { 0 } else { nodes.min(waiting.processors) },
            node_range: range.unwrap_or(as_many),
            cpus: waiting.processors,
            gpus: gpus_of_each,
            memory: if site.counts_memory { jobs.memory(place).div_ceil(u64::from(nodes.max(1))) } else { 0 },
            is_exclusive,
        };
        let weights = rules.and_then(|rules| rules.billing.as_ref());
        let cpus = f64::from(waiting.processors);
        let billing = weights.map_or(cpus, |weights| {
            weights.cpus.unwrap_or(0.0) * cpus
                + weights.gpus.unwrap_or(0.0) * f64::from(gpus)
                + weights.nodes.unwrap_or(0.0) * f64::from(nodes)
                + weights.memory.unwrap_or(0.0) * jobs.memory(place) as f64 / 1024.0
        });
        let usage_factor = qos.map_or(1.0, |at| site.qos[at as usize].usage_factor);
        let partition_qos = rules.and_then(|rules| rules.qos.as_deref());
        let partition_qos = partition_qos.and_then(|name| site.qos.iter().position(|qos| qos.name == name));
        Job {
            waits: Waits::new(waiting.submit),
            partition_qos: partition_qos.map(|at| at as u32),
            place: id,
            eligible: Some(waiting.submit),
            namesakes: (request.user, request.executable),
            turn: Turn { head: waiting.job, entry: 0, task: 0, job: waiting.job },
            has_others: false,
            task: None,
            waiting,
            limit,
            partition,
            tier: rules.map_or(1, |rules| rules.tier),
            association: jobs.association(request),
            qos,
            user: request.user,
            ask,
            least_nodes: range.map_or(1, |(least, _)| least),
            billing: billing * usage_factor,
            priority: 0.0,
            preempting: None,
        }
    }

    /// The same as the entry of this number.
    pub(super) fn in_turn(mut self, entry: u32) -> Self {
        self.turn.entry = entry;
        self
    }

    /// The order of the queue: tier, priority, submit time, number, partition, task.
    pub(super) fn before(&self, other: &Job) -> Ordering {
        let tier = other.tier.cmp(&self.tier).then(other.priority.total_cmp(&self.priority));
        let (own, others) = (&self.waiting, &other.waiting);
        tier.then(own.submit.cmp(&others.submit)).then_with(|| self.turn.cmp(&other.turn))
    }
}

/// A job that has ended and whose nodes are not free yet.
#[derive(Clone, Debug)]
pub(super) struct Completing {
    pub run: Running,
    /// When it ended.
    pub since: Seconds,
}

/// The limit of a job that asks for so many times what it did: whole minutes, in seconds.
fn limit_of(waiting: &Waiting, limits: f64) -> Seconds {
    let minutes = (waiting.estimate * limits / 60.0).ceil().max(1.0) as Seconds;
    minutes * 60
}

impl Running {
    /// Its nodes.
    pub(super) fn nodes(&self) -> &NodeSet {
        &self.allocation.nodes
    }
}

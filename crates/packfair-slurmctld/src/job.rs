//! A job as slurmctld knows it.

use super::node_set::NodeBits;
use super::reason::WaitReasons;
use super::room::{Allocation, Ask, MemoryAsk, NodeOrder, Nodes};
use super::tree::SwitchAsk;
use packfair_engine::model::Waiting;
use packfair_slurm::{MemoryRule, Site, SlurmParameter, SlurmPartition, TresAmounts};
use packfair_workload::{ArrayTask, AskedMemory, JobId, JobSite, NodeSharing, Request, Seconds, SiteRequest};
use std::cmp::Ordering;

/// An entry of the queue: a job that waits in a partition.
#[derive(Clone, Debug)]
pub(super) struct JobState {
    pub waiting: Waiting,
    pub place: JobId,
    /// When the job became eligible; none as long as something keeps it from being eligible.
    pub eligible: Option<Seconds>,
    /// The time limit in whole minutes, given in seconds.
    pub limit: Seconds,
    pub partition: u32,
    /// Whether the job has other entries: in other partitions, or of its other parts.
    pub has_others: bool,
    /// The part of a heterogeneous job that it is: its number from 0 on, and how many there are. None for a whole job.
    pub part: Option<(u32, u32)>,
    pub turn: Turn,
    pub task: Option<ArrayTask>,
    pub tier: u32,
    pub association: Option<u32>,
    pub qos: Option<u32>,
    /// The QOS of the partition.
    pub partition_qos: Option<u32>,
    pub user: i32,
    pub namesakes: (i32, i32),
    /// Whether jobs of other users may not run on its nodes.
    pub is_of_one_user: bool,
    pub ask: Ask,
    /// How long the job waits for few switches, seconds.
    switch_wait: Seconds,
    /// When slurmctld first tried to start it, where it asks for few switches.
    tried: Option<Seconds>,
    /// Whether it is in a reservation that is known, and that could hold it.
    pub is_reserved: bool,
    /// Whether it wants more memory than MaxMemPerNode allows.
    pub is_over_memory: bool,
    pub least_nodes: u32,
    /// The billing of a second of the job.
    pub billing: f64,
    pub priority: f64,
    /// When the job last had running jobs killed.
    pub preempting: Option<Seconds>,
    pub waits: WaitReasons,
}

/// The sort key among entries with equal priorities and submit times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    /// The job; for a task of an array, the first task.
    pub head: JobId,
    /// The number of the partition among those that the job names.
    pub entry: u32,
    pub task: i64,
    job: JobId,
}

/// A job that runs, or that has ended and whose nodes are not free yet.
#[derive(Clone, Debug)]
pub(super) struct AllocatedJob {
    pub job: JobState,
    /// When it started, seconds with a fraction.
    pub start: f64,
    pub end: Seconds,
    /// Whether the simulation has ended the job in this second. Here it ends a moment later.
    pub is_over: bool,
    /// Whether it was preempted, and waits again.
    pub is_requeued: bool,
    pub allocation: Allocation,
}

impl JobState {
    /// The places of the partitions in which a job waits whose time limit is multiplied by `limits`.
    pub(super) fn partitions(
        waiting: &Waiting,
        (request, place): (&Request, JobId),
        jobs: &JobSite,
        limits: f64,
    ) -> Vec<u32> {
        let site = &jobs.site;
        let SiteRequest { nodes, options, .. } = jobs.asks(place.index());
        let limit = limit_of(waiting, limits);
        let kinds = jobs.gpus_by_type(options);
        let is_of_kind = |partition: &SlurmPartition| {
            let mut there = partition.nodes.iter().flat_map(|&at| &site.nodes[at as usize].gpu_kinds).peekable();
            // one of GPUs of a type is for who asks for that type, unless it is for short jobs
            partition.max_time.is_some()
                || there.peek().is_none()
                || there.any(|(kind, _)| kinds.iter().any(|(own, _)| own == kind))
        };
        let takes = |partition: &SlurmPartition| {
            let cpus: u64 = partition.nodes.iter().map(|&at| u64::from(site.nodes[at as usize].cpus)).sum();
            partition.is_added
                && partition.max_time.is_none_or(|longest| limit <= longest)
                && is_of_kind(partition)
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
        // a partition without nodes holds no job: its jobs go to one with nodes
        let other = site.partitions.iter().position(|partition| !partition.nodes.is_empty());
        other.map(|at| at as u32).or(own.first().copied()).into_iter().collect()
    }

    /// The entry of a job, or of a part of one, in a partition of a site. The time limit is multiplied by `limits`. The first
    /// tuple has what it asks for and the partition, the second the job's request and its place in the workload.
    pub(super) fn new(
        waiting: Waiting,
        (asks, partition): (&SiteRequest, u32),
        (request, id): (&Request, JobId),
        (jobs, on): (&JobSite, &Nodes),
        limits: f64,
    ) -> Self {
        let SiteRequest { nodes, gpus, node_range: range, options, .. } = *asks;
        let site = &jobs.site;
        let limit = limit_of(&waiting, limits);
        let rules = site.partitions.get(partition as usize);
        let qos = jobs.qos(request);
        let has_small_nodes = site.nodes.iter().all(|node| node.cpus == 1);
        let want = &on.wants()[options as usize];
        let is_exclusive =
            site.is_linear || want.sharing == NodeSharing::Nobody || rules.is_some_and(|rules| rules.is_exclusive);
        let gpus_of_each = if nodes > 0 { gpus.div_ceil(nodes) } else { gpus };
        // if the request is not known, the job asks for what it got, on a machine of which all nodes are known
        let as_many = if has_small_nodes || nodes == 0 { (1, 0) } else { (nodes, nodes) };
        let kinds = want.kinds_of_each(nodes);
        let memory = memory_of(jobs, asks, rules, (waiting.processors, nodes.max(1), gpus));
        let (times, asked_cpus, memory) = within_limit(memory, (jobs, asks, rules), (waiting.processors, nodes.max(1)));
        // a job of which each node has a whole number of tasks
        let of_task = want.of_task.max(1).saturating_mul(times);
        let ask = Ask {
            nodes: if has_small_nodes { 0 } else { nodes.min(waiting.processors) },
            node_range: range.unwrap_or(as_many),
            cpus: asked_cpus,
            of_task: if asked_cpus.is_multiple_of(of_task) { of_task } else { 0 },
            // the options may tell what no other column does
            gpus: gpus_of_each.max(kinds.sum()),
            kinds,
            memory,
            is_exclusive,
            order: match () {
                () if site.is_least_loaded || rules.is_some_and(|rules| rules.is_least_loaded) => {
                    NodeOrder::LeastLoaded
                }
                () if waiting.processors == 1 && site.parameters.has(SlurmParameter::PackSerialAtEnd) => {
                    NodeOrder::FromEnd
                }
                () => NodeOrder::Tightest,
            },
            switches: match (want.switches, on.tree.as_deref()) {
                (Some((most, _)), Some(_)) => SwitchAsk::AtMost(most),
                (None, Some(tree)) if tree.is_optional => SwitchAsk::Rows,
                _ => SwitchAsk::Fewest,
            },
            want: options,
        };
        let weights = rules.and_then(|rules| rules.billing.as_ref());
        let cpus = f64::from(waiting.processors);
        let billing = weights.map_or(cpus, |weights| {
            weights.cpus.unwrap_or(0.0) * cpus
                + billing_of_gpus(weights, gpus, jobs.gpus_by_type(options), (site, rules))
                + weights.nodes.unwrap_or(0.0) * f64::from(nodes)
                + weights.memory.unwrap_or(0.0) * f64::from(asks.memory) / 1024.0
        });
        let usage_factor = qos.map_or(1.0, |at| site.qos[at as usize].usage_factor);
        let partition_qos = rules.and_then(|rules| rules.qos.as_deref());
        let partition_qos = partition_qos.and_then(|name| site.qos.iter().position(|qos| qos.name == name));
        JobState {
            waits: WaitReasons::new(waiting.submit),
            partition_qos: partition_qos.map(|at| at as u32),
            place: id,
            eligible: Some(waiting.submit),
            namesakes: (request.user, request.executable),
            turn: Turn { head: waiting.job, entry: 0, task: 0, job: waiting.job },
            is_of_one_user: want.sharing == NodeSharing::OwnUser || rules.is_some_and(|rules| rules.is_of_one_user),
            has_others: false,
            part: None,
            task: None,
            waiting,
            limit,
            partition,
            tier: rules.map_or(1, |rules| rules.tier),
            association: jobs.association(request, partition),
            qos,
            user: request.user,
            ask,
            switch_wait: want.switches.map_or(0, |(_, wait)| wait),
            tried: None,
            is_reserved: !want.reservations.is_empty(),
            is_over_memory: rules.is_some_and(|rules| jobs.is_over_memory(asks, waiting.processors, rules)),
            least_nodes: range.map_or(1, |(least, _)| least),
            billing: billing * usage_factor,
            priority: 0.0,
            preempting: None,
        }
    }

    /// Notes that slurmctld tries to start the job: from the first time on it waits for few switches, and then takes any.
    pub(super) fn try_at(&mut self, now: Seconds) {
        if let SwitchAsk::AtMost(_) = self.ask.switches {
            self.tried.get_or_insert(now);
            if self.any_switch_from().is_some_and(|from| from <= now) {
                self.ask.switches = SwitchAsk::Fewest;
            }
        }
    }

    /// From when on the job takes any number of switches, while it waits for few.
    pub(super) fn any_switch_from(&self) -> Option<Seconds> {
        let waits = matches!(self.ask.switches, SwitchAsk::AtMost(_));
        self.tried.filter(|_| waits).map(|tried| tried + self.switch_wait)
    }

    /// The same job as the entry with this number.
    pub(super) fn in_turn(mut self, entry: u32) -> Self {
        self.turn.entry = entry;
        self
    }

    /// How many parts the job has.
    pub(super) fn parts(&self) -> u32 {
        self.part.map_or(1, |(_, of)| of)
    }

    /// Whether what counts once for a job counts for this part of it.
    pub(super) fn is_first_part(&self) -> bool {
        self.part.is_none_or(|(part, _)| part == 0)
    }

    /// The order of the queue: tier, priority, submit time, number, partition, task.
    pub(super) fn before(&self, other: &JobState) -> Ordering {
        let tier = other.tier.cmp(&self.tier).then(other.priority.total_cmp(&self.priority));
        let (own, others) = (&self.waiting, &other.waiting);
        tier.then(own.submit.cmp(&others.submit)).then_with(|| self.turn.cmp(&other.turn))
    }
}

/// What a job's GPUs are billed, of which it asks for some by type. Those of which no type is told count as the first type of its
/// partition, because it has one once it runs.
fn billing_of_gpus(
    weights: &TresAmounts,
    gpus: u32,
    kinds: &[(String, u32)],
    (site, rules): (&Site, Option<&SlurmPartition>),
) -> f64 {
    let of_any = weights.gpus.unwrap_or(0.0) * f64::from(gpus);
    if weights.gpu_kinds.is_empty() || gpus == 0 {
        return of_any;
    }
    let weight = |kind: &str| {
        let own = weights.gpu_kinds.iter().find(|(own, _)| own.eq_ignore_ascii_case(kind));
        own.map_or(0.0, |(_, weight)| *weight)
    };
    let typed: f64 = kinds.iter().map(|(kind, count)| weight(kind) * f64::from(*count)).sum();
    let rest = gpus.saturating_sub(kinds.iter().map(|(_, count)| count).sum());
    let there = rules.into_iter().flat_map(|rules| &rules.nodes).flat_map(|&at| &site.nodes[at as usize].gpu_kinds);
    let usual = there.map(|(kind, _)| weight(kind)).next().unwrap_or(weights.gpu_kinds[0].1);
    of_any + typed + usual * f64::from(rest)
}

/// The memory that a job asks for, or gets where it asks for none. The tuple has its processors, nodes and GPUs.
fn memory_of(
    jobs: &JobSite,
    asks: &SiteRequest,
    rules: Option<&SlurmPartition>,
    (cpus, nodes, gpus): (u32, u32, u32),
) -> MemoryAsk {
    let site = &jobs.site;
    if !site.counts_memory {
        return MemoryAsk::None;
    }
    let all = u64::from(asks.memory);
    let of_all = || if all == 0 { MemoryAsk::None } else { MemoryAsk::OfNode(all.div_ceil(u64::from(nodes))) };
    let of_gpus = |each: u64| MemoryAsk::OfNode(each * u64::from(gpus.div_ceil(nodes)));
    // who asks for more than MaxMemPerCPU got more processors instead
    let of_cpus =
        |each: u64| MemoryAsk::OfCpu(if all == 0 { each } else { each.min(all.div_ceil(u64::from(cpus.max(1)))) });
    match jobs.asked_memory(asks) {
        AskedMemory::OfNode(0) => MemoryAsk::Whole,
        AskedMemory::OfNode(each) => MemoryAsk::OfNode(u64::from(each)),
        AskedMemory::OfCpu(each) => of_cpus(u64::from(each)),
        AskedMemory::OfGpu(each) => of_gpus(u64::from(each)),
        AskedMemory::Unsaid if !asks.has_usual_memory => of_all(),
        AskedMemory::Unsaid => {
            match rules.map(|rules| rules.memory).unwrap_or_default().usual(&site.memory, gpus > 0) {
                Some(MemoryRule::OfCpu(each)) => MemoryAsk::OfCpu(each),
                Some(MemoryRule::OfNode(each)) => MemoryAsk::OfNode(each),
                Some(MemoryRule::OfGpu(each)) => of_gpus(each),
                None => of_all(),
            }
        }
    }
}

/// The processors and the memory that a job asks for once MaxMemPerCPU holds: who wants more for each processor gets as
/// many processors more as that takes, for each task, and less memory for each. The tuples have what the job asks for and its
/// partition, its processors and nodes. Returns how many times the processors of a task are multiplied, all processors, and the
/// memory.
fn within_limit(
    asked: MemoryAsk,
    (jobs, asks, rules): (&JobSite, &SiteRequest, Option<&SlurmPartition>),
    (cpus, nodes): (u32, u32),
) -> (u32, u32, MemoryAsk) {
    let most = rules.map(|rules| rules.memory).unwrap_or_default().most(&jobs.site.memory);
    let Some(MemoryRule::OfCpu(most)) = most else { return (1, cpus, asked) };
    let narrow = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    match asked {
        // without its memory in all it is not known whether the log's processors are already more
        MemoryAsk::OfCpu(each) if each > most && (asks.memory > 0 || asks.has_usual_memory) => {
            let times = each.div_ceil(most);
            let all = u64::from(cpus).saturating_mul(times);
            (narrow(times), narrow(all), MemoryAsk::OfCpu(each.div_ceil(times)))
        }
        MemoryAsk::OfNode(each) => {
            let nodes = u64::from(nodes);
            // what is known of all nodes together is not split evenly by Slurm
            let least = match jobs.asked_memory(asks) {
                AskedMemory::Unsaid => each.saturating_mul(nodes) / most,
                _ => each.div_ceil(most).saturating_mul(nodes),
            };
            (1, cpus.max(narrow(least)), asked)
        }
        // the log's processors are those that it got
        _ => match jobs.asked_memory(asks) {
            AskedMemory::OfCpu(each) => (narrow(u64::from(each).div_ceil(most.max(1)).max(1)), cpus, asked),
            _ => (1, cpus, asked),
        },
    }
}

/// A job that has ended and whose nodes are not free yet.
#[derive(Clone, Debug)]
pub(super) struct Completing {
    pub run: AllocatedJob,
    pub since: Seconds,
}

/// The time limit of a job multiplied by `limits`: whole minutes, in seconds.
fn limit_of(waiting: &Waiting, limits: f64) -> Seconds {
    let minutes = (waiting.estimate * limits / 60.0).ceil().max(1.0) as Seconds;
    minutes * 60
}

impl AllocatedJob {
    pub(super) fn nodes(&self) -> &NodeBits {
        &self.allocation.nodes
    }
}

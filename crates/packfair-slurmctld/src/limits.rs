//! Limits of QOS and accounts: whether a job may start beside the running jobs, and whether Slurm would have accepted
//! it.

use super::gpu_limits::GpuBook;
use super::job::{AllocatedJob, JobState};
use super::node_set::NodeBits;
use super::table::RunningJobs;
use packfair_slurm::{JobLimits, Site, TresAmounts};
use packfair_workload::Seconds;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A group of jobs that a limit counts together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum LimitScope {
    /// All jobs of a QOS.
    Qos(u32),
    /// The jobs of a QOS and a user, by the log's number.
    QosOfUser(u32, i32),
    /// The jobs of a QOS and an account, by the place of its association.
    QosOfAccount(u32, Option<u32>),
    Association(u32),
}

/// Amounts of resources, apart from GPUs of single types ([`GpuBook`]).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Amounts {
    cpus: f64,
    nodes: f64,
    gpus: f64,
    /// Memory, MiB.
    memory: f64,
    billing: f64,
}

/// What a group of jobs takes at present, apart from its nodes ([`GroupNodes`]).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct GroupUse {
    jobs: i64,
    amounts: Amounts,
}

/// The nodes on which jobs of a group run. A node counts once, however many of them share it.
#[derive(Clone, Debug, Default)]
struct GroupNodes {
    /// How many jobs of the group run on each node; as long as the last node of any of them.
    jobs: Vec<u32>,
    /// How many nodes have at least one.
    count: u32,
}

/// What a group of jobs has taken over time, decayed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Used {
    /// Amounts times seconds.
    amounts: Amounts,
    /// Wall-clock seconds.
    wall: f64,
}

/// The names of the limits of a kind in squeue: of processors, nodes, GPUs, memory, billing. Nodes at a time count apart
/// ([`LimitBook::held_by_nodes`]).
type LimitNames = [&'static str; 5];

const QOS_USER: LimitNames =
    ["QOSMaxCpuPerUserLimit", "", "QOSMaxGRESPerUser", "QOSMaxMemoryPerUser", "QOSMaxBillingPerUser"];
const QOS_ACCOUNT: LimitNames =
    ["MaxCpuPerAccount", "", "MaxGRESPerAccount", "MaxMemoryPerAccount", "MaxBillingPerAccount"];

/// The names of the limits of a whole group in squeue.
struct GroupNames {
    jobs: &'static str,
    wall: &'static str,
    at_a_time: LimitNames,
    minutes: LimitNames,
    run_minutes: LimitNames,
}

const QOS_GROUP: GroupNames = GroupNames {
    jobs: "QOSGrpJobsLimit",
    wall: "QOSGrpWallLimit",
    at_a_time: ["QOSGrpCpuLimit", "", "QOSGrpGRES", "QOSGrpMemLimit", "QOSGrpBilling"],
    minutes: [
        "QOSGrpCPUMinutesLimit",
        "QOSGrpNodeMinutes",
        "QOSGrpGRESMinutes",
        "QOSGrpMemMinutes",
        "QOSGrpBillingMinutes",
    ],
    run_minutes: [
        "QOSGrpCPURunMinutesLimit",
        "QOSGrpNodeRunMinutes",
        "QOSGrpGRESRunMinutes",
        "QOSGrpMemRunMinutes",
        "QOSGrpBillingRunMinutes",
    ],
};
const GROUP: GroupNames = GroupNames {
    jobs: "AssocGrpJobsLimit",
    wall: "AssocGrpWallLimit",
    at_a_time: ["AssocGrpCpuLimit", "", "AssocGrpGRES", "AssocGrpMemLimit", "AssocGrpBilling"],
    minutes: [
        "AssocGrpCPUMinutesLimit",
        "AssocGrpNodeMinutes",
        "AssocGrpGRESMinutes",
        "AssocGrpMemMinutes",
        "AssocGrpBillingMinutes",
    ],
    run_minutes: [
        "AssocGrpCPURunMinutesLimit",
        "AssocGrpNodeRunMinutes",
        "AssocGrpGRESRunMinutes",
        "AssocGrpMemRunMinutes",
        "AssocGrpBillingRunMinutes",
    ],
};

/// The place of GPUs in [`LimitNames`].
const GPUS: usize = 2;

/// What jobs take and have taken, by the groups that limits count together.
#[derive(Clone, Debug, Default)]
pub(super) struct LimitBook {
    limits: bool,
    /// Whether there is a limit of what running jobs may still take.
    limits_promises: bool,
    limits_use: bool,
    /// Whether there is a limit of the nodes of several jobs together.
    limits_nodes: bool,
    /// GPUs by type; none where no limit names a type.
    gpus: Option<GpuBook>,
    taken: FxHashMap<LimitScope, GroupUse>,
    /// The nodes by group; empty where no limit counts nodes.
    nodes: FxHashMap<LimitScope, GroupNodes>,
    used: FxHashMap<LimitScope, Used>,
    /// The number of jobs that wait or run, by group.
    submitted: FxHashMap<LimitScope, i64>,
}

impl Amounts {
    fn of(job: &JobState, nodes: f64) -> Self {
        Amounts {
            cpus: f64::from(job.ask.cpus),
            nodes,
            gpus: f64::from(job.ask.gpus) * nodes,
            memory: job.ask.memory.on_all(nodes, job.ask.cpus),
            billing: job.billing,
        }
    }

    fn add(&mut self, other: &Amounts, times: f64) {
        self.cpus += times * other.cpus;
        self.nodes += times * other.nodes;
        self.gpus += times * other.gpus;
        self.memory += times * other.memory;
        self.billing += times * other.billing;
    }

    fn times(&self, times: f64) -> Self {
        let mut all = Amounts::default();
        all.add(self, times);
        all
    }

    fn list(&self) -> [f64; 5] {
        [self.cpus, self.nodes, self.gpus, self.memory, self.billing]
    }

    /// The place of the first amount that a job would exceed that asks for `own` where these are taken. What the job exceeds
    /// by itself does not count, because by the log it ran.
    fn exceeds(&self, tres: &TresAmounts, own: &Amounts) -> Option<usize> {
        let amounts = limits_of(tres).into_iter().zip(self.list().into_iter().zip(own.list()));
        let exceeds = |(limit, (taken, own)): (Option<f64>, (f64, f64))| {
            limit.is_some_and(|most| own > 0.0 && own <= most && taken + own > most)
        };
        amounts.map(exceeds).position(|exceeds| exceeds)
    }

    /// The place of the first amount of which so many seconds have reached a limit of minutes, and a job asks for some.
    fn reaches(&self, tres: &TresAmounts, own: &Amounts) -> Option<usize> {
        let amounts = limits_of(tres).into_iter().zip(self.list().into_iter().zip(own.list()));
        let reaches = |(limit, (taken, own)): (Option<f64>, (f64, f64))| {
            limit.is_some_and(|most| own > 0.0 && taken / 60.0 >= most)
        };
        amounts.map(reaches).position(|reaches| reaches)
    }
}

/// Limits in the order of [`LimitNames`].
fn limits_of(tres: &TresAmounts) -> [Option<f64>; 5] {
    [tres.cpus, tres.nodes, tres.gpus, tres.memory, tres.billing]
}

impl GroupUse {
    fn of(job: &JobState, nodes: f64) -> Self {
        GroupUse { jobs: 1, amounts: Amounts { nodes: 0.0, ..Amounts::of(job, nodes) } }
    }

    fn add(&mut self, other: &GroupUse, sign: f64) {
        self.jobs += sign as i64;
        self.amounts.add(&other.amounts, sign);
    }
}

impl GroupNodes {
    fn add(&mut self, nodes: &NodeBits) {
        for node in nodes.iter() {
            if node >= self.jobs.len() {
                self.jobs.resize(node + 1, 0);
            }
            self.count += u32::from(self.jobs[node] == 0);
            self.jobs[node] += 1;
        }
    }

    fn remove(&mut self, nodes: &NodeBits) {
        for node in nodes.iter() {
            if let Some(jobs) = self.jobs.get_mut(node).filter(|jobs| **jobs > 0) {
                *jobs -= 1;
                self.count -= u32::from(*jobs == 0);
            }
        }
    }

    /// How many of these nodes have no job of the group.
    fn new_of(&self, nodes: &NodeBits) -> u32 {
        nodes.iter().filter(|&node| self.jobs.get(node).is_none_or(|&jobs| jobs == 0)).count() as u32
    }
}

/// The QOS that limit a job, that of its partition first.
fn qos_of(job: &JobState) -> impl Iterator<Item = u32> + use<> {
    let own = job.qos.filter(|&own| Some(own) != job.partition_qos);
    job.partition_qos.into_iter().chain(own)
}

/// The groups that a job is counted in.
fn scopes<'a>(job: &'a JobState, site: &'a Site) -> impl Iterator<Item = LimitScope> + 'a {
    let of_qos = qos_of(job).flat_map(|qos| {
        [LimitScope::Qos(qos), LimitScope::QosOfUser(qos, job.user), LimitScope::QosOfAccount(qos, account(job, site))]
    });
    let upwards = job.association.into_iter().flat_map(|own| site.accounts.upwards(own));
    of_qos.chain(upwards.map(LimitScope::Association))
}

/// What the QOS of a job say of a user or an account: of each resource the first QOS that limits it decides.
fn of_qos<'a>(
    job: &JobState,
    site: &'a Site,
    limits: fn(&JobLimits) -> &TresAmounts,
) -> impl Iterator<Item = (u32, Cow<'a, TresAmounts>)> {
    let mut those =
        qos_of(job).map(|at| (at, limits(&site.qos[at as usize].limits))).filter(|(_, tres)| !tres.is_empty());
    let first = those.next();
    let second = those.next().zip(first).map(|((at, tres), (_, first))| (at, Cow::Owned(tres.without(first))));
    first.map(|(at, tres)| (at, Cow::Borrowed(tres))).into_iter().chain(second)
}

fn account(job: &JobState, site: &Site) -> Option<u32> {
    job.association.and_then(|own| site.accounts.all[own as usize].parent)
}

/// Whether a job exceeds the MaxTime of its partition, or its number of nodes is outside the partition's limits.
pub(super) fn is_beyond(job: &JobState, site: &Site) -> bool {
    let nodes = job.ask.nodes;
    site.partitions.get(job.partition as usize).is_some_and(|rules| {
        job.is_over_memory
            || rules.max_time.is_some_and(|most| job.limit > most)
            || nodes > 0 && (rules.max_nodes.is_some_and(|most| nodes > most) || nodes < rules.min_nodes)
    })
}

impl LimitBook {
    pub(super) fn of(site: &Site) -> Self {
        let all = || site.qos.iter().map(|qos| &qos.limits).chain(site.accounts.all.iter().map(|one| &one.limits));
        LimitBook {
            limits: site.enforced.limits && all().any(|limits| *limits != JobLimits::default()),
            limits_promises: site.enforced.limits && all().any(|limits| !limits.tres_run_minutes.is_empty()),
            limits_use: site.enforced.limits
                && all().any(|limits| limits.wall_of_all.is_some() || !limits.tres_minutes.is_empty()),
            limits_nodes: site.enforced.limits
                && all().any(|limits| {
                    [&limits.tres, &limits.tres_of_user, &limits.tres_of_account]
                        .iter()
                        .any(|tres| tres.nodes.is_some())
                }),
            gpus: GpuBook::of(site).filter(|_| site.enforced.limits),
            ..LimitBook::default()
        }
    }

    /// Whether a limit depends on what running jobs may still take, which falls with each second.
    pub(super) fn counts_promises(&self) -> bool {
        self.limits_promises
    }

    /// Drops all limits, because nothing could go on otherwise.
    pub(super) fn lift(&mut self) {
        (self.limits, self.limits_use, self.limits_promises, self.limits_nodes) = (false, false, false, false);
        self.gpus = None;
    }

    /// Whether a limit depends on what was taken over time.
    pub(super) fn counts_use(&self) -> bool {
        self.limits_use
    }

    /// Counts a job that is submitted. Returns whether Slurm would have refused it: it is longer than MaxWall or its
    /// partition's MaxTime, it has too many nodes or processors for a limit of single jobs or of its partition, or too many
    /// jobs wait or run already. By the log it ran, so this is only counted.
    pub(super) fn submit(&mut self, job: &JobState, site: &Site) -> bool {
        let is_beyond = is_beyond(job, site);
        if !self.limits {
            return is_beyond;
        }
        let of_qos = qos_of(job).map(|at| &site.qos[at as usize].limits);
        let own = job.association.into_iter().flat_map(|own| site.accounts.upwards(own));
        let nodes = f64::from(job.ask.nodes.max(1));
        let alone = Amounts::of(job, nodes);
        let mut sources = of_qos.chain(own.map(|at| &site.accounts.all[at as usize].limits));
        let is_too_large = sources.any(|limits| {
            let single = &limits.tres_of_job;
            limits.wall.is_some_and(|most| job.limit > most)
                || single.cpus.is_some_and(|most| alone.cpus > most)
                || single.nodes.is_some_and(|most| nodes > most)
                || single.gpus.is_some_and(|most| alone.gpus > most)
                || single.memory.is_some_and(|most| alone.memory > most)
                || self.gpus.as_ref().is_some_and(|gpus| gpus.is_too_large(job, single))
        });
        let refused = is_beyond || is_too_large || self.is_full(job, site);
        for scope in scopes(job, site) {
            *self.submitted.entry(scope).or_default() += 1;
        }
        refused
    }

    /// Whether as many jobs wait or run as may: MaxSubmitPU and GrpSubmit of the job's QOS, MaxSubmit of its association,
    /// which is inherited from the nearest account that sets it, and GrpSubmit of each association above it.
    fn is_full(&self, job: &JobState, site: &Site) -> bool {
        let reached = |scope: LimitScope, most: Option<u32>| {
            most.is_some_and(|most| self.submitted.get(&scope).copied().unwrap_or(0) >= i64::from(most))
        };
        let of_qos = qos_of(job).any(|at| {
            let limits = &site.qos[at as usize].limits;
            reached(LimitScope::QosOfUser(at, job.user), limits.submitted_of_user)
                || reached(LimitScope::Qos(at), limits.submitted)
        });
        let upwards = || job.association.into_iter().flat_map(|own| site.accounts.upwards(own));
        let limits_of = |at: u32| &site.accounts.all[at as usize].limits;
        let most = upwards().find_map(|at| limits_of(at).submitted_of_user);
        of_qos
            || job.association.is_some_and(|own| reached(LimitScope::Association(own), most))
            || upwards().any(|at| reached(LimitScope::Association(at), limits_of(at).submitted))
    }

    /// Counts a job that starts.
    pub(super) fn start(&mut self, run: &AllocatedJob, site: &Site) {
        self.count(run, site, 1.0);
    }

    /// Takes back that a job was counted as started.
    pub(super) fn undo(&mut self, run: &AllocatedJob, site: &Site) {
        self.count(run, site, -1.0);
    }

    /// Counts a job that ends.
    pub(super) fn end(&mut self, run: &AllocatedJob, site: &Site) {
        self.count(run, site, -1.0);
        if self.limits {
            for scope in scopes(&run.job, site) {
                *self.submitted.entry(scope).or_default() -= 1;
            }
        }
    }

    fn count(&mut self, run: &AllocatedJob, site: &Site, sign: f64) {
        if self.limits {
            let taken = GroupUse::of(&run.job, f64::from(run.nodes().count()));
            let gpus = self.gpus.as_ref().map(|book| book.had_by(run));
            for scope in scopes(&run.job, site) {
                self.taken.entry(scope).or_default().add(&taken, sign);
                if let (Some(book), Some(gpus)) = (&mut self.gpus, &gpus) {
                    book.count(scope, gpus, sign);
                }
                if self.limits_nodes {
                    let nodes = self.nodes.entry(scope).or_default();
                    if sign > 0.0 { nodes.add(run.nodes()) } else { nodes.remove(run.nodes()) }
                }
            }
        }
    }

    /// Bills a running job for a time that is worth `span` seconds after its decay.
    pub(super) fn bill(&mut self, run: &AllocatedJob, span: f64, site: &Site) {
        if self.limits_use {
            let taken = Amounts::of(&run.job, f64::from(run.nodes().count()));
            let gpus = self.gpus.as_ref().map(|book| book.had_by(run));
            for scope in scopes(&run.job, site) {
                let used = self.used.entry(scope).or_default();
                used.amounts.add(&taken, span);
                used.wall += span;
                if let (Some(book), Some(gpus)) = (&mut self.gpus, &gpus) {
                    book.bill(scope, gpus, span);
                }
            }
        }
    }

    /// Multiplies all that was taken over time by a factor.
    pub(super) fn decay(&mut self, factor: f64) {
        for used in self.used.values_mut() {
            used.amounts = used.amounts.times(factor);
            used.wall *= factor;
        }
        if let Some(gpus) = &mut self.gpus {
            gpus.decay(factor);
        }
    }

    /// The limit of the nodes of several jobs together that keeps a job from starting, by its name in squeue; none if
    /// there is none. Nodes on which the group has jobs already count once; while no nodes are chosen for the job, all
    /// `asked` ones count.
    pub(super) fn held_by_nodes(
        &self,
        job: &JobState,
        asked: u32,
        chosen: Option<&NodeBits>,
        site: &Site,
    ) -> Option<&'static str> {
        if !self.limits_nodes {
            return None;
        }
        let own = chosen.map_or(asked, |nodes| nodes.count());
        let none = GroupNodes::default();
        let exceeds = |scope: LimitScope, most: Option<f64>| {
            // what the job exceeds by itself does not count, because by the log it ran
            most.filter(|&most| f64::from(own) <= most).is_some_and(|most| {
                let taken = self.nodes.get(&scope).unwrap_or(&none);
                f64::from(taken.count + chosen.map_or(own, |nodes| taken.new_of(nodes))) > most
            })
        };
        let qos = || qos_of(job).map(|at| (at, &site.qos[at as usize].limits));
        // of a user and of an account the first QOS that sets a limit decides, of a whole group all count
        if let Some((at, limits)) = qos().find(|(_, limits)| limits.tres_of_user.nodes.is_some())
            && exceeds(LimitScope::QosOfUser(at, job.user), limits.tres_of_user.nodes)
        {
            return Some("QOSMaxNodePerUserLimit");
        }
        if let Some((at, limits)) = qos().find(|(_, limits)| limits.tres_of_account.nodes.is_some())
            && exceeds(LimitScope::QosOfAccount(at, account(job, site)), limits.tres_of_account.nodes)
        {
            return Some("MaxNodePerAccount");
        }
        if qos().any(|(at, limits)| exceeds(LimitScope::Qos(at), limits.tres.nodes)) {
            return Some("QOSGrpNodeLimit");
        }
        let mut upwards = job.association.into_iter().flat_map(|own| site.accounts.upwards(own));
        upwards
            .any(|at| exceeds(LimitScope::Association(at), site.accounts.all[at as usize].limits.tres.nodes))
            .then_some("AssocGrpNodeLimit")
    }

    /// The limit that keeps a job from starting, by its name in squeue, apart from those of nodes; none if there is none.
    pub(super) fn held(
        &self,
        job: &JobState,
        running: &RunningJobs,
        site: &Site,
        now: Seconds,
    ) -> Option<&'static str> {
        if !self.limits {
            return None;
        }
        let own = Amounts::of(job, f64::from(job.ask.nodes.max(1)));
        let taken = |scope: LimitScope| self.taken.get(&scope).copied().unwrap_or_default();
        let exceeds = |scope: LimitScope, tres: &TresAmounts, names: &LimitNames| {
            let at_a_time = Amounts { nodes: 0.0, ..own };
            let is_over = |gpus: &GpuBook| gpus.exceeds(job, scope, tres);
            let first = taken(scope).amounts.exceeds(tres, &at_a_time);
            first.or_else(|| self.gpus.as_ref().is_some_and(is_over).then_some(GPUS)).map(|at| names[at])
        };
        let qos = || qos_of(job).map(|at| (at, &site.qos[at as usize].limits));
        let is_full = |most: Option<u32>, jobs: i64| most.is_some_and(|most| jobs >= i64::from(most.max(1)));
        // limits of a user or an account: the first QOS that sets one decides
        if let Some((at, limits)) = qos().find(|(_, limits)| limits.jobs_of_user.is_some()) {
            if is_full(limits.jobs_of_user, taken(LimitScope::QosOfUser(at, job.user)).jobs) {
                return Some("QOSMaxJobsPerUserLimit");
            }
        } else if let Some(own) = job.association {
            let limits = site.accounts.upwards(own).map(|at| &site.accounts.all[at as usize].limits);
            let most = limits.filter_map(|limits| limits.jobs_of_user).next();
            if is_full(most, taken(LimitScope::Association(own)).jobs) {
                return Some("AssocMaxJobsLimit");
            }
        }
        let mut of_user = of_qos(job, site, |limits| &limits.tres_of_user);
        if let Some(name) =
            of_user.find_map(|(at, tres)| exceeds(LimitScope::QosOfUser(at, job.user), &tres, &QOS_USER))
        {
            return Some(name);
        }
        let of_account = |at| LimitScope::QosOfAccount(at, account(job, site));
        if let Some((at, limits)) = qos().find(|(_, limits)| limits.jobs_of_account.is_some())
            && is_full(limits.jobs_of_account, taken(of_account(at)).jobs)
        {
            return Some("MaxJobsPerAccount");
        }
        let mut of_accounts = of_qos(job, site, |limits| &limits.tres_of_account);
        if let Some(name) = of_accounts.find_map(|(at, tres)| exceeds(of_account(at), &tres, &QOS_ACCOUNT)) {
            return Some(name);
        }
        // limits of a whole group: all of them count
        let of_qos = qos().map(|(at, limits)| (LimitScope::Qos(at), limits, &QOS_GROUP));
        let upwards = job.association.into_iter().flat_map(|own| site.accounts.upwards(own));
        let of_associations =
            upwards.map(|at| (LimitScope::Association(at), &site.accounts.all[at as usize].limits, &GROUP));
        let mut those = of_qos.chain(of_associations).filter(|(_, limits, _)| **limits != JobLimits::default());
        those.find_map(|(scope, limits, names)| {
            if limits.jobs.is_some_and(|most| taken(scope).jobs >= i64::from(most.max(1))) {
                return Some(names.jobs);
            }
            let at_a_time = || exceeds(scope, &limits.tres, &names.at_a_time);
            let promised = || Some(names.run_minutes[self.promises(limits, scope, job, &own, (running, site, now))?]);
            at_a_time().or_else(promised).or_else(|| self.spent(limits, scope, job, &own, names))
        })
    }

    /// The place of the first amount of which running jobs and this one would still take more than may be
    /// (GrpTRESRunMins).
    fn promises(
        &self,
        limits: &JobLimits,
        scope: LimitScope,
        job: &JobState,
        own: &Amounts,
        (running, site, now): (&RunningJobs, &Site, Seconds),
    ) -> Option<usize> {
        if limits.tres_run_minutes.is_empty() {
            return None;
        }
        let counted = || running.iter().filter(|run| scopes(&run.job, site).any(|other| other == scope));
        let left = |run: &AllocatedJob| (run.end - now).max(0) as f64 / 60.0;
        let mut promised = Amounts::default();
        counted().for_each(|run| promised.add(&Amounts::of(&run.job, f64::from(run.nodes().count())), left(run)));
        let minutes = job.limit as f64 / 60.0;
        let is_over = |gpus: &GpuBook| {
            let promised = counted().map(|run| (run, left(run)));
            gpus.exceeds_promises((job, minutes), promised, &limits.tres_run_minutes)
        };
        let first = promised.exceeds(&limits.tres_run_minutes, &own.times(minutes));
        first.or_else(|| self.gpus.as_ref().is_some_and(is_over).then_some(GPUS))
    }

    /// The limit of what a group may take over time that is reached (GrpTRESMins, GrpWall).
    fn spent(
        &self,
        limits: &JobLimits,
        scope: LimitScope,
        job: &JobState,
        own: &Amounts,
        names: &GroupNames,
    ) -> Option<&'static str> {
        let used = self.used.get(&scope).copied().unwrap_or_default();
        let of_gpus = || self.gpus.as_ref().is_some_and(|gpus| gpus.is_spent(job, scope, &limits.tres_minutes));
        let minutes = used.amounts.reaches(&limits.tres_minutes, own);
        let minutes = minutes.or_else(|| of_gpus().then_some(GPUS)).map(|at| names.minutes[at]);
        minutes.or_else(|| limits.wall_of_all.is_some_and(|most| used.wall >= most as f64).then_some(names.wall))
    }
}

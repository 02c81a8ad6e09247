//! Priorities as priority/multifactor computes them: a weighted sum of factors from 0 to 1, as a whole number.

mod logged;

pub use logged::{priorities_as_logged, usage_as_logged};

use super::job::JobState;
use packfair_base::expression::{Expression, Variable};
use packfair_engine::model::Waiting;
use packfair_slurm::{Accounts, PriorityPlan, Site, SlurmPartition};
use packfair_workload::Seconds;

/// The largest site factor, which is a signed number of 32 bits.
const MOST_OF_SITE: f64 = 2_147_483_647.0;

/// The settings of priorities, and the values by which factors are divided.
#[derive(Clone, Debug)]
pub(super) struct Factors {
    plan: PriorityPlan,
    nodes: f64,
    cpus: f64,
    largest_partition: f64,
    largest_qos: f64,
    /// The priority of each association, by the largest of them unless it counts as it is.
    of_associations: Vec<f64>,
    /// What each partition has.
    of_partitions: Vec<PartitionSize>,
    site_factor: Option<SiteFactor>,
}

/// The processors, MiB and GPUs of a partition.
#[derive(Clone, Copy, Debug, Default)]
struct PartitionSize {
    cpus: f64,
    memory: f64,
    gpus: f64,
}

impl Factors {
    pub(super) fn of(site: &Site, site_factor: Option<SiteFactor>) -> Self {
        let largest = |factors: &mut dyn Iterator<Item = u32>| f64::from(factors.max().unwrap_or(0));
        let of_partition = |partition: &SlurmPartition| {
            partition.nodes.iter().fold(PartitionSize::default(), |all, &at| {
                let node = &site.nodes[at as usize];
                PartitionSize {
                    cpus: all.cpus + f64::from(node.cpus),
                    memory: all.memory + (node.memory + node.reserved_memory) as f64,
                    gpus: all.gpus + f64::from(node.gpus),
                }
            })
        };
        // who has none has that of the account above
        let own =
            |at: u32| site.accounts.upwards(at).find_map(|at| site.accounts.all[at as usize].priority).unwrap_or(0);
        let own: Vec<u32> = (0..site.accounts.all.len() as u32).map(own).collect();
        let most = match largest(&mut own.iter().copied()) {
            _ if site.priority.is_raw.assoc => 1.0,
            most => most.max(1.0),
        };
        Factors {
            plan: site.priority.clone(),
            site_factor,
            nodes: site.nodes.len() as f64,
            cpus: site.cpus() as f64,
            largest_partition: largest(&mut site.partitions.iter().map(|partition| partition.factor)),
            largest_qos: largest(&mut site.qos.iter().map(|qos| qos.priority)),
            of_associations: own.into_iter().map(|own| f64::from(own) / most).collect(),
            of_partitions: site.partitions.iter().map(of_partition).collect(),
        }
    }

    pub(super) fn plan(&self) -> &PriorityPlan {
        &self.plan
    }

    /// The present priority of a waiting job. With priority/basic all are the same, and the order of submission counts.
    pub(super) fn priority(&self, job: &JobState, site: &Site, shares: &UsageShares, now: Seconds) -> f64 {
        if !self.plan.is_multifactor {
            return 0.0;
        }
        let weights = &self.plan.weights;
        let raw = self.plan.is_raw;
        let of_largest = |value: f64, largest: f64, is_raw: bool| match largest {
            _ if is_raw => value,
            0.0 => 0.0,
            largest => value / largest,
        };
        let age = job.eligible.map_or(0.0, |since| (now - since) as f64 / self.plan.max_age as f64);
        let partition = site.partitions.get(job.partition as usize);
        let factor = partition.map_or(0.0, |partition| f64::from(partition.factor));
        let qos = job.qos.map_or(0.0, |at| f64::from(site.qos[at as usize].priority));
        let fair = job.association.map_or(0.0, |at| shares.factor(at));
        let association = job.association.and_then(|at| self.of_associations.get(at as usize)).copied().unwrap_or(0.0);
        let all = PartitionSize { cpus: self.cpus, ..PartitionSize::default() };
        let all = self.of_partitions.get(job.partition as usize).copied().unwrap_or(all);
        let nodes = job.ask.nodes.max(1);
        let tres = |weight: f64, amount: f64, all: f64| match weight {
            0.0 => 0.0,
            _ if raw.tres => weight * amount,
            _ if all == 0.0 => 0.0,
            _ => weight * (amount / all).min(1.0),
        };
        let sum = weights.age * age.clamp(0.0, 1.0)
            + weights.fair_share * fair
            + weights.job_size * self.size(job)
            + weights.partition * of_largest(factor, self.largest_partition, raw.partition)
            + weights.qos * of_largest(qos, self.largest_qos, raw.qos)
            + weights.assoc * association
            + tres(weights.tres_cpu, f64::from(job.ask.cpus), all.cpus)
            + tres(weights.tres_memory, job.ask.memory.on_all(f64::from(nodes), job.ask.cpus), all.memory)
            + tres(weights.tres_gpu, f64::from(job.ask.gpus * nodes), all.gpus);
        let own = self.site_factor.map_or(0.0, |own| own.value(&job.waiting, now, job.limit as f64));
        let sum = sum + own.clamp(-MOST_OF_SITE, MOST_OF_SITE).trunc();
        // Slurm keeps whole numbers, and 0 is for jobs that are held
        sum.floor().max(1.0)
    }

    /// The factor of a job's size: its least number of nodes, which is 1 where it asked for tasks alone, and its
    /// processors.
    fn size(&self, job: &JobState) -> f64 {
        let (nodes, cpus) = (f64::from(job.least_nodes) / self.nodes, f64::from(job.ask.cpus) / self.cpus);
        let size = if self.plan.is_relative_to_time {
            let minutes = (job.limit as f64 / 60.0).max(1.0);
            nodes.max(cpus) / minutes
        } else {
            (nodes + cpus) / 2.0
        };
        let size = size.clamp(0.0, 1.0);
        if self.plan.favors_small { 1.0 - size } else { size }
    }
}

// Classic fair share, as Slurm computes it with NO_FAIR_TREE. It goes through all jobs one after another, and looks at
// the usage as it stands in between.

/// What classic fair share goes by between two calculations.
#[derive(Clone, Debug)]
struct Classic {
    dampening: f64,
    /// The share of each association in all, by association.
    shares: Vec<f64>,
    /// The share of each association among its siblings; none where no sibling has shares.
    parts: Vec<Option<f64>>,
    /// The effective usage of each association. Of a user, none until it is next asked for.
    effective: Vec<Option<f64>>,
}

impl Classic {
    /// The state before anything is calculated, of a tree whose associations have these parents, children and shares.
    fn of(parents: &[Option<u32>], children: &[Vec<u32>], own: &[f64], dampening: f64) -> Self {
        let count = parents.len();
        let (mut shares, mut parts) = (vec![1.0; count], vec![None; count]);
        let below = |children: &Vec<u32>| children.iter().map(|&at| own[at as usize]).sum();
        let sums: Vec<f64> = children.iter().map(below).collect();
        // accounts stand before the associations below them
        for at in 0..count {
            let Some(parent) = parents[at].map(|parent| parent as usize) else { continue };
            parts[at] = (sums[parent] > 0.0).then(|| own[at] / sums[parent]);
            shares[at] = shares[parent] * parts[at].unwrap_or(0.0);
        }
        Classic { dampening, shares, parts, effective: vec![None; count] }
    }
}

// What the site's own plugin adds to priorities (`priority/site_factor`).

/// A formula of a job and the time.
#[derive(Clone, Copy, Debug)]
pub struct SiteFactor(&'static Expression);

impl SiteFactor {
    /// None where the formula names more than the job, what its user asked for, and the time.
    pub fn of(formula: &'static Expression) -> Option<Self> {
        let is_known = |variable| variable == Variable::Requested || Waiting::tells(variable);
        formula.variables().all(is_known).then_some(SiteFactor(formula))
    }

    /// The value for a job whose user asked for `requested` seconds, or 0 if it has none.
    pub(crate) fn value(self, job: &Waiting, now: Seconds, requested: f64) -> f64 {
        let of = |variable| if variable == Variable::Requested { requested } else { job.value_of(variable, now) };
        let value = self.0.value(&of);
        if value.is_nan() { 0.0 } else { value }
    }
}

// Fair share: the usage of users and accounts, which decays, and the factors that follow from it.

/// The tree of accounts with usage.
#[derive(Clone, Debug)]
pub(crate) struct UsageShares {
    parent: Vec<Option<u32>>,
    children: Vec<Vec<u32>>,
    shares: Vec<f64>,
    /// The shares of all children, by association.
    of_children: Vec<f64>,
    is_user: Vec<bool>,
    users: usize,
    /// Billed processor-seconds, decayed, by association.
    usage: Vec<f64>,
    /// The factors of users as of the last calculation, by association.
    factors: Vec<f64>,
    /// The state of classic fair share; none with fair tree.
    classic: Option<Classic>,
}

impl UsageShares {
    /// The tree, with what was used before the simulation begins.
    pub(crate) fn of(accounts: &Accounts, plan: &PriorityPlan) -> Self {
        let count = accounts.all.len();
        let mut children = vec![Vec::new(); count];
        for (at, association) in (0_u32..).zip(&accounts.all) {
            if let Some(parent) = association.parent {
                children[parent as usize].push(at);
            }
        }
        let shares: Vec<f64> =
            accounts.all.iter().map(|association| association.shares.map_or(1.0, f64::from)).collect();
        let of_all = |children: &Vec<u32>| children.iter().map(|&at| shares[at as usize]).sum();
        let is_user: Vec<bool> = accounts.all.iter().map(|association| !association.user.is_empty()).collect();
        let mut tree = UsageShares {
            parent: accounts.all.iter().map(|association| association.parent).collect(),
            of_children: children.iter().map(of_all).collect(),
            children,
            shares,
            users: is_user.iter().filter(|&&is_user| is_user).count(),
            is_user,
            usage: accounts.all.iter().map(|association| association.used).collect(),
            factors: vec![0.0; count],
            classic: None,
        };
        tree.classic =
            (!plan.is_fair_tree).then(|| Classic::of(&tree.parent, &tree.children, &tree.shares, plan.dampening));
        tree.begin();
        tree.calculate();
        tree
    }

    /// Whether it matters in which order jobs are gone through.
    pub(crate) fn is_classic(&self) -> bool {
        self.classic.is_some()
    }

    /// The fair-share factor of a user's association, by the last calculation.
    pub(crate) fn factor(&self, association: u32) -> f64 {
        self.factors[association as usize]
    }

    /// Adds usage to an association and all accounts above it.
    pub(crate) fn add(&mut self, association: u32, usage: f64) {
        let mut at = Some(association);
        while let Some(here) = at {
            self.usage[here as usize] += usage;
            at = self.parent[here as usize];
        }
    }

    /// Multiplies all usage by a factor.
    pub(crate) fn decay(&mut self, factor: f64) {
        self.usage.iter_mut().for_each(|usage| *usage *= factor);
    }

    /// Calculates all factors of fair tree anew.
    pub(crate) fn calculate(&mut self) {
        if self.parent.is_empty() || self.is_classic() {
            return;
        }
        let (mut rank, mut told) = (self.users, self.users);
        self.rank(&self.children[0].clone(), &mut rank, &mut told, false);
    }

    /// Ranks siblings by fair tree: by level factor, the largest first, depth first. Users with equal factors have
    /// equal ranks, and accounts with equal factors are treated as one.
    fn rank(&mut self, siblings: &[u32], rank: &mut usize, told: &mut usize, is_tied: bool) {
        let mut sorted: Vec<(f64, u32)> = siblings.iter().map(|&at| (self.level(at), at)).collect();
        // users come before accounts with the same factor
        sorted.sort_by(|a, b| {
            let is_user = |at: u32| self.is_user[at as usize];
            b.0.total_cmp(&a.0).then(is_user(b.1).cmp(&is_user(a.1)))
        });
        let mut before = None;
        let mut at = 0;
        while at < sorted.len() {
            let (level, here) = sorted[at];
            let is_equal = if at == 0 { is_tied } else { before == Some(level) };
            before = Some(level);
            if self.is_user[here as usize] {
                if !is_equal {
                    *told = *rank;
                }
                self.factors[here as usize] = *told as f64 / self.users.max(1) as f64;
                *rank = rank.saturating_sub(1);
                at += 1;
                continue;
            }
            let same = sorted[at..].iter().take_while(|(other, node)| *other == level && !self.is_user[*node as usize]);
            let merged: Vec<u32> = same.map(|(_, node)| *node).collect();
            let below: Vec<u32> = merged.iter().flat_map(|&node| self.children[node as usize].clone()).collect();
            self.rank(&below, rank, told, is_equal);
            at += merged.len();
        }
    }

    /// The level factor: (share / siblings' shares) / (usage / parent's usage); infinite without usage.
    fn level(&self, at: u32) -> f64 {
        let Some(parent) = self.parent[at as usize] else { return f64::INFINITY };
        let siblings = self.of_children[parent as usize];
        let (own, all) = (self.usage[at as usize], self.usage[parent as usize]);
        if self.shares[at as usize] == 0.0 || siblings == 0.0 {
            return 0.0;
        }
        if own == 0.0 || all == 0.0 {
            return f64::INFINITY;
        }
        (self.shares[at as usize] / siblings) / (own / all)
    }
}

impl UsageShares {
    /// Begins a calculation of classic fair share: of accounts the usage up to now counts until the next, before it
    /// decays and before that of running jobs is added. Of users it counts when they are next asked for.
    pub(crate) fn begin(&mut self) {
        let Some(mut classic) = self.classic.take() else { return };
        for at in 0..self.parent.len() {
            classic.effective[at] = if self.is_user[at] { None } else { Some(self.effective(&classic, at)) };
        }
        self.classic = Some(classic);
    }

    /// Sets the factor of a user's association, if it is the first time since the calculation began: by the usage of
    /// this moment.
    pub(crate) fn settle(&mut self, association: u32) {
        let Some(mut classic) = self.classic.take() else { return };
        let at = association as usize;
        if classic.effective[at].is_none() {
            let effective = self.effective(&classic, at);
            classic.effective[at] = Some(effective);
            let share = classic.shares[at];
            self.factors[at] = if share > 0.0 { libm::exp2(-(effective / share) / classic.dampening) } else { 0.0 };
        }
        self.classic = Some(classic);
    }

    /// The usage of an association as a part of all, with a part of what the account above has used beyond it.
    fn effective(&self, classic: &Classic, at: usize) -> f64 {
        let root = self.usage[0];
        let own = if root > 0.0 { (self.usage[at] / root).min(1.0) } else { 0.0 };
        let Some(parent) = self.parent[at].filter(|&parent| parent > 0) else { return own };
        let above = classic.effective[parent as usize].unwrap_or(0.0);
        // where no sibling has shares, that of the account above counts
        classic.parts[at].map_or(above, |part| own + (above - own) * part)
    }
}

#[cfg(test)]
mod tests {
    use super::shares_tests::tree;
    use packfair_slurm::PriorityPlan;

    fn two_users() -> super::UsageShares {
        let plan = PriorityPlan { is_fair_tree: false, ..PriorityPlan::default() };
        let rows = [("root", "", None, 1), ("a", "", Some(0), 1), ("a", "x", Some(1), 1), ("a", "y", Some(1), 1)];
        tree(&rows, &plan)
    }

    fn settled(shares: &mut super::UsageShares) -> (f64, f64) {
        [2, 3].into_iter().for_each(|user| shares.settle(user));
        (shares.factor(2), shares.factor(3))
    }

    #[test]
    fn factors_halve_where_usage_is_the_share() {
        let mut shares = two_users();
        shares.add(2, 10.0);
        shares.begin();
        // x: usage 1 + (1 - 1) / 2, share 1/2; y: usage 0 + (1 - 0) / 2
        assert_eq!(settled(&mut shares), (0.25, 0.5));
    }

    #[test]
    fn a_factor_counts_from_when_it_is_asked_for_until_the_next_calculation() {
        let mut shares = two_users();
        shares.begin();
        shares.add(2, 10.0);
        // the account had used nothing when the calculation began: x: 1 + (0 - 1) / 2, y: 0
        shares.settle(2);
        assert_eq!(shares.factor(2), 0.5);
        shares.add(3, 10.0);
        // x stays; y: 1/2 + (0 - 1/2) / 2
        let later = libm::exp2(-0.5);
        assert_eq!(settled(&mut shares), (0.5, later));
        shares.begin();
        // both: 1/2 + (1 - 1/2) / 2
        let even = libm::exp2(-1.5);
        assert_eq!(settled(&mut shares), (even, even));
    }
}

#[cfg(test)]
mod shares_tests {
    use super::*;
    use packfair_slurm::Association;

    pub(in crate::priority) fn tree(rows: &[(&str, &str, Option<u32>, u32)], plan: &PriorityPlan) -> UsageShares {
        let association = |&(account, user, parent, shares): &(&str, &str, Option<u32>, u32)| Association {
            account: account.into(),
            user: user.into(),
            parent,
            shares: Some(shares),
            ..Association::default()
        };
        UsageShares::of(&Accounts { all: rows.iter().map(association).collect() }, plan)
    }

    #[test]
    fn fair_tree_ranks_depth_first_and_ties_are_equal() {
        let rows = [
            ("root", "", None, 1),
            ("a", "", Some(0), 60),
            ("b", "", Some(0), 40),
            ("a", "u1", Some(1), 10),
            ("a", "u2", Some(1), 30),
            ("b", "u3", Some(2), 10),
            ("b", "u4", Some(2), 10),
        ];
        let mut shares = tree(&rows, &PriorityPlan::default());
        assert_eq!([3, 4, 5, 6].map(|at| shares.factor(at)), [1.0; 4], "nobody has used anything");
        shares.add(4, 100.0);
        shares.calculate();
        assert_eq!([3, 4, 5, 6].map(|at| shares.factor(at)), [0.5, 0.25, 1.0, 1.0]);
        shares.add(5, 500.0);
        shares.calculate();
        assert_eq!([3, 4, 5, 6].map(|at| shares.factor(at)), [1.0, 0.75, 0.25, 0.5]);
    }
}

//! Priorities as priority/multifactor computes them: a weighted sum of factors from 0 to 1, as a whole number.

mod classic;
mod logged;
mod shares;
mod site_factor;

pub use logged::{priorities_as_logged, usage_as_logged};
pub use site_factor::SiteFactor;

pub(super) use shares::UsageShares;

use super::job::JobState;
use packfair_slurm::{PriorityPlan, Site, SlurmPartition};
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

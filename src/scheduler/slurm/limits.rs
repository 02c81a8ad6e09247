//! Limits of QOS and accounts: whether a job may start beside those that run.

use super::job::{Job, Running};
use crate::slurm::{Limits, Site, Tres};

/// What running jobs take together.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    jobs: u32,
    cpus: f64,
    nodes: f64,
    gpus: f64,
    /// Processor-minutes that their limits still allow.
    cpu_minutes: f64,
}

impl Taken {
    fn of<'a>(running: impl Iterator<Item = &'a Running>, now: i64) -> Self {
        let mut taken = Taken::default();
        for run in running {
            let nodes = run.nodes().count();
            taken.jobs += 1;
            taken.cpus += f64::from(run.job.ask.cpus);
            taken.nodes += f64::from(nodes);
            taken.gpus += f64::from(run.job.ask.gpus * nodes);
            taken.cpu_minutes += f64::from(run.job.ask.cpus) * (run.end - now).max(0) as f64 / 60.0;
        }
        taken
    }

    /// Whether a job beside them would exceed amounts. What the job alone exceeds does not count: it ran, by the log.
    fn exceeds(&self, tres: &Tres, job: &Job) -> bool {
        let nodes = f64::from(job.ask.nodes.max(1));
        let pairs = [
            (tres.cpus, self.cpus, f64::from(job.ask.cpus)),
            (tres.nodes, self.nodes, nodes),
            (tres.gpus, self.gpus, f64::from(job.ask.gpus) * nodes),
        ];
        pairs.into_iter().any(|(limit, taken, own)| limit.is_some_and(|limit| own <= limit && taken + own > limit))
    }
}

/// Whether a limit keeps the job from starting.
pub(super) fn is_held(job: &Job, running: &[Running], site: &Site, now: i64) -> bool {
    if !site.enforced.limits {
        return false;
    }
    let partition = site.partitions.get(job.partition as usize).and_then(|partition| partition.qos.as_deref());
    let of_partition = partition.and_then(|name| site.qos.iter().position(|qos| qos.name == name)).map(|at| at as u32);
    let accounts = job.association.map(|at| site.accounts.upwards(at).collect::<Vec<_>>()).unwrap_or_default();
    let own_account = |association: Option<u32>| association.map(|at| &site.accounts.all[at as usize].account);
    // limits of a user or an account: the first that sets one decides
    let qos = [of_partition, job.qos].into_iter().flatten();
    let sources: Vec<(&Limits, Option<u32>)> = qos
        .map(|at| (&site.qos[at as usize].limits, Some(at)))
        .chain(accounts.iter().map(|&at| (&site.accounts.all[at as usize].limits, None)))
        .collect();
    let under = |run: &&Running, qos: Option<u32>| match qos {
        Some(at) => of_partition == Some(at) && run.job.partition == job.partition || run.job.qos == Some(at),
        None => true,
    };
    let of_user = |qos| Taken::of(running.iter().filter(|run| run.job.user == job.user && under(run, qos)), now);
    if let Some(&(limits, qos)) = sources.iter().find(|(limits, _)| limits.jobs_of_user.is_some())
        && limits.jobs_of_user.is_some_and(|most| of_user(qos).jobs >= most.max(1))
    {
        return true;
    }
    if let Some(&(limits, qos)) = sources.iter().find(|(limits, _)| !limits.tres_of_user.is_empty())
        && of_user(qos).exceeds(&limits.tres_of_user, job)
    {
        return true;
    }
    let of_account = |qos| {
        let own = own_account(job.association);
        Taken::of(running.iter().filter(|run| own_account(run.job.association) == own && under(run, qos)), now)
    };
    if let Some(&(limits, qos)) = sources.iter().find(|(limits, _)| limits.jobs_of_account.is_some())
        && limits.jobs_of_account.is_some_and(|most| of_account(qos).jobs >= most.max(1))
    {
        return true;
    }
    if let Some(&(limits, qos)) = sources.iter().find(|(limits, _)| !limits.tres_of_account.is_empty())
        && of_account(qos).exceeds(&limits.tres_of_account, job)
    {
        return true;
    }
    // limits of all together: every one counts
    let grouped =
        |limits: &Limits| limits.jobs.is_some() || !limits.tres.is_empty() || !limits.tres_run_minutes.is_empty();
    let exceeds = |limits: &Limits, taken: Taken| {
        let minutes = f64::from(job.ask.cpus) * job.limit as f64 / 60.0;
        limits.jobs.is_some_and(|most| taken.jobs >= most.max(1))
            || taken.exceeds(&limits.tres, job)
            || limits.tres_run_minutes.cpus.is_some_and(|most| minutes <= most && taken.cpu_minutes + minutes > most)
    };
    for at in [of_partition, job.qos].into_iter().flatten() {
        let limits = &site.qos[at as usize].limits;
        if grouped(limits) && exceeds(limits, Taken::of(running.iter().filter(|run| under(run, Some(at))), now)) {
            return true;
        }
    }
    for at in accounts {
        let limits = &site.accounts.all[at as usize].limits;
        let is_below =
            |run: &&Running| run.job.association.is_some_and(|own| site.accounts.upwards(own).any(|up| up == at));
        if grouped(limits) && exceeds(limits, Taken::of(running.iter().filter(is_below), now)) {
            return true;
        }
    }
    false
}

//! Limits of GPUs of single types.
//!
//! As in Slurm, a job that names no type is not kept waiting by them, but what it has counts by the type that it got.

use super::gpu_counts::KindCounts;
use super::job::{AllocatedJob, JobState};
use super::limits::LimitScope;
use super::wants::kinds_of;
use packfair_slurm::{JobLimits, Site, TresAmounts};
use rustc_hash::FxHashMap;

/// GPUs, or times seconds, of those types of [`kinds_of`] of which there are some, by their places.
type GpuAmounts = FxHashMap<usize, f64>;

/// What groups of jobs have and have had of GPUs by type.
#[derive(Clone, Debug)]
pub(super) struct GpuBook {
    kinds: Vec<String>,
    /// The GPUs of each node.
    of_nodes: Vec<KindCounts>,
    taken: FxHashMap<LimitScope, GpuAmounts>,
    /// GPU-seconds, decayed.
    used: FxHashMap<LimitScope, GpuAmounts>,
}

fn add(own: &mut GpuAmounts, other: &GpuAmounts, times: f64) {
    other.iter().for_each(|(&at, amount)| *own.entry(at).or_default() += times * amount);
}

/// What a job asks for of a type on all of its nodes.
fn asked_by(job: &JobState, at: usize) -> f64 {
    f64::from(job.ask.kinds.of(at)) * f64::from(job.ask.nodes.max(1))
}

fn of(amounts: Option<&GpuAmounts>, at: usize) -> f64 {
    amounts.and_then(|amounts| amounts.get(&at)).copied().unwrap_or(0.0)
}

impl GpuBook {
    /// None where no limit of the site names a type.
    pub(super) fn of(site: &Site) -> Option<Self> {
        let mut all = site.qos.iter().map(|qos| &qos.limits).chain(site.accounts.all.iter().map(|one| &one.limits));
        let names_one = |limits: &JobLimits| {
            let JobLimits { tres_of_user, tres_of_account, tres, tres_of_job, .. } = limits;
            let JobLimits { tres_minutes, tres_run_minutes, .. } = limits;
            [tres_of_user, tres_of_account, tres, tres_of_job, tres_minutes, tres_run_minutes]
                .iter()
                .any(|tres| !tres.gpu_kinds.is_empty())
        };
        let kinds = kinds_of(site);
        all.any(names_one).then(|| GpuBook {
            of_nodes: site.nodes.iter().map(|node| KindCounts::of_node(node, &kinds)).collect(),
            kinds: kinds.into_iter().map(str::to_owned).collect(),
            taken: FxHashMap::default(),
            used: FxHashMap::default(),
        })
    }

    /// What a running job has on all of its nodes.
    pub(super) fn had_by(&self, run: &AllocatedJob) -> GpuAmounts {
        let mut all = GpuAmounts::default();
        for (at, node) in run.nodes().iter().enumerate() {
            let given = run.allocation.kinds.get(at).copied();
            let given = given.unwrap_or_else(|| self.of_nodes[node].given(&run.job.ask.kinds, run.job.ask.gpus));
            given.iter().for_each(|(at, count)| *all.entry(at).or_default() += f64::from(count));
        }
        all
    }

    /// The limits of types, by the places of these.
    fn limits<'a>(&'a self, tres: &'a TresAmounts) -> impl Iterator<Item = (usize, f64)> + 'a {
        tres.gpu_kinds.iter().filter_map(|(kind, most)| {
            let at = self.kinds.iter().position(|own| own.eq_ignore_ascii_case(kind))?;
            Some((at, *most))
        })
    }

    /// Whether a job asks for more than a single job may have.
    pub(super) fn is_too_large(&self, job: &JobState, tres: &TresAmounts) -> bool {
        self.limits(tres).any(|(at, most)| asked_by(job, at) > most)
    }

    pub(super) fn count(&mut self, scope: LimitScope, gpus: &GpuAmounts, sign: f64) {
        add(self.taken.entry(scope).or_default(), gpus, sign);
    }

    pub(super) fn bill(&mut self, scope: LimitScope, gpus: &GpuAmounts, span: f64) {
        add(self.used.entry(scope).or_default(), gpus, span);
    }

    pub(super) fn decay(&mut self, factor: f64) {
        self.used.values_mut().flat_map(FxHashMap::values_mut).for_each(|used| *used *= factor);
    }

    /// Whether a job would exceed a limit beside these amounts, all of them multiplied by `times`.
    fn is_over(&self, taken: Option<&GpuAmounts>, (job, times): (&JobState, f64), tres: &TresAmounts) -> bool {
        // what the job exceeds by itself does not count, because by the log it ran
        self.limits(tres).any(|(at, most)| {
            let asked = asked_by(job, at) * times;
            asked > 0.0 && asked <= most && of(taken, at) + asked > most
        })
    }

    /// Whether a job would exceed a limit of a type beside the group's running jobs.
    pub(super) fn exceeds(&self, job: &JobState, scope: LimitScope, tres: &TresAmounts) -> bool {
        !tres.gpu_kinds.is_empty() && self.is_over(self.taken.get(&scope), (job, 1.0), tres)
    }

    /// Whether a job of so many minutes would exceed a limit of what these running jobs may still take, each with its
    /// minutes.
    pub(super) fn exceeds_promises<'a>(
        &self,
        job: (&JobState, f64),
        running: impl Iterator<Item = (&'a AllocatedJob, f64)>,
        tres: &TresAmounts,
    ) -> bool {
        if tres.gpu_kinds.is_empty() {
            return false;
        }
        let mut promised = GpuAmounts::default();
        running.for_each(|(run, minutes)| add(&mut promised, &self.had_by(run), minutes));
        self.is_over(Some(&promised), job, tres)
    }

    /// Whether a group has taken as much over time as it may of a type that a job asks for.
    pub(super) fn is_spent(&self, job: &JobState, scope: LimitScope, tres: &TresAmounts) -> bool {
        let used = self.used.get(&scope);
        self.limits(tres).any(|(at, most)| asked_by(job, at) > 0.0 && of(used, at) / 60.0 >= most)
    }
}

//! Limits of GPUs of single types.
//!
//! As in Slurm, a job that names no type is not kept waiting by them, but what it has counts by the type that it got.

use super::chosen::kinds_of;
use super::job::{AllocatedJob, JobState};
use super::limits::LimitScope;
use packfair_slurm::{JobLimits, MOST_GPU_KINDS, Node, Site, TresAmounts};
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

// Numbers of GPUs by type.

/// A type of GPUs, by its place among those of the site ([`super::chosen::kinds_of`]), from 1; 0: none.
type KindNumber = u16;

/// Numbers of GPUs by type, on a node or of a job. A site may have any number of types, a node has a few of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct KindCounts([(KindNumber, u16); MOST_GPU_KINDS]);

fn number_of(place: usize) -> Option<KindNumber> {
    KindNumber::try_from(place + 1).ok()
}

impl KindCounts {
    /// The GPUs of a node by these types, in their order.
    pub(super) fn of_node(node: &Node, kinds: &[&str]) -> Self {
        let mut counts = Self::default();
        for (place, kind) in kinds.iter().enumerate() {
            if let Some((_, count)) = node.gpu_kinds.iter().find(|(own, _)| own == kind) {
                counts.add(place, *count);
            }
        }
        counts
    }

    /// Adds GPUs of a type, given by its place. What there is no room for is of any type.
    pub(super) fn add(&mut self, place: usize, count: u32) {
        let Some(number) = number_of(place) else { return };
        if let Some((own, sum)) = self.0.iter_mut().find(|(own, _)| *own == number || *own == 0) {
            (*own, *sum) = (number, sum.saturating_add(u16::try_from(count).unwrap_or(u16::MAX)));
        }
    }

    /// The types, by their places, and how many GPUs there are of each.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, u16)> {
        let told = self.0.iter().take_while(|(number, _)| *number > 0);
        told.map(|&(number, count)| (usize::from(number) - 1, count))
    }

    /// How many GPUs there are of a type, given by its place.
    pub(super) fn of(&self, place: usize) -> u16 {
        self.iter().find(|(own, _)| *own == place).map_or(0, |(_, count)| count)
    }

    pub(super) fn sum(&self) -> u32 {
        self.iter().map(|(_, count)| u32::from(count)).sum()
    }

    /// Whether there are as many of each type as in `others`.
    pub(super) fn cover(&self, others: &Self) -> bool {
        others.iter().all(|(place, count)| self.of(place) >= count)
    }

    pub(super) fn divided(&self, by: u16) -> Self {
        KindCounts(self.0.map(|(number, count)| (number, count.div_ceil(by.max(1)))))
    }

    pub(super) fn take_out(&mut self, others: &Self) {
        for (number, count) in self.0.iter_mut().filter(|(number, _)| *number > 0) {
            *count = count.saturating_sub(others.of(usize::from(*number) - 1));
        }
    }

    /// Puts back `others`, at most up to `all`.
    pub(super) fn put_in(&mut self, others: &Self, all: &Self) {
        for (number, count) in self.0.iter_mut().filter(|(number, _)| *number > 0) {
            let place = usize::from(*number) - 1;
            *count = count.saturating_add(others.of(place)).min(all.of(place));
        }
    }

    /// What a job gets of these free ones that asks for `own` types and for `gpus` altogether: those of its types, the others
    /// of the first types that are left.
    pub(super) fn given(&self, own: &Self, gpus: u32) -> Self {
        let mut left = gpus.saturating_sub(own.sum());
        let mut given = *self;
        for (number, count) in given.0.iter_mut().filter(|(number, _)| *number > 0) {
            let own = own.of(usize::from(*number) - 1);
            let more = u32::from(count.saturating_sub(own)).min(left);
            left -= more;
            *count = own + more as u16;
        }
        given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(usize, u32)]) -> KindCounts {
        let mut counts = KindCounts::default();
        of.iter().for_each(|&(place, count)| counts.add(place, count));
        counts
    }

    #[test]
    fn types_are_told_apart_however_many_a_site_has() {
        let (all, asked) = (counts(&[(3, 4), (900, 2)]), counts(&[(900, 1)]));
        assert!(all.cover(&asked) && !all.cover(&counts(&[(11, 1)])) && !asked.cover(&all));
        assert_eq!((all.of(900), all.of(4), all.sum()), (2, 0, 6));
        let given = all.given(&asked, 4);
        assert_eq!(given, counts(&[(3, 3), (900, 1)]));
        let mut free = all;
        free.take_out(&given);
        assert_eq!(free, counts(&[(3, 1), (900, 1)]));
        free.put_in(&given, &all);
        free.put_in(&given, &all);
        assert_eq!(free, all, "never more than there are");
        assert_eq!(counts(&[(2, 7)]).divided(2), counts(&[(2, 4)]));
    }
}

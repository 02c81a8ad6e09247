//! Licences: how many are free, and in backfill with bf_licenses, when they will be.

use super::availability::ReservedTimes;
use super::chosen::Want;
use packfair_base::machine::{Machine, NANO, cap_steps};
use packfair_workload::{JobId, JobSite, Seconds, Workload};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Licences that a reservation keeps for its users.
#[derive(Clone, Debug)]
struct KeptLicences {
    times: ReservedTimes,
    licence: usize,
    count: u32,
}

/// The licences of a cluster, by their places in the site.
#[derive(Clone, Debug, Default)]
pub(super) struct LicenceBook {
    total: Vec<u32>,
    free: Vec<u32>,
    kept: Vec<KeptLicences>,
    /// What each running job has.
    taken: FxHashMap<JobId, Vec<(usize, u32)>>,
    is_wanted: bool,
}

impl LicenceBook {
    /// The licences of a site while no job runs. `is_wanted` says whether any job ever wants one.
    pub(super) fn of(jobs: &JobSite, is_wanted: bool) -> Self {
        let site = &jobs.site;
        let total: Vec<u32> = site.licences.iter().map(|licence| licence.count).collect();
        let kept = site.reservations.iter().flat_map(|reservation| {
            reservation.licences.iter().filter_map(|own| {
                let licence = site.licences.iter().position(|licence| licence.name == own.name)?;
                Some(KeptLicences { times: ReservedTimes::of(reservation, jobs.zero), licence, count: own.count })
            })
        });
        LicenceBook { free: total.clone(), kept: kept.collect(), taken: FxHashMap::default(), total, is_wanted }
    }

    /// Whether any job ever wants a licence.
    pub(super) fn are_wanted(&self) -> bool {
        self.is_wanted
    }

    /// How many of a licence reservations keep from a job that would run from `from` to `until`.
    fn kept(&self, licence: usize, now: Seconds, from: Seconds, until: Seconds) -> u32 {
        let overlaps = |kept: &&KeptLicences| {
            let (begin, over) = kept.times.at(now);
            kept.licence == licence && kept.times.known <= now && from < over && until > begin
        };
        self.kept.iter().filter(overlaps).map(|kept| kept.count).sum()
    }

    /// The licences that a job would get now; none where there are not enough.
    fn found(&self, want: &Want, now: Seconds, limit: Seconds) -> Option<Vec<(usize, u32)>> {
        let is_free =
            |&&(at, count): &&(usize, u32)| self.free[at] >= count.saturating_add(self.kept(at, now, now, now + limit));
        if want.is_any_licence {
            return want.licences.iter().find(is_free).map(|&one| vec![one]);
        }
        want.licences.iter().all(|one| is_free(&one)).then(|| want.licences.clone())
    }

    /// Whether licences keep a job from starting now.
    pub(super) fn lacks(&self, want: &Want, now: Seconds, limit: Seconds) -> bool {
        !want.licences.is_empty() && self.found(want, now, limit).is_none()
    }

    /// A job starts.
    pub(super) fn take(&mut self, job: JobId, want: &Want, now: Seconds, limit: Seconds) {
        if want.licences.is_empty() {
            return;
        }
        // where nothing could go on, a job starts without
        let Some(found) = self.found(want, now, limit) else { return };
        found.iter().for_each(|&(at, count)| self.free[at] -= count);
        // parts of a job take theirs one by one
        self.taken.entry(job).or_default().extend(found);
    }

    /// Whether there are as many as all of these want together, while nobody has any.
    pub(super) fn could_give<'a>(&self, wants: impl Iterator<Item = &'a Want>) -> bool {
        let mut left = self.total.clone();
        wants.filter(|want| !want.is_any_licence).flat_map(|want| &want.licences).all(|&(at, count)| {
            let is_there = left[at] >= count;
            left[at] = left[at].saturating_sub(count);
            is_there
        })
    }

    /// A job ends.
    pub(super) fn give(&mut self, job: JobId) {
        for (at, count) in self.taken.remove(&job).unwrap_or_default() {
            self.free[at] += count;
        }
    }

    /// Drops all reservations and lets every job start, because nothing could go on otherwise.
    pub(super) fn lift(&mut self) {
        self.kept.clear();
    }

    /// The licences over time: running jobs give theirs back at their ends.
    pub(super) fn table(&self, now: Seconds, ends: impl Iterator<Item = (JobId, Seconds)>) -> LicenceTable {
        let mut changes = Vec::new();
        for (job, end) in ends {
            for &(licence, count) in self.taken.get(&job).map_or(&[][..], Vec::as_slice) {
                changes.push(HeldLicences { licence, count, from: Seconds::MIN, until: end.max(now + 1) });
            }
        }
        for kept in self.kept.iter().filter(|kept| kept.times.known <= now) {
            let KeptLicences { licence, count, .. } = *kept;
            let (from, until) = kept.times.at(now);
            changes.push(HeldLicences { licence, count, from, until });
        }
        LicenceTable { total: self.total.clone(), taken: changes }
    }
}

#[derive(Clone, Copy, Debug)]
struct HeldLicences {
    licence: usize,
    count: u32,
    from: Seconds,
    until: Seconds,
}

/// How many licences are taken, and when, in a backfill cycle.
#[derive(Clone, Debug)]
pub(super) struct LicenceTable {
    total: Vec<u32>,
    taken: Vec<HeldLicences>,
}

impl LicenceTable {
    fn is_free(&self, licence: usize, count: u32, from: Seconds, until: Seconds) -> bool {
        let own = || self.taken.iter().filter(move |taken| taken.licence == licence);
        let taken_at = |at: Seconds| -> u32 {
            own().filter(|taken| taken.from <= at && at < taken.until).map(|taken| taken.count).sum()
        };
        // what is taken grows only where something begins
        let moments = own().map(|taken| taken.from).filter(|&begin| begin > from && begin < until);
        let most = moments.map(taken_at).fold(taken_at(from), u32::max);
        self.total[licence] >= count.saturating_add(most)
    }

    /// The first moment from `from` on at which a job of this length would have its licences; none where there is none.
    pub(super) fn earliest(&self, want: &Want, from: Seconds, limit: Seconds) -> Option<Seconds> {
        if want.licences.is_empty() {
            return Some(from);
        }
        let mut moments: Vec<Seconds> = self.taken.iter().map(|taken| taken.until).filter(|&end| end > from).collect();
        moments.push(from);
        moments.sort_unstable();
        moments.into_iter().find(|&at| {
            let is_free = |&(licence, count): &(usize, u32)| self.is_free(licence, count, at, at + limit);
            if want.is_any_licence { want.licences.iter().any(is_free) } else { want.licences.iter().all(is_free) }
        })
    }

    /// A job takes its licences for a time.
    pub(super) fn reserve(&mut self, want: &Want, from: Seconds, until: Seconds) {
        let is_free = |&&(licence, count): &&(usize, u32)| self.is_free(licence, count, from, until);
        let own: Vec<(usize, u32)> = match want.is_any_licence {
            true => want.licences.iter().find(is_free).copied().into_iter().collect(),
            false => want.licences.clone(),
        };
        self.taken.extend(own.into_iter().map(|(licence, count)| HeldLicences { licence, count, from, until }));
    }
}

// A cap of what the machine may draw (docs/power.md). Slurm has no word for it any more, so it is kept as a limit is: a job
// that would exceed it waits, and keeps nobody else from starting. Backfill does not plan with it.

/// Why a job waits that would draw too much, as squeue wrote it while Slurm knew caps.
const REASON: &str = "PowerNotAvail";

/// What running jobs draw, and what they may.
#[derive(Clone, Debug)]
pub(super) struct CapBook {
    /// What each job is expected to draw beyond what its nodes do while they idle, nanowatts.
    each: Arc<[i64]>,
    /// From when on which power is left over idle nodes, nanowatts.
    left: Arc<[(Seconds, i64)]>,
    taken: i64,
}

impl CapBook {
    /// That of a workload's machine, where it has a cap and nothing runs.
    pub(super) fn of(workload: &Workload) -> Option<Self> {
        let machine = workload.cells()?;
        let (model, cap) = (machine.watts()?, machine.power_cap()?);
        let sum = |of: &dyn Fn(usize) -> i64| -> f64 {
            let cells = machine.cells().iter().enumerate();
            cells.map(|(place, cell)| f64::from(cell.nodes) * of(place) as f64).sum()
        };
        let idle = sum(&|cell| Machine::idle_node(machine, cell));
        let processors = f64::from(machine.processors());
        // which cells a job gets, only Slurm's own nodes tell: a processor draws what it does on the average
        let (idle_each, busy_each) = (idle / processors, sum(&|cell| Machine::busy_node(machine, cell)) / processors);
        let known = workload.power().map(|known| known.expected(workload, model.expected));
        let own = |job: JobId| {
            let processors = f64::from(workload.request(job).processors);
            let known = known.as_ref().and_then(|known| known.get(job.index()).copied().flatten());
            let busy = known.map_or(busy_each * processors, |watts| watts as f64);
            (busy - idle_each * processors).max(0.0).round() as i64
        };
        let left = |(from, watts): (Seconds, f64)| (from, (watts / model.pue * NANO as f64 - idle).floor() as i64);
        Some(CapBook {
            each: workload.jobs().map(own).collect(),
            left: cap_steps(cap).into_iter().map(left).collect(),
            taken: 0,
        })
    }

    /// When the cap changes.
    pub(super) fn changes(&self) -> impl Iterator<Item = Seconds> + '_ {
        self.left.iter().skip(1).map(|&(from, _)| from)
    }

    /// The reason for which a job may not start now; none if it may.
    pub(super) fn held(&self, job: JobId, now: Seconds) -> Option<&'static str> {
        // the first step has always held
        let step = self.left.partition_point(|&(from, _)| from <= now).saturating_sub(1);
        let own = self.each_of(job);
        (own > 0 && self.taken.saturating_add(own) > self.left[step].1).then_some(REASON)
    }

    pub(super) fn start(&mut self, job: JobId) {
        self.taken += self.each_of(job);
    }

    pub(super) fn end(&mut self, job: JobId) {
        self.taken -= self.each_of(job);
    }

    fn each_of(&self, job: JobId) -> i64 {
        self.each.get(job.index()).copied().unwrap_or(0)
    }
}

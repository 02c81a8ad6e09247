//! What is known of each job at a moment: the only door to run times, and it does not open on what comes later.

use super::course::Moments;
use packfair_workload::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A workload and when its jobs started, of which a moment sees only what had happened by then.
#[derive(Clone, Debug)]
pub struct Past<'a> {
    workload: &'a Workload,
    /// The start of each job; [`Seconds::MAX`] where nobody knows any.
    starts: Vec<Seconds>,
    /// The moment of which the files of a site tell what was used.
    usage_told: Option<Seconds>,
    /// The workload of what jobs were given, where usage depends on it and they asked for something else.
    as_given: Option<Arc<Workload>>,
}

/// What is known of a job at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Nothing: it is not submitted yet.
    Nothing,
    /// It waits.
    Waits,
    /// It has run for so long, seconds.
    Runs(Seconds),
    /// It has ended after so long, seconds.
    Ran(Seconds),
    /// It left the queue without having started.
    Left,
}

impl<'a> Past<'a> {
    /// The past of a workload with these starts, one for each job; [`Seconds::MIN`] where nobody knows any.
    pub fn new(workload: &'a Workload, starts: Vec<Seconds>) -> Self {
        let unknown = |start: Seconds| if start == Seconds::MIN { Seconds::MAX } else { start };
        Past { workload, starts: starts.into_iter().map(unknown).collect(), usage_told: None, as_given: None }
    }

    /// The past as the log tells it. A job whose start it does not tell waits for ever.
    pub fn as_logged(workload: &'a Workload) -> Self {
        let start = |job| workload.logged_wait(job).map_or(Seconds::MAX, |wait| workload.request(job).submit + wait);
        let counts = workload.site().is_some_and(|at| at.site.priority.is_multifactor);
        let as_given = if counts { workload.as_given().map(Arc::new) } else { None };
        Past { workload, starts: workload.jobs().map(start).collect(), usage_told: None, as_given }
    }

    /// The past of which a site's files tell at `now` what was used.
    pub fn with_usage_told(self, now: Seconds) -> Self {
        Past { usage_told: Some(now), ..self }
    }

    /// What each association of a Slurm site had used when the first of these running jobs started, with which the stage of
    /// the moment begins: what the site's files tell of this very moment, or the jobs up to now come to, without what the
    /// running jobs have used, which is counted on the stage. Empty where nothing depends on it.
    pub(super) fn used_before(&self, running: &[(JobId, Seconds)], now: Seconds) -> Vec<f64> {
        let begin = running.first().map_or(now, |&(_, start)| start);
        let workload = self.as_given.as_deref().unwrap_or(self.workload);
        let told = if self.usage_told == Some(now) { self.workload.told_usage() } else { None };
        let Some(told) = told else {
            let ended = (0..self.submitted(now) as u32).map(JobId).filter_map(|job| {
                let Known::Ran(run) = self.known(job, now) else { return None };
                let start = self.started(job, now)?;
                Some((job, start, start + run))
            });
            return packfair_slurmctld::usage_as_logged(workload, ended, begin);
        };
        let on_stage = running.iter().map(|&(job, start)| (job, start, now));
        let on_stage = packfair_slurmctld::usage_as_logged(workload, on_stage, begin);
        let decay = self.workload.site().map_or(1.0, |at| at.site.priority.decay());
        let grown = libm::pow(decay, -((now - begin) as f64));
        told.iter().zip(on_stage).map(|(told, own)| (told * grown - own).max(0.0)).collect()
    }

    /// The workload.
    pub fn workload(&self) -> &'a Workload {
        self.workload
    }

    /// What is known of a job at `now`.
    pub fn known(&self, job: JobId, now: Seconds) -> Known {
        let (submit, start) = (self.workload.request(job).submit, self.starts[job.index()]);
        if submit > now {
            Known::Nothing
        } else if self.left(job).is_some_and(|left| left <= now) {
            Known::Left
        } else if start > now {
            Known::Waits
        } else if start.saturating_add(self.workload.run(job)) > now {
            Known::Runs(now - start)
        } else {
            Known::Ran(self.workload.run(job))
        }
    }

    /// For how long a job was held, as far as it is known at `now`, seconds: of who is held still, a second more than it has
    /// been. Of who comes later all is told, for forecasts on what really came.
    pub(super) fn known_hold(&self, job: JobId, now: Seconds) -> Seconds {
        let submit = self.workload.request(job).submit;
        if submit > now { Seconds::MAX } else { now - submit + 1 }
    }

    /// Whether a job that waits is not eligible yet: it is held, or waits for a time or for other jobs, and nobody knows how
    /// long.
    pub(super) fn is_held(&self, job: JobId, now: Seconds) -> bool {
        let hold = self.workload.site().map_or(0, |site| site.hold(job.index()));
        hold > 0 && self.workload.request(job).submit + hold > now
    }

    /// How many of the waiting jobs are held.
    pub(super) fn held(&self, now: Seconds) -> usize {
        let jobs = (0..self.submitted(now) as u32).map(JobId);
        jobs.filter(|&job| self.known(job, now) == Known::Waits && self.is_held(job, now)).count()
    }

    /// When a job started, if that was by `now`.
    pub fn started(&self, job: JobId, now: Seconds) -> Option<Seconds> {
        Some(self.starts[job.index()]).filter(|&start| start <= now)
    }

    /// When a job starts: what a forecast is judged by, and never made of.
    pub(super) fn outcome(&self, job: JobId) -> Option<Seconds> {
        Some(self.starts[job.index()]).filter(|&start| start < Seconds::MAX)
    }

    /// When a job left the queue without having started: as [`Past::outcome`], what a forecast is judged by, and what comes
    /// where the question is what really came.
    pub(super) fn left(&self, job: JobId) -> Option<Seconds> {
        self.workload.left(job)
    }

    /// How many jobs were submitted by `now`; they are the first in log order.
    pub fn submitted(&self, now: Seconds) -> usize {
        self.workload.requests().partition_point(|request| request.submit <= now)
    }

    pub(super) fn waits(&self) -> Moments {
        let end = |job: JobId| self.left(job).unwrap_or(self.starts[job.index()]);
        Moments::of(self.workload.jobs().map(|job| (self.workload.request(job).submit, end(job))))
    }

    /// The jobs that had started by `now`, in the order of their starts, and the waiting ones in log order, without those
    /// that are held.
    pub fn present(&self, now: Seconds) -> (Vec<(JobId, Seconds)>, Vec<JobId>) {
        let (mut running, mut waiting) = (Vec::new(), Vec::new());
        for job in (0..self.submitted(now) as u32).map(JobId) {
            match self.known(job, now) {
                Known::Runs(since) => running.push((job, now - since)),
                Known::Waits if !self.is_held(job, now) => waiting.push(job),
                Known::Waits | Known::Nothing | Known::Ran(_) | Known::Left => {}
            }
        }
        running.sort_unstable_by_key(|&(job, start)| (start, job));
        (running, waiting)
    }
}

// The start that similar jobs of the weeks before promise: what a person would guess from the waits of others.

/// From how far back waits count, seconds.
const SPAN: Seconds = 28 * 86_400;

/// Jobs that are similar: of one partition, with widths and requested times of the same power of two.
type Kind = (i32, u32, u32);

/// The waits of jobs that started in the weeks before a moment, by kind.
pub(super) struct Waits {
    medians: FxHashMap<Kind, Seconds>,
    of_all: Seconds,
}

fn kind(past: &Past, job: JobId) -> Kind {
    let request = past.workload().request(job);
    (request.partition, request.processors.ilog2(), (request.limit.max(1) as u64).ilog2())
}

fn median(waits: &mut [Seconds]) -> Seconds {
    waits.sort_unstable();
    waits.get(waits.len() / 2).copied().unwrap_or(0)
}

impl Waits {
    pub(super) fn known(past: &Past, now: Seconds) -> Self {
        let mut kinds: FxHashMap<Kind, Vec<Seconds>> = FxHashMap::default();
        let mut all = Vec::new();
        let from = past.submitted(now - 2 * SPAN) as u32;
        for job in (from..past.submitted(now) as u32).map(JobId) {
            let Some(start) = past.started(job, now).filter(|start| now - start <= SPAN) else { continue };
            let wait = start - past.workload().request(job).submit;
            kinds.entry(kind(past, job)).or_default().push(wait);
            all.push(wait);
        }
        let medians = kinds.into_iter().map(|(kind, mut waits)| (kind, median(&mut waits))).collect();
        Waits { medians, of_all: median(&mut all) }
    }

    /// When a job that waits at `now` starts, seconds from then, if it waits as long as half of the similar jobs.
    pub(super) fn start(&self, past: &Past, job: JobId, now: Seconds) -> Seconds {
        let wait = self.medians.get(&kind(past, job)).copied().unwrap_or(self.of_all);
        (past.workload().request(job).submit + wait - now).max(0)
    }
}

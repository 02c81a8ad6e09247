//! What is known of each job at a moment: the only door to run times, and it does not open on what comes later.

use super::course::Moments;
use super::stage::Coming;
use packfair_base::random::Random;
use packfair_workload::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
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

// How long similar jobs ran: the distribution from which a run time is drawn, given how long the job has run.
//
// Of a group's jobs the last ones to start by the moment count. Those that still run are censored: they are known to
// run longer than they have. A draw that meets one goes on among what is longer, which is Efron's redistribution to the
// right (1967) and gives the Kaplan-Meier distribution.

/// The most jobs of a group that count.
const MOST: usize = 120;

/// The fewest jobs from which a draw is made; below, a wider group is asked.
const FEWEST: usize = 6;

/// The kinds of groups, by their places in [`packfair_workload::similarity`], most similar first, where the program is
/// known, and whether jobs of the kind have their requested time in common.
const WITH_PROGRAM: [(usize, bool); 6] = [(0, true), (1, true), (3, false), (8, true), (9, true), (11, false)];

/// The same where the program is not known.
const WITHOUT_PROGRAM: [(usize, bool); 3] = [(8, true), (9, true), (11, false)];

/// What is asked last: the jobs of the same requested time and width, then of the same requested time.
const OF_ANYBODY: [(usize, bool); 2] = [(12, true), (13, true)];

/// The jobs of each group, in the order of their starts.
pub struct History<'a> {
    past: &'a Past<'a>,
    groups: Vec<Vec<(Seconds, JobId)>>,
    all: Vec<(Seconds, JobId)>,
}

/// Run times, or shares of the requested time, the shortest first, and whether the job was still running.
type Sample = Rc<[(f64, bool)]>;

/// What was known of run times at a moment.
pub struct Laws<'a> {
    history: &'a History<'a>,
    now: Seconds,
    /// The samples so far, by group; the last is that of all jobs.
    samples: RefCell<FxHashMap<usize, Sample>>,
}

impl<'a> History<'a> {
    /// What is known of the run times of all jobs that started.
    pub fn of(past: &'a Past<'a>) -> Self {
        let workload = past.workload();
        let similarity = workload.similarity();
        let (classes, count) = (similarity.groups_of_classes(), similarity.groups());
        let mut all: Vec<(Seconds, JobId)> =
            workload.jobs().filter_map(|job| past.outcome(job).map(|start| (start, job))).collect();
        all.sort_unstable();
        let mut groups = vec![Vec::new(); count];
        for &(start, job) in &all {
            let of_class = &classes[similarity.class(job)];
            for (kind, _) in WITH_PROGRAM.into_iter().chain(OF_ANYBODY) {
                groups[of_class[kind] as usize].push((start, job));
            }
        }
        History { past, groups, all }
    }

    /// The past that it is made of.
    pub fn past(&self) -> &'a Past<'a> {
        self.past
    }

    /// What was known at `now`.
    pub fn at(&'a self, now: Seconds) -> Laws<'a> {
        Laws { history: self, now, samples: RefCell::default() }
    }

    /// How many jobs had started by `now`.
    pub fn started(&self, now: Seconds) -> usize {
        self.all.partition_point(|&(start, _)| start <= now)
    }
}

impl Laws<'_> {
    /// The moment.
    pub fn now(&self) -> Seconds {
        self.now
    }

    /// The run time of a job that has run for `elapsed` seconds, drawn with `uniform`, from 0 up to 1: a larger number
    /// gives a longer time.
    pub fn draw(&self, job: JobId, elapsed: Seconds, uniform: f64) -> Seconds {
        let workload = self.history.past.workload();
        let (request, similarity) = (workload.request(job), workload.similarity());
        let groups = &similarity.groups_of_classes()[similarity.class(job)];
        let kinds: &[(usize, bool)] = if request.executable >= 0 { &WITH_PROGRAM } else { &WITHOUT_PROGRAM };
        let limit = request.limit as f64;
        let of_kind = |&(kind, shares_limit): &(usize, bool)| (groups[kind] as usize, shares_limit);
        let kinds = kinds.iter().chain(&OF_ANYBODY).map(of_kind).chain([(self.history.groups.len(), false)]);
        let longest = limit.max(elapsed as f64 + 1.0);
        for (group, shares_limit) in kinds {
            let unit = if shares_limit { 1.0 } else { limit };
            let sample = self.sample(group, shares_limit);
            if let Some(drawn) = longer_than(&sample, elapsed as f64 / unit, uniform) {
                return (libm::round(drawn * unit).min(longest) as Seconds).max(elapsed + 1);
            }
        }
        // nobody ran for so long: any time up to the limit, and beyond it a little more
        let more = (limit - elapsed as f64).max(60.0 + 0.1 * elapsed as f64);
        elapsed + 1 + (more * uniform) as Seconds
    }

    /// The run times of a group, or their shares of the requested times.
    fn sample(&self, group: usize, shares_limit: bool) -> Sample {
        if let Some(sample) = self.samples.borrow().get(&group) {
            return sample.clone();
        }
        let History { past, groups, all } = self.history;
        let jobs = groups.get(group).unwrap_or(all);
        let known = jobs.partition_point(|&(start, _)| start <= self.now);
        let value = |&(_, job): &(Seconds, JobId)| {
            let unit = if shares_limit { 1.0 } else { past.workload().request(job).limit as f64 };
            match past.known(job, self.now) {
                Known::Ran(run) => Some((run as f64 / unit, false)),
                Known::Runs(elapsed) => Some((elapsed as f64 / unit, true)),
                Known::Nothing | Known::Waits | Known::Left => None,
            }
        };
        let mut sample: Vec<(f64, bool)> = jobs[known.saturating_sub(MOST)..known].iter().filter_map(value).collect();
        sample.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let sample: Sample = sample.into();
        self.samples.borrow_mut().insert(group, sample.clone());
        sample
    }
}

/// A value above `least`, drawn from a sample; none where it has too few.
fn longer_than(sample: &[(f64, bool)], least: f64, uniform: f64) -> Option<f64> {
    let (mut least, mut uniform) = (least, uniform);
    let ended = |longer: &[(f64, bool)]| longer.iter().filter(|(_, is_running)| !is_running).count();
    let mut first = true;
    loop {
        let longer = &sample[sample.partition_point(|&(value, _)| value <= least)..];
        if std::mem::take(&mut first) && ended(longer) < FEWEST || longer.is_empty() {
            return None;
        }
        let place = uniform * longer.len() as f64;
        let (value, is_running) = longer[(place as usize).min(longer.len() - 1)];
        if !is_running {
            return Some(value);
        }
        (least, uniform) = (value, place - libm::floor(place));
    }
}

// Who comes after a moment: nobody, who really came, or who came in weeks before at the same hour and weekday.

pub(super) const WEEK: Seconds = 7 * 86_400;

/// The most weeks before a moment from which arrivals are drawn: habits change.
const MOST_WEEKS: Seconds = 8;

/// Who arrives after the moment of a forecast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrivals {
    /// A stretch of the log at the same hour and weekday.
    #[default]
    Drawn,
    /// Nobody.
    None,
    /// Who really came, for trying forecasts.
    Again,
}

packfair_base::named!(Arrivals, "way of arrivals", {
    Drawn => "drawn", "Drawn", "Weeks before the moment are drawn, each job at its own hour and weekday";
    None => "none", "Nobody", "Nobody is submitted after the moment";
    Again => "again", "As they came", "Who really came after the moment, for trying forecasts on a log";
});

/// The jobs of the log that were submitted in `(from, until]`.
fn submitted(past: &Past, from: Seconds, until: Seconds) -> impl Iterator<Item = (JobId, Seconds)> {
    let jobs = past.submitted(from) as u32..past.submitted(until) as u32;
    jobs.map(JobId).map(|job| (job, past.workload().request(job).submit))
}

impl Arrivals {
    /// The jobs that come within `horizon` seconds after `now`, in order.
    pub(super) fn coming(self, past: &Past, now: Seconds, horizon: Seconds, random: &mut Random) -> Coming {
        match self {
            Arrivals::None => Coming::new(),
            Arrivals::Again => submitted(past, now, now + horizon).collect(),
            Arrivals::Drawn => drawn(past, now, horizon, random),
        }
    }
}

/// Draws one of the weeks before for each week to come. Of a log that is shorter, days are drawn.
fn drawn(past: &Past, now: Seconds, horizon: Seconds, random: &mut Random) -> Coming {
    let Some(first) = past.workload().requests().first() else { return Coming::new() };
    let known = now - first.submit;
    let step = if known >= WEEK { WEEK } else { WEEK / 7 };
    let count = (known / step).min(MOST_WEEKS);
    let mut coming = Coming::new();
    let mut ahead = 0;
    while ahead < horizon && count > 0 {
        let back = step * (1 + random.below_fine(count as usize) as Seconds);
        let end = step.min(horizon - ahead);
        let by = ahead + back;
        // who came then and has left without a start takes nothing
        let came =
            submitted(past, now - back, now - back + end).filter(|&(job, _)| past.known(job, now) != Known::Left);
        coming.extend(came.map(|(job, submit)| (job, submit + by)));
        ahead += step;
    }
    coming
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_the_sample_above_what_has_passed() {
        let ran: Vec<(f64, bool)> = (1..=10).map(|value| (f64::from(value), false)).collect();
        assert_eq!(longer_than(&ran, 0.0, 0.0), Some(1.0));
        assert_eq!(longer_than(&ran, 0.0, 0.999), Some(10.0));
        assert_eq!(longer_than(&ran, 4.0, 0.0), Some(5.0));
        assert_eq!(longer_than(&ran, 5.0, 0.5), None, "five are too few");
    }

    #[test]
    fn running_jobs_are_known_to_last_longer() {
        let mut sample: Vec<(f64, bool)> = (1..=9).map(|value| (f64::from(value), false)).collect();
        sample.insert(2, (2.5, true));
        // the third of ten goes on among the seven that are longer
        let drawn: Vec<f64> = (0..700).filter_map(|i| longer_than(&sample, 0.0, f64::from(i) / 700.0)).collect();
        let share = drawn.iter().filter(|&&value| value > 2.5).count() as f64 / 700.0;
        assert!((share - 0.8).abs() < 0.01, "{share}");
        let of_nine = drawn.iter().filter(|&&value| value == 9.0).count() as f64 / 700.0;
        assert!((of_nine - 0.8 / 7.0).abs() < 0.01, "{of_nine}");
    }
}

//! What is told of each waiting job.

use super::band::{Band, Scale, quantile};
use super::futures::Ensemble;
use packfair_workload::{JobId, Log, Record, Seconds, Unit, Workload};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// When a waiting job starts, as far as anybody can say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// The number of the job in the log.
    pub job: i64,
    /// The user, where the log tells one: the name, or the number.
    pub user: Option<String>,
    /// Seconds from now before which it starts with a probability of 10 %.
    pub p10: Seconds,
    /// Seconds from now before which it starts with a probability of 50 %.
    pub p50: Seconds,
    /// Seconds from now before which it starts with a probability of 90 %.
    pub p90: Seconds,
    /// The chance that it starts within an hour.
    pub within_1h: f64,
    /// Within four hours.
    pub within_4h: f64,
    /// Within a day.
    pub within_24h: f64,
    /// How long it has waited, seconds.
    pub waited: Seconds,
    /// Its processors.
    pub processors: u32,
    /// Its requested time, seconds.
    pub limit: Seconds,
    /// When it starts if all jobs take their limits and nobody comes, seconds from now; none where it does not start
    /// within the horizon.
    pub by_limits: Option<Seconds>,
    /// Why it waits now.
    pub reason: String,
    /// Whether it never starts in any future.
    pub never: bool,
}

/// A job that starts before another one in most futures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Before {
    /// The number of the job in the log.
    pub job: i64,
    /// The user, where the log tells one.
    pub user: Option<String>,
    /// In which share of the futures it starts before.
    pub share: f64,
    /// Its processors.
    pub processors: u32,
    /// Its requested time, seconds.
    pub limit: Seconds,
    /// Why it comes before.
    pub why: String,
}

/// The forecasts of all waiting jobs, with their bands scaled.
pub fn forecasts(ensemble: &Ensemble, workload: &Workload, scale: &Scale, horizon: Seconds) -> Vec<Forecast> {
    let each = ensemble.waiting.iter().enumerate();
    each.map(|(place, &job)| forecast(ensemble, workload, scale, horizon, (place, job))).collect()
}

fn forecast(
    ensemble: &Ensemble,
    workload: &Workload,
    scale: &Scale,
    horizon: Seconds,
    (place, job): (usize, JobId),
) -> Forecast {
    let starts = &ensemble.starts[place];
    let raw = Band::of(starts);
    let never = starts.iter().all(|&start| start >= horizon);
    // what starts at once in every future starts at once
    let band = if never || starts.iter().all(|&start| start == 0) { raw } else { raw.scaled(scale) };
    let p90 = (libm::ceil(band.p90) as Seconds).min(horizon);
    let p50 = (libm::round(band.p50) as Seconds).min(p90);
    let p10 = (libm::floor(band.p10) as Seconds).min(p50);
    let within = |time: Seconds| chance(starts, &raw, &band, time);
    let request = workload.request(job);
    Forecast {
        job: request.number,
        user: user(workload, request.user),
        p10,
        p50,
        p90,
        within_1h: within(3_600),
        within_4h: within(4 * 3_600),
        within_24h: within(86_400),
        waited: ensemble.now - request.submit,
        processors: request.processors,
        limit: request.limit,
        by_limits: ensemble.by_limits.get(place).copied().filter(|&start| start < horizon),
        reason: reason(ensemble, workload, place, job, never),
        never,
    }
}

/// The waiting jobs of a log as it was seen at `now` that its workload left out because they can never run.
pub fn impossible(log: &Log, workload: &Workload, now: Seconds, horizon: Seconds) -> Vec<Forecast> {
    let taken: FxHashSet<u32> = workload.records().iter().copied().collect();
    let waits = |record: &Record| record.submit <= now && record.wait < 0 && record.run > 0;
    let has_left = |place: u32| log.left(place as usize).is_some_and(|left| left <= now);
    let out = (0..).zip(&log.records);
    let out = out.filter(|(place, record)| waits(record) && !taken.contains(place) && !has_left(*place));
    out.filter_map(|(_, record)| never(record, workload, now, horizon)).collect()
}

/// The forecast of a job that is wider than the machine; none where something else is wrong with its record.
fn never(record: &Record, workload: &Workload, now: Seconds, horizon: Seconds) -> Option<Forecast> {
    let processors = u32::try_from(record.requested.max(record.allocated)).ok()?;
    let (machine, unit) = (workload.machine.processors, workload.counting().unit);
    let size = |count: u32| packfair_study::format::size(count, unit);
    (processors > machine).then(|| Forecast {
        job: record.number,
        user: user(workload, record.user),
        p10: horizon,
        p50: horizon,
        p90: horizon,
        within_1h: 0.0,
        within_4h: 0.0,
        within_24h: 0.0,
        waited: now - record.submit,
        processors,
        limit: record.requested_time,
        by_limits: None,
        reason: format!("can never start: it asks for {}, and the machine has {}", size(processors), size(machine)),
        never: true,
    })
}

/// The chance of a start within `time`: the share of the calibrated starts.
fn chance(starts: &[Seconds], raw: &Band, band: &Band, time: Seconds) -> f64 {
    let within = starts.iter().filter(|&&start| stretched(start, raw, band) <= time as f64);
    within.count() as f64 / starts.len().max(1) as f64
}

/// A start as far from the calibrated median as it lies from its own, in the widths of the two bands.
fn stretched(start: Seconds, raw: &Band, band: &Band) -> f64 {
    let from = start as f64 - raw.p50;
    let (own, other) =
        if from < 0.0 { (raw.p50 - raw.p10, band.p50 - band.p10) } else { (raw.p90 - raw.p50, band.p90 - band.p50) };
    (if own > 0.0 { band.p50 + from * other / own } else { band.p50 + from }).max(0.0)
}

/// The points before which a waiting job starts with a probability of 0, 5, ... 100 %, seconds from now.
pub fn fan(starts: &[Seconds], scale: &Scale, horizon: Seconds) -> Vec<Seconds> {
    let raw = Band::of(starts);
    let band = if starts.iter().all(|&start| start == 0 || start >= horizon) { raw } else { raw.scaled(scale) };
    let mut all: Vec<f64> = starts.iter().map(|&start| stretched(start, &raw, &band)).collect();
    all.sort_by(f64::total_cmp);
    (0..=20).map(|step| (libm::round(quantile(&all, f64::from(step) / 20.0)) as Seconds).min(horizon)).collect()
}

fn user(workload: &Workload, user: i32) -> Option<String> {
    let named = workload.header.name_of("User", user.into()).map(str::to_owned);
    named.or_else(|| (user >= 0).then(|| user.to_string()))
}

/// Why a job waits: in the words of the scheduler, or what can be seen.
fn reason(ensemble: &Ensemble, workload: &Workload, place: usize, job: JobId, never: bool) -> String {
    let said = ensemble.reasons[place].clone();
    let request = workload.request(job);
    let unit = workload.counting().unit;
    let size = |count: u32| packfair_study::format::size(count, unit);
    if never {
        let why = said.unwrap_or_else(|| format!("it asks for {} and is never placed", size(request.processors)));
        return format!("does not start in any future within the horizon: {why}");
    }
    if let Some(said) = said {
        return said;
    }
    if ensemble.starts[place].iter().all(|&start| start == 0) {
        return "nothing: it starts at once".to_owned();
    }
    let before = match place {
        0 => String::new(),
        1 => ", and 1 job waits before it".to_owned(),
        some => format!(", and {some} jobs wait before it"),
    };
    let free = free(ensemble.free, unit);
    if request.processors > ensemble.free {
        format!("resources: it asks for {}, {free}{before}", size(request.processors))
    } else {
        format!("priority: it would fit, for {free}, but it would be in the way of others{before}")
    }
}

fn free(count: u32, unit: Unit) -> String {
    match count {
        0 => format!("no {} is free", unit.singular()),
        1 => format!("1 {} is free", unit.singular()),
        some => format!("{} {} are free", packfair_study::format::whole(some), unit.plural()),
    }
}

/// The waiting jobs that start before the one at `place` in at least half of the futures, those that do so most often
/// first.
pub fn before(ensemble: &Ensemble, workload: &Workload, place: usize) -> Vec<Before> {
    let own = &ensemble.starts[place];
    let share = |other: usize| {
        let pairs = ensemble.starts[other].iter().zip(own);
        pairs.filter(|(other, own)| other < own).count() as f64 / own.len().max(1) as f64
    };
    let others = (0..ensemble.waiting.len()).filter(|&other| other != place);
    let mut before: Vec<(usize, f64)> =
        others.map(|other| (other, share(other))).filter(|&(_, share)| share >= 0.5).collect();
    before.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let told = |(other, share): (usize, f64)| {
        let request = workload.request(ensemble.waiting[other]);
        let why = if other < place { "it waits longer" } else { "it fits where this one does not, or goes before it" };
        let (processors, limit) = (request.processors, request.limit);
        Before {
            job: request.number,
            user: user(workload, request.user),
            share,
            processors,
            limit,
            why: why.to_owned(),
        }
    };
    before.into_iter().map(told).collect()
}

//! How true forecasts were: at moments of a log, what was forecast for who waited then against what came.

use super::band::{Band, Calibration, quantile};
use super::futures::{Ensemble, Futures};
use super::past::{Past, Waits};
use super::stage::ENDLESS;
use packfair_base::random::Random;
use packfair_workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};

/// The share of the log that comes before the first moment that is tried, for there to be a history.
const BEFORE: f64 = 0.25;

/// The share of the log before which no forecast is made, not even one to calibrate by.
const FIRST: f64 = 0.1;

/// Of so many tried moments there is one before them, to calibrate by.
const CALIBRATING: u32 = 3;

/// After so long, seconds, a job that still waits counts as one that starts late.
const PATIENCE: Seconds = 3 * 86_400;

/// A forecast of one job, and what came.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The moment of the forecast.
    pub now: Seconds,
    /// The job that waited then.
    pub job: JobId,
    /// The forecast.
    pub band: Band,
    /// The start that limits promise, seconds from the moment.
    pub by_limits: Seconds,
    /// The start that similar jobs promise, seconds from the moment.
    pub by_similar: Seconds,
    /// The start that came, seconds from the moment; very late where nobody knows it yet.
    pub came: Seconds,
    /// When the job left without having started, seconds from the moment. Such a forecast is not judged.
    pub left: Option<Seconds>,
}

/// What a back test came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BackTest {
    /// How many forecasts were judged.
    pub predictions: usize,
    /// At how many moments they were made.
    pub moments: usize,
    /// Share of starts within the 80 % band.
    pub coverage_80: f64,
    /// Share of starts before it.
    pub earlier: f64,
    /// Share of starts after it.
    pub later: f64,
    /// Median of how far the median start lay from what came, seconds.
    pub median_error_s: f64,
    /// The same of the start that limits promise.
    pub limits_median_error_s: f64,
    /// The same of the start that similar jobs promise.
    pub similar_median_error_s: f64,
    /// Median width of the band, seconds.
    pub median_width_s: f64,
    /// Share of starts within the band before it was calibrated.
    pub uncalibrated_coverage_80: f64,
}

/// The moments of a back test: so many to judge by, and before them some to calibrate by.
#[derive(Clone, Debug, PartialEq)]
pub struct TriedMoments {
    /// The moments, in order.
    pub all: Vec<Seconds>,
    /// The first of those that are judged.
    pub judged_from: Seconds,
}

impl TriedMoments {
    /// So many moments of a past at which jobs wait, drawn at random.
    pub fn of(past: &Past, count: u32, seed: u64) -> Self {
        let ends = past.workload().requests().first().zip(past.workload().requests().last());
        let (first, last) = ends.map_or((0, 0), |(first, last)| (first.submit, last.submit));
        let at = |share: f64| first + ((last - first) as f64 * share) as Seconds;
        TriedMoments::within(past, [at(FIRST), at(BEFORE), last], count, seed)
    }

    /// The moments of the time before a forecast, all of which calibrate it.
    pub fn before(past: &Past, now: Seconds, span: Seconds, count: u32, seed: u64) -> Self {
        let first = past.workload().requests().first().map_or(now, |request| request.submit);
        let from = (now - span).max(first + ((now - first) as f64 * FIRST) as Seconds);
        let third = from + (now - from) / 3;
        TriedMoments::within(past, [from, third, now], count, seed)
    }

    fn within(past: &Past, [from, judged_from, until]: [Seconds; 3], count: u32, seed: u64) -> Self {
        let (waits, mut random) = (past.waits(), Random::of([seed, 0, 4]));
        let mut all = waits.draw(from, judged_from, count.div_ceil(CALIBRATING) as usize, &mut random);
        all.extend(waits.draw(judged_from, until, count as usize, &mut random));
        TriedMoments { all, judged_from }
    }
}

/// The forecasts of these moments with what came, in order.
pub fn trials(futures: &Futures, past: &Past, moments: &[Seconds], count: u32) -> Vec<Trial> {
    futures.of(moments, &(0..count)).iter().flat_map(|ensemble| judged(ensemble, past)).collect()
}

fn judged(ensemble: &Ensemble, past: &Past) -> Vec<Trial> {
    let Ensemble { now, waiting, starts, by_limits, .. } = ensemble;
    let waits = Waits::known(past, *now);
    let jobs = waiting.iter().zip(starts).zip(by_limits);
    let trial = |((&job, starts), &by_limits): ((&JobId, &Vec<Seconds>), &Seconds)| {
        let came = past.outcome(job).map_or(ENDLESS, |start| start - now);
        let by_similar = waits.start(past, job, *now);
        let left = past.left(job).map(|left| left - now);
        Trial { now: *now, job, band: Band::of(starts), by_limits, by_similar, came, left }
    };
    jobs.map(trial).collect()
}

/// The calibration that is known at `now`: of forecasts of whose moments every start is known by then, or that are so
/// old that a missing one counts as late.
pub fn known(trials: &[Trial], now: Seconds) -> Calibration {
    let mut calibration = Calibration::default();
    for of_moment in trials.chunk_by(|a, b| a.now == b.now) {
        let moment = of_moment[0].now;
        let has_left = |trial: &Trial| trial.left.is_some_and(|left| moment + left <= now);
        let is_known = |trial: &Trial| moment + trial.came <= now || has_left(trial);
        if moment >= now || (now - moment < PATIENCE && !of_moment.iter().all(is_known)) {
            continue;
        }
        for trial in of_moment.iter().filter(|trial| !has_left(trial)) {
            calibration.learn(&trial.band, trial.came.min(now - moment));
        }
    }
    calibration
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    quantile(&values, 0.5)
}

impl BackTest {
    /// What the trials before `now` came to whose outcomes are known then.
    pub fn known(trials: &[Trial], moments: &TriedMoments, now: Seconds) -> Self {
        let known: Vec<Trial> = trials.iter().filter(|trial| trial.now + trial.came <= now).cloned().collect();
        BackTest::of(&known, moments.judged_from)
    }

    /// What the trials of the judged moments came to, each calibrated by those before it.
    pub fn of(trials: &[Trial], judged_from: Seconds) -> Self {
        let mut told: Vec<(&Trial, Band)> = Vec::new();
        let mut moments = 0;
        for of_moment in trials.chunk_by(|a, b| a.now == b.now).filter(|of| of[0].now >= judged_from) {
            let scale = known(trials, of_moment[0].now).scale();
            let judged = of_moment.iter().filter(|trial| trial.left.is_none());
            told.extend(judged.map(|trial| (trial, trial.band.scaled(&scale))));
            moments += 1;
        }
        let share = |is_it: &dyn Fn(&Trial, &Band) -> bool| {
            told.iter().filter(|(trial, band)| is_it(trial, band)).count() as f64 / told.len() as f64
        };
        let error = |of: &dyn Fn(&Trial, &Band) -> f64| {
            median(told.iter().map(|(trial, band)| (of(trial, band) - trial.came as f64).abs()))
        };
        BackTest {
            predictions: told.len(),
            moments,
            coverage_80: share(&|trial, band| band.holds(trial.came)),
            earlier: share(&|trial, band| (trial.came as f64) < libm::floor(band.p10)),
            later: share(&|trial, band| trial.came as f64 > libm::ceil(band.p90)),
            median_error_s: error(&|_, band| band.p50),
            limits_median_error_s: error(&|trial, _| trial.by_limits as f64),
            similar_median_error_s: error(&|trial, _| trial.by_similar as f64),
            median_width_s: median(told.iter().map(|(_, band)| band.p90 - band.p10)),
            uncalibrated_coverage_80: share(&|trial, _| trial.band.holds(trial.came)),
        }
    }
}

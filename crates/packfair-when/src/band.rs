//! Bands that hold: what forecasts of the weeks before came to widens or narrows those of today (conformal scaling,
//! after Romano, Patterson and Candès, "Conformalized quantile regression", 2019).

use packfair_workload::{Cleaning, Log, Record, Seconds};

/// The median start of a job and the points between which it starts with a probability of 80 %, seconds from the
/// moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// One start in ten is earlier.
    pub p10: f64,
    /// The median start.
    pub p50: f64,
    /// One start in ten is later.
    pub p90: f64,
}

/// The least half width of a band that counts, seconds, and as a share of the median: an ensemble whose members agree
/// says nothing of how wrong it is.
const NARROWEST: (f64, f64) = (60.0, 0.05);

/// As many forecasts as these are taken to have come out as they should, before anything is known.
const BELIEVED: usize = 40;

/// Forecasts of which it is known what came.
const MOST: usize = 3_000;

/// How far the outcomes of forecasts lay from their medians, as multiples of the half widths of their bands.
#[derive(Clone, Debug, Default)]
pub struct Calibration {
    distances: Vec<f64>,
}

/// By how much bands are widened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The distance below which one outcome in ten lay, below 0: earlier than the median.
    early: f64,
    middle: f64,
    /// Nine in ten.
    late: f64,
}

/// A value of which a share `share` of a sorted sample is smaller.
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let (low, rest) = (libm::floor(place), place - libm::floor(place));
    let at = |place: f64| sorted[(place as usize).min(last)];
    at(low) + rest * (at(low + 1.0) - at(low))
}

impl Band {
    /// The band of a sample of starts.
    pub fn of(starts: &[Seconds]) -> Self {
        let mut sorted: Vec<f64> = starts.iter().map(|&start| start as f64).collect();
        sorted.sort_by(f64::total_cmp);
        let [p10, p50, p90] = [0.1, 0.5, 0.9].map(|share| quantile(&sorted, share));
        Band { p10, p50, p90 }
    }

    /// The half widths of the band to both sides.
    fn halves(&self) -> (f64, f64) {
        let least = NARROWEST.0 + NARROWEST.1 * self.p50;
        ((self.p50 - self.p10).max(least), (self.p90 - self.p50).max(least))
    }

    /// Whether a start lies in the band, to the second.
    pub fn holds(&self, start: Seconds) -> bool {
        (libm::floor(self.p10)..=libm::ceil(self.p90)).contains(&(start as f64))
    }

    /// How far a start lies from the median, as a multiple of the half width on its side.
    fn distance(&self, start: Seconds) -> f64 {
        let (below, above) = self.halves();
        let from = start as f64 - self.p50;
        if from < 0.0 { from / below } else { from / above }
    }

    /// The point at this distance from the median; no start is before now.
    pub(super) fn at(&self, distance: f64) -> f64 {
        let (below, above) = self.halves();
        (self.p50 + distance * if distance < 0.0 { below } else { above }).max(0.0)
    }

    /// The band that the forecasts before say.
    pub fn scaled(&self, scale: &Scale) -> Band {
        Band { p10: self.at(scale.early), p50: self.at(scale.middle), p90: self.at(scale.late) }
    }
}

impl Calibration {
    /// Takes in what a forecast came to.
    pub fn learn(&mut self, band: &Band, start: Seconds) {
        self.distances.push(band.distance(start));
    }

    /// The number of forecasts that it knows.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// By how much bands are to be widened now.
    pub fn scale(&self) -> Scale {
        let latest = &self.distances[self.distances.len().saturating_sub(MOST)..];
        let mut all: Vec<f64> = latest.to_vec();
        // evenly spread with 80 % within 1, as they should be
        all.extend((0..BELIEVED).map(|i| (2.0 * (i as f64 + 0.5) / BELIEVED as f64 - 1.0) * 1.25));
        all.sort_by(f64::total_cmp);
        let [early, middle, late] = [0.1, 0.5, 0.9].map(|share| quantile(&all, share));
        Scale { early: early.min(0.0), middle, late: late.max(0.0) }
    }
}

// A log as it looked at a moment: what became known later is taken out of it.

/// Whether those who are submitted after the moment are left in the log, without run times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Later {
    /// They are not: nobody knows of them yet.
    Unknown,
    /// They are left, for forecasts on what really came.
    Submitted,
}

/// The log as it looked at `now`: jobs that wait have no start and ask for what they asked for, jobs that run have no end, and
/// who left without having started is there until then.
pub fn cut(log: &Log, cleaning: Cleaning, now: Seconds, later: Later) -> Log {
    let tells_starts = log.tells_starts();
    let mut cut = if tells_starts { log.as_queued(cleaning).into_owned() } else { log.clone() };
    if tells_starts {
        cut.end_running();
    }
    let is_known = log.end().is_some_and(|end| now <= end);
    for place in 0..cut.records.len() {
        let record = &mut cut.records[place];
        if record.submit > now {
            match later {
                Later::Unknown => no_job(record),
                Later::Submitted if tells_starts => wait(&mut cut, place),
                Later::Submitted => {}
            }
        } else if tells_starts && record.wait >= 0 {
            let start = record.submit + record.wait;
            if start > now {
                wait(&mut cut, place);
            } else if start.saturating_add(record.run) > now || is_known && log.is_running(place) {
                cut.run_on(place, now - start);
                forget_use(&mut cut, place);
            }
        }
    }
    if later == Later::Unknown {
        forget_holds(&mut cut, now);
        cut.beyond.never_started.retain(|never| never.left <= now);
    }
    cut
}

/// Of jobs that are not eligible yet, hides when they become so. What is left says that it is not at `now`.
fn forget_holds(log: &mut Log, now: Seconds) {
    for (record, eligible) in log.records.iter().zip(&mut log.beyond.eligible) {
        if record.submit <= now && *eligible > now {
            *eligible = now + 1;
        }
    }
}

/// The log without those who are submitted after `now`, for a simulation of what came before.
pub fn without_later(log: &Log, now: Seconds, later: Later) -> Log {
    let mut cut = log.clone();
    let is_out = |record: &&mut Record| later == Later::Unknown && record.submit > now;
    cut.records.iter_mut().filter(is_out).for_each(no_job);
    if later == Later::Unknown {
        forget_holds(&mut cut, now);
    }
    cut
}

/// Makes a record one that is no job: it has no width and no run time.
fn no_job(record: &mut Record) {
    (record.allocated, record.requested, record.run, record.wait) = (-1, -1, -1, -1);
}

fn wait(log: &mut Log, record: usize) {
    log.wait_for_ever(record);
    forget_use(log, record);
    let record = &mut log.records[record];
    if record.requested > 0 {
        record.allocated = -1;
    }
}

/// Hides what is known of a job's use only once it has ended.
fn forget_use(log: &mut Log, record: usize) {
    log.beyond.milliwatts.get_mut(record).into_iter().for_each(|drawn| *drawn = -1);
    let record = &mut log.records[record];
    (record.cpu_time, record.memory) = (-1.0, -1.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_has_the_quantiles_of_its_sample() {
        let starts: Vec<Seconds> = (0..=100).rev().map(|i| 1_000 + 10 * i).collect();
        let band = Band::of(&starts);
        assert_eq!(band, Band { p10: 1_100.0, p50: 1_500.0, p90: 1_900.0 });
        assert!(band.holds(1_100) && band.holds(1_900) && !band.holds(1_901));
    }

    #[test]
    fn bands_that_were_too_narrow_are_widened_until_they_hold() {
        let band = Band { p10: 9_000.0, p50: 10_000.0, p90: 11_000.0 };
        let mut calibration = Calibration::default();
        let before = band.scaled(&calibration.scale());
        assert!((before.p10 - 9_000.0).abs() < 50.0 && (before.p90 - 11_000.0).abs() < 50.0, "{before:?}");
        // what comes is spread three times as far, and later
        for i in 0..2_000 {
            calibration.learn(&band, 7_000 + 3 * (i % 1_000) * 2 + 1_000);
        }
        let scaled = band.scaled(&calibration.scale());
        assert!((scaled.p10 - 8_600.0).abs() < 100.0, "{scaled:?}");
        assert!((scaled.p90 - 13_400.0).abs() < 100.0, "{scaled:?}");
        assert!((scaled.p50 - 11_000.0).abs() < 100.0, "{scaled:?}");
    }
}

//! Bounds on a number, from repeats.

use crate::{Run, Study, Treatment};
use packfair_base::machine::WhatIf;
use packfair_engine::metric::{JobCounts, Metric};
use packfair_workload::{CleanError, Log, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The share of the repeats that a band holds at each point.
const HELD: f64 = 0.95;

/// With at least this many repeats, some lie beyond the band at either end. With fewer it holds all of them.
const TELLING: usize = 40;

/// Bounds on a number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

impl Interval {
    /// The range in which 95 % of these values lie: from the 2.5th to the 97.5th percentile. `None` with fewer than two
    /// finite ones.
    pub(super) fn holding(mut values: Vec<f64>) -> Option<Self> {
        values.retain(|value| value.is_finite());
        if values.len() < 2 {
            return None;
        }
        values.sort_by(f64::total_cmp);
        let beyond = if values.len() < TELLING { 0.0 } else { (1.0 - HELD) / 2.0 };
        Some(Interval { low: quantile(&values, beyond), high: quantile(&values, 1.0 - beyond) })
    }

    /// Whether a number lies within it.
    pub fn holds(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// For the interval of a change: whether the change could also be zero or have the opposite sign.
    pub fn is_unsure(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0 && self.low < self.high
    }
}

/// The value below which `share` of the sorted values lies, interpolated between the two nearest (Hyndman and Fan 1996,
/// type 7). There is at least one value.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    let below = at as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (at - below as f64)
}

// Bounds on the distribution of a run's jobs, from repeats.

/// The range in which 95 % of the repeats lie at each of some points: the bounds of the share of jobs there
/// ([`Interval`]). Each point has its own interval, so a single repeat may leave the band at some points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DistributionBand {
    /// Waits, responses or slowdowns, ascending.
    pub x: Vec<f64>,
    /// Lower bounds of the share of jobs with at most that value.
    pub low: Vec<f64>,
    /// Upper bounds of the same share.
    pub high: Vec<f64>,
}

impl DistributionBand {
    /// The band of these repeats; `None` with fewer than two. It begins at the first point where some repeat has a job.
    pub fn of(repeats: &[&JobCounts]) -> Option<Self> {
        let points = repeats.iter().map(|counts| counts.len()).max()?;
        let mut band = DistributionBand::default();
        for (index, x) in (0..points).map_while(|index| Some((index, JobCounts::point(index)?))) {
            let bounds = Interval::holding(repeats.iter().filter_map(|counts| counts.share(index)).collect())?;
            if bounds.high > 0.0 || !band.x.is_empty() {
                band.x.push(x);
                band.low.push(bounds.low);
                band.high.push(bounds.high);
            }
        }
        Some(band)
    }

    /// The bounds at `x`, interpolated between the neighbouring points. `None` before the first point; beyond the last
    /// one all jobs are counted.
    pub fn at(&self, x: f64) -> Option<(f64, f64)> {
        let after = self.x.partition_point(|&at| at <= x);
        let before = after.checked_sub(1)?;
        let Some(&next) = self.x.get(after) else { return Some((1.0, 1.0)) };
        let part = (x - self.x[before]) / (next - self.x[before]);
        let between = |bounds: &[f64]| bounds[before] + (bounds[after] - bounds[before]) * part;
        Some((between(&self.low), between(&self.high)))
    }
}

// Why a number has no interval.

/// Why a number of a run has no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NoInterval {
    /// The run was not repeated, or the metric is none that repeats have.
    NotRepeated,
    /// The jobs span so little time that weeks drawn from it hardly differ.
    TooShort,
    TooFew,
    /// The number is not defined on many of the repeats.
    Undefined,
    /// The repeats lie to one side of the log's own number, so that they are not like the log by this metric.
    Misfit,
    /// The number hangs on a few jobs: the repeats differ so much that an interval would hold nearly everything.
    FewDecide,
}

impl NoInterval {
    /// The reason, as an end of a sentence.
    pub fn why(self) -> &'static str {
        match self {
            NoInterval::NotRepeated => "it is not repeated",
            NoInterval::TooShort => "they span less than four weeks, and weeks drawn from so few hardly differ",
            NoInterval::TooFew => "two repeats are the least",
            NoInterval::Undefined => "many repeats have no such number",
            NoInterval::Misfit => {
                "repeats do not resemble this log by it: nearly all lie to one side of its own number"
            }
            NoInterval::FewDecide => {
                "a few jobs decide it, and repeats differ so much that an interval would say nothing"
            }
        }
    }
}

// Intervals from a link, without the repeats that they were made from.

/// An interval, or why there is none.
pub type CarriedInterval = Result<Interval, NoInterval>;

/// The intervals that a link carries.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedIntervals {
    /// The number of repeats behind them.
    complete: u32,
    values: BTreeMap<(String, Metric), CarriedInterval>,
    /// The intervals of changes, by run id and metric, with the id of the run that it is compared with.
    changes: BTreeMap<(String, Metric), (String, CarriedInterval)>,
}

impl CarriedIntervals {
    /// No intervals yet, of `complete` repeats.
    pub fn of(complete: u32) -> Self {
        CarriedIntervals { complete, values: BTreeMap::new(), changes: BTreeMap::new() }
    }

    /// Adds the intervals of a run and a metric: of its value, and of its change relative to another run.
    pub fn add(&mut self, run: &Run, metric: Metric, value: CarriedInterval, change: Option<(&Run, CarriedInterval)>) {
        self.values.insert((run.id(), metric), value);
        if let Some((baseline, change)) = change {
            self.changes.insert((run.id(), metric), (baseline.id(), change));
        }
    }

    pub(super) fn complete(&self) -> usize {
        self.complete as usize
    }

    /// The interval of a value; the run is given by its id.
    pub(super) fn interval(&self, run: &str, metric: Metric) -> CarriedInterval {
        self.values.get(&(run.to_owned(), metric)).copied().unwrap_or(Err(NoInterval::NotRepeated))
    }

    /// The interval of a change; both runs are given by their ids.
    pub(super) fn change(&self, run: &str, baseline: &str, metric: Metric) -> CarriedInterval {
        let carried = self.changes.get(&(run.to_owned(), metric));
        carried.filter(|(of, _)| of == baseline).map_or(Err(NoInterval::NotRepeated), |(_, change)| *change)
    }
}

// Student's t distribution.

/// The number that a value of Student's t distribution exceeds in neither direction with this probability.
pub(super) fn two_sided(probability: f64, degrees: usize) -> f64 {
    let mut bounds = (0.0, 1.0);
    while within(bounds.1, degrees) < probability {
        bounds.1 *= 2.0;
    }
    // as many halvings as a number has digits
    for _ in 0..60 {
        let middle = f64::midpoint(bounds.0, bounds.1);
        if within(middle, degrees) < probability { bounds.0 = middle } else { bounds.1 = middle }
    }
    bounds.1
}

/// The probability that a value lies between −t and t (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3
/// and 26.7.4).
fn within(t: f64, degrees: usize) -> f64 {
    let of_root = t / libm::sqrt(degrees as f64);
    let cosine = 1.0 / libm::sqrt(1.0 + of_root * of_root);
    let sine = of_root * cosine;
    let is_odd = degrees % 2 == 1;
    let first = if is_odd { cosine } else { 1.0 };
    let powers = (if is_odd { 3 } else { 2 }..degrees).step_by(2);
    let (sum, _) = powers.fold((first, first), |(sum, term), power| {
        let term = term * cosine * cosine * (power - 1) as f64 / power as f64;
        (sum + term, term)
    });
    match (is_odd, degrees) {
        (true, 1) => libm::atan(of_root) * std::f64::consts::FRAC_2_PI,
        (true, _) => (libm::atan(of_root) + sine * sum) * std::f64::consts::FRAC_2_PI,
        (false, _) => sine * sum,
    }
}

// The workloads from which repeats are made.

/// The workloads of a study before shrinking, one for each of its machines ([`Study::all_machines`]).
///
/// On every machine a repeat draws the same jobs, if all hold the same jobs. So runs on different machines are compared
/// within a repeat, too.
#[derive(Debug)]
pub struct Unshrunk {
    each: Vec<(Option<WhatIf>, Workload)>,
}

impl Unshrunk {
    /// The workloads that a study makes of a log.
    ///
    /// # Errors
    /// Where no workload can be made of it.
    pub fn of(study: &Study, log: &Log) -> Result<Self, CleanError> {
        let on = |what_if: Option<WhatIf>| {
            let treatment = Treatment { shrink: 1.0, what_if: what_if.clone(), ..study.treatment.clone() };
            Ok((what_if, treatment.apply(log)?))
        };
        Ok(Unshrunk { each: study.all_machines().into_iter().map(on).collect::<Result<_, CleanError>>()? })
    }

    pub fn machines(&self) -> impl Iterator<Item = (Option<&WhatIf>, &Workload)> {
        self.each.iter().map(|(what_if, workload)| (what_if.as_ref(), workload))
    }

    /// The workload on a machine; `None` if the study has no such machine.
    pub fn on(&self, what_if: Option<&WhatIf>) -> Option<&Workload> {
        self.machines().find(|(own, _)| *own == what_if).map(|(_, workload)| workload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_have_known_intervals() {
        // 0 to 200 in some order: 2.5 % of them lie below 5, and 2.5 % above 195.
        let values: Vec<f64> = (0..=200).map(|i| f64::from(i * 37 % 201)).collect();
        let interval = Interval::holding(values).unwrap();
        assert!((interval.low - 5.0).abs() < 1e-9 && (interval.high - 195.0).abs() < 1e-9, "{interval:?}");
        // Interpolated: 0.025 of the way from the 1st to the 41st value is the 2nd one.
        let values: Vec<f64> = (0..41).map(|i| f64::from(i * i)).collect();
        let interval = Interval::holding(values).unwrap();
        assert!((interval.low - 1.0).abs() < 1e-9 && (interval.high - 1521.0).abs() < 1e-9, "{interval:?}");
    }

    #[test]
    fn few_values_are_all_within() {
        assert_eq!(Interval::holding(vec![3.0, -1.0, 2.0, f64::NAN]), Some(Interval { low: -1.0, high: 3.0 }));
        assert_eq!(Interval::holding(vec![3.0]), None);
        assert_eq!(Interval::holding(vec![]), None);
    }

    #[test]
    fn a_change_that_could_be_none_is_not_sure() {
        let is_unsure = |low, high| Interval { low, high }.is_unsure();
        assert!(is_unsure(-0.02, 0.05) && is_unsure(0.0, 0.1) && is_unsure(-0.1, 0.0));
        assert!(!is_unsure(0.01, 0.05) && !is_unsure(-0.2, -0.1));
        assert!(!is_unsure(0.0, 0.0), "it is surely none");
    }
}

#[cfg(test)]
mod band_tests {
    use super::*;

    #[test]
    fn bounds_between_points_are_in_proportion() {
        let band = DistributionBand { x: vec![1.0, 3.0], low: vec![0.0, 0.5], high: vec![0.25, 1.0] };
        assert_eq!(
            [0.5, 1.0, 2.0, 9.0].map(|x| band.at(x)),
            [None, Some((0.0, 0.25)), Some((0.25, 0.625)), Some((1.0, 1.0))]
        );
        assert_eq!(DistributionBand::of(&[&JobCounts::default(); 3]), Some(DistributionBand::default()), "no jobs");
        assert_eq!(DistributionBand::of(&[]), None);
    }
}

#[cfg(test)]
mod student_tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        // Fisher and Yates, Statistical Tables
        for (probability, degrees, printed) in [
            (0.95, 1, 12.706),
            (0.95, 2, 4.303),
            (0.95, 3, 3.182),
            (0.95, 9, 2.262),
            (0.95, 10, 2.228),
            (0.95, 40, 2.021),
            (0.99, 1, 63.657),
            (0.99, 4, 4.604),
            (0.99, 39, 2.708),
            (0.99, 1_000, 2.581),
        ] {
            let found = two_sided(probability, degrees);
            assert!((found - printed).abs() < 0.000_6, "{probability} {degrees}: {found}, {printed}");
        }
    }
}

//! How far the answer is to be believed: how much of what the machine did the model explains.

use crate::estimator::Method;
use crate::metric::Metric;
use crate::study::RunReport;
use crate::study::format::{SPACE, with_places};

/// A model that explains a smaller share of the logged starts is not to be relied on.
const LEAST_NEAR: f64 = 0.5;

/// One whose waits rank the jobs less as the logged ones do is not to be relied on either.
const LEAST_RANK: f64 = 0.3;

/// From this share of the logged starts on a model explains the machine.
const GOOD_NEAR: f64 = 0.8;

/// Where its waits rank the jobs as the logged ones do, by at least this.
const GOOD_RANK: f64 = 0.7;

/// And half of the waits are off by at most this, seconds, nine of ten by at most [`GOOD_GAP90`].
const GOOD_GAP: f64 = 300.0;

/// Seconds.
const GOOD_GAP90: f64 = 3_600.0;

/// How near the nearest of the simulated schedulers comes to what the log tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit<'a> {
    /// The nearest.
    pub report: &'a RunReport,
    /// Share of its jobs that start within five minutes of their logged start.
    pub near: f64,
    /// Median of how much longer or shorter a job waits than the log tells, seconds.
    pub gap: f64,
    /// The 90th percentile of that.
    pub gap90: f64,
    /// Rank correlation of its waits and the logged ones; none where all waits are equal.
    pub rank: Option<f64>,
}

/// How far a fit bears what is concluded from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FitGrade {
    /// Less than half of the starts are explained, or who waits is another than in the log.
    Red,
    /// In between.
    Amber,
    /// Starts, waits and who waits are mostly as in the log.
    Green,
}

impl FitGrade {
    /// As an id.
    pub fn id(self) -> &'static str {
        match self {
            FitGrade::Red => "red",
            FitGrade::Amber => "amber",
            FitGrade::Green => "green",
        }
    }
}

impl<'a> Fit<'a> {
    /// Of the simulated run with which most jobs start within five minutes of their logged start, of equals the one whose
    /// waits are off by less. None where the log does not tell when jobs started, or no scheduler was simulated: a
    /// schedule of a file is none. Runs under another load are not what the log tells of, nor are those of a partition
    /// by itself of all of it.
    pub fn of(results: impl IntoIterator<Item = &'a RunReport>) -> Option<Self> {
        let simulated =
            results.into_iter().filter(|r| !r.run.scheduler.is_given() && r.shrink == 1.0 && r.run.partition.is_none());
        let (foreseen, real): (Vec<_>, Vec<_>) = simulated.partition(|r| r.run.estimate.method == Method::actual());
        let mut nearest: Option<Fit> = None;
        // no cluster knows run times beforehand, so a run that does is no model of one
        for report in if real.is_empty() { foreseen } else { real } {
            let value = |metric| report.values.get(&metric).copied();
            let (Some(near), Some(gap), Some(gap90)) =
                (value(Metric::NearerLog), value(Metric::LogGap), value(Metric::LogGap90))
            else {
                continue;
            };
            let is_nearer = |other: Fit| near > other.near || (near == other.near && gap90 < other.gap90);
            if nearest.is_none_or(is_nearer) {
                nearest = Some(Fit { report, near, gap, gap90, rank: value(Metric::LogRank) });
            }
        }
        nearest
    }

    /// How far it bears what is concluded from it (docs/verdict.md has the thresholds).
    pub fn grade(&self) -> FitGrade {
        let ranks = |least: f64| self.rank.is_none_or(|rank| rank >= least);
        if self.near < LEAST_NEAR || !ranks(LEAST_RANK) {
            FitGrade::Red
        } else if self.near < GOOD_NEAR || !ranks(GOOD_RANK) || self.gap > GOOD_GAP || self.gap90 > GOOD_GAP90 {
            FitGrade::Amber
        } else {
            FitGrade::Green
        }
    }

    /// What stands before an answer: "This model explains 10 % of your starts: do not rely on what follows."
    pub fn in_words(&self) -> String {
        let explained =
            format!("This model explains {}{SPACE}% of the logged starts", with_places(100.0 * self.near, 0));
        match (self.grade(), self.near < LEAST_NEAR) {
            (FitGrade::Red, true) => format!("{explained}: do not rely on what follows."),
            (FitGrade::Red, false) => {
                format!("{explained}, but others wait than those that waited: do not rely on what follows.")
            }
            (FitGrade::Amber, _) => format!("{explained}: take what follows as a direction, not as a measure."),
            (FitGrade::Green, _) => {
                format!("{explained}, and waits are as in the log: what follows is about this machine.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Curves;
    use crate::study::Run;

    fn of(near: f64, gap: f64, gap90: f64, rank: Option<f64>) -> (FitGrade, String) {
        let mut values = vec![(Metric::NearerLog, near), (Metric::LogGap, gap), (Metric::LogGap90, gap90)];
        values.extend(rank.map(|rank| (Metric::LogRank, rank)));
        let report = RunReport {
            run: Run::new("easy".parse().unwrap(), "requested".parse().unwrap()),
            shrink: 1.0,
            jobs: 1_000,
            values: values.into_iter().collect(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            is_plain: false,
            overfull: None,
            saturation: None,
        };
        let fit = Fit::of([&report]).unwrap();
        (fit.grade(), fit.in_words().replace(SPACE, " "))
    }

    #[test]
    fn a_poor_fit_stands_before_the_answer() {
        assert_eq!(
            of(0.1, 4_000.0, 90_000.0, Some(0.15)),
            (FitGrade::Red, "This model explains 10 % of the logged starts: do not rely on what follows.".to_owned())
        );
        assert_eq!(
            of(0.9, 0.0, 600.0, Some(0.1)),
            (
                FitGrade::Red,
                "This model explains 90 % of the logged starts, but others wait than those that waited: do not rely on \
                 what follows."
                    .to_owned()
            )
        );
        assert_eq!(
            of(0.61, 240.0, 9_000.0, Some(0.8)),
            (
                FitGrade::Amber,
                "This model explains 61 % of the logged starts: take what follows as a direction, not as a measure."
                    .to_owned()
            )
        );
        assert_eq!(
            of(0.98, 0.0, 60.0, Some(0.997)),
            (
                FitGrade::Green,
                "This model explains 98 % of the logged starts, and waits are as in the log: what follows is about this \
                 machine."
                    .to_owned()
            )
        );
        assert_eq!(of(1.0, 0.0, 0.0, None).0, FitGrade::Green, "nobody waits, in either");
        assert_eq!(of(0.9, 0.0, 7_200.0, Some(0.9)).0, FitGrade::Amber, "one of ten is far off");
    }
}

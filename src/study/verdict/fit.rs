//! How far the answer is to be believed: how much of what the machine did the model explains.

use crate::estimator::Method;
use crate::metric::Metric;
use crate::study::format::{SPACE, with_places};
use crate::study::{RunPartition, RunReport};

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

/// What the measures that compare with the log say of a schedule: how near it comes to what the log tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closeness {
    /// Share of its jobs that start within five minutes of their logged start.
    pub near: f64,
    /// Median of how much longer or shorter a job waits than the log tells, seconds.
    pub gap: f64,
    /// The 90th percentile of that.
    pub gap90: f64,
    /// Rank correlation of its waits and the logged ones; none where all waits are equal.
    pub rank: Option<f64>,
}

/// The nearest of the simulated schedulers to what the log tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit<'a> {
    /// The nearest.
    pub report: &'a RunReport,
    /// How near it comes.
    pub closeness: Closeness,
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

impl Closeness {
    /// What is measured of it.
    pub const METRICS: [Metric; 4] = [Metric::NearerLog, Metric::LogGap, Metric::LogGap90, Metric::LogRank];

    /// Of measured values; none where the log does not tell when jobs started.
    pub fn of(value: impl Fn(Metric) -> Option<f64>) -> Option<Self> {
        let [near, gap, gap90, rank] = Closeness::METRICS.map(value);
        Some(Closeness { near: near?, gap: gap?, gap90: gap90?, rank })
    }

    /// Of the values of [`Closeness::METRICS`], in their order.
    pub fn of_measured(values: &[Option<f64>]) -> Option<Self> {
        let place = |metric| Closeness::METRICS.iter().position(|of| *of == metric);
        Closeness::of(|metric| values.get(place(metric)?).copied().flatten())
    }

    /// How far it bears what is concluded from it (docs/verdict.md has the thresholds).
    pub fn grade(self) -> FitGrade {
        let ranks = |least: f64| self.rank.is_none_or(|rank| rank >= least);
        if self.near < LEAST_NEAR || !ranks(LEAST_RANK) {
            FitGrade::Red
        } else if self.near < GOOD_NEAR || !ranks(GOOD_RANK) || self.gap > GOOD_GAP || self.gap90 > GOOD_GAP90 {
            FitGrade::Amber
        } else {
            FitGrade::Green
        }
    }
}

impl<'a> Fit<'a> {
    /// Of the simulated run with which most jobs start within five minutes of their logged start, of equals the one whose
    /// waits are off by less. None where the log does not tell when jobs started, or no scheduler was simulated: a
    /// schedule of a file is none. Runs under another load or on another machine are not what the log tells of, nor are those of a partition
    /// by itself of all of it: where all runs are on the same, it is theirs.
    pub fn of(results: impl IntoIterator<Item = &'a RunReport>) -> Option<Self> {
        let results: Vec<&RunReport> = results.into_iter().collect();
        let first = results.first()?.run.partition.as_ref();
        let is_one = results.iter().all(|report| report.run.partition.as_ref() == first);
        Fit::on(first.filter(|_| is_one), results)
    }

    /// The same of the runs on a partition by itself.
    pub fn on(partition: Option<&RunPartition>, results: impl IntoIterator<Item = &'a RunReport>) -> Option<Self> {
        let is_simulated = |report: &&RunReport| {
            let run = &report.run;
            let is_own_load = report.shrink == 1.0 && run.users.is_none_or(|factor| factor == 1.0);
            let is_of_log = is_own_load && run.what_if.is_none();
            !run.scheduler.is_given() && is_of_log && run.partition.as_ref() == partition
        };
        let simulated = results.into_iter().filter(is_simulated);
        let (foreseen, real): (Vec<_>, Vec<_>) = simulated.partition(|r| r.run.estimate.method == Method::actual());
        let mut nearest: Option<Fit> = None;
        // no cluster knows run times beforehand, so a run that does is no model of one
        for report in if real.is_empty() { foreseen } else { real } {
            let Some(closeness) = Closeness::of(|metric| report.values.get(&metric).copied()) else { continue };
            let is_nearer = |Fit { closeness: other, .. }: Fit| {
                closeness.near > other.near || (closeness.near == other.near && closeness.gap90 < other.gap90)
            };
            if nearest.is_none_or(is_nearer) {
                nearest = Some(Fit { report, closeness });
            }
        }
        nearest
    }

    /// How far it bears what is concluded from it.
    pub fn grade(&self) -> FitGrade {
        self.closeness.grade()
    }

    /// What stands before an answer: "This model explains 10 % of the logged starts: do not rely on what follows."
    pub fn in_words(&self) -> String {
        let near = self.closeness.near;
        let explained = format!("This model explains {} of the logged starts", share(near));
        match (self.grade(), near < LEAST_NEAR) {
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

/// A share of starts as a percentage.
pub(super) fn share(share: f64) -> String {
    format!("{}{SPACE}%", with_places(100.0 * share, 0))
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
            machine_use: None,
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

//! How far a row that claims to be the cluster's own bears a forecast: how much of what the cluster did it explains.

use super::sentence::name;
use crate::estimator::Method;
use crate::metric::Metric;
use crate::study::format::{SPACE, with_places};
use crate::study::{RunPartition, RunReport};

/// A model that explains a smaller share of the logged starts cannot be relied on.
const LEAST_NEAR: f64 = 0.5;

/// A model whose rank correlation of waits with the log is below this cannot be relied on either.
const LEAST_RANK: f64 = 0.3;

/// A good model explains at least this share of the logged starts.
const GOOD_NEAR: f64 = 0.8;

/// A good model has at least this rank correlation of waits with the log.
const GOOD_RANK: f64 = 0.7;

/// In a good model, the median difference to the logged waits is at most this, seconds.
const GOOD_GAP: f64 = 300.0;

/// In a good model, the 90th percentile of the difference to the logged waits is at most this, seconds.
const GOOD_GAP90: f64 = 3_600.0;

/// How near a schedule comes to what the log tells, by the metrics that compare with the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closeness {
    /// The share of jobs that start within five minutes of their logged start.
    pub near: f64,
    /// The median of |wait − logged wait|, seconds.
    pub gap: f64,
    /// The 90th percentile of |wait − logged wait|, seconds.
    pub gap90: f64,
    /// The rank correlation of waits and logged waits; `None` where all waits are equal.
    pub rank: Option<f64>,
}

/// The simulated run that comes nearest to what the log tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit<'a> {
    pub report: &'a RunReport,
    pub closeness: Closeness,
}

/// How far a fit supports conclusions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FitGrade {
    /// Less than half of the starts are explained, or other jobs wait than in the log.
    Red,
    Amber,
    /// Starts, waits and which jobs wait are mostly as in the log.
    Green,
}

impl FitGrade {
    /// The grade as an id.
    pub fn id(self) -> &'static str {
        match self {
            FitGrade::Red => "red",
            FitGrade::Amber => "amber",
            FitGrade::Green => "green",
        }
    }
}

impl Closeness {
    pub const METRICS: [Metric; 4] = [Metric::NearerLog, Metric::LogGap, Metric::LogGap90, Metric::LogRank];

    /// The closeness from metric values; `None` where the log does not tell when jobs started.
    pub fn of(value: impl Fn(Metric) -> Option<f64>) -> Option<Self> {
        let [near, gap, gap90, rank] = Closeness::METRICS.map(value);
        Some(Closeness { near: near?, gap: gap?, gap90: gap90?, rank })
    }

    /// The closeness from the values of [`Closeness::METRICS`], in their order.
    pub fn of_measured(values: &[Option<f64>]) -> Option<Self> {
        let place = |metric| Closeness::METRICS.iter().position(|of| *of == metric);
        Closeness::of(|metric| values.get(place(metric)?).copied().flatten())
    }

    /// How far this closeness supports conclusions (docs/verdict.md has the thresholds).
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
    /// The fit of the simulated run with the most jobs that start within five minutes of their logged start; among
    /// equals, the one with the smaller differences of waits. `None` where the log does not tell when jobs started, or
    /// where no scheduler was simulated; a schedule from a file is not simulated.
    ///
    /// Runs under another load or with a what-if are left out, because the log does not describe them. Where all runs
    /// are on the same partition, the fit is for that partition; otherwise runs on partitions are left out.
    pub fn of(results: impl IntoIterator<Item = &'a RunReport>) -> Option<Self> {
        let results: Vec<&RunReport> = results.into_iter().collect();
        let first = results.first()?.run.partition.as_ref();
        let is_one = results.iter().all(|report| report.run.partition.as_ref() == first);
        Fit::on(first.filter(|_| is_one), results)
    }

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
        // No cluster knows run times beforehand, so a run that does is not a model of one.
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

    /// How far the fit supports conclusions.
    pub fn grade(&self) -> FitGrade {
        self.closeness.grade()
    }

    /// The sentence beside the answers of the row that is fitted: "Slurm (requested) explains 10 % of the logged starts: do
    /// not rely on what it says of this cluster."
    pub fn in_words(&self) -> String {
        let near = self.closeness.near;
        let explained = format!("{} explains {} of the logged starts", name(&self.report.run), share(near));
        match (self.grade(), near < LEAST_NEAR) {
            (FitGrade::Red, true) => format!("{explained}: do not rely on what it says of this cluster."),
            (FitGrade::Red, false) => {
                format!(
                    "{explained}, but others wait than those that waited: do not rely on what it says of this cluster."
                )
            }
            (FitGrade::Amber, _) => {
                format!("{explained}: what it says of this cluster is a direction, not a measure.")
            }
            (FitGrade::Green, _) => {
                format!("{explained}, and waits are as in the log: it schedules as this cluster did.")
            }
        }
    }
}

/// A share of starts in percent.
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
            run: Run::new("slurm".parse().unwrap(), "requested".parse().unwrap()),
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
            is_too_short: false,
        };
        let fit = Fit::of([&report]).unwrap();
        (fit.grade(), fit.in_words().replace(SPACE, " "))
    }

    #[test]
    fn a_poor_fit_says_so_of_the_row_that_was_fitted() {
        assert_eq!(
            of(0.1, 4_000.0, 90_000.0, Some(0.15)),
            (
                FitGrade::Red,
                "Slurm (requested) explains 10 % of the logged starts: do not rely on what it says of this cluster."
                    .to_owned()
            )
        );
        assert_eq!(
            of(0.9, 0.0, 600.0, Some(0.1)),
            (
                FitGrade::Red,
                "Slurm (requested) explains 90 % of the logged starts, but others wait than those that waited: do not \
                 rely on what it says of this cluster."
                    .to_owned()
            )
        );
        assert_eq!(
            of(0.61, 240.0, 9_000.0, Some(0.8)),
            (
                FitGrade::Amber,
                "Slurm (requested) explains 61 % of the logged starts: what it says of this cluster is a direction, not a \
                 measure."
                    .to_owned()
            )
        );
        assert_eq!(
            of(0.98, 0.0, 60.0, Some(0.997)),
            (
                FitGrade::Green,
                "Slurm (requested) explains 98 % of the logged starts, and waits are as in the log: it schedules as this \
                 cluster did."
                    .to_owned()
            )
        );
        assert_eq!(of(1.0, 0.0, 0.0, None).0, FitGrade::Green, "nobody waits, in either");
        assert_eq!(of(0.9, 0.0, 7_200.0, Some(0.9)).0, FitGrade::Amber, "one of ten is far off");
    }
}

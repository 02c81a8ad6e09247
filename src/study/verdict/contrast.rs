//! A run compared with another, measure by measure.

use super::claim::{Measurement, change_interval, is_fact};
use super::measure::{self, WORTH_ACTING_ON, name};
use crate::metric::Metric;
use crate::study::RunReport;
use crate::study::change::relative;
use crate::study::format::{self, SPACE};
use crate::study::sureness::{Interval, Repeated};

/// The largest ratio of two values that is used; larger ones count as this one.
const MOST_TIMES: f64 = 1e3;

/// The comparison of two runs by one measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contrast {
    pub(super) metric: Metric,
    value: f64,
    other: f64,
    /// (value − other) / |other|; infinite where `other` is 0.
    change: f64,
    /// The interval of the change on repeats, where it fits the log.
    interval: Option<Interval>,
    is_repeated: bool,
}

impl Contrast {
    /// The comparisons by these measures. A measure that a run lacks is left out.
    pub(super) fn all(
        measures: &[Metric],
        report: &RunReport,
        other: &RunReport,
        repeated: Option<&Repeated>,
    ) -> Vec<Contrast> {
        measures.iter().filter_map(|&metric| Contrast::of(metric, report, other, repeated)).collect()
    }

    fn of(metric: Metric, report: &RunReport, basis: &RunReport, repeated: Option<&Repeated>) -> Option<Contrast> {
        let (value, other) = (measure::value(report, metric, basis)?, measure::value(basis, metric, report)?);
        let change = relative(value, other).unwrap_or(f64::INFINITY * (value - other).signum());
        let (of, than) = (Measurement { run: &report.run, value }, Measurement { run: &basis.run, value: other });
        let interval = repeated.and_then(|repeated| change_interval(repeated, of, than, change, metric).ok());
        Some(Contrast { metric, value, other, change, interval, is_repeated: repeated.is_some() })
    }

    /// Whether repeats leave open that the change is zero or has the other sign, or tell nothing of it.
    pub(super) fn is_unsure(self) -> bool {
        !is_fact(self.is_repeated, self.interval)
    }

    /// Whether the value is surely better, by at least [`WORTH_ACTING_ON`].
    pub(super) fn is_better(self) -> bool {
        !self.is_unsure() && measure::sign(self.metric) * self.change <= -WORTH_ACTING_ON
    }

    /// Whether the value is surely worse, by at least [`WORTH_ACTING_ON`].
    pub(super) fn is_worse(self) -> bool {
        !self.is_unsure() && measure::sign(self.metric) * self.change >= WORTH_ACTING_ON
    }

    /// The loss, negative for a gain: the logarithm of the ratio, so that half and double cancel out.
    pub(super) fn loss(self) -> f64 {
        measure::sign(self.metric) * libm::log((1.0 + self.change).clamp(1.0 / MOST_TIMES, MOST_TIMES))
    }

    /// The change in words: "slowdown 32 % lower", "packing 1.9 times as bad", with repeats "slowdown 4 to 22 % lower".
    pub(super) fn words(self) -> String {
        let name = name(self.metric);
        if self.value < 0.0 || self.other <= 0.0 {
            return format!("{name} {}", self.values());
        }
        let word = match (self.metric, self.change < 0.0) {
            (Metric::Awf, true) => "better",
            (Metric::Awf, false) => "worse",
            (_, true) => "lower",
            (_, false) => "higher",
        };
        // An interval that does not contain 0 lies on one side of it.
        if let Some(Interval { low, high }) = self.interval.filter(|bounds| !bounds.is_unsure()) {
            let (near, far) = if low.abs() < high.abs() { (low.abs(), high.abs()) } else { (high.abs(), low.abs()) };
            return match (bound(near), bound(far)) {
                (near, far) if near == far => format!("{name} {near}{SPACE}% {word}"),
                (near, far) => format!("{name} {near} to {far}{SPACE}% {word}"),
            };
        }
        let ratio = 1.0 + self.change;
        match self.metric {
            Metric::MaxWait => format!("{name} {}", self.values()),
            Metric::Awf if ratio >= 2.0 => format!("{name} {} times as bad", times(ratio)),
            _ if ratio >= 2.0 => format!("{name} {} times as high", times(ratio)),
            _ => format!("{name} {}{SPACE}% {word}", percent(self.change.abs())),
        }
    }

    /// Both values: "10 d instead of 24 h".
    fn values(self) -> String {
        format::instead_of(self.metric, self.value, self.other)
    }
}

/// A factor with two significant digits.
fn times(ratio: f64) -> String {
    format::with_places(ratio, if ratio < 9.95 { 1 } else { 0 })
}

/// A share as a percentage with at most two significant digits, because people read the sentence and do not compute
/// with it.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    format::with_places(percent, if percent < 9.95 { 1 } else { 0 })
}

/// A bound as a percentage, whole where that is exact enough.
fn bound(share: f64) -> String {
    let percent = 100.0 * share;
    format::with_places(percent, if percent < 0.95 { 1 } else { 0 })
}

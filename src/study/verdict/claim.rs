//! What may be said of a value and of a change, given repeats: one rule for words, marks and colours.
//!
//! Without repeats, a change is that of the log, and told as such. With repeats, it is a fact only where its interval
//! excludes 0. Of a number that has no interval, nothing is claimed.

use crate::metric::Metric;
use crate::study::sureness::{Interval, NoInterval, Repeated};
use crate::study::{Run, RunReport};

#[derive(Clone, Copy, Debug)]
pub(in crate::study) struct Measurement<'a> {
    pub(in crate::study) run: &'a Run,
    pub(in crate::study) value: f64,
}

impl<'a> Measurement<'a> {
    /// The value of a metric in a result; `None` where it has none.
    pub(super) fn of(report: &'a RunReport, metric: Metric) -> Option<Self> {
        Some(Measurement { run: &report.run, value: *report.values.get(&metric)? })
    }
}

/// The interval of a value on repeats.
pub(in crate::study) fn value_interval(
    repeated: &Repeated,
    of: Measurement<'_>,
    metric: Metric,
) -> Result<Interval, NoInterval> {
    repeated.interval(of.run, metric, of.value)
}

/// The interval of a change on repeats. There is none where repeats do not resemble the log by one of the two values.
pub(in crate::study) fn change_interval(
    repeated: &Repeated,
    of: Measurement<'_>,
    than: Measurement<'_>,
    change: f64,
    metric: Metric,
) -> Result<Interval, NoInterval> {
    if [of, than].iter().any(|&one| value_interval(repeated, one, metric) == Err(NoInterval::Misfit)) {
        return Err(NoInterval::Misfit);
    }
    repeated.change(of.run, than.run, metric, change)
}

/// Whether a change may be told as a fact. Of a table without repeats every change may; otherwise its interval must be
/// there and must not contain 0.
pub(super) fn is_fact(is_repeated: bool, interval: Option<Interval>) -> bool {
    !is_repeated || interval.is_some_and(|interval| !interval.is_unsure())
}

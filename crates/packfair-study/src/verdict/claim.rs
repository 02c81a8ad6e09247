//! What may be said of a value and of a change, given repeats: one rule for words, marks and colours.
//!
//! Without repeats, a change is that of the log, and told as such. With repeats, it is a fact only where its interval
//! excludes 0. An interval that does not hold the log's own number does not fit the log: it is neither shown nor gone by,
//! and nothing is claimed.

use packfair_engine::metric::Metric;
use crate::sureness::{Interval, Repeated};
use crate::{Run, RunReport};

/// A run with the log's own value of a metric.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measurement<'a> {
    pub(crate) run: &'a Run,
    pub(crate) value: f64,
}

impl<'a> Measurement<'a> {
    /// The value of a metric in a result; `None` where it has none.
    pub(super) fn of(report: &'a RunReport, metric: Metric) -> Option<Self> {
        Some(Measurement { run: &report.run, value: *report.values.get(&metric)? })
    }
}

/// An interval that holds this number; `None` where there is none or where it does not fit.
pub(super) fn fitting(interval: Option<Interval>, number: f64) -> Option<Interval> {
    interval.filter(|interval| interval.holds(number))
}

/// The interval of a value on repeats, where it fits the log.
pub(crate) fn value_interval(repeated: &Repeated, of: Measurement<'_>, metric: Metric) -> Option<Interval> {
    fitting(repeated.interval(of.run, metric), of.value)
}

/// The interval of a change on repeats, where it fits the log: it holds the log's own change, and the intervals of both
/// values hold theirs.
pub(crate) fn change_interval(
    repeated: &Repeated,
    of: Measurement<'_>,
    than: Measurement<'_>,
    change: f64,
    metric: Metric,
) -> Option<Interval> {
    let fits =
        |one: Measurement<'_>| repeated.interval(one.run, metric).is_none_or(|interval| interval.holds(one.value));
    fitting(repeated.change(of.run, than.run, metric), change).filter(|_| fits(of) && fits(than))
}

/// Whether a change may be told as a fact. Of a table without repeats every change may; otherwise its interval must be
/// there and must not contain 0.
pub(super) fn is_fact(is_repeated: bool, interval: Option<Interval>) -> bool {
    !is_repeated || interval.is_some_and(|interval| !interval.is_unsure())
}

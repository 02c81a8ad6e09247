//! Units: how the values of an axis are written.

use super::{AxisClock, number};
use crate::metric::Metric;
use std::sync::Arc;

/// The kind of an axis' values, which determines how they are written.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisUnit {
    /// Numbers of something: "jobs", "processors", "s"; empty for ratios.
    Number(&'static str),
    Count(&'static str),
    /// Durations in seconds, written in seconds, minutes, hours or days.
    Duration,
    Fraction,
    /// Ratios to a baseline, written as the change in percent with its sign: 1.07 is +7 %.
    Change,
    /// Points in time, in seconds of a log's clock.
    Time(AxisClock),
    /// The names of the values 0, 1, 2, ...
    Names(Arc<[String]>),
}

impl AxisUnit {
    /// The unit of a metric's values; long times are written in hours and days.
    pub fn of(metric: Metric) -> Self {
        match metric.about().unit {
            "s" => AxisUnit::Duration,
            "jobs" => AxisUnit::Count("jobs"),
            _ if Metric::SHARES_OF_JOBS.contains(&metric) => AxisUnit::Fraction,
            own if metric.is_count() => AxisUnit::Count(own),
            own => AxisUnit::Number(own),
        }
    }

    /// The label of a tick if ticks are `step` apart and the largest is `largest`.
    pub fn tick(&self, value: f64, step: f64, largest: f64) -> String {
        match self {
            AxisUnit::Number(_) | AxisUnit::Count(_) => number::tick(value, step, largest),
            AxisUnit::Duration => number::duration(value),
            AxisUnit::Fraction => format!("{} %", percent(value, step)),
            AxisUnit::Change => format!("{}{} %", sign(value - 1.0, step), percent(value - 1.0, step)),
            AxisUnit::Time(clock) => clock.say(value),
            AxisUnit::Names(names) => name(names, value),
        }
    }

    /// A value in full with its unit, for the tip.
    pub fn say(&self, value: f64) -> String {
        match self {
            AxisUnit::Number("") => number::readable(value),
            AxisUnit::Number(unit) | AxisUnit::Count(unit) => format!("{} {unit}", number::readable(value)),
            AxisUnit::Duration if value.abs() < 60.0 => format!("{} s", number::readable(value)),
            AxisUnit::Duration => format!("{} s ({})", number::readable(value.round()), number::duration(value)),
            AxisUnit::Fraction => format!("{} %", number::readable((value * 1e4).round() / 100.0)),
            AxisUnit::Change => {
                let percent = ((value - 1.0) * 1e4).round() / 100.0;
                format!("{}{} %", if percent > 0.0 { "+" } else { "" }, number::readable(percent))
            }
            AxisUnit::Time(clock) => clock.say(value),
            AxisUnit::Names(names) => name(names, value),
        }
    }

    /// The name of the unit, written in brackets after the axis title; empty if the ticks show it.
    pub fn name(&self) -> &'static str {
        match self {
            AxisUnit::Number(unit) | AxisUnit::Count(unit) => unit,
            _ => "",
        }
    }

    /// The value from which ticks are counted.
    pub fn origin(&self) -> f64 {
        if *self == AxisUnit::Change { 1.0 } else { 0.0 }
    }

    /// Whether only whole numbers make sense as ticks.
    pub fn is_whole(&self) -> bool {
        matches!(self, AxisUnit::Count(_) | AxisUnit::Names(_))
    }
}

fn percent(value: f64, step: f64) -> String {
    number::grouped(value * 100.0, number::decimals_for(step * 100.0))
}

fn sign(value: f64, step: f64) -> &'static str {
    if value > step * 1e-9 { "+" } else { "" }
}

fn name(names: &[String], value: f64) -> String {
    let i = value.round();
    if i < 0.0 { String::new() } else { names.get(i as usize).cloned().unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_units_that_a_person_reads() {
        let said = [
            (Metric::Awf, 93_600.0, "1.1 d"),
            (Metric::Bsld, 42.0, "42"),
            (Metric::Late, 12.0, "12"),
            (Metric::UnderRate, 0.5, "50 %"),
        ];
        for (metric, value, label) in said {
            assert_eq!(AxisUnit::of(metric).tick(value, value, value), label, "{metric}");
        }
    }

    #[test]
    fn every_unit_says_its_values() {
        assert_eq!(AxisUnit::Fraction.say(0.413_57), "41.36 %");
        assert_eq!(AxisUnit::Change.say(1.07), "+7 %");
        assert_eq!(AxisUnit::Change.tick(0.5, 0.25, 1.0), "−50 %");
        assert_eq!(AxisUnit::Duration.say(15_840.0), "15,840 s (4.4 h)");
        assert_eq!(AxisUnit::Count("jobs").say(28_481.0), "28,481 jobs");
        assert_eq!(AxisUnit::Names(["Mon".to_owned()].into()).say(7.0), "");
    }
}

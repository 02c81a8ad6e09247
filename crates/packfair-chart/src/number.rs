//! Numbers as people read them.

use super::AxisClock;
use packfair_engine::metric::Metric;
use std::sync::Arc;

/// Groups the digits by commas and shows at most `decimals` decimals, including trailing zeros: 28,481.50.
pub fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::with_capacity(text.len() + text.len() / 3 + 1);
    if value < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('−');
    }
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// Shows four significant digits, grouped; whole numbers in full up to 10¹⁵, powers of ten beyond.
pub fn readable(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "no number".to_owned();
    }
    if size >= 1e15 || (size > 0.0 && size < 1e-4) {
        let exponent = size.log10().floor();
        return format!("{}·10{}", grouped(value / 10f64.powf(exponent), 3), superscript(exponent as i32));
    }
    if value.fract() == 0.0 || size >= 1000.0 {
        return grouped(value, 0);
    }
    let digits_before = size.log10().floor() as i32 + 1;
    let text = grouped(value, (4 - digits_before).max(0) as usize);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The number at a tick if ticks are `step` apart and the largest is `largest`: with as many decimals as distinguish
/// neighbours, and thousands and millions as k, M, G, T, the same letter for all.
pub fn tick(value: f64, step: f64, largest: f64) -> String {
    if value.abs() < step * 1e-9 {
        return "0".to_owned();
    }
    let (divisor, letter) = match largest.abs().max(step) {
        size if size >= 1e15 => return power(value),
        size if size >= 1e12 => (1e12, "T"),
        size if size >= 1e9 => (1e9, "G"),
        size if size >= 1e6 => (1e6, "M"),
        size if size >= 1e4 => (1e3, "k"),
        size if size < 1e-5 => return power(value),
        _ => (1.0, ""),
    };
    let decimals = decimals_for(step / divisor);
    format!("{}{letter}", grouped(value / divisor, decimals))
}

/// The number of decimals that distinguish multiples of `step`.
pub fn decimals_for(step: f64) -> usize {
    (0..9)
        .find(|&d| {
            let scaled = step * 10f64.powi(d as i32);
            (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0) && scaled.round() >= 1.0
        })
        .unwrap_or(9)
}

/// A power of ten as 10ⁿ, any other number as m·10ⁿ; 1 and 10 are unchanged.
pub fn power(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    let mut exponent = value.abs().log10().floor();
    let mut mantissa = value / 10f64.powf(exponent);
    if mantissa.abs() > 9.9999 {
        mantissa /= 10.0;
        exponent += 1.0;
    }
    let power = match exponent as i32 {
        0 => return readable(mantissa),
        1 => "10".to_owned(),
        n => format!("10{}", superscript(n)),
    };
    if (mantissa - 1.0).abs() < 1e-4 { power } else { format!("{}·{power}", readable(mantissa)) }
}

fn superscript(n: i32) -> String {
    let raised = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or('⁰'),
    };
    n.to_string().chars().map(raised).collect()
}

/// A duration in its own largest unit, with three digits: 45 s, 4.4 h, 12.5 d.
pub fn duration(seconds: f64) -> String {
    let size = seconds.abs();
    let (divisor, unit) = match size {
        s if s < 60.0 => (1.0, "s"),
        s if s < 3600.0 => (60.0, "min"),
        s if s < 86_400.0 => (3600.0, "h"),
        _ => (86_400.0, "d"),
    };
    let value = seconds / divisor;
    let decimals = if value.abs() >= 100.0 || (value - value.round()).abs() < 1e-9 { 0 } else { 1 };
    format!("{} {unit}", grouped(value, decimals))
}

// Units: how the values of an axis are written.

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
            AxisUnit::Number(_) | AxisUnit::Count(_) => tick(value, step, largest),
            AxisUnit::Duration => duration(value),
            AxisUnit::Fraction => format!("{} %", percent(value, step)),
            AxisUnit::Change => format!("{}{} %", sign(value - 1.0, step), percent(value - 1.0, step)),
            AxisUnit::Time(clock) => clock.say(value),
            AxisUnit::Names(names) => name(names, value),
        }
    }

    /// A value in full with its unit, for the tip.
    pub fn say(&self, value: f64) -> String {
        match self {
            AxisUnit::Number("") => readable(value),
            AxisUnit::Number(unit) | AxisUnit::Count(unit) => format!("{} {unit}", readable(value)),
            AxisUnit::Duration if value.abs() < 60.0 => format!("{} s", readable(value)),
            AxisUnit::Duration => format!("{} s ({})", readable(value.round()), duration(value)),
            AxisUnit::Fraction => format!("{} %", readable((value * 1e4).round() / 100.0)),
            AxisUnit::Change => {
                let percent = ((value - 1.0) * 1e4).round() / 100.0;
                format!("{}{} %", if percent > 0.0 { "+" } else { "" }, readable(percent))
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
    grouped(value * 100.0, decimals_for(step * 100.0))
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
    fn numbers_are_grouped_and_short() {
        assert_eq!(grouped(28481.0, 0), "28,481");
        assert_eq!(grouped(-1234.5, 2), "−1,234.50");
        assert_eq!(grouped(-0.001, 1), "0.0");
        assert_eq!(readable(67.0512), "67.05");
        assert_eq!(readable(0.25), "0.25");
        assert_eq!(readable(15_887.4), "15,887");
        assert_eq!(readable(1.5e16), "1.500·10¹⁶");
    }

    #[test]
    fn ticks_tell_neighbours_apart() {
        assert_eq!(tick(0.3, 0.1, 1.0), "0.3");
        assert_eq!(tick(2500.0, 500.0, 4000.0), "2,500");
        assert_eq!([5e3, 25e3].map(|v| tick(v, 5e3, 25e3)), ["5k", "25k"]);
        assert_eq!([5e8, 1.5e9].map(|v| tick(v, 5e8, 2e9)), ["0.5G", "1.5G"]);
        assert_eq!(tick(1e-17, 0.5, 1.0), "0");
        assert_eq!(power(1e5), "10⁵");
        assert_eq!([2e-7, 1.0, 10.0, 50.0].map(power), ["2·10⁻⁷", "1", "10", "5·10"]);
    }

    #[test]
    fn durations_take_their_largest_unit() {
        let said: Vec<String> = [0.0, 45.0, 600.0, 15_840.0, 1_080_000.0].map(duration).to_vec();
        assert_eq!(said, ["0 s", "45 s", "10 min", "4.4 h", "12.5 d"]);
    }
}

#[cfg(test)]
mod unit_tests {
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

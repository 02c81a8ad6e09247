//! Numbers as a person reads them: grouped, rounded to three or four digits, with their sign.
//!
//! Files and the data of table cells use the exact form instead ([`exact`]).

use packfair_engine::estimator::Estimate;
use packfair_engine::metric::Metric;
use packfair_workload::Unit;
use serde::{Deserialize, Serialize};

/// Minus sign, as wide as a plus.
const MINUS: char = '−';

/// The space between a number and its unit; a line does not break there.
pub const SPACE: char = '\u{a0}';

/// What is shown where there is no value.
pub const MISSING: &str = "–";

/// The unit in which tables show times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeUnit {
    /// The unit that suits each value, for reading at a glance.
    #[default]
    Fitting,
    Seconds,
    Minutes,
    Hours,
    Days,
}

impl TimeUnit {
    /// The unit in which a column shows these times, in seconds. For [`TimeUnit::Fitting`] it is the unit that suits
    /// their median; without times it stays [`TimeUnit::Fitting`].
    pub fn for_column(self, seconds: impl IntoIterator<Item = f64>) -> TimeUnit {
        if self != TimeUnit::Fitting {
            return self;
        }
        let mut sizes: Vec<f64> =
            seconds.into_iter().map(f64::abs).filter(|size| size.is_finite() && *size > 0.0).collect();
        sizes.sort_by(|a, b| a.total_cmp(b));
        match sizes.get(sizes.len() / 2) {
            None => TimeUnit::Fitting,
            Some(s) if *s < 119.5 => TimeUnit::Seconds,
            Some(s) if *s < 119.5 * 60.0 => TimeUnit::Minutes,
            Some(s) if *s < 71.5 * 3600.0 => TimeUnit::Hours,
            Some(_) => TimeUnit::Days,
        }
    }
}

/// A whole number in groups of three: `28,481`.
pub fn whole(n: impl Into<i128>) -> String {
    let n = n.into();
    let digits = n.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3 + 1);
    if n < 0 {
        text.push(MINUS);
    }
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number to three or four significant digits, whole from 1,000 on: `0.0312`, `7.12`, `67.1`, `15,887`.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if !x.is_finite() {
        MISSING.to_owned()
    } else if x == 0.0 {
        "0".to_owned()
    } else if !(1e-4..1e15).contains(&size) {
        signed(x, format!("{size:.2e}"))
    } else if size >= 999.95 {
        // The number is below 1e15, so it fits.
        whole(x.round() as i64)
    } else {
        let decimals = match size {
            s if s >= 9.995 => 1,
            s if s >= 0.9995 => 2,
            s if s >= 0.09995 => 3,
            s if s >= 0.009995 => 4,
            s if s >= 0.0009995 => 5,
            _ => 6,
        };
        signed(x, format!("{size:.decimals$}"))
    }
}

/// A number with `places` decimal places, as a paper prints it: `117`, `−28.2`, `0.64`, `10,111`.
pub fn with_places(x: f64, places: usize) -> String {
    let text = format!("{:.places$}", x.abs());
    // A number that rounds to 0 has no sign.
    let is_zero = text.bytes().all(|b| matches!(b, b'0' | b'.'));
    let (integer, fraction) = text.split_once('.').map_or((text.as_str(), None), |(a, b)| (a, Some(b)));
    let grouped = integer.parse::<i64>().map_or_else(|_| integer.to_owned(), whole);
    let text = fraction.map_or(grouped.clone(), |fraction| format!("{grouped}.{fraction}"));
    if x < 0.0 && !is_zero { format!("{MINUS}{text}") } else { text }
}

/// A correlation, from -1 to 1, with two decimals: `0.83`, `−0.26`, `0.00`.
pub fn correlation(value: f64) -> String {
    let sign = if value <= -0.005 { "−" } else { "" };
    format!("{sign}{:.2}", value.abs())
}

/// A factor k, with up to four significant digits and no trailing zeros: `1`, `0.5`, `1.149`.
pub fn factor(k: f64) -> String {
    let text = format!("{k:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// An estimate in a sentence: `requested`, `actual × 1.5`.
pub fn estimate(Estimate { method, k }: &Estimate) -> String {
    if *k == 1.0 { method.short() } else { format!("{} × {}", method.short(), factor(*k)) }
}

/// The change from 0 to `value`, which is not 0: plus or minus infinity.
pub fn boundless(value: f64) -> String {
    let sign = if value > 0.0 { '+' } else { '−' };
    format!("{sign}∞{SPACE}%")
}

/// A relative change in percent, always with its sign: `+7 %`, `−69 %`, `+0.4 %`, `0 %`.
pub fn change(relative: f64) -> String {
    let percent = relative * 100.0;
    let size = percent.abs();
    if !percent.is_finite() {
        return MISSING.to_owned();
    }
    let digits = match size {
        s if s >= 1e9 => format!("{s:.1e}"),
        s if s >= 999.5 => whole(s.round() as i64),
        s if s >= 0.95 => format!("{s:.0}"),
        s if s >= 0.095 => format!("{s:.1}"),
        s if s >= 0.005 => format!("{s:.2}"),
        // A change that rounds to 0 has no sign.
        _ => return format!("0{SPACE}%"),
    };
    match percent {
        p if p > 0.0 => format!("+{digits}{SPACE}%"),
        _ => format!("{MINUS}{digits}{SPACE}%"),
    }
}

/// A span of time in the unit that suits it: `12 ms`, `45 s`, `12 min`, `4.4 h`, `3.1 d`.
pub fn duration(seconds: f64) -> String {
    let size = seconds.abs();
    if !seconds.is_finite() {
        return MISSING.to_owned();
    }
    let (value, unit) = match size {
        0.0 => return format!("0{SPACE}s"),
        s if s < 0.0995 => (s * 1e3, "ms"),
        s if s < 119.5 => (s, "s"),
        s if s < 119.5 * 60.0 => (s / 60.0, "min"),
        s if s < 71.5 * 3600.0 => (s / 3600.0, "h"),
        s => (s / 86_400.0, "d"),
    };
    let digits = match value {
        v if v >= 999.5 => whole(v.round() as i64),
        v if v >= 9.95 => format!("{v:.0}"),
        v => format!("{v:.1}").trim_end_matches(".0").to_owned(),
    };
    signed(seconds, format!("{digits}{SPACE}{unit}"))
}

/// A value in place of another: `10 d instead of 24 h`. Where both come out as the same text, with as many digits more as
/// tell them apart.
pub fn instead_of(metric: Metric, new: f64, old: f64) -> String {
    let is_time = self::unit(metric, TimeUnit::Seconds) == "s";
    let seconds = |x: f64| format!("{}{SPACE}s", with_places(x, 3));
    let ways: [&dyn Fn(f64) -> String; 4] = [
        &|x| value(metric, x, TimeUnit::Fitting),
        &|x| if is_time { span(x) } else { value(metric, x, TimeUnit::Fitting) },
        &|x| if is_time { seconds(x) } else { with_places(x, 3) },
        &exact,
    ];
    told_apart(new, old, &ways)
}

/// A mean wait or another time in place of another, as [`instead_of`] tells it.
pub fn time_instead_of(new: f64, old: f64) -> String {
    told_apart(new, old, &[&duration, &span, &|x| format!("{}{SPACE}s", with_places(x, 3)), &exact])
}

/// Two numbers in the first of these ways in which they differ.
fn told_apart(new: f64, old: f64, ways: &[&dyn Fn(f64) -> String]) -> String {
    let both = ways.iter().map(|way| (way(new), way(old)));
    let (mut new_text, mut old_text) = (String::new(), String::new());
    for (one, other) in both {
        let differs = one != other;
        (new_text, old_text) = (one, other);
        if differs || new == old {
            break;
        }
    }
    format!("{new_text} instead of {old_text}")
}

/// A span of time in two units, to some three digits: `45 s`, `12 min 20 s`, `4 h 40 min`, `7 d 13 h`, `146 d`.
pub fn span(seconds: f64) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 60.0 * MINUTE;
    const DAY: f64 = 24.0 * HOUR;
    if !seconds.is_finite() {
        return MISSING.to_owned();
    }
    let two = |large: f64, of: &str, small: f64, and: &str| {
        let whole_smalls = (seconds.abs() / small).round();
        let per_large = large / small;
        let (first, rest) = (libm::floor(whole_smalls / per_large), whole_smalls % per_large);
        if rest == 0.0 { format!("{first}{SPACE}{of}") } else { format!("{first}{SPACE}{of}{SPACE}{rest}{SPACE}{and}") }
    };
    let text = match seconds.abs() {
        s if s < 119.5 => return duration(seconds),
        s if s < HOUR - 0.5 => two(MINUTE, "min", 1.0, "s"),
        s if s < 2.0 * DAY - 30.0 => two(HOUR, "h", MINUTE, "min"),
        s if s < 30.0 * DAY => two(DAY, "d", HOUR, "h"),
        s => format!("{}{SPACE}d", whole((s / DAY).round() as i64)),
    };
    signed(seconds, text)
}

/// A metric's value as tables show it, times in `unit`.
pub fn value(metric: Metric, x: f64, unit: TimeUnit) -> String {
    match (metric.about().unit, unit) {
        ("s", TimeUnit::Fitting) => span(x),
        ("s", TimeUnit::Minutes) => number(x / 60.0),
        ("s", TimeUnit::Hours) => number(x / 3600.0),
        ("s", TimeUnit::Days) => number(x / 86_400.0),
        ("proc s", unit) if unit != TimeUnit::Seconds => number(x / 3600.0),
        ("jobs", _) => whole(x.round() as i64),
        _ if Metric::SHARES_OF_JOBS.contains(&metric) => format!("{}{SPACE}%", number(100.0 * x)),
        _ if metric.is_count() => whole(x.round() as i64),
        _ => number(x),
    }
}

/// The unit of a metric, for a heading; empty where it has none.
pub fn unit(metric: Metric, unit: TimeUnit) -> &'static str {
    match (metric.about().unit, unit) {
        ("s", TimeUnit::Fitting) => "",
        ("s", TimeUnit::Minutes) => "min",
        ("s", TimeUnit::Hours) => "h",
        ("s", TimeUnit::Days) => "d",
        ("proc s", unit) if unit != TimeUnit::Seconds => "proc h",
        (own, _) => own,
    }
}

/// `1 job`, `28,481 jobs`.
pub fn jobs(n: usize) -> String {
    counted(n as u64, "job", "jobs")
}

/// `1 processor`, `100 nodes`.
pub fn size(n: impl Into<u64>, unit: Unit) -> String {
    counted(n, unit.singular(), unit.plural())
}

/// A count with its noun, `one` or `many`.
pub fn counted(n: impl Into<u64>, one: &str, many: &str) -> String {
    let n = n.into();
    format!("{} {}", whole(n), if n == 1 { one } else { many })
}

/// The shortest text that reads back as exactly this number.
pub fn exact(x: f64) -> String {
    // Rust's own form is the shortest; for very large and very small numbers the exponent keeps it short.
    if x == 0.0 || (1e-5..1e16).contains(&x.abs()) { format!("{x}") } else { format!("{x:e}") }
}

fn signed(x: f64, digits: String) -> String {
    if x < 0.0 { format!("{MINUS}{digits}") } else { digits }
}

// The change from one value to another.

/// The relative change from `baseline` to `value`; `None` where it is not defined.
pub(super) fn relative(value: f64, baseline: f64) -> Option<f64> {
    if value == baseline {
        return Some(0.0);
    }
    Some((value - baseline) / baseline.abs()).filter(|change| change.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_does_not_look_the_same() {
        let said = |new: f64, old: f64| time_instead_of(new, old).replace(SPACE, " ");
        // Both are 13 min, and the first is 7 % less.
        assert_eq!(said(755.0, 808.0), "12 min 35 s instead of 13 min 28 s");
        assert_eq!(said(755.1, 755.2), "755.100 s instead of 755.200 s");
        assert_eq!(said(600.0, 600.0), "10 min instead of 10 min", "what is the same may");
        for (new, old) in [(1.0, 1.0 + 1e-9), (86_400.0, 86_401.0), (3_600.0, 3_348.0), (0.2, 0.21)] {
            let told = said(new, old);
            let (one, other) = told.split_once(" instead of ").unwrap();
            assert_ne!(one, other);
        }
    }

    #[test]
    fn a_span_of_time_is_read_at_a_glance() {
        let cases = [
            (0.0, "0 s"),
            (45.2, "45 s"),
            (740.0, "12 min 20 s"),
            (3_599.6, "1 h"),
            (16_800.0, "4 h 40 min"),
            (172_799.0, "2 d"),
            (651_600.0, "7 d 13 h"),
            (12_614_400.0, "146 d"),
            (-7_200.0, "−2 h"),
            (f64::NAN, "–"),
        ];
        for (seconds, text) in cases {
            assert_eq!(span(seconds).replace(SPACE, " "), text, "{seconds}");
        }
        assert_eq!(value(Metric::MaxWait, 7_200.0, TimeUnit::Fitting), span(7_200.0));
        assert_eq!(value(Metric::LostArea, 7_200.0, TimeUnit::Fitting), "2.00");
        assert_eq!(unit(Metric::LostArea, TimeUnit::Fitting), "proc h");
    }

    #[test]
    fn a_column_has_one_unit() {
        let unit = |seconds: &[f64]| TimeUnit::Fitting.for_column(seconds.iter().copied());
        assert_eq!(unit(&[]), TimeUnit::Fitting);
        assert_eq!(unit(&[0.0, 45.0, 80.0]), TimeUnit::Seconds);
        assert_eq!(unit(&[0.0, 700.0, 500.0, 400_000.0]), TimeUnit::Minutes);
        assert_eq!(unit(&[15_887.0, 16_000.0, 90.0, 73_511.0]), TimeUnit::Hours);
        assert_eq!(unit(&[1e6, 2e6]), TimeUnit::Days);
        assert_eq!(TimeUnit::Seconds.for_column([1e6]), TimeUnit::Seconds, "what was chosen stays");
        assert_eq!(value(Metric::MaxWait, 86_400.0, TimeUnit::Days), "1.00");
        assert_eq!(value(Metric::MaxWait, 90.0, TimeUnit::Minutes), "1.50");
        assert_eq!(unit_name(TimeUnit::Minutes), ("min", "proc h"));
    }

    fn unit_name(of: TimeUnit) -> (&'static str, &'static str) {
        (unit(Metric::MaxWait, of), unit(Metric::LostArea, of))
    }

    #[test]
    fn numbers_have_three_or_four_digits_and_groups() {
        let cases = [
            (0.0, "0"),
            (67.104, "67.1"),
            (15_887.4, "15,887"),
            (131_485.0, "131,485"),
            (999.94, "999.9"),
            (999.96, "1,000"),
            (7.123, "7.12"),
            (9.999, "10.0"),
            (0.8358, "0.836"),
            (0.031_24, "0.0312"),
            (-0.579_27, "−0.579"),
            (0.000_012_34, "1.23e-5"),
            (1.5e15, "1.50e15"),
            (-1_234_567.0, "−1,234,567"),
            (f64::NAN, "–"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text, "{x:?}");
        }
        assert_eq!(whole(28_481), "28,481");
        assert_eq!(whole(-100), "−100");
        assert_eq!(whole(1_000_000), "1,000,000");
    }

    #[test]
    fn changes_carry_their_sign() {
        let cases = [
            (0.07, "+7\u{a0}%"),
            (-0.69, "−69\u{a0}%"),
            (5.744, "+574\u{a0}%"),
            (0.004, "+0.4\u{a0}%"),
            (0.0004, "+0.04\u{a0}%"),
            (0.0, "0\u{a0}%"),
            (-0.0, "0\u{a0}%"),
            (-0.000_04, "0\u{a0}%"),
            (-0.000_06, "−0.01\u{a0}%"),
            (12.344, "+1,234\u{a0}%"),
            (f64::INFINITY, "–"),
        ];
        for (x, text) in cases {
            assert_eq!(change(x), text, "{x:?}");
        }
    }

    #[test]
    fn durations_choose_their_unit() {
        let cases = [
            (0.0, "0\u{a0}s"),
            (0.012, "12\u{a0}ms"),
            (0.0031, "3.1\u{a0}ms"),
            (1.0, "1\u{a0}s"),
            (45.0, "45\u{a0}s"),
            (720.0, "12\u{a0}min"),
            (15_887.0, "4.4\u{a0}h"),
            (270_000.0, "3.1\u{a0}d"),
            (-7_200.0, "−2\u{a0}h"),
        ];
        for (x, text) in cases {
            assert_eq!(duration(x), text, "{x:?}");
        }
    }

    #[test]
    fn shares_of_jobs_are_told_in_percent() {
        let text = |share| value(Metric::UnderRate, share, TimeUnit::Seconds);
        assert_eq!(text(0.0), "0\u{a0}%");
        assert_eq!(text(0.000_035), "0.00350\u{a0}%");
        assert_eq!(text(0.61), "61.0\u{a0}%");
        assert_eq!(value(Metric::Utilisation, 0.61, TimeUnit::Seconds), "0.610");
    }

    #[test]
    fn exact_forms_read_back() {
        for x in [0.1 + 0.2, 1e300, 5e-324, -67.103_456_789, 28_481.0, 0.0] {
            assert_eq!(exact(x).parse::<f64>().unwrap().to_bits(), x.to_bits());
        }
        assert_eq!(exact(28_481.0), "28481");
        assert_eq!(exact(5e-324), "5e-324");
    }

    #[test]
    fn factors_are_short() {
        assert_eq!(factor(1.0), "1");
        assert_eq!(factor(0.5), "0.5");
        assert_eq!(factor(1.148698354997034), "1.149");
        assert_eq!(factor(1.999999999999994), "2");
        assert_eq!(factor(10.0), "10");
    }
}

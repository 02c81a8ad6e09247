//! Numbers as people write them in tables: with marks between thousands, decimal commas, powers of ten.

use crate::drawn::unwrapped;
use std::borrow::Cow;

/// What stands between thousands beside commas and points: blanks, of which some do not break, and apostrophes.
const GROUP_MARKS: [&str; 6] = ["'", "\u{2019}", " ", "\u{a0}", "\u{202f}", "\u{2009}"];

/// How a table writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberStyle {
    /// The byte between two values.
    pub delimiter: u8,
    /// Whether points stand between thousands: `1.024` is more than a thousand.
    pub has_points_in_thousands: bool,
    /// Whether commas do, though they are not between values.
    pub has_commas_in_thousands: bool,
}

impl NumberStyle {
    /// That of a table with this byte between values, of which no more is known.
    #[must_use]
    pub fn between(delimiter: u8) -> Self {
        NumberStyle { delimiter, has_points_in_thousands: false, has_commas_in_thousands: false }
    }

    /// That of a table with these values: where others have decimal commas, or dates with points, three digits behind a point
    /// are thousands, unless other numbers have decimal points. Three digits behind each comma are thousands, too, where nothing
    /// tells of decimal commas.
    #[must_use]
    pub fn of<'a>(delimiter: u8, values: impl Iterator<Item = &'a [u8]>) -> Self {
        let are_digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        let (mut has_commas, mut has_points, mut has_groups, mut has_point_groups) = (false, false, false, false);
        for value in values.filter(|value| value.first().is_some_and(u8::is_ascii_digit)) {
            let parts: Vec<&[u8]> = value.split(|byte| matches!(byte, b'.' | b',')).collect();
            let mark = |at: usize| value[parts[..=at].iter().map(|part| part.len()).sum::<usize>() + at];
            if !parts[..parts.len() - 1].iter().all(|part| are_digits(part)) {
                continue;
            }
            match parts[..] {
                [day, month, year] if (day.len(), month.len(), mark(0), mark(1)) == (2, 2, b'.', b'.') => {
                    has_commas |= year.len() >= 4 && are_digits(&year[..4]);
                }
                [whole, decimals] if mark(0) == b'.' && are_digits(decimals) => {
                    let are_decimals = decimals.len() != 3 || whole.len() > 3 || whole == b"0";
                    has_points |= are_decimals;
                    has_point_groups |= !are_decimals;
                }
                [whole, decimals] if are_digits(decimals) => {
                    let are_decimals = decimals.len() != 3 || whole.len() > 3 || whole == b"0";
                    has_commas |= are_decimals;
                    has_groups |= !are_decimals;
                }
                [.., decimals] if parts.len() > 1 && are_digits(decimals) => {
                    has_commas |= mark(parts.len() - 2) == b',';
                    has_points |= mark(parts.len() - 2) == b'.' && value.contains(&b',');
                }
                _ => {}
            }
        }
        let has_commas_in_thousands = delimiter != b',' && has_groups && !has_commas && !has_point_groups;
        let has_commas = has_commas || has_groups;
        let has_points_in_thousands = delimiter != b',' && has_commas && !has_points;
        NumberStyle { delimiter, has_points_in_thousands, has_commas_in_thousands }
    }
}

impl NumberStyle {
    /// That of a table with these rows, as [`NumberStyle::of`] has it; a column with numbers up to 999 that have no mark, and of
    /// which all others have one before each three digits, tells more than values by themselves.
    #[must_use]
    pub fn of_rows(delimiter: u8, rows: &[Vec<Vec<u8>>]) -> Self {
        let values = || rows.iter().flatten().map(Vec::as_slice);
        let style = NumberStyle::of(delimiter, values());
        let columns = rows.first().map_or(0, Vec::len);
        let tells = |mark: u8| {
            delimiter != b','
                && (0..columns).any(|at| are_in_thousands(rows.iter().filter_map(|row| row.get(at)), mark))
                && !values().any(|value| is_decimal(value, mark))
        };
        match (tells(b','), tells(b'.')) {
            (true, false) => NumberStyle { has_commas_in_thousands: true, has_points_in_thousands: false, ..style },
            (false, true) => NumberStyle { has_points_in_thousands: true, ..style },
            _ => style,
        }
    }
}

/// The parts of a number between marks; none of another text.
fn parts_of_number(value: &[u8], mark: u8) -> Option<Vec<&[u8]>> {
    let parts: Vec<&[u8]> = value.split(|&byte| byte == mark).collect();
    parts.iter().all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit)).then_some(parts)
}

/// Whether a mark can only be that before decimals.
fn is_decimal(value: &[u8], mark: u8) -> bool {
    let parts = parts_of_number(value, mark).unwrap_or_default();
    matches!(parts[..], [whole, decimals] if decimals.len() != 3 || whole.len() > 3 || whole == b"0")
}

/// Whether these numbers are written with a mark between thousands.
fn are_in_thousands<'a>(values: impl Iterator<Item = &'a Vec<u8>>, mark: u8) -> bool {
    let (mut has_hundreds, mut has_marks) = (false, false);
    for value in values.filter(|value| value.first().is_some_and(u8::is_ascii_digit)) {
        match parts_of_number(value, mark).as_deref() {
            Some([whole]) if whole.len() <= 3 => has_hundreds |= whole.len() == 3,
            Some([first, rest @ ..])
                if first.len() <= 3 && !rest.is_empty() && rest.iter().all(|part| part.len() == 3) =>
            {
                has_marks = true;
            }
            _ => return false,
        }
    }
    has_hundreds && has_marks
}

/// A number without what makes it readable: thousands apart (`1,024` in a table between commas, `1'024`, `1.024,5`), decimal
/// commas (`0,5` in another table), powers of ten (`1.7e9`). Any other field stays as it is.
#[must_use]
pub fn plain_number(
    field: &[u8],
    NumberStyle { delimiter, has_points_in_thousands, has_commas_in_thousands }: NumberStyle,
) -> Cow<'_, [u8]> {
    // what remains of a difference that is 0
    if let [b'-', b'0', rest @ ..] = field
        && rest.iter().enumerate().all(|(at, byte)| byte.is_ascii_digit() == (at > 0))
    {
        return Cow::Borrowed(b"0");
    }
    if matches!(field, [.., b')' | b'/'])
        && let Some(value) = unwrapped(field)
    {
        return Cow::Owned(value);
    }
    let Some(field) = without_group_marks(field) else { return Cow::Borrowed(field) };
    let is_number = field.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-')
        && field.iter().all(|byte| byte.is_ascii_digit() || b"+-.,eE".contains(byte));
    if !is_number || field.iter().all(u8::is_ascii_digit) {
        return field;
    }
    let count = |mark: u8| field.iter().filter(|&&byte| byte == mark).count();
    let last = field.iter().rev().copied().find(|byte| matches!(byte, b'.' | b','));
    // what comes last of both is the decimal point, and what comes more than once is none
    let are_thousands = |point: usize| field.len() - point == 4 && point <= 3 && field[0] != b'0';
    let point = field.iter().position(|&byte| byte == b'.').filter(|_| has_points_in_thousands);
    let comma = field.iter().position(|&byte| byte == b',').filter(|_| has_commas_in_thousands);
    let (thousands, decimal) = match (count(b','), count(b'.'), last) {
        (0, 1, _) if point.is_some_and(are_thousands) => (Some(b'.'), None),
        (0, 0 | 1, _) => (None, None),
        (0, ..) => (Some(b'.'), None),
        (_, 0, _) if delimiter == b',' || count(b',') > 1 || comma.is_some_and(are_thousands) => (Some(b','), None),
        (_, 0, _) => (None, Some(b',')),
        (_, _, Some(b',')) => (Some(b'.'), Some(b',')),
        _ => (Some(b','), None),
    };
    let mut text = field.to_vec();
    if let Some(mark) = thousands {
        let point = decimal.unwrap_or(b'.');
        let whole = field.split(|&byte| byte == point && point != mark).next().unwrap_or_default();
        let are_groups = whole.split(|&byte| byte == mark).skip(1).all(|group| group.len() == 3);
        if !are_groups || (point != mark && count(point) > 1) {
            return field;
        }
        text.retain(|&byte| byte != mark);
    }
    text.iter_mut().filter(|byte| Some(**byte) == decimal).for_each(|byte| *byte = b'.');
    if text.iter().any(|byte| matches!(byte, b'e' | b'E')) {
        let number = std::str::from_utf8(&text).ok().and_then(|text| text.parse::<f64>().ok());
        // as many decimals as a time of today can have
        return number.filter(|number| number.is_finite()).map_or(field, |number| {
            let text = format!("{number:.3}");
            Cow::Owned(text.trim_end_matches('0').trim_end_matches('.').as_bytes().to_vec())
        });
    }
    Cow::Owned(text)
}

/// A field without marks between its thousands.
fn without_group_marks(field: &[u8]) -> Option<Cow<'_, [u8]>> {
    let is_plain = |byte: &u8| byte.is_ascii_digit() || b"+-.,eE".contains(byte);
    let is_mark = |byte: &u8| matches!(byte, b'\'' | b' ' | 0x80..);
    if !field.iter().any(is_mark) {
        return field.iter().all(is_plain).then_some(Cow::Borrowed(field));
    }
    let text = std::str::from_utf8(field).ok()?;
    let mark = GROUP_MARKS.into_iter().find(|mark| text.contains(mark))?;
    let (first, groups) = text.split_once(mark)?;
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_group = |group: &str| {
        let digits = group.find(['.', ',']).unwrap_or(group.len());
        digits == 3
            && is_digits(&group[..3])
            && group[3..].bytes().all(|byte| byte.is_ascii_digit() || b".,".contains(&byte))
    };
    let is_grouped = first.len() <= 3 && is_digits(first.trim_start_matches('-')) && groups.split(mark).all(is_group);
    is_grouped.then(|| Cow::Owned(text.replace(mark, "").into_bytes()))
}

/// Units of durations in words, thousandths of a second.
const UNITS: [(&[&str], f64); 5] = [
    (&["ms", "msec", "millisecond", "milliseconds"], 1.0),
    (&["s", "sec", "secs", "second", "seconds", "second(s)"], 1e3),
    (&["m", "min", "mins", "minute", "minutes", "minute(s)"], 6e4),
    (&["h", "hr", "hrs", "hour", "hours", "hour(s)"], 3.6e6),
    (&["d", "day", "days", "day(s)"], 8.64e7),
];

/// The seconds of numbers with their units: `1h 2m 3.5s`, `10 minutes`, `PT1H2M3S`.
#[must_use]
pub fn seconds_in_units(field: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(field).ok()?.trim().to_ascii_lowercase();
    let mut rest = text.strip_prefix('p').map_or(text.clone(), |iso| iso.replace('t', ""));
    if rest.len() > 60 || !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut milliseconds = 0.0;
    while !rest.is_empty() {
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.').filter(|&at| at > 0)?;
        let behind = rest[number..].trim_start();
        let unit = behind.find(|c: char| c.is_ascii_digit() || c == ' ').unwrap_or(behind.len());
        let (_, each) = UNITS.iter().find(|(names, _)| names.contains(&&behind[..unit]))?;
        milliseconds += rest[..number].parse::<f64>().ok()? * each;
        rest = behind[unit..].trim_start().to_owned();
    }
    // durations of a log are far below 10^12 seconds
    Some((milliseconds / 1e3).floor() as i64).filter(|&seconds| seconds < 1_000_000_000_000)
}

// What means nothing: one place for all formats and fields.
//
// Batch systems write `NO_VAL` and `INFINITE` of 16 to 64 bits, -1, the date of the Unix time 0 in their zone, and words. A time
// limit can also be none on purpose, which is as little known.

const WORDS: [&str; 18] = [
    "-",
    "--",
    "-1.0",
    "unknown",
    "none",
    "null",
    "nan",
    "nat",
    "na",
    "n/a",
    "invalid",
    "undefined",
    "\\n",
    "?",
    "-/-",
    "(null)",
    "<na>",
    "#n/a",
];

const NO_LIMIT: [&str; 5] = ["unlimited", "partition_limit", "infinite", "infinity", "inf"];

/// Numbers with the highest bit of 64, and the one below them, as floats.
const HIGHEST_BIT: std::ops::RangeInclusive<f64> = 9.223372036854775e18..=18_446_744_073_709_551_616.0;

/// What stands for no name; a name may be any other word.
const NO_NAMES: [&[u8]; 6] = [b"Unknown", b"None", b"NONE", b"N/A", b"(null)", b"NULL"];

/// The days that stand for none: those on which the Unix time 0 can be, as dates are written, and the first days of MySQL's,
/// Go's, Windows's and Excel's calendars.
const ZERO_DAYS: [&str; 11] = [
    "1970-01-01",
    "1969-12-31",
    "1970/01/01",
    "1969/12/31",
    "0000-00-00",
    "0001-01-01",
    "1601-01-01",
    "1899-12-30",
    "1899-12-31",
    "1900-01-00",
    "1900-01-01",
];

/// Whether a number stands for nothing known: the two largest ones of 32 bits, what has the highest bit of 64, negative ones.
#[must_use]
pub fn is_nothing(number: i64) -> bool {
    matches!(number, 0xFFFF_FFFE | 0xFFFF_FFFF | i64::MAX) || number < 0
}

/// As [`is_nothing`], for a number that may have decimals or be larger.
#[must_use]
pub fn is_no_amount(number: f64) -> bool {
    number.is_nan() || number < 0.0 || HIGHEST_BIT.contains(&number) || (number < 1e18 && is_nothing(number as i64))
}

/// Whether a field says that nothing is known.
#[must_use]
pub fn is_unknown(field: &[u8]) -> bool {
    match field.first() {
        None => true,
        Some(digit) if digit.is_ascii_digit() => is_large(field) || is_zero_day(field),
        Some(_) => field == b"-1" || (field.len() <= 9 && is_one_of(&WORDS, field)),
    }
}

/// Whether a field says that there is no time limit, or that of the partition, which is not known either.
#[must_use]
pub fn is_no_limit(field: &[u8]) -> bool {
    is_one_of(&NO_LIMIT, field)
}

/// Whether a field has a value and none was read from it.
#[must_use]
pub fn is_odd<T>(field: &[u8], read: Option<T>) -> bool {
    read.is_none() && !is_unknown(field) && !is_no_limit(field)
}

/// A name, empty where it says that there is none.
#[must_use]
pub fn name(field: &[u8]) -> &[u8] {
    let is_number = field.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-');
    if NO_NAMES.contains(&field) || (is_number && is_unknown(field)) { b"" } else { field }
}

fn is_one_of(words: &[&str], field: &[u8]) -> bool {
    words.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(field))
}

/// Whether a number stands for nothing because it is so large.
fn is_large(field: &[u8]) -> bool {
    let whole = field.strip_suffix(b".0").unwrap_or(field);
    let is_number = (10..=20).contains(&whole.len()) && whole.iter().all(u8::is_ascii_digit);
    let number = || std::str::from_utf8(whole).ok()?.parse::<u64>().ok();
    is_number && number().is_some_and(|number| i64::try_from(number).map_or(true, is_nothing))
}

fn is_zero_day(field: &[u8]) -> bool {
    // all of them are dates of years before 2000, which hardly any field is
    let may_be = matches!(field, [b'0' | b'1', _, _, _, b'-' | b'/', ..]);
    may_be
        && ZERO_DAYS
            .iter()
            .any(|day| field.starts_with(day.as_bytes()) && !field.get(day.len()).is_some_and(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let plain = |field: &str, delimiter| {
            let style = NumberStyle::between(delimiter);
            String::from_utf8(plain_number(field.as_bytes(), style).into_owned()).unwrap()
        };
        for (field, delimiter, expected) in [
            ("1,024", b',', "1024"),
            ("1,024.5", b',', "1024.5"),
            ("0,5", b';', "0.5"),
            ("1.700000000e9", b',', "1700000000"),
            ("1.5E+3", b',', "1500"),
            ("1.70000000012e9", b',', "1700000000.12"),
            ("12,3", b',', "12,3"),
            ("2026-01-05", b';', "2026-01-05"),
            ("n[1,3]", b';', "n[1,3]"),
            ("1.024,5", b';', "1024.5"),
            ("1,024.5", b';', "1024.5"),
            ("1.024,5", b',', "1024.5"),
            ("1,234,567", b';', "1234567"),
            ("1.234.567", b';', "1234567"),
            ("31.01.2026", b';', "31.01.2026"),
            ("1'024", b';', "1024"),
            ("12\u{202f}345,5", b';', "12345.5"),
            ("12\u{a0}345", b'\t', "12345"),
            ("2026 01 05", b';', "2026 01 05"),
            ("1.2.3", b';', "1.2.3"),
            ("1,024.5.5", b';', "1,024.5.5"),
            ("90", b',', "90"),
            ("-0.000000", b',', "0"),
            ("-0,5", b';', "0"),
            ("-0", b',', "0"),
            ("-01", b',', "-01"),
            ("-1.5", b',', "-1.5"),
        ] {
            assert_eq!(plain(field, delimiter), expected, "{field}");
        }
        let style = |values: &[&str]| NumberStyle::of(b';', values.iter().map(|value| value.as_bytes()));
        for values in [&["1.024", "30,5"][..], &["31.01.2026 10:00", "1.600"], &["1.024,5", "12"]] {
            assert!(style(values).has_points_in_thousands, "{values:?}");
            assert_eq!(&*plain_number(b"1.600", style(values)), b"1600");
        }
        for values in
            [&["1.024", "12"][..], &["30,5", "0.5"], &["31.01.2026", "1234.567"], &["30,5", "0.500"], &["1,024.5"]]
        {
            assert!(!style(values).has_points_in_thousands, "{values:?}");
        }
    }
}

#[cfg(test)]
mod nothing_tests {
    use super::*;

    #[test]
    fn what_means_nothing_is_told_from_what_means_something() {
        for text in [
            "",
            "-",
            "-1",
            "-1.0",
            "Unknown",
            "UNKNOWN",
            "None",
            "N/A",
            "INVALID",
            "(null)",
            "NaT",
            "4294967294",
            "4294967295",
            "4294967295.0",
            "9223372036854775807",
            "9223372036854775808",
            "9223372036854779904",
            "18446744073709551614",
            "18446744073709551615",
            "1970-01-01",
            "1970-01-01T01:00:00",
            "1969-12-31T19:00:00-05:00",
            "1970/01/01 00:00:00",
            "0000-00-00 00:00:00",
            "0001-01-01T00:00:00Z",
        ] {
            assert!(is_unknown(text.as_bytes()), "{text}");
        }
        for text in [
            "0",
            "1",
            "-2",
            "4294967293",
            "42949672940",
            "9223372036854775806",
            "nobody",
            "ann",
            "1970-01-02",
            "unlimited",
        ] {
            assert!(!is_unknown(text.as_bytes()), "{text}");
        }
        for text in ["UNLIMITED", "Partition_Limit", "INFINITE"] {
            assert!(is_no_limit(text.as_bytes()), "{text}");
        }
        for number in [
            4_294_967_294.0,
            4_294_967_295.0,
            9_223_372_036_854_775_808.0,
            18_446_744_073_709_551_616.0,
            -1.0,
            f64::NAN,
        ] {
            assert!(is_no_amount(number), "{number}");
        }
        assert!(![0.0, 0.5, 4_294_967_293.0, 1e15, 1e300].into_iter().any(is_no_amount));
        for text in ["Unknown", "None", "N/A", "(null)", "4294967294", "-1"] {
            assert_eq!(name(text.as_bytes()), b"", "{text}");
        }
        assert!(
            ["none", "unknown", "ann", "nan", "1000"].into_iter().all(|text| name(text.as_bytes()) == text.as_bytes())
        );
    }
}

//! What means nothing: one place for all formats and fields.
//!
//! Batch systems write `NO_VAL` and `INFINITE` of 16 to 64 bits, -1, the date of the Unix time 0 in their zone, and words. A time
//! limit can also be none on purpose, which is as little known.

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

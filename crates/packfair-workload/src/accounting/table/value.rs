//! What is in a field of a table: nothing known, a count, a time, a duration.

use super::super::nothing::{is_no_limit, is_unknown};
use super::super::sacct::state;
use super::super::time::{digits, duration, moment};
use super::super::tres::{Resources, count};
use super::log_column::LogColumn;
use super::mapping::ValueForm;
use crate::Seconds;
use packfair_base::numbers::seconds_in_units;

pub(super) fn whole(field: &[u8]) -> &[u8] {
    match field.iter().position(|&byte| byte == b'.') {
        Some(at) if field[at + 1..].iter().all(u8::is_ascii_digit) => &field[..at],
        _ => field,
    }
}

/// The time that a field says, Unix seconds or seconds since the log's own zero. Thirteen digits are milliseconds, sixteen
/// microseconds, nineteen nanoseconds.
pub(super) fn time(field: &[u8]) -> Option<Seconds> {
    let number = whole(field);
    if number.iter().all(u8::is_ascii_digit) && matches!(number.len(), 13 | 16 | 19) {
        return digits(&number[..10]).filter(|_| !is_unknown(number));
    }
    moment(field)
}

/// The midnight with which a date begins that has no time of day, as R writes midnights.
pub(super) fn midnight(field: &[u8]) -> Option<Seconds> {
    (field.len() == 10).then(|| moment(&[field, b"T00:00"].concat()))?
}

/// The duration that a field says, seconds.
pub(super) fn span(field: &[u8]) -> Option<Seconds> {
    digits(whole(field)).or_else(|| duration(field)).or_else(|| seconds_in_units(field))
}

/// A count, as Slurm writes it too (`1.50K`). A small m stands for thousandths, as Kubernetes writes parts of processors;
/// parts count as whole ones. None where three decimals may be thousands (`1.024`).
pub(super) fn number(field: &[u8]) -> Option<u32> {
    if let Some(thousandths) = field.strip_suffix(b"m") {
        return count(thousandths).map(|count| count.div_ceil(1_000));
    }
    let ends_with_digit = field.last().is_some_and(u8::is_ascii_digit);
    let Some(at) = field.iter().position(|&byte| byte == b'.').filter(|_| ends_with_digit) else { return count(field) };
    let (whole, decimals) = (&field[..at], &field[at + 1..]);
    if decimals.iter().all(|&byte| byte == b'0') {
        return count(whole);
    }
    let may_be_thousands = decimals.len() == 3 && whole.first() != Some(&b'0');
    let is_part = !may_be_thousands && decimals.iter().all(u8::is_ascii_digit);
    if is_part { count(whole)?.checked_add(1) } else { None }
}

/// Whether a field can be a value of a column. Texts can be anything but a date.
pub(super) fn fits(column: LogColumn, form: &ValueForm, field: &[u8]) -> bool {
    if is_unknown(field) {
        return true;
    }
    let written = || form.seconds(field);
    match column {
        LogColumn::Submit | LogColumn::Eligible | LogColumn::Start | LogColumn::End => {
            written().unwrap_or_else(|| time(field)).is_some() || field.first() == Some(&b'-')
        }
        LogColumn::Run | LogColumn::Wait => {
            written().unwrap_or_else(|| span(field)).is_some() || field.starts_with(b"-")
        }
        LogColumn::Limit => {
            is_no_limit(field) || written().unwrap_or_else(|| span(field)).is_some() || field.starts_with(b"-")
        }
        LogColumn::Processors | LogColumn::Nodes | LogColumn::Gpus => {
            field.first().is_some_and(u8::is_ascii_digit) && number(whole(field)).is_some()
        }
        LogColumn::Tres => Resources::of(field) != Resources::default() || field.contains(&b'='),
        // a number, one with a prefix, or a list of samples
        LogColumn::Watts | LogColumn::Energy => {
            matches!(field.first(), Some(byte) if byte.is_ascii_digit() || b"-[.".contains(byte))
        }
        LogColumn::Status => state::of(field).is_some() || (moment(field).is_none() && field.len() < 40),
        LogColumn::Id
        | LogColumn::User
        | LogColumn::Group
        | LogColumn::Queue
        | LogColumn::Partition
        | LogColumn::Executable => field.len() < 10 || !is_date(field),
    }
}

/// Whether a field is a date, not a number.
fn is_date(field: &[u8]) -> bool {
    field.get(4) == Some(&b'-') && moment(field).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_times_and_durations_are_read_as_people_write_them() {
        let counts = [&b"4.0"[..], b"2.5", b"0.500", b"500m", b"1.024", b"4.x", b"1.50K", b"4."].map(number);
        assert_eq!(counts, [Some(4), Some(3), Some(1), Some(1), None, None, Some(1_536), None]);
        let times = ["1700000000", "1700000000123", "1700000000123456", "1700000000123456789", "1700000000123.0"];
        assert!(times.into_iter().all(|text| time(text.as_bytes()) == Some(1_700_000_000)));
        assert_eq!(time(b"9223372036854775807"), None);
        let words =
            ["10m 5s", "1h 2m 3.5s", "600 second(s)", "PT1H2M3S", "P1DT1H", "2 hours", "123ms", "3x", "m", "1.5h"];
        let expected = [
            Some(605),
            Some(3_723),
            Some(600),
            Some(3_723),
            Some(90_000),
            Some(7_200),
            Some(0),
            None,
            None,
            Some(5_400),
        ];
        assert_eq!(words.map(|text| span(text.as_bytes())), expected);
        assert_eq!([span(b"1 days 02:00:00"), span(b"1 day, 0:00:05"), span(b"90.7")], [93_600, 86_405, 90].map(Some));
    }
}

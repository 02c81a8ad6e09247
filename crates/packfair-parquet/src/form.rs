//! The values of columns, and how they are written as text.

use super::{ParquetError, ReadResult};
use std::io::Write as _;

/// The longest text of a value that is kept, bytes.
const LONGEST: usize = 16 * 1024;

const DAY: i64 = 86_400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Physical {
    Boolean,
    Int32,
    Int64,
    /// Nanoseconds of a day and the day, in the Julian count.
    Int96,
    Float,
    Double,
    Bytes,
    /// So many bytes.
    Fixed(usize),
}

impl Physical {
    /// The kind of a number in the description; `length` is that of bytes of a fixed number.
    pub(super) fn of(number: i64, length: i64) -> ReadResult<Self> {
        Ok(match number {
            0 => Physical::Boolean,
            1 => Physical::Int32,
            2 => Physical::Int64,
            3 => Physical::Int96,
            4 => Physical::Float,
            5 => Physical::Double,
            6 => Physical::Bytes,
            7 if (1..=1 << 20).contains(&length) => Physical::Fixed(length as usize),
            _ => return Err(ParquetError::Damaged("a column has values of no known kind")),
        })
    }

    /// How many bytes a value has; none where that differs, or is less than one.
    pub(super) fn size(self) -> Option<usize> {
        match self {
            Physical::Boolean | Physical::Bytes => None,
            Physical::Int32 | Physical::Float => Some(4),
            Physical::Int64 | Physical::Double => Some(8),
            Physical::Int96 => Some(12),
            Physical::Fixed(size) => Some(size),
        }
    }

    /// The value that these bytes, of the right number, stand for.
    pub(super) fn value(self, bytes: &[u8]) -> RawValue<'_> {
        let fixed = |bytes: &[u8]| {
            let mut word = [0; 8];
            let length = bytes.len().min(8);
            word[..length].copy_from_slice(&bytes[..length]);
            word
        };
        match self {
            Physical::Boolean => RawValue::Truth(bytes.first().is_some_and(|&byte| byte != 0)),
            Physical::Int32 => RawValue::Whole(i64::from(i64::from_le_bytes(fixed(bytes)) as i32)),
            Physical::Int64 => RawValue::Whole(i64::from_le_bytes(fixed(bytes))),
            Physical::Int96 => {
                let day = i64::from_le_bytes(fixed(bytes.get(8..).unwrap_or_default())) - JULIAN_1970;
                RawValue::Moment { day, nanoseconds: i64::from_le_bytes(fixed(bytes)) }
            }
            Physical::Float => RawValue::Real(f32::from_bits(i64::from_le_bytes(fixed(bytes)) as u32).into()),
            Physical::Double => RawValue::Real(f64::from_le_bytes(fixed(bytes))),
            Physical::Bytes | Physical::Fixed(_) => RawValue::Bytes(bytes),
        }
    }
}

/// The first of January 1970 in the Julian count of days.
const JULIAN_1970: i64 = 2_440_588;

/// A value before it is known what it means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RawValue<'a> {
    Truth(bool),
    Whole(i64),
    /// A day since 1970, and nanoseconds of it.
    Moment {
        day: i64,
        nanoseconds: i64,
    },
    Real(f64),
    Bytes(&'a [u8]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeUnit {
    Milliseconds,
    Microseconds,
    Nanoseconds,
}

impl TimeUnit {
    /// How many make a second, and with how many digits.
    fn of_second(self) -> (i64, usize) {
        match self {
            TimeUnit::Milliseconds => (1_000, 3),
            TimeUnit::Microseconds => (1_000_000, 6),
            TimeUnit::Nanoseconds => (1_000_000_000, 9),
        }
    }
}

/// What the values of a column mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    AsItIs,
    Text,
    /// A number without sign.
    Unsigned,
    Decimal(u32),
    /// Days since 1970.
    Date,
    Time(TimeUnit),
    Moment {
        unit: TimeUnit,
        /// Whether it is a moment in UTC rather than on a clock whose zone is not told.
        is_utc: bool,
    },
    /// A duration, written in seconds.
    Duration(TimeUnit),
    /// Months, days and milliseconds, written in seconds.
    Interval,
    Uuid,
    /// A number of sixteen bits.
    Half,
}

impl Form {
    /// Whether values that stand so in the file can mean this.
    pub(super) fn fits(self, physical: Physical) -> bool {
        use Physical::{Bytes, Fixed, Int32, Int64};
        match self {
            Form::AsItIs => true,
            Form::Text => matches!(physical, Bytes | Fixed(_)),
            Form::Unsigned | Form::Moment { .. } | Form::Time(_) | Form::Duration(_) => {
                matches!(physical, Int32 | Int64)
            }
            Form::Decimal(_) => matches!(physical, Int32 | Int64 | Bytes | Fixed(_)),
            Form::Date => physical == Int32,
            Form::Interval => physical == Fixed(12),
            Form::Uuid => physical == Fixed(16),
            Form::Half => physical == Fixed(2),
        }
    }

    /// Writes a value as a field of a line; `is_narrow` where it has 32 bits.
    pub(super) fn write(self, value: RawValue<'_>, is_narrow: bool, into: &mut Vec<u8>) {
        match (self, value) {
            (_, RawValue::Truth(truth)) => into.extend_from_slice(if truth { b"True" } else { b"False" }),
            (_, RawValue::Real(number)) => write_real(number, into),
            (_, RawValue::Moment { day, nanoseconds }) => {
                let seconds = day.saturating_mul(DAY).saturating_add(nanoseconds.div_euclid(1_000_000_000));
                write_moment(seconds, nanoseconds.rem_euclid(1_000_000_000), 9, false, into);
            }
            (Form::Unsigned, RawValue::Whole(number)) if is_narrow => print(into, format_args!("{}", number as u32)),
            (Form::Unsigned, RawValue::Whole(number)) => print(into, format_args!("{}", number as u64)),
            (Form::Decimal(scale), RawValue::Whole(number)) => write_decimal(number.into(), scale, into),
            (Form::Date, RawValue::Whole(day)) => write_date(day, into),
            (Form::Time(unit), RawValue::Whole(number)) => {
                let (per, _) = unit.of_second();
                write_clock(number.div_euclid(per), into);
            }
            (Form::Moment { unit, is_utc }, RawValue::Whole(number)) => {
                let (per, digits) = unit.of_second();
                write_moment(number.div_euclid(per), number.rem_euclid(per), digits, is_utc, into);
            }
            (Form::Duration(unit), RawValue::Whole(number)) if number != i64::MIN => {
                let (_, digits) = unit.of_second();
                write_decimal(number.into(), digits as u32, into);
            }
            (Form::Duration(_), RawValue::Whole(_)) => {}
            (_, RawValue::Whole(number)) => print(into, format_args!("{number}")),
            (Form::Decimal(scale), RawValue::Bytes(bytes)) => {
                if let Some(number) = big_endian(bytes) {
                    write_decimal(number, scale, into);
                }
            }
            (Form::Interval, RawValue::Bytes(&[a, b, c, d, e, f, g, h, i, j, k, l])) => {
                let [months, days, milliseconds] =
                    [[a, b, c, d], [e, f, g, h], [i, j, k, l]].map(|four| i64::from(u32::from_le_bytes(four)));
                // a month is of no certain length
                if months == 0 {
                    print(into, format_args!("{}", days * DAY + milliseconds / 1_000));
                }
            }
            (Form::Uuid, RawValue::Bytes(bytes)) => {
                bytes.iter().for_each(|byte| print(into, format_args!("{byte:02x}")))
            }
            (Form::Half, RawValue::Bytes(&[low, high])) => write_real(half(u16::from_le_bytes([low, high])), into),
            (_, RawValue::Bytes(bytes)) => write_text(bytes, into),
        }
    }
}

fn print(into: &mut Vec<u8>, what: std::fmt::Arguments<'_>) {
    // memory takes all
    let _ = into.write_fmt(what);
}

/// Writes a number; what is none is nothing.
fn write_real(number: f64, into: &mut Vec<u8>) {
    if number.is_finite() {
        print(into, format_args!("{number}"));
    }
}

/// A number of sixteen bits: a sign, five bits of exponent and ten of fraction.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1_023) / 1_024.0);
    match exponent {
        31 => f64::NAN,
        0 => sign * fraction * 2_f64.powi(-14),
        _ => sign * (1.0 + fraction) * 2_f64.powi(exponent - 15),
    }
}

/// The number of bytes whose first is the most significant; none where it has more than 128 bits.
fn big_endian(bytes: &[u8]) -> Option<i128> {
    let sign = bytes.first().map_or(0, |&first| (first as i8 >> 7) as u8);
    let begin = bytes.len().saturating_sub(16);
    if bytes[..begin].iter().any(|&byte| byte != sign) {
        return None;
    }
    let mut all = [sign; 16];
    all[16 - (bytes.len() - begin)..].copy_from_slice(&bytes[begin..]);
    Some(i128::from_be_bytes(all))
}

/// Writes a number with decimals; those that are all 0 are left out.
fn write_decimal(number: i128, scale: u32, into: &mut Vec<u8>) {
    let Some(unit) = 10_u128.checked_pow(scale) else { return };
    let (whole, part) = (number.unsigned_abs() / unit, number.unsigned_abs() % unit);
    if number < 0 {
        into.push(b'-');
    }
    print(into, format_args!("{whole}"));
    if part > 0 {
        print(into, format_args!(".{part:0width$}", width = scale as usize));
    }
}

/// Writes the date of a day since 1970, if its year has four digits.
fn write_date(day: i64, into: &mut Vec<u8>) {
    if !(-719_528..2_932_897).contains(&day) {
        return;
    }
    // days from the first of March of the year 0, in eras of 400 years (Hinnant, chrono-compatible low-level date algorithms)
    let shifted = day + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let date = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    print(into, format_args!("{year:04}-{month:02}-{date:02}"));
}

/// Writes the seconds of a day as a clock shows them.
fn write_clock(seconds: i64, into: &mut Vec<u8>) {
    if seconds >= 0 {
        print(into, format_args!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60));
    }
}

/// Writes a moment: Unix seconds and a part of a second of so many digits. Nothing where its year has not four.
fn write_moment(seconds: i64, part: i64, digits: usize, is_utc: bool, into: &mut Vec<u8>) {
    let before = into.len();
    write_date(seconds.div_euclid(DAY), into);
    if into.len() == before {
        return;
    }
    into.push(b' ');
    write_clock(seconds.rem_euclid(DAY), into);
    if part > 0 {
        print(into, format_args!(".{part:0digits$}"));
    }
    if is_utc {
        into.extend_from_slice(b"+00:00");
    }
}

/// Writes a text as a field of a line: in quotes where it has to be, on one line, and cut where it is too long.
pub(super) fn write_text(text: &[u8], into: &mut Vec<u8>) {
    let text = if text.len() > LONGEST { &text[..LONGEST] } else { text };
    if !text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return into.extend_from_slice(text);
    }
    into.push(b'"');
    for &byte in text {
        match byte {
            b'"' => into.extend_from_slice(b"\"\""),
            b'\n' | b'\r' => into.push(b' '),
            _ => into.push(byte),
        }
    }
    into.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(form: Form, value: RawValue<'_>) -> String {
        let mut into = Vec::new();
        form.write(value, false, &mut into);
        String::from_utf8(into).unwrap()
    }

    #[test]
    fn values_are_written_as_tables_have_them() {
        let moment = |unit, is_utc| Form::Moment { unit, is_utc };
        for (form, value, expected) in [
            (moment(TimeUnit::Milliseconds, true), 1_639_146_208_250, "2021-12-10 14:23:28.250+00:00"),
            (moment(TimeUnit::Microseconds, false), 1_639_146_208_000_000, "2021-12-10 14:23:28"),
            (moment(TimeUnit::Nanoseconds, false), -1, "1969-12-31 23:59:59.999999999"),
            (moment(TimeUnit::Nanoseconds, false), i64::MIN, "1677-09-21 00:12:43.145224192"),
            (moment(TimeUnit::Milliseconds, false), i64::MIN, ""),
            (Form::Date, 0, "1970-01-01"),
            (Form::Date, 19_782, "2024-02-29"),
            (Form::Date, -719_528, "0000-01-01"),
            (Form::Date, 2_932_896, "9999-12-31"),
            (Form::Date, 2_932_897, ""),
            (Form::Time(TimeUnit::Milliseconds), 3_723_000, "01:02:03"),
            (Form::Unsigned, -1, "18446744073709551615"),
            (Form::Decimal(2), -1_250, "-12.50"),
            (Form::Decimal(2), 1_200, "12"),
            (Form::Duration(TimeUnit::Nanoseconds), 1_500_000_000, "1.500000000"),
            (Form::Duration(TimeUnit::Milliseconds), 1_500, "1.500"),
            (Form::AsItIs, -7, "-7"),
        ] {
            assert_eq!(written(form, RawValue::Whole(value)), expected, "{form:?} {value}");
        }
        assert_eq!(written(Form::AsItIs, RawValue::Real(128.0)), "128");
        assert_eq!(written(Form::AsItIs, RawValue::Real(f64::NAN)), "");
        assert_eq!(written(Form::Decimal(1), RawValue::Bytes(&[0xff; 20])), "-0.1");
        assert_eq!(written(Form::Decimal(0), RawValue::Bytes(&[1; 20])), "");
        assert_eq!(written(Form::Text, RawValue::Bytes(b"a \"b\"\n,")), "\"a \"\"b\"\" ,\"");
        assert_eq!(written(Form::Half, RawValue::Bytes(&[0x00, 0x3e])), "1.5");
        assert_eq!(written(Form::Interval, RawValue::Bytes(&[0, 0, 0, 0, 1, 0, 0, 0, 0xe8, 3, 0, 0])), "86401");
        let julian = [0, 0, 0, 0, 0, 0, 0, 0, 0x8c, 0x3d, 0x25, 0];
        assert_eq!(written(Form::AsItIs, Physical::Int96.value(&julian)), "1970-01-01 00:00:00");
    }
}

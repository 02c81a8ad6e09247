//! Times and durations as logs, batch systems and people write them.

use crate::machine::Seconds;
use crate::numbers::{is_nothing, is_unknown};
use crate::place::offset_of_clock;
use chrono::NaiveDate;

/// The Unix time that `text` says: `2026-01-31T23:59:59`, also with a blank for the T, with decimals, which are cut
/// off, and with a zone (`Z`, `+01:00`, `+0100`), UTC where there is none; or seconds since 1970, with decimals or
/// without. None for `Unknown`, `None` and anything else.
#[must_use]
pub fn moment(text: &[u8]) -> Option<Seconds> {
    if is_unknown(text) {
        return None;
    }
    if text.get(4) == Some(&b'-') && text.len() >= 10 {
        let (date, rest) = text.split_at_checked(10)?;
        let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = date else { return otherwise(text) };
        let (year, month, day) = (two(y1, y2)? * 100 + two(y3, y4)?, two(m1, m2)?, two(d1, d2)?);
        let rest = rest.strip_prefix(b"T").or_else(|| rest.strip_prefix(b" ")).or_else(|| rest.strip_prefix(b"t"))?;
        return at(year, month, day, rest);
    }
    let whole = text.iter().position(|&byte| byte == b'.').unwrap_or(text.len());
    let decimals = text.get(whole + 1..).unwrap_or_default();
    if !text[..whole].iter().all(u8::is_ascii_digit) || !decimals.iter().all(u8::is_ascii_digit) {
        return otherwise(text);
    }
    digits(&text[..whole])
}

/// The Unix time of a date in other forms that leave nothing open: `2026/01/31 23:59:59`, `20260131T235959Z`,
/// `31.01.2026 23:59:59`, `Sat Jan 31 23:59:59 2026` and `Sat, 31 Jan 2026 23:59:59 +0100`.
fn otherwise(text: &[u8]) -> Option<Seconds> {
    match *text {
        [y1, y2, y3, y4, m1, m2, d1, d2, b'T', h1, h2, n1, n2, s1, s2, ref rest @ ..] => {
            let time = [&[h1, h2, b':', n1, n2, b':', s1, s2], rest].concat();
            at(digits(&[y1, y2, y3, y4])?, digits(&[m1, m2])?, digits(&[d1, d2])?, &time)
        }
        _ => in_numbers(text).or_else(|| worded(text)),
    }
}

/// The Unix time of a date in numbers, of which those of the month and the day may have one digit.
fn in_numbers(text: &[u8]) -> Option<Seconds> {
    let (date, rest) = text.split_at(text.iter().position(|byte| matches!(byte, b' ' | b'T'))?);
    let mark = *date.iter().find(|byte| !byte.is_ascii_digit())?;
    let parts: Vec<&[u8]> = date.split(|&byte| byte == mark).collect();
    let &[first, month, last] = &parts[..] else { return None };
    let (year, day) = match (mark, first.len(), last.len()) {
        (b'-' | b'/', 4, 1..=2) => (first, last),
        (b'.', 1..=2, 4) => (last, first),
        _ => return None,
    };
    at(digits(year)?, digits(month)?, digits(day)?, &rest[1..])
}

/// The months by the first letters of their names, in English and in other languages of Europe.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "mrz"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mag", "maj", "mei"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aoû", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott", "out"],
    &["nov"],
    &["dec", "dez", "dic", "déc"],
];

/// The Unix time of a date whose month is a word.
fn worded(text: &[u8]) -> Option<Seconds> {
    // what the zone is called, as browsers write it behind the offset
    let text = text.split(|&byte| byte == b'(').next().unwrap_or(text);
    let words: Vec<&str> = std::str::from_utf8(text).ok()?.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    if !(4..=8).contains(&words.len()) {
        return None;
    }
    let (mut month, mut day, mut year, mut time, mut behind) = (None, None, None, None, String::new());
    for word in words {
        let lower = word.to_lowercase();
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let number = word.trim_end_matches('.');
        if word.contains(':') && word.starts_with(|c: char| c.is_ascii_digit()) {
            time = Some(word);
        } else if number.len() == 4 && is_number(number) {
            year = digits(number.as_bytes());
        } else if number.len() <= 2 && is_number(number) {
            day = digits(number.as_bytes());
        } else if let Some(at) = MONTHS.iter().position(|names| names.iter().any(|name| lower.starts_with(name)))
            // in some languages a day of the week begins as a month does: the last word counts
            && (month.is_none() || time.is_none())
            && word.starts_with(char::is_alphabetic)
        {
            month = Some(at as Seconds + 1);
        } else if time.is_some() {
            // half of the day, and the zone; before the time stands the day of the week, in whatever language
            behind.push(' ');
            behind.push_str(word);
        }
    }
    at(year?, month?, day?, format!("{}{behind}", time?).as_bytes())
}

/// The Unix time of `01/31/2026` and `23:59:59`, UTC.
#[must_use]
pub fn american(date: &[u8], time: &[u8]) -> Option<Seconds> {
    let &[m1, m2, b'/', d1, d2, b'/', y1, y2, y3, y4] = date else { return None };
    at(digits(&[y1, y2, y3, y4])?, digits(&[m1, m2])?, digits(&[d1, d2])?, time)
}

/// The Unix time of a date and of what follows it: `23:59:59`, decimals, a zone.
fn at(year: Seconds, month: Seconds, day: Seconds, rest: &[u8]) -> Option<Seconds> {
    let (hour, rest) = rest.split_at(rest.iter().take(3).position(|&byte| byte == b':')?);
    let (&[b':', m1, m2], rest) = rest.split_first_chunk::<3>()? else { return None };
    let (second, rest) = match rest.split_first_chunk::<3>() {
        Some((&[b':', s1, s2], rest)) => (two(s1, s2)?, rest),
        _ => (0, rest),
    };
    let rest = match rest.strip_prefix(b".").or_else(|| rest.strip_prefix(b",")) {
        Some(decimals) => &decimals[decimals.iter().take_while(|byte| byte.is_ascii_digit()).count()..],
        None => rest,
    };
    let (hour, rest) = hour_of_day(digits(hour)?, rest)?;
    let whole = |value: Seconds| u32::try_from(value).ok();
    // a leap second counts as the second after it
    let leap = second / 60;
    if matches!((year, month, day), (1970, 1, 1) | (1969, 12, 31)) {
        return None;
    }
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, whole(month)?, whole(day)?)?;
    let time = date.and_hms_opt(whole(hour)?, whole(two(m1, m2)?)?, whole(second - leap)?)?;
    let shown = time.and_utc().timestamp() + leap;
    Some(shown - zone(rest, shown)?)
}

/// The hour of a day of 24 hours, and what follows `AM` or `PM`, where that is there.
fn hour_of_day(hour: Seconds, rest: &[u8]) -> Option<(Seconds, &[u8])> {
    if rest.is_empty() {
        return Some((hour, rest));
    }
    let behind = rest.trim_ascii_start();
    let half = behind.get(..2).filter(|_| behind.get(2).is_none_or(|byte| *byte == b' '));
    let begin = match half.map(<[u8]>::to_ascii_uppercase).as_deref() {
        Some(b"AM") => 0,
        Some(b"PM") => 12,
        _ => return Some((hour, rest)),
    };
    (1..=12).contains(&hour).then_some((hour % 12 + begin, &behind[2..]))
}

/// The offset from UTC of a clock that shows a time, seconds.
fn zone(text: &[u8], shown: Seconds) -> Option<Seconds> {
    // the place may stand behind the offset, or in its place: +01:00[Europe/Berlin]
    let text = match text.strip_suffix(b"]").map(|text| (text, text.iter().position(|&byte| byte == b'['))) {
        Some((text, Some(0))) => &text[1..],
        Some((text, Some(at))) => &text[..at],
        _ => text,
    };
    let text = text.trim_ascii();
    let offset = text.strip_prefix(b"GMT").or_else(|| text.strip_prefix(b"UTC")).filter(|rest| rest.len() > 4);
    match offset.unwrap_or(text) {
        b"" | b"Z" | b"z" | b"UTC" | b"GMT" => Some(0),
        &[sign @ (b'+' | b'-'), h1, h2, ref rest @ ..] => {
            let minutes = match rest.strip_prefix(b":").unwrap_or(rest) {
                b"" => 0,
                &[m1, m2] => digits(&[m1, m2])?,
                _ => return None,
            };
            let offset = digits(&[h1, h2])? * 3_600 + minutes * 60;
            Some(if sign == b'-' { -offset } else { offset })
        }
        name => {
            let known = ZONES.iter().find(|(zone, _)| zone.as_bytes() == name).map(|(_, hours)| hours * 3_600);
            known.or_else(|| offset_of_clock(std::str::from_utf8(name).ok()?, shown))
        }
    }
}

/// Names of zones that mean one thing, as mail has them (RFC 5322), and those of Europe and Japan; hours.
const ZONES: [(&str, Seconds); 14] = [
    ("EST", -5),
    ("EDT", -4),
    ("CST", -6),
    ("CDT", -5),
    ("MST", -7),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
    ("WET", 0),
    ("CET", 1),
    ("CEST", 2),
    ("EET", 2),
    ("EEST", 3),
    ("JST", 9),
];

/// The seconds of a duration: `[days-][[hours:]minutes:]seconds`, with `days-hours` and `days-hours:minutes` as Slurm
/// reads them, `days+hours:minutes:seconds` as HTCondor and `days:hours:minutes:seconds` as PBS and Moab write them; decimals
/// are cut off. So are `1 days 02:03:04.5`, as pandas writes them, and `1 day, 2:03:04`, as Python does. None for `UNLIMITED`,
/// `Partition_Limit` and anything else.
#[must_use]
pub fn duration(text: &[u8]) -> Option<Seconds> {
    if text.contains(&b' ') {
        return with_days(text);
    }
    let text = match text.iter().position(|&byte| byte == b'.') {
        Some(at) if text[at + 1..].iter().all(u8::is_ascii_digit) => &text[..at],
        _ => text,
    };
    let colons = text.iter().filter(|&&byte| byte == b':').count();
    let ends_days = |&byte: &u8| matches!(byte, b'-' | b'+') || (colons == 3 && byte == b':');
    let (days, rest) = match text.iter().position(ends_days) {
        Some(at) => (Some(digits(&text[..at])?), &text[at + 1..]),
        None => (None, text),
    };
    let mut parts = [0; 3];
    let mut found = 0;
    for part in rest.split(|&byte| byte == b':') {
        *parts.get_mut(found)? = digits(part)?;
        found += 1;
    }
    let [first, second, third] = parts;
    let seconds = match (days.is_some(), found) {
        (true, 1) => first * 3_600,
        (true, 2) | (false, 3) | (true, 3) => first * 3_600 + second * 60 + third,
        (false, 2) => first * 60 + second,
        _ => first,
    };
    // in whatever form it is written
    Some(days.unwrap_or(0) * 86_400 + seconds).filter(|&seconds| !is_nothing(seconds))
}

/// The seconds of a duration whose days are told in words.
fn with_days(text: &[u8]) -> Option<Seconds> {
    let (days, rest) = std::str::from_utf8(text).ok()?.split_once(" day")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest).trim_start_matches(',').trim();
    let time = if rest.is_empty() { 0 } else { duration(rest.as_bytes())? };
    Some(digits(days.as_bytes())? * 86_400 + time)
}

/// The number that two digits make.
fn two(tens: u8, ones: u8) -> Option<Seconds> {
    let are_digits = tens.is_ascii_digit() && ones.is_ascii_digit();
    are_digits.then(|| Seconds::from(tens - b'0') * 10 + Seconds::from(ones - b'0'))
}

/// The number that at most twelve digits make; none where there is any other byte, or the number stands for nothing.
#[must_use]
pub fn digits(text: &[u8]) -> Option<Seconds> {
    id_number(text).filter(|&number| !is_nothing(number))
}

/// As [`digits`], for a number that names something, which any number can do.
#[must_use]
pub fn id_number(text: &[u8]) -> Option<i64> {
    if text.is_empty() || text.len() > 12 {
        return None;
    }
    text.iter().try_fold(0, |value, &byte| byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_come_with_and_without_zone() {
        for (text, expected) in [
            ("1970-01-02T00:00:00", Some(86_400)),
            ("2021-12-10T14:23:28", Some(1_639_146_208)),
            ("2021-12-10 14:23:28.999", Some(1_639_146_208)),
            ("2021-12-10 14:23:28,999", Some(1_639_146_208)),
            ("2021-12-10T14:23", Some(1_639_146_180)),
            ("2021-12-10T14:23:28Z", Some(1_639_146_208)),
            ("2021-12-10T14:23:28+01:00", Some(1_639_142_608)),
            ("2021-12-10T14:23:28-0130", Some(1_639_151_608)),
            ("2016-12-31T23:59:60", Some(1_483_228_800)),
            ("1639146208", Some(1_639_146_208)),
            ("1639146208.75", Some(1_639_146_208)),
            ("2021-12-10 14:23:28 CET", Some(1_639_142_608)),
            ("2021-12-10 14:23:28 UTC", Some(1_639_146_208)),
            ("2021/12/10 14:23:28", Some(1_639_146_208)),
            ("10.12.2021 14:23:28", Some(1_639_146_208)),
            ("20211210T142328Z", Some(1_639_146_208)),
            ("Fri Dec 10 14:23:28 2021", Some(1_639_146_208)),
            ("Fri Dec 10 14:23:28 CET 2021", Some(1_639_142_608)),
            ("Fri, 10 Dec 2021 14:23:28 +0100", Some(1_639_142_608)),
            ("2021-12-10 02:23:28 PM", Some(1_639_146_208)),
            ("2021-12-10 12:23:28 am", Some(1_639_095_808)),
            ("2021-12-10 14:23:28 PM", None),
            ("2021-12-10 2:23:28 PM", Some(1_639_146_208)),
            ("10.12.2021 9:23", Some(1_639_128_180)),
            ("5.1.2021 9:23", Some(1_609_838_580)),
            ("2021-1-5 9:23:00", Some(1_609_838_580)),
            ("2021/1/05T09:23", Some(1_609_838_580)),
            ("1/5/2021 9:23", None),
            ("5-1-2021 9:23", None),
            ("2021-12-10 :23", None),
            ("Fri 10 Dec 2021 02:23:28 PM CET", Some(1_639_142_608)),
            ("Fr 10. Dez 14:23:28 CET 2021", Some(1_639_142_608)),
            ("ven. 10 déc. 2021 14:23:28", Some(1_639_146_208)),
            ("vie 10 dic 2021 14:23:28", Some(1_639_146_208)),
            ("mar. 5 janv. 2021 00:00:00", Some(1_609_804_800)),
            ("Fr 10 Dez 2021 14:23:28 Mittag", None),
            ("2021-12-10 14:23:28 LMT", None),
            ("2021-12-10T14:23:28+01:00[Europe/Berlin]", Some(1_639_142_608)),
            ("Fri Dec 10 2021 14:23:28 GMT+0100 (Central European Standard Time)", Some(1_639_142_608)),
            ("2021-12-10 14:23:28 Europe/Berlin", Some(1_639_142_608)),
            ("2021-12-10T14:23:28[Europe/Berlin]", Some(1_639_142_608)),
            ("2021-10-31 02:23:28 Europe/Berlin", None),
            ("2021-12-10 14:23:28 Europe/Atlantis", None),
            ("2021-12-10 14:23:28 GMT+1", None),
            ("Unknown", None),
            ("None", None),
            ("", None),
            ("2021-02-30T00:00:00", None),
            ("2021-12-10T25:00:00", None),
            ("2021-12-10T14:23:28 yesterday", None),
            ("2021-12-10", None),
            ("12-10-2021T00:00:00", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(moment(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(american(b"12/10/2021", b"14:23:28"), Some(1_639_146_208));
        assert_eq!(american(b"10-12-2021", b"14:23:28"), None);
    }

    #[test]
    fn numbers_that_stand_for_nothing_are_unknown_but_may_be_names() {
        for text in ["4294967294", "4294967295", "-1", "18446744073709551614", "9223372036854775807"] {
            assert_eq!(
                (digits(text.as_bytes()), moment(text.as_bytes()), duration(text.as_bytes())),
                (None, None, None)
            );
        }
        for text in ["1970-01-01T00:00:00", "1969-12-31T23:59:59", "1970-01-01T01:00:00"] {
            assert_eq!(moment(text.as_bytes()), None, "{text}");
        }
        assert_eq!(id_number(b"4294967294"), Some(4_294_967_294));
    }

    #[test]
    fn durations_come_in_slurm_s_forms() {
        for (text, expected) in [
            ("00:01:52", Some(112)),
            ("01:52", Some(112)),
            ("01:52.25", Some(112)),
            ("3-00:00:00", Some(259_200)),
            ("125-00:00:00", Some(10_800_000)),
            ("1-12", Some(129_600)),
            ("1-12:30", Some(131_400)),
            ("90", Some(90)),
            ("UNLIMITED", None),
            ("Partition_Limit", None),
            ("", None),
            ("1:02:03:04", Some(93_784)),
            ("1+02:03:04", Some(93_784)),
            ("1 days 02:00:00", Some(93_600)),
            ("0 days 01:00:00.500000", Some(3_600)),
            ("1 day, 0:00:05", Some(86_405)),
            ("3 days", Some(259_200)),
            ("1 2:3", None),
            ("1:2:3:4:5", None),
            ("1-2:3:4:5", None),
            ("-5", None),
        ] {
            assert_eq!(duration(text.as_bytes()), expected, "{text}");
        }
    }
}

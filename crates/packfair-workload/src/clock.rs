//! A log's seconds as dates and hours of the place where it was recorded.

use super::log::LATEST;
use super::{Header, Seconds};
use crate::Workload;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};
use packfair_base::place::{IanaZone, LONGEST_NAME};
use serde::{Deserialize, Serialize};

const DAY: i64 = 86_400;

/// The largest offset from UTC that a header may name: 14 h (Kiribati).
const FARTHEST: i64 = 14 * 3600;

/// The most moments at which a zone's offset is looked up. It bounds the time that a log of a thousand years costs.
const LOOKUPS: i64 = 100_000;

/// The clock of a log: its zero, and the offsets from UTC that were in force, daylight saving included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// What the hours are based on.
    pub zone: Zone,
    /// Unix time of the log's zero.
    pub unix_start: Option<i64>,
    /// The offsets in force, each until the next one begins. The first also holds before its own beginning.
    shifts: Vec<Shift>,
}

/// What the hours of a log are based on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Zone {
    /// The zone that the header names (`TimeZoneString`).
    Named(String),
    /// The header's fixed offset from UTC in seconds (`TimeZone`), without daylight saving.
    Fixed(i32),
    /// The header names no zone that is known: Coordinated Universal Time.
    Utc,
    /// The header has no `UnixStartTime`: hours count from the log's own zero.
    Unknown,
}

/// An offset from UTC, and the time since when it is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Shift {
    from: Seconds,
    offset: i32,
}

impl Zone {
    /// The basis in words, to follow hours and dates.
    pub fn describe(&self) -> String {
        match self {
            Zone::Named(name) => format!("{name} time"),
            Zone::Fixed(offset) => {
                let (sign, size) = (if *offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
                format!("UTC{sign}{:02}:{:02} (no daylight saving known)", size / 3600, size % 3600 / 60)
            }
            Zone::Utc => "UTC (the header names no time zone that is known)".to_owned(),
            Zone::Unknown => "counted from the log's own zero (the header has no UnixStartTime)".to_owned(),
        }
    }
}

impl Clock {
    pub fn of(header: &Header, first: Seconds, last: Seconds) -> Self {
        let Some(start) = header.unix_start() else {
            return Clock { zone: Zone::Unknown, unix_start: None, shifts: Vec::new() };
        };
        let (zone, shifts) = if let Some((name, place)) = named(header) {
            let offset = |time: Seconds| place.offset(start + time);
            (Zone::Named(name.to_owned()), shifts(offset, first, last))
        } else if let Some(offset) = fixed(header) {
            (Zone::Fixed(offset), vec![Shift { from: first, offset }])
        } else {
            (Zone::Utc, Vec::new())
        };
        Clock { zone, unix_start: Some(start), shifts }
    }

    /// Whether a header can make this clock. A clock from another source, such as a saved file, is checked with this.
    pub fn is_sound(&self) -> bool {
        let dates = self.unix_start.is_none_or(|start| (1..=LATEST).contains(&start));
        let zone = match &self.zone {
            Zone::Named(name) => self.unix_start.is_some() && name.len() <= LONGEST_NAME,
            Zone::Fixed(offset) => self.unix_start.is_some() && i64::from(*offset).abs() <= FARTHEST,
            Zone::Utc => self.unix_start.is_some() && self.shifts.is_empty(),
            Zone::Unknown => self.unix_start.is_none() && self.shifts.is_empty(),
        };
        let is_near = |shift: &Shift| i64::from(shift.offset).abs() <= DAY && shift.from.abs() <= LATEST;
        dates && zone && self.shifts.iter().all(is_near) && self.shifts.is_sorted_by_key(|shift| shift.from)
    }

    /// Seconds since the midnight, on the clock of the place, with which 1970 began; since the log's
    /// zero where its date is unknown.
    pub fn local(&self, time: Seconds) -> Seconds {
        let after = self.shifts.partition_point(|shift| shift.from <= time);
        let shift = self.shifts.get(after.saturating_sub(1));
        self.unix_start.unwrap_or(0) + time + shift.map_or(0, |shift| i64::from(shift.offset))
    }

    /// The time at which [`Clock::local`] shows `local`.
    pub fn at_local(&self, local: Seconds) -> Seconds {
        time_of(self, local)
    }

    /// Hour of the day, 0 to 23.
    pub fn hour(&self, time: Seconds) -> usize {
        (self.local(time).rem_euclid(DAY) / 3600) as usize
    }

    /// Day of the week, Monday 0 to Sunday 6; `None` where the date is unknown.
    pub fn weekday(&self, time: Seconds) -> Option<usize> {
        self.unix_start?;
        // 1970 began with a Thursday
        Some((self.local(time).div_euclid(DAY) + 3).rem_euclid(7) as usize)
    }

    /// "1996-09-23 14:00:31" on the clock of the place; `None` where the date is unknown.
    pub fn date(&self, time: Seconds) -> Option<String> {
        self.unix_start?;
        let local = DateTime::from_timestamp(self.local(time), 0)?;
        Some(local.naive_utc().to_string())
    }
}

/// The zone that a header names; archives write ":US/Pacific" as well.
fn named(header: &Header) -> Option<(&str, IanaZone)> {
    let name = header.get("TimeZoneString")?.trim_start_matches(':').split_whitespace().next()?;
    Some((name, IanaZone::named(name)?))
}

fn fixed(header: &Header) -> Option<i32> {
    let offset: i64 = header.get("TimeZone")?.split_whitespace().next()?.parse().ok()?;
    (-FARTHEST..=FARTHEST).contains(&offset).then_some(offset as i32)
}

fn shifts(offset: impl Fn(Seconds) -> i32, first: Seconds, last: Seconds) -> Vec<Shift> {
    let mut shifts = vec![Shift { from: first, offset: offset(first) }];
    // no zone changes its offset twice within a day
    let step = DAY.max((last - first) / LOOKUPS);
    let mut before = first;
    let mut current = shifts[0].offset;
    while before < last {
        let after = (before + step).min(last);
        let next = offset(after);
        if next != current {
            let (mut old, mut new) = (before, after);
            while new - old > 1 {
                let middle = old + (new - old) / 2;
                if offset(middle) == current {
                    old = middle;
                } else {
                    new = middle;
                }
            }
            shifts.push(Shift { from: new, offset: next });
            current = next;
        }
        before = after;
    }
    shifts
}

// The clock of a workload.

impl Clock {
    /// The clock of a workload, for the times of its submissions.
    pub fn of_workload(workload: &Workload) -> Self {
        let submits = || workload.requests().iter().map(|request| request.submit);
        Clock::of(&workload.header, submits().next().unwrap_or(0), submits().next_back().unwrap_or(0))
    }
}

// Times of a log as users read and write them: seconds of the log's clock, or dates.

/// Reads whole seconds of the log's clock, or a date on the clock of the place where the log has dates.
///
/// # Errors
/// If the text is neither: what can be read, in words.
pub fn read_moment(clock: Option<&Clock>, text: &str) -> Result<Seconds, String> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Ok(seconds);
    }
    let Some(dated) = clock.filter(|clock| clock.unix_start.is_some()) else {
        return Err("whole seconds from the log's beginning (its header has no start date)".to_owned());
    };
    date(text)
        .map(|date| time_of(dated, date.and_utc().timestamp()))
        .ok_or_else(|| "a date as 2026-01-31 or 2026-01-31 14:30, or seconds from the log's beginning".to_owned())
}

/// Reads 2026-01-31, 2026-01-31 14:30 or 2026-01-31T14:30:59.
fn date(text: &str) -> Option<NaiveDateTime> {
    let (day, time) = text.split_once([' ', 'T']).map_or((text, None), |(day, time)| (day, Some(time)));
    let mut parts = day.splitn(3, '-');
    let (year, month) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let day = NaiveDate::from_ymd_opt(year, month, parts.next()?.parse().ok()?)?;
    let Some(time) = time else { return Some(day.and_time(NaiveTime::MIN)) };
    let mut parts = time.trim_start().splitn(3, ':');
    let (hour, minute) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let second = parts.next().map_or(Some(0), |second| second.parse().ok())?;
    day.and_hms_opt(hour, minute, second)
}

/// Seconds from the midnight with which 1970 began to a date, both on one clock.
pub fn local_date(text: &str) -> Option<Seconds> {
    date(text.trim()).map(|date| date.and_utc().timestamp())
}

/// Writes a time in the form that [`read_moment`] reads: a date where the log has dates, without the time of day at
/// midnight.
pub fn write_moment(clock: Option<&Clock>, time: Seconds) -> String {
    match clock.and_then(|clock| clock.date(time)) {
        None => time.to_string(),
        Some(date) => date.strip_suffix(" 00:00:00").map(str::to_owned).unwrap_or(date),
    }
}

pub(super) fn time_of(clock: &Clock, local: Seconds) -> Seconds {
    // the offset at a first guess, then the offset at the result: they differ only near a change of daylight saving
    let guess = local - clock.local(0);
    let better = guess + local - clock.local(guess);
    better + local - clock.local(better)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(labels: &[(&str, &str)]) -> Header {
        let labels = labels.iter().map(|&(label, value)| (label.to_owned(), value.to_owned()));
        Header { labels: labels.collect() }
    }

    /// The clock of KTH-SP2, whose header also gives these moments in local time.
    fn stockholm() -> Clock {
        let labels = [("UnixStartTime", "843480031"), ("TimeZone", "3600"), ("TimeZoneString", "Europe/Stockholm")];
        Clock::of(&header(&labels), 0, 29_363_670)
    }

    #[test]
    fn follows_daylight_saving() {
        let clock = stockholm();
        assert_eq!(clock.zone, Zone::Named("Europe/Stockholm".to_owned()));
        assert_eq!(clock.date(0).as_deref(), Some("1996-09-23 14:00:31"));
        assert_eq!(clock.date(29_364_870).as_deref(), Some("1997-08-29 10:55:01"));
        // the clocks went back on 27 October 1996 at 1:00 UTC, and forward on 30 March 1997 at 1:00 UTC
        let shift = 846_378_000 - 843_480_031;
        assert_eq!(clock.date(shift - 1).as_deref(), Some("1996-10-27 02:59:59"));
        assert_eq!(clock.date(shift).as_deref(), Some("1996-10-27 02:00:00"));
        let shift = 859_683_600 - 843_480_031;
        assert_eq!(clock.date(shift - 1).as_deref(), Some("1997-03-30 01:59:59"));
        assert_eq!(clock.date(shift).as_deref(), Some("1997-03-30 03:00:00"));
    }

    #[test]
    fn tells_hours_and_weekdays() {
        let clock = stockholm();
        assert_eq!((clock.hour(0), clock.weekday(0)), (14, Some(0)));
        assert_eq!((clock.hour(10 * 3600), clock.weekday(10 * 3600)), (0, Some(1)));
    }

    #[test]
    fn falls_back_to_offset_utc_and_zero() {
        let clock = |labels: &[(&str, &str)]| Clock::of(&header(labels), 0, 1_000_000);
        let start = ("UnixStartTime", "978307200");
        let pacific = clock(&[start, ("TimeZoneString", ":US/Pacific")]);
        assert_eq!(pacific.date(0).as_deref(), Some("2000-12-31 16:00:00"));
        let offset = clock(&[start, ("TimeZoneString", "Nowhere"), ("TimeZone", "-27000")]);
        assert_eq!(offset.zone, Zone::Fixed(-27_000));
        assert_eq!(offset.zone.describe(), "UTC-07:30 (no daylight saving known)");
        assert_eq!(offset.date(0).as_deref(), Some("2000-12-31 16:30:00"));
        let utc = clock(&[start, ("TimeZone", "1000000")]);
        assert_eq!((utc.zone.clone(), utc.date(0).as_deref()), (Zone::Utc, Some("2001-01-01 00:00:00")));
        assert_eq!(utc.weekday(0), Some(0));
        let unknown = clock(&[("TimeZoneString", "Europe/Stockholm")]);
        assert_eq!((unknown.zone.clone(), unknown.date(0), unknown.weekday(0)), (Zone::Unknown, None, None));
        assert_eq!(unknown.hour(90_000), 1);
    }

    #[test]
    fn what_no_header_makes_is_not_sound() {
        assert!(stockholm().is_sound());
        assert!(Clock::of(&header(&[]), 0, 1).is_sound());
        assert!(Clock::of(&header(&[("UnixStartTime", "1"), ("TimeZone", "3600")]), 0, 1).is_sound());
        let changed = |change: fn(&mut Clock)| {
            let mut clock = stockholm();
            change(&mut clock);
            clock.is_sound()
        };
        assert!(!changed(|clock| clock.unix_start = Some(i64::MAX)));
        assert!(!changed(|clock| clock.unix_start = None));
        assert!(!changed(|clock| clock.zone = Zone::Named("x".repeat(1_000))));
        assert!(!changed(|clock| clock.shifts[0].offset = i32::MAX));
        assert!(!changed(|clock| clock.shifts[0].from = i64::MIN + 1));
        assert!(!changed(|clock| clock.shifts.reverse()));
    }

    #[test]
    fn takes_absurd_spans() {
        let labels = header(&[("UnixStartTime", "978307200"), ("TimeZoneString", "Europe/Stockholm")]);
        let clock = Clock::of(&labels, 0, 100_000_000_000);
        assert!(clock.date(100_000_000_000).is_some());
        let labels = header(&[("UnixStartTime", "9223372036854775807")]);
        assert_eq!(Clock::of(&labels, 0, 1).zone, Zone::Unknown);
    }
}

#[cfg(test)]
mod moment_tests {
    use super::*;
    use crate::Header;

    /// Begins 2000-01-01 00:00 UTC, which is 16:00 of the day before in California.
    fn dated() -> Clock {
        let labels = [("UnixStartTime", "946684800"), ("TimeZoneString", "US/Pacific")];
        let labels = labels.map(|(label, value)| (label.to_owned(), value.to_owned())).to_vec();
        Clock::of(&Header { labels }, 0, 400 * 86_400)
    }

    #[test]
    fn dates_and_seconds_are_read() {
        let clock = dated();
        let read = |text| read_moment(Some(&clock), text);
        assert_eq!(read("2000-01-02"), Ok(32 * 3600));
        assert_eq!(read(" 1999-12-31 17:30 "), Ok(5_400));
        assert_eq!(read("1999-12-31T16:00:05"), Ok(5));
        // daylight saving: seven hours from UTC
        assert_eq!(read("2000-07-01 00:00"), Ok(182 * 86_400 + 7 * 3600));
        assert_eq!(read("3600"), Ok(3_600));
        assert!(read("2000-13-01").unwrap_err().contains("2026-01-31"));
        assert!(read_moment(None, "2000-01-02").unwrap_err().contains("no start date"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let clock = dated();
        for time in [0, 5, 86_400, 32 * 3600, 200 * 86_400] {
            assert_eq!(read_moment(Some(&clock), &write_moment(Some(&clock), time)), Ok(time));
        }
        assert_eq!(write_moment(Some(&clock), 32 * 3600), "2000-01-02");
        assert_eq!(write_moment(None, 5), "5");
    }
}

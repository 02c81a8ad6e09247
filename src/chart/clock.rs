//! A log's clock: from its seconds to dates.

use crate::workload::Header;
use chrono::{DateTime, Datelike, FixedOffset, NaiveDateTime, TimeZone, Utc};
use chrono_tz::Tz;

/// What the seconds of a log mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Clock {
    /// Time since the log's own zero: the log does not say when that was.
    Elapsed,
    /// Dates in a zone.
    Dates {
        /// Unix seconds of the log's zero.
        start: i64,
        /// The zone in which dates are told.
        zone: Zone,
    },
}

/// A time zone: one with a history, or a fixed distance from UTC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Zone {
    /// With daylight saving where it has it.
    Named(Tz),
    /// Always the same distance from UTC.
    Fixed(FixedOffset),
}

impl Clock {
    /// The clock of a log: `UnixStartTime` and `TimeZoneString`, else `TimeZone` (seconds east of UTC),
    /// else UTC.
    pub fn of(header: &Header) -> Self {
        let Some(start) = header.unix_start() else { return Clock::Elapsed };
        let named = header.get("TimeZoneString").and_then(|z| z.trim().parse().ok()).map(Zone::Named);
        let seconds = header.get("TimeZone").and_then(|z| z.split_whitespace().next()?.parse().ok());
        let fixed = seconds.and_then(FixedOffset::east_opt).map(Zone::Fixed);
        Clock::Dates { start, zone: named.or(fixed).unwrap_or(Zone::Named(Tz::UTC)) }
    }

    /// The zone's name, empty where there is none.
    pub fn zone_name(&self) -> String {
        match self {
            Clock::Elapsed => String::new(),
            Clock::Dates { zone: Zone::Named(zone), .. } => zone.name().to_owned(),
            Clock::Dates { zone: Zone::Fixed(offset), .. } => format!("UTC{offset}"),
        }
    }

    /// The date and time on a wall at `seconds` of the log, where the log has dates and calendars reach so far.
    pub fn wall(&self, seconds: f64) -> Option<NaiveDateTime> {
        let Clock::Dates { start, zone } = self else { return None };
        let unix = *start as f64 + seconds.round();
        // years beyond these have no four digits, and no log
        let date = DateTime::<Utc>::from_timestamp(unix as i64, 0).filter(|d| (1..=9999).contains(&d.year()))?;
        Some(match zone {
            Zone::Named(zone) => date.with_timezone(zone).naive_local(),
            Zone::Fixed(offset) => date.with_timezone(offset).naive_local(),
        })
    }

    /// The seconds of the log at which a wall shows this date and time; the first where there are two,
    /// none where the wall skips it.
    pub fn seconds(&self, wall: NaiveDateTime) -> Option<f64> {
        let Clock::Dates { start, zone } = self else { return None };
        let unix = match zone {
            Zone::Named(zone) => zone.from_local_datetime(&wall).earliest()?.timestamp(),
            Zone::Fixed(offset) => offset.from_local_datetime(&wall).earliest()?.timestamp(),
        };
        Some(unix as f64 - *start as f64)
    }

    /// A point of time in full.
    pub fn say(&self, seconds: f64) -> String {
        match self.wall(seconds) {
            Some(wall) => wall.format("%-d %b %Y, %H:%M:%S").to_string(),
            None => elapsed(seconds),
        }
    }
}

/// Days, hours, minutes and seconds since the log's zero.
fn elapsed(seconds: f64) -> String {
    let sign = if seconds < 0.0 { "−" } else { "" };
    let s = seconds.abs().round();
    let (days, rest) = ((s / 86_400.0).floor(), s % 86_400.0);
    let clock = format!("{:02}:{:02}:{:02}", (rest / 3600.0).floor(), (rest / 60.0).floor() % 60.0, rest % 60.0);
    if days > 0.0 { format!("{sign}{days} d {clock}") } else { format!("{sign}{clock}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(labels: &[(&str, &str)]) -> Header {
        Header { labels: labels.iter().map(|(l, v)| ((*l).to_owned(), (*v).to_owned())).collect() }
    }

    #[test]
    fn a_log_with_a_zone_tells_dates_in_it() {
        let clock = Clock::of(&header(&[("UnixStartTime", "843471188"), ("TimeZoneString", "Europe/Stockholm")]));
        assert_eq!(clock.say(0.0), "23 Sep 1996, 11:33:08");
        // daylight saving ended on 27 October
        assert_eq!(clock.say(40.0 * 86_400.0), "2 Nov 1996, 10:33:08");
        let wall = clock.wall(1000.0).unwrap();
        assert_eq!(clock.seconds(wall), Some(1000.0));
    }

    #[test]
    fn a_log_without_dates_tells_the_time_since_its_zero() {
        assert_eq!(Clock::of(&header(&[])).say(90_061.0), "1 d 01:01:01");
        assert_eq!(Clock::Elapsed.say(-61.0), "−00:01:01");
        assert_eq!(Clock::of(&header(&[("UnixStartTime", "1"), ("TimeZone", "3600")])).zone_name(), "UTC+01:00");
    }

    #[test]
    fn absurd_times_are_told_as_spans() {
        let clock = Clock::of(&header(&[("UnixStartTime", "843471188")]));
        assert!(clock.wall(1e18).is_none() && clock.wall(f64::INFINITY).is_none());
        assert!(clock.say(1e18).contains(" d "));
    }
}

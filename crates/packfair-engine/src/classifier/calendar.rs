//! What the calendar says of a submission.

use chrono::{DateTime, Datelike, NaiveDate};
use packfair_workload::{Header, Seconds};

const DAY: Seconds = 86_400;

/// What the calendar says of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day {
    /// Day of the week, Monday 0.
    pub weekday: u8,
    /// Day of the month, from 1.
    pub day: u8,
    /// Month, from 1.
    pub month: u8,
    /// Week of the year by ISO 8601, from 1.
    pub week: u8,
    /// Quarter of the year, from 1.
    pub quarter: u8,
}

/// The calendar of the place where a log was recorded: `UnixStartTime` and `TimeZone` of its header, each 0 where it
/// is missing, without daylight saving.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calendar {
    offset: Seconds,
    /// The day looked up last, and what it was.
    last: (Seconds, Day),
}

impl Calendar {
    pub(super) fn of(header: &Header) -> Self {
        let zone: Option<Seconds> =
            header.get("TimeZone").and_then(|value| value.split_whitespace().next()?.parse().ok());
        // no place on earth is farther from UTC than 14 h
        let zone = zone.filter(|zone| (-14 * 3600..=14 * 3600).contains(zone));
        let offset = header.unix_start().unwrap_or(0) + zone.unwrap_or(0);
        Calendar { offset, last: (0, day(0)) }
    }

    /// Hour of a time, 0 to 23, and its day.
    pub(super) fn look_up(&mut self, time: Seconds) -> (u8, Day) {
        let local = self.offset + time;
        let number = local.div_euclid(DAY);
        if number != self.last.0 {
            self.last = (number, day(number));
        }
        ((local.rem_euclid(DAY) / 3600) as u8, self.last.1)
    }
}

/// A day by its number, from 1970-01-01.
fn day(number: Seconds) -> Day {
    let date: NaiveDate = DateTime::from_timestamp(number * DAY, 0).map(|time| time.date_naive()).unwrap_or_default();
    Day {
        weekday: date.weekday().num_days_from_monday() as u8,
        day: date.day() as u8,
        month: date.month() as u8,
        week: date.iso_week().week() as u8,
        quarter: (date.month0() / 3 + 1) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(labels: &[(&str, &str)]) -> Header {
        Header { labels: labels.iter().map(|&(label, value)| (label.to_owned(), value.to_owned())).collect() }
    }

    #[test]
    fn the_first_job_of_a_log_of_1996() {
        // Monday, 23 September 1996, 12:00:31 UTC
        let mut calendar = Calendar::of(&header(&[("UnixStartTime", "843480031"), ("TimeZone", "3600")]));
        let (hour, day) = calendar.look_up(0);
        assert_eq!((hour, day), (13, Day { weekday: 0, day: 23, month: 9, week: 39, quarter: 3 }));
        let (hour, day) = calendar.look_up(11 * 3600);
        assert_eq!((hour, day), (0, Day { weekday: 1, day: 24, month: 9, week: 39, quarter: 3 }));
    }

    #[test]
    fn a_log_without_a_beginning_begins_with_1970() {
        let mut calendar = Calendar::of(&header(&[]));
        assert_eq!(calendar.look_up(3_600), (1, Day { weekday: 3, day: 1, month: 1, week: 1, quarter: 1 }));
        // the last days of 1970 are of the 53rd week
        assert_eq!(calendar.look_up(364 * DAY).1.week, 53);
        assert_eq!(calendar.look_up(-1), (23, Day { weekday: 2, day: 31, month: 12, week: 1, quarter: 4 }));
    }

    #[test]
    fn absurd_zones_and_times_do_not_matter() {
        let mut calendar = Calendar::of(&header(&[("TimeZone", "999999999999")]));
        assert_eq!(calendar.look_up(0).0, 0);
        calendar.look_up(100_000_000_000);
    }
}

//! Features of jobs (CLASSIFY Table 4).

use super::options::{By, ClassifierOptions};
use super::table::Category;
use chrono::{DateTime, Datelike, NaiveDate};
use packfair_workload::{Header, Seconds, Workload};
use std::fmt;

/// Something known of a job when it is submitted, as a number; -1 if it is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Feature {
    /// Requested time L, seconds.
    Limit,
    /// Processors q.
    Width,
    /// Hour of its submission, 0 to 23.
    Hour,
    /// Day of the week, Monday 0.
    Weekday,
    /// Day of the month.
    Day,
    /// Month.
    Month,
    /// Week of the year by ISO 8601.
    Week,
    /// Quarter of the year.
    Quarter,
    /// Class of the latest (0), second (1) or third latest (2) known job of its category: small 1, large 0.
    Class(Category, u8),
    /// Share of small ones among all known jobs of its category.
    Share(Category),
}

/// The features of CLASSIFY Table 4, in its order.
pub const TABLE_4: [Feature; 20] = {
    use Category::{UserLimit, UserWeekday, UserWidth};
    use Feature::{Class, Day, Hour, Limit, Month, Quarter, Share, Week, Weekday, Width};
    [
        Limit,
        Width,
        Hour,
        Weekday,
        Day,
        Month,
        Week,
        Quarter,
        Class(UserLimit, 0),
        Class(UserLimit, 1),
        Class(UserLimit, 2),
        Share(UserLimit),
        Class(UserWidth, 0),
        Class(UserWidth, 1),
        Class(UserWidth, 2),
        Share(UserWidth),
        Class(UserWeekday, 0),
        Class(UserWeekday, 1),
        Class(UserWeekday, 2),
        Share(UserWeekday),
    ]
};

/// The features of a classifier.
pub(super) fn of(options: &ClassifierOptions) -> Vec<Feature> {
    let known: &[Feature] = if options.by == By::Forest { &TABLE_4 } else { &[] };
    (0..).zip(known).filter(|&(place, _)| options.features.takes(place)).map(|(_, &feature)| feature).collect()
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ordinal = |place: u8| ["latest", "second latest", "third latest"][usize::from(place.min(2))];
        match *self {
            Feature::Limit => f.write_str("requested time L"),
            Feature::Width => f.write_str("processors q"),
            Feature::Hour => f.write_str("hour"),
            Feature::Weekday => f.write_str("day of the week"),
            Feature::Day => f.write_str("day of the month"),
            Feature::Month => f.write_str("month"),
            Feature::Week => f.write_str("week of the year"),
            Feature::Quarter => f.write_str("quarter"),
            Feature::Class(category, place) => write!(f, "{} of ({})", ordinal(place), category.symbols()),
            Feature::Share(category) => write!(f, "share in ({})", category.symbols()),
        }
    }
}

// The ids and names of the features.

/// The features, any of which may be left out, in the order of [`TABLE_4`](super::feature::TABLE_4).
pub(super) const FEATURES: &[(&str, &str)] = &[
    ("limit", "requested time L"),
    ("width", "processors q"),
    ("hour", "hour"),
    ("weekday", "day of the week"),
    ("day", "day of the month"),
    ("month", "month"),
    ("week", "week of the year"),
    ("quarter", "quarter"),
    ("ul1", "latest of (u, L)"),
    ("ul2", "second latest of (u, L)"),
    ("ul3", "third latest of (u, L)"),
    ("ul", "share in (u, L)"),
    ("uq1", "latest of (u, q)"),
    ("uq2", "second latest of (u, q)"),
    ("uq3", "third latest of (u, q)"),
    ("uq", "share in (u, q)"),
    ("ud1", "latest of (u, d)"),
    ("ud2", "second latest of (u, d)"),
    ("ud3", "third latest of (u, d)"),
    ("ud", "share in (u, d)"),
];

// What the calendar says of a submission.

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

// The weeks in which a classifier is trained, or other periods.

/// A week, in seconds.
pub const WEEK: Seconds = 7 * 86_400;

/// A day, in seconds.
const WEEK_DAY: Seconds = 86_400;

/// The weeks of a workload, counted from its first submission (CLASSIFY §4.2), or periods of another length that take
/// their place. Week 0 is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weeks {
    first: Seconds,
    length: Seconds,
}

impl Weeks {
    /// The weeks of a workload.
    pub fn of(workload: &Workload) -> Self {
        Weeks { first: workload.requests().first().map_or(0, |request| request.submit), length: WEEK }
    }

    /// Periods of `days` days in place of weeks.
    pub fn of_days(workload: &Workload, days: u32) -> Self {
        Weeks { length: Seconds::from(days.max(1)) * WEEK_DAY, ..Weeks::of(workload) }
    }

    /// The week of a point in time.
    pub fn week(&self, time: Seconds) -> usize {
        ((time - self.first) / self.length).max(0) as usize
    }

    /// When a week begins.
    pub fn begin(&self, week: usize) -> Seconds {
        self.first + week as Seconds * self.length
    }
}

#[cfg(test)]
mod tests {
    use super::super::feature::FEATURES;
    use super::*;
    use packfair_base::catalogue::Selection;

    #[test]
    fn every_feature_may_be_left_out_by_its_name() {
        let of = |by, features| of(&ClassifierOptions { by, features, ..ClassifierOptions::default() });
        let all = Selection::all(FEATURES);
        assert_eq!(of(By::Forest, all), TABLE_4);
        for (place, (_, name)) in FEATURES.iter().enumerate() {
            let left = of(By::Forest, all.with(place, false));
            let left_out: Vec<String> =
                TABLE_4.iter().filter(|feature| !left.contains(feature)).map(ToString::to_string).collect();
            assert_eq!(left_out, [*name]);
        }
        assert!(of(By::Request, all).is_empty());
    }
}

#[cfg(test)]
mod calendar_tests {
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

#[cfg(test)]
mod week_tests {
    use super::super::testing::workload;
    use super::*;

    #[test]
    fn periods_are_counted_from_the_first_submission() {
        let workload = workload(&[(100, 1)]);
        let (weeks, days) = (Weeks::of(&workload), Weeks::of_days(&workload, 2));
        assert_eq!(weeks, Weeks::of_days(&workload, 7));
        assert_eq!((weeks.week(100 + WEEK - 1), weeks.week(100 + WEEK), weeks.begin(1)), (0, 1, 100 + WEEK));
        assert_eq!(
            (days.week(100 + 2 * WEEK_DAY - 1), days.week(100 + 2 * WEEK_DAY), days.begin(3)),
            (0, 1, 100 + 6 * WEEK_DAY)
        );
    }
}

//! Times of a log as users read and write them: seconds of the log's clock, or dates.

use super::{Clock, Seconds};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

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

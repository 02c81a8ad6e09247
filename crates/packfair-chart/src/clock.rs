//! The seconds of a log as local dates and times.

use chrono::{DateTime, Datelike, NaiveDateTime};
use packfair_engine::power::PowerSeries;
use packfair_workload::{Clock as LogClock, Header, Seconds, Zone};
use std::sync::Arc;

/// What the seconds of a time axis mean: local dates and times of a log, or the time since its zero.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisClock(Option<Arc<LogClock>>);

impl AxisClock {
    /// The time since a log's own zero, used if nothing else is known.
    pub const ELAPSED: AxisClock = AxisClock(None);

    pub fn of(clock: &LogClock) -> Self {
        AxisClock(clock.unix_start.map(|_| Arc::new(clock.clone())))
    }

    /// What the hours are based on, in words; empty if only the time since the log's zero is shown.
    pub fn zone_name(&self) -> String {
        match self.0.as_ref().map(|clock| &clock.zone) {
            None | Some(Zone::Unknown) => String::new(),
            Some(Zone::Named(name)) => name.clone(),
            Some(zone @ Zone::Fixed(_)) => zone.describe(),
            Some(Zone::Utc) => "UTC".to_owned(),
        }
    }

    /// The title of a time axis with this clock.
    pub fn title(&self) -> &'static str {
        if self.0.is_some() { "time" } else { "time since the log's start" }
    }

    /// The local date and time at `seconds` of the log; `None` if the log has no dates or they do not reach so far.
    pub fn wall(&self, seconds: f64) -> Option<NaiveDateTime> {
        let clock = self.0.as_ref()?;
        // a limit of a hundred million years: there are no dates beyond it, and sums would overflow
        let whole = seconds.round();
        let local = (whole.abs() < 3e15).then(|| clock.local(whole as i64))?;
        // dates outside these years do not have four digits, and do not occur in logs
        Some(DateTime::from_timestamp(local, 0)?.naive_utc()).filter(|wall| (1..=9999).contains(&wall.year()))
    }

    /// The seconds of the log at this local date and time; `None` if a change of the clocks skips it.
    pub fn seconds(&self, wall: NaiveDateTime) -> Option<f64> {
        let clock = self.0.as_ref()?;
        let target = wall.and_utc().timestamp();
        let mut time = target - clock.unix_start?;
        // the offset depends on the result: the first pass comes close, the second is exact
        for _ in 0..2 {
            time -= clock.local(time) - target;
        }
        (clock.local(time) == target).then_some(time as f64)
    }

    /// The times of a series in seconds of the log, and what holds from then on; `None` where the series has dates and
    /// the log has none.
    pub fn steps(&self, series: &PowerSeries) -> Option<Vec<(Seconds, f64)>> {
        match &self.0 {
            Some(clock) => series.on(clock),
            None => series.on(&LogClock::of(&Header::default(), 0, 0)),
        }
    }

    /// A point in time in full.
    pub fn say(&self, seconds: f64) -> String {
        match self.wall(seconds) {
            Some(wall) => format!("{}, {}", day(wall), wall.time()),
            None => elapsed(seconds),
        }
    }
}

/// A date, such as "23 Sep 1996".
pub(super) fn day(wall: NaiveDateTime) -> String {
    format!("{} {} {}", wall.day(), month(wall), wall.year())
}

/// The month of a date, such as "Sep".
pub(super) fn month(wall: NaiveDateTime) -> &'static str {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    MONTHS[wall.month0() as usize]
}

/// The days, hours, minutes and seconds since the log's zero.
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
    use packfair_workload::Header;

    fn clock(labels: &[(&str, &str)]) -> AxisClock {
        let header = Header { labels: labels.iter().map(|(l, v)| ((*l).to_owned(), (*v).to_owned())).collect() };
        AxisClock::of(&LogClock::of(&header, 0, 30_000_000))
    }

    #[test]
    fn a_log_with_a_zone_tells_dates_in_it() {
        let clock = clock(&[("UnixStartTime", "843471188"), ("TimeZoneString", "Europe/Stockholm")]);
        assert_eq!(clock.say(0.0), "23 Sep 1996, 11:33:08");
        // daylight saving ended on 27 October
        assert_eq!(clock.say(40.0 * 86_400.0), "2 Nov 1996, 10:33:08");
        for seconds in [0.0, 1000.0, 20e6] {
            assert_eq!(clock.seconds(clock.wall(seconds).unwrap()), Some(seconds));
        }
        // in the spring of 1997, local time skipped from 2 to 3 o'clock
        let skipped = chrono::NaiveDate::from_ymd_opt(1997, 3, 30).unwrap().and_hms_opt(2, 30, 0).unwrap();
        assert_eq!(clock.seconds(skipped), None);
    }

    #[test]
    fn a_log_without_dates_tells_the_time_since_its_zero() {
        assert_eq!(clock(&[]), AxisClock::ELAPSED);
        assert_eq!(AxisClock::ELAPSED.say(90_061.0), "1 d 01:01:01");
        assert_eq!(AxisClock::ELAPSED.say(-61.0), "−00:01:01");
        assert_eq!(clock(&[("UnixStartTime", "1")]).zone_name(), "UTC");
    }

    #[test]
    fn absurd_times_are_told_as_spans() {
        let clock = clock(&[("UnixStartTime", "843471188")]);
        assert!(clock.wall(1e18).is_none() && clock.wall(f64::INFINITY).is_none());
        assert!(clock.say(1e18).contains(" d "));
    }
}

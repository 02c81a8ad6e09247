//! Ticks of time axes: local dates and times, or days and hours since a log's zero.

use super::axis_ticks::{Tick, Ticks, multiples, nice_step};
use super::{Span, number};
use chrono::{DateTime, Datelike, Duration, Months, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use packfair_engine::power::PowerSeries;
use packfair_workload::{Clock as LogClock, Header, Seconds, Zone};
use std::sync::Arc;

const DAY: f64 = 86_400.0;

/// The steps below a month that divide the next larger unit, seconds.
const STEPS: [f64; 20] = [
    1.0,
    2.0,
    5.0,
    10.0,
    15.0,
    30.0,
    60.0,
    120.0,
    300.0,
    600.0,
    900.0,
    1800.0,
    3600.0,
    7200.0,
    10_800.0,
    21_600.0,
    43_200.0,
    DAY,
    2.0 * DAY,
    7.0 * DAY,
];

/// The steps in months: month, quarter, half-year, years.
const MONTH_STEPS: [u32; 9] = [1, 2, 3, 6, 12, 24, 60, 120, 1200];

/// The approximate length of a month, seconds.
const MONTH: f64 = 30.44 * DAY;

/// Ticks at dates in the log's zone, if it has one.
pub fn of_clock(span: &Span, clock: &AxisClock, most: usize) -> Ticks {
    let walls = clock.wall(span.from()).zip(clock.wall(span.to()));
    let length = span.to() - span.from();
    match walls {
        // below a second per tick there are no dates to show
        Some((from, to)) if length / most as f64 > 0.5 => calendar(span, clock, most, from, to),
        _ => of_elapsed(span, most),
    }
}

fn calendar(span: &Span, clock: &AxisClock, most: usize, from: NaiveDateTime, to: NaiveDateTime) -> Ticks {
    let raw = (span.to() - span.from()) / most as f64;
    let walls = match STEPS.into_iter().find(|&s| s >= raw) {
        Some(step) => by_seconds(from, to, step),
        None => {
            let months = (raw / MONTH).ceil() as u32;
            let step = MONTH_STEPS.into_iter().find(|&m| m >= months).unwrap_or(12_000);
            by_months(from, to, step)
        }
    };
    let step = walls.windows(2).map(|w| (w[1] - w[0]).num_seconds()).min().unwrap_or(0) as f64;
    let mut major: Vec<Tick> = Vec::new();
    let mut belongs = String::new();
    for wall in walls {
        let Some(value) = clock.seconds(wall).filter(|&v| span.contains(v)) else { continue };
        let (label, group) = if step < 60.0 {
            (wall.time().to_string(), day(wall))
        } else if step < DAY {
            (format!("{:02}:{:02}", wall.hour(), wall.minute()), day(wall))
        } else if step < 27.0 * DAY {
            (format!("{} {}", wall.day(), month(wall)), wall.year().to_string())
        } else if step < 360.0 * DAY {
            (month(wall).to_owned(), wall.year().to_string())
        } else {
            (wall.year().to_string(), String::new())
        };
        let under = (group != belongs).then(|| group.clone());
        belongs = group;
        major.push(Tick { value, label, under });
    }
    Ticks { major, minor: Vec::new() }
}

/// Local times at multiples of `step` seconds since midnight, or of whole days since the first of the month.
fn by_seconds(from: NaiveDateTime, to: NaiveDateTime, step: f64) -> Vec<NaiveDateTime> {
    if step >= DAY {
        return by_days(from, to, (step / DAY) as u32);
    }
    let midnight = from.date().and_time(NaiveTime::MIN);
    let since = f64::from(from.num_seconds_from_midnight());
    let first = (since / step).ceil() * step;
    let all = (0..).map_while(|i| midnight.checked_add_signed(Duration::seconds((first + f64::from(i) * step) as i64)));
    all.take_while(|wall| *wall <= to).take(64).collect()
}

/// Every `every`th day of each month, counted from its first so that the labels stay the same. Days whose label would
/// collide with that of the next month's first are left out.
fn by_days(from: NaiveDateTime, to: NaiveDateTime, every: u32) -> Vec<NaiveDateTime> {
    let days = from.date().iter_days().take(1000).take_while(|day| *day <= to.date());
    let is_tick =
        |day: &NaiveDate| (day.day() - 1).is_multiple_of(every) && (every == 1 || day.day() + every / 2 <= 31);
    let midnights = days.filter(is_tick).map(|day| day.and_time(NaiveTime::MIN));
    midnights.filter(|wall| *wall >= from && *wall <= to).collect()
}

fn by_months(from: NaiveDateTime, to: NaiveDateTime, every: u32) -> Vec<NaiveDateTime> {
    let years = (every / 12).max(1) as i32;
    let year = from.year().div_euclid(years) * years;
    let Some(first) = NaiveDate::from_ymd_opt(year, 1, 1) else { return Vec::new() };
    let all = (0..).map_while(|i: u32| first.checked_add_months(Months::new(i * every)));
    let walls = all.map(|day| day.and_time(NaiveTime::MIN)).take_while(|wall| *wall <= to).take(200);
    walls.filter(|wall| *wall >= from).collect()
}

/// Ticks at days and hours since the log's zero.
fn of_elapsed(span: &Span, most: usize) -> Ticks {
    let length = span.to() - span.from();
    let step = nice_duration(length, most);
    if step >= DAY {
        let label = |v: f64| Tick::new(v, format!("{} d", number::tick(v / DAY, step / DAY, span.to() / DAY)));
        return Ticks { major: multiples(span, step).into_iter().map(label).collect(), minor: Vec::new() };
    }
    let mut belongs = f64::NAN;
    let mut major = Vec::new();
    for value in multiples(span, step) {
        let day = (value / DAY).floor();
        let within = value - day * DAY;
        let (hours, minutes, seconds) = ((within / 3600.0).floor(), (within / 60.0).floor() % 60.0, within % 60.0);
        let label = if step >= 60.0 {
            format!("{hours:02}:{minutes:02}")
        } else {
            format!("{hours:02}:{minutes:02}:{:02}", number::readable(seconds))
        };
        let under = (day != belongs).then(|| format!("day {}", number::readable(day)));
        belongs = day;
        major.push(Tick { value, label, under });
    }
    Ticks { major, minor: Vec::new() }
}

/// Ticks at multiples of a round duration.
pub fn of_duration(span: &Span, most: usize) -> Ticks {
    let step = nice_duration(span.to() - span.from(), most);
    let label = |v: f64| Tick::new(v, if v == 0.0 { "0".to_owned() } else { in_unit(v, step, span.to()) });
    Ticks { major: multiples(span, step).into_iter().map(label).collect(), minor: Vec::new() }
}

/// `value` in the largest unit that is not longer than `step`.
fn in_unit(value: f64, step: f64, largest: f64) -> String {
    let (divisor, unit) = match step {
        s if s >= DAY => (DAY, "d"),
        s if s >= 3600.0 => (3600.0, "h"),
        s if s >= 60.0 => (60.0, "min"),
        _ => (1.0, "s"),
    };
    format!("{} {unit}", number::tick(value / divisor, step / divisor, largest / divisor))
}

/// The smallest round duration that divides `length` into at most `most` parts.
pub fn nice_duration(length: f64, most: usize) -> f64 {
    let raw = length / most.max(1) as f64;
    if raw <= 1.0 {
        return nice_step(length, most);
    }
    let short = STEPS.into_iter().filter(|&s| s <= DAY).find(|&s| s >= raw * (1.0 - 1e-9));
    short.unwrap_or_else(|| nice_step(length / DAY, most) * DAY)
}

// The seconds of a log as local dates and times.

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
    use super::super::{AxisUnit, Scale, axis_ticks::ticks};
    use super::*;
    use packfair_workload::Header;

    fn stockholm() -> AxisClock {
        let labels = [("UnixStartTime", "843471188"), ("TimeZoneString", "Europe/Stockholm")];
        let header = Header { labels: labels.iter().map(|(l, v)| ((*l).to_owned(), (*v).to_owned())).collect() };
        AxisClock::of(&packfair_workload::Clock::of(&header, 0, 30_000_000))
    }

    fn said(from: f64, to: f64, clock: AxisClock) -> String {
        let found = ticks(&Span::new(Scale::Linear, from, to), &AxisUnit::Time(clock), 500.0, 80.0);
        let one = |t: &Tick| t.under.as_ref().map_or(t.label.clone(), |u| format!("{}|{u}", t.label));
        found.major.iter().map(one).collect::<Vec<_>>().join(" ; ")
    }

    #[test]
    fn dates_are_round_in_the_zone_of_the_log() {
        assert_eq!(said(0.0, 28.0e6, stockholm()), "Nov|1996 ; Jan|1997 ; Mar ; May ; Jul");
        assert_eq!(said(0.0, 10.0 * DAY, stockholm()), "25 Sep|1996 ; 27 Sep ; 29 Sep ; 1 Oct ; 3 Oct");
        assert_eq!(said(0.0, DAY, stockholm()), "12:00|23 Sep 1996 ; 18:00 ; 00:00|24 Sep 1996 ; 06:00");
        assert_eq!(said(0.0, 300.0, stockholm()), "11:34|23 Sep 1996 ; 11:35 ; 11:36 ; 11:37 ; 11:38");
    }

    #[test]
    fn without_dates_days_are_counted() {
        assert_eq!(said(0.0, 28.0e6, AxisClock::ELAPSED), "0 d ; 100 d ; 200 d ; 300 d");
        assert_eq!(said(80_000.0, 120_000.0, AxisClock::ELAPSED), "00:00|day 1 ; 02:00 ; 04:00 ; 06:00 ; 08:00");
    }
}

#[cfg(test)]
mod clock_tests {
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

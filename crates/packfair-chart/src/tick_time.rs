//! Ticks of time axes: local dates and times, or days and hours since a log's zero.

use super::tick::{Tick, Ticks, multiples, nice_step};
use super::{AxisClock, Span, clock, number};
use chrono::{Datelike, Duration, Months, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

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
            (wall.time().to_string(), clock::day(wall))
        } else if step < DAY {
            (format!("{:02}:{:02}", wall.hour(), wall.minute()), clock::day(wall))
        } else if step < 27.0 * DAY {
            (format!("{} {}", wall.day(), clock::month(wall)), wall.year().to_string())
        } else if step < 360.0 * DAY {
            (clock::month(wall).to_owned(), wall.year().to_string())
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

//! A price of energy, or how much carbon its making emits, over time.

use packfair_base::machine::{WhatIf, waits_for};
use packfair_workload::{Clock, Seconds, local_date};
use serde::{Deserialize, Serialize};

/// The most steps of a series: ten years of hours.
const MOST_STEPS: usize = 100_000;

/// An hour, seconds.
const HOUR: Seconds = 3_600;

/// A value that holds longer counts for so many hours: a week tells all hours of the day.
const MOST_HOURS: Seconds = 7 * 24;

/// Whole numbers from here on are seconds since 1970; below, seconds of the log.
const FIRST_UNIX: Seconds = 100_000_000;

/// What a series tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesKind {
    /// The price of a MWh.
    Price,
    /// The carbon intensity, grams of CO2 for a kWh.
    Intensity,
}

impl SeriesKind {
    /// Whether a column with this name holds such values.
    fn is_named(self, name: &str) -> bool {
        match self {
            SeriesKind::Price => name.contains("price") || ["cost", "eurmwh"].contains(&name),
            SeriesKind::Intensity => name.contains("intensity") || name.contains("co2") || name == "gkwh",
        }
    }

    /// The usual name of the column.
    fn name(self) -> &'static str {
        match self {
            SeriesKind::Price => "price",
            SeriesKind::Intensity => "intensity",
        }
    }
}

impl SeriesKind {
    /// The kind of series that a table has whose first line is this; none where it is another table.
    pub fn recognise(first: &str) -> Option<Self> {
        let names: Vec<String> = first.trim_start_matches('\u{feff}').split([';', '\t', ',']).map(plain).collect();
        // a table of jobs has more columns
        let is_series = names.len() <= MOST_NAMES && names.iter().any(|name| is_of_time(name));
        let has = |kind: &SeriesKind| names.iter().any(|name| kind.is_named(name));
        [SeriesKind::Price, SeriesKind::Intensity].into_iter().find(|kind| is_series && has(kind))
    }
}

/// The most columns of a table that is taken for a series unasked: tables of jobs have more.
const MOST_NAMES: usize = 4;

/// Whether a column with this name holds times.
fn is_of_time(name: &str) -> bool {
    name == "from" || name.starts_with("time") || name.starts_with("date")
}

/// A name of a column as names are compared.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// What the times of a series count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SeriesClock {
    /// Seconds of the log.
    Log,
    /// Seconds since 1970.
    Unix,
    /// Seconds since the midnight with which 1970 began on the clock of the log's place.
    Local,
}

/// A value that holds from its time until that of the next; the last one holds on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerSeries {
    clock: SeriesClock,
    times: Vec<Seconds>,
    values: Vec<f64>,
}

impl PowerSeries {
    /// Reads a table with the columns time and price, or time and intensity. Times are seconds of the log, seconds since
    /// 1970, or dates: on the clock of the log's place, or with their offset (`2026-01-31T08:00:00Z`).
    ///
    /// # Errors
    /// If it cannot be read: what is wrong and in which line, in words for a person.
    pub fn read(text: &str, kind: SeriesKind) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first = text.lines().next().unwrap_or_default();
        let delimiter = [b';', b'\t', b','].into_iter().find(|&byte| first.as_bytes().contains(&byte)).unwrap_or(b',');
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::All).delimiter(delimiter).from_reader(text.as_bytes());
        let names = reader.headers().map_err(|error| error.to_string())?.clone();
        let place = |is_it: &dyn Fn(&str) -> bool| names.iter().position(|name| is_it(&plain(name)));
        let value = place(&|name| kind.is_named(name)).or_else(|| place(&|name| name == "value"));
        let (Some(time), Some(value)) = (place(&is_of_time), value) else {
            return Err(format!("it takes a table whose first line names its columns: time,{}", kind.name()));
        };
        // "Datetime (UTC)"
        let is_utc = names.get(time).is_some_and(|name| plain(name).ends_with("utc"));
        let mut series = PowerSeries { clock: SeriesClock::Log, times: Vec::new(), values: Vec::new() };
        for (row, line) in reader.records().zip(2..) {
            let row = row.map_err(|error| error.to_string())?;
            let (text, value) = (row.get(time).unwrap_or_default(), row.get(value).unwrap_or_default());
            let (clock, at) = moment(text).ok_or_else(|| {
                format!("line {line}: \"{text}\" is no time; give a date as 2026-01-31 14:00, or whole seconds")
            })?;
            let clock = if is_utc && clock == SeriesClock::Local { SeriesClock::Unix } else { clock };
            let value: f64 = value
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite())
                .ok_or_else(|| format!("line {line}: \"{value}\" is no number"))?;
            if series.times.is_empty() {
                series.clock = clock;
            }
            if clock != series.clock {
                return Err(format!("line {line}: \"{text}\" is another kind of time than those before it"));
            }
            if series.times.last().is_some_and(|&last| at <= last) {
                return Err(format!("line {line}: \"{text}\" is not later than the time before it"));
            }
            if series.times.len() == MOST_STEPS {
                return Err(format!("it has more than {MOST_STEPS} lines"));
            }
            series.times.push(at);
            series.values.push(value);
        }
        if series.times.is_empty() { Err("it has no line with a value".to_owned()) } else { Ok(series) }
    }

    /// Whether it is one that [`PowerSeries::read`] could have read: a series from another source is checked with this.
    pub fn is_sound(&self) -> bool {
        let (times, values) = (&self.times, &self.values);
        (1..=MOST_STEPS).contains(&times.len())
            && times.len() == values.len()
            && times.windows(2).all(|pair| pair[0] < pair[1])
            && times.iter().all(|time| time.unsigned_abs() < 1 << 40)
            && values.iter().all(|value| value.is_finite())
    }

    /// What is asked of prices: that some jobs wait for the hours of the day that are cheapest on the average. None where
    /// no hours are, or the log has no dates and the series has.
    pub fn wait_for_cheap_hours(&self, clock: &Clock) -> Option<WhatIf> {
        let steps = self.on(clock)?;
        let mut hours = [(0.0, 0.0); 24];
        for (place, &(from, value)) in steps.iter().enumerate() {
            // how long the last value holds is not known
            let until = steps.get(place + 1).map_or(from + HOUR, |next| next.0).min(from + MOST_HOURS * HOUR);
            let mut at = from;
            while at < until {
                let next = (at + HOUR - clock.local(at).rem_euclid(HOUR)).min(until);
                let (sum, seconds) = &mut hours[clock.hour(at)];
                (*sum, *seconds) = (*sum + value * (next - at) as f64, *seconds + (next - at) as f64);
                at = next;
            }
        }
        let all: (f64, f64) = hours.iter().fold((0.0, 0.0), |all, own| (all.0 + own.0, all.1 + own.1));
        waits_for(&hours.map(|(sum, seconds)| if seconds > 0.0 { sum / seconds } else { all.0 / all.1 }))
    }

    /// The values by seconds of a log with this clock, the soonest first; none where the log has no dates and the series
    /// has.
    pub fn on(&self, clock: &Clock) -> Option<Vec<(Seconds, f64)>> {
        let time = |&at: &Seconds| match self.clock {
            SeriesClock::Log => Some(at),
            SeriesClock::Unix => Some(at - clock.unix_start?),
            SeriesClock::Local => clock.unix_start.map(|_| clock.at_local(at)),
        };
        self.times.iter().zip(&self.values).map(|(at, &value)| Some((time(at)?, value))).collect()
    }
}

/// A time, and what it counts.
fn moment(text: &str) -> Option<(SeriesClock, Seconds)> {
    if let Ok(seconds) = text.parse::<Seconds>() {
        return Some(if seconds >= FIRST_UNIX { (SeriesClock::Unix, seconds) } else { (SeriesClock::Log, seconds) });
    }
    let (date, offset) = with_offset(text);
    let local = local_date(date)?;
    Some(match offset {
        Some(offset) => (SeriesClock::Unix, local - offset),
        None => (SeriesClock::Local, local),
    })
}

/// A date without its offset from UTC, and that offset in seconds, where it has one.
fn with_offset(text: &str) -> (&str, Option<Seconds>) {
    if let Some(date) = text.strip_suffix(['Z', 'z']) {
        return (date, Some(0));
    }
    // a sign behind the time of day, and not one of the date
    let sign = text.rfind(['+', '-']).filter(|&at| at > 10);
    let read = |at: usize| {
        let digits: String = text[at + 1..].chars().filter(char::is_ascii_digit).collect();
        let (hours, minutes) = digits.split_at_checked(2)?;
        let minutes: Seconds = if minutes.is_empty() { 0 } else { minutes.parse().ok()? };
        let offset = hours.parse::<Seconds>().ok()? * 3_600 + minutes * 60;
        Some(if text.as_bytes()[at] == b'-' { -offset } else { offset })
    };
    match sign.and_then(|at| Some((at, read(at)?))) {
        Some((at, offset)) => (&text[..at], Some(offset)),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::Header;

    fn read(text: &str) -> Result<PowerSeries, String> {
        PowerSeries::read(text, SeriesKind::Price)
    }

    /// Begins 2000-01-01 00:00 UTC, which is 01:00 in Berlin.
    fn clock() -> Clock {
        let labels = [("UnixStartTime", "946684800"), ("TimeZoneString", "Europe/Berlin")];
        let labels = labels.map(|(label, value)| (label.to_owned(), value.to_owned())).to_vec();
        Clock::of(&Header { labels }, 0, 400 * 86_400)
    }

    #[test]
    fn times_are_of_the_log_of_the_place_or_of_the_world() {
        for (text, times) in [
            ("time,price\n0,50\n3600,-5.5\n", [0, 3_600]),
            ("Time;Price (EUR/MWh)\n0;50\n3600;-5.5\n", [0, 3_600]),
            ("Datetime (UTC),Zone,Price\n2000-01-01 00:00,DE,50\n2000-01-01 01:00,DE,-5.5\n", [0, 3_600]),
            ("time;price\n2000-01-01 01:00;50\n2000-01-01 02:00;-5.5\n", [0, 3_600]),
            ("time,price\n2000-01-01T00:00:00Z,50\n2000-01-01T02:00:00+01:00,-5.5\n", [0, 3_600]),
            ("price\ttime\n50\t946684800\n-5.5\t946688400\n", [0, 3_600]),
        ] {
            let series = read(text).unwrap();
            assert!(series.is_sound());
            assert_eq!(series.on(&clock()), Some(vec![(times[0], 50.0), (times[1], -5.5)]), "{text}");
        }
        let undated = Clock::of(&Header::default(), 0, 10);
        assert_eq!(read("time,price\n2000-01-01,5\n").unwrap().on(&undated), None);
        assert_eq!(read("time,price\n7,5\n").unwrap().on(&undated), Some(vec![(7, 5.0)]));
        assert!(PowerSeries::read("time,intensity\n7,5\n", SeriesKind::Intensity).is_ok());
    }

    #[test]
    fn a_table_tells_by_its_names_what_it_is() {
        for (first, kind) in [
            ("time,price", Some(SeriesKind::Price)),
            ("\u{feff}Date;Price (EUR/MWh)", Some(SeriesKind::Price)),
            ("Datetime (UTC),Zone,Carbon intensity gCO2eq/kWh", Some(SeriesKind::Intensity)),
            ("Timestamp;Day-ahead price", Some(SeriesKind::Price)),
            ("time,intensity", Some(SeriesKind::Intensity)),
            ("datetime\tgCO2/kWh", Some(SeriesKind::Intensity)),
            ("time,value", None),
            ("from,nodes,cell", None),
            ("id,submit,start,run,processors,cost", None),
        ] {
            assert_eq!(SeriesKind::recognise(first), kind, "{first}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, said) in [
            ("time,cents\n1,2\n", "it takes a table whose first line names its columns: time,price"),
            ("time,price\n", "it has no line with a value"),
            ("time,price\nsoon,2\n", "line 2: \"soon\" is no time"),
            ("time,price\n1,dear\n", "line 2: \"dear\" is no number"),
            ("time,price\n5,1\n5,2\n", "line 3: \"5\" is not later than the time before it"),
            ("time,price\n5,1\n2026-01-01,2\n", "line 3: \"2026-01-01\" is another kind of time"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(said), "{text}: {error}");
        }
    }

    #[test]
    fn who_can_wait_waits_for_the_hours_that_are_cheapest_by_the_clock_of_the_place() {
        // in UTC, an hour behind Berlin: cheap from 22 to 4
        let hour = |hour: i64| {
            let price = if (22..28).contains(&(hour % 24)) || hour % 24 < 4 { 20 } else { 90 };
            format!("{},{price}\n", 946_684_800 + hour * 3_600)
        };
        let series = read(&format!("time,price\n{}", (0..48).map(hour).collect::<String>())).unwrap();
        let asked = series.wait_for_cheap_hours(&clock()).unwrap();
        assert_eq!(asked.to_string(), "wait_for=23-5 share=30%");
        assert_eq!(read("time,price\n0,5\n").unwrap().wait_for_cheap_hours(&clock()), None, "all hours cost the same");
    }
}

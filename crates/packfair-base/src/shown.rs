//! Values as languages and data bases show them: `Timestamp('2026-01-05 10:00:00')`, `datetime.timedelta(seconds=60)`,
//! `ISODate("...")`, `/Date(1767607200000)/`.

/// What such values are called, without what they are a part of.
const CALLED: [&str; 13] = [
    "timestamp",
    "datetime",
    "datetime64",
    "timedelta",
    "timedelta64",
    "date",
    "isodate",
    "int32",
    "int64",
    "float64",
    "decimal",
    "numberint",
    "numberlong",
];

/// The seconds of each part of a duration of Python, in their order where they have no names.
const PARTS: [(&str, f64); 7] = [
    ("days", 86_400.0),
    ("seconds", 1.0),
    ("microseconds", 1e-6),
    ("milliseconds", 1e-3),
    ("minutes", 60.0),
    ("hours", 3_600.0),
    ("weeks", 604_800.0),
];

/// What a value says that is shown so; none where it is not.
#[must_use]
pub fn unwrapped(field: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(field).ok().filter(|text| text.len() < 120)?;
    let text = text.strip_prefix('/').and_then(|text| text.strip_suffix('/')).unwrap_or(text);
    let (name, inside) = text.strip_suffix(')')?.split_once('(')?;
    let name = name.rsplit(['.', ' ']).next()?.to_ascii_lowercase();
    if !CALLED.contains(&name.as_str()) {
        return None;
    }
    if let Some(quoted) = inside.strip_prefix(['\'', '"']) {
        return quoted.split(['\'', '"']).next().map(|text| text.as_bytes().to_vec());
    }
    let parts = || inside.split(',').map(str::trim).filter(|part| !part.is_empty());
    if name == "timedelta" {
        let seconds = parts().enumerate().map(|(at, part)| {
            let unit = |key: &str| PARTS.iter().find(|(name, _)| *name == key).map(|(_, unit)| *unit);
            let (unit, number) = match part.split_once('=') {
                Some((key, number)) => (unit(key)?, number),
                None => (PARTS.get(at)?.1, part),
            };
            Some(unit * number.parse::<f64>().ok()?)
        });
        let seconds: f64 = seconds.sum::<Option<f64>>()?;
        return Some(format!("{seconds:.3}").into_bytes());
    }
    let numbers: Vec<u32> = parts().map_while(|part| part.parse().ok()).collect();
    if let [year, month, day, rest @ ..] = &numbers[..] {
        let at = |place: usize| rest.get(place).copied().unwrap_or(0);
        let is_elsewhere = inside.contains("tzinfo=") && !inside.to_ascii_lowercase().contains("utc");
        let (hour, minute, second) = (at(0), at(1), at(2));
        let moment = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
        return (!is_elsewhere).then(|| moment.into_bytes());
    }
    // a zone behind milliseconds is only how they are shown
    let number = inside.split(['+']).next()?;
    number.parse::<f64>().ok().map(|_| number.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_they_are_shown_as() {
        for (shown, value) in [
            ("Timestamp('2026-01-05 10:00:00')", "2026-01-05 10:00:00"),
            ("Timestamp('2026-01-05 10:00:00+0100', tz='Europe/Berlin')", "2026-01-05 10:00:00+0100"),
            ("datetime.datetime(2026, 1, 5, 10, 0)", "2026-01-05 10:00:00"),
            ("datetime.datetime(2026, 1, 5, 10, 0, 7, 123, tzinfo=datetime.timezone.utc)", "2026-01-05 10:00:07"),
            ("np.datetime64('2026-01-05T10:00:00')", "2026-01-05T10:00:00"),
            ("Timedelta('0 days 00:10:00')", "0 days 00:10:00"),
            ("datetime.timedelta(days=1, seconds=60)", "86460.000"),
            ("datetime.timedelta(0, 600)", "600.000"),
            ("ISODate(\"2026-01-05T10:00:00Z\")", "2026-01-05T10:00:00Z"),
            ("/Date(1767607200000+0100)/", "1767607200000"),
            ("np.int64(4)", "4"),
            ("NumberLong(4)", "4"),
        ] {
            assert_eq!(unwrapped(shown.as_bytes()).as_deref(), Some(value.as_bytes()), "{shown}");
        }
        for other in
            ["ann(1000)", "n[1-2]", "Timestamp", "4", "datetime.datetime(2026, 1, 5, tzinfo=<Berlin>)", ")(", "("]
        {
            assert_eq!(unwrapped(other.as_bytes()), None, "{other}");
        }
    }
}

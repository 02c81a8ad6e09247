//! Names of the columns of tables as people write them: in which form they are compared, and what they say of units.

/// How names say the unit of a duration: `runtime_ms`, `Walltime (h)`; thousandths of a second.
const UNITS: &[(&[&str], u32)] = &[
    (&["ms", "msec", "msecs", "millis", "milliseconds"], 1),
    (&["s", "sec", "secs", "second", "seconds", "sekunden", "secondes", "segundos"], 1_000),
    (&["m", "min", "mins", "minute", "minutes", "minuten", "minutos"], 60_000),
    (&["h", "hr", "hrs", "hour", "hours", "std", "stunden", "heures", "horas"], 3_600_000),
    (&["d", "day", "days", "tage", "jours", "dias"], 86_400_000),
    (&["utc", "gmt", "epoch", "unix", "ts", "timestamp", "datetime", "dt", "at", "on"], NO_UNIT),
];

/// In place of a unit behind names of times, which say how these are written: `start_utc`.
pub const NO_UNIT: u32 = 0;

/// How many letters a unit has at least that is no word of its own, or stands before a name: `waitseconds`, `hours_waited`.
const LONG_UNIT: usize = 4;

/// The longest name that is looked into, bytes.
pub const LONGEST: usize = 200;

/// Letters that are compared as others are.
const ALIKE: &[(&str, &str)] =
    &[("àáâä", "a"), ("èéêë", "e"), ("ìíîï", "i"), ("òóôö", "o"), ("ùúûü", "u"), ("ç", "c"), ("ñ", "n"), ("œ", "oe")];

/// A name in the form in which names are compared: `JOB_ID` and `Job ID` are the same, and so are `Durée` and `duree`. Of a
/// long one the begin counts; no known name is as long.
#[must_use]
pub fn plain(name: &str) -> String {
    let alike = |c: char| {
        ALIKE.iter().find(|(letters, _)| letters.contains(c)).map_or(String::from(c), |(_, to)| to.to_string())
    };
    let letters = name.chars().take(LONGEST).flat_map(char::to_lowercase).map(alike);
    letters.filter(|letters| letters.starts_with(|c: char| c.is_ascii_alphanumeric())).collect()
}

/// A name without the unit at its end or its begin, and the unit; none where it has none. A short unit is a word of its own
/// (`wait_h`, `waitH`), so that `elapsed` is no number of days.
#[must_use]
pub fn without_unit(name: &str) -> Option<(String, u32)> {
    if name.len() > LONGEST {
        return None;
    }
    let mut parted = String::new();
    for c in name.chars() {
        if c.is_uppercase() && parted.ends_with(char::is_lowercase) {
            parted.push(' ');
        }
        parted.push(c);
    }
    let words: Vec<String> =
        parted.split(|c: char| !c.is_alphanumeric()).map(plain).filter(|word| !word.is_empty()).collect();
    let unit = |word: &str| UNITS.iter().find(|(words, _)| words.contains(&word)).map(|(_, unit)| *unit);
    let long = |word: &str| unit(word).filter(|_| word.len() >= LONG_UNIT);
    let (last, before) = words.split_last()?;
    if let Some(unit) = unit(last).filter(|_| !before.is_empty()) {
        return Some((before.strip_suffix(&["in".to_owned()]).unwrap_or(before).concat(), unit));
    }
    if let [first, rest @ ..] = &words[..]
        && let Some(unit) = long(first).filter(|_| !rest.is_empty())
    {
        return Some((rest.concat(), unit));
    }
    let whole = words.concat();
    (1..whole.len()).find_map(|at| Some((whole[..at].to_owned(), long(&whole[at..])?)))
}

/// A name without how its values are written, `(hh:mm:ss)`; of `(hh:mm)`, which looks as minutes and seconds do, the unit stays.
#[must_use]
pub fn without_form(name: &str) -> String {
    let is_of_form = |c: char| matches!(c.to_ascii_lowercase(), 'd' | 'h' | 'm' | 's' | ':' | '.' | '-');
    let parts = name.strip_suffix([')', ']']).and_then(|name| name.rsplit_once(['(', '[']));
    match parts.filter(|(_, form)| form.contains(':') && form.chars().all(is_of_form)) {
        Some((name, form)) if form.contains(['s', 'S']) => name.to_owned(),
        Some((name, _)) => format!("{name} (min)"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_words_at_the_end_of_names() {
        let of = |name: &str| without_unit(name).map(|(name, unit)| format!("{name} {unit}"));
        assert_eq!(of("runtime_ms").as_deref(), Some("runtime 1"));
        assert_eq!(of("Wall Time (h)").as_deref(), Some("walltime 3600000"));
        assert_eq!(of("wait_in_minutes").as_deref(), Some("wait 60000"));
        assert_eq!([of("elapsed"), of("ms"), of("duration")], [None, None, None]);
    }
}

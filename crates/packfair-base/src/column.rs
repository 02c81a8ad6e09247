//! Fixed-capacity arrays with fast insert and remove, in which the blocks of queues and profiles store their fields.
//!
//! Preparing a general memory move takes longer than moving a few values. Here values move in chunks of a fixed size; a
//! chunk may extend beyond the values in use into the spare ones.

use std::ops::{Index, IndexMut, Range};

/// The number of spare values at the end of a column, so that values can be moved in chunks of a fixed size.
pub const SPARE: usize = 16;

/// An array of values. Its owner keeps track of how many are in use: at most all except [`SPARE`].
#[derive(Clone, Debug)]
pub struct FixedColumn<T, const LEN: usize> {
    values: [T; LEN],
}

impl<T: Copy, const LEN: usize> FixedColumn<T, LEN> {
    /// The number of values that are moved at once. In WebAssembly, at most as many as can be moved without a function
    /// call.
    const CHUNK: usize = if cfg!(target_arch = "wasm32") && size_of::<T>() > 4 { 64 / size_of::<T>() } else { SPARE };

    /// An array whose values are all `value`.
    pub fn new(value: T) -> Self {
        FixedColumn { values: [value; LEN] }
    }

    #[inline]
    pub fn first(&self, len: usize) -> &[T] {
        &self.values[..len]
    }

    /// The values in `range`, mutably.
    #[inline]
    pub fn range_mut(&mut self, range: Range<usize>) -> &mut [T] {
        &mut self.values[range]
    }

    /// Inserts a value at `index`, if `len` values are in use.
    #[inline]
    pub fn insert(&mut self, index: usize, len: usize, value: T) {
        let mut from = index + (len - index).next_multiple_of(Self::CHUNK);
        while from > index {
            from -= Self::CHUNK;
            self.values.copy_within(from..from + Self::CHUNK, from + 1);
        }
        self.values[index] = value;
    }

    /// Removes the values in `range`, if `len` values are in use.
    #[inline]
    pub fn remove(&mut self, range: Range<usize>, len: usize) {
        let Range { start: mut to, end: mut from } = range;
        while from < len {
            self.values.copy_within(from..from + Self::CHUNK, to);
            (from, to) = (from + Self::CHUNK, to + Self::CHUNK);
        }
    }

    #[inline]
    pub fn copy_from(&mut self, other: &Self, len: usize) {
        let mut from = 0;
        while from < len {
            let to = from + Self::CHUNK;
            self.values[from..to].copy_from_slice(&other.values[from..to]);
            from = to;
        }
    }
}

impl<T, const LEN: usize> Index<usize> for FixedColumn<T, LEN> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        &self.values[index]
    }
}

impl<T, const LEN: usize> IndexMut<usize> for FixedColumn<T, LEN> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.values[index]
    }
}

// Names of the columns of tables as people write them: in which form they are compared, and what they say of units.

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

    const USED: usize = 40;

    /// The values `0..len`, as a column and as a list.
    fn values<T: Copy + From<u8>>(len: usize) -> (FixedColumn<T, { USED + SPARE }>, Vec<T>) {
        let list: Vec<T> = (0..len as u8).map(T::from).collect();
        let mut column = FixedColumn::new(T::from(u8::MAX));
        column.range_mut(0..len).copy_from_slice(&list);
        (column, list)
    }

    fn check<T: Copy + From<u8> + PartialEq + std::fmt::Debug>() {
        for len in 0..=USED {
            for index in 0..=len {
                if len < USED {
                    let (mut column, mut list) = values::<T>(len);
                    column.insert(index, len, T::from(200));
                    list.insert(index, T::from(200));
                    assert_eq!(column.first(len + 1), list, "{len} values, one more at {index}");
                }
                for to in index..=len {
                    let (mut column, mut list) = values::<T>(len);
                    column.remove(index..to, len);
                    list.drain(index..to);
                    assert_eq!(column.first(list.len()), list, "{len} values without {index} to {to}");
                }
            }
            let (column, list) = values::<T>(len);
            let mut copy = FixedColumn::new(T::from(100));
            copy.copy_from(&column, len);
            assert_eq!(copy.first(len), list);
        }
    }

    #[test]
    fn a_column_holds_what_a_list_does() {
        check::<u8>();
        check::<u32>();
        check::<f64>();
    }
}

#[cfg(test)]
mod column_name_tests {
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

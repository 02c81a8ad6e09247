//! Parses what users type, or explains what is wrong with it.

use crate::app::prelude::*;
use packfair_study::format::whole as grouped;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Parses the text of a field; the error says what the field takes.
pub type ReadText<T> = Callback<String, Result<T, String>>;

/// Parses a whole number within `range`.
pub fn whole<T>(range: RangeInclusive<T>) -> ReadText<T>
where
    T: FromStr + PartialOrd + Into<i128> + Copy + Send + Sync + 'static,
{
    Callback::new(move |text: String| {
        let digits = text.replace([' ', '\u{202f}', '_', ','], "");
        let read = digits.parse().ok().filter(|n| range.contains(n));
        read.ok_or_else(|| format!("a whole number from {} to {}", grouped(*range.start()), grouped(*range.end())))
    })
}

/// Parses a number within `range`.
pub fn real(range: RangeInclusive<f64>) -> ReadText<f64> {
    Callback::new(move |text: String| {
        let read = text.trim().parse().ok().filter(|x| range.contains(x));
        read.ok_or_else(|| format!("a number from {} to {}", range.start(), range.end()))
    })
}

/// Parses what `read` parses; an empty field, `off` and `auto` mean `None`.
pub fn optional<T: Send + Sync + 'static>(read: ReadText<T>) -> ReadText<Option<T>> {
    Callback::new(move |text: String| match text.trim() {
        "" | "off" | "auto" => Ok(None),
        _ => read.run(text).map(Some).map_err(|takes| format!("{takes}, or nothing")),
    })
}

//! What a person types, read into values, or explained.

use crate::app::prelude::*;
use crate::study::format::whole as grouped;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads a field's text; the error says what the field takes.
pub type ReadText<T> = Callback<String, Result<T, String>>;

/// Reads a whole number within `range`.
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

/// Reads a number within `range`.
pub fn real(range: RangeInclusive<f64>) -> ReadText<f64> {
    Callback::new(move |text: String| {
        let read = text.trim().parse().ok().filter(|x| range.contains(x));
        read.ok_or_else(|| format!("a number from {} to {}", range.start(), range.end()))
    })
}

/// Reads numbers within `range`, separated by commas or spaces, at least one.
pub fn reals(range: RangeInclusive<f64>) -> ReadText<Vec<f64>> {
    Callback::new(move |text: String| {
        let words = text.split([',', ';', ' ']).filter(|word| !word.is_empty());
        let read = words.map(|word| word.parse().ok().filter(|x| range.contains(x))).collect::<Option<Vec<f64>>>();
        let takes = || format!("numbers from {} to {}, separated by commas", range.start(), range.end());
        read.filter(|numbers| !numbers.is_empty()).ok_or_else(takes)
    })
}

/// Reads whole numbers separated by commas or spaces; none is fine.
pub fn whole_numbers() -> ReadText<Vec<i32>> {
    Callback::new(|text: String| {
        let words = text.split([',', ';', ' ']).filter(|word| !word.is_empty());
        let read: Option<Vec<i32>> = words.map(|word| word.parse().ok()).collect();
        read.ok_or_else(|| "whole numbers separated by commas, or nothing for all".to_owned())
    })
}

/// Reads what `read` reads; an empty field, `off` and `auto` mean none.
pub fn optional<T: Send + Sync + 'static>(read: ReadText<T>) -> ReadText<Option<T>> {
    Callback::new(move |text: String| match text.trim() {
        "" | "off" | "auto" => Ok(None),
        _ => read.run(text).map(Some).map_err(|takes| format!("{takes}, or nothing")),
    })
}

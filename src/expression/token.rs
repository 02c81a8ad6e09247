//! Splits a formula into tokens.

use super::FormulaError;

/// A word or a sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lexeme {
    Number(f64),
    Name(String),
    Sign(&'static str),
    End,
}

/// A token and where it begins, in characters from 1.
#[derive(Clone, Debug)]
pub(super) struct PlacedToken {
    pub(super) token: Lexeme,
    pub(super) place: usize,
}

/// Signs, longer ones first. The others of a row are read as its first.
const SIGNS: &[&[&str]] = &[
    &["<=", "≤"],
    &[">=", "≥"],
    &["!=", "≠"],
    &["&", "&&"],
    &["|", "||"],
    &["<"],
    &[">"],
    &["==", "="],
    &["!"],
    &["+"],
    &["-", "−"],
    &["^", "**"],
    &["*", "×", "·"],
    &["/"],
    &["("],
    &[")"],
    &[","],
];

/// Words that are signs.
const WORDS: &[(&str, &str)] = &[("and", "&"), ("or", "|"), ("not", "!")];

/// Units of time after a number, in seconds.
const UNITS: &[(&str, f64)] = &[("s", 1.0), ("min", 60.0), ("h", 3_600.0), ("d", 86_400.0), ("w", 604_800.0)];

pub(super) fn tokens(text: &str) -> Result<Vec<PlacedToken>, FormulaError> {
    let mut tokens = Vec::new();
    let (mut rest, mut place) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if first.is_ascii_digit() || first == '.' {
            let (number, length) = number(rest, place)?;
            (Some(Lexeme::Number(number)), length)
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let name = rest[..length].to_lowercase();
            let sign = WORDS.iter().find(|(word, _)| *word == name);
            (Some(sign.map_or(Lexeme::Name(name), |(_, sign)| Lexeme::Sign(sign))), length)
        } else {
            let (sign, length) = sign(rest).ok_or_else(|| FormulaError::Unexpected {
                place,
                found: first.to_string(),
                expected: "a number, a name, a sign such as + or a parenthesis",
            })?;
            (Some(Lexeme::Sign(sign)), length)
        };
        tokens.extend(token.map(|token| PlacedToken { token, place }));
        place += rest[..length].chars().count();
        rest = &rest[length..];
    }
    tokens.push(PlacedToken { token: Lexeme::End, place });
    Ok(tokens)
}

/// The longest sign with which a text begins, and its length in bytes.
fn sign(text: &str) -> Option<(&'static str, usize)> {
    let all = SIGNS.iter().flat_map(|row| row.iter().map(|written| (row[0], *written)));
    let found = all.filter(|(_, written)| text.starts_with(written)).max_by_key(|(_, written)| written.len());
    found.map(|(sign, written)| (sign, written.len()))
}

/// The number with which a text begins, in seconds where it has a unit, and its length in bytes.
fn number(text: &str, place: usize) -> Result<(f64, usize), FormulaError> {
    let digits = |from: usize| from + text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    if text[length..].starts_with('.') {
        length = digits(length + 1);
    }
    // an exponent has digits; without them what follows is a unit
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let end = digits(length + 1 + sign);
        length = if end > length + 1 + sign { end } else { length };
    }
    let unexpected = || FormulaError::Unexpected {
        place,
        found: text[..length].to_owned(),
        expected: "a number such as 2, 0.5 or 1e6",
    };
    let number: f64 = text[..length].parse().map_err(|_| unexpected())?;
    let unit: String = text[length..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    if unit.is_empty() {
        return if number.is_finite() { Ok((number, length)) } else { Err(unexpected()) };
    }
    let Some((_, seconds)) = UNITS.iter().find(|(id, _)| *id == unit) else {
        return Err(FormulaError::UnknownUnit { given: unit, place: place + text[..length].chars().count() });
    };
    let number = number * seconds;
    if number.is_finite() { Ok((number, length + unit.len())) } else { Err(unexpected()) }
}

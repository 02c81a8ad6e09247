//! Values that are changes of what a file says. They are pairs of key and value; only the family knows which keys
//! exist.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Longest text of all changes of a value, bytes.
const LONGEST: usize = 4_000;

/// Changes of what a file says, `key=value` each, in the order in which they are made. The same text is the same value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    text: &'static str,
}

impl Changes {
    /// Reads `key=value,key=value`; none where a pair has no `=`, or the text is too long.
    pub fn parse(text: &str) -> Option<Self> {
        let pairs = outside_brackets(text, ',').map(str::trim).filter(|pair| !pair.is_empty());
        pairs.map(|pair| pair.split_once('=')).try_fold(Changes::default(), |changes, pair| {
            let (key, value) = pair?;
            changes.with(key.trim(), value.trim())
        })
    }

    /// These changes with one more. A key that is there already takes the new value. None where the change cannot be a
    /// pair, or the text becomes too long.
    pub fn with(self, key: &str, value: &str) -> Option<Self> {
        // a key or value must not contain what separates pairs
        let is_one = |text: &str| outside_brackets(text, ',').count() == 1 && !text.chars().any(char::is_whitespace);
        if key.is_empty() || value.is_empty() || key.contains('=') || !is_one(key) || !is_one(value) {
            return None;
        }
        let mut pairs: Vec<(&str, &str)> = self.pairs().collect();
        match pairs.iter_mut().find(|(other, _)| *other == key) {
            Some((_, old)) => *old = value,
            None => pairs.push((key, value)),
        }
        let text = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
        (text.len() <= LONGEST).then(|| Changes { text: kept(text) })
    }

    /// Each change: key and value.
    pub fn pairs(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        outside_brackets(self.text, ',').filter_map(|pair| pair.split_once('='))
    }

    /// Whether nothing is changed.
    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

/// The same text, kept once for as long as the program runs, so that a value is as small as that of a choice.
fn kept(text: String) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    // no thread panics while it holds the lock
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept.get(&*text) {
        return found;
    }
    let own: &'static str = Box::leak(text.into_boxed_str());
    kept.insert(own);
    own
}

/// The parts of a text between separators, such as commas. Separators within parentheses, as in formulas, and within
/// brackets, as in names of nodes, do not count.
pub(super) fn outside_brackets(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |character| {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == separator && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_back_and_a_key_has_one_value() {
        let changes = Changes::parse("a=1, drain=n[1-3,5]@x/y,a=2").unwrap();
        assert_eq!(changes.to_string(), "a=2,drain=n[1-3,5]@x/y");
        assert_eq!(Changes::parse(&changes.to_string()), Some(changes));
        assert_eq!(changes.pairs().collect::<Vec<_>>(), [("a", "2"), ("drain", "n[1-3,5]@x/y")]);
        assert_eq!(Changes::parse(""), Some(Changes::default()));
        for wrong in ["a", "=1", "a=", "a=x y", "a=(1,2", &format!("a={}", "x".repeat(5000))] {
            let read = Changes::parse(wrong);
            assert!(read.is_none_or(|read| Changes::parse(&read.to_string()) == Some(read)), "{wrong}");
        }
    }
}

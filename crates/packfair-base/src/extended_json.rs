//! Values that MongoDB writes as objects, because JSON has no such types: `{"$numberLong": "12"}`, `{"$date": ...}`. Each stands
//! for its value, so that every reader has it as JSON writes it.

use serde::de::DeserializeOwned;
use serde_json::Value;
use std::ops::Range;

/// The keys of such objects, and whether the text in one is a number.
const KEYS: [(&str, bool); 6] = [
    ("$numberLong", true),
    ("$numberInt", true),
    ("$numberDouble", true),
    ("$numberDecimal", true),
    ("$date", false),
    ("$oid", false),
];

/// Puts blanks in the place of all of such objects but their values, so everything stays where it is.
pub fn unwrap(text: &mut [u8]) {
    let found: Vec<usize> = text.windows(2).enumerate().filter(|(_, part)| part == b"\"$").map(|(at, _)| at).collect();
    // what is within another comes behind it
    for at in found.into_iter().rev() {
        let begin = text[..at].iter().rposition(|byte| !byte.is_ascii_whitespace()).filter(|&at| text[at] == b'{');
        if let Some(begin) = begin
            && let Some((held, end)) = held(text, at)
        {
            let others =
                text[begin..end].iter_mut().zip(begin..).filter(|(byte, at)| **byte != b'\n' && !held.contains(at));
            others.for_each(|(byte, _)| *byte = b' ');
        }
    }
}

/// The value that begins here, and where it ends.
#[must_use]
pub fn value<T: DeserializeOwned>(text: &[u8], at: usize) -> Option<(T, usize)> {
    let mut values = serde_json::Deserializer::from_slice(text.get(at..)?).into_iter::<T>();
    let value = values.next()?.ok()?;
    Some((value, at + values.byte_offset()))
}

#[must_use]
pub fn behind_blanks(text: &[u8], at: usize, separators: &[u8]) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace() || separators.contains(byte)).count()
}

/// Where the value of an object stands whose key begins here, and where the object ends; none where it is another object.
fn held(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let (key, end) = value::<String>(text, at)?;
    let (_, is_number) = KEYS.iter().find(|(known, _)| *known == key)?;
    let colon = behind_blanks(text, end, b"");
    let begin = behind_blanks(text, colon + 1, b"");
    let (held, behind) = (text.get(colon) == Some(&b':')).then(|| value::<Value>(text, begin))??;
    let end = behind_blanks(text, behind, b"");
    let is_meant = text.get(end) == Some(&b'}') && (held.is_string() || held.is_number());
    let is_quoted_number = *is_number && held.as_str().is_some_and(|text| text.parse::<serde_json::Number>().is_ok());
    let quotes = usize::from(is_quoted_number);
    is_meant.then_some((begin + quotes..behind - quotes, end + 1))
}

#[cfg(test)]
mod tests {
    #[test]
    fn other_objects_and_texts_stay() {
        for text in [
            r#"{"a": {"$other": 1}}"#,
            r#"{"a": {"$oid": "x", "b": 1}}"#,
            r#"{"a": "{\"$oid\": 1}"}"#,
            "{\"$oid",
            "{\"$date\":",
        ] {
            let mut bytes = text.as_bytes().to_vec();
            super::unwrap(&mut bytes);
            assert_eq!(bytes, text.as_bytes());
        }
    }
}

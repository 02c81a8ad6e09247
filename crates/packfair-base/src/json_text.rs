//! Texts of JSON as people and programs write them, made what the standard has: without comments and commas behind the last
//! member (JSONC, JSON5), without marks between texts (RFC 7464), with numbers that JSON has. Each line stays where it is.

use crate::front_end::{as_json, is_python};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::ops::Range;

/// What stands before each record of a sequence of texts (RFC 7464).
const RECORD_SEPARATOR: u8 = 0x1e;

/// What Python writes for numbers that JSON does not have, and what stands for nothing and is as long.
const NO_NUMBERS: [(&[u8], &[u8]); 3] = [(b"-Infinity", b"       -1"), (b"Infinity", b"      -1"), (b"NaN", b" -1")];

/// Whether a text that begins so is JSON: an object, or a list of objects, of lists or of texts.
#[must_use]
pub fn is_json(mut head: Vec<u8>) -> bool {
    blank_out_marks(&mut head);
    let mut bytes = head.iter().filter(|byte| !byte.is_ascii_whitespace());
    match bytes.next() {
        Some(b'{') => true,
        Some(b'[') => matches!(bytes.next(), Some(b'{' | b'[' | b'"')),
        _ => false,
    }
}

/// Makes a text what the standard has.
pub fn make_plain(text: &mut Vec<u8>) {
    blank_out_marks(text);
    if is_python(text) {
        *text = as_json(text);
    }
    blank_out_no_numbers(text);
    unwrap(text);
}

/// Puts blanks in place of comments, of commas behind the last member, and of marks between texts.
fn blank_out_marks(text: &mut [u8]) {
    if !may_have_marks(text) {
        return;
    }
    let mut at = 0;
    // where a comma stands that has nothing but blanks and comments behind it so far
    let mut comma = None;
    // whether nothing but blanks stands before it on its line
    let mut begins_line = true;
    while let Some(&byte) = text.get(at) {
        let end = match (byte, text.get(at + 1)) {
            (b'"' | b'\'', _) => behind_quote(text, at),
            (b'/', Some(b'/')) => blank_out(text, at, memchr::memchr(b'\n', &text[at..]).unwrap_or(text.len() - at)),
            (b'#', _) if begins_line => {
                blank_out(text, at, memchr::memchr(b'\n', &text[at..]).unwrap_or(text.len() - at))
            }
            (b'/', Some(b'*')) => match memchr::memmem::find(&text[at + 2..], b"*/") {
                Some(length) => blank_out(text, at, length + 4),
                None => at + 1,
            },
            (RECORD_SEPARATOR, _) => blank_out(text, at, 1),
            (b'}' | b']', _) => {
                if let Some(comma) = comma {
                    text[comma] = b' ';
                }
                at + 1
            }
            _ => at + 1,
        };
        let is_passed = text[at].is_ascii_whitespace();
        begins_line = byte == b'\n' || begins_line && is_passed;
        comma = if byte == b',' { Some(at) } else { comma.filter(|_| is_passed) };
        at = end;
    }
}

/// Whether there is anything that could be a mark, in texts too; most large texts have none.
fn may_have_marks(text: &[u8]) -> bool {
    let is_behind_comma = |at: usize| {
        text[..at].iter().rev().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| matches!(byte, b',' | b'/'))
    };
    let has = |mark: &[u8]| memchr::memmem::find(text, mark).is_some();
    memchr::memchr2(RECORD_SEPARATOR, b'#', text).is_some()
        || has(b"//")
        || has(b"/*")
        || memchr::memchr2_iter(b'}', b']', text).any(is_behind_comma)
}

/// The place behind the text whose quote stands at a place; one that is not closed ends with its line.
fn behind_quote(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(length) = memchr::memchr3(text[at], b'\\', b'\n', text.get(end..).unwrap_or_default()) {
        end += length + 1;
        if text[end - 1] != b'\\' {
            return end;
        }
        end += 1;
    }
    text.len()
}

/// Puts blanks in place of all but the ends of lines, and returns the place behind it.
fn blank_out(text: &mut [u8], at: usize, length: usize) -> usize {
    text[at..at + length].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    at + length
}

/// Puts what stands for nothing in place of values that are no JSON.
fn blank_out_no_numbers(text: &mut [u8]) {
    for (word, nothing) in NO_NUMBERS {
        let found: Vec<usize> = memchr::memmem::find_iter(text, word).collect();
        for at in found {
            let is_mark = |byte: Option<&u8>, marks: &[u8]| byte.is_some_and(|byte| marks.contains(byte));
            let before = text[..at].iter().rev().find(|byte| !byte.is_ascii_whitespace());
            let behind = text[at + word.len()..].iter().find(|byte| !byte.is_ascii_whitespace());
            // in a text there are letters, blanks or quotes beside it
            if is_mark(before, b":[,") && is_mark(behind, b",}]") {
                text[at..at + word.len()].copy_from_slice(nothing);
            }
        }
    }
}

// Values that MongoDB writes as objects, because JSON has no such types: `{"$numberLong": "12"}`, `{"$date": ...}`. Each stands
// for its value, so that every reader has it as JSON writes it.

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
    use super::*;

    #[test]
    fn comments_and_last_commas_are_blanks() {
        for (text, plain) in [
            ("{\"a\": 1, // one\n \"b\": [2,],\n}", "{\"a\": 1,       \n \"b\": [2 ] \n}"),
            (
                "/* jobs,\n all */ [{\"a\": \"//x, }\" , /* no */ }]",
                "        \n        [{\"a\": \"//x, }\"            }]",
            ),
            ("# jobs\n{\"a\": 'it''s, }'}", "      \n{\"a\": 'it''s, }'}"),
            ("{\"a\\\"//\": \"/*\", \"b\": 5 / 2}", "{\"a\\\"//\": \"/*\", \"b\": 5 / 2}"),
            ("\x1e{\"a\":1}\n", " {\"a\":1}\n"),
            ("{\"open: 1,\n\"a\": 1,}", "{\"open: 1,\n\"a\": 1 }"),
        ] {
            let mut bytes = text.as_bytes().to_vec();
            blank_out_marks(&mut bytes);
            assert_eq!(String::from_utf8(bytes).unwrap(), plain, "{text}");
        }
        for damaged in ["\"", "\"\\", "/*", "/", "#", "'\\'", ",", ",]"] {
            make_plain(&mut damaged.as_bytes().to_vec());
        }
    }

    #[test]
    fn keys_may_be_words_without_quotes() {
        let mut text = b"[{id: 7, user: 'ann', at: {run: 5,},}] // all".to_vec();
        assert!(is_json(text.clone()));
        make_plain(&mut text);
        assert_eq!(std::str::from_utf8(&text).unwrap().trim(), r#"[{"id": 7, "user": "ann", "at": {"run": 5 } }]"#);
    }
}

#[cfg(test)]
mod extended_json_tests {
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

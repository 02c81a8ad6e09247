//! What Python prints of dictionaries and lists, the shell of MongoDB of documents, and JavaScript of objects, as the JSON that
//! it would be.

use crate::extended_json::behind_blanks;

/// Words for values that JSON writes otherwise.
const WORDS: [(&str, &str); 6] =
    [("None", "null"), ("True", "true"), ("False", "false"), ("nan", "null"), ("inf", "null"), ("undefined", "null")];

/// Calls in values that are otherwise JSON.
const CALLS: [&str; 4] = ["ISODate(", "NumberLong(", "NumberInt(", "ObjectId("];

/// How much of a text is looked at.
const HEAD: usize = 4_096;

/// Whether a text is of Python, JavaScript or MongoDB's shell: its first key is between single quotes or none, or a value is a
/// call.
#[must_use]
pub fn is_python(text: &[u8]) -> bool {
    let head = &text[..text.len().min(HEAD)];
    let mut begin = head.iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != b'[');
    let has = |word: &&str| head.windows(word.len()).any(|part| part == word.as_bytes());
    let is_key = |byte: &u8| *byte == b'\'' || byte.is_ascii_alphabetic() || *byte == b'_';
    begin.next() == Some(&b'{') && (begin.next().is_some_and(is_key) || CALLS.iter().any(has))
}

/// The text as JSON, with each line where it was. Calls such as `Timestamp('...')` become texts.
#[must_use]
pub fn as_json(text: &[u8]) -> Vec<u8> {
    let mut json = Vec::with_capacity(text.len() + text.len() / 8);
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\'' | b'"' => at = quoted(text, at, &mut json),
            b'(' | b')' => {
                json.push(if byte == b'(' { b'[' } else { b']' });
                at += 1;
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
                let end = at + text[at..].iter().take_while(is_of_word).count();
                let word = &text[at..end];
                if text.get(end) == Some(&b'(') {
                    at = call(text, at, end, &mut json);
                } else if text.get(behind_blanks(text, end, b"")) == Some(&b':') {
                    json.extend([b"\"", word, b"\""].concat());
                    at = end;
                } else {
                    let known = WORDS.iter().find(|(known, _)| known.as_bytes() == word);
                    json.extend_from_slice(known.map_or(word, |(_, word)| word.as_bytes()));
                    at = end;
                }
            }
            _ => {
                json.push(byte);
                at += 1;
            }
        }
    }
    json
}

/// Writes the text whose quote stands at a place, and returns the place behind it.
fn quoted(text: &[u8], at: usize, json: &mut Vec<u8>) -> usize {
    let quote = text[at];
    let mut end = at + 1;
    json.push(b'"');
    while let Some(&byte) = text.get(end).filter(|byte| **byte != quote && **byte != b'\n') {
        match (byte, text.get(end + 1)) {
            (b'\\', Some(b'\'')) => json.push(b'\''),
            (b'\\', Some(b'x')) => json.extend_from_slice(b"\\u00"),
            (b'\\', Some(&escaped)) => json.extend_from_slice(&[b'\\', escaped]),
            (b'"', _) => json.extend_from_slice(b"\\\""),
            _ => json.push(byte),
        }
        end += if byte == b'\\' { 2 } else { 1 };
    }
    json.push(b'"');
    (end + usize::from(text.get(end) == Some(&quote))).min(text.len())
}

/// Writes a call as a text, and returns the place behind it.
fn call(text: &[u8], at: usize, bracket: usize, json: &mut Vec<u8>) -> usize {
    let mut depth = 0;
    let mut end = bracket;
    while let Some(&byte) = text.get(end).filter(|byte| **byte != b'\n') {
        end += 1;
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    let shown = text[at..end].iter().map(|byte| if *byte == b'"' { b'\'' } else { *byte });
    json.push(b'"');
    json.extend(shown.filter(|byte| *byte != b'\\'));
    json.push(b'"');
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_prints_is_json() {
        for (shown, json) in [
            ("{'id': 7, 'user': None, 'ok': True}", r#"{"id": 7, "user": null, "ok": true}"#),
            ("[{'name': \"o'b\", 'x': 'a\"b'}]", r#"[{"name": "o'b", "x": "a\"b"}]"#),
            (r"{'name': 'o\'b \xe9'}", r#"{"name": "o'b \u00e9"}"#),
            (
                "{'at': datetime.datetime(2026, 1, 5, 10, 0), 'n': np.int64(4)}",
                r#"{"at": "datetime.datetime(2026, 1, 5, 10, 0)", "n": "np.int64(4)"}"#,
            ),
            ("{\"at\": ISODate(\"2026-01-05T10:00:00Z\")}", r#"{"at": "ISODate('2026-01-05T10:00:00Z')"}"#),
            ("{'nodes': ('a', 'b'), 'v': nan}", r#"{"nodes": ["a", "b"], "v": null}"#),
        ] {
            assert!(is_python(shown.as_bytes()), "{shown}");
            assert_eq!(String::from_utf8(as_json(shown.as_bytes())).unwrap(), json);
        }
        for other in ["{\"id\": 7}", "[]", "[[1]]", "", "{"] {
            assert!(!is_python(other.as_bytes()), "{other}");
        }
        for damaged in ["{'a': '", "{'a': f(", "{'a\\", "{'a': 'x\n'}"] {
            let _ = as_json(damaged.as_bytes());
        }
    }
}

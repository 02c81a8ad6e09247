//! What sentences name that a person does, in the words of each front end.
//!
//! A sentence is written once, in the words of the command line: an option is `--option`, and with a value `--option=value`;
//! behind a space stands a value only where it shows that it is one: a number, text in quotes, `NAME`, `field=column`. What is
//! done on the page alone is the last part of a sentence: `, or ... on the page`. A front end with other words has its
//! sentences made by [`in_keywords`].

use crate::json_text::behind_blanks;

/// What ends a part of a sentence that is for the page alone, and what begins it.
const ON_THE_PAGE: (&str, &str) = (", or ", " on the page");

/// A keyword that stands for an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyword {
    /// Its name.
    pub name: String,
    /// Whether it is on or off, and takes no other value.
    pub is_switch: bool,
}

/// A sentence in the words of a front end of keyword arguments: `--option=value` is `option="value"`. What `keyword` does not
/// know is another program's option, and stays.
pub fn in_keywords(sentence: &str, keyword: impl Fn(&str) -> Option<Keyword>) -> String {
    let sentence = without_page(sentence);
    let (mut told, mut rest) = (String::with_capacity(sentence.len()), sentence.as_str());
    while let Some(at) = rest.find("--") {
        let is_begin =
            rest[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || "(\"'`".contains(before));
        let after = &rest[at + 2..];
        let length = after.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(after.len());
        let found = Some(&after[..length]).filter(|name| is_begin && !name.is_empty()).and_then(&keyword);
        let Some(Keyword { name, is_switch }) = found else {
            told.push_str(&rest[..at + 2]);
            rest = after;
            continue;
        };
        told.push_str(&rest[..at]);
        told.push_str(&name);
        rest = &after[length..];
        if is_switch {
            told.push_str("=True");
        } else if let Some((value, behind)) = value(rest) {
            told.push('=');
            told.push_str(&as_literal(value));
            rest = behind;
        }
    }
    told + rest
}

/// The sentence without what is done on the page.
fn without_page(sentence: &str) -> String {
    let (begin, end) = ON_THE_PAGE;
    let mut told = sentence.to_owned();
    while let Some(to) = told.find(end)
        && let Some(from) = told[..to].rfind(begin)
    {
        told.replace_range(from..to + end.len(), "");
    }
    told
}

/// The value behind an option's name, and what follows it.
fn value(rest: &str) -> Option<(&str, &str)> {
    let is_joined = rest.starts_with('=');
    let text = rest.strip_prefix(['=', ' '])?;
    if let Some(quoted) = text.strip_prefix('"') {
        let end = quoted.find('"')? + 2;
        return Some(text.split_at(end));
    }
    let end = text.find(|letter: char| letter.is_whitespace() || ")\"'`".contains(letter)).unwrap_or(text.len());
    let word = text[..end].trim_end_matches([',', ';', ':', '.']);
    let shows = word.starts_with(|first: char| first.is_ascii_digit()) || word.contains('=') || is_placeholder(word);
    (!word.is_empty() && (is_joined || shows)).then(|| text.split_at(word.len()))
}

/// Whether it stands for a value that somebody has to give.
fn is_placeholder(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn as_literal(value: &str) -> String {
    if value.starts_with('"') || value.parse::<f64>().is_ok() || is_placeholder(value) {
        value.to_owned()
    } else {
        format!("\"{value}\"")
    }
}

// What Python prints of dictionaries and lists, the shell of MongoDB of documents, and JavaScript of objects, as the JSON that
// it would be.

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

    fn told(sentence: &str) -> String {
        in_keywords(sentence, |option| {
            let known =
                ["columns", "procs", "unit", "now", "max-jobs", "accept-losses", "slurm", "scheduler", "feedback"];
            let name = if option == "scheduler" { "schedulers".to_owned() } else { option.replace('-', "_") };
            known.contains(&option).then(|| Keyword { name, is_switch: option == "accept-losses" })
        })
    }

    #[test]
    fn options_are_keywords() {
        for (sentence, keywords) in [
            ("say which (--columns \"submit=2,end=4\"), or not", "say which (columns=\"submit=2,end=4\"), or not"),
            ("as in --columns submit=2,start=3; or", "as in columns=\"submit=2,start=3\"; or"),
            ("--procs 0: it takes more", "procs=0: it takes more"),
            ("leave --procs out", "leave procs out"),
            ("(leave out --feedback)", "(leave out feedback)"),
            ("(--unit=nodes)", "(unit=\"nodes\")"),
            ("(--now TIME, or more)", "(now=TIME, or more)"),
            ("go on: --accept-losses", "go on: accept_losses=True"),
            ("or raise the limit with --max-jobs", "or raise the limit with max_jobs"),
            ("--scheduler=slurm:a=3", "schedulers=\"slurm:a=3\""),
            ("--slurm says how many", "slurm says how many"),
        ] {
            assert_eq!(told(sentence), keywords);
        }
    }

    #[test]
    fn options_of_other_programs_stay() {
        for sentence in ["the output of sacct --json", "sbatch --constraint=a|b", "a--procs", "diff --- a", "--", "ü--"]
        {
            assert_eq!(told(sentence), sentence);
        }
    }

    #[test]
    fn what_is_done_on_the_page_is_left_out() {
        assert_eq!(told("give it with --slurm, or drop it on the page."), "give it with slurm.");
        assert_eq!(told("a, b on the page"), "a, b on the page");
        assert_eq!(told("say it, or write it on the page, or draw it on the page"), "say it");
    }
}

#[cfg(test)]
mod python_tests {
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

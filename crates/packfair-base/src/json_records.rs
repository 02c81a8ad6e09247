//! The records of a text of JSON one after the other, also where some of it is damaged: of that the record is lost that is
//! damaged, and those behind it are read. The text is a list, an object with a list `jobs` (or `data`, `results` and their
//! like), or several of these or of the records themselves, one behind the other.

use crate::json_text::{behind_blanks, value};
use serde::de::{DeserializeOwned, IgnoredAny};
use std::marker::PhantomData;

const LIST: &str = "jobs";

/// Other names of a list of records that is all that a text has.
const OTHER_LISTS: [&str; 6] = ["hits", "data", "records", "results", "items", "rows"];

/// The records of a text: each with its line, and as it stands there where it is damaged or no `T`.
pub struct Records<'a, T> {
    text: &'a [u8],
    at: usize,
    lines: LineNumbers<'a>,
    within: Within,
    /// The name of the list, if the text can have one at all.
    list: Option<&'static str>,
    begin: Option<Begin>,
    of: PhantomData<T>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// Values one behind the other.
    Text,
    List,
    /// The list that is a value of an object.
    NamedList,
    /// The list that is a value of an object in the only object of the text.
    InnerList,
}

/// How records begin: by their first key, and how far from the begin of a line where they begin lines.
struct Begin {
    key: Vec<u8>,
    indent: Option<usize>,
}

/// What is found in an object.
enum Member {
    /// The list of records, which begins here.
    List(usize),
    /// Nothing but other members, up to here.
    End(usize),
    Damaged,
}

impl<'a, T> Records<'a, T> {
    pub fn of(text: &'a [u8]) -> Self {
        Records {
            text,
            at: 0,
            lines: LineNumbers::of(text),
            within: Within::Text,
            list: name_of_list(text),
            begin: None,
            of: PhantomData,
        }
    }

    fn skip(&mut self, separators: &[u8]) {
        let is_skipped = |byte: &u8| byte.is_ascii_whitespace() || separators.contains(byte);
        self.at += self.text[self.at..].iter().take_while(|byte| is_skipped(byte)).count();
    }

    /// Those of the list whose first is at this place.
    pub fn in_list(text: &'a [u8], at: usize) -> Self {
        let lines = LineNumbers::of(text);
        Records { text, at, lines, within: Within::InnerList, list: None, begin: None, of: PhantomData }
    }

    /// Whether the text has a list of records by its name.
    pub fn are_in_list(&self) -> bool {
        self.list.is_some()
    }

    /// Looks for the list of records among the members of an object, of which the next begins here.
    fn member(&self, mut at: usize) -> Member {
        loop {
            at = behind_blanks(self.text, at, b",");
            if self.text.get(at) == Some(&b'}') {
                return Member::End(at + 1);
            }
            let Some((name, end)) = value::<String>(self.text, at) else { return Member::Damaged };
            let colon = behind_blanks(self.text, end, b"");
            if self.text.get(colon) != Some(&b':') {
                return Member::Damaged;
            }
            let begin = behind_blanks(self.text, colon + 1, b"");
            if self.list == Some(name.as_str()) && self.text.get(begin) == Some(&b'[') {
                return Member::List(begin + 1);
            }
            let Some((_, end)) = value::<IgnoredAny>(self.text, begin) else { return Member::Damaged };
            at = end;
        }
    }

    /// Goes into the object that begins here if it holds the list. Returns whether it does.
    fn enter(&mut self) -> bool {
        let mut within = Within::NamedList;
        let list = match self.member(self.at + 1) {
            Member::List(list) => Some(list),
            Member::End(end) if behind_blanks(self.text, end, b"") < self.text.len() => None,
            Member::End(_) => {
                within = Within::InnerList;
                self.list.and_then(|name| list_in(self.text, self.at, name)).filter(|&at| begins_object(self.text, at))
            }
            Member::Damaged => {
                let list = self.list.and_then(|name| list_in(self.text, self.at, name));
                // looked for once: a text may have many damaged objects
                self.list = self.list.filter(|_| list.is_some());
                list
            }
        };
        if let Some(list) = list {
            (self.at, self.within) = (list, within);
        }
        list.is_some()
    }

    /// Goes out of the list that ends here.
    fn leave(&mut self) {
        self.at += 1;
        match self.within {
            Within::Text | Within::List => {}
            Within::NamedList => {
                self.at = match self.member(self.at) {
                    Member::End(end) => end,
                    Member::List(_) | Member::Damaged => self.text.len(),
                };
            }
            Within::InnerList => self.at = self.text.len(),
        }
        self.within = Within::Text;
    }

    /// Keeps how the first record begins, and how far from the begin of its line one of the first does that begins one.
    fn keep_begin(&mut self) {
        if self.text.get(self.at) != Some(&b'{') {
            return;
        }
        let own = indent(self.text, self.at);
        match &mut self.begin {
            Some(begin) => begin.indent = begin.indent.or(own),
            None => {
                let key = behind_blanks(self.text, self.at + 1, b"");
                let end = value::<String>(self.text, key).map_or(key, |(_, end)| end);
                self.begin = Some(Begin { key: self.text[key..end].to_vec(), indent: own });
            }
        }
    }

    /// Where a record that ends here has another in it, because its own end is missing and that of a list is taken for it.
    fn swallowed(&self, begin: usize, end: usize) -> Option<usize> {
        let indent = self.begin.as_ref()?.indent?;
        let begins = |at: &usize| {
            let blanks = self.text[*at..end].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            blanks == indent && self.text.get(at + blanks) == Some(&b'{')
        };
        let lines = memchr::memchr_iter(b'\n', &self.text[begin..end]).map(|at| begin + at + 1);
        lines.into_iter().find(begins).map(|at| at + indent)
    }

    /// The place behind `from` at which another record begins; the end of the text where none does.
    fn next_begin(&self, from: usize) -> usize {
        let begins = |&at: &usize| {
            let own = indent(self.text, at);
            let Some(begin) = &self.begin else { return own.is_some() };
            let key = behind_blanks(self.text, at + 1, b"");
            let before = self.text[..at].iter().rev().find(|byte| !byte.is_ascii_whitespace());
            let is_value = before.is_none_or(|byte| matches!(byte, b',' | b'[' | b'}' | b']')) || own.is_some();
            let has_key = !begin.key.is_empty() && self.text[key..].starts_with(&begin.key);
            (is_value && has_key) || (own.is_some() && own == begin.indent)
        };
        memchr::memchr_iter(b'{', &self.text[from..]).map(|at| from + at).find(begins).unwrap_or(self.text.len())
    }
}

impl<'a, T: DeserializeOwned> Iterator for Records<'a, T> {
    type Item = (u32, Result<T, &'a [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.skip(b",}");
            match self.text.get(self.at)? {
                b']' => self.leave(),
                b'[' if self.within == Within::Text => {
                    self.at += 1;
                    self.within = Within::List;
                }
                b'{' if self.within == Within::Text && self.list.is_some() && self.enter() => {}
                _ => break,
            }
        }
        self.keep_begin();
        let begin = self.at;
        let line = self.lines.at(begin);
        let found = value::<T>(self.text, begin);
        let end = found.as_ref().map(|(_, end)| *end).or_else(|| Some(value::<IgnoredAny>(self.text, begin)?.1));
        // what has a colon behind it is a name in an object whose bracket is missing
        let end = end.filter(|&end| self.text.get(behind_blanks(self.text, end, b"")) != Some(&b':'));
        let end = match end {
            None => self.next_begin(begin + 1),
            Some(end) => match self.swallowed(begin, end) {
                Some(next) => next,
                None => {
                    if let Some((record, end)) = found {
                        self.at = end;
                        return Some((line, Ok(record)));
                    }
                    end
                }
            },
        };
        self.at = end;
        Some((line, Err(self.text[begin..end].trim_ascii())))
    }
}

/// Counts the lines of a text from front to back.
pub struct LineNumbers<'a> {
    text: &'a [u8],
    /// The place up to which lines are counted, and its line.
    counted: (usize, u32),
}

impl<'a> LineNumbers<'a> {
    pub fn of(text: &'a [u8]) -> Self {
        LineNumbers { text, counted: (0, 1) }
    }

    /// The line of a place that is not before those that were asked for.
    pub fn at(&mut self, at: usize) -> u32 {
        let (from, line) = self.counted;
        let more = memchr::memchr_iter(b'\n', &self.text[from..at]).count();
        // a text of 2^32 lines is no text
        self.counted = (at, line.saturating_add(u32::try_from(more).unwrap_or(u32::MAX)));
        self.counted.1
    }
}

/// How far from the begin of its line a place is that has only blanks before it.
fn indent(text: &[u8], at: usize) -> Option<usize> {
    let blanks = text[..at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let begins_line = at == blanks || text[at - blanks - 1] == b'\n';
    begins_line.then_some(blanks)
}

/// The name of the list of records that a text may have.
fn name_of_list(text: &[u8]) -> Option<&'static str> {
    if list_in(text, 0, LIST).is_some() {
        return Some(LIST);
    }
    let has_objects = |name: &&str| list_in(text, 0, name).is_some_and(|begin| begins_object(text, begin));
    let name = OTHER_LISTS.into_iter().find(has_objects)?;
    // one of several objects may itself be a record with such a list
    let begin = behind_blanks(text, 0, b"");
    let end = value::<IgnoredAny>(text, begin).filter(|_| text[begin] == b'{').map(|(_, end)| end);
    end.filter(|&end| behind_blanks(text, end, b"") == text.len()).map(|_| name)
}

fn begins_object(text: &[u8], at: usize) -> bool {
    text.get(behind_blanks(text, at, b"")) == Some(&b'{')
}

/// The place behind the bracket with which the list of records begins, by its name.
fn list_in(text: &[u8], from: usize, name: &str) -> Option<usize> {
    values_of(text, from, name, |at| text.get(at) == Some(&b'[')).map(|at| at + 1)
}

/// Where the value of the first member of this name begins, in whichever object.
pub fn value_of(text: &[u8], from: usize, name: &str) -> Option<usize> {
    values_of(text, from, name, |_| true)
}

/// Where the value of the first member of this name begins that is meant.
fn values_of(text: &[u8], from: usize, name: &str, is_meant: impl Fn(usize) -> bool) -> Option<usize> {
    let quoted = format!("\"{name}\"");
    let behind_colon = |at: usize| {
        let colon = behind_blanks(text, from + at + quoted.len(), b"");
        let value = (text.get(colon) == Some(&b':')).then(|| behind_blanks(text, colon + 1, b""));
        value.filter(|&at| is_meant(at))
    };
    memchr::memmem::find_iter(text.get(from..)?, quoted.as_bytes()).find_map(behind_colon)
}

/// The value of the first member of this name, in whichever object.
pub fn member_of<T: DeserializeOwned>(text: &[u8], name: &str) -> Option<T> {
    value_of(text, 0, name).and_then(|at| value(text, at)).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The numbers of the records, and the lines of those that are damaged.
    fn seen(text: &str) -> (Vec<i64>, Vec<u32>) {
        let (mut found, mut lost) = (Vec::new(), Vec::new());
        for (line, record) in Records::<Value>::of(text.as_bytes()) {
            match record {
                Ok(record) if record.is_object() => found.push(record["id"].as_i64().unwrap_or(-1)),
                _ => lost.push(line),
            }
        }
        (found, lost)
    }

    #[test]
    fn records_are_found_wherever_they_stand() {
        let (one, two, three) =
            ("{\"id\": 1, \"at\": {\"id\": 9}}", "{\"id\": 2}", "{\"id\": 3, \"x\": [{\"id\": 9}]}");
        for text in [
            format!("[{one}, {two},\n{three}]"),
            format!("{one}\n{two}\n\n{three}\n"),
            format!("{one}{two}{three}"),
            format!("{{\"meta\": {{\"a\": [1]}}, \"jobs\": [{one}, {two}, {three}], \"errors\": []}}"),
            format!("{{\"jobs\": [{one}], \"meta\": 1}}\n{{\"jobs\": []}}\n{{\"jobs\": [{two}, {three}]}}\n"),
            format!("{{\"meta\": {{\"a\": nothing}}, \"jobs\": [{one}, {two}, {three}]}}"),
            format!("[{one}]\n[{two}]\n{three}"),
            format!("{{\"schema\": {{\"fields\": [{{\"name\": \"id\"}}]}}, \"data\": [{one}, {two}, {three}]}}"),
            format!("{{\"total\": 3, \"results\": [{one}, {two}, {three}]}}"),
        ] {
            assert_eq!(seen(&text), (vec![1, 2, 3], vec![]), "{text}");
        }
        let with_items = [1, 2].map(|id| format!("{{\"id\": {id}, \"items\": [{{\"id\": 9}}]}}"));
        assert_eq!(seen(&with_items.join("\n")), (vec![1, 2], vec![]));
        for text in ["", "[]", "{\"jobs\": []}", "  \n"] {
            assert_eq!(seen(text), (vec![], vec![]), "{text}");
        }
        assert_eq!(seen(&format!("[{one}, 7, \"a\", null, [4, 5], {two}]")), (vec![1, 2], vec![1; 4]));
    }

    #[test]
    fn one_damaged_record_costs_itself() {
        let record = |id: u32| {
            format!("{{\"id\": {id}, \"user\": \"ann\", \"at\": {{\"submit\": 5}}, \"steps\": [{{\"n\": 1}}]}}")
        };
        let whole = record(2);
        // without lines a list that is not closed holds all that follows
        let is_open = |length: usize| {
            whole[..length].ends_with("1},") || whole[..length].ends_with("[") || whole[..length].ends_with("1}")
        };
        for length in 1..whole.len() {
            for between in [",\n", ", ", "\n"].into_iter().filter(|between| *between != ", " || !is_open(length)) {
                let records = [record(1), whole[..length].to_owned(), record(3), record(4)];
                let text = records.join(between);
                let texts = if between == "\n" {
                    vec![text]
                } else {
                    vec![format!("[{text}]"), format!("{{\"jobs\": [{text}], \"meta\": {{}}}}")]
                };
                for text in texts {
                    let line = if between == ", " { 1 } else { 2 };
                    assert_eq!(seen(&text), (vec![1, 3, 4], vec![line]), "{text}");
                }
            }
        }
        for at in 0..whole.len() {
            let damaged = format!("{}{}", &whole[..at], &whole[at + 1..]);
            let text = format!("[{},\n{damaged},\n{}]", record(1), record(3));
            let (found, lost) = seen(&text);
            // without a letter of a name it is a record still
            assert!(
                found.first() == Some(&1) && found.last() == Some(&3) && found.len() + lost.len() == 3,
                "{text}: {found:?}"
            );
        }
        let printed =
            serde_json::to_string_pretty(&[1, 2, 3].map(|id| serde_json::from_str::<Value>(&record(id)).unwrap()))
                .unwrap();
        let (found, lost) = seen(&printed[..printed.len() - 20]);
        assert_eq!((found.len(), lost.len()), (2, 1), "the end is missing");
    }
}

//! Values that MongoDB writes as objects, because JSON has no such types: `{"$numberLong": "12"}`, `{"$date": ...}`. Each stands
//! for its value, so that every reader has it as JSON writes it.

use super::objects::{behind_blanks, value};
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
pub(crate) fn unwrap(text: &mut [u8]) {
    let found: Vec<usize> = memchr::memmem::find_iter(text, b"\"$").collect();
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
    use crate::reading::read;

    #[test]
    fn what_mongoexport_writes_is_read_as_json_has_it() {
        let relaxed = r#"{"_id":{"$oid":"65a0"},"job_id":12,"submit":{"$date":"2026-01-05T10:00:00Z"},"start":{"$date":"2026-01-05T10:01:00.000Z"},"end":{"$date":"2026-01-05T10:11:00Z"},"cpus":4,"user":"ann","time_limit":900}"#;
        let canonical = r#"{"_id":{"$oid":"65a0"},"job_id":{"$numberInt":"12"},"submit":{"$date":{"$numberLong":"1767607200000"}},"start":{"$date":{"$numberLong":"1767607260000"}},"end":{"$date":{"$numberLong":"1767607860000"}},"cpus":{"$numberLong":"4"},"user":"ann","time_limit":{"$numberDouble":"900.0"},"more":{"$numberDouble":"NaN"}}"#;
        let pretty = canonical.replace(",\"", ",\n \"").replace(":{", " :\n  { ");
        for text in [relaxed.to_owned(), canonical.to_owned(), pretty, format!("[{relaxed},\n{canonical}]")] {
            let log = read("jobs.json", text.as_bytes()).unwrap();
            for r in &log.records {
                let seen = (r.number, r.submit, r.wait, r.run, r.requested, r.requested_time);
                assert_eq!(seen, (12, 0, 60, 600, 4, 900), "{text}");
            }
            assert_eq!((log.header.unix_start(), log.names.users.join(",")), (Some(1_767_607_200), "ann".into()));
        }
        let batsim = r#"{"nb_res": {"$numberInt":"32"}, "jobs": [{"id":{"$numberInt":"1"},"subtime":{"$numberDouble":"5.0"},"res":{"$numberLong":"4"},"profile":"a"}],
            "profiles": {"a":{"type":"delay","delay":{"$numberInt":"20"}}}}"#;
        assert_eq!(read("w.json", batsim.as_bytes()).unwrap().records[0].run, 20);
    }

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

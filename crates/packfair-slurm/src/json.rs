//! JSON that `scontrol --json`, `sacctmgr --json` and slurmrestd write of a site, as the texts that the same commands print
//! without it: one way through the readers.
//!
//! Names of fields differ from version to version, and numbers are plain or `{"set": true, "infinite": false, "number": 5}`.

mod lists;
#[cfg(test)]
mod tests;

use self::lists::{associations, configuration, licences, nodes, partitions, qos, reservations};
use serde_json::Value;

/// Makes the text that stands for a list.
type ListText = fn(&[Value]) -> String;

/// The lists of a site that are read, and the text of each; the others have no text here.
const LISTS: [(&str, ListText); 6] = [
    ("partitions", partitions),
    ("nodes", nodes),
    ("reservations", reservations),
    ("licenses", licences),
    ("qos", qos),
    ("associations", associations),
];

/// What a text of JSON has at its top.
pub(super) fn keys(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut at) = (0_u32, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let begin = at + 1;
                at = begin;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                let is_key = text.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with(':'));
                if depth == 1 && is_key {
                    found.extend(text.get(begin..at));
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Whether a text is JSON of a site that is read.
pub(super) fn is_read(text: &str) -> bool {
    let text = text.trim_start();
    let is_one = |key: &&str| ["slurm_conf", "shares"].contains(key) || LISTS.iter().any(|(list, _)| list == key);
    text.starts_with('{') && keys(text).iter().any(is_one)
}

/// The texts that stand for a text of JSON, none of them empty; none where it is none that is read.
///
/// # Errors
/// If it is broken: where.
pub(super) fn texts(text: &str) -> Result<Option<Vec<String>>, String> {
    if !is_read(text) {
        return Ok(None);
    }
    let whole: Value = serde_json::from_str(text)
        .map_err(|fault| format!("line {}, column {}: {fault}", fault.line(), fault.column()))?;
    let mut found: Vec<String> = Vec::new();
    if let Some(Value::Object(keys)) = whole.get("slurm_conf") {
        found.push(configuration(keys));
    }
    // an object around the list
    if let Some(Value::Array(items)) = whole.get("shares").and_then(|own| own.get("shares"))
        && !items.is_empty()
    {
        found.push(lists::shares(items));
    }
    for (list, text) in LISTS {
        match whole.get(list) {
            Some(Value::Array(items)) if !items.is_empty() => found.push(text(items)),
            _ => {}
        }
    }
    Ok(Some(found))
}

/// The value at a path such as `maximums/time`; of several paths the first that is there.
fn at<'a>(item: &'a Value, paths: &[&str]) -> Option<&'a Value> {
    paths.iter().find_map(|path| path.split('/').try_fold(item, |value, key| value.get(key)).filter(|v| !v.is_null()))
}

/// A number that is set: `None` inside for one without bound.
fn number(value: &Value) -> Option<Option<f64>> {
    let is = |key: &str| value.get(key).and_then(Value::as_bool);
    match value {
        Value::Object(_) if is("infinite") == Some(true) => Some(None),
        Value::Object(_) if is("set") == Some(false) => None,
        Value::Object(own) => number(own.get("number")?),
        Value::String(text) => text.parse().ok().map(Some),
        value => {
            let plain = value.as_f64()?;
            let whole = value.as_u64().or_else(|| (plain.fract() == 0.0 && plain >= 0.0).then_some(plain as u64));
            // NO_VAL and INFINITE of 16, 32 and 64 bits
            match whole {
                Some(0xfffe | 0xffff_fffe | 0xffff_ffff_ffff_fffe) => None,
                Some(0xffff | 0xffff_ffff | u64::MAX) => Some(None),
                _ if plain < 0.0 => Some(None),
                _ => Some(Some(plain)),
            }
        }
    }
}

/// A value as Slurm's texts have it; empty where nothing is set. Lists of words are joined by commas.
fn text(value: &Value) -> String {
    let plain = match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().any(|item| item.get("type").is_some()) => return tres(items),
        Value::Array(items) => items.iter().map(text).filter(|item| !item.is_empty()).collect::<Vec<_>>().join(","),
        Value::Bool(is_so) => if *is_so { "YES" } else { "NO" }.to_owned(),
        value => match number(value) {
            Some(Some(number)) => number.to_string(),
            Some(None) => "UNLIMITED".to_owned(),
            None => String::new(),
        },
    };
    // no value has another line, or the sign that parts columns
    plain.replace(['\n', '\r', '|'], " ")
}

/// Amounts of resources, `cpu=8,gres/gpu:a100=2`.
fn tres(items: &[Value]) -> String {
    let one = |item: &Value| {
        let word = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
        let count = number(item.get("count")?)??;
        let kind = word("type");
        Some(match word("name") {
            "" if kind == "mem" => format!("mem={count}M"),
            "" => format!("{kind}={count}"),
            name => format!("{kind}/{name}={count}"),
        })
    };
    items.iter().filter_map(one).collect::<Vec<_>>().join(",")
}

/// A moment, seconds since 1970, as Slurm writes it.
fn moment(value: &Value) -> Option<String> {
    let seconds = number(value)?? as i64;
    Some(chrono::DateTime::from_timestamp(seconds, 0)?.format("%Y-%m-%dT%H:%M:%S").to_string())
}

/// The words of a list of flags, in upper case.
fn flags(item: &Value, paths: &[&str]) -> Vec<String> {
    let value = at(item, paths).map(text).unwrap_or_default();
    value.split(',').filter(|flag| !flag.is_empty()).map(str::to_ascii_uppercase).collect()
}

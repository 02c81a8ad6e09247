//! Names of fields that are ordinary words, too: what the values are tells that a column means something else by one.

use super::log_column::LogColumn;
use super::value::number;

/// Words whose column may hold anything: `size` may be bytes, `timeout` whether a job was ended by its limit.
const ANYTHING: [&str; 5] = ["timeout", "request", "size", "width", "res"];

/// Words that may say whether something has come to pass.
const PARTICIPLES: [&str; 5] = ["completed", "finished", "started", "stopped", "ended"];

/// More processors than any machine has.
const TOO_MANY: u32 = 20_000_000;

/// Whether a word holds anything, so that it has to hold values of the field.
pub(super) fn may_hold_anything(name: &str) -> bool {
    ANYTHING.contains(&name)
}

/// Whether the known values of a column of this name, among others, are none of a field, whatever it is called.
pub(super) fn means_other(name: &str, names: &[String], field: LogColumn, values: &[&[u8]]) -> bool {
    let all = |is: &dyn Fn(&[u8]) -> bool| !values.is_empty() && values.iter().all(|value| is(value));
    let is_word = |value: &[u8], words: &str| words.split(' ').any(|word| word.as_bytes().eq_ignore_ascii_case(value));
    let are_true_or_false = || all(&|value| is_word(value, "true false yes no t f y n"));
    let are_bits = || PARTICIPLES.contains(&name) && all(&|value| is_word(value, "0 1 0.0 1.0"));
    let are_memory = || all(&|value| is_memory(value));
    let are_too_many = || all(&|value| number(value).is_some_and(|count| count > TOO_MANY));
    match field {
        LogColumn::Limit if are_memory() => true,
        // beside the time of the user's own code it is that of the system
        LogColumn::Start if name == "stime" && names.iter().any(|other| other == "utime") => true,
        LogColumn::Processors => may_hold_anything(name) && are_too_many(),
        _ => field.is_of_time() && (are_true_or_false() || are_bits()),
    }
}

/// Whether a value is an amount of memory: `16G`, `4000MB`, `1.5 GiB`.
fn is_memory(value: &[u8]) -> bool {
    let text = String::from_utf8_lossy(value).to_ascii_uppercase();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim();
    let is_unit = |unit: &str| unit.len() == 1 && "KMGT".contains(unit);
    text.starts_with(|c: char| c.is_ascii_digit())
        && unit.len() < text.len()
        && (is_unit(unit) && unit != "M"
            || unit.strip_suffix('B').is_some_and(|unit| is_unit(unit.trim_end_matches('I'))))
}

#[cfg(test)]
mod tests {
    use crate::reading::read;

    #[test]
    fn columns_that_mean_something_else_by_a_word_are_no_field() {
        let of = |name: &str, values: [&str; 2]| {
            let text = format!(
                "id,submit,begin,run,nodes,utime,{name}\n1,1767607200,1767607260,600,4,5.5,{}\n2,1767607200,1767607260,600,4,7.5,{}\n",
                values[0], values[1]
            );
            let log = read("t.csv", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert!(log.account.entries().is_empty(), "{text}: {:?}", log.account.entries());
            let r = &log.records[0];
            (r.wait, r.run, r.requested, r.requested_time)
        };
        for (name, values) in [
            ("finished", ["True", "False"]),
            ("completed", ["yes", "no"]),
            ("ended", ["1", "0"]),
            ("started", ["1", "1"]),
            ("limit", ["16G", "32 GB"]),
            ("request", ["cpu=4", "cpu=8"]),
            ("size", ["123456789", "987654321"]),
            ("size", ["large", "small"]),
            ("stime", ["3.25", "5.5"]),
        ] {
            assert_eq!(of(name, values), (60, 600, 4, -1), "{name}");
        }
        assert_eq!(of("limit", ["900", "1800"]).3, 900);
        assert_eq!(of("limit", ["15m", "30m"]).3, 900);
        assert_eq!(of("size", ["16", "32"]).2, 16);
    }
}

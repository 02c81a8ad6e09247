//! What the columns of a table hold, as the user states it where their names do not tell.

use super::super::numbers::is_unknown;
use super::value::number;
use crate::{Fingerprint, Seconds};
use LogColumn::*;
use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use xxhash_rust::xxh3::Xxh3;

/// How the values of a column are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueForm {
    /// As they look: dates, seconds since 1970, durations as `1-02:03:04`, whole numbers of seconds.
    #[default]
    AsItLooks,
    /// Numbers whose unit is this many thousandths of a second: 1 for milliseconds, 60,000 for minutes.
    Thousandths(u32),
    /// Dates by a pattern such as `%d.%m.%Y %H:%M`, in UTC.
    Date(String),
    /// Days as spreadsheets count them, with the time as their decimals: 46027.4375 is 2026-01-05 10:30.
    SerialDays,
    /// Energies whose unit is this many joules: 3,600 for watt-hours.
    Joules(u32),
}

/// What a spreadsheet's number of the day of the Unix time 0 is.
const DAY_OF_UNIX_ZERO: f64 = 25_569.0;

/// How [`ValueForm::SerialDays`] is stated.
const SERIAL_DAYS: &str = "excel";

/// Units of numbers, in thousandths of a second.
const UNITS: [(&str, u32); 5] = [("ms", 1), ("s", 1_000), ("min", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// Units of energy, in joules.
const ENERGY_UNITS: [(&str, u32); 5] = [("J", 1), ("kJ", 1_000), ("MJ", 1_000_000), ("Wh", 3_600), ("kWh", 3_600_000)];

impl ValueForm {
    /// How many joules the unit of an energy is.
    pub(super) fn joules(&self) -> u32 {
        if let ValueForm::Joules(unit) = self { *unit } else { 1 }
    }

    /// The seconds of a field with a time or a duration. `Some(None)`: the field is not of this form. `None`: the form
    /// is [`ValueForm::AsItLooks`], and the caller has to read the field.
    pub(super) fn seconds(&self, field: &[u8]) -> Option<Option<Seconds>> {
        if matches!(self, ValueForm::AsItLooks) {
            return None;
        }
        let text = std::str::from_utf8(field).unwrap_or_default().trim();
        match self {
            ValueForm::AsItLooks | ValueForm::Joules(_) => None,
            ValueForm::Thousandths(unit) => {
                Some(in_sixtieths(text).filter(|n| n.abs() < 1e15 && !is_unknown(field)).map(|number| {
                    let seconds = number * f64::from(*unit) / 1_000.0;
                    // the decimals of longer units do not hold all seconds; below 10^15 times 10^8 a cast saturates at worst
                    (if *unit > 1_000 { seconds.round() } else { seconds.floor() }) as Seconds
                }))
            }
            ValueForm::SerialDays => {
                let days = text.parse::<f64>().ok().filter(|days| (1.0..1e6).contains(days));
                // whole seconds, as a day's decimals do not hold all of them
                Some(days.map(|days| ((days - DAY_OF_UNIX_ZERO) * 86_400.0).round() as Seconds))
            }
            ValueForm::Date(pattern) => {
                // a pattern of a date alone means midnight
                let with_time = NaiveDateTime::parse_from_str(text, pattern)
                    .or_else(|_| NaiveDateTime::parse_from_str(&format!("{text} 00:00"), &format!("{pattern} %H:%M")));
                let told = with_time.ok().map(|moment| moment.and_utc().timestamp());
                // the day of the Unix time 0 stands for none
                Some(told.filter(|time| !(-86_400..86_400).contains(time)))
            }
        }
    }
}

/// A number with decimals, or one of a unit of which sixty are one of the next: 630 of `10:30`, which are minutes or seconds.
pub(super) fn in_sixtieths(text: &str) -> Option<f64> {
    let Some((whole, part)) = text.split_once(':') else { return text.parse().ok() };
    let is_part = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    Some(whole.parse::<u32>().ok().filter(|_| is_part)? as f64 * 60.0 + part.parse::<f64>().ok()?)
}

impl fmt::Display for ValueForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueForm::AsItLooks => Ok(()),
            ValueForm::Thousandths(unit) => {
                f.write_str(UNITS.iter().find(|(_, of)| of == unit).map_or("s", |(name, _)| name))
            }
            ValueForm::Date(pattern) => f.write_str(pattern),
            ValueForm::SerialDays => f.write_str(SERIAL_DAYS),
            ValueForm::Joules(unit) => {
                f.write_str(ENERGY_UNITS.iter().find(|(_, of)| of == unit).map_or("J", |(name, _)| name))
            }
        }
    }
}

/// The field that one column of a table holds: `submit=QUEUED_AT`, `limit=3:min`, `start=begin:%d.%m.%Y %H:%M`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MappedColumn {
    pub field: LogColumn,
    /// Its name in the table's first line, or its number, from 1; empty: the table has no such column.
    pub source: String,
    pub form: ValueForm,
}

/// What the user states of the columns of a table. The names of the other columns tell what they hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnMap {
    pub columns: Vec<MappedColumn>,
}

impl ColumnMap {
    pub(super) fn is_of_numbers(&self) -> bool {
        let mut told = self.columns.iter().filter(|column| !column.source.is_empty()).peekable();
        told.peek().is_some() && told.all(|column| column.source.parse::<usize>().is_ok())
    }

    /// A number that stands for a column where columns have these names, or all are numbers.
    pub(in crate::accounting) fn source_by_number(&self, names: &[String]) -> Option<&str> {
        let is_number = |source: &&str| source.parse::<usize>().is_ok();
        let is_name = |source: &str| !self.is_of_numbers() && names.iter().any(|name| name == source);
        self.columns.iter().map(|column| column.source.as_str()).filter(is_number).find(|source| !is_name(source))
    }

    pub(crate) fn fingerprint(&self, content: Fingerprint) -> Fingerprint {
        let mut hash = Xxh3::new();
        hash.update(&content.0.to_le_bytes());
        for column in &self.columns {
            hash.update(column.to_string().as_bytes());
            hash.update(b"\n");
        }
        Fingerprint(hash.digest128())
    }
}

impl FromStr for MappedColumn {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fields = || LogColumn::ALL.map(LogColumn::id).join(", ");
        let (field, column) = text.split_once('=').ok_or_else(|| {
            format!("\"{text}\" is no FIELD=COLUMN, as in submit=queued_at, with a field of {}", fields())
        })?;
        let field = LogColumn::ALL
            .into_iter()
            .find(|known| known.id() == field.trim())
            .ok_or_else(|| format!("there is no field \"{}\" of a job; there are {}", field.trim(), fields()))?;
        let joules = |text: &str| ENERGY_UNITS.iter().find(|(name, _)| *name == text).map(|(_, unit)| *unit);
        let unit = |text: &str| UNITS.iter().find(|(name, _)| *name == text).map(|(_, unit)| *unit);
        let (source, form) = match column.split_once(":%") {
            Some((source, pattern)) => (source, ValueForm::Date(format!("%{pattern}"))),
            None => match column.rsplit_once(':').map(|(source, form)| (source, form, unit(form))) {
                Some((source, _, Some(unit))) => (source, ValueForm::Thousandths(unit)),
                Some((source, SERIAL_DAYS, _)) => (source, ValueForm::SerialDays),
                Some((source, unit, _)) if field == LogColumn::Energy && joules(unit).is_some() => {
                    (source, ValueForm::Joules(joules(unit).unwrap_or(1)))
                }
                // names of columns may hold colons
                _ => (column, ValueForm::AsItLooks),
            },
        };
        Ok(MappedColumn { field, source: source.trim().to_owned(), form })
    }
}

impl fmt::Display for MappedColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.field.id(), self.source)?;
        if self.form == ValueForm::AsItLooks { Ok(()) } else { write!(f, ":{}", self.form) }
    }
}

// What a column of a table of jobs can hold.

/// What a column of a table of jobs holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogColumn {
    Id,
    Submit,
    /// When it became eligible: since then no hold and no dependency kept it from starting.
    Eligible,
    Start,
    End,
    /// How long it ran.
    Run,
    Wait,
    /// The time limit that it requested.
    Limit,
    Processors,
    Nodes,
    /// Graphics processors.
    Gpus,
    /// Processors, nodes and graphics processors in one list, as Slurm writes it.
    Tres,
    User,
    Group,
    Queue,
    Partition,
    /// The job's name, or the program.
    Executable,
    Status,
    /// Watts that it drew on all its nodes together.
    Watts,
    /// Joules that it used.
    Energy,
}

impl LogColumn {
    pub const ALL: [LogColumn; COLUMNS] = [
        Id, Submit, Eligible, Start, End, Run, Wait, Limit, Processors, Nodes, Gpus, Tres, User, Group, Queue,
        Partition, Executable, Status, Watts, Energy,
    ];

    /// The stable name, which studies and `--columns` use.
    pub fn id(self) -> &'static str {
        match self {
            Id => "id",
            Submit => "submit",
            Eligible => "eligible",
            Start => "start",
            End => "end",
            Run => "run",
            Wait => "wait",
            Limit => "limit",
            Processors => "processors",
            Nodes => "nodes",
            Gpus => "gpus",
            Tres => "tres",
            User => "user",
            Group => "group",
            Queue => "queue",
            Partition => "partition",
            Executable => "name",
            Status => "state",
            Watts => "watts",
            Energy => "energy",
        }
    }

    /// Whether it holds times or durations, which may be written in several forms.
    pub fn is_of_time(self) -> bool {
        matches!(self, Submit | Eligible | Start | End | Run | Wait | Limit)
    }
}

pub(super) const COLUMNS: usize = Energy as usize + 1;

// Names of fields that are ordinary words, too: what the values are tells that a column means something else by one.

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
    use super::*;

    #[test]
    fn what_is_said_of_a_column_is_read_back() {
        for text in [
            "submit=queued at",
            "limit=3:min",
            "start=begin:%d.%m.%Y %H:%M",
            "user=",
            "run=a:b",
            "end=x:ms",
            "start=3:excel",
            "energy=econ:Wh",
            "energy=e:kWh",
            "name=a:Wh",
        ] {
            assert_eq!(text.parse::<MappedColumn>().unwrap().to_string(), text);
        }
        assert!("submit".parse::<MappedColumn>().unwrap_err().contains("FIELD=COLUMN"));
        assert!("when=3".parse::<MappedColumn>().unwrap_err().contains("there are id, submit,"));
    }

    #[test]
    fn values_are_read_as_they_are_written() {
        let form = |text: &str| format!("run=x{text}").parse::<MappedColumn>().unwrap().form;
        assert_eq!(form("").seconds(b"5"), None);
        assert_eq!(form(":min").seconds(b"1.5"), Some(Some(90)));
        assert_eq!(form(":ms").seconds(b"1700000000999"), Some(Some(1_700_000_000)));
        assert_eq!(form(":h").seconds(b"soon"), Some(None));
        assert_eq!(
            [form(":min").seconds(b"10:30"), form(":s").seconds(b"10:30")],
            [37_800, 630].map(|s| Some(Some(s)))
        );
        assert_eq!(form(":excel").seconds(b"46027.4375"), Some(Some(1_767_609_000)));
        assert_eq!(form(":excel").seconds(b"46027.4166667"), Some(Some(1_767_607_200)));
        assert_eq!(form(":excel").seconds(b"0"), Some(None));
        assert_eq!(form(":%d.%m.%Y %H:%M").seconds(b"01.02.1970 00:30"), Some(Some(31 * 86_400 + 1_800)));
        assert_eq!(form(":%m/%d/%y").seconds(b"01/02/70"), Some(Some(86_400)));
        assert_eq!(form(":%m/%d/%y").seconds(b"2/30/70"), Some(None));
    }
}

#[cfg(test)]
mod other_meaning_tests {
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

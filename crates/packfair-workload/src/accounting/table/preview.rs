//! The first lines of a table, shown to the user who states what its columns hold.

use super::columns::LogColumns;
use super::guess::{TIMES, by_content};
use super::value::time;
use super::{ColumnMap, DELIMITERS, LogColumn, MappedColumn, TableReader, ValueForm};
use crate::printable;
use crate::reading::{FileLine, Format, Limits, first_lines, is_parquet};
use packfair_base::encoding::as_utf8;
use packfair_base::pasted::TypedLines;

/// How many rows are shown.
const SHOWN: usize = 5;

/// How many rows are looked at to guess what a column is.
const LOOKED_AT: usize = 200;

/// Parts of names, and the field that a column with such a name may hold; the more telling first.
const PARTS: &[(LogColumn, &[&str])] = &[
    (LogColumn::Submit, &["submit", "submission", "queued", "arriv", "created"]),
    (LogColumn::Eligible, &["eligible"]),
    (LogColumn::Start, &["start", "begin", "launch"]),
    (LogColumn::End, &["end", "finish", "complet", "stop"]),
    (LogColumn::Limit, &["limit", "walltime", "requestedtime", "reqtime", "maxtime", "wall"]),
    (LogColumn::Run, &["runtime", "elapsed", "duration", "execution", "run"]),
    (LogColumn::Wait, &["wait"]),
    (LogColumn::Gpus, &["gpu"]),
    (LogColumn::Processors, &["cpu", "core", "proc", "slot", "width", "size", "task"]),
    (LogColumn::Nodes, &["node", "host"]),
    (LogColumn::User, &["user", "owner"]),
    (LogColumn::Group, &["account", "project", "group"]),
    (LogColumn::Queue, &["queue", "qos", "class"]),
    (LogColumn::Partition, &["partition", "cluster"]),
    (LogColumn::Status, &["state", "status", "exit"]),
    (LogColumn::Id, &["id", "job"]),
];

/// The beginning of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePreview {
    /// Its first line. Tables with the same columns have the same first line.
    pub header: String,
    /// The names of its columns; their numbers, from 1, where its first line is a job.
    pub names: Vec<String>,
    pub rows: Vec<Vec<String>>,
    pub is_whole: bool,
    /// The lines below the names, as they are.
    lines: Vec<Vec<u8>>,
    /// The first line, as it is.
    first: Vec<u8>,
    /// The byte between two values.
    delimiter: u8,
}

/// The jobs that the rows of a preview make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreviewedJobs {
    pub rows: usize,
    /// The rows that are jobs with a run time and a width, which can be simulated.
    pub jobs: usize,
    /// The missing columns that a simulation needs, in words.
    pub missing: String,
    /// Why rows are left out, in words.
    pub left_out: String,
}

impl TablePreview {
    /// The preview of a file that begins with `content`, if it is a table: at least 3 columns, and a second line with
    /// as many values, or one fewer. Where the file goes on, the last line is left out. All of a Parquet file is needed.
    pub fn of(content: &[u8], is_whole: bool) -> Option<Self> {
        if is_parquet(content) {
            // its columns are described at its end
            let (lines, is_all) = first_lines(content, LOOKED_AT)?;
            return Some(TablePreview { is_whole: is_all, ..TablePreview::of_text(&lines, true)? });
        }
        TablePreview::of_text(&as_utf8(content), is_whole)
    }

    fn of_text(content: &[u8], is_whole: bool) -> Option<Self> {
        let end = if is_whole { content.len() } else { content.iter().rposition(|&byte| byte == b'\n')? };
        let mut typed = TypedLines::default();
        let lines = content[..end].split(|&byte| byte == b'\n').filter(move |line| !typed.has(line));
        let mut lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let first = lines.by_ref().find(|line| !line.trim_ascii().is_empty())?.to_vec();
        let lines: Vec<Vec<u8>> = lines.filter(|line| !line.trim_ascii().is_empty()).map(<[u8]>::to_vec).collect();
        let header = first.strip_prefix(b"#").unwrap_or(&first);
        if first.iter().any(|&byte| byte < b' ' && byte != b'\t') {
            return None;
        }
        let width = |delimiter: u8, line: &[u8]| {
            TableReader::new(delimiter, header, Limits::default()).split(line).map_or(0, |values| values.len())
        };
        let second = lines.first()?;
        // blanks separate the words of a letter, too; between numbers they make columns
        let words = || header.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let are_numbers = words().all(|word| word.iter().all(|byte| byte.is_ascii_digit() || b"-.".contains(byte)));
        let shown = DELIMITERS.into_iter().filter(|&delimiter| delimiter != b' ' || are_numbers);
        let delimiter = shown.max_by_key(|&delimiter| width(delimiter, header))?;
        let columns = width(delimiter, header);
        if columns < 3 || width(delimiter, second) < columns - 1 {
            return None;
        }
        let mut table = TableReader::new(delimiter, header, Limits::default());
        let mut split = |line: &[u8]| -> Vec<String> {
            let values = table.split(line).unwrap_or_default();
            values.iter().map(|value| printable(&String::from_utf8_lossy(value))).collect()
        };
        let named = split(header);
        let is_time = |name: &str| time(name.as_bytes()).is_some_and(|time| TIMES.contains(&time));
        let is_job = named.iter().filter(|name| name.parse::<f64>().is_ok()).count() * 2 > named.len()
            || named.iter().any(|name| is_time(name));
        let mut rows: Vec<Vec<String>> = lines.iter().take(LOOKED_AT).map(|line| split(line)).collect();
        let numbers = || (1..=columns).map(|number| number.to_string()).collect();
        let names = if is_job { numbers() } else { named.clone() };
        if is_job {
            rows.insert(0, named);
        }
        let header = String::from_utf8_lossy(first.trim_ascii()).into_owned();
        let mut lines = lines;
        if is_job {
            lines.insert(0, first.clone());
        }
        Some(TablePreview { header, names, rows, is_whole, lines, first, delimiter })
    }

    pub fn shown(&self) -> &[Vec<String>] {
        &self.rows[..self.rows.len().min(SHOWN)]
    }

    /// The field that each column seems to hold: by what the user has stated, else by its name and its values.
    pub fn guessed(&self, said: &ColumnMap) -> Vec<(Option<LogColumn>, ValueForm)> {
        let mut guessed = vec![(None, ValueForm::AsItLooks); self.names.len()];
        let columns = LogColumns::mapped(&self.names, said, &[]).unwrap_or_else(|_| LogColumns::named(&self.names));
        let known = LogColumn::ALL.into_iter().filter_map(|field| Some((field, columns.place(field)?)));
        for (field, place) in known {
            let form = said.columns.iter().find(|one| one.field == field).map(|one| one.form.clone());
            if let Some(guess) = guessed.get_mut(place) {
                *guess = (Some(field), form.unwrap_or_default());
            }
        }
        if !said.columns.is_empty() {
            return guessed;
        }
        for &(field, parts) in PARTS {
            let is_there = guessed.iter().any(|(known, _)| *known == Some(field));
            let is_like = |at: &usize| {
                let name = self.names[*at].to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "");
                let is_part = |part: &&str| match field {
                    // many words have these letters
                    LogColumn::Id => name.ends_with(*part) || name.starts_with(*part),
                    _ => name.contains(*part),
                };
                guessed[*at].0.is_none() && parts.iter().any(is_part) && self.can_be(*at, field)
            };
            if let Some(place) = (0..self.names.len()).find(is_like).filter(|_| !is_there) {
                guessed[place].0 = Some(field);
            }
        }
        by_content(&self.rows, self.delimiter, guessed)
    }

    /// What the columns seem to hold, as it is said on the command line; none where that makes no job.
    pub(crate) fn in_words(&self) -> Option<String> {
        let map = self.said(&self.guessed(&ColumnMap::default()));
        let is_meant = !map.columns.is_empty() && self.jobs(&map).jobs > 0;
        is_meant.then(|| map.columns.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
    }

    fn values(&self, at: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(move |row| row.get(at)).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether most values of a column can be what a field of a job holds.
    fn can_be(&self, at: usize, field: LogColumn) -> bool {
        let columns = LogColumns::named(&[]);
        let fits = |value: &str| match field {
            LogColumn::Submit | LogColumn::Eligible | LogColumn::Start | LogColumn::End => {
                columns.time(field, value.as_bytes()).is_some() || value.contains(['/', '.', ':'])
            }
            LogColumn::Run | LogColumn::Wait | LogColumn::Limit => columns.span(field, value.as_bytes()).is_some(),
            LogColumn::Processors | LogColumn::Nodes | LogColumn::Gpus => {
                value.parse::<f64>().is_ok_and(|count| (0.0..1e8).contains(&count))
            }
            _ => true,
        };
        let (mut all, mut fitting) = (0, 0);
        self.values(at).for_each(|value| {
            all += 1;
            fitting += usize::from(fits(value));
        });
        all == 0 || 2 * fitting > all
    }

    /// The shortest map that states what these columns hold: what their names tell is left out.
    pub fn said(&self, chosen: &[(Option<LogColumn>, ValueForm)]) -> ColumnMap {
        let by_name = LogColumns::named(&self.names);
        let is_numbered = self.names.iter().zip(1..).all(|(name, number)| *name == number.to_string());
        let mut columns = Vec::new();
        for field in LogColumn::ALL {
            let place = chosen.iter().position(|(of, _)| *of == Some(field));
            let form = place.map(|at| chosen[at].1.clone()).unwrap_or_default();
            if place == by_name.place(field) && form == ValueForm::AsItLooks {
                continue;
            }
            let source = place.map(|at| {
                let name = self.names[at].trim();
                // a name that others have too, or that reads like a number, does not tell which
                let tells = !name.is_empty() && self.names.iter().filter(|other| other.trim() == name).count() == 1;
                if tells && name.parse::<usize>().is_err() && !is_numbered {
                    name.to_owned()
                } else {
                    (at + 1).to_string()
                }
            });
            columns.push(MappedColumn { field, source: source.unwrap_or_default(), form });
        }
        ColumnMap { columns }
    }

    /// The jobs that the rows make if `map` states what their columns hold.
    pub fn jobs(&self, map: &ColumnMap) -> PreviewedJobs {
        let rows = self.lines.len();
        let lines: Vec<&[u8]> = vec![&self.first];
        let mut table = match TableReader::mapped(&lines, Limits::default(), map) {
            Ok(table) => Box::new(table),
            Err(error) => {
                let missing = match error {
                    crate::ReadError::MissingColumns { missing, .. } => missing,
                    other => other.to_string(),
                };
                return PreviewedJobs { rows, missing, ..PreviewedJobs::default() };
            }
        };
        for (line, number) in self.lines.iter().zip(2..) {
            if let Err(error) = table.line(FileLine { number, bytes: line, cut: false }) {
                return PreviewedJobs { rows, left_out: error.to_string(), ..PreviewedJobs::default() };
            }
        }
        match table.finish() {
            Ok(content) => {
                let can_run = content.records.iter().filter(|record| record.run > 0 && record.requested > 0).count();
                PreviewedJobs { rows, jobs: can_run, missing: String::new(), left_out: content.account.in_words() }
            }
            Err(error) => PreviewedJobs { rows, left_out: error.to_string(), ..PreviewedJobs::default() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{Reader, read_by};

    const OURS: &str = "ticket;who;when in;when on;when off;ncore_total;hours asked\n\
        7;ann;2026-01-05 10:00:00;2026-01-05 10:01:00;2026-01-05 10:02:00;4;2\n\
        8;bob;2026-01-05 10:00:05;2026-01-05 10:01:00;2026-01-05 10:02:30;8;1.5\n\
        9;bob;2026-01-05 10:00:06;;;8;1\n";

    #[test]
    fn columns_are_guessed_by_their_names_and_by_what_is_in_them() {
        let preview = TablePreview::of(OURS.as_bytes(), true).unwrap();
        assert_eq!((preview.names.len(), preview.shown().len()), (7, 3));
        let fields: Vec<Option<LogColumn>> =
            preview.guessed(&ColumnMap::default()).into_iter().map(|(field, _)| field).collect();
        let expected = [LogColumn::Id, LogColumn::User, LogColumn::Submit, LogColumn::Start, LogColumn::End].map(Some);
        assert_eq!(fields[..5], expected);
        assert_eq!(fields[5], Some(LogColumn::Processors));
    }

    #[test]
    fn what_is_chosen_is_said_and_read() {
        let preview = TablePreview::of(OURS.as_bytes(), true).unwrap();
        let mut chosen = preview.guessed(&ColumnMap::default());
        chosen[0].0 = Some(LogColumn::Id);
        chosen[1].0 = Some(LogColumn::User);
        chosen[6] = (Some(LogColumn::Limit), ValueForm::Thousandths(3_600_000));
        let map = preview.said(&chosen);
        let jobs = preview.jobs(&map);
        assert_eq!((jobs.rows, jobs.jobs, jobs.missing.as_str()), (3, 2, ""), "{jobs:?}");
        let log = read_by(Reader::mapped("ours", Limits::default(), map.clone()), OURS.as_bytes()).unwrap();
        let read: Vec<(i64, i64, i64, i32)> =
            log.records.iter().map(|r| (r.number, r.run, r.requested_time, r.requested)).collect();
        assert_eq!(read[..2], [(7, 60, 7_200, 4), (8, 90, 5_400, 8)]);
        assert!(log.is_table && log.names.users == ["ann", "bob"]);
        assert_eq!(preview.guessed(&map), chosen, "and comes back");
        let otherwise = ColumnMap { columns: map.columns[1..].to_vec() };
        let other = read_by(Reader::mapped("ours", Limits::default(), otherwise), OURS.as_bytes()).unwrap();
        assert_ne!(other.fingerprint, log.fingerprint, "read otherwise it is another log");
    }

    #[test]
    fn what_is_missing_is_said_and_what_is_no_table_is_none() {
        let preview = TablePreview::of(b"a,b,c\n1,x,y\n2,x,y\n", true).unwrap();
        let jobs = preview.jobs(&preview.said(&preview.guessed(&ColumnMap::default())));
        assert!(jobs.jobs == 0 && jobs.missing.contains("the time of submission"), "{jobs:?}");
        assert!(TablePreview::of(b"Dear all,\nhere it is\n", true).is_none());
        assert!(TablePreview::of(b"", true).is_none());
        let numbers = TablePreview::of(b"1,1700000000,60,4\n2,1700000005,60,4\n3,17000", false).unwrap();
        assert_eq!((numbers.names[3].as_str(), numbers.rows.len()), ("4", 2));
        let map = ColumnMap { columns: ["submit=2", "run=3", "processors=4"].map(|c| c.parse().unwrap()).to_vec() };
        assert_eq!(numbers.jobs(&map).jobs, 2);
    }
}

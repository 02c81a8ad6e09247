//! Jobs as records in which each value has its name: objects of JSON, ClassAds of HTCondor, blocks of Grid Engine's qacct. They
//! are read as the table that they make.

pub(super) mod class_ads;
pub(super) mod qacct;

use super::grid_engine::limit_in;
use super::table::{ColumnMap, LogColumns, NAMES_OR_COLUMNS, TableReader};
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};
use crate::{OtherLine, Reason};
use packfair_base::drawn::is_frame;

/// How many records are looked at for the names of their values.
const LOOKED_AT: usize = 50;

/// The names and the values of a record.
pub(super) type NamedValues = Vec<(String, String)>;

/// Takes records, and makes a table of them.
pub(super) struct RecordTable {
    limits: Limits,
    /// What the records are, for messages.
    what: &'static str,
    /// What the user has stated of the values.
    columns: Option<ColumnMap>,
    names: Vec<String>,
    /// The first records, until the names of the columns are known.
    held: Vec<(u32, NamedValues)>,
    table: Option<Box<TableReader>>,
    others: Vec<OtherLine>,
    lost: Vec<(u32, Vec<u8>)>,
}

impl RecordTable {
    pub(super) fn new(what: &'static str, limits: Limits, columns: Option<&ColumnMap>) -> Self {
        RecordTable {
            limits,
            what,
            columns: columns.cloned(),
            names: Vec::new(),
            held: Vec::new(),
            table: None,
            others: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Takes a record that begins at a line.
    pub(super) fn push(&mut self, line: u32, mut record: NamedValues) -> Result<(), ReadError> {
        let category = |(name, _): &&(String, String)| matches!(name.as_str(), "category" | "submit_cmd");
        // Grid Engine tells limits among the options
        if let Some(limit) = record.iter().find(category).and_then(|(_, value)| limit_of(value)) {
            record.push(("h_rt".to_owned(), limit));
        }
        match &mut self.table {
            Some(table) => take(table, &self.names, line, &record),
            None => {
                self.held.push((line, record));
                if self.held.len() < LOOKED_AT { Ok(()) } else { self.begin() }
            }
        }
    }

    /// Counts a line that is no record.
    pub(super) fn pass(&mut self, kind: OtherLine) {
        match &mut self.table {
            Some(table) => table.account().pass(kind),
            None => self.others.push(kind),
        }
    }

    /// Notes a record that was not understood.
    pub(super) fn lose(&mut self, line: u32, text: &[u8]) {
        match &mut self.table {
            Some(table) => table.account().note_text(Reason::NotAJob, line, text),
            None => self.lost.push((line, text.to_vec())),
        }
    }

    /// Whether no record came.
    pub(super) fn is_empty(&self) -> bool {
        self.table.is_none() && self.held.is_empty()
    }

    pub(super) fn jobs(&self) -> usize {
        self.table.as_ref().map_or(0, |table| table.jobs())
    }

    fn begin(&mut self) -> Result<(), ReadError> {
        for (name, _) in self.held.iter().flat_map(|(_, record)| record) {
            if !self.names.contains(name) {
                self.names.push(name.clone());
            }
        }
        let header = self.names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",");
        let rows: Vec<String> = self.held.iter().map(|(_, record)| row(&self.names, record)).collect();
        let lines: Vec<&[u8]> = std::iter::once(&header).chain(&rows).map(|line| line.as_bytes()).collect();
        let lacking = |missing: String| ReadError::MissingColumns {
            of: self.what,
            missing,
            found: self.names.join(", "),
            command: NAMES_OR_COLUMNS,
            guess: None,
        };
        let found = match &self.columns {
            Some(map) => match map.source_by_number(&self.names) {
                Some(number) => return Err(lacking(format!("\"{number}\", which has to be said by its name"))),
                None => Some(TableReader::mapped(&lines, self.limits, map)?),
            },
            None => match TableReader::of_data_set(&lines, self.limits) {
                Some(table) => Some(table),
                None => TableReader::recognise(&lines, self.limits)?,
            },
        };
        let none = || lacking("submit, start, end or run, processors or nodes".to_owned());
        let mut table = found.ok_or_else(none)?;
        std::mem::take(&mut self.others).into_iter().for_each(|kind| table.account().pass(kind));
        let lost = std::mem::take(&mut self.lost);
        lost.iter().for_each(|(line, text)| table.account().note_text(Reason::NotAJob, *line, text));
        for (line, record) in std::mem::take(&mut self.held) {
            take(&mut table, &self.names, line, &record)?;
        }
        self.table = Some(Box::new(table));
        Ok(())
    }

    /// # Errors
    /// If the records hold no usable job.
    pub(super) fn finish(mut self) -> Result<LogContent, ReadError> {
        if self.table.is_none() {
            self.begin()?;
        }
        // there is one since it has begun
        let table = self.table.ok_or(ReadError::Empty)?;
        let content = table.finish()?;
        Ok(LogContent { is_table: true, ..content })
    }
}

fn take(table: &mut TableReader, names: &[String], line: u32, record: &NamedValues) -> Result<(), ReadError> {
    table.line(FileLine { number: line, bytes: row(names, record).as_bytes(), cut: false })
}

/// The record as a row of a table between commas.
fn row(names: &[String], record: &NamedValues) -> String {
    let value = |name: &String| record.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value.as_str());
    let mut row = names.iter().map(|name| quoted(value(name))).collect::<Vec<_>>().join(",");
    // a row of one empty value would be no line
    if row.is_empty() {
        row.push_str("\"\"");
    }
    row
}

fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '-' | '_' | '+' | '/' | ' ');
    if value.chars().all(is_plain) {
        return value.to_owned();
    }
    let value: String = value.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }).collect();
    format!("\"{}\"", value.replace('"', "\"\""))
}

/// The time limit among the options of a job of Grid Engine: what follows `h_rt=`.
fn limit_of(options: &str) -> Option<String> {
    let limit = limit_in(options.as_bytes());
    (!limit.is_empty()).then(|| String::from_utf8_lossy(limit).into_owned())
}

// Records of several lines, each with a name and a value.

/// What a line of such a text is.
enum BlockLine {
    Named(String, String),
    /// The rest of a value; what it says is not needed.
    Rest,
    /// No part of a record.
    Passed(OtherLine),
    /// The same, and what was before it is a whole record.
    Between(OtherLine),
}

/// Tells what a line is, without blanks around it, and whether a record has begun before it.
type BlockForm = dyn Fn(&[u8], bool) -> BlockLine;

/// Takes lines, and makes a record of those between others.
pub(in crate::accounting) struct Blocks {
    table: RecordTable,
    form: Box<BlockForm>,
    /// The record whose lines are being read, and its first line.
    block: NamedValues,
    from: u32,
}

impl Blocks {
    fn new(table: RecordTable, form: impl Fn(&[u8], bool) -> BlockLine + 'static) -> Self {
        Blocks { table, form: Box::new(form), block: Vec::new(), from: 0 }
    }

    fn end(&mut self) -> Result<(), ReadError> {
        if self.block.is_empty() { Ok(()) } else { self.table.push(self.from, std::mem::take(&mut self.block)) }
    }
}

impl Format for Blocks {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let bytes = line.bytes.trim_ascii();
        let is_begun = !self.block.is_empty();
        let found = (self.form)(bytes, is_begun);
        match found {
            BlockLine::Passed(kind) => self.table.pass(kind),
            BlockLine::Between(kind) => {
                self.table.pass(kind);
                self.end()?;
            }
            BlockLine::Rest if !is_begun => self.table.lose(line.number, bytes),
            BlockLine::Named(..) | BlockLine::Rest => {
                if is_begun {
                    // a job is a record, whose first line counts
                    self.table.pass(OtherLine::Continued);
                } else {
                    self.from = line.number;
                }
                if let BlockLine::Named(name, value) = found {
                    self.block.push((name, value));
                }
            }
        }
        Ok(())
    }

    fn jobs(&self) -> usize {
        self.table.jobs()
    }

    fn finish(mut self: Box<Self>) -> Result<LogContent, ReadError> {
        self.end()?;
        self.table.finish()
    }
}

// Tables with a line for each value, as psql prints them after `\\x`, MySQL after `\\G` and ClickHouse as Vertical, and blocks of
// `name = value` or `name : value` with a blank line between them, as SQLite and PowerShell print them.

/// Whether a line stands above a record: `-[ RECORD 1 ]---`, `*** 1. row ***`, `Row 1:`.
fn begins_record(line: &[u8]) -> bool {
    let text = std::str::from_utf8(line).unwrap_or_default().trim();
    text.trim_start_matches(['-', '─']).starts_with("[ RECORD ")
        || text.starts_with("***") && text.trim_end_matches('*').ends_with(". row ")
        || text
            .strip_prefix("Row ")
            .and_then(|text| text.strip_suffix(':'))
            .is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Whether a line only parts records.
fn is_between(line: &[u8]) -> bool {
    line.is_empty() || begins_record(line) || is_frame(line) || line.iter().all(|byte| *byte >= 0x80)
}

/// The name and the value of a line.
fn pair(line: &[u8], mark: u8) -> Option<(String, String)> {
    let at = line.iter().position(|&byte| byte == mark)?;
    let text = |part: &[u8]| String::from_utf8_lossy(part.trim_ascii()).into_owned();
    Some((text(&line[..at]), text(&line[at + 1..]))).filter(|(name, _)| !name.is_empty())
}

/// The reader of a file with these first lines, if it is such a table.
pub(in crate::accounting) fn recognise(lines: &[&[u8]], limits: Limits, columns: Option<&ColumnMap>) -> Option<Blocks> {
    let lines: Vec<&[u8]> = lines.iter().map(|line| line.trim_ascii()).collect();
    let first = *lines.iter().find(|line| !is_between(line))?;
    let mark = first.iter().copied().find(|byte| b"|:=".contains(byte))?;
    let is_titled = lines.iter().find(|line| !line.is_empty()).is_some_and(|line| begins_record(line));
    let names = |block: &[&[u8]]| -> Option<Vec<String>> {
        block.iter().map(|line| pair(line, mark).map(|(name, _)| name)).collect()
    };
    let mut blocks = lines.split(|line| is_between(line)).filter(|block| !block.is_empty()).map(names);
    let mut are_alike = || {
        let (first, second) = (blocks.next()??, blocks.next()??);
        (first == second && LogColumns::make_log(&first, columns)).then_some(())
    };
    let is_one = is_titled || (lines.iter().any(|line| line.is_empty()) && are_alike().is_some());
    is_one.then(|| {
        Blocks::new(RecordTable::new("jobs with a line for each value", limits, columns), move |line, _| {
            match pair(line, mark) {
                _ if is_between(line) => {
                    BlockLine::Between(if line.is_empty() { OtherLine::Blank } else { OtherLine::Comment })
                }
                Some((name, value)) => BlockLine::Named(name, value),
                None => BlockLine::Rest,
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::reading::{Limits, Reader, read_by};

    #[test]
    fn what_is_said_of_columns_holds_for_records_of_every_form() {
        let names = ["nr", "wann", "los", "weg", "maximal", "breite"];
        let rows = (1..=3).map(|n| [n, 1_767_607_200, 1_767_607_260, 1_767_607_860, 15, 4]);
        let record = |form: &dyn Fn(&str, i64) -> String, row: &[i64; 6], between: &str| {
            names.iter().zip(row).map(|(name, value)| form(name, *value)).collect::<Vec<_>>().join(between)
        };
        let member = |name: &str, value: i64| format!("\"{name}\": {value}");
        let all = |form: &dyn Fn(&[i64; 6]) -> String, between: &str| {
            rows.clone().map(|row| form(&row)).collect::<Vec<_>>().join(between)
        };
        let objects = |between| all(&|row| format!("{{{}}}", record(&member, row, ", ")), between);
        let column = |at: usize| all(&|row| row[at].to_string(), ", ");
        let columns: Vec<String> = (0..6).map(|at| format!("\"{}\": [{}]", names[at], column(at))).collect();
        let block = |mark: &str, title: &str| {
            all(&|row| title.to_owned() + &record(&|name, value| format!("{name}{mark}{value}\n"), row, ""), "\n")
        };
        let split = format!("{{\"columns\": {names:?}, \"data\": [{}]}}", all(&|row| format!("{row:?}"), ","));
        let read = |text: &str, columns: &str| {
            let map = crate::ColumnMap { columns: columns.split(',').map(|column| column.parse().unwrap()).collect() };
            read_by(Reader::mapped("jobs", Limits::default(), map), text.as_bytes()).map_err(|error| error.to_string())
        };
        for text in [
            objects("\n"),
            format!("[{}]", objects(", ")),
            format!("{{\"jobs\": [{}]}}", objects(", ")),
            format!("{{\"list of jobs\": [{}]}}", objects(", ")),
            format!("{{{}}}", columns.join(", ")),
            split,
            block(" = ", ""),
            block(" | ", "-[ RECORD 1 ]---+----\n"),
        ] {
            let log = read(&text, "id=nr,submit=wann,start=los,end=weg,limit=maximal:min,processors=breite");
            let log = log.unwrap_or_else(|error| panic!("{error}: {text}"));
            let jobs: Vec<_> =
                log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested, r.requested_time)).collect();
            assert_eq!(jobs, [1, 2, 3].map(|n| (n, 60, 600, 4, 900)), "{text}");
            for (columns, said) in [("submit=5,end=weg,processors=breite", "\"5\""), ("submit=wann", "the run time")] {
                let refused = read(&text, columns).unwrap_err();
                assert!(refused.contains(said) && refused.contains("wann"), "{refused}");
            }
        }
        let known = r#"[{"id": 1, "submit": 5, "run": 60, "limit": 2, "cores": 4}]"#;
        assert_eq!(read(known, "limit=limit:h").unwrap().records[0].requested_time, 7_200);
        let of_condor = "ClusterId = 7\nQDate = 1767607200\nJobStartDate = 1767607260\nCompletionDate = 1767607860\n\
                         RequestCpus = 4\nJobStatus = 4\nMaxHours = 2\n\n";
        assert_eq!(read(of_condor, "limit=MaxHours:h").unwrap().records[0].requested_time, 7_200);
    }

    #[test]
    fn json_with_comments_last_commas_and_keys_without_quotes_is_read() {
        let text = "// jobs of a day\n[\n  {id: 7, submit: 1767607200, /* in\n all */ 'start': 1767607260, \"end\": 1767607860,\n   \
                    user: \"a//n\", cpus: 4,}, // the last\n]\n";
        for text in [text, &text[17..], &text.replace("// ", "# ")] {
            let log =
                crate::reading::read("jobs.json5", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
            let r = &log.records[0];
            assert_eq!((log.jobs(), r.number, r.wait, r.run, r.requested), (1, 7, 60, 600, 4), "{text}");
        }
    }
}

#[cfg(test)]
mod blocks_tests {
    use crate::reading::read;

    #[test]
    fn tables_with_a_line_for_each_value_are_read() {
        let names = ["job_id", "user", "submit", "start", "end", "cpus"];
        let values = |n: u32| {
            let at = |minute: u32| format!("2026-01-05 10:{minute:02}:00");
            [n.to_string(), "ann".to_owned(), at(n), at(n + 1), at(n + 11), "4".to_owned()]
        };
        let block = |n: u32, mark: &str| -> String {
            names.iter().zip(values(n)).map(|(name, value)| format!("{name:>8}{mark}{value}\n")).collect()
        };
        let all = |title: &dyn Fn(u32) -> String, mark: &str| -> String {
            (1..4).map(|n| title(n) + &block(n, mark)).collect()
        };
        let stars = "*".repeat(27);
        for text in [
            all(&|n| format!("-[ RECORD {n} ]---+-------\n"), " | "),
            all(&|n| format!("─[ RECORD {n} ]───┬───────\n"), " │ "),
            all(&|n| format!("{stars} {n}. row {stars}\n"), ": ") + "3 rows in set (0.00 sec)\n",
            all(&|n| format!("\nRow {n}:\n──────\n"), ": "),
            all(&|_| "\n".to_owned(), " = "),
            all(&|_| "\n".to_owned(), " : "),
        ] {
            let log = read("t", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
            let seen: Vec<_> = log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested)).collect();
            assert_eq!(seen, [(1, 60, 600, 4), (2, 60, 600, 4), (3, 60, 600, 4)], "{text}");
            assert!(log.account.entries().is_empty(), "{text}");
        }
    }
}

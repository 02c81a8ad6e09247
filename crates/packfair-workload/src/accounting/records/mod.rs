//! Jobs as records in which each value has its name: objects of JSON, ClassAds of HTCondor, blocks of Grid Engine's qacct. They
//! are read as the table that they make.

mod blocks;
pub(super) mod class_ads;
pub(super) mod expanded;
pub(super) mod qacct;

use super::grid_engine::limit_in;
use super::table::TableReader;
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};
use crate::{OtherLine, Reason};

/// How many records are looked at for the names of their values.
const LOOKED_AT: usize = 50;

/// What records need: which value is which can be said of columns alone.
const NAMES: &str = "names such as id,submit,start,run,limit,processors,nodes,user,group,queue,partition,state";

/// The names and the values of a record.
pub(super) type NamedValues = Vec<(String, String)>;

/// Takes records, and makes a table of them.
pub(super) struct RecordTable {
    limits: Limits,
    /// What the records are, for messages.
    what: &'static str,
    names: Vec<String>,
    /// The first records, until the names of the columns are known.
    held: Vec<(u32, NamedValues)>,
    table: Option<Box<TableReader>>,
    others: Vec<OtherLine>,
    lost: Vec<(u32, Vec<u8>)>,
}

impl RecordTable {
    pub(super) fn new(what: &'static str, limits: Limits) -> Self {
        RecordTable {
            limits,
            what,
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
        let of_set = TableReader::of_data_set(&lines, self.limits);
        let found = match of_set {
            Some(table) => Some(table),
            None => TableReader::recognise(&lines, self.limits).map_err(with_other_names)?,
        };
        let Some(mut table) = found else {
            return Err(ReadError::MissingColumns {
                of: self.what,
                missing: "submit, start, end or run, processors or nodes".to_owned(),
                found: self.names.join(", "),
                command: NAMES,
                guess: None,
            });
        };
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

fn with_other_names(error: ReadError) -> ReadError {
    match error {
        ReadError::MissingColumns { of, missing, found, .. } => {
            ReadError::MissingColumns { of, missing, found, command: NAMES, guess: None }
        }
        other => other,
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

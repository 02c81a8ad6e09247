//! Tables of any origin whose first line names the columns. Commas, semicolons, tabs, bars or blanks separate the
//! values, which may be in quotes. The name of a column tells what it holds.

mod columns;
mod log_column;
mod mapping;
mod preview;

pub(in crate::workload) use columns::LogColumns;
pub use log_column::LogColumn;
pub use mapping::{ColumnMap, MappedColumn, ValueForm};
pub use preview::{PreviewedJobs, TablePreview};

use super::energy;
use super::jobs::{Job, Jobs};
use super::sacct::state::{self, State};
use super::time::id_number;
use super::tres::{Resources, count};
use crate::workload::reading::{FileLine, Format, LONGEST_LINE, Limits, LogContent, ReadError};
use crate::workload::{Reason, printable};
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// What may separate two values. Any number of blanks counts as one.
const DELIMITERS: [u8; 5] = [b',', b';', b'\t', b'|', b' '];

/// The most columns that a table may have.
const MOST_COLUMNS: usize = 1_000;

/// Reads a table.
pub(super) struct TableReader {
    columns: LogColumns,
    /// The byte between two values.
    delimiter: u8,
    header: Vec<u8>,
    reader: Box<Reader>,
    jobs: Jobs,
    values: Vec<u8>,
    ends: Vec<usize>,
    /// A line that ended within quotes: the number of its first line, and its text so far.
    pending: Option<(u32, Vec<u8>)>,
}

impl TableReader {
    /// The reader of a file with these first lines, if its first line has names of columns.
    ///
    /// # Errors
    /// If it names some columns and lacks others that a simulation needs.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Result<Option<Self>, ReadError> {
        let mut told = lines.iter().copied().filter(|line| !line.trim_ascii().is_empty());
        let Some(first) = told.next() else { return Ok(None) };
        let second = told.next();
        let header = first.strip_prefix(b"#").unwrap_or(first);
        let found = DELIMITERS.iter().filter_map(|&delimiter| {
            // a comment in words is not a line of names with blanks between them
            if delimiter == b' ' && first.len() > header.len() {
                return None;
            }
            let mut table = TableReader::new(delimiter, header, limits);
            let names: Vec<String> =
                table.split(header)?.iter().map(|name| printable(&String::from_utf8_lossy(name))).collect();
            table.columns = LogColumns::named(&names);
            (names.len() > 2).then_some(table)
        });
        let found: Vec<TableReader> = found.collect();
        let Some(mut table) = found.into_iter().min_by_key(|table| table.columns.missing().len()) else {
            return Ok(None);
        };
        let missing = table.columns.missing();
        let is_of_blanks = table.delimiter == b' ';
        match missing.len() {
            0 => Ok(Some(table)),
            // one or two needed columns are missing, or the second line has a value for each name: it is meant as a log
            1 | 2 if !is_of_blanks => Err(table.lacking(&missing)),
            _ if second.is_some_and(|second| table.names_columns_of(second)) => Err(table.lacking(&missing)),
            _ => Ok(None),
        }
    }

    /// The error that tells which columns are missing.
    fn lacking(&self, missing: &[&str]) -> ReadError {
        ReadError::MissingColumns {
            of: "jobs with names of columns",
            missing: missing.join(", "),
            found: self.columns.names.join(", "),
            command: "names such as id,submit,start,run,limit,processors,nodes,user,group,queue,partition,state; or say \
                      which column is which: --columns submit=NAME,run=NAME,processors=NAME",
        }
    }

    /// Whether the first line has names, and `line` as many values, at least one of them a number.
    fn names_columns_of(&mut self, line: &[u8]) -> bool {
        let is_number = |text: &[u8]| std::str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok());
        let names = &self.columns.names;
        let are_names = names.iter().all(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        let count = names.len();
        let values = self.split(line).unwrap_or_default();
        are_names && values.len() == count && values.into_iter().any(is_number)
    }

    /// The reader of a table whose columns the user has stated. Its first line has their names, unless it has a submit
    /// time: then it is a job.
    ///
    /// # Errors
    /// If the lines are not a table with these columns.
    pub(super) fn mapped(lines: &[&[u8]], limits: Limits, map: &ColumnMap) -> Result<Self, ReadError> {
        let Some(first) = lines.iter().find(|line| !line.trim_ascii().is_empty()) else { return Err(ReadError::Empty) };
        let header = first.strip_prefix(b"#").unwrap_or(first);
        let mut absent = None;
        let mut best: Option<TableReader> = None;
        for delimiter in DELIMITERS {
            let mut table = TableReader::new(delimiter, header, limits);
            let Some(values) = table.split(header) else { continue };
            let names: Vec<String> = values.iter().map(|name| printable(&String::from_utf8_lossy(name))).collect();
            match LogColumns::mapped(&names, map) {
                Ok(columns) => table.columns = columns,
                Err(column) => {
                    // the delimiter that gives the most names is likely the right one
                    if absent.as_ref().is_none_or(|(_, most): &(String, Vec<String>)| names.len() > most.len()) {
                        absent = Some((column, names));
                    }
                    continue;
                }
            }
            let submit = table.columns.place(LogColumn::Submit).and_then(|at| names.get(at));
            // columns that are stated by numbers have no names
            let is_job = map.is_of_numbers()
                || submit.is_some_and(|text| table.columns.time(LogColumn::Submit, text.as_bytes()).is_some());
            if is_job {
                table.header.clear();
            }
            let missing = table.columns.missing().len();
            if best.as_ref().is_none_or(|best| missing < best.columns.missing().len()) {
                best = Some(table);
            }
        }
        let lacking = |missing: String, found: &[String]| ReadError::MissingColumns {
            of: "jobs in a table",
            missing,
            found: found.join(", "),
            command: "--columns submit=NAME,run=NAME,processors=NAME",
        };
        match (best, absent) {
            (Some(table), _) if table.columns.missing().is_empty() => Ok(table),
            (Some(table), _) => Err(lacking(table.columns.missing().join(", "), &table.columns.names)),
            (None, Some((column, names))) => Err(lacking(format!("\"{column}\""), &names)),
            (None, None) => Err(ReadError::Empty),
        }
    }

    fn new(delimiter: u8, header: &[u8], limits: Limits) -> Self {
        let mut jobs = Jobs::within(limits);
        jobs.ids_may_be_shared = true;
        TableReader {
            columns: LogColumns::named(&[]),
            delimiter,
            header: header.to_vec(),
            reader: Box::new(ReaderBuilder::new().delimiter(delimiter).build()),
            jobs,
            values: Vec::new(),
            ends: Vec::new(),
            pending: None,
        }
    }

    /// The values of a line; none where a quote is open at its end, or there are too many.
    fn split(&mut self, line: &[u8]) -> Option<Vec<&[u8]>> {
        let squeezed: Vec<u8>;
        let line = match self.delimiter {
            b' ' => {
                let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
                squeezed = words.join(&b' ');
                &squeezed
            }
            _ => line,
        };
        self.values.resize(line.len() + 1, 0);
        self.ends.resize(MOST_COLUMNS, 0);
        self.reader.reset();
        let (result, _, written, count) = self.reader.read_record(line, &mut self.values, &mut self.ends);
        let (mut written, mut count) = (written, count);
        match result {
            ReadRecordResult::Record => {}
            // the end of the line ends the record
            ReadRecordResult::InputEmpty => {
                let (result, _, more, ends) =
                    self.reader.read_record(b"\n", &mut self.values[written..], &mut self.ends[count..]);
                if result != ReadRecordResult::Record {
                    return None;
                }
                written += more;
                count += ends;
            }
            _ => return None,
        }
        debug_assert!(written <= self.values.len());
        let mut from = 0;
        let value = |&end: &usize| {
            let value = &self.values[from..end];
            from = end;
            value.trim_ascii()
        };
        Some(self.ends[..count].iter().map(value).collect())
    }

    /// Takes a line. Returns whether it was complete.
    fn take(&mut self, number: u32, line: &[u8]) -> Result<bool, ReadError> {
        let columns = self.columns.clone();
        let mut jobs =
            std::mem::replace(&mut self.jobs, Jobs::within(Limits { jobs: 0, text: 0, lost: Limits::ALL_LOST }));
        let taken = self.split(line).map(|values| job(&columns, &values, &mut jobs, number));
        self.jobs = jobs;
        taken.transpose().map(|taken| taken.is_some())
    }
}

/// Adds the job that these values make, or notes why they make none.
fn job(columns: &LogColumns, values: &[&[u8]], jobs: &mut Jobs, line: u32) -> Result<(), ReadError> {
    let get = |column| columns.place(column).and_then(|at| values.get(at)).copied().unwrap_or_default();
    let (start, end) =
        (columns.time(LogColumn::Start, get(LogColumn::Start)), columns.time(LogColumn::End, get(LogColumn::End)));
    let wait = columns.span(LogColumn::Wait, get(LogColumn::Wait));
    if values.len() < columns.names.len().saturating_sub(1) {
        jobs.account.note_text(Reason::NotAJob, line, &values.join(&b' '));
        return Ok(());
    }
    let id = get(LogColumn::Id);
    // what Slurm means by these it means in any table
    if is_step(id) {
        jobs.account.note(Reason::JobStep, line);
        return Ok(());
    }
    match state::of(get(LogColumn::Status)) {
        Some(State::Pending) => {
            jobs.account.note(Reason::NotStarted, line);
            return Ok(());
        }
        Some(State::Running) => {
            jobs.account.note(Reason::StillRunning, line);
            return Ok(());
        }
        _ => {}
    }
    let Some(submit) = columns.time(LogColumn::Submit, get(LogColumn::Submit)) else {
        let reason = if values.len() < 3 { Reason::NotAJob } else { Reason::NoSubmitTime };
        jobs.account.note_text(reason, line, &values.join(&b' '));
        return Ok(());
    };
    // a start of 0 means none, unless the job was submitted at 0
    let start = start.filter(|&start| start > 0 || submit == 0).or_else(|| Some(submit + wait?));
    let lasted = || Some((end? - start?).max(0));
    let resources = Resources::of(get(LogColumn::Tres));
    let counted = |column| number(get(column)).map(|count| columns.count(column, count)).filter(|&count| count > 0);
    let (nodes, gpus) = (counted(LogColumn::Nodes).or(resources.nodes), counted(LogColumn::Gpus).or(resources.gpus));
    let width = counted(LogColumn::Processors).or(resources.processors);
    // a table that counts only nodes, or only graphics processors, is of a machine of these
    let width = width.or(nodes).or(gpus);
    let first = id.split(|byte| !byte.is_ascii_digit()).find(|part| !part.is_empty()).unwrap_or_default();
    let run = columns.span(LogColumn::Run, get(LogColumn::Run)).or_else(lasted);
    let watts = energy::of_watts(get(LogColumn::Watts), nodes);
    jobs.push(
        line,
        &Job {
            milliwatts: watts.or_else(|| energy::of_energy(get(LogColumn::Energy), run)),
            id,
            number: id_number(first).unwrap_or(-1),
            submit,
            eligible: columns.time(LogColumn::Eligible, get(LogColumn::Eligible)),
            start,
            run,
            end,
            limit: columns.limit(get(LogColumn::Limit)),
            allocated: width,
            requested: width,
            nodes,
            gpus: Some(gpus.unwrap_or(0)),
            memory: None,
            status: status(get(LogColumn::Status)),
            user: get(LogColumn::User),
            group: get(LogColumn::Group),
            executable: get(LogColumn::Executable),
            queue: get(LogColumn::Queue),
            partition: get(LogColumn::Partition),
            ..Job::default()
        },
    )
}

/// Whether an id is that of a step of a job in Slurm: `12.batch`, `12_3.0`.
fn is_step(id: &[u8]) -> bool {
    let Some(at) = id.iter().position(|&byte| byte == b'.') else { return false };
    let (job, step) = (&id[..at], &id[at + 1..]);
    let is_job = job.first().is_some_and(u8::is_ascii_digit)
        && job.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'+'));
    is_job && matches!(step, b"batch" | b"extern" | b"interactive")
}

/// A count, which may have decimals if they are 0.
fn number(field: &[u8]) -> Option<u32> {
    match field.iter().position(|&byte| byte == b'.') {
        Some(at) if field[at + 1..].iter().all(|&byte| byte == b'0') => count(&field[..at]),
        _ => count(field),
    }
}

/// A status as SWF numbers it.
fn status(field: &[u8]) -> i32 {
    let text = field.to_ascii_uppercase();
    match text.as_slice() {
        b"" => -1,
        b"COMPLETED" | b"COMPLETED_SUCCESSFULLY" | b"TRUE" | b"PASS" | b"SUCCESS" => 1,
        _ if text.starts_with(b"CANCEL") || text == b"KILLED" => 5,
        // numbers mean different things in different tables
        _ if text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-' || *byte == b'.') => -1,
        _ => 0,
    }
}

impl Format for TableReader {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let bytes = line.bytes;
        let is_header = !self.header.is_empty() && bytes.strip_prefix(b"#").unwrap_or(bytes) == self.header;
        if self.pending.is_none() && (bytes.trim_ascii().is_empty() || is_header) {
            return Ok(());
        }
        let (number, whole): (u32, Vec<u8>) = match self.pending.take() {
            Some((number, begin)) => (number, [begin.as_slice(), bytes].join(&b'\n')),
            None if self.take(line.number, bytes)? => return Ok(()),
            None => (line.number, bytes.to_vec()),
        };
        if self.take(number, &whole)? {
            return Ok(());
        }
        if whole.len() > LONGEST_LINE || line.cut {
            self.jobs.account.note(Reason::NotAJob, number);
        } else {
            self.pending = Some((number, whole));
        }
        Ok(())
    }

    fn is_table(&self) -> bool {
        true
    }

    fn jobs(&self) -> usize {
        self.jobs.len()
    }

    fn finish(mut self: Box<Self>) -> Result<LogContent, ReadError> {
        if let Some((number, _)) = self.pending.take() {
            self.jobs.account.note(Reason::NotAJob, number);
        }
        self.jobs.finish(None)
    }
}

#[cfg(test)]
mod tests;

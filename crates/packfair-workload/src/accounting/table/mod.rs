//! Tables of any origin whose first line names the columns. Commas, semicolons, tabs, bars or blanks separate the
//! values, which may be in quotes. The name of a column tells what it holds.

mod choosing;
mod columns;
mod guess;
mod mapping;
mod preview;
mod row;
mod value;

pub(crate) use columns::LogColumns;
pub(super) use columns::{NUMBER, is_known};
pub use mapping::{ColumnMap, LogColumn, MappedColumn, ValueForm};
pub use preview::{PreviewedJobs, TablePreview};

use super::jobs::JobCollector;
use crate::data_sets::data_set_with;
use crate::reading::{FileLine, Format, LONGEST_LINE, Limits, LogContent, ReadError};
use crate::{Account, OtherLine, Reason, printable};
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use packfair_base::drawn::{are_types, cells, is_frame, units, with_dates_joined, words};
use packfair_base::numbers::{NumberStyle, plain_number};
use row::RowReader;
use std::sync::Arc;

/// What may separate two values. Any number of blanks counts as one.
const DELIMITERS: [u8; 5] = [b',', b';', b'\t', b'|', b' '];

/// What a table needs that lacks columns.
pub(super) const NAMES_OR_COLUMNS: &str = "names such as id,submit,start,run,limit,processors,nodes,user,group,queue,partition,state; or say \
     which column is which: --columns submit=NAME,run=NAME,processors=NAME";

/// How many lines may stand above the names of the columns.
const MOST_ABOVE: usize = 20;

/// The most columns that a table may have.
const MOST_COLUMNS: usize = 1_000;

pub(super) struct TableReader {
    columns: Arc<LogColumns>,
    /// The byte between two values.
    delimiter: u8,
    numbers: NumberStyle,
    header: Vec<u8>,
    /// Whether a date and its time of day, with a blank between them, are one value of a table between blanks.
    joins_dates: bool,
    /// Whether a row of units stands below the names.
    has_units: bool,
    /// Whether the line with the names is still to come, and others stand above it.
    awaits_names: bool,
    reader: Box<Reader>,
    jobs: JobCollector,
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
        let is_told = |line: &&[u8]| {
            !line.trim_ascii().is_empty()
                && !tells_separator(line)
                && !is_frame(line)
                && !DELIMITERS.iter().any(|mark| are_types(&cells(line, *mark)))
        };
        let mut told: Vec<&[u8]> = lines.iter().copied().filter(is_told).collect();
        let header = told.first().map_or(0, |_| lines_of_names(&told));
        let names = told[..header].join(&b'\n');
        if header > 1 {
            told.splice(..header, [names.as_slice()]);
        }
        let first = TableReader::of_names(&told, limits);
        if matches!(first, Ok(Some(_))) {
            return first;
        }
        // comments, a greeting or a title may stand above the names
        let above = told.iter().take(MOST_ABOVE).take_while(|line| line.starts_with(b"#") || !looks_like_a_row(line));
        for at in 1..=above.count() {
            if let Some(mut table) = told.get(at..).and_then(|told| TableReader::of_names(told, limits).ok().flatten())
            {
                table.awaits_names = true;
                return Ok(Some(table));
            }
        }
        let names = told.iter().position(|line| !line.starts_with(b"#")).filter(|&at| at > 0);
        match names {
            None => first,
            Some(at) => first.and(TableReader::of_names(&told[at..], limits)),
        }
    }

    /// The reader of a table whose first line has names of columns.
    fn of_names(told: &[&[u8]], limits: Limits) -> Result<Option<Self>, ReadError> {
        let Some((first, rows)) = told.split_first() else { return Ok(None) };
        let header = first.strip_prefix(b"#").unwrap_or(first);
        let found = DELIMITERS.iter().filter_map(|&delimiter| {
            // a comment in words is not a line of names with blanks between them
            if delimiter == b' ' && (first.len() > header.len() || first.starts_with(b";")) {
                return None;
            }
            let mut table = TableReader::new(delimiter, header, limits);
            let text = |name: &&[u8]| printable(&String::from_utf8_lossy(name));
            let mut names: Vec<String> = table.split(header)?.iter().map(text).collect();
            let mut rows = rows;
            // pandas writes the name of what rows are called below the other names
            if let ([name], true) = (&rows.first().map_or(Vec::new(), |row| words(row))[..], delimiter == b' ') {
                names.insert(0, text(name));
                rows = &rows[1..];
            }
            if let Some(other) = table.delimiter_of(rows, names.len()) {
                table = TableReader::new(other, header, limits);
            }
            let of_row =
                rows.first().and_then(|row| units(&table.split(row)?)).filter(|units| units.len() == names.len());
            if let Some(units) = &of_row {
                let named = names.iter_mut().zip(units).filter(|(_, unit)| !unit.is_empty());
                named.for_each(|(name, unit)| *name = format!("{name} ({unit})"));
                rows = &rows[1..];
            }
            table.has_units = of_row.is_some();
            let has_names_of_rows = table.choose(&names, rows);
            let has_more = |row: &&&[u8]| words(row).len() > names.len();
            if delimiter == b' ' && !has_names_of_rows && 2 * rows.iter().filter(has_more).count() > rows.len() {
                table.joins_dates = true;
                table.choose(&names, rows);
            }
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
            _ if rows.first().is_some_and(|second| table.names_columns_of(second)) => Err(table.lacking(&missing)),
            _ => Ok(None),
        }
    }

    /// What separates the values of rows with as many as there are names, where it is not what separates these.
    fn delimiter_of(&mut self, rows: &[&[u8]], names: usize) -> Option<u8> {
        let is_near = |row: &&[u8]| self.split(row).is_none_or(|row| row.len() + 1 >= names && row.len() <= names + 1);
        let are_parted = names < 3 || rows.is_empty() || rows.iter().any(is_near);
        let fits = |mark: &u8| *mark != b' ' && rows.iter().all(|row| row.split(|byte| byte == mark).count() == names);
        DELIMITERS.into_iter().filter(|_| !are_parted).find(fits)
    }

    /// Finds the columns by their names and the first rows. Returns whether rows have names, which have no column.
    fn choose(&mut self, names: &[String], rows: &[&[u8]]) -> bool {
        let rows = self.rows_of(rows);
        self.columns = Arc::new(LogColumns::named(names).choosing(&rows));
        let with_one_more = self.with_names_of_rows(&rows);
        let has_names_of_rows = with_one_more.is_some();
        if let Some(columns) = with_one_more {
            self.columns = Arc::new(columns);
        }
        if self.columns.has_found_unit {
            self.jobs.account.note(Reason::SpansInOtherUnit, 0);
        }
        has_names_of_rows
    }

    /// The columns with one more before them, which has no name, as R and pandas write names of rows; none where the rows do
    /// not have one.
    fn with_names_of_rows(&self, rows: &[Vec<Vec<u8>>]) -> Option<LogColumns> {
        let names = [&[String::new()][..], &self.columns.names].concat();
        if rows.is_empty() || rows.iter().any(|row| row.len() != names.len() || row.last().is_some_and(Vec::is_empty)) {
            return None;
        }
        let columns = LogColumns::named(&names).choosing(rows);
        let (shifted, own) = (
            RowReader { columns: &columns, numbers: self.numbers },
            RowReader { columns: &self.columns, numbers: self.numbers },
        );
        // rows are numbered from 0 or 1; their first value would be an id otherwise
        let number = |text: &Vec<u8>| std::str::from_utf8(text).ok().and_then(|text| text.parse::<usize>().ok());
        let begin = number(&rows[0][0]).filter(|begin| *begin < 2);
        let has_id = |row: &Vec<Vec<u8>>| columns.place(LogColumn::Id).is_none_or(|at| number(&row[at]).is_some());
        let are_numbered = begin.is_some_and(|begin| {
            rows.iter().enumerate().all(|(at, row)| number(&row[0]) == Some(begin + at) && has_id(row))
        });
        let is_shifted = |row: &Vec<Vec<u8>>| {
            let values: Vec<&[u8]> = row.iter().map(Vec::as_slice).collect();
            shifted.fits(&values) && shifted.has_time(&values) && (are_numbered || own.aligned(&values).is_none())
        };
        (columns.missing().is_empty() && rows.iter().all(is_shifted)).then_some(columns)
    }

    /// The values of the first rows, after which the table is taken to write its numbers.
    fn rows_of(&mut self, lines: &[&[u8]]) -> Vec<Vec<Vec<u8>>> {
        // tables that were put together have their names again
        let header = std::mem::take(&mut self.header);
        let mut row = |line: &&[u8]| -> Option<Vec<Vec<u8>>> {
            Some(self.split(line)?.into_iter().map(<[u8]>::to_vec).collect())
        };
        let rows: Vec<Vec<Vec<u8>>> = lines.iter().filter(|line| **line != header).filter_map(&mut row).collect();
        self.header = header;
        self.numbers = NumberStyle::of_rows(self.delimiter, &rows);
        let plain = |value: &Vec<u8>| plain_number(value, self.numbers).into_owned();
        rows.iter().map(|row| row.iter().map(plain).collect()).collect()
    }

    /// Whether a field without which there is less to simulate is in a column whose name `is_known` does not know, though it
    /// knows that of the submission.
    pub(super) fn tells_more_than(&self, is_known: impl Fn(&str) -> bool) -> bool {
        let of = |field| self.columns.place(field);
        let is_known = |at: usize| is_known(&self.columns.names[at]);
        let wait = of(LogColumn::Wait).filter(|_| of(LogColumn::Start).is_none());
        let others = [LogColumn::Start, LogColumn::Limit, LogColumn::User].into_iter().filter_map(of).chain(wait);
        of(LogColumn::Submit).is_some_and(is_known) && others.into_iter().any(|at| !is_known(at))
    }

    /// The reader of a file with these first lines, if they are of a public data set: its log has the set's machine.
    pub(super) fn of_data_set(lines: &[&[u8]], limits: Limits) -> Option<Self> {
        let mut told = lines.iter().copied().filter(|line| !line.trim_ascii().is_empty());
        let header = told.next()?;
        let rows: Vec<&[u8]> = told.collect();
        let mut table = TableReader::new(b',', header, limits);
        let text = |value: &[u8]| printable(&String::from_utf8_lossy(value));
        let names: Vec<String> = table.split(header)?.into_iter().map(text).collect();
        let mut values = |place: usize| {
            let mut of = |row: &&[u8]| Some(text(table.split(row)?.get(place)?));
            rows.iter().filter_map(&mut of).collect()
        };
        let set = data_set_with(&names, &mut values)?;
        let first = table.rows_of(&rows);
        table.columns = Arc::new(LogColumns::of_set(&names, set, &first));
        table.jobs.label_data_set(set);
        table.columns.missing().is_empty().then_some(table)
    }

    /// The error that tells which columns are missing.
    fn lacking(&self, missing: &[&str]) -> ReadError {
        ReadError::MissingColumns {
            of: "jobs with names of columns",
            missing: missing.join(", "),
            found: self.columns.names.join(", "),
            command: NAMES_OR_COLUMNS,
            guess: None,
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
        let is_told = |line: &&&[u8]| !line.trim_ascii().is_empty() && !tells_separator(line);
        let Some(first) = lines.iter().find(is_told) else { return Err(ReadError::Empty) };
        let header = first.strip_prefix(b"#").unwrap_or(first);
        let told: Vec<&[u8]> = lines.iter().filter(is_told).skip(1).copied().collect();
        let mut absent = None;
        let mut best: Option<TableReader> = None;
        for delimiter in DELIMITERS {
            let mut table = TableReader::new(delimiter, header, limits);
            let Some(values) = table.split(header) else { continue };
            let names: Vec<String> = values.iter().map(|name| printable(&String::from_utf8_lossy(name))).collect();
            let rows = table.rows_of(&told);
            let rows = if map.is_of_numbers() { Vec::new() } else { rows };
            match LogColumns::mapped(&names, map, &rows) {
                Ok(columns) => table.columns = Arc::new(columns),
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
            guess: None,
        };
        match (best, absent) {
            (Some(table), _) if table.columns.missing().is_empty() => Ok(table),
            (Some(table), _) => Err(lacking(table.columns.missing().join(", "), &table.columns.names)),
            (None, Some((column, names))) => Err(lacking(format!("\"{column}\""), &names)),
            (None, None) => Err(ReadError::Empty),
        }
    }

    fn new(delimiter: u8, header: &[u8], limits: Limits) -> Self {
        let mut jobs = JobCollector::within(limits);
        jobs.ids_may_be_shared = true;
        let quote = if header.trim_ascii().starts_with(b"'") { b'\'' } else { b'"' };
        TableReader {
            columns: Arc::new(LogColumns::named(&[])),
            delimiter,
            numbers: NumberStyle::between(delimiter),
            header: header.to_vec(),
            joins_dates: false,
            has_units: false,
            awaits_names: false,
            reader: Box::new(ReaderBuilder::new().delimiter(delimiter).quote(quote).build()),
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
                squeezed = if self.joins_dates { with_dates_joined(line) } else { words(line).join(&b' ') };
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
        let mut jobs = std::mem::replace(
            &mut self.jobs,
            JobCollector::within(Limits { jobs: 0, text: 0, lost: Limits::ALL_LOST }),
        );
        let rows = RowReader { columns: &columns, numbers: self.numbers };
        let (mut renamed, delimiter, has_units) = (None, self.delimiter, self.has_units);
        let taken = self.split(line).map(|values| {
            renamed = columns.renamed(&values);
            match () {
                () if renamed.is_some() => jobs.account.pass(OtherLine::Names),
                () if values.len() == 1
                    && delimiter == b' '
                    && columns.names.first().is_some_and(|name| name.as_bytes() == values[0]) =>
                {
                    jobs.account.pass(OtherLine::Names);
                }
                () if is_total(&values) || are_types(&values) || has_units && units(&values).is_some() => {
                    jobs.account.pass(OtherLine::Comment)
                }
                () => return rows.take(&values, &mut jobs, number, line),
            }
            Ok(())
        });
        self.jobs = jobs;
        if let Some(columns) = renamed {
            self.columns = Arc::new(columns);
        }
        taken.transpose().map(|taken| taken.is_some())
    }

    /// The account of what was read so far.
    pub(super) fn account(&mut self) -> &mut Account {
        &mut self.jobs.account
    }

    /// Whether a line by itself is a row whose values fit the columns.
    fn is_row(&mut self, line: &[u8]) -> bool {
        let columns = self.columns.clone();
        let rows = RowReader { columns: &columns, numbers: self.numbers };
        self.split(line).is_some_and(|values| values.len() == columns.names.len() && rows.fits(&values))
    }

    /// Whether a text of several lines is one row.
    fn is_one_row(&mut self, text: &[u8]) -> bool {
        let count = self.columns.names.len();
        self.split(text).is_some_and(|values| values.len() == count)
    }

    /// Drops a row whose lines never became a complete one.
    fn give_up_pending(&mut self) {
        if let Some((number, begin)) = self.pending.take() {
            self.jobs.account.note_text(Reason::NotAJob, number, &begin);
        }
    }
}

/// What a spreadsheet's last row is called that sums up the others.
const TOTALS: [&str; 10] =
    ["total", "totals", "total:", "sum", "sum:", "grand total", "subtotal", "average", "mean", "summe"];

/// Whether a row sums up others: its first word is one for that, and most of its other cells are empty.
fn is_total(values: &[&[u8]]) -> bool {
    let Some(first) = values.iter().find(|value| !value.is_empty()) else { return false };
    let is_word = first.first().is_some_and(u8::is_ascii_alphabetic)
        && TOTALS.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(first));
    is_word && 2 * values.iter().filter(|value| value.is_empty()).count() + 1 >= values.len()
}

/// Whether a line has values as a row has them: three or more between marks, or a first one that is a number.
fn looks_like_a_row(line: &[u8]) -> bool {
    let marks = |delimiter: u8| line.iter().filter(|&&byte| byte == delimiter).count();
    line.trim_ascii().first().is_some_and(u8::is_ascii_digit)
        || [b',', b';', b'\t', b'|'].into_iter().any(|mark| marks(mark) > 2)
}

/// How many of the first lines are the names of columns: several where a name in quotes has a line break in it.
fn lines_of_names(told: &[&[u8]]) -> usize {
    let mut quotes = 0;
    let is_closed = |line: &&[u8]| {
        quotes += line.iter().filter(|byte| **byte == b'"').count();
        quotes % 2 == 0
    };
    told.iter().take(MOST_ABOVE).position(is_closed).map_or(1, |at| at + 1)
}

/// Whether a line tells a spreadsheet what separates two values: `sep=;`.
fn tells_separator(line: &[u8]) -> bool {
    line.len() == 5 && line[..4].eq_ignore_ascii_case(b"sep=")
}

impl Format for TableReader {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let bytes = line.bytes;
        let is_header = !self.header.is_empty() && bytes.strip_prefix(b"#").unwrap_or(bytes) == self.header;
        // a comment is no row, unless its first value begins so
        let is_comment = |table: &mut Self| bytes.starts_with(b"#") && !table.is_row(bytes);
        if self.pending.is_none() {
            let other = match () {
                () if bytes.trim_ascii().is_empty() => Some(OtherLine::Blank),
                () if is_header || tells_separator(bytes) => Some(OtherLine::Names),
                () if self.awaits_names || is_frame(bytes) => Some(OtherLine::Comment),
                () if is_comment(self) => Some(OtherLine::Comment),
                () => None,
            };
            self.awaits_names &= !is_header;
            if let Some(kind) = other {
                self.jobs.account.pass(kind);
                return Ok(());
            }
        }
        let (number, whole): (u32, Vec<u8>) = match self.pending.take() {
            Some((number, begin)) => {
                let whole = [begin.as_slice(), bytes].join(&b'\n');
                // a quote that is never closed must not swallow what follows
                if self.is_row(bytes) && !self.is_one_row(&whole) {
                    self.pending = Some((number, begin));
                    self.give_up_pending();
                    return self.line(line);
                }
                self.jobs.account.pass(OtherLine::Continued);
                (number, whole)
            }
            None if self.take(line.number, bytes)? => return Ok(()),
            None => (line.number, bytes.to_vec()),
        };
        if self.take(number, &whole)? {
            return Ok(());
        }
        if whole.len() > LONGEST_LINE || line.cut {
            self.jobs.account.note_text(Reason::NotAJob, number, &whole);
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
        self.give_up_pending();
        let knows_limits = self.columns.say_unit_of_limits();
        Ok(LogContent { knows_limits, ..self.jobs.finish(None)? })
    }
}

#[cfg(test)]
mod tests;

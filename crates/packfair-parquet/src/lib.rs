//! Parquet files as the text of a table: a line of names, then a line for each row.
//!
//! So a table is read in one way, whatever it is written in: names of columns, what a user states of them, and forms of
//! values are those of CSV. Of a group of rows only the columns that are wanted are read, a page of each at a time. Columns
//! of structures are named after both (`structure.part`); columns with lists in them are left out.
//!
//! It knows nothing of jobs. Damaged bytes of any kind are an error, never a panic, and take no more memory than the file's
//! pages need.
//!
//! The format: <https://github.com/apache/parquet-format>. The reader is our own: others panic at bad bytes, which would end
//! the page, or need a compiler of C for zstandard.

mod bits;
mod codec;
mod durations;
mod form;
mod pages;
mod schema;
mod thrift;
mod values;

use form::write_text;
use pages::{Column, Source, held};
use schema::{Description, Leaf, RowGroup};
use std::cell::Cell;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;
use thiserror::Error;

/// First and last bytes of a file.
const MAGIC: [u8; 4] = *b"PAR1";

/// Whether a file with these first bytes is a Parquet file.
pub fn is_parquet(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

/// Last bytes of a file whose description is encrypted.
const ENCRYPTED: [u8; 4] = *b"PARE";

/// The longest description, bytes.
const LONGEST_DESCRIPTION: u64 = 256 << 20;

/// How many bytes of text are made at a time.
const CHUNK: usize = 64 * 1024;

/// The text of a Parquet file as a table, made as it is read. Its errors carry a [`ParquetError`].
pub struct ParquetText<'a> {
    source: Box<dyn Source + 'a>,
    /// The columns that are written: those that are not wanted have names alone.
    leaves: Vec<Leaf>,
    is_wanted: Vec<bool>,
    groups: Vec<RowGroup>,
    next_group: usize,
    columns: Vec<Option<Column>>,
    rows_left: u64,
    text: Vec<u8>,
    at: usize,
    rows: u64,
    rows_read: u64,
    /// The share of the rows that was read.
    part: &'a Cell<f64>,
    /// Why no more can be read. Who reads may ask again.
    failed: Option<ParquetError>,
}

impl<'a> ParquetText<'a> {
    /// The text of a file, of whose columns `want` says by their names which are wanted. `part` is kept at the share of the
    /// rows that was read. Never inlined, so that the code comes with the late part (`scripts/split`).
    ///
    /// Every read of `source` is as long as it was asked for, but at the end.
    ///
    /// # Errors
    /// If the file's description cannot be read.
    #[inline(never)]
    pub fn new(
        source: impl Read + Seek + 'a,
        part: &'a Cell<f64>,
        want: &dyn Fn(&[String]) -> Vec<bool>,
    ) -> Result<Self, ParquetError> {
        ParquetText::open(Box::new(source), part, want)
    }

    fn open(
        mut source: Box<dyn Source + 'a>,
        part: &'a Cell<f64>,
        want: &dyn Fn(&[String]) -> Vec<bool>,
    ) -> ReadResult<Self> {
        let length = source.seek(SeekFrom::End(0))?;
        let Some(tail) = length.checked_sub(8) else { return Err(ParquetError::Damaged("it is cut off")) };
        source.seek(SeekFrom::Start(tail))?;
        let mut end = [0; 8];
        source.read_exact(&mut end)?;
        let [a, b, c, d, magic @ ..] = end;
        if magic == ENCRYPTED {
            return Err(ParquetError::NotRead("an encrypted description".to_owned()));
        }
        if magic != MAGIC {
            return Err(ParquetError::Damaged(
                "it is cut off, for its last bytes, which tell where its columns are, are missing",
            ));
        }
        let size = u64::from(u32::from_le_bytes([a, b, c, d]));
        let Some(begin) = tail.checked_sub(size).filter(|_| size <= LONGEST_DESCRIPTION) else {
            return Err(ParquetError::Damaged("its description is larger than it"));
        };
        source.seek(SeekFrom::Start(begin))?;
        let mut bytes = Vec::new();
        source.as_mut().take(size).read_to_end(&mut bytes)?;
        let Description { leaves, groups } = Description::read(&bytes)?;
        if leaves.is_empty() {
            return Err(ParquetError::NotRead("no column with one value a row".to_owned()));
        }
        let names: Vec<String> = leaves.iter().map(|leaf| leaf.name.clone()).collect();
        let is_wanted = want(&names);
        let rows = groups.iter().fold(0_u64, |rows, group| rows.saturating_add(group.rows));
        let mut text = Vec::new();
        for (at, name) in names.iter().enumerate() {
            if at > 0 {
                text.push(b',');
            }
            write_name(name, &mut text);
        }
        text.push(b'\n');
        Ok(ParquetText {
            source,
            leaves,
            is_wanted,
            groups,
            next_group: 0,
            columns: Vec::new(),
            rows_left: 0,
            text,
            at: 0,
            rows,
            rows_read: 0,
            part,
            failed: None,
        })
    }

    /// Makes the next lines of text; none at the end.
    fn fill(&mut self) -> ReadResult<()> {
        self.text.clear();
        self.at = 0;
        while self.text.len() < CHUNK {
            if self.rows_left == 0 {
                let Some(group) = self.groups.get(self.next_group) else { break };
                self.columns = columns(&self.leaves, &self.is_wanted, group)?;
                self.rows_left = group.rows;
                self.next_group += 1;
                continue;
            }
            for at in 0..self.columns.len() {
                if at > 0 {
                    self.text.push(b',');
                }
                if self.columns[at].as_ref().is_some_and(Column::is_at_end_of_page) {
                    let held = held(self.columns.iter().flatten());
                    if let Some(column) = &mut self.columns[at] {
                        column.next_page(self.source.as_mut(), held)?;
                    }
                }
                if let Some(column) = &mut self.columns[at] {
                    column.write_next(&mut self.text)?;
                }
            }
            self.text.push(b'\n');
            self.rows_left -= 1;
            self.rows_read += 1;
        }
        self.part.set(self.rows_read as f64 / self.rows.max(1) as f64);
        Ok(())
    }
}

/// The first lines of a Parquet file that is in memory, and whether they are all of it; none where it cannot be read.
pub fn first_lines(bytes: &[u8], most: usize) -> Option<(Vec<u8>, bool)> {
    let part = Cell::new(0.0);
    let all = |names: &[String]| vec![true; names.len()];
    let mut text = ParquetText::new(Cursor::new(bytes), &part, &all).ok()?;
    let mut read = Vec::new();
    while text.rows_read < most as u64 {
        let mut chunk = [0; 4_096];
        let length = text.read(&mut chunk).ok()?;
        if length == 0 {
            return Some((read, true));
        }
        read.extend_from_slice(&chunk[..length]);
    }
    // what was made so far ends with a line
    read.extend_from_slice(&text.text[text.at..]);
    let ends = read.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let end = ends.take(most + 1).last().unwrap_or(0);
    let is_all = end == read.len() && text.rows == text.rows_read;
    read.truncate(end);
    Some((read, is_all))
}

/// The columns of a group of rows; none where they are not wanted.
fn columns(leaves: &[Leaf], is_wanted: &[bool], group: &RowGroup) -> ReadResult<Vec<Option<Column>>> {
    let of = |(leaf, wanted): (&Leaf, &bool)| {
        if !*wanted {
            return Ok(None);
        }
        // as many as there are columns (`Description::read`)
        Column::new(leaf, &group.parts[leaf.place], group.rows).map(Some)
    };
    leaves.iter().zip(is_wanted).map(of).collect()
}

/// Writes a name. In quotes where it could be taken for the beginning of another kind of file.
fn write_name(name: &str, text: &mut Vec<u8>) {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte));
    let first = if text.is_empty() { name.as_bytes() } else { b"" };
    if is_plain && !first.starts_with(&MAGIC) && !first.starts_with(b"BZh") {
        return text.extend_from_slice(name.as_bytes());
    }
    let mut written = Vec::new();
    write_text(name.as_bytes(), &mut written);
    if written.starts_with(b"\"") {
        text.extend_from_slice(&written);
    } else {
        text.push(b'"');
        text.extend_from_slice(&written);
        text.push(b'"');
    }
}

impl Read for ParquetText<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(why) = &self.failed {
            return Err(io::Error::other(why.clone()));
        }
        if self.at == self.text.len() {
            self.fill().map_err(|fault| {
                self.failed = Some(fault.clone());
                io::Error::other(fault)
            })?;
        }
        let rest = &self.text[self.at..];
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}

// What can be wrong with a Parquet file.

/// What is wrong with a Parquet file, or keeps it from being read.
#[derive(Clone, Debug, Error)]
pub enum ParquetError {
    /// There are fewer bytes than were to be read.
    #[error("the Parquet file is damaged: a part of it ends too early")]
    End,
    #[error("the Parquet file is damaged: {0}")]
    Damaged(&'static str),
    /// It is written in a way that is not read here; says which, after "this file has".
    #[error("this Parquet file has {0}, which cannot be read here")]
    NotRead(String),
    /// Its bytes cannot be had.
    #[error("{0}")]
    Io(Arc<io::Error>),
}

pub(crate) type ReadResult<T> = Result<T, ParquetError>;

impl From<io::Error> for ParquetError {
    fn from(error: io::Error) -> Self {
        ParquetError::Io(Arc::new(error))
    }
}

//! The pages of a part of a column.

use super::bits::Runs;
use super::codec::Codec;
use super::schema::{Leaf, Part};
use super::thrift::{Field, Thrift};
use super::values::{Dictionary, Values};
use super::{ParquetError, ReadResult};
use flate2::Crc;
use std::io::{Read, Seek, SeekFrom};

/// How many bytes are read at first for the header of a page, and the longest header: with the least and the most text of
/// the page in it.
const HEADER: usize = 1_024;
const LONGEST_HEADER: usize = 16 << 20;

/// The most bytes of a page, unpacked, and of the pages and dictionaries of all columns that are held at once.
const LARGEST: usize = 256 << 20;
const MOST_HELD: usize = 512 << 20;

/// Where the bytes of a file come from.
pub(super) trait Source: Read + Seek {}

impl<R: Read + Seek> Source for R {}

const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_V2: i64 = 3;

/// How levels are written, by the numbers of encodings.
const RUNS: i64 = 3;

#[derive(Default)]
struct Header {
    kind: i64,
    unpacked: i64,
    packed: i64,
    sum: Option<u32>,
    values: i64,
    encoding: i64,
    levels: i64,
    /// Bytes of levels before the values, in a page of the second version.
    level_bytes: [i64; 2],
    is_plain: bool,
}

pub(super) struct Column {
    leaf: Leaf,
    codec: Codec,
    /// Where the next page begins, and where the part ends.
    at: u64,
    end: u64,
    page: Vec<u8>,
    left: u64,
    /// Which values are there, where they may be missing.
    levels: Option<Runs>,
    values: Values,
    dictionary: Dictionary,
}

impl Column {
    /// The part of a column for a group of rows.
    pub(super) fn new(leaf: &Leaf, part: &Part, rows: u64) -> ReadResult<Self> {
        if part.is_encrypted {
            return Err(ParquetError::NotRead(format!("the encrypted column {}", leaf.name)));
        }
        if part.is_elsewhere {
            return Err(ParquetError::NotRead(format!("the column {}, which is in another file", leaf.name)));
        }
        if part.values != rows {
            return Err(ParquetError::Damaged("a column has not as many values as there are rows"));
        }
        let end = part.begin.checked_add(part.length).ok_or(ParquetError::Damaged("a column lies outside of it"))?;
        Ok(Column {
            leaf: leaf.clone(),
            codec: part.codec()?,
            at: part.begin,
            end,
            page: Vec::new(),
            left: 0,
            levels: None,
            values: Values::none(),
            dictionary: Dictionary::default(),
        })
    }

    /// How many bytes it holds.
    fn held(&self) -> usize {
        self.page.capacity() + self.dictionary.held()
    }

    /// Writes the next value as a field of a line; nothing where it is missing.
    #[inline]
    pub(super) fn write_next(&mut self, into: &mut Vec<u8>) -> ReadResult<()> {
        self.left -= 1;
        if let Some(levels) = &mut self.levels
            && levels.next(&self.page)? < self.leaf.levels
        {
            return Ok(());
        }
        self.values.write_next(&self.page, &self.leaf, &self.dictionary, into)
    }

    pub(super) fn is_at_end_of_page(&self) -> bool {
        self.left == 0
    }

    pub(super) fn next_page(&mut self, source: &mut dyn Source, held: usize) -> ReadResult<()> {
        let others = held - self.held();
        self.page = Vec::new();
        while self.left == 0 {
            let header = self.header(source)?;
            let room = LARGEST.min(MOST_HELD.saturating_sub(others + self.dictionary.held()));
            let (Ok(packed), Ok(unpacked)) = (usize::try_from(header.packed), usize::try_from(header.unpacked)) else {
                return Err(ParquetError::Damaged("the size of a page is negative"));
            };
            if unpacked > room || packed > room {
                return Err(ParquetError::NotRead(format!(
                    "a page of {} MB in the column {}",
                    unpacked >> 20,
                    self.leaf.name
                )));
            }
            if packed as u64 > self.end - self.at {
                return Err(ParquetError::Damaged("a page lies outside of its column"));
            }
            let mut bytes = Vec::new();
            source.take(packed as u64).read_to_end(&mut bytes)?;
            if bytes.len() < packed {
                return Err(ParquetError::Damaged("it is cut off"));
            }
            self.at += packed as u64;
            if header.sum.is_some_and(|sum| sum != sum_of(&bytes)) {
                return Err(ParquetError::Damaged("the check sum of a page does not fit its content"));
            }
            self.take(&header, bytes, unpacked)?;
        }
        Ok(())
    }

    fn take(&mut self, header: &Header, bytes: Vec<u8>, unpacked: usize) -> ReadResult<()> {
        let values = u64::try_from(header.values)
            .map_err(|_| ParquetError::Damaged("the number of values of a page is negative"))?;
        let unpack = |bytes: Vec<u8>, size: usize| match self.codec {
            Codec::Plain if bytes.len() == size => Ok(bytes),
            codec => codec.unpack(&bytes, size),
        };
        match header.kind {
            DICTIONARY => {
                let page = unpack(bytes, unpacked)?;
                self.dictionary = Dictionary::read(&page, values, &self.leaf)?;
            }
            DATA => {
                self.page = unpack(bytes, unpacked)?;
                let mut begin = 0;
                self.levels = None;
                if self.leaf.levels > 0 {
                    if header.levels != RUNS {
                        return Err(ParquetError::NotRead(
                            "levels packed in a way that was given up in 2013".to_owned(),
                        ));
                    }
                    let length = self.page.first_chunk::<4>().ok_or(ParquetError::End)?;
                    let end = 4 + u32::from_le_bytes(*length) as usize;
                    self.levels = Some(self.levels_in(4, end)?);
                    begin = end;
                }
                self.begin(values, header.encoding, begin)?;
            }
            DATA_V2 => {
                let [repeated, defined] = header.level_bytes.map(|length| usize::try_from(length).ok());
                let (Some(repeated), Some(defined)) = (repeated, defined) else { return Err(ParquetError::End) };
                let (levels, packed) = repeated
                    .checked_add(defined)
                    .and_then(|end| bytes.split_at_checked(end))
                    .ok_or(ParquetError::End)?;
                let rest = unpacked.checked_sub(levels.len()).ok_or(ParquetError::End)?;
                let mut page = levels.to_vec();
                let values_of_page = if header.is_plain { packed.to_vec() } else { unpack(packed.to_vec(), rest)? };
                page.extend_from_slice(&values_of_page);
                self.page = page;
                self.levels = None;
                if self.leaf.levels > 0 {
                    self.levels = Some(self.levels_in(repeated, repeated + defined)?);
                }
                self.begin(values, header.encoding, repeated + defined)?;
            }
            // a page of an index
            _ => {}
        }
        Ok(())
    }

    /// The levels in some bytes of the page.
    fn levels_in(&self, begin: usize, end: usize) -> ReadResult<Runs> {
        if end > self.page.len() {
            return Err(ParquetError::End);
        }
        Runs::new(u32::BITS - self.leaf.levels.leading_zeros(), begin, end)
    }

    /// Begins with the values of the page, which stand behind its levels.
    fn begin(&mut self, values: u64, encoding: i64, at: usize) -> ReadResult<()> {
        // where all are missing, nothing need stand there
        self.values = if values == 0 || (at == self.page.len() && self.levels.is_some()) {
            Values::none()
        } else {
            Values::new(encoding, &self.page, at, values, self.leaf.physical)?
        };
        self.left = values;
        Ok(())
    }

    /// Reads the header of the next page, behind which the source stands then.
    fn header(&mut self, source: &mut dyn Source) -> ReadResult<Header> {
        let mut size = HEADER;
        loop {
            let rest = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
            if rest == 0 {
                return Err(ParquetError::Damaged("a column ends before its rows"));
            }
            source.seek(SeekFrom::Start(self.at))?;
            let mut bytes = Vec::new();
            source.take(size.min(rest) as u64).read_to_end(&mut bytes)?;
            let mut thrift = Thrift::new(&bytes);
            match header(&mut thrift) {
                Ok(header) => {
                    self.at += thrift.position() as u64;
                    source.seek(SeekFrom::Start(self.at))?;
                    return Ok(header);
                }
                Err(ParquetError::End) if bytes.len() == size && size < LONGEST_HEADER => size *= 4,
                Err(fault) => return Err(fault),
            }
        }
    }
}

/// How many bytes columns hold together.
pub(super) fn held<'a>(columns: impl Iterator<Item = &'a Column>) -> usize {
    columns.map(Column::held).sum()
}

fn sum_of(bytes: &[u8]) -> u32 {
    let mut sum = Crc::new();
    sum.update(bytes);
    sum.sum()
}

fn header(thrift: &mut Thrift<'_>) -> ReadResult<Header> {
    let mut header = Header { kind: -1, ..Header::default() };
    thrift.structure(|thrift, field| {
        match field.id {
            1 => header.kind = thrift.number(field)?,
            2 => header.unpacked = thrift.number(field)?,
            3 => header.packed = thrift.number(field)?,
            // 32 bits of either sign
            4 => header.sum = Some(thrift.number(field)? as u32),
            5 | 7 | 8 => {
                let kind = field;
                thrift.structure(|thrift, field| of_kind(&mut header, kind, thrift, field))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(header)
}

fn of_kind(header: &mut Header, kind: Field, thrift: &mut Thrift<'_>, field: Field) -> ReadResult<bool> {
    match (kind.id, field.id) {
        (_, 1) => header.values = thrift.number(field)?,
        (5 | 7, 2) | (8, 4) => header.encoding = thrift.number(field)?,
        (5, 3) => header.levels = thrift.number(field)?,
        (8, 5) => header.level_bytes[1] = thrift.number(field)?,
        (8, 6) => header.level_bytes[0] = thrift.number(field)?,
        (8, 7) => header.is_plain = !thrift.truth(field)?,
        _ => return Ok(false),
    }
    Ok(true)
}

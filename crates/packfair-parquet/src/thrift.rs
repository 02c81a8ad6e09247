//! Thrift's compact protocol, in which Parquet describes its columns and pages.

use super::{ParquetError, ReadResult};

/// How deep what is passed over may be nested.
const DEEPEST: u32 = 32;

/// Kinds of values, by their numbers in the protocol.
const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
const STRUCT: u8 = 12;
const UUID: u8 = 13;

/// Bytes of the protocol, read from front to back.
pub(super) struct Thrift<'a> {
    bytes: &'a [u8],
    at: usize,
}

#[derive(Clone, Copy)]
pub(super) struct Field {
    pub id: i16,
    kind: u8,
}

impl<'a> Thrift<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Thrift { bytes, at: 0 }
    }

    /// How many bytes were read.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    fn byte(&mut self) -> ReadResult<u8> {
        let byte = *self.bytes.get(self.at).ok_or(ParquetError::End)?;
        self.at += 1;
        Ok(byte)
    }

    fn varint(&mut self) -> ReadResult<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(ParquetError::Damaged("a number in its description does not end"))
    }

    fn take(&mut self, length: u64) -> ReadResult<&'a [u8]> {
        let end =
            usize::try_from(length).ok().and_then(|length| self.at.checked_add(length)).ok_or(ParquetError::End)?;
        let taken = self.bytes.get(self.at..end).ok_or(ParquetError::End)?;
        self.at = end;
        Ok(taken)
    }

    /// Reads a structure: `take` is given each field, and says whether it has read it. Others are passed over.
    pub(super) fn structure(&mut self, mut take: impl FnMut(&mut Self, Field) -> ReadResult<bool>) -> ReadResult<()> {
        let mut id = 0_i16;
        loop {
            let byte = self.byte()?;
            let kind = byte & 0x0f;
            if kind == 0 {
                return Ok(());
            }
            id = match byte >> 4 {
                0 => zigzag(self.varint()?) as i16,
                more => id.wrapping_add(i16::from(more)),
            };
            let field = Field { id, kind };
            if !take(self, field)? {
                self.pass_over(kind, 0)?;
            }
        }
    }

    /// A whole number of any length.
    pub(super) fn number(&mut self, field: Field) -> ReadResult<i64> {
        match field.kind {
            BYTE => Ok(i64::from(self.byte()? as i8)),
            4..=6 => Ok(zigzag(self.varint()?)),
            _ => Err(unexpected()),
        }
    }

    /// A yes or no, which stands in the field's kind.
    pub(super) fn truth(&self, field: Field) -> ReadResult<bool> {
        match field.kind {
            TRUE | FALSE => Ok(field.kind == TRUE),
            _ => Err(unexpected()),
        }
    }

    /// A text, or other bytes.
    pub(super) fn binary(&mut self, field: Field) -> ReadResult<&'a [u8]> {
        if field.kind != BINARY {
            return Err(unexpected());
        }
        let length = self.varint()?;
        self.take(length)
    }

    /// A list of structures, each of which `take` reads.
    pub(super) fn list(&mut self, field: Field, mut take: impl FnMut(&mut Self) -> ReadResult<()>) -> ReadResult<()> {
        let (kind, count) = if field.kind == LIST { self.list_header()? } else { return Err(unexpected()) };
        if kind != STRUCT && count > 0 {
            return Err(unexpected());
        }
        // each takes a byte at least
        (0..count).try_for_each(|_| take(self))
    }

    fn list_header(&mut self) -> ReadResult<(u8, u64)> {
        let byte = self.byte()?;
        let count = if byte >> 4 == 15 { self.varint()? } else { u64::from(byte >> 4) };
        Ok((byte & 0x0f, count))
    }

    fn pass_over(&mut self, kind: u8, depth: u32) -> ReadResult<()> {
        if depth > DEEPEST {
            return Err(ParquetError::Damaged("its description is nested too deeply"));
        }
        match kind {
            TRUE | FALSE => Ok(()),
            BYTE => self.byte().map(drop),
            4..=6 => self.varint().map(drop),
            DOUBLE => self.take(8).map(drop),
            UUID => self.take(16).map(drop),
            BINARY => {
                let length = self.varint()?;
                self.take(length).map(drop)
            }
            LIST | SET => {
                let (kind, count) = self.list_header()?;
                (0..count).try_for_each(|_| self.pass_over_item(kind, depth))
            }
            MAP => {
                let count = self.varint()?;
                let kinds = if count > 0 { self.byte()? } else { 0 };
                (0..count).try_for_each(|_| {
                    self.pass_over_item(kinds >> 4, depth)?;
                    self.pass_over_item(kinds & 0x0f, depth)
                })
            }
            STRUCT => loop {
                let byte = self.byte()?;
                if byte & 0x0f == 0 {
                    return Ok(());
                }
                if byte >> 4 == 0 {
                    self.varint()?;
                }
                self.pass_over(byte & 0x0f, depth + 1)?;
            },
            _ => Err(unexpected()),
        }
    }

    /// An item of a list: there a yes or no takes a byte.
    fn pass_over_item(&mut self, kind: u8, depth: u32) -> ReadResult<()> {
        if matches!(kind, TRUE | FALSE) { self.byte().map(drop) } else { self.pass_over(kind, depth + 1) }
    }
}

fn unexpected() -> ParquetError {
    ParquetError::Damaged("its description makes no sense")
}

/// The signed number that an unsigned one stands for.
pub(super) fn zigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

//! The values of a page, in every way in which they are written.

use super::bits::{Differences, Runs};
use super::form::{Physical, RawValue};
use super::schema::Leaf;
use super::{ParquetError, ReadResult};

pub(super) enum Values {
    /// There are none.
    None,
    /// One after another, from this byte on.
    Plain(usize),
    Bits(usize),
    /// Yes or no, in runs.
    Truths(Runs),
    Places(Runs),
    Differences(Differences),
    Lengths(Differences, usize),
    Shared(Box<Shared>),
    /// The first bytes of all values, the second ones and so on: the first byte, how many values, and which comes next.
    Split(usize, usize, usize),
}

/// Texts that have their beginning in common with the one before.
pub(super) struct Shared {
    /// How many bytes are those of the text before, how many follow, and where they begin.
    common: Differences,
    lengths: Differences,
    at: usize,
    text: Vec<u8>,
}

/// The longest text that is put together of the one before and another.
const LONGEST: usize = 1 << 20;

impl Values {
    pub(super) fn none() -> Self {
        Values::None
    }

    /// The values that begin at a byte of a page, at most `most`, by the number of their encoding.
    pub(super) fn new(encoding: i64, page: &[u8], at: usize, most: u64, physical: Physical) -> ReadResult<Self> {
        let is_text = matches!(physical, Physical::Bytes | Physical::Fixed(_));
        let is_whole = matches!(physical, Physical::Int32 | Physical::Int64);
        Ok(match encoding {
            0 if physical == Physical::Boolean => Values::Bits(8 * at),
            0 => Values::Plain(at),
            2 | 8 => {
                let width = *page.get(at).ok_or(ParquetError::End)?;
                Values::Places(Runs::new(width.into(), at + 1, page.len())?)
            }
            3 if physical == Physical::Boolean => {
                let length = page.get(at..).and_then(|rest| rest.first_chunk::<4>()).ok_or(ParquetError::End)?;
                let end = (at + 4).checked_add(u32::from_le_bytes(*length) as usize);
                let end = end.filter(|&end| end <= page.len()).ok_or(ParquetError::End)?;
                Values::Truths(Runs::new(1, at + 4, end)?)
            }
            5 if is_whole => Values::Differences(Differences::new(page, at, most)?),
            6 if physical == Physical::Bytes => {
                let lengths = Differences::new(page, at, most)?;
                let begin = lengths.end(page)?;
                Values::Lengths(lengths, begin)
            }
            7 if is_text => {
                let common = Differences::new(page, at, most)?;
                let lengths = Differences::new(page, common.end(page)?, most)?;
                let at = lengths.end(page)?;
                Values::Shared(Box::new(Shared { common, lengths, at, text: Vec::new() }))
            }
            9 if physical.size().is_some() => {
                let size = physical.size().unwrap_or(1);
                Values::Split(at, (page.len() - at) / size, 0)
            }
            known if (0..=9).contains(&known) => {
                return Err(ParquetError::Damaged("values are written in a way that their kind cannot be"));
            }
            _ => return Err(ParquetError::NotRead("values written in a way that has no name yet".to_owned())),
        })
    }

    /// Writes the next value as a field of a line.
    pub(super) fn write_next(
        &mut self,
        page: &[u8],
        leaf: &Leaf,
        dictionary: &Dictionary,
        into: &mut Vec<u8>,
    ) -> ReadResult<()> {
        let physical = leaf.physical;
        let mut write = |value: RawValue<'_>| leaf.form.write(value, is_narrow(physical), into);
        match self {
            Values::None => return Err(ParquetError::End),
            Values::Plain(at) => write(plain(page, at, physical)?),
            Values::Bits(bit) => {
                let byte = *page.get(*bit / 8).ok_or(ParquetError::End)?;
                write(RawValue::Truth(byte >> (*bit % 8) & 1 == 1));
                *bit += 1;
            }
            Values::Truths(runs) => write(RawValue::Truth(runs.next(page)? == 1)),
            Values::Places(runs) => into.extend_from_slice(dictionary.text(runs.next(page)?)?),
            Values::Differences(differences) => {
                let number = differences.next(page)?;
                // of numbers of 32 bits the lower half counts
                write(RawValue::Whole(if is_narrow(physical) { i64::from(number as i32) } else { number }));
            }
            Values::Lengths(lengths, at) => write(RawValue::Bytes(text(page, at, lengths.next(page)?)?)),
            Values::Shared(shared) => write(physical.value(shared.next(page)?)),
            Values::Split(begin, count, next) => {
                let size = physical.size().unwrap_or(1);
                if *next >= *count {
                    return Err(ParquetError::End);
                }
                let value: Vec<u8> = (0..size).map(|byte| page[*begin + byte * *count + *next]).collect();
                *next += 1;
                write(physical.value(&value));
            }
        }
        Ok(())
    }
}

impl Shared {
    fn next(&mut self, page: &[u8]) -> ReadResult<&[u8]> {
        let common = usize::try_from(self.common.next(page)?).ok().filter(|&common| common <= self.text.len());
        self.text.truncate(common.ok_or(ParquetError::Damaged("a text shares more than there is"))?);
        let more = text(page, &mut self.at, self.lengths.next(page)?)?;
        if self.text.len() + more.len() > LONGEST {
            return Err(ParquetError::NotRead("texts of more than a megabyte".to_owned()));
        }
        self.text.extend_from_slice(more);
        Ok(&self.text)
    }
}

/// The values that others stand for, as text.
#[derive(Default)]
pub(super) struct Dictionary {
    texts: Vec<u8>,
    ends: Vec<usize>,
}

impl Dictionary {
    /// Reads a page with so many values.
    pub(super) fn read(page: &[u8], values: u64, leaf: &Leaf) -> ReadResult<Self> {
        let mut dictionary = Dictionary::default();
        let mut at = 0;
        if leaf.physical == Physical::Boolean {
            return Err(ParquetError::Damaged("a dictionary of yes and no"));
        }
        for _ in 0..values {
            let value = plain(page, &mut at, leaf.physical)?;
            leaf.form.write(value, is_narrow(leaf.physical), &mut dictionary.texts);
            dictionary.ends.push(dictionary.texts.len());
        }
        Ok(dictionary)
    }

    /// How many bytes it holds.
    pub(super) fn held(&self) -> usize {
        self.texts.capacity() + self.ends.capacity() * size_of::<usize>()
    }

    fn text(&self, place: u32) -> ReadResult<&[u8]> {
        let place = place as usize;
        let end = *self.ends.get(place).ok_or(ParquetError::Damaged("a value is not in its dictionary"))?;
        let begin = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        Ok(&self.texts[begin..end])
    }
}

/// Whether a value has 32 bits.
fn is_narrow(physical: Physical) -> bool {
    physical == Physical::Int32
}

/// The next of values that stand one after another.
fn plain<'a>(page: &'a [u8], at: &mut usize, physical: Physical) -> ReadResult<RawValue<'a>> {
    let size = match physical.size() {
        Some(size) => size as i64,
        None => {
            let length = page.get(*at..).and_then(|rest| rest.first_chunk::<4>()).ok_or(ParquetError::End)?;
            *at += 4;
            i64::from(u32::from_le_bytes(*length))
        }
    };
    text(page, at, size).map(|bytes| physical.value(bytes))
}

/// The next bytes of a page.
fn text<'a>(page: &'a [u8], at: &mut usize, length: i64) -> ReadResult<&'a [u8]> {
    let end = usize::try_from(length).ok().and_then(|length| at.checked_add(length)).ok_or(ParquetError::End)?;
    let bytes = page.get(*at..end).ok_or(ParquetError::End)?;
    *at = end;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Form;

    #[test]
    fn texts_share_their_beginnings_and_never_more_than_there_is() {
        let leaf = Leaf { name: String::new(), physical: Physical::Bytes, form: Form::Text, levels: 0, place: 0 };
        // of each two numbers: in common 0 and 2, of its own 3 and 1
        let differences = |first: u8, least: u8| vec![128, 1, 4, 2, 2 * first, least, 0, 0, 0, 0];
        let page = [differences(0, 4), differences(3, 3), b"abcd".to_vec()].concat();
        let mut values = Values::new(7, &page, 0, 2, Physical::Bytes).unwrap();
        let mut written = Vec::new();
        for _ in 0..2 {
            values.write_next(&page, &leaf, &Dictionary::default(), &mut written).unwrap();
            written.push(b';');
        }
        assert_eq!(written, b"abc;abd;");
        let page = [differences(1, 0), differences(3, 0), b"abcdef".to_vec()].concat();
        let mut values = Values::new(7, &page, 0, 2, Physical::Bytes).unwrap();
        assert!(values.write_next(&page, &leaf, &Dictionary::default(), &mut written).is_err());
    }
}

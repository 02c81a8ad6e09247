//! Numbers packed into bits: runs of equal and of packed numbers, and differences of neighbours.
//!
//! A decoder knows its place in the bytes of a page and is given the bytes with each call.

use super::thrift::zigzag;
use super::{ParquetError, ReadResult};

/// A number of `width` bits that begins at a bit; bits beyond the end are 0.
fn bits(bytes: &[u8], bit: usize, width: u32) -> u64 {
    let rest = bytes.get(bit / 8..).unwrap_or_default();
    let there = rest.len().min(9);
    let mut word = [0; 16];
    word[..there].copy_from_slice(&rest[..there]);
    let value = (u128::from_le_bytes(word) >> (bit % 8)) as u64;
    if width >= 64 { value } else { value & ((1 << width) - 1) }
}

fn varint(bytes: &[u8], at: &mut usize) -> ReadResult<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at).ok_or(ParquetError::End)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(ParquetError::Damaged("a number in a page does not end"))
}

/// Runs of equal numbers and of packed ones (`RLE`).
pub(super) struct Runs {
    width: u32,
    at: usize,
    end: usize,
    left: u64,
    /// The number of a run of equal ones; none in a packed run.
    same: Option<u32>,
    bit: usize,
}

impl Runs {
    /// The runs of numbers of so many bits in the bytes `at..end` of a page.
    pub(super) fn new(width: u32, at: usize, end: usize) -> ReadResult<Self> {
        if width > 32 {
            return Err(ParquetError::Damaged("numbers in a page have more than 32 bits"));
        }
        Ok(Runs { width, at, end, left: 0, same: None, bit: 0 })
    }

    pub(super) fn next(&mut self, page: &[u8]) -> ReadResult<u32> {
        while self.left == 0 {
            self.begin(&page[..self.end])?;
        }
        self.left -= 1;
        if let Some(same) = self.same {
            return Ok(same);
        }
        let bit = self.bit;
        self.bit += self.width as usize;
        // of a last group that is cut short
        if self.bit > 8 * self.end {
            return Err(ParquetError::End);
        }
        let value = bits(&page[..self.end], bit, self.width);
        // at most 32 bits
        Ok(value as u32)
    }

    fn begin(&mut self, page: &[u8]) -> ReadResult<()> {
        let header = varint(page, &mut self.at)?;
        let width = self.width as usize;
        if header & 1 == 0 {
            self.left = header >> 1;
            let length = width.div_ceil(8);
            let end = self.at.checked_add(length).filter(|&end| end <= page.len()).ok_or(ParquetError::End)?;
            self.same = Some(bits(&page[..end], 8 * self.at, self.width) as u32);
            self.at = end;
            return Ok(());
        }
        let groups = header >> 1;
        let length =
            usize::try_from(groups).ok().and_then(|groups| groups.checked_mul(width)).ok_or(ParquetError::End)?;
        let there = page.len() - self.at;
        // the last group may be cut short
        if length > there + width {
            return Err(ParquetError::End);
        }
        self.left = groups.saturating_mul(8);
        self.same = None;
        self.bit = 8 * self.at;
        self.at += length.min(there);
        Ok(())
    }
}

/// Differences of neighbours, packed in blocks (`DELTA_BINARY_PACKED`).
#[derive(Clone)]
pub(super) struct Differences {
    at: usize,
    block: u64,
    minis: usize,
    left: u64,
    value: i64,
    is_first: bool,
    least: i64,
    /// Where the widths of the block's next parts stand, and how many of them are left.
    widths: usize,
    minis_left: usize,
    width: u32,
    bit: usize,
    mini_left: u64,
}

impl Differences {
    /// The at most `most` numbers that begin at a byte of a page.
    pub(super) fn new(page: &[u8], mut at: usize, most: u64) -> ReadResult<Self> {
        let (block, minis) = (varint(page, &mut at)?, varint(page, &mut at)?);
        let (left, first) = (varint(page, &mut at)?, varint(page, &mut at)?);
        let makes_sense = (1..=1 << 24).contains(&block) && minis > 0 && block % minis == 0;
        if !makes_sense || left > most {
            return Err(ParquetError::Damaged("the differences in a page make no sense"));
        }
        let value = zigzag(first);
        Ok(Differences {
            at,
            block,
            // at most 2^24
            minis: minis as usize,
            left,
            value,
            is_first: true,
            least: 0,
            widths: 0,
            minis_left: 0,
            width: 0,
            bit: 0,
            mini_left: 0,
        })
    }

    pub(super) fn next(&mut self, page: &[u8]) -> ReadResult<i64> {
        self.left = self.left.checked_sub(1).ok_or(ParquetError::End)?;
        if self.is_first {
            self.is_first = false;
            return Ok(self.value);
        }
        if self.mini_left == 0 {
            self.begin(page)?;
        }
        let difference = self.least.wrapping_add(bits(page, self.bit, self.width) as i64);
        self.bit += self.width as usize;
        self.mini_left -= 1;
        self.value = self.value.wrapping_add(difference);
        Ok(self.value)
    }

    /// Begins the next part of a block, or the next block.
    fn begin(&mut self, page: &[u8]) -> ReadResult<()> {
        if self.minis_left == 0 {
            self.least = zigzag(varint(page, &mut self.at)?);
            self.widths = self.at;
            self.minis_left = self.minis;
            self.at = self.at.checked_add(self.minis).filter(|&at| at <= page.len()).ok_or(ParquetError::End)?;
        }
        self.width = u32::from(page[self.widths]);
        if self.width > 64 {
            return Err(ParquetError::Damaged("differences in a page have more than 64 bits"));
        }
        self.widths += 1;
        self.minis_left -= 1;
        self.mini_left = self.block / self.minis as u64;
        self.bit = 8 * self.at;
        let length = (self.mini_left * u64::from(self.width)).div_ceil(8) as usize;
        self.at = self.at.checked_add(length).filter(|&at| at <= page.len()).ok_or(ParquetError::End)?;
        Ok(())
    }

    /// Where the numbers end: passes over the blocks without looking at what is in them.
    pub(super) fn end(&self, page: &[u8]) -> ReadResult<usize> {
        let mut rest = self.clone();
        let mut left = rest.left.saturating_sub(u64::from(rest.is_first));
        while left > 0 {
            rest.begin(page)?;
            left = left.saturating_sub(rest.mini_left);
        }
        Ok(rest.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_equal_or_packed() {
        // four fives, then eight numbers of three bits: 0 to 7 (the example of the format's description)
        let page = [8, 5, 3, 0b1000_1000, 0b1100_0110, 0b1111_1010];
        let mut runs = Runs::new(3, 0, page.len()).unwrap();
        let read: Vec<u32> = (0..12).map(|_| runs.next(&page).unwrap()).collect();
        assert_eq!(read, [5, 5, 5, 5, 0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(runs.next(&page).is_err());
        // a group of eight that is cut short has the numbers that are there
        let mut cut = Runs::new(3, 2, 5).unwrap();
        let read: Vec<Option<u32>> = (0..8).map(|_| cut.next(&page).ok()).collect();
        assert_eq!(read[4..], [Some(4), None, None, None]);
        assert!(Runs::new(33, 0, 0).is_err());
    }

    #[test]
    fn differences_come_in_blocks() {
        // 7, 5, 3, 1, 2, 3, 4, 5: least difference -2, two bits each (the example of the format's description)
        let mut page = vec![128, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0b1100_0000, 0b0011_1111];
        page.resize(10 + 8, 0);
        let mut numbers = Differences::new(&page, 0, 8).unwrap();
        assert_eq!(numbers.end(&page).unwrap(), page.len());
        let read: Vec<i64> = (0..8).map(|_| numbers.next(&page).unwrap()).collect();
        assert_eq!(read, [7, 5, 3, 1, 2, 3, 4, 5]);
        assert!(numbers.next(&page).is_err());
        assert!(Differences::new(&page, 0, 7).is_err(), "more than the page has");
    }
}

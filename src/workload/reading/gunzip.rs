//! Decompresses gzip as its bytes come.
//!
//! flate2 inflates. The framing is read here, because flate2's own push decoder does not tell a cut-off file from a
//! damaged one, and does not accept padding after the last member.

use crc::{CRC_32_ISO_HDLC, Crc, Digest, Table};
use flate2::{Decompress, FlushDecompress, Status};
use std::sync::LazyLock;

/// Check sums, sixteen bytes at a time.
pub(super) static CRC: LazyLock<Crc<u32, Table<16>>> = LazyLock::new(|| Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC));

/// First bytes of a gzip member.
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// How many decompressed bytes are handed on at once.
const BUFFER: usize = 64 * 1024;

/// Why decompression stops.
pub(super) enum GunzipFailure<E> {
    /// The stream is damaged, and how.
    Corrupt(&'static str),
    /// The receiver of the bytes refuses more.
    Refused(E),
}

/// A decompressor of one or more gzip members in a row.
pub(super) struct Gunzip {
    state: GunzipState,
    inflate: Decompress,
    /// The check sum of the member's decompressed bytes so far.
    sum: Digest<'static, u32, Table<16>>,
    buffer: Box<[u8]>,
}

enum GunzipState {
    /// In the ten fixed bytes of a member's header.
    Fixed { bytes: [u8; 10], filled: usize },
    /// In the length of the extra field: its bytes so far.
    ExtraLength { flags: u8, length: u16, filled: u8 },
    /// In the extra field.
    Extra { flags: u8, left: u16 },
    /// In a text that ends with a zero byte.
    Text { flags: u8 },
    /// In the header's own check sum, which hardly any program writes; skipped.
    HeaderSum { left: u8 },
    /// In the compressed data.
    Body,
    /// In check sum and length.
    Trailer { bytes: [u8; 8], filled: usize },
    /// Between members, or after the last.
    Between,
    /// In the zero bytes that fill the last block of a tape.
    Padding,
}

const HAS_SUM: u8 = 2;
const HAS_EXTRA: u8 = 4;
const HAS_NAME: u8 = 8;
const HAS_COMMENT: u8 = 16;
const RESERVED: u8 = 0xe0;

impl Gunzip {
    pub(super) fn new() -> Self {
        Gunzip {
            state: GunzipState::Fixed { bytes: [0; 10], filled: 0 },
            inflate: Decompress::new(false),
            sum: CRC.digest(),
            buffer: vec![0; BUFFER].into_boxed_slice(),
        }
    }

    /// Whether the stream may end here.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self.state, GunzipState::Between | GunzipState::Padding)
    }

    /// Decompresses `input` and hands the bytes to `take`.
    pub(super) fn push<E>(
        &mut self,
        mut input: &[u8],
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), GunzipFailure<E>> {
        while let Some((&byte, rest)) = input.split_first() {
            if let GunzipState::Body = self.state {
                input = self.inflate(input, &mut take)?;
            } else {
                self.frame(byte).map_err(GunzipFailure::Corrupt)?;
                input = rest;
            }
        }
        Ok(())
    }

    /// Inflates until the input or the member's data ends; returns the input that is left.
    fn inflate<'a, E>(
        &mut self,
        mut input: &'a [u8],
        take: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<&'a [u8], GunzipFailure<E>> {
        loop {
            let (before_in, before_out) = (self.inflate.total_in(), self.inflate.total_out());
            let status = self
                .inflate
                .decompress(input, &mut self.buffer, FlushDecompress::None)
                .map_err(|_| GunzipFailure::Corrupt("its compressed data make no sense"))?;
            // both differences are at most the length of a slice
            let consumed = (self.inflate.total_in() - before_in) as usize;
            let produced = (self.inflate.total_out() - before_out) as usize;
            input = &input[consumed..];
            let bytes = &self.buffer[..produced];
            self.sum.update(bytes);
            take(bytes).map_err(GunzipFailure::Refused)?;
            if status == Status::StreamEnd {
                self.state = GunzipState::Trailer { bytes: [0; 8], filled: 0 };
                return Ok(input);
            }
            if consumed == 0 && produced == 0 && !input.is_empty() {
                return Err(GunzipFailure::Corrupt("its compressed data make no sense"));
            }
            if input.is_empty() && produced < BUFFER {
                return Ok(input);
            }
        }
    }

    /// Takes one byte of the framing around the compressed data.
    fn frame(&mut self, byte: u8) -> Result<(), &'static str> {
        match &mut self.state {
            GunzipState::Fixed { bytes, filled } => {
                bytes[*filled] = byte;
                *filled += 1;
                if *filled == bytes.len() {
                    let [first, second, method, flags, ..] = *bytes;
                    if [first, second] != MAGIC || method != 8 || flags & RESERVED != 0 {
                        return Err("a header in it is not one of gzip");
                    }
                    self.state = after_fixed(flags);
                }
            }
            GunzipState::ExtraLength { flags, length, filled } => {
                *length |= u16::from(byte) << (8 * *filled);
                *filled += 1;
                if *filled == 2 {
                    let (flags, left) = (*flags & !HAS_EXTRA, *length);
                    self.state = if left == 0 { after_fixed(flags) } else { GunzipState::Extra { flags, left } };
                }
            }
            GunzipState::Extra { flags, left } => {
                *left -= 1;
                if *left == 0 {
                    self.state = after_fixed(*flags);
                }
            }
            GunzipState::Text { flags } => {
                if byte == 0 {
                    let done = if *flags & HAS_NAME != 0 { HAS_NAME } else { HAS_COMMENT };
                    self.state = after_fixed(*flags & !done);
                }
            }
            GunzipState::HeaderSum { left } => {
                *left -= 1;
                if *left == 0 {
                    self.state = GunzipState::Body;
                }
            }
            GunzipState::Body => {}
            GunzipState::Trailer { bytes, filled } => {
                bytes[*filled] = byte;
                *filled += 1;
                if *filled == bytes.len() {
                    let [a, b, c, d, e, f, g, h] = *bytes;
                    let sum = std::mem::replace(&mut self.sum, CRC.digest()).finalize();
                    if u32::from_le_bytes([a, b, c, d]) != sum {
                        return Err("its check sum does not fit its content");
                    }
                    // a trailer holds the length's lowest 32 bits
                    if u32::from_le_bytes([e, f, g, h]) != self.inflate.total_out() as u32 {
                        return Err("its length does not fit its content");
                    }
                    self.state = GunzipState::Between;
                }
            }
            GunzipState::Between if byte == MAGIC[0] => {
                self.inflate.reset(false);
                let mut bytes = [0; 10];
                bytes[0] = byte;
                self.state = GunzipState::Fixed { bytes, filled: 1 };
            }
            GunzipState::Between | GunzipState::Padding => {
                if byte != 0 {
                    return Err("something that is not gzip follows its end");
                }
                self.state = GunzipState::Padding;
            }
        }
        Ok(())
    }
}

/// What follows in a header whose `flags` name the parts still to come.
fn after_fixed(flags: u8) -> GunzipState {
    if flags & HAS_EXTRA != 0 {
        GunzipState::ExtraLength { flags, length: 0, filled: 0 }
    } else if flags & (HAS_NAME | HAS_COMMENT) != 0 {
        GunzipState::Text { flags }
    } else if flags & HAS_SUM != 0 {
        GunzipState::HeaderSum { left: 2 }
    } else {
        GunzipState::Body
    }
}

//! Unpacks pages.

use super::{ParquetError, ReadResult};
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    Plain,
    Snappy,
    Gzip,
    Brotli,
    /// LZ4 as Hadoop frames it, or as it is.
    Lz4,
    Zstd,
    Lz4Raw,
}

/// How many bytes a packed byte of Snappy or LZ4 can become at most.
const MOST_TIMES: usize = 256;

impl Codec {
    /// The codec of a number in the file's description.
    pub(super) fn of(number: i64) -> ReadResult<Self> {
        Ok(match number {
            0 => Codec::Plain,
            1 => Codec::Snappy,
            2 => Codec::Gzip,
            4 => Codec::Brotli,
            5 => Codec::Lz4,
            6 => Codec::Zstd,
            7 => Codec::Lz4Raw,
            3 => return Err(ParquetError::NotRead("columns packed by LZO".to_owned())),
            _ => return Err(ParquetError::NotRead("columns packed by a method that has no name yet".to_owned())),
        })
    }

    /// The `size` bytes that `packed` becomes.
    pub(super) fn unpack(self, packed: &[u8], size: usize) -> ReadResult<Vec<u8>> {
        if packed.is_empty() && size == 0 {
            return Ok(Vec::new());
        }
        let bad = ParquetError::Damaged("the compressed data of a page make no sense");
        let unpacked = match self {
            Codec::Plain => packed.to_vec(),
            Codec::Snappy => {
                room(packed, size)?;
                let claimed =
                    snap::raw::decompress_len(packed).map_err(|_| ParquetError::Damaged("a page makes no sense"))?;
                if claimed != size {
                    return Err(bad);
                }
                snap::raw::Decoder::new()
                    .decompress_vec(packed)
                    .map_err(|_| ParquetError::Damaged("a page makes no sense"))?
            }
            Codec::Gzip => all(MultiGzDecoder::new(packed), size)?,
            Codec::Brotli => all(brotli_decompressor::Decompressor::new(packed, 4_096), size)?,
            Codec::Zstd => {
                let mut left = packed;
                let mut unpacked = Vec::new();
                // frames in a row
                while !left.is_empty() && unpacked.len() <= size {
                    let decoder = StreamingDecoder::new(&mut left);
                    let mut decoder = decoder.map_err(|_| ParquetError::Damaged("a page is no frame of zstandard"))?;
                    let rest = (size - unpacked.len()) as u64 + 1;
                    decoder.by_ref().take(rest).read_to_end(&mut unpacked).map_err(|_| no_sense())?;
                }
                unpacked
            }
            Codec::Lz4 => framed_lz4(packed, size).or_else(|_| raw_lz4(packed, size))?,
            Codec::Lz4Raw => raw_lz4(packed, size)?,
        };
        if unpacked.len() == size { Ok(unpacked) } else { Err(bad) }
    }
}

fn no_sense() -> ParquetError {
    ParquetError::Damaged("the compressed data of a page make no sense")
}

/// What a reader gives, a byte more than `size` at most.
fn all(reader: impl Read, size: usize) -> ReadResult<Vec<u8>> {
    let mut unpacked = Vec::new();
    reader.take(size as u64 + 1).read_to_end(&mut unpacked).map_err(|_| no_sense())?;
    Ok(unpacked)
}

/// Fails where so many bytes cannot come of these, before there is room made for them.
fn room(packed: &[u8], size: usize) -> ReadResult<()> {
    if size / MOST_TIMES > packed.len() { Err(no_sense()) } else { Ok(()) }
}

fn raw_lz4(packed: &[u8], size: usize) -> ReadResult<Vec<u8>> {
    room(packed, size)?;
    lz4_flex::block::decompress(packed, size).map_err(|_| no_sense())
}

/// Frames of Hadoop: the sizes of what comes, unpacked and packed, before each.
fn framed_lz4(mut packed: &[u8], size: usize) -> ReadResult<Vec<u8>> {
    let mut unpacked = Vec::new();
    while let Some((&[a, b, c, d, e, f, g, h], rest)) = packed.split_first_chunk::<8>() {
        let becomes = u32::from_be_bytes([a, b, c, d]) as usize;
        let (frame, rest) =
            rest.split_at_checked(u32::from_be_bytes([e, f, g, h]) as usize).ok_or(ParquetError::End)?;
        if becomes > size - unpacked.len() {
            return Err(no_sense());
        }
        unpacked.extend(raw_lz4(frame, becomes)?);
        packed = rest;
    }
    if packed.is_empty() { Ok(unpacked) } else { Err(no_sense()) }
}

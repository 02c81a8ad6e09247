//! Unpacks bzip2.

use super::{PackedSource, is_filling};
use crate::workload::reading::source::{Cause, carry, cause};
use crate::workload::reading::{Packing, ReadError};
use bzip2::bufread::BzDecoder;
use std::io::{self, BufRead, Read};

/// Unpacks one or more streams of bzip2 in a row. A block has 900 kB at most, so memory is bounded whatever is claimed.
pub(super) enum Unbzip2<'a> {
    Stream(BzDecoder<PackedSource<'a>>),
    /// Behind the last stream.
    Ended,
}

impl<'a> Unbzip2<'a> {
    pub(super) fn new(source: PackedSource<'a>) -> Self {
        Unbzip2::Stream(BzDecoder::new(source))
    }

    /// What follows a stream: another one, nothing, or the zero bytes that fill the last block of a tape.
    fn next(self) -> io::Result<Self> {
        let Unbzip2::Stream(stream) = self else { return Ok(self) };
        let mut source = stream.into_inner();
        if source.fill_buf()?.first() == Some(&b'B') {
            return Ok(Unbzip2::Stream(BzDecoder::new(source)));
        }
        if is_filling(&mut source)? {
            Ok(Unbzip2::Ended)
        } else {
            Err(corrupt("something that is not bzip2 follows its end"))
        }
    }
}

impl Read for Unbzip2<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Unbzip2::Stream(stream) = self {
            let length = stream.read(into).map_err(|error| match cause(&error) {
                Cause::Known(why) => carry(why),
                Cause::End => carry(ReadError::CutOff { packing: Packing::Bzip2, jobs: 0, line: 0 }),
                Cause::Content => corrupt("its compressed data or their check sum make no sense"),
            })?;
            if length > 0 || into.is_empty() {
                return Ok(length);
            }
            *self = std::mem::replace(self, Unbzip2::Ended).next()?;
        }
        Ok(0)
    }
}

/// The reader knows how far it has come.
fn corrupt(what: &'static str) -> io::Error {
    carry(ReadError::Corrupt { packing: Packing::Bzip2, jobs: 0, line: 0, what })
}

//! Unpacks xz.

use super::PackedSource;
use crate::workload::reading::source::{Cause, carry, cause};
use crate::workload::reading::{Packing, ReadError};
use lzma_rust2::XzReader;
use std::io::{self, Read};

/// The most memory that a block may ask for, KiB: twice what `xz -9` does.
const MOST_MEMORY: u32 = 129 * 1024;

/// Unpacks one or more streams of xz in a row, whose check sums are compared.
pub(super) struct Unxz<'a> {
    reader: XzReader<PackedSource<'a>>,
}

impl<'a> Unxz<'a> {
    pub(super) fn new(source: PackedSource<'a>) -> Self {
        Unxz { reader: XzReader::new_mem_limit(source, true, MOST_MEMORY) }
    }
}

impl Read for Unxz<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        let corrupt = |what| carry(ReadError::Corrupt { packing: Packing::Xz, jobs: 0, line: 0, what });
        self.reader.read(into).map_err(|error| match cause(&error) {
            Cause::Known(why) => carry(why),
            Cause::End => carry(ReadError::CutOff { packing: Packing::Xz, jobs: 0, line: 0 }),
            Cause::Content if error.kind() == io::ErrorKind::OutOfMemory => {
                corrupt("it needs more than 128 MB of memory to be unpacked (pack it with xz -9 at most)")
            }
            Cause::Content => {
                corrupt("its compressed data or their check sum make no sense, or something follows its end")
            }
        })
    }
}

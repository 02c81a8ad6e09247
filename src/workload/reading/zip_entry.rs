//! A packed file in a zip archive, unpacked as its bytes come.
//!
//! flate2 inflates, as for gzip, instead of the crate zip. So messages can tell whether a file is cut off, damaged or
//! only not a log, and the tables of check sums are made only when needed.

use super::gunzip::CRC;
use super::{CHUNK, Limits, ReadError, Reader};
use crate::workload::Log;
use flate2::{Decompress, FlushDecompress, Status};
use std::io::{self, Read, Seek, SeekFrom};
use zip::CompressionMethod;

/// The length of the header before each packed file, bytes, without the names after it; below, its first bytes.
const HEADER: usize = 30;
const HEADER_MAGIC: [u8; 4] = *b"PK\x03\x04";

/// A file in an archive, as the archive's list of files describes it.
pub(super) struct ZippedFile {
    /// The name without its folder.
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) is_folder: bool,
    pub(super) is_encrypted: bool,
    pub(super) method: CompressionMethod,
    /// The place of its header in the archive, bytes.
    pub(super) header: u64,
    /// Its packed size, bytes.
    pub(super) packed: u64,
    /// Its unpacked size, bytes.
    pub(super) size: u64,
    /// The check sum of its unpacked bytes.
    pub(super) sum: u32,
}

impl ZippedFile {
    /// Reads the file as a log.
    pub(super) fn read(
        &self,
        source: &mut (impl Read + Seek),
        limits: Limits,
        watch: &mut impl FnMut(&Reader, f64) -> Result<(), String>,
    ) -> Result<Log, ReadError> {
        if self.is_encrypted {
            return Err(ReadError::EncryptedZip { entry: self.name.clone() });
        }
        let mut inflate = match self.method {
            CompressionMethod::Stored => None,
            CompressionMethod::Deflated => Some(Inflate::new()),
            _ => return Err(ReadError::ZipMethod { entry: self.name.clone(), method: self.method.to_string() }),
        };
        self.find(source)?;
        let mut reader = Reader::within(self.name.clone(), limits);
        let (mut sum, mut text, mut left) = (CRC.digest(), 0, self.packed);
        let mut piece = vec![0; CHUNK];
        while left > 0 {
            let most = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let mut packed = match source.read(&mut piece[..most]) {
                Ok(0) => return Err(self.is_damaged("is cut off")),
                Ok(length) => &piece[..length],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(ReadError::Io(error.to_string())),
            };
            left -= packed.len() as u64;
            loop {
                let bytes = match &mut inflate {
                    None => std::mem::take(&mut packed),
                    Some(inflate) => match inflate.next(&mut packed) {
                        Ok(bytes) => bytes,
                        Err(()) => return Err(self.is_damaged("makes no sense")),
                    },
                };
                if bytes.is_empty() {
                    break;
                }
                sum.update(bytes);
                text += bytes.len() as u64;
                if text > limits.text {
                    return Err(ReadError::TooMuchText { most: limits.text });
                }
                reader.push(bytes)?;
            }
            watch(&reader, 1.0 - left as f64 / self.packed as f64).map_err(ReadError::Stopped)?;
        }
        if inflate.is_some_and(|inflate| !inflate.is_at_end) {
            return Err(self.is_damaged("is cut off"));
        }
        if (sum.finalize(), text) != (self.sum, self.size) {
            return Err(self.is_damaged("is not as it was packed (its check sum or length differs)"));
        }
        reader.finish()
    }

    /// Moves `source` to the file's packed bytes.
    fn find(&self, source: &mut (impl Read + Seek)) -> Result<(), ReadError> {
        let mut header = [0; HEADER];
        let read = source.seek(SeekFrom::Start(self.header)).and_then(|_| source.read_exact(&mut header));
        read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.is_damaged("is cut off"),
            _ => ReadError::Io(error.to_string()),
        })?;
        if !header.starts_with(&HEADER_MAGIC) {
            return Err(self.is_damaged("is not where the list of files says"));
        }
        // the lengths of the name and the extra field may differ from those in the list
        let length = |at: usize| i64::from(u16::from_le_bytes([header[at], header[at + 1]]));
        source
            .seek(SeekFrom::Current(length(26) + length(28)))
            .map(drop)
            .map_err(|error| ReadError::Io(error.to_string()))
    }

    fn is_damaged(&self, how: &str) -> ReadError {
        ReadError::DamagedZip(format!("{} in it {how}", self.name))
    }
}

/// Deflated bytes, inflated piece by piece.
struct Inflate {
    state: Decompress,
    buffer: Box<[u8]>,
    is_at_end: bool,
}

impl Inflate {
    fn new() -> Self {
        Inflate { state: Decompress::new(false), buffer: vec![0; CHUNK].into_boxed_slice(), is_at_end: false }
    }

    /// The next unpacked bytes of `packed`, which is advanced past what they came from. Empty where there are no more.
    fn next(&mut self, packed: &mut &[u8]) -> Result<&[u8], ()> {
        if self.is_at_end {
            // bytes after the end of the data are an error
            return if packed.is_empty() { Ok(&[]) } else { Err(()) };
        }
        let (before_in, before_out) = (self.state.total_in(), self.state.total_out());
        let status = self.state.decompress(packed, &mut self.buffer, FlushDecompress::None).map_err(drop)?;
        // both differences are at most the length of a slice
        let consumed = (self.state.total_in() - before_in) as usize;
        let produced = (self.state.total_out() - before_out) as usize;
        *packed = &packed[consumed..];
        self.is_at_end = status == Status::StreamEnd;
        if consumed == 0 && produced == 0 && !packed.is_empty() {
            return Err(());
        }
        // a part of the input may give no bytes yet
        if produced == 0 && !packed.is_empty() { self.next(packed) } else { Ok(&self.buffer[..produced]) }
    }
}

//! The unpacked bytes of a file: plain, or packed by gzip, zstandard, bzip2 or xz, in one part or several.

use super::ReadError;
use super::source::{Cause, WholeReads, carry, cause};
use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use xxhash_rust::xxh64::Xxh64;

/// The largest window of zstandard that is accepted, bytes: the default of `zstd --ultra`.
const MOST_WINDOW: u64 = 128 * 1024 * 1024;

/// How many packed bytes are unpacked at a time.
const BLOCK: usize = 16 * 1024;

/// A file's bytes as they are, with the first of them at hand. In a box, so that code of libraries for it is told apart
/// from what reads plain files, and comes with the late part (`scripts/split`).
type PackedSource<'a> = Box<dyn BufRead + 'a>;

/// The unpacked bytes of a file, whose first bytes tell how it is packed.
///
/// # Errors
/// If they cannot be read.
pub(super) fn unpack<'a>(source: &'a mut dyn Read) -> io::Result<Box<dyn Read + 'a>> {
    let mut source: PackedSource<'a> = Box::new(BufReader::with_capacity(BLOCK, WholeReads(source)));
    let head = source.fill_buf()?;
    Ok(match Packing::of(head) {
        Some(Packing::Gzip) => Box::new(Gunzip::Member(GzDecoder::new(source))),
        Some(Packing::Zstandard) => Box::new(Unzst::new(source)),
        Some(Packing::Bzip2) => Box::new(Unbzip2::new(source)),
        Some(Packing::Xz) => Box::new(Unxz::new(source)),
        None => source,
    })
}

/// Unpacks one or more members of gzip in a row.
enum Gunzip<'a> {
    Member(GzDecoder<PackedSource<'a>>),
    /// Behind the last member.
    Ended,
}

impl Gunzip<'_> {
    /// What follows a member: another one, nothing, or the zero bytes that fill the last block of a tape.
    fn next(self) -> io::Result<Self> {
        let Gunzip::Member(member) = self else { return Ok(self) };
        let mut source = member.into_inner();
        if source.fill_buf()?.first() == Some(&GZIP[0]) {
            return Ok(Gunzip::Member(GzDecoder::new(source)));
        }
        if is_filling(&mut source)? {
            Ok(Gunzip::Ended)
        } else {
            Err(gzip_is_corrupt("something that is not gzip follows its end"))
        }
    }
}

/// Whether nothing is left but the zero bytes that fill the last block of a tape.
fn is_filling(source: &mut PackedSource<'_>) -> io::Result<bool> {
    loop {
        let bytes = source.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        if bytes.iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
        let length = bytes.len();
        source.consume(length);
    }
}

impl Read for Gunzip<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Gunzip::Member(member) = self {
            let length = member.read(into).map_err(|error| of_gzip(member, &error))?;
            if length > 0 || into.is_empty() {
                return Ok(length);
            }
            *self = std::mem::replace(self, Gunzip::Ended).next()?;
        }
        Ok(0)
    }
}

/// Why a member of gzip cannot be unpacked.
fn of_gzip(member: &GzDecoder<PackedSource<'_>>, error: &io::Error) -> io::Error {
    match cause(error) {
        Cause::Known(why) => carry(why),
        Cause::End => carry(ReadError::CutOff { packing: Packing::Gzip, jobs: 0, line: 0 }),
        Cause::Content if member.header().is_none() => gzip_is_corrupt("a header in it is not one of gzip"),
        // the library's errors differ in their words alone
        Cause::Content if error.to_string().contains("checksum") => {
            gzip_is_corrupt("its check sum does not fit its content")
        }
        Cause::Content => gzip_is_corrupt("its compressed data make no sense"),
    }
}

/// The reader knows how far it has come.
fn gzip_is_corrupt(what: &'static str) -> io::Error {
    carry(ReadError::Corrupt { packing: Packing::Gzip, jobs: 0, line: 0, what })
}

/// Unpacks one or more frames of zstandard in a row.
struct Unzst<'a> {
    source: PackedSource<'a>,
    decoder: FrameDecoder,
    /// Whether a frame has begun that has not ended.
    is_in_frame: bool,
    /// The check sum of the frame's unpacked bytes so far.
    sum: Xxh64,
}

impl<'a> Unzst<'a> {
    fn new(source: PackedSource<'a>) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MOST_WINDOW);
        Unzst { source, decoder, is_in_frame: false, sum: Xxh64::new(0) }
    }

    /// Begins the next frame, or passes over it.
    fn begin(&mut self) -> io::Result<()> {
        match self.decoder.reset(&mut self.source) {
            Ok(()) => {
                self.sum.reset(0);
                self.is_in_frame = true;
                Ok(())
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                let skipped = io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                if skipped < length.into() { Err(zst_is_cut_off()) } else { Ok(()) }
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_))) => {
                Err(zst_is_corrupt("behind its end there is something else"))
            }
            Err(error) => Err(of_zst(&error, "its header makes no sense, or it needs a dictionary")),
        }
    }

    /// Ends a frame, which stores the lower half of its check sum.
    fn end(&mut self) -> io::Result<()> {
        self.is_in_frame = false;
        let is_other = |sum: u32| sum != self.sum.digest() as u32;
        if self.decoder.get_checksum_from_data().is_some_and(is_other) {
            return Err(zst_is_corrupt("its check sum does not agree"));
        }
        Ok(())
    }
}

impl Read for Unzst<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_in_frame {
                if into.is_empty() || self.source.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.begin()?;
                continue;
            }
            let length = self.decoder.read(into)?;
            if length > 0 || into.is_empty() {
                self.sum.update(&into[..length]);
                return Ok(length);
            }
            if self.decoder.is_finished() {
                self.end()?;
                continue;
            }
            // from many blocks at once a few bytes could be unpacked into gigabytes
            let decoded = self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
            decoded.map_err(|error| of_zst(&error, "its compressed data make no sense"))?;
        }
    }
}

/// Why a frame cannot be unpacked; `what` is wrong with it if it has all come.
fn of_zst(error: &(dyn Error + 'static), what: &'static str) -> io::Error {
    match cause(error) {
        Cause::Known(why) => carry(why),
        Cause::End => zst_is_cut_off(),
        Cause::Content => zst_is_corrupt(what),
    }
}

fn zst_is_cut_off() -> io::Error {
    carry(ReadError::CutOff { packing: Packing::Zstandard, jobs: 0, line: 0 })
}

fn zst_is_corrupt(what: &'static str) -> io::Error {
    carry(ReadError::Corrupt { packing: Packing::Zstandard, jobs: 0, line: 0, what })
}

// How a file can be packed.

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    Gzip,
    Zstandard,
    /// bzip2.
    Bzip2,
    Xz,
}

/// First bytes of a gzip member.
pub(super) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// First bytes of a frame of zstandard.
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The second to fourth byte of a skippable frame of zstandard. The first byte is 0x50 to 0x5f.
const SKIPPED: [u8; 3] = [0x2a, 0x4d, 0x18];

/// First bytes of bzip2; a digit follows, and the begin of a block or of the end.
const BZIP2: [u8; 3] = *b"BZh";
const BZIP2_NEXT: [[u8; 2]; 2] = [[0x31, 0x41], [0x17, 0x72]];

/// First bytes of a stream of xz.
const XZ: [u8; 6] = *b"\xfd7zXZ\x00";

impl Packing {
    /// How a file with these first bytes is packed; none where it is plain.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        let is_skipped = head.first().is_some_and(|first| first & 0xf0 == 0x50) && head[1..].starts_with(&SKIPPED);
        // a text may begin with the three letters
        let is_bzip2 = head.starts_with(&BZIP2)
            && head.get(3).is_none_or(|digit| (b'1'..=b'9').contains(digit))
            && head.get(4..6).is_none_or(|next| BZIP2_NEXT.iter().any(|known| next == known));
        if head.starts_with(&GZIP) {
            Some(Packing::Gzip)
        } else if head.starts_with(&ZSTANDARD) || is_skipped {
            Some(Packing::Zstandard)
        } else if is_bzip2 {
            Some(Packing::Bzip2)
        } else if head.starts_with(&XZ) {
            Some(Packing::Xz)
        } else {
            None
        }
    }
}

impl fmt::Display for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Packing::Gzip => "gzip",
            Packing::Zstandard => "zstandard",
            Packing::Bzip2 => "bzip2",
            Packing::Xz => "xz",
        })
    }
}

// Unpacks bzip2.

/// Unpacks one or more streams of bzip2 in a row. A block has 900 kB at most, so memory is bounded whatever is claimed.
enum Unbzip2<'a> {
    Stream(BzDecoder<PackedSource<'a>>),
    /// Behind the last stream.
    Ended,
}

impl<'a> Unbzip2<'a> {
    fn new(source: PackedSource<'a>) -> Self {
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

// Unpacks xz.

/// The most memory that a block may ask for, KiB: twice what `xz -9` does.
const MOST_MEMORY: u32 = 129 * 1024;

/// Unpacks one or more streams of xz in a row, whose check sums are compared.
struct Unxz<'a> {
    reader: XzReader<PackedSource<'a>>,
}

impl<'a> Unxz<'a> {
    fn new(source: PackedSource<'a>) -> Self {
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

#[cfg(test)]
mod tests {
    use crate::reading::read;
    use crate::reading::source::Pieces;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn text() -> String {
        let job = |n: u32| format!("{n} {n} 0 {} 4 -1 -1 4 {} -1 1 1 1 1 1 1 -1 -1\n", 10 + n % 977, 1_000 + n % 13);
        (1..20_000).map(job).collect()
    }

    #[test]
    fn a_log_is_the_same_however_it_is_packed_and_cut() {
        let text = text();
        let (first, second) = text.split_at(text.len() / 3);
        let pack = |text: &str| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
        // a skippable frame, and two with the log
        let mut packed = vec![0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7];
        packed.extend(pack(first));
        packed.extend(pack(second));
        let plain = read("log", text.as_bytes()).unwrap();
        assert!(packed.len() < text.len() / 2);
        assert_eq!(read("log", packed.as_slice()).unwrap(), plain);
        assert_eq!(read("log", Pieces(&packed, 777)).unwrap(), plain);
        let cut = read("log", &packed[..packed.len() - 5]).unwrap_err().to_string();
        assert!(cut.starts_with("the zstandard file is cut off after "), "{cut}");
        let trailed = [packed.as_slice(), b"trailing"].concat();
        assert!(read("log", trailed.as_slice()).unwrap_err().to_string().contains("behind its end"));
    }

    #[test]
    fn damage_is_found() {
        let mut wrong = 0;
        let packed = compress_to_vec(text().as_bytes(), CompressionLevel::Fastest);
        for at in (6..packed.len()).step_by(packed.len() / 40) {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x55;
            // there must be no panic, whatever the damage
            wrong += usize::from(read("log", damaged.as_slice()).is_err());
        }
        assert!(wrong > 10, "{wrong}");
    }
}

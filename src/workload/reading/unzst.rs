//! Decompresses zstandard as its bytes come.
//!
//! ruzstd decodes the blocks. They are cut out here and given to it one at a time: it needs whole blocks, and from many
//! at once it could unpack a few bytes into gigabytes.

use super::gunzip::GunzipFailure;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use xxhash_rust::xxh64::Xxh64;

/// First bytes of a frame.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// How many first bytes tell whether a file is packed by zstandard.
pub(super) const MAGIC_LENGTH: usize = MAGIC.len();

/// The second to fourth byte of a skippable frame. The first byte is 0x50 to 0x5f.
const SKIPPED: [u8; 3] = [0x2a, 0x4d, 0x18];

/// Whether a file with these first bytes may be packed by zstandard.
pub(super) fn may_begin(head: &[u8]) -> bool {
    let length = head.len().min(MAGIC_LENGTH);
    let is_frame = head[..length] == MAGIC[..length];
    is_frame || head.first().is_some_and(|first| first & 0xf0 == 0x50) && head[1..length] == SKIPPED[..length - 1]
}

/// The largest window that is accepted, bytes: the default of `zstd --ultra`.
const MOST_WINDOW: u64 = 128 * 1024 * 1024;

/// A decompressor of one or more frames in a row.
pub(super) struct Unzst {
    decoder: FrameDecoder,
    state: UnzstState,
    /// Bytes that are not yet a whole block or header.
    pending: Vec<u8>,
    /// The check sum of the frame's decompressed bytes so far.
    sum: Xxh64,
}

enum UnzstState {
    /// Before a frame.
    Between,
    /// In a skippable frame, of which this many bytes follow.
    Skipping(usize),
    /// In a frame, with a check sum after its last block or without.
    Blocks { sum: bool },
}

impl Unzst {
    pub(super) fn new() -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MOST_WINDOW);
        Unzst { decoder, state: UnzstState::Between, pending: Vec::new(), sum: Xxh64::new(0) }
    }

    /// Whether the stream may end here.
    pub(super) fn is_complete(&self) -> bool {
        matches!(self.state, UnzstState::Between) && self.pending.is_empty()
    }

    /// Decompresses `input` and hands the bytes to `take`.
    pub(super) fn push<E>(
        &mut self,
        input: &[u8],
        mut take: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), GunzipFailure<E>> {
        let mut bytes = std::mem::take(&mut self.pending);
        bytes.extend_from_slice(input);
        let mut at = 0;
        while let Some(length) = self.next(&bytes[at..])? {
            let decoded = self.decode(&bytes[at..at + length]).map_err(GunzipFailure::Corrupt)?;
            at += length;
            if let Some(decoded) = decoded.filter(|decoded| !decoded.is_empty()) {
                take(&decoded).map_err(GunzipFailure::Refused)?;
            }
        }
        bytes.drain(..at);
        self.pending = bytes;
        Ok(())
    }

    /// The length of the next part of the stream; none where more bytes are needed, or there are none.
    fn next<E>(&self, bytes: &[u8]) -> Result<Option<usize>, GunzipFailure<E>> {
        let length = match self.state {
            _ if bytes.is_empty() => return Ok(None),
            UnzstState::Skipping(left) => left.min(bytes.len()),
            UnzstState::Between if bytes.len() < 5 => return Ok(None),
            UnzstState::Between if is_skipped(bytes) => 8,
            UnzstState::Between if bytes.starts_with(&MAGIC) => header_length(bytes[4]),
            UnzstState::Between => return Err(GunzipFailure::Corrupt("behind its end there is something else")),
            UnzstState::Blocks { sum } => {
                let Some(&[a, b, c]) = bytes.first_chunk::<3>() else { return Ok(None) };
                let header = u32::from_le_bytes([a, b, c, 0]);
                let (is_last, is_repeated) = (header & 1 == 1, header >> 1 & 3 == 1);
                // 21 bits
                let content = if is_repeated { 1 } else { (header >> 3) as usize };
                3 + content + if is_last && sum { 4 } else { 0 }
            }
        };
        Ok(Some(length).filter(|&length| length <= bytes.len()))
    }

    /// Takes a whole part, and returns what it unpacks to.
    fn decode(&mut self, part: &[u8]) -> Result<Option<Vec<u8>>, &'static str> {
        const NONSENSE: &str = "its compressed data make no sense";
        match self.state {
            UnzstState::Skipping(left) => {
                self.state =
                    if left > part.len() { UnzstState::Skipping(left - part.len()) } else { UnzstState::Between };
                Ok(None)
            }
            UnzstState::Between if is_skipped(part) => {
                let length = part[4..8].try_into().map_or(0, u32::from_le_bytes);
                self.state = if length > 0 { UnzstState::Skipping(length as usize) } else { UnzstState::Between };
                Ok(None)
            }
            UnzstState::Between => {
                self.decoder.reset(part).map_err(|_| "its header makes no sense, or it needs a dictionary")?;
                self.sum.reset(0);
                self.state = UnzstState::Blocks { sum: part[4] & 4 != 0 };
                Ok(None)
            }
            UnzstState::Blocks { .. } => {
                let ended = self.decoder.decode_blocks(part, BlockDecodingStrategy::UptoBlocks(1));
                let has_ended = ended.map_err(|_| NONSENSE)?;
                let decoded = self.decoder.collect();
                decoded.iter().for_each(|decoded| self.sum.update(decoded));
                if has_ended {
                    self.state = UnzstState::Between;
                    // a frame stores the lower half of the check sum
                    let is_other = |sum: u32| sum != self.sum.digest() as u32;
                    if self.decoder.get_checksum_from_data().is_some_and(is_other) {
                        return Err("its check sum does not agree");
                    }
                }
                Ok(decoded)
            }
        }
    }
}

fn is_skipped(bytes: &[u8]) -> bool {
    bytes.len() >= 4 && bytes[0] & 0xf0 == 0x50 && bytes[1..4] == SKIPPED
}

/// The length of a frame's header, bytes, by its descriptor.
fn header_length(descriptor: u8) -> usize {
    let is_single = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size = [usize::from(is_single), 2, 4, 8][usize::from(descriptor >> 6)];
    5 + usize::from(!is_single) + dictionary + size
}

#[cfg(test)]
mod tests {
    use crate::workload::reading::{Reader, read};
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
        let mut reader = Reader::new("log");
        packed.chunks(777).for_each(|chunk| reader.push(chunk).unwrap());
        assert_eq!(reader.finish().unwrap(), plain);
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

//! How a file can be packed.

use std::fmt;

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

//! What identifies a log.

use std::fmt;

/// Identifies the content of a log: 128 bits of XXH3 over the decompressed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub u128);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl std::str::FromStr for Fingerprint {
    type Err = std::num::ParseIntError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        u128::from_str_radix(s, 16).map(Fingerprint)
    }
}

// as text, because JSON's numbers do not hold 128 bits exactly
packfair_base::serde_as_text!(Fingerprint);

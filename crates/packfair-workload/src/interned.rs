//! Names of users, groups, queues and so on, as numbers; and logs by the fingerprint of their content.

use super::printable;
use rustc_hash::FxHashMap;
use std::fmt;

/// Names are cut to this length, characters.
const LONGEST_NAME: usize = 200;

/// Names and their numbers, from 1 in the order in which they first come.
#[derive(Default)]
pub(super) struct Interned {
    numbers: FxHashMap<Box<[u8]>, i32>,
    pub(super) names: Vec<String>,
    /// The last name and its number, for speed: jobs of one user often follow each other.
    last: (Vec<u8>, i32),
}

impl Interned {
    /// The number of a name; -1 for an empty one.
    pub(super) fn number(&mut self, name: &[u8]) -> i32 {
        if name.is_empty() {
            return -1;
        }
        if self.last.0 == name {
            return self.last.1;
        }
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                let number = i32::try_from(self.names.len() + 1).unwrap_or(i32::MAX);
                let text = printable(&String::from_utf8_lossy(name));
                self.names.push(text.chars().take(LONGEST_NAME).collect());
                self.numbers.insert(name.into(), number);
                number
            }
        };
        self.last.0.clear();
        self.last.0.extend_from_slice(name);
        self.last.1 = number;
        number
    }
}

// What identifies a log.

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

//! Names of users, groups, queues and so on, as numbers.

use super::printable;
use rustc_hash::FxHashMap;

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

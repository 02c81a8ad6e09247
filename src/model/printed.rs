//! What a scheduler that a person has written prints.

use crate::workload::Seconds;
use serde::{Deserialize, Serialize};

/// Lines of which a run keeps any.
const MOST: usize = 500;

/// How much of a line is kept, characters.
const LONGEST: usize = 200;

/// A line that was printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedLine {
    /// At which instant, by the log's clock.
    pub at: Seconds,
    /// What.
    pub text: String,
}

/// All that was printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// The first lines.
    pub lines: Vec<PrintedLine>,
    /// How many others there were.
    pub others: u64,
}

impl Printed {
    /// A line more.
    pub fn push(&mut self, at: Seconds, text: &str) {
        if self.lines.len() < MOST {
            self.lines.push(PrintedLine { at, text: text.chars().take(LONGEST).collect() });
        } else {
            self.others += 1;
        }
    }
}

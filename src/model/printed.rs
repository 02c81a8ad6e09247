//! The lines that a scheduler written by a person prints.

use crate::workload::Seconds;
use serde::{Deserialize, Serialize};

const MOST: usize = 500;

/// The most characters of a line that are kept.
const LONGEST: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedLine {
    /// The instant at which it was printed, by the log's clock.
    pub at: Seconds,
    pub text: String,
}

/// All lines that a run has printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    pub lines: Vec<PrintedLine>,
    /// How many further lines were printed.
    pub others: u64,
}

impl Printed {
    pub fn push(&mut self, at: Seconds, text: &str) {
        if self.lines.len() < MOST {
            self.lines.push(PrintedLine { at, text: text.chars().take(LONGEST).collect() });
        } else {
            self.others += 1;
        }
    }
}

//! Why a scheduler has stopped to decide before all its jobs have run.

use crate::workload::Seconds;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A mistake of a scheduler that a person has written. The scheduler decides nothing any more, and its run has no
/// result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchedulerFailure {
    pub name: String,
    /// The line of its text, counted from 1; none where no line is at fault.
    pub line: Option<u32>,
    /// The instant at which it failed, by the log's clock; none before the first one.
    pub at: Option<Seconds>,
    /// What is wrong and what to do, as a sentence without its full stop.
    pub what: String,
}

impl fmt::Display for SchedulerFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(at) = self.at {
            write!(f, ", at {at} s of the log")?;
        }
        write!(f, ": {}.", self.what)
    }
}

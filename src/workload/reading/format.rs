//! What each format of logs does: it turns lines into records.

use super::{FileLine, ReadError};
use crate::workload::{Account, Beyond, Header, Names, Record, Seconds};

/// A format of logs, which takes lines one at a time. Each has a module outside this folder.
pub(in crate::workload) trait Format {
    /// Takes the next line.
    ///
    /// # Errors
    /// As soon as it is certain that this is no log of this format, or one beyond the limits.
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError>;

    /// Whether the rest of a line after its first 64 KiB is wanted, too, as further lines.
    fn takes_long_lines(&self) -> bool {
        false
    }

    /// Whether the log is a table whose columns are known by their names or by the user's statements.
    fn is_table(&self) -> bool {
        false
    }

    fn jobs(&self) -> usize;

    /// Ends the log and returns its content.
    ///
    /// # Errors
    /// If the lines hold no usable job.
    fn finish(self: Box<Self>) -> Result<LogContent, ReadError>;
}

#[derive(Default)]
pub(in crate::workload) struct LogContent {
    /// Header comments, or labels of the same form that the format makes.
    pub(in crate::workload) header: Header,
    pub(in crate::workload) records: Vec<Record>,
    /// What was repaired or left out.
    pub(in crate::workload) account: Account,
    /// The names for which the numbers of users, groups and so on stand.
    pub(in crate::workload) names: Names,
    /// What SWF has no field for.
    pub(in crate::workload) beyond: Beyond,
    /// What the file's own clock shows at the log's zero.
    pub(in crate::workload) own_zero: Seconds,
    /// Whether the log is a table whose columns are known by their names or by the user's statements.
    pub(in crate::workload) is_table: bool,
}

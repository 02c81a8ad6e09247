//! What each format of logs does: it turns lines into records.

use super::{FileLine, ReadError};
use crate::{Account, Beyond, Header, Names, Record, Seconds};

/// A format of logs, which takes lines one at a time. Each has a module outside this folder.
pub(crate) trait Format {
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
pub(crate) struct LogContent {
    /// Header comments, or labels of the same form that the format makes.
    pub(crate) header: Header,
    pub(crate) records: Vec<Record>,
    /// What was repaired or left out.
    pub(crate) account: Account,
    /// The names for which the numbers of users, groups and so on stand.
    pub(crate) names: Names,
    /// What SWF has no field for.
    pub(crate) beyond: Beyond,
    /// What the file's own clock shows at the log's zero.
    pub(crate) own_zero: Seconds,
    /// Whether the log is a table whose columns are known by their names or by the user's statements.
    pub(crate) is_table: bool,
    /// Whether the names of a table's columns, or the user, say in which unit its limits are.
    pub(crate) knows_limits: bool,
}

//! What each format of logs does: lines into records.

use super::{FileLine, ReadError};
use crate::workload::{Account, Beyond, Header, Names, Record, Seconds};

/// A format of logs, a line at a time. A file for each beside this folder.
pub(in crate::workload) trait Format {
    /// Takes the next line.
    ///
    /// # Errors
    /// As soon as it is certain that this is no log of this format, or one beyond the limits.
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError>;

    /// Whether what is behind the first 64 KiB of a line is wanted, too, as further lines.
    fn takes_long_lines(&self) -> bool {
        false
    }

    /// Whether it is a table whose columns were told by their names, or by a person.
    fn is_table(&self) -> bool {
        false
    }

    /// Jobs read so far.
    fn jobs(&self) -> usize;

    /// What all lines were.
    ///
    /// # Errors
    /// Where there is no usable job in them.
    fn finish(self: Box<Self>) -> Result<LogContent, ReadError>;
}

/// What a log holds.
#[derive(Default)]
pub(in crate::workload) struct LogContent {
    /// Header comments, or what stands in for them.
    pub(in crate::workload) header: Header,
    /// The jobs in the order of the file.
    pub(in crate::workload) records: Vec<Record>,
    /// What was repaired or left out.
    pub(in crate::workload) account: Account,
    /// What the numbers of users and their like stand for.
    pub(in crate::workload) names: Names,
    /// What SWF has no field for.
    pub(in crate::workload) beyond: Beyond,
    /// What the file's own clock shows at the log's zero.
    pub(in crate::workload) own_zero: Seconds,
    /// Whether it is a table whose columns were told by their names, or by a person.
    pub(in crate::workload) is_table: bool,
}

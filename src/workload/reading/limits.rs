//! How large a log may be. A small gzip file can hold very much text, so the limits are for the unpacked text.

use super::ReadError;

/// What a log may hold at most. Checked while the log is unpacked, so that a larger one takes no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most jobs. Each takes some 200 bytes while it is read and cleaned.
    pub jobs: usize,
    /// The most bytes of text, unpacked.
    pub text: u64,
}

impl Default for Limits {
    /// Ten times the jobs of the longest public log, within some 3 GB of memory.
    fn default() -> Self {
        Limits { jobs: 10_000_000, text: 8_000_000_000 }
    }
}

/// Makes room for one more value in a column of a log that has `jobs` jobs so far. Where there is no memory, the log
/// cannot be read, and the program goes on.
///
/// # Errors
/// If there is no memory.
#[inline(always)]
pub(in crate::workload) fn room_for_one<T>(column: &mut Vec<T>, jobs: usize) -> Result<(), ReadError> {
    if column.len() < column.capacity() {
        return Ok(());
    }
    column.try_reserve(1).map_err(|_| ReadError::NoMemory { jobs })
}

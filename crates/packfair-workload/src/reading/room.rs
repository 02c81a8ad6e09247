//! Room in memory for the columns of a log.

use super::ReadError;

/// Makes room for one more value in a column of a log that has `jobs` jobs so far. Where there is no memory, the log
/// cannot be read, and the program goes on.
///
/// # Errors
/// If there is no memory.
#[inline(always)]
pub(crate) fn room_for_one<T>(column: &mut Vec<T>, jobs: usize) -> Result<(), ReadError> {
    if column.len() < column.capacity() {
        return Ok(());
    }
    column.try_reserve(1).map_err(|_| ReadError::NoMemory { jobs })
}

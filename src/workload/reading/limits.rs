//! How large a log may be. Little gzip can hide very much text, so what counts is what comes out of it.

use super::ReadError;

/// What a log may hold at most: kept while it is unpacked, so that no more memory is taken than that needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Jobs. Each takes some 200 bytes while it is read and cleaned.
    pub jobs: usize,
    /// Bytes of text, unpacked.
    pub text: u64,
}

impl Default for Limits {
    /// Ten times the jobs of the longest public log, within some 3 GB of memory.
    fn default() -> Self {
        Limits { jobs: 10_000_000, text: 8_000_000_000 }
    }
}

/// Sees to it that one of the columns of a log of `jobs` jobs has room for another: where there is no memory for it, the
/// log cannot be read, and the program goes on.
///
/// # Errors
/// Where there is none.
#[inline(always)]
pub(in crate::workload) fn room_for_one<T>(column: &mut Vec<T>, jobs: usize) -> Result<(), ReadError> {
    if column.len() < column.capacity() {
        return Ok(());
    }
    column.try_reserve(1).map_err(|_| ReadError::NoMemory { jobs })
}

//! Accounting logs, as batch systems write them: a file for each format.
//!
//! They have dates, names of users, and more than one count of what a job held; SWF has none of these. Dates become
//! seconds since the first submission, names become numbers whose names the log keeps.

mod jobs;
mod sacct;
mod time;
mod tres;

use super::reading::{Format, Limits, ReadError};

/// The reader of a file with these first lines, if they are of a format that is read here.
///
/// # Errors
/// Where they are, and what is needed is not there.
pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Result<Option<Box<dyn Format>>, ReadError> {
    if sacct::is_fixed_width(lines) {
        return Err(ReadError::FixedWidth { command: sacct::COMMAND });
    }
    if let Some(sacct) = sacct::Sacct::recognise(lines, limits)? {
        return Ok(Some(Box::new(sacct)));
    }
    Ok(None)
}

//! Accounting logs, as batch systems write them: a file for each format.
//!
//! They have dates, names of users, and more than one count of what a job held; SWF has none of these. Dates become
//! seconds since the first submission, names become numbers whose names the log keeps.

mod dependency;
mod energy;
mod grid_engine;
mod jobcomp;
mod jobs;
mod json;
mod lsf;
mod pbs;
mod sacct;
mod submissions;
mod submit_line;
mod table;
mod time;
mod tres;

pub(super) use sacct::COMMAND as SACCT;
pub(super) use table::LogColumns;
pub use table::{ColumnMap, LogColumn, MappedColumn, PreviewedJobs, TablePreview, ValueForm};

use super::reading::{Format, Limits, ReadError};

/// The reader of a file with these first lines, if they are of a format that is read here.
///
/// # Errors
/// If they are of such a format but lack what a simulation needs.
pub(super) fn recognise(lines: &[&[u8]], limits: Limits) -> Result<Option<Box<dyn Format>>, ReadError> {
    if sacct::is_fixed_width(lines) {
        return Err(ReadError::FixedWidth { command: sacct::COMMAND });
    }
    let known = [
        boxed(pbs::Pbs::recognise(lines, limits)),
        boxed(lsf::Lsf::recognise(lines, limits)),
        boxed(grid_engine::GridEngine::recognise(lines, limits)),
        boxed(jobcomp::JobcompReader::recognise(lines, limits)),
        boxed(submissions::Submissions::recognise(lines, limits)),
        boxed(json::Json::recognise(lines, limits)),
    ];
    if let Some(format) = known.into_iter().flatten().next() {
        return Ok(Some(format));
    }
    match sacct::Sacct::recognise(lines, limits) {
        Ok(None) => Ok(boxed(table::TableReader::recognise(lines, limits)?)),
        Ok(sacct) => Ok(boxed(sacct)),
        // another table may share names with sacct and have all that is needed under other names
        Err(lacking) => match table::TableReader::recognise(lines, limits) {
            Ok(Some(table)) => Ok(boxed(Some(table))),
            _ => Err(lacking),
        },
    }
}

/// The reader of a table whose columns the user has stated.
///
/// # Errors
/// If the lines are not a table with these columns.
pub(super) fn mapped(lines: &[&[u8]], limits: Limits, map: &ColumnMap) -> Result<Box<dyn Format>, ReadError> {
    Ok(Box::new(table::TableReader::mapped(lines, limits, map)?))
}

fn boxed<F: Format + 'static>(format: Option<F>) -> Option<Box<dyn Format>> {
    format.map(|format| Box::new(format) as Box<dyn Format>)
}

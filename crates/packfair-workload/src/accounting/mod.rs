//! Accounting logs, as batch systems write them: a file for each format.
//!
//! They have dates, names of users, and more than one count of what a job held; SWF has none of these. Dates become
//! seconds since the first submission, names become numbers whose names the log keeps.

mod grid_engine;
mod jobcomp;
mod jobs;
pub(crate) mod json;
mod lsf;
pub(super) mod options;
pub(super) mod pbs;
mod records;
mod sacct;
pub(crate) mod submit_line;
mod table;
pub(super) mod tres;

pub(crate) use packfair_base::{numbers, time};
pub(super) use sacct::COMMAND as SACCT;
pub(super) use table::LogColumns;
pub use table::{ColumnMap, LogColumn, MappedColumn, PreviewedJobs, TablePreview, ValueForm};

use super::data_sets::is_column_of_set;
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
        boxed(submit_line::SubmissionList::recognise(lines, limits)),
        by_records(lines, limits, None),
        boxed(table::TableReader::of_data_set(lines, limits)),
    ];
    if let Some(format) = known.into_iter().flatten().next() {
        return Ok(Some(format));
    }
    match sacct::Sacct::recognise(lines, limits) {
        Ok(None) => Ok(boxed(table::TableReader::recognise(lines, limits)?)),
        Ok(Some(sacct)) => match table::TableReader::recognise(lines, limits) {
            // its names, or some of them, in what another program wrote
            Ok(Some(table)) if sacct.reads_none_of(lines) || table.tells_more_than(sacct::is_known) => {
                Ok(boxed(Some(table)))
            }
            _ => Ok(boxed(Some(sacct))),
        },
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
    match by_records(lines, limits, Some(map)) {
        Some(format) => Ok(format),
        None => Ok(Box::new(table::TableReader::mapped(lines, limits, map)?)),
    }
}

/// The reader of a file in which each value has its name, where it is one.
fn by_records(lines: &[&[u8]], limits: Limits, columns: Option<&ColumnMap>) -> Option<Box<dyn Format>> {
    boxed(json::Json::recognise(lines, limits, columns))
        .or_else(|| boxed(records::class_ads::recognise(lines, limits, columns)))
        .or_else(|| boxed(records::qacct::recognise(lines, limits, columns)))
        .or_else(|| boxed(records::recognise(lines, limits, columns)))
}

fn boxed<F: Format + 'static>(format: Option<F>) -> Option<Box<dyn Format>> {
    format.map(|format| Box::new(format) as Box<dyn Format>)
}

/// Which of the columns of these names may be read: those that some reader knows; all, where they do not make a log.
pub(super) fn wanted(names: &[String]) -> Vec<bool> {
    let columns = LogColumns::named(names);
    if !columns.missing().is_empty() {
        return vec![true; names.len()];
    }
    let is_known = |name: &String| table::is_known(name) || sacct::is_known(name) || is_column_of_set(name);
    names.iter().map(is_known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_columns_are_wanted_that_tell_something_of_jobs() {
        let log = ["id", "submit", "start", "end", "ntasks"];
        let others =
            ["cpus_per_task", "walltime_minutes", "array_task_id", "ReqCPUS", "suspended", "het_job_id", "ppn"];
        let names: Vec<String> = log.into_iter().chain(others).chain(["embedding"]).map(str::to_owned).collect();
        let unwanted: Vec<&String> =
            names.iter().zip(wanted(&names)).filter(|(_, is)| !is).map(|(name, _)| name).collect();
        assert_eq!(unwanted, ["embedding"]);
    }
}

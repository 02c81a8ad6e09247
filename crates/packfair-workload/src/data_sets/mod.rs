//! Public data sets of jobs: a table with the columns of one is read as its authors mean it, with its machine.

mod all;

pub use all::DATA_SETS;

use super::Header;
use crate::Unit;

/// The label of the header's comment that has the id of a log's data set.
pub(super) const LABEL: &str = "DataSet";

pub fn data_set_of(header: &Header) -> Option<&'static DataSet> {
    let id = header.get(LABEL)?;
    DATA_SETS.iter().find(|set| set.id == id)
}

/// The data set whose tables have columns with these names, and values such as those of the first rows. `value` gives the
/// values of a column in these rows.
pub(super) fn data_set_with(names: &[String], value: &mut dyn FnMut(usize) -> Vec<String>) -> Option<&'static DataSet> {
    let place = |name: &str| names.iter().position(|other| other.trim().eq_ignore_ascii_case(name));
    DATA_SETS.iter().find(|set| {
        let has_all = !set.columns.is_empty() && set.columns.iter().all(|name| place(name).is_some());
        let lacks = set.without.iter().all(|name| place(name).is_none());
        has_all
            && lacks
            && set.clue.is_none_or(|(column, begins)| {
                let values = place(column).map(&mut *value).unwrap_or_default();
                values.iter().any(|value| begins.iter().any(|begin| value.to_ascii_lowercase().starts_with(begin)))
            })
    })
}

pub(super) fn is_column_of_set(name: &str) -> bool {
    let is_it = |other: &str| other.eq_ignore_ascii_case(name);
    DATA_SETS.iter().any(|set| {
        set.clue.is_some_and(|(column, _)| is_it(column))
            || set.reads.iter().any(|read| is_it(read.split(['=', ':']).nth(1).unwrap_or_default()))
    })
}

// What is known of a public data set.

/// The machine of a data set, as far as its authors or operators tell it; 0: not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetMachine {
    pub nodes: u32,
    /// Processors, counted as the set's jobs count them.
    pub processors: u32,
    /// Graphics processors.
    pub gpus: u32,
}

impl SetMachine {
    /// A machine of which nothing is known.
    const UNKNOWN: SetMachine = SetMachine { nodes: 0, processors: 0, gpus: 0 };
}

/// A public data set of jobs.
#[derive(Clone, Copy, Debug)]
pub struct DataSet {
    pub id: &'static str,
    pub name: &'static str,
    pub about: &'static str,
    pub from: &'static str,
    pub cite: &'static str,
    /// Names of columns that tell its tables from others; none where it is not a table.
    pub columns: &'static [&'static str],
    /// Names of columns that its tables do not have.
    pub without: &'static [&'static str],
    /// A column, and how one of its first values begins, where sets have the same columns; in small letters.
    pub clue: Option<(&'static str, &'static [&'static str])>,
    /// What its columns hold, as `--columns` says it.
    pub reads: &'static [&'static str],
    pub machine: SetMachine,
    /// The unit in which its authors count jobs; none where the log itself shall tell.
    pub unit: Option<Unit>,
}

impl DataSet {
    /// The size of its machine in a unit, where it is known.
    pub fn size(&self, unit: Unit) -> Option<u32> {
        let size = match unit {
            Unit::Processors => self.machine.processors,
            Unit::Nodes => self.machine.nodes,
            Unit::Gpus => self.machine.gpus,
        };
        Some(size).filter(|&size| size > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LogColumn, MappedColumn};

    #[test]
    fn each_set_says_what_its_columns_hold_where_it_is_and_how_to_cite_it() {
        for set in DATA_SETS {
            assert!(set.from.starts_with("https://") && set.cite.len() > 40 && !set.about.is_empty(), "{}", set.id);
            let reads: Vec<MappedColumn> = set.reads.iter().map(|read| read.parse().unwrap()).collect();
            let has = |field: LogColumn| reads.iter().any(|read| read.field == field);
            assert!(set.columns.is_empty() || has(LogColumn::Submit), "{}", set.id);
            let others = DATA_SETS.iter().filter(|other| other.id == set.id);
            assert_eq!(others.count(), 1, "{}", set.id);
        }
    }
}

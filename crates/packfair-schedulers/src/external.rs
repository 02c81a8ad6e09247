//! A schedule that somebody else made of the same jobs, as one more row beside those of the schedulers.

use super::implementation::{NO_CELLS, SchedulerImplementation};
use packfair_base::catalogue::{Entry, Kind, Parameter};
use packfair_engine::model::Usual;

/// The family's catalogue line. No scheduler decides: [`packfair_study::Running`] takes the checked starts of the file.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "external",
        name: "External schedule",
        help: "the starts of a file of yours, once they were checked",
        source: "a file of jobs and starts",
        parameters: &[Parameter { id: "file", name: "File", help: "whose starts are taken", kind: Kind::File }],
    },
    usual: |_, _| Usual::EACH_ROUND,
    build: None,
    on_cells: None,
    classifier: None,
    plain: None,
    applies: NO_CELLS,
    plain_applies: NO_CELLS,
};

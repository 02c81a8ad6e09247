//! Families without a scheduler: their starts are given, as one more row beside those of the schedulers.

use super::implementation::{ANY_CELLS, NO_CELLS, SchedulerImplementation};
use packfair_base::catalogue::{Entry, Kind, Parameter};
use packfair_engine::model::Usual;

/// A schedule that somebody else made of the same jobs: [`packfair_study::Running`] takes the checked starts of the file.
pub const EXTERNAL: SchedulerImplementation = SchedulerImplementation {
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

/// The log's own schedule: [`packfair_study::Running`] takes the starts from the log.
pub const LOGGED: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "as-logged",
        name: "As logged",
        help: "the log's own start times, where it has them: what the cluster really did",
        source: "SWF field 3, wait time",
        parameters: &[],
    },
    usual: |_, _| Usual::EACH_ROUND,
    build: None,
    on_cells: None,
    classifier: None,
    plain: None,
    applies: ANY_CELLS,
    plain_applies: NO_CELLS,
};

//! The log's own schedule, as one more row beside those of the schedulers.

use super::implementation::{ANY_CELLS, NO_CELLS, SchedulerImplementation};
use packfair_base::catalogue::Entry;
use packfair_engine::model::Usual;

/// The family's catalogue line. No scheduler decides: [`packfair_study::Running`] takes the starts from the log.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
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

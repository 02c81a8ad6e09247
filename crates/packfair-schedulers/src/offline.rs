//! The off-line schedule, as one more row beside those of the schedulers.

use super::implementation::{ANY_CELLS, NO_CELLS, SchedulerImplementation};
use packfair_base::catalogue::{Entry, Kind, Parameter, Preset};
use packfair_engine::model::Usual;

/// The family's catalogue line. No scheduler decides: [`packfair_offline`] computes all starts beforehand.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "offline",
        name: "Off-line",
        help: "the whole log planned at once, run times and arrivals known: no scheduler can reach it",
        source: "CP §4",
        parameters: PARAMETERS,
    },
    usual: |_, _| Usual::EACH_ROUND,
    build: None,
    on_cells: None,
    classifier: None,
    plain: None,
    applies: NO_CELLS,
    plain_applies: NO_CELLS,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        id: "objective",
        name: "Objective",
        help: "what is least over all jobs",
        kind: Kind::Choice {
            options: &[
                ("af", "Average response time"),
                ("awf", "Area-weighted response time"),
                ("bsld", "Bounded slowdown"),
                ("p2sf", "P²SF"),
            ],
            default: "af",
        },
    },
    Parameter {
        id: "iterations",
        name: "Iterations",
        help: "how many changes are tried for each job of the log",
        kind: Kind::Whole { min: 0, max: 1_000_000, default: Some(ITERATIONS), unit: "a job" },
    },
    Parameter {
        id: "seed",
        name: "Seed",
        help: "of the random changes: the same seed gives the same schedule",
        kind: Kind::Whole { min: 0, max: 4_294_967_295, default: Some(1), unit: "" },
    },
];

/// The default number of changes that are tried for each job.
const ITERATIONS: i64 = 150;

pub const PRESETS: [Preset; 4] = [
    Preset::new("off-bsld", "Off-line BSLD", HELP, "offline:objective=bsld"),
    Preset::new("off-af", "Off-line AF", HELP, "offline"),
    Preset::new("off-awf", "Off-line AWF", HELP, "offline:objective=awf"),
    Preset::new("off-p2sf", "Off-line P²SF", HELP, "offline:objective=p2sf"),
];

const HELP: &str = FAMILY.entry.help;

// Families without a scheduler: their starts are given, as one more row beside those of the schedulers.

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

//! The catalogue line of Slurm.

use super::{Slurm, SlurmSettings};
use crate::catalogue::{Entry, Kind, Parameter, Settings, Value};
use crate::model::Usual;
use crate::scheduler::implementation::{NO_CELLS, SchedulerImplementation};
use crate::scheduler::order::Written;
use crate::simulation::Driven;
use crate::slurm::Version;
use crate::workload::JobSite;
use std::sync::Arc;

/// The catalogue line. On a workload with a site's files it is that site; else a plain one with the defaults of the
/// version: a node for each processor, one partition, the order of submission.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "slurm",
        name: "Slurm",
        help: "What Slurm itself would do, as configured by the site's files, else by its defaults",
        source: "Slurm 22.05 and 26.05: job_scheduler, sched/backfill, priority/multifactor",
        parameters: &[
            Parameter {
                id: "seed",
                name: "Seed",
                help: "of what differs from run to run of a real one: how long epilogs take, when cycles begin",
                kind: Kind::Whole { min: 1, max: 1_000_000_000, default: Some(1), unit: "" },
            },
            Parameter {
                id: "version",
                name: "Version",
                help: "whose decisions are made where no file tells",
                kind: Kind::Choice {
                    options: &[("22.05", "and up to 24.05"), ("26.05", "slots rounded up, starts by own nodes")],
                    default: "22.05",
                },
            },
            Parameter {
                id: "epilog",
                name: "Epilog",
                help: "from a job's end to its nodes being free, in the mean; each takes half to one and a half of it",
                kind: Kind::Real { min: 0.0, max: 3600.0, default: 1.0, unit: "s" },
            },
            Parameter {
                id: "site",
                name: "Site factor",
                help: "what the site's own plugin adds to a job's priority, of the job and the time; only with priority/multifactor",
                kind: Kind::Formula { options: &[("none", "None")], formulas: &[], default: "none" },
            },
        ],
    },
    usual: |_, _| Usual::AT_SUBMISSION,
    build: Some(|settings| Box::new(Slurm::new(read(settings), None))),
    on_cells: None,
    classifier: None,
    plain: None,
    applies: NO_CELLS,
    plain_applies: NO_CELLS,
};

/// The scheduler on a site.
pub fn build_on(settings: &Settings, jobs: Arc<JobSite>) -> Box<dyn Driven> {
    Box::new(Slurm::new(read(settings), Some(jobs)))
}

/// What is wrong with settings that are each right.
pub fn check(settings: &Settings) -> Result<(), &'static str> {
    if site_factor(settings).is_some_and(Written::needs_view) {
        return Err(
            "its site factor knows the job and the time alone; take wait, submit, now, estimate, requested, processors and area",
        );
    }
    Ok(())
}

fn site_factor(settings: &Settings) -> Option<Written> {
    match settings.get("site") {
        Value::Written(expression) => Some(Written::new(expression)),
        _ => None,
    }
}

fn read(settings: &Settings) -> SlurmSettings {
    let version = settings.choice("version");
    SlurmSettings {
        seed: settings.whole("seed").unwrap_or(1) as u64,
        version: Version::ALL.into_iter().find(|known| known.name() == version).unwrap_or_default(),
        epilog: settings.real("epilog"),
        site_factor: site_factor(settings),
    }
}

//! The catalogue line of the Slurm family.

use super::implementation::{NO_CELLS, SchedulerImplementation};
use packfair_base::catalogue::{Entry, Kind, Parameter, Settings, Value};
use packfair_engine::model::Usual;
use packfair_engine::simulation::Driven;
use packfair_slurm::{SiteChange, Version};
use packfair_slurmctld::{SiteFactor, Slurm, SlurmSettings};
use packfair_workload::Workload;

/// The family's catalogue line. On a workload with a site's files the scheduler is that site's. Otherwise it is a plain
/// one with the defaults of the version: a node for each processor, one partition, the order of submission.
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
                help: "whose rules hold where no file names the version",
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
                id: "boot",
                name: "Boot",
                help: "how long a node boots that was switched off (SuspendTime); 0: as long as it may, ResumeTimeout",
                kind: Kind::Real { min: 0.0, max: 86_400.0, default: 0.0, unit: "s" },
            },
            Parameter {
                id: "limits",
                name: "Limits",
                help: "time limits, as a multiple of what users asked for; no job is cut off for it",
                kind: Kind::Real { min: 0.01, max: 100.0, default: 1.0, unit: "" },
            },
            Parameter {
                id: "rate",
                name: "Rate of backfill",
                help: "jobs that a backfill cycle looks at in a second, which it pauses between (bf_yield_interval); 0: all at once",
                kind: Kind::Real { min: 0.0, max: 1_000_000.0, default: 0.0, unit: "/s" },
            },
            Parameter {
                id: "site",
                name: "Site factor",
                help: "what the site's own plugin adds to a job's priority, of the job and the time; only with priority/multifactor",
                kind: Kind::Formula { options: &[("none", "None")], presets: &[], default: "none" },
            },
            Parameter {
                id: CHANGES,
                name: "What is set otherwise",
                help: "bf_max_job_test=1000, PriorityWeightAge=4000, partition.batch.MaxTime=1-0, qos.normal.MaxJobsPU=4, \
                       user.ann.Fairshare=3, drain=n[1-8]@2026-11-23T08:00/2026-11-24T08:00; + in a value for a comma",
                kind: Kind::Changes { tried: TRIED },
            },
        ],
    },
    usual: |_, _| Usual::AT_SUBMISSION,
    build: Some(|settings| Box::new(Slurm::plain(read(settings)))),
    on_cells: None,
    classifier: None,
    plain: None,
    applies: NO_CELLS,
    plain_applies: NO_CELLS,
};

/// The parameters and values that a search among settings tries: what administrators set, and what can be written into
/// `slurm.conf` as it stands.
const TRIED: &[(&str, &[&str])] = &[
    ("bf_interval", &["30", "60", "120", "300"]),
    ("bf_max_job_test", &["100", "250", "500", "1000", "2500", "5000"]),
    ("bf_max_job_user", &["0", "5", "10", "20", "50", "100"]),
    ("bf_window", &["1440", "2880", "4320", "10080", "20160"]),
    ("bf_resolution", &["60", "300", "600", "1800"]),
    ("default_queue_depth", &["50", "100", "500", "1000", "2500"]),
    ("PriorityType", &["priority/basic", "priority/multifactor"]),
    ("PriorityWeightAge", &["0", "1000", "10000", "100000"]),
    ("PriorityWeightFairshare", &["0", "1000", "10000", "100000"]),
    ("PriorityWeightJobSize", &["0", "1000", "10000", "100000"]),
    ("PriorityDecayHalfLife", &["1-0", "7-0", "14-0", "30-0"]),
    ("PriorityMaxAge", &["1-0", "7-0", "14-0"]),
    ("PriorityFavorSmall", &["NO", "YES"]),
];

/// The id of the parameter for changes of the site's files.
const CHANGES: &str = "changes";

/// The scheduler of a workload: on its site, where there is one, and with the ties of its jobs.
pub fn build_on(settings: &Settings, workload: &Workload) -> Box<dyn Driven> {
    Box::new(Slurm::on(workload, read(settings)))
}

/// The changes of a site that settings ask for.
///
/// # Errors
/// If a change cannot be read: which one, and what changes there are.
pub fn changes(settings: &Settings) -> Result<Vec<SiteChange>, String> {
    settings.changes().pairs().map(|(key, value)| SiteChange::read(key, value)).collect()
}

/// Checks settings that are valid one by one.
///
/// # Errors
/// If a change cannot be read, or if the site factor needs more than the job and the time.
pub fn check(settings: &Settings) -> Result<(), String> {
    site_factor(settings)?;
    changes(settings).map(drop)
}

fn site_factor(settings: &Settings) -> Result<Option<SiteFactor>, String> {
    let Value::Written(formula) = settings.get("site") else { return Ok(None) };
    SiteFactor::of(formula).map(Some).ok_or_else(|| {
        let takes = "wait, submit, now, estimate, requested, processors and area";
        format!("its site factor knows the job and the time alone; take {takes}")
    })
}

fn read(settings: &Settings) -> SlurmSettings {
    let version = settings.choice("version");
    SlurmSettings {
        seed: settings.whole("seed").unwrap_or(1) as u64,
        version: Version::ALL.into_iter().find(|known| known.name() == version).unwrap_or_default(),
        epilog: settings.real("epilog"),
        boot: settings.real("boot"),
        limits: settings.real("limits"),
        rate: settings.real("rate"),
        // the settings were checked when they were read
        changes: changes(settings).unwrap_or_default(),
        site_factor: site_factor(settings).unwrap_or_default(),
    }
}

//! What came out of a study.

use super::logged::{self, Overfull};
use super::{Run, Study};
use packfair_base::catalogue::NamedFile;
use packfair_engine::estimator::Method;
use packfair_engine::metric::{Curves, Evaluation, MachineUse, Measure, Metric, Saturation};
use packfair_engine::model::{Schedule, SchedulerFailure};
use packfair_schedulers::NotOnMachine;
use packfair_workload::{ExternalFault, ExternalKind, Machine, Summary, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What came out of a study: plain data, from which tables, charts, files and links are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub study: Study,
    pub summary: Summary,
    /// One report for each run that ended well, in the order of [`Study::runs`].
    pub runs: Vec<RunReport>,
}

/// What came out of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    pub run: Run,
    #[serde(default = "unshrunk")]
    pub shrink: f64,
    /// How many jobs count.
    pub jobs: usize,
    pub values: BTreeMap<Metric, f64>,
    /// Curves, reduced to what a chart can show.
    pub curves: Curves,
    /// How long the simulation alone took, seconds; 0 where it was not timed.
    pub wall_s: f64,
    /// Where and by how much the log's own schedule exceeds the machine; `None` for any other schedule.
    #[serde(default)]
    pub overfull: Option<Overfull>,
    /// How the queue grew to the end of the log, where it did; averages mean nothing then.
    #[serde(default)]
    pub saturation: Option<Saturation>,
    /// Whether much work waits at the end of the log, which is too short to tell whether the queue grew.
    #[serde(default)]
    pub is_too_short: bool,
    /// The machine of the run. `None` in a link, which carries only the machine of the study's workload.
    #[serde(default)]
    pub machine: Option<Machine>,
    /// How the cells and resources of the machine were used; `None` where the machine is only a number of processors.
    #[serde(default)]
    pub machine_use: Option<Box<MachineUse>>,
    /// Whether the plain scheduler ran because the fast one does not know such machines. A link does not carry this.
    #[serde(default)]
    pub is_plain: bool,
}

/// A run's report, and the schedule itself.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    pub report: RunReport,
    /// The schedule: when every job started.
    pub schedule: Schedule,
}

impl RunReport {
    pub fn of(run: Run, workload: &Workload, schedule: &Schedule, measure: &Measure, wall_s: f64) -> Self {
        let evaluation = Evaluation::new(workload, schedule, measure);
        let report = RunReport::without_curves(run, workload, schedule, &evaluation, wall_s);
        RunReport { curves: evaluation.curves(), ..report }
    }

    /// Measures a schedule, with metrics but without [`Evaluation::curves`].
    pub fn without_curves(
        run: Run,
        workload: &Workload,
        schedule: &Schedule,
        evaluation: &Evaluation<'_>,
        wall_s: f64,
    ) -> Self {
        let (jobs, mut values) = (evaluation.jobs(), evaluation.values());
        if run.estimate.method == Method::requested() && !workload.names_requested_times() {
            // Run times stand in for requested times that nobody named. To measure them against themselves says
            // nothing.
            for metric in Metric::OF_ESTIMATES {
                values.remove(&metric);
            }
        }
        let overfull = run.scheduler.is_as_logged().then(|| logged::overfull(workload, schedule)).flatten();
        let saturation = evaluation.saturation();
        let machine = Some(workload.machine);
        let machine_use = evaluation.machine_use().cloned().map(Box::new);
        let is_plain = run.scheduler.is_plain_on(workload.cells());
        RunReport {
            run,
            shrink: workload.shrunk(),
            jobs,
            values,
            curves: Curves::default(),
            wall_s,
            machine,
            machine_use,
            overfull,
            saturation,
            is_too_short: evaluation.is_too_short_to_tell(),
            is_plain,
        }
    }
}

fn unshrunk() -> f64 {
    1.0
}

/// Why a run has no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotRun {
    #[error(
        "The log does not tell when its jobs started: the wait time (field 3) is unknown for {unknown} of {jobs} jobs. \
         Take \"As logged\" out of the schedulers."
    )]
    NoLoggedStarts { unknown: usize, jobs: usize },
    #[error("{0}")]
    NotOnMachine(#[from] NotOnMachine),
    #[error("{name}: {why}.")]
    NotAtSite {
        name: String,
        /// What the site does not have.
        why: String,
    },
    #[error("The file {name} ({fingerprint:032x}) is not here: give it again, with {option}, or drop it on the page.",
        name = file.name(), fingerprint = file.digest(), option = option(*kind))]
    NoFile { file: NamedFile, kind: ExternalKind },
    #[error("{0}.")]
    NotOfLog(ExternalFault),
    #[error("{name} is a schedule of other arrivals: set the load back to that of the log (shrinking factor 1).")]
    OtherArrivals { name: String },
    #[error(
        "{name} is a schedule of the log's own arrivals, and users who react come at other times: take feedback off."
    )]
    LoggedArrivals { name: String },
    #[error(
        "{name} plans with all arrivals known beforehand, and where users react they follow from the schedule: take \
         feedback off, or {name} out of the schedulers."
    )]
    ArrivalsUnknown {
        /// The scheduler.
        name: String,
    },
    /// Whoever asked for it has stopped it.
    #[error("the run was stopped")]
    Stopped,
    /// A person's own scheduler made a mistake.
    #[error("{0}")]
    Mistaken(SchedulerFailure),
    #[error(
        "{name} has not started {left} of {jobs} jobs, and nothing happens any more. The first is job {first} of the log."
    )]
    LeftWaiting {
        name: String,
        /// How many jobs still wait.
        left: usize,
        jobs: usize,
        /// The first waiting job, by its number in the log.
        first: i64,
    },
    #[error("{name} is no schedule of this workload. {first}{}", others_in_words(*others))]
    Refused {
        name: String,
        /// The first fault, which names the job, as a sentence.
        first: String,
        /// How many other faults there are.
        others: usize,
    },
}

impl CannotRun {
    /// Whether only this run fails, because a person's own scheduler is at fault. Other runs of the study may have
    /// schedules.
    pub fn is_of_one_run(&self) -> bool {
        matches!(self, CannotRun::Mistaken(_) | CannotRun::LeftWaiting { .. })
    }
}

fn option(kind: ExternalKind) -> &'static str {
    match kind {
        ExternalKind::Schedule => "--schedule",
        ExternalKind::Estimates => "--estimates",
        ExternalKind::Site => "--slurm",
    }
}

fn others_in_words(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => " There is 1 more fault.".to_owned(),
        _ => format!(" There are {others} more faults."),
    }
}

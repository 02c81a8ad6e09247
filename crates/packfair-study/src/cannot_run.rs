//! Why a run has no schedule.

use packfair_base::catalogue::NamedFile;
use packfair_engine::model::SchedulerFailure;
use packfair_schedulers::NotOnMachine;
use packfair_workload::{ExternalFault, ExternalKind};

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

//! Why a run has no schedule.

use crate::catalogue::NamedFile;
use crate::model::Failure;
use crate::scheduler::NotOnMachine;
use crate::workload::{ExternalFault, ExternalKind};

/// Why a run has no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotRun {
    /// The log's own schedule was asked for, and the log does not tell it.
    #[error(
        "The log does not tell when its jobs started: the wait time (field 3) is unknown for {unknown} of {jobs} jobs. \
         Take \"As logged\" out of the schedulers."
    )]
    NoLoggedStarts {
        /// How many jobs have an unknown start.
        unknown: usize,
        /// How many jobs there are.
        jobs: usize,
    },
    /// The scheduler cannot run on this machine.
    #[error("{0}")]
    NotOnMachine(#[from] NotOnMachine),
    /// A what-if, or a change of the site, is about something that the site does not have.
    #[error("{name}: {why}.")]
    NotAtSite {
        /// The scheduler.
        name: String,
        /// What the site does not have.
        why: String,
    },
    /// A needed file is not there.
    #[error("The file {name} ({fingerprint:032x}) is not here: give it again, with {option} or by dropping it on the page.",
        name = file.name(), fingerprint = file.digest(), option = option(*kind))]
    NoFile {
        /// The file.
        file: NamedFile,
        /// What it is needed for.
        kind: ExternalKind,
    },
    /// A file does not go with the log.
    #[error("{0}.")]
    NotOfLog(ExternalFault),
    /// A file's schedule keeps the log's own arrivals, but the load is changed.
    #[error("{name} is a schedule of other arrivals: set the load back to that of the log (shrinking factor 1).")]
    OtherArrivals {
        /// What the file is called.
        name: String,
    },
    /// A given schedule keeps the log's own arrivals, but users react.
    #[error(
        "{name} is a schedule of the log's own arrivals, and users who react come at other times: take feedback off."
    )]
    LoggedArrivals {
        /// What the file is called.
        name: String,
    },
    /// An off-line schedule needs all arrivals beforehand, but users react.
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
    Mistaken(Failure),
    /// A person's own scheduler left jobs waiting for ever.
    #[error(
        "{name} has not started {left} of {jobs} jobs, and nothing happens any more. The first is job {first} of the log."
    )]
    LeftWaiting {
        /// The scheduler.
        name: String,
        /// How many jobs still wait.
        left: usize,
        /// How many jobs there are.
        jobs: usize,
        /// The first waiting job, by its number in the log.
        first: i64,
    },
    /// The checker does not accept a file's schedule.
    #[error("{name} is no schedule of this workload. {first}{}", others_in_words(*others))]
    Refused {
        /// What the file is called.
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
        ExternalKind::Site => "--slurm (of a study: --site)",
    }
}

fn others_in_words(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => " There is 1 more fault.".to_owned(),
        _ => format!(" There are {others} more faults."),
    }
}

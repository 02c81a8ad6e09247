//! Why a log does not become a workload.

use crate::shrink::{LEAST, MOST};
use crate::{Account, MOST_PROCESSORS, NoFeedback, NoSplit, NoUsers, ResampleError};

/// Why a log does not become a workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CleanError {
    /// No job is left.
    #[error("no job of {records} is left: {}", account.in_words())]
    NothingLeft {
        /// Jobs in the log.
        records: usize,
        /// Why each was dropped.
        account: Account,
    },
    /// A machine of no processors was asked for.
    #[error("a machine of 0 processors runs no job; give at least 1")]
    NoProcessors,
    /// A machine of more than [`MOST_PROCESSORS`] was asked for.
    #[error("a machine of {0} processors is larger than is simulated; give at most {MOST_PROCESSORS}")]
    TooManyProcessors(u32),
    /// The machine has cells, but jobs are counted in something else than processors.
    #[error("on a machine of cells jobs are counted in processors, not in {0}: the cells say how many {0} there are")]
    UnitOfCells(&'static str),
    /// The description of the machine is not consistent.
    #[error("{0}")]
    Machine(packfair_base::machine::MachineError),
    /// The files of the site are missing, or are not those that the study names.
    #[error(
        "the files of the Slurm site ({0}) are not here, or others are: give these with --slurm (of a study: --site), or drop them on the page"
    )]
    NoSite(String),
    /// The shrinking factor is not a number in range.
    #[error("the shrinking factor is {0}; give a number from {least} to {most}", least = LEAST, most = MOST)]
    Shrink(String),
    /// No workload like the log's can be generated.
    #[error("no workload can be made like this one: {0}")]
    Like(String),
    /// The users of the log cannot react to waits.
    #[error("{0}")]
    Feedback(NoFeedback),
    /// The wide jobs of the log cannot be split up.
    #[error("{0}")]
    Split(NoSplit),
    /// The number of users of the log cannot be changed.
    #[error("{0}")]
    Users(NoUsers),
    /// No further workloads can be made from the log's by resampling.
    #[error("{0}")]
    Resample(ResampleError),
}

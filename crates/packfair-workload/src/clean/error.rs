//! Why a log does not become a workload.

use crate::shrink::{LARGEST_FACTOR, LEAST};
use crate::{Account, MOST_PROCESSORS, NoFeedback, NoSplit, NoUsers, ResampleError};

/// Why a log does not become a workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CleanError {
    #[error("no job of {records} is left: {}", account.in_words())]
    NothingLeft {
        records: usize,
        /// Why each was dropped.
        account: Account,
    },
    #[error("a machine of 0 processors runs no job; give at least 1")]
    NoProcessors,
    #[error("a machine of {0} processors is larger than is simulated; give at most {MOST_PROCESSORS}")]
    TooManyProcessors(u32),
    #[error("on a machine of cells jobs are counted in processors, not in {0}: the cells say how many {0} there are")]
    UnitOfCells(&'static str),
    #[error("{0}")]
    Machine(packfair_base::machine::MachineError),
    #[error(
        "the files of the Slurm site ({0}) are not here, or others are: give these with --slurm, or drop them on the page"
    )]
    NoSite(String),
    #[error("the shrinking factor is {0}; give a number from {least} to {most}", least = LEAST, most = LARGEST_FACTOR)]
    Shrink(String),
    #[error("no workload can be made like this one: {0}")]
    Like(String),
    #[error("{0}")]
    Feedback(NoFeedback),
    #[error("{0}")]
    Split(NoSplit),
    #[error("{0}")]
    Users(NoUsers),
    #[error("{0}")]
    Resample(ResampleError),
}

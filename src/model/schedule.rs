//! What a simulation leaves behind.

use super::{FairStarts, Notes, SizeClass};
use crate::machine::Placement;
use crate::workload::{JobId, Seconds, Workload};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What killed an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KilledBy {
    /// The scheduler: a job that ran past the divider (CLASSIFY §5.2), one that others preempt, or whatever a script says.
    Scheduler,
    /// The machine: its node went.
    Machine,
}

/// An execution of a job that was killed. The job waited again from `end` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// Which job.
    pub job: JobId,
    /// Start.
    pub start: Seconds,
    /// When it was killed.
    pub end: Seconds,
    /// By what.
    pub by: KilledBy,
}

/// Where a job was put when it started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// Which job.
    pub job: JobId,
    /// When it started, whether it completed or was killed then.
    pub start: Seconds,
    /// In which cells.
    pub placement: Placement,
}

/// What happened to every job of a workload, and what was estimated of it. Columns in log order.
///
/// A job has one execution that completes, from `starts` to `ends`; executions before that one were killed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Start time b of the execution that completed; [`Seconds::MIN`] for a job that never started.
    pub starts: Vec<Seconds>,
    /// Completion time c; [`Seconds::MIN`] for a job that never started.
    pub ends: Vec<Seconds>,
    /// Executions that were killed, in the order of their ends. Empty for nearly all schedulers.
    pub killed: Vec<Execution>,
    /// What each job was taken for, and the divider in force at its submission; empty where no classifier was at work.
    pub classes: Vec<SizeClass>,
    /// The estimate E made at submission, seconds.
    pub estimates: Vec<f64>,
    /// How often the estimate was corrected while the job ran.
    pub corrections: Vec<u32>,
    /// How many scheduling rounds there were.
    pub rounds: u64,
    /// What the scheduler reported.
    pub notes: Notes,
    /// When jobs would have started without those that arrived later; none if that was not computed.
    pub fair: Option<FairStarts>,
    /// When each job of the log was submitted, by its place there, where users reacted; all other columns are then in the
    /// order of arrival, that of [`Workload::lived`]. None where the log says it.
    pub submits: Option<Vec<Seconds>>,
    /// Where each execution ran, in the order of the starts, on a machine of cells; empty on any other.
    #[serde(default)]
    pub placed: Vec<Placed>,
}

impl Schedule {
    /// The schedule in which jobs start at `starts` and run to their ends. Nothing is known of estimates.
    pub fn of_starts(workload: &Workload, starts: Vec<Seconds>) -> Self {
        Schedule { ends: ends(workload, &starts), starts, ..Schedule::default() }
    }

    /// Whether it tells in which cells jobs ran: not where starts were taken from elsewhere, or the scheduler counts nodes itself.
    pub fn tells_cells(&self) -> bool {
        !self.placed.is_empty()
    }

    /// The workload that it is of: `log`, the one that was simulated, or, where users reacted, what that came to.
    pub fn workload<'a>(&self, log: &'a Workload) -> Cow<'a, Workload> {
        match &self.submits {
            Some(submits) if submits.len() == log.len() => Cow::Owned(log.lived(submits)),
            _ => Cow::Borrowed(log),
        }
    }

    /// Start time b of a job.
    pub fn start(&self, job: JobId) -> Seconds {
        self.starts[job.index()]
    }

    /// Completion time c of a job.
    pub fn end(&self, job: JobId) -> Seconds {
        self.ends[job.index()]
    }

    /// Estimate of a job at its submission.
    pub fn estimate(&self, job: JobId) -> f64 {
        self.estimates[job.index()]
    }

    /// The killed executions of a job, in the order of time.
    pub fn killed_of(&self, job: JobId) -> impl Iterator<Item = Execution> + '_ {
        self.killed.iter().copied().filter(move |execution| execution.job == job)
    }
}

/// When jobs end that start at `starts`: the one place where an end is computed from a start.
pub(crate) fn ends(workload: &Workload, starts: &[Seconds]) -> Vec<Seconds> {
    let end =
        |(&start, &run): (&Seconds, &Seconds)| if start == Seconds::MIN { start } else { start.saturating_add(run) };
    starts.iter().zip(workload.runs()).map(end).collect()
}

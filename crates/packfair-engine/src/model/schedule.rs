//! The result of a simulation.

use super::{FairStarts, Notes, SizeClass};
use packfair_base::machine::Placement;
use packfair_workload::{JobId, Seconds, Workload};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What killed an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KilledBy {
    /// The scheduler: the job ran past its divider (CLASSIFY §5.2), was preempted, or a script killed it.
    Scheduler,
    /// The machine: the job's node went.
    Machine,
}

/// An execution of a job that was killed. The job waited again from `end` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    pub job: JobId,
    pub start: Seconds,
    pub end: Seconds,
    pub by: KilledBy,
}

/// Where an execution of a job ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    pub job: JobId,
    /// When it started, whether it then completed or was killed.
    pub start: Seconds,
    /// Since when it held its nodes: before its start where nodes were switched on for it.
    pub held: Seconds,
    /// The cells in which it ran.
    pub placement: Placement,
}

/// What happened to every job of a workload, and how it was estimated. All columns are in log order.
///
/// A job has one execution that completes, from `starts` to `ends`. Executions before that one were killed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Start time b of the execution that completed; [`Seconds::MIN`] for a job that never started.
    pub starts: Vec<Seconds>,
    /// Completion time c; [`Seconds::MIN`] for a job that never started.
    pub ends: Vec<Seconds>,
    /// Executions that were killed, in the order of their ends. Empty for nearly all schedulers.
    pub killed: Vec<Execution>,
    /// The class that each job was taken for, and the divider in force at its submission; empty where there is no
    /// classifier.
    pub classes: Vec<SizeClass>,
    /// The estimate E made at submission, seconds.
    pub estimates: Vec<f64>,
    /// How often the estimate was corrected while the job ran.
    pub corrections: Vec<u32>,
    /// How many scheduling rounds there were.
    pub rounds: u64,
    pub notes: Notes,
    /// When jobs would have started without jobs that arrived later; none if that was not computed.
    pub fair: Option<FairStarts>,
    /// Where users react: when each job of the log was submitted, by its place in the log. All other columns are then
    /// in the order of arrival, that of [`Workload::lived`]. None where submit times are the log's.
    pub submits: Option<Vec<Seconds>>,
    /// Where each execution ran, in the order of starts; empty where the machine has no cells.
    #[serde(default)]
    pub placed: Vec<Placed>,
}

impl Schedule {
    /// The schedule in which jobs start at `starts` and run for their run times. It has no estimates.
    pub fn of_starts(workload: &Workload, starts: Vec<Seconds>) -> Self {
        Schedule { ends: ends(workload, &starts), starts, ..Schedule::default() }
    }

    /// Whether the schedule tells in which cells jobs ran. It does not where starts come from elsewhere or the
    /// scheduler counts nodes itself.
    pub fn tells_cells(&self) -> bool {
        !self.placed.is_empty()
    }

    /// The workload of this schedule: `log`, which was simulated, or the lived workload where users reacted.
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

    /// The estimate of a job at its submission, seconds.
    pub fn estimate(&self, job: JobId) -> f64 {
        self.estimates[job.index()]
    }

    /// The killed executions of a job, in order of time.
    pub fn killed_of(&self, job: JobId) -> impl Iterator<Item = Execution> + '_ {
        self.killed.iter().copied().filter(move |execution| execution.job == job)
    }
}

/// The ends of jobs that start at `starts`. This is the only function that computes an end from a start.
pub(crate) fn ends(workload: &Workload, starts: &[Seconds]) -> Vec<Seconds> {
    let end =
        |(&start, &run): (&Seconds, &Seconds)| if start == Seconds::MIN { start } else { start.saturating_add(run) };
    starts.iter().zip(workload.runs()).map(end).collect()
}

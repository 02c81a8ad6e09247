//! The result of a simulation.

use super::{FairStarts, Notes, SizeClass};
use packfair_base::machine::Placement;
use packfair_workload::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;
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

/// A time in which an execution of a job was suspended: it held no processors and did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspension {
    pub job: JobId,
    pub from: Seconds,
    pub until: Seconds,
}

impl Suspension {
    /// How many seconds of it lie within [begin, end).
    pub fn within(&self, begin: Seconds, end: Seconds) -> Seconds {
        (self.until.min(end) - self.from.max(begin)).max(0)
    }
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
/// A job has one execution that completes, from `starts` to `ends`. Executions before that one were killed. An execution
/// may be suspended for times, which come on top of its run time.
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
    /// When executions were suspended, in the order in which that was over. Empty for nearly all schedulers.
    #[serde(default)]
    pub suspended: Vec<Suspension>,
}

impl Schedule {
    /// The schedule in which jobs start at `starts` and run for their run times. It has no estimates.
    pub fn of_starts(workload: &Workload, starts: Vec<Seconds>) -> Self {
        Schedule { ends: ends(workload, &starts, &[]), starts, ..Schedule::default() }
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

    /// When executions were suspended, by job and in order of time; jobs that never were are not there.
    pub fn suspensions(&self) -> Suspensions {
        let mut of_jobs = Suspensions::default();
        for suspension in &self.suspended {
            of_jobs.0.entry(suspension.job).or_default().push((suspension.from, suspension.until));
        }
        of_jobs
    }
}

/// The suspensions of a schedule by job.
#[derive(Clone, Debug, Default)]
pub struct Suspensions(FxHashMap<JobId, Vec<(Seconds, Seconds)>>);

impl Suspensions {
    /// When a job was suspended, in order of time.
    pub fn of(&self, job: JobId) -> &[(Seconds, Seconds)] {
        self.0.get(&job).map_or(&[], Vec::as_slice)
    }

    /// When an execution of a job from `start` to `end` ran: all of that time but where it was suspended.
    pub fn spans(&self, job: JobId, start: Seconds, end: Seconds) -> impl Iterator<Item = (Seconds, Seconds)> + '_ {
        let within = self.of(job).iter().copied().filter(move |&(from, until)| start <= from && until <= end);
        let mut since = start;
        let before = within.chain([(end, end)]).map(move |(from, until)| (std::mem::replace(&mut since, until), from));
        // who never was suspended has one span, which may be empty
        let is_whole = self.of(job).is_empty();
        before.filter(move |&(from, until)| is_whole || from < until)
    }

    /// How many seconds of an execution of a job from `start` to `end` it was suspended.
    pub fn seconds(&self, job: JobId, start: Seconds, end: Seconds) -> Seconds {
        let within = self.of(job).iter().filter(|&&(from, until)| start <= from && until <= end);
        within.map(|(from, until)| until - from).sum()
    }
}

/// The ends of jobs that start at `starts`, and that are suspended in between. This is the only function that computes
/// an end from a start.
pub(crate) fn ends(workload: &Workload, starts: &[Seconds], suspended: &[Suspension]) -> Vec<Seconds> {
    let end =
        |(&start, &run): (&Seconds, &Seconds)| if start == Seconds::MIN { start } else { start.saturating_add(run) };
    let mut ends: Vec<Seconds> = starts.iter().zip(workload.runs()).map(end).collect();
    // what was suspended before the last start was killed
    for &Suspension { job, from, until } in suspended {
        if starts[job.index()] != Seconds::MIN && from >= starts[job.index()] {
            ends[job.index()] += until - from;
        }
    }
    ends
}

//! The result of a simulation.

use super::{Notes, SizeClass};
use packfair_base::machine::Placement;
use packfair_workload::{JobId, Seconds, Workload};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

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

// Fair start times as data (FAIRNESS §3.1).

/// Fair start times of a range of jobs, in log order. They may be later than the actual starts, because jobs that
/// arrived later may have helped a job. Unfairness is max(0, start - fair start).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FairStarts {
    /// Strict: the start that the job would get if no job arrived after it in log order.
    pub strict: Vec<Seconds>,
    /// Relaxed: like `strict`, but the job is withheld from the scheduler until the last of the other jobs that were
    /// queued at its arrival has started. It is estimated as if it waited.
    pub relaxed: Vec<Seconds>,
    /// Hybrid: the start that the job would get if processors were given to the waiting jobs and then to this job, in
    /// order of arrival, as they are expected to become free (Leung et al. 2010, which FAIRNESS §5 cites). Empty for
    /// machines with cells or a calendar.
    #[serde(default)]
    pub hybrid: Vec<Seconds>,
    /// Independent of the scheduler: the start that the job would get if all jobs had been scheduled by Conservative
    /// until it arrived, and first come first served without backfilling from then on (Srinivasan et al. 2002, which
    /// FAIRNESS §5 cites). Empty for machines with cells or a calendar.
    #[serde(default)]
    pub independent: Vec<Seconds>,
}

impl FairStarts {
    /// The strict and the relaxed fair start of a job, if it is in the range.
    pub fn of(&self, job: JobId) -> Option<(Seconds, Seconds)> {
        Some((*self.strict.get(job.index())?, *self.relaxed.get(job.index())?))
    }

    /// Appends the fair starts of the jobs that follow.
    pub fn append(&mut self, mut next: FairStarts) {
        self.strict.append(&mut next.strict);
        self.relaxed.append(&mut next.relaxed);
        self.hybrid.append(&mut next.hybrid);
        self.independent.append(&mut next.independent);
    }
}

// Why a scheduler has stopped to decide before all its jobs have run.

/// A mistake of a scheduler that a person has written. The scheduler decides nothing any more, and its run has no
/// result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchedulerFailure {
    pub name: String,
    /// The line of its text, counted from 1; none where no line is at fault.
    pub line: Option<u32>,
    /// The instant at which it failed, by the log's clock; none before the first one.
    pub at: Option<Seconds>,
    /// What is wrong and what to do, as a sentence without its full stop.
    pub what: String,
}

impl fmt::Display for SchedulerFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(at) = self.at {
            write!(f, ", at {at} s of the log")?;
        }
        write!(f, ": {}.", self.what)
    }
}

//! What may be wrong with a schedule.

use packfair_workload::{Seconds, Unit};
use std::fmt;

/// What is wrong with a schedule. Jobs are named by their numbers in the log, times are seconds of its clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is not one start for each job.
    Count {
        jobs: usize,
        starts: usize,
    },
    /// The time from a job's last start to its end is not its run time.
    CutShort {
        job: i64,
        start: Seconds,
        end: Seconds,
        run: Seconds,
    },
    /// An execution of a job starts or is killed while another one runs, or is killed after it would have completed.
    Overlaps {
        job: i64,
        /// The start of the killed execution.
        start: Seconds,
        end: Seconds,
    },
    /// A job is said to be suspended while it does not run, or while it is already suspended.
    Suspended {
        job: i64,
        from: Seconds,
        until: Seconds,
    },
    /// A job was never started.
    NeverStarts {
        job: i64,
    },
    /// A job starts before it was submitted.
    BeforeSubmission {
        job: i64,
        submit: Seconds,
        start: Seconds,
    },
    Overfull {
        job: i64,
        at: Seconds,
        used: u64,
        processors: u32,
        unit: Unit,
    },
    OverfullCell {
        job: i64,
        at: Seconds,
        cell: String,
    },
    /// More is drawn than the cap of power, by what was expected, from the start of a job on.
    OverCap {
        job: i64,
        at: Seconds,
    },
    /// A job starts before another job that precedes it in the log.
    OutOfOrder {
        job: i64,
        start: Seconds,
        earlier: i64,
        earlier_start: Seconds,
    },
    /// A job was killed that must not be, was killed at another time than it must be, or was not killed although it
    /// must be.
    Killed {
        job: i64,
        /// How often it was killed.
        runs: usize,
        /// After how many seconds of running it must be killed; none if it must not be.
        due: Option<Seconds>,
    },
    /// A job starts later than a rule allows.
    Late {
        job: i64,
        start: Seconds,
        /// The latest start that the rule allows, rounded up to a whole second.
        due: Seconds,
        rule: StartRule,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Count { jobs, starts } => write!(f, "The schedule has {starts} starts for {jobs} jobs."),
            Fault::CutShort { job, start, end, run } => {
                write!(f, "Job {job} runs from {start} s to {end} s, but it takes {run} s.")
            }
            Fault::Overlaps { job, start, end } => write!(
                f,
                "Job {job} is killed at {end} s in a run that began at {start} s, which does not go with its other runs."
            ),
            Fault::Suspended { job, from, until } => {
                write!(f, "Job {job} is suspended from {from} s to {until} s, which does not go with its runs.")
            }
            Fault::NeverStarts { job } => write!(f, "Job {job} never starts."),
            Fault::BeforeSubmission { job, submit, start } => {
                write!(f, "Job {job} starts at {start} s, before its submission at {submit} s.")
            }
            Fault::Overfull { job, at, used, processors, unit } => {
                let units = unit.plural();
                write!(f, "With the start of job {job} at {at} s, {used} of {processors} {units} are in use.")
            }
            Fault::OverfullCell { job, at, cell } => {
                write!(f, "With the start of job {job} at {at} s more is in use in cell {cell} than there is.")
            }
            Fault::OverCap { job, at } => {
                write!(f, "With the start of job {job} at {at} s more is drawn than the cap of power.")
            }
            Fault::OutOfOrder { job, start, earlier, earlier_start } => write!(
                f,
                "Job {job} starts at {start} s, before job {earlier} at {earlier_start} s, which is before it in the log."
            ),
            Fault::Killed { job, runs, due } => {
                write!(f, "Job {job} was killed {runs} times, but it is to be killed ")?;
                match due {
                    Some(due) => write!(f, "once, after {due} s."),
                    None => f.write_str("never."),
                }
            }
            Fault::Late { job, start, due, rule } => {
                write!(f, "Job {job} starts at {start} s instead of {due} s at the latest: {rule}.")
            }
        }
    }
}

/// The reason why a job should have started by a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartRule {
    /// The job was first in the queue and fitted.
    FirstAndFits,
    /// The job's processors were free for all its run time, whatever the jobs before it in the log do.
    LeavesEarlierJobsAlone,
    /// The job was first in the queue, and the estimates of the running jobs promised its processors by then.
    ReservedAsHead,
    /// By their promises all jobs that were there when the job was submitted would have ended by then.
    PromisedAtSubmission,
    Guaranteed,
}

impl fmt::Display for StartRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StartRule::FirstAndFits => "it was first in the queue and fitted",
            StartRule::LeavesEarlierJobsAlone => "it fitted there without moving any job before it in the log",
            StartRule::ReservedAsHead => "as the first of the queue it had a reservation there",
            StartRule::Guaranteed => "that start was guaranteed at its submission",
            StartRule::PromisedAtSubmission => "every job before it was promised to have ended by then",
        })
    }
}

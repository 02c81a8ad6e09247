//! Checks a schedule from the outside, with nothing of the engine: start times against the workload.

use crate::workload::{JobId, Seconds, Workload};
use std::collections::BTreeMap;
use std::fmt;

/// What is wrong with a schedule. Jobs by their numbers in the log, times in seconds of its clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is not one start for each job.
    Count {
        /// Jobs of the workload.
        jobs: usize,
        /// Starts of the schedule.
        starts: usize,
    },
    /// A job was never started.
    NeverStarts {
        /// Which job.
        job: i64,
    },
    /// A job starts before it was submitted.
    BeforeSubmission {
        /// Which job.
        job: i64,
        /// Its submission.
        submit: Seconds,
        /// Its start.
        start: Seconds,
    },
    /// More processors are in use than there are.
    Overfull {
        /// The last, in log order, of the jobs with whose start this begins.
        job: i64,
        /// Since when.
        at: Seconds,
        /// Processors in use then.
        used: u64,
        /// Processors of the machine.
        processors: u32,
    },
    /// A job starts before another that is before it in the log.
    OutOfOrder {
        /// The later job.
        job: i64,
        /// Its start.
        start: Seconds,
        /// The earlier job.
        earlier: i64,
        /// The earlier job's start.
        earlier_start: Seconds,
    },
    /// A job starts later than it had to.
    Late {
        /// Which job.
        job: i64,
        /// Its start.
        start: Seconds,
        /// The latest start that the rule allows; a part of a second counts as a whole one.
        due: Seconds,
        /// Which rule.
        rule: Rule,
    },
}

/// Why a job should have started by a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It was first in the queue and fitted.
    FirstAndFits,
    /// Its processors were free for all its run time, whatever the jobs before it in the log do.
    LeavesEarlierJobsAlone,
    /// It was first in the queue, and the running jobs' estimates promised its processors by then.
    ReservedAsHead,
    /// All jobs that were there when it was submitted were promised to have ended by then.
    PromisedAtSubmission,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::FirstAndFits => "it was first in the queue and fitted",
            Rule::LeavesEarlierJobsAlone => "it fitted there without moving any job before it in the log",
            Rule::ReservedAsHead => "as the first of the queue it had a reservation there",
            Rule::PromisedAtSubmission => "every job before it was promised to have ended by then",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Count { jobs, starts } => write!(f, "The schedule has {starts} starts for {jobs} jobs."),
            Fault::NeverStarts { job } => write!(f, "Job {job} never starts."),
            Fault::BeforeSubmission { job, submit, start } => {
                write!(f, "Job {job} starts at {start} s, before its submission at {submit} s.")
            }
            Fault::Overfull { job, at, used, processors } => {
                write!(f, "With the start of job {job} at {at} s, {used} of {processors} processors are in use.")
            }
            Fault::OutOfOrder { job, start, earlier, earlier_start } => write!(
                f,
                "Job {job} starts at {start} s, before job {earlier} at {earlier_start} s, which is before it in the log."
            ),
            Fault::Late { job, start, due, rule } => {
                write!(f, "Job {job} starts at {start} s instead of {due} s at the latest: {rule}.")
            }
        }
    }
}

/// Whether `starts` (in log order, `Seconds::MIN` for a job that never starts) is a schedule of
/// `workload` at all: every job starts, none before its submission, and never are more processors in
/// use than there are. Gives everything that is wrong; of a time with too many processors in use,
/// its beginning.
pub fn check(workload: &Workload, starts: &[Seconds]) -> Vec<Fault> {
    if starts.len() != workload.len() {
        return vec![Fault::Count { jobs: workload.len(), starts: starts.len() }];
    }
    let mut faults = Vec::new();
    for (request, &start) in workload.requests().iter().zip(starts) {
        if start == Seconds::MIN {
            faults.push(Fault::NeverStarts { job: request.number });
        } else if start < request.submit {
            faults.push(Fault::BeforeSubmission { job: request.number, submit: request.submit, start });
        }
    }
    faults.extend(overfull(workload, starts));
    faults
}

/// What changes at an instant: processors taken less those given back, and who takes them last.
#[derive(Default)]
struct Change {
    processors: i64,
    last_to_start: Option<JobId>,
}

fn overfull(workload: &Workload, starts: &[Seconds]) -> Vec<Fault> {
    let mut changes: BTreeMap<Seconds, Change> = BTreeMap::new();
    for (job, &start) in workload.jobs().zip(starts) {
        let (processors, run) = (i64::from(workload.request(job).processors), workload.run(job));
        // over [b, b + D): a job that runs for no time takes nothing
        if start != Seconds::MIN && run > 0 {
            let begin = changes.entry(start).or_default();
            begin.processors += processors;
            begin.last_to_start = Some(job);
            changes.entry(start + run).or_default().processors -= processors;
        }
    }
    let machine = workload.machine.processors;
    let mut used = 0;
    let mut faults = Vec::new();
    for (&at, change) in &changes {
        let before = used;
        used += change.processors;
        if let Some(job) = change.last_to_start.filter(|_| before <= i64::from(machine) && used > i64::from(machine)) {
            let job = workload.request(job).number;
            faults.push(Fault::Overfull { job, at, used: used as u64, processors: machine });
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::test_jobs::workload;
    use super::*;

    fn said(starts: &[Seconds]) -> Vec<String> {
        let workload = workload(4, &[(0, 2, 10, 10), (2, 4, 5, 8), (4, 2, 4, 4)]);
        check(&workload, starts).iter().map(Fault::to_string).collect()
    }

    #[test]
    fn a_schedule_that_is_one_passes() {
        assert_eq!(said(&[0, 10, 4]), [""; 0]);
    }

    #[test]
    fn each_fault_is_a_sentence() {
        assert_eq!(said(&[0, 10]), ["The schedule has 2 starts for 3 jobs."]);
        assert_eq!(said(&[0, Seconds::MIN, 4]), ["Job 2 never starts."]);
        assert_eq!(said(&[0, 10, 3]), ["Job 3 starts at 3 s, before its submission at 4 s."]);
        assert_eq!(said(&[0, 9, 4]), ["With the start of job 2 at 9 s, 6 of 4 processors are in use."]);
        assert_eq!(said(&[5, 6, 6]), ["With the start of job 3 at 6 s, 8 of 4 processors are in use."]);
        assert_eq!(said(&[0, 10, 15]), [""; 0], "a job may start the moment another ends");
    }
}

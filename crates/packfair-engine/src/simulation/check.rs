//! Checks a schedule from the outside, without using the engine: start times against the workload.

use crate::model::{Execution, Placed, Schedule, Suspension, Suspensions};
use packfair_workload::{Cluster, JobId, Seconds, Unit, Workload};
use std::collections::BTreeMap;
use std::fmt;

/// Checks that this is a schedule of `workload` at all. Every job starts, none before its submission, and each runs to
/// its end for its run time, not counting times in which it is suspended. Executions of one job do not overlap. Never
/// are more processors in use than there are. On a machine of cells no job starts where there is not enough, if the
/// schedule tells where jobs ran. If it does not, the processors of all cells are counted, unless nodes of the machine
/// come and go. Returns everything that is wrong; of a time with too many processors in use, its beginning.
pub fn check(workload: &Workload, schedule: &Schedule) -> Vec<Fault> {
    if schedule.starts.len() != workload.len() || schedule.ends.len() != workload.len() {
        let starts = schedule.starts.len().min(schedule.ends.len());
        return vec![Fault::Count { jobs: workload.len(), starts }];
    }
    let suspensions = schedule.suspensions();
    let mut faults = unsuspended(workload, schedule);
    for job in workload.jobs() {
        let (request, run) = (workload.request(job), workload.run(job));
        let (start, end) = (schedule.start(job), schedule.end(job));
        if start == Seconds::MIN {
            faults.push(Fault::NeverStarts { job: request.number });
        } else if start < request.submit {
            faults.push(Fault::BeforeSubmission { job: request.number, submit: request.submit, start });
        } else if end.checked_sub(start) != Some(run + suspensions.seconds(job, start, end)) {
            faults.push(Fault::CutShort { job: request.number, start, end, run });
        }
    }
    faults.extend(killed(workload, schedule, &suspensions));
    match workload.cluster() {
        Some(cluster) if schedule.tells_cells() => {
            faults.extend(overfull_cells(workload, cluster, schedule));
        }
        // where places are not told, nothing can be said of nodes that come and go
        Some(cluster) if !cluster.machine.calendar().is_empty() => {}
        _ => faults.extend(overfull(workload, schedule, &suspensions)),
    }
    faults
}

/// Checks that each suspension lies within an execution of its job and after the one before it.
fn unsuspended(workload: &Workload, schedule: &Schedule) -> Vec<Fault> {
    let mut last: BTreeMap<JobId, Seconds> = BTreeMap::new();
    let mut faults = Vec::new();
    for &Suspension { job, from, until } in &schedule.suspended {
        let is_in = |start, end| start <= from && until <= end;
        let is_of_job = is_in(schedule.start(job), schedule.end(job))
            || schedule.killed_of(job).any(|execution| is_in(execution.start, execution.end));
        let before = last.insert(job, until).unwrap_or(Seconds::MIN);
        if !is_of_job || until <= from || from < before {
            faults.push(Fault::Suspended { job: workload.request(job).number, from, until });
        }
    }
    faults
}

/// Checks the killed executions by themselves.
fn killed(workload: &Workload, schedule: &Schedule, suspensions: &Suspensions) -> Vec<Fault> {
    let mut ended: BTreeMap<JobId, Seconds> = BTreeMap::new();
    let mut faults = Vec::new();
    for &Execution { job, start, end, by: _ } in &schedule.killed {
        let request = workload.request(job);
        if start < request.submit {
            faults.push(Fault::BeforeSubmission { job: request.number, submit: request.submit, start });
        }
        let before = ended.insert(job, end).unwrap_or(Seconds::MIN);
        let most = workload.run(job) + suspensions.seconds(job, start, end);
        if start < before || end < start || end - start > most || schedule.start(job) < end {
            faults.push(Fault::Overlaps { job: request.number, start, end });
        }
    }
    faults
}

/// The changes at an instant: processors taken less those given back, and the last job that takes some.
#[derive(Default)]
struct UsageChange {
    processors: i64,
    last_to_start: Option<JobId>,
}

fn overfull(workload: &Workload, schedule: &Schedule, suspensions: &Suspensions) -> Vec<Fault> {
    let mut changes: BTreeMap<Seconds, UsageChange> = BTreeMap::new();
    let completed = workload.jobs().map(|job| (job, schedule.start(job), schedule.end(job)));
    let killed = schedule.killed.iter().map(|killed| (killed.job, killed.start, killed.end));
    let executions = completed.chain(killed).filter(|&(_, start, _)| start != Seconds::MIN);
    let spans = executions
        .flat_map(|(job, start, end)| suspensions.spans(job, start, end).map(move |(from, until)| (job, from, until)));
    for (job, start, end) in spans {
        let processors = i64::from(workload.request(job).processors);
        // an execution uses [start, end): a job that runs for no time uses nothing
        if end > start {
            let begin = changes.entry(start).or_default();
            begin.processors += processors;
            begin.last_to_start = begin.last_to_start.max(Some(job));
            changes.entry(end).or_default().processors -= processors;
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
            let unit = workload.counting().unit;
            faults.push(Fault::Overfull { job, at, used: used as u64, processors: machine, unit });
        }
    }
    faults
}

// What may be wrong with a schedule.

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

// Checks from the outside that no job starts in a cell where there is not enough (docs/machine.md).

/// The kinds of events of a cell, in the order in which they happen within an instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CellEvent {
    Ends(usize),
    /// A change of the calendar begins or ends: the cell, and by how many nodes.
    Changes(usize, i64),
    Starts(usize),
}

/// Finds the starts of a schedule after which more is in use in a cell than there is. Where nodes go while jobs run on,
/// as many are in use as before, but no job may start there. A job takes its nodes when they begin to boot for it. Nothing is found where a schedule does not tell where jobs
/// ran.
pub(super) fn overfull_cells(workload: &Workload, cluster: &Cluster, schedule: &Schedule) -> Vec<Fault> {
    let Cluster { machine, demands } = cluster;
    let mut events: Vec<(Seconds, CellEvent)> = Vec::new();
    for (number, Placed { job, start, held, .. }) in schedule.placed.iter().enumerate() {
        let killed = schedule.killed_of(*job).find(|killed| killed.start == *start);
        let end = killed.map_or(schedule.end(*job), |killed| killed.end);
        // a job that runs for no time takes nothing
        if end > *held {
            events.extend([(*held, CellEvent::Starts(number)), (end, CellEvent::Ends(number))]);
        }
    }
    for change in machine.calendar().iter().copied().chain(machine.cap_changes()) {
        events.push((change.from, CellEvent::Changes(change.cell, change.nodes)));
        events.extend(change.until.map(|until| (until, CellEvent::Changes(change.cell, -change.nodes))));
    }
    events.sort_unstable();
    let (mut free, stride) = (machine.capacity(), machine.resources().len());
    let mut faults = Vec::new();
    for (at, event) in events {
        let (number, times) = match event {
            CellEvent::Changes(cell, nodes) => {
                machine.add_nodes(&mut free, cell, nodes);
                continue;
            }
            CellEvent::Ends(number) => (number, -1),
            CellEvent::Starts(number) => (number, 1),
        };
        let Placed { job, placement, .. } = &schedule.placed[number];
        demands.need(workload.record(*job)).shape.take(placement, &mut free, times);
        if times > 0 && demands.need(workload.record(*job)).shape.is_beyond_shared(&free) {
            faults.push(Fault::OverCap { job: workload.request(*job).number, at });
        }
        for &(cell, _) in placement.0.iter().filter(|_| times > 0) {
            let cell = cell as usize;
            if free[cell * stride..][..stride].iter().any(|&free| free < 0) {
                let (job, cell) = (workload.request(*job).number, machine.cells()[cell].name.clone());
                faults.push(Fault::OverfullCell { job, at, cell });
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::KilledBy;
    use packfair_workload::testing::jobs as workload;

    fn said(starts: &[Seconds]) -> Vec<String> {
        said_with(starts, |_| {})
    }

    fn said_with(starts: &[Seconds], change: impl FnOnce(&mut Schedule)) -> Vec<String> {
        let workload = workload(4, &[(0, 2, 10, 10), (2, 4, 5, 8), (4, 2, 4, 4)]);
        let mut schedule = Schedule::of_starts(&workload, starts.to_vec());
        change(&mut schedule);
        check(&workload, &schedule).iter().map(Fault::to_string).collect()
    }

    #[test]
    fn killed_runs_use_processors_and_come_before_the_last() {
        let kill = |job, start, end| {
            move |schedule: &mut Schedule| schedule.killed.push(Execution { job, start, end, by: KilledBy::Scheduler })
        };
        assert_eq!(said_with(&[0, 10, 15], kill(JobId(2), 4, 7)), [""; 0]);
        assert_eq!(
            said_with(&[0, 10, 15], kill(JobId(1), 4, 7)),
            ["With the start of job 2 at 4 s, 6 of 4 processors are in use."]
        );
        let overlap = |start, end| {
            format!(
                "Job 3 is killed at {end} s in a run that began at {start} s, which does not go with its other runs."
            )
        };
        assert_eq!(said_with(&[0, 10, 15], kill(JobId(2), 4, 9)), [overlap(4, 9)], "it would have completed at 8 s");
        assert_eq!(said_with(&[0, 10, 6], kill(JobId(2), 4, 7))[0], overlap(4, 7), "it starts while it runs");
        assert_eq!(
            said_with(&[0, 10, 15], |schedule| schedule.ends[1] -= 1),
            ["Job 2 runs from 10 s to 14 s, but it takes 5 s."]
        );
    }

    #[test]
    fn who_is_suspended_runs_later_and_leaves_processors_to_others() {
        let suspend = |job, from, until, ends: &'static [(usize, Seconds)]| {
            move |schedule: &mut Schedule| {
                schedule.suspended.push(Suspension { job: JobId(job), from, until });
                ends.iter().for_each(|&(place, end)| schedule.ends[place] = end);
            }
        };
        // the second, of all processors, runs while the first is suspended
        assert_eq!(said_with(&[0, 3, 8], suspend(0, 3, 8, &[(0, 15)])), [""; 0]);
        assert_eq!(
            said_with(&[0, 3, 8], suspend(0, 3, 7, &[(0, 14)])),
            ["With the start of job 1 at 7 s, 6 of 4 processors are in use."]
        );
        assert_eq!(
            said_with(&[0, 3, 8], suspend(0, 3, 8, &[(0, 14)])),
            ["Job 1 runs from 0 s to 14 s, but it takes 10 s."]
        );
        assert_eq!(
            said_with(&[0, 10, 4], suspend(1, 2, 4, &[])),
            ["Job 2 is suspended from 2 s to 4 s, which does not go with its runs."]
        );
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

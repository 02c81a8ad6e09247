//! The schedule that a log recorded, and whether it is possible.

use super::CannotRun;

use packfair_engine::model::Schedule;
use packfair_workload::{Clock, JobId, Seconds, Unit, Workload};
use serde::{Deserialize, Serialize};

/// Number of jobs that a message names.
const NAMED: usize = 5;

/// The log's own schedule takes more processors than the machine has: its numbers are too good, or mean nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overfull {
    /// The first moment at which it takes the most, seconds of the log's clock.
    pub at: Seconds,
    /// The same moment as a date, where the log tells it.
    pub date: Option<String>,
    /// Processors in use at that moment.
    pub used: u64,
    pub processors: u32,
    /// The numbers of the first jobs that run at that moment, in log order.
    pub jobs: Vec<i64>,
    /// How many further jobs run at that moment.
    pub others: u64,
}

impl Overfull {
    /// What does not fit, and what to do, of a log that is counted in `unit`.
    pub fn in_unit(&self, unit: Unit) -> String {
        let Overfull { at, date, used, processors, jobs, others } = self;
        let date = date.as_ref().map(|date| format!(" ({date})")).unwrap_or_default();
        let named: Vec<String> = jobs.iter().map(i64::to_string).collect();
        let others = if *others > 0 { format!(" and {others} others") } else { String::new() };
        // A small excess comes from times in whole seconds, and from jobs that hand processors over.
        let slightly = *used * 10 <= u64::from(*processors) * 11;
        let meaning = if slightly { "Its numbers are a little too good" } else { "Its numbers mean nothing" };
        let units = unit.plural();
        format!(
            "The log's own schedule does not fit this machine: at {at} s{date} its jobs {}{others} run on {used} {units}, \
             of which there are {processors}. {meaning}; set the machine's size to at least {used} {units}",
            named.join(", ")
        )
    }
}

/// The schedule that the log recorded.
pub(super) fn schedule(workload: &Workload) -> Result<Schedule, CannotRun> {
    let starts: Vec<Option<Seconds>> =
        workload.jobs().map(|job| workload.logged_wait(job).map(|wait| workload.request(job).submit + wait)).collect();
    let unknown = starts.iter().filter(|start| start.is_none()).count();
    if unknown > 0 {
        return Err(CannotRun::NoLoggedStarts { unknown, jobs: workload.len() });
    }
    Ok(Schedule {
        estimates: workload.requests().iter().map(|request| request.limit as f64).collect(),
        corrections: vec![0; workload.len()],
        ..Schedule::of_starts(workload, starts.into_iter().flatten().collect())
    })
}

/// The moment at which a schedule exceeds the machine the most; `None` where it never does.
pub(super) fn overfull(workload: &Workload, schedule: &Schedule) -> Option<Overfull> {
    // At the same instant, processors are given back first.
    let mut changes: Vec<(Seconds, i64)> = Vec::with_capacity(2 * workload.len());
    for job in workload.jobs() {
        let (start, processors) = (schedule.start(job), i64::from(workload.request(job).processors));
        let end = start.saturating_add(workload.run(job));
        if end > start {
            changes.extend([(start, processors), (end, -processors)]);
        }
    }
    changes.sort_unstable();
    let (mut used, mut most, mut at) = (0, 0, 0);
    for (time, processors) in changes {
        used += processors;
        if used > most {
            (most, at) = (used, time);
        }
    }
    let processors = workload.machine.processors;
    if most <= i64::from(processors) {
        return None;
    }
    let runs_then = |job: &JobId| {
        let start = schedule.start(*job);
        start <= at && at < start.saturating_add(workload.run(*job))
    };
    let jobs: Vec<i64> = workload.jobs().filter(runs_then).map(|job| workload.request(job).number).collect();
    Some(Overfull {
        at,
        date: Clock::of(&workload.header, at, at).date(at),
        // This is above the machine's size, so above 0.
        used: most as u64,
        processors,
        others: jobs.len().saturating_sub(NAMED) as u64,
        jobs: jobs.into_iter().take(NAMED).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::{Cleaning, Filter, clean, reading};

    fn workload(processors: u32, header: &str) -> Workload {
        let lines: String = (1..=10).map(|n| format!("{n} {} 0 50 4 -1 -1 4 60 -1 1\n", n.min(3))).collect();
        let log = reading::read("log", format!("; Version: 2.2\n{header}{lines}").as_bytes()).unwrap();
        clean(&log, &Filter::default(), Cleaning::Metrics, Some(processors)).unwrap()
    }

    fn found(processors: u32, header: &str) -> Option<Overfull> {
        let workload = workload(processors, header);
        overfull(&workload, &schedule(&workload).unwrap())
    }

    #[test]
    fn what_the_machine_cannot_hold_is_said_with_moment_jobs_and_remedy() {
        assert_eq!(found(40, ""), None);
        let overfull = found(39, "").unwrap();
        assert_eq!(
            overfull.in_unit(Unit::Processors),
            "The log's own schedule does not fit this machine: at 3 s its jobs 1, 2, 3, 4, 5 and 5 others run on 40 \
             processors, of which there are 39. Its numbers are a little too good; set the machine's size to at least 40 \
             processors"
        );
        assert!(overfull.in_unit(Unit::Nodes).ends_with("set the machine's size to at least 40 nodes"));
        let date = found(4, "; UnixStartTime: 843480031\n; TimeZoneString: Europe/Stockholm\n").unwrap().date;
        assert_eq!(date.as_deref(), Some("1996-09-23 14:00:34"));
    }

    #[test]
    fn who_begins_as_another_ends_is_not_beside_it() {
        let log = reading::read(
            "log",
            "; Version: 2.2\n1 0 0 50 4 -1 -1 4 60 -1 1\n2 10 40 50 4 -1 -1 4 60 -1 1\n".as_bytes(),
        )
        .unwrap();
        let workload = clean(&log, &Filter::default(), Cleaning::Metrics, Some(4)).unwrap();
        assert_eq!(overfull(&workload, &schedule(&workload).unwrap()), None);
    }
}

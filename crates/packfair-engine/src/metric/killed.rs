//! Executions that were killed (CLASSIFY §5.2): how many, and what they cost.

use super::Outcome;
use super::sum::ratio;
use crate::model::Schedule;
use packfair_workload::{JobId, Seconds, Workload};

/// A killed execution and its processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KilledRun {
    pub job: JobId,
    pub processors: u32,
    pub start: Seconds,
    pub end: Seconds,
    /// How much of that time it was suspended.
    pub suspended: Seconds,
}

impl KilledRun {
    /// Lost processor-seconds.
    fn area(&self) -> i128 {
        i128::from(self.processors) * i128::from(self.end - self.start - self.suspended)
    }
}

/// The killed executions of a schedule.
pub fn killed_runs(workload: &Workload, schedule: &Schedule) -> Vec<KilledRun> {
    let suspensions = schedule.suspensions();
    let run = |killed: &crate::model::Execution| KilledRun {
        job: killed.job,
        processors: workload.request(killed.job).processors,
        start: killed.start,
        end: killed.end,
        suspended: suspensions.seconds(killed.job, killed.start, killed.end),
    };
    schedule.killed.iter().map(run).collect()
}

/// Number of killed executions.
pub fn kills(killed: &[KilledRun]) -> f64 {
    killed.len() as f64
}

/// Number of jobs that were killed at least once.
pub fn jobs_killed(killed: &[KilledRun]) -> f64 {
    let mut jobs: Vec<JobId> = killed.iter().map(|run| run.job).collect();
    jobs.sort_unstable();
    jobs.dedup();
    jobs.len() as f64
}

/// Processor-seconds of killed executions.
pub fn lost_area(killed: &[KilledRun]) -> i128 {
    killed.iter().map(KilledRun::area).sum()
}

/// Processor-seconds of killed executions, as a share of those of completed executions.
pub fn lost_share(killed: &[KilledRun], completed: &[Outcome]) -> Option<f64> {
    let useful: i128 = completed.iter().map(|job| i128::from(job.processors) * i128::from(job.run)).sum();
    ratio(lost_area(killed) as f64, useful as f64)
}

/// Processor-seconds of killed executions within [begin, end).
pub fn lost_area_within(killed: &[KilledRun], begin: Seconds, end: Seconds) -> i128 {
    let inside = |run: &KilledRun| (run.end.min(end) - run.start.max(begin)).max(0);
    killed.iter().map(|run| i128::from(run.processors) * i128::from(inside(run))).sum()
}

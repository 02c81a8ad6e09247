//! Times in which jobs were suspended, so that their processors were others'.

use crate::model::{Schedule, Suspension};
use packfair_workload::{JobId, Seconds, Workload};

/// A suspension and the processors that were free because of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SuspendedRun {
    pub(super) processors: u32,
    pub(super) suspension: Suspension,
}

/// The suspensions of a schedule.
pub(super) fn suspended_runs(workload: &Workload, schedule: &Schedule) -> Vec<SuspendedRun> {
    let run =
        |&suspension: &Suspension| SuspendedRun { processors: workload.request(suspension.job).processors, suspension };
    schedule.suspended.iter().map(run).collect()
}

impl SuspendedRun {
    pub(super) fn job(&self) -> JobId {
        self.suspension.job
    }
}

/// Processor-seconds of suspensions within [begin, end).
pub(super) fn suspended_area_within(suspended: &[SuspendedRun], begin: Seconds, end: Seconds) -> i128 {
    let area = |run: &SuspendedRun| i128::from(run.processors) * i128::from(run.suspension.within(begin, end));
    suspended.iter().map(area).sum()
}

/// The processors of suspended jobs as a step function of time: from each moment on, so many.
pub(super) fn suspended_steps(suspended: &[SuspendedRun]) -> Vec<(Seconds, i64)> {
    let changes = suspended.iter().flat_map(|run| {
        let processors = i64::from(run.processors);
        [(run.suspension.from, processors), (run.suspension.until, -processors)]
    });
    let mut steps: Vec<(Seconds, i64)> = changes.collect();
    steps.sort_unstable();
    let mut sum = 0;
    for (_, processors) in &mut steps {
        sum += *processors;
        *processors = sum;
    }
    steps
}

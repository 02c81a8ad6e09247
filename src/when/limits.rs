//! Requested times of jobs whose log has none: elsewhere run times stand in for them, which nobody knows here.

use crate::workload::{JobId, Log, Seconds, Workload};

/// Gives each job without a requested time the longest one that the log has or, where it has none, the longest time that
/// a job had run for by `until`. Returns how many there are, and that time.
pub fn without_run_times(workload: &mut Workload, log: &Log, until: Seconds) -> Option<(usize, Seconds)> {
    let asks = |job: JobId| log.records.get(workload.record(job)).is_some_and(|record| record.requested_time > 0);
    let without: Vec<JobId> = workload.jobs().filter(|&job| !asks(job)).collect();
    if without.is_empty() {
        return None;
    }
    let asked = workload.jobs().filter(|&job| asks(job)).map(|job| workload.request(job).limit).max();
    let ended = |job: &JobId| {
        let start = workload.request(*job).submit + workload.logged_wait(*job).unwrap_or(0);
        start + workload.run(*job) <= until
    };
    let longest = || workload.jobs().filter(ended).map(|job| workload.run(job)).max();
    let limit = asked.or_else(longest).unwrap_or(86_400).max(60);
    workload.set_limits(&without, limit);
    Some((without.len(), limit))
}

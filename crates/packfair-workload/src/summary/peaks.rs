//! The most processors of each partition that were in use at once.

use super::QueueChoice;
use crate::{Seconds, Workload};
use std::collections::BTreeMap;

/// The most processors that jobs of each of these partitions held at once, as logged; none where the log does not say of all
/// of them when they started.
pub(super) fn partition_peaks(workload: &Workload, partitions: &[QueueChoice]) -> Vec<Option<u32>> {
    let places: BTreeMap<i32, usize> = partitions.iter().map(|choice| choice.id).zip(0..).collect();
    let mut changes: Vec<Option<Vec<(Seconds, i64)>>> = vec![Some(Vec::new()); partitions.len()];
    for job in workload.jobs() {
        let request = workload.request(job);
        let Some(&place) = places.get(&request.partition) else { continue };
        let Some(start) = workload.logged_wait(job).map(|wait| request.submit + wait) else {
            changes[place] = None;
            continue;
        };
        if let Some(changes) = &mut changes[place] {
            let processors = i64::from(request.processors);
            changes.extend([(start, processors), (start + workload.run(job), -processors)]);
        }
    }
    changes.into_iter().map(|changes| changes.map(peak)).collect()
}

fn peak(mut changes: Vec<(Seconds, i64)>) -> u32 {
    // at an instant, jobs that end come first
    changes.sort_unstable();
    let mut used = 0;
    let most = changes.into_iter().map(|(_, change)| {
        used += change;
        used
    });
    most.max().and_then(|most| u32::try_from(most).ok()).unwrap_or(0)
}

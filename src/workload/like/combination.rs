//! Which widths, requested and run times occur together in a workload.

use crate::workload::{Seconds, Workload};
use serde::{Deserialize, Serialize};

/// Jobs of the same width, requested and run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Combination {
    pub width: u32,
    pub requested: Seconds,
    pub run: Seconds,
    pub jobs: u64,
}

/// The joint distribution of width, requested and run time: the combinations that occur, by width, then requested, then
/// run time.
pub fn combinations(workload: &Workload) -> Vec<Combination> {
    let mut jobs: Vec<(u32, Seconds, Seconds)> = workload
        .requests()
        .iter()
        .zip(workload.runs())
        .map(|(request, &run)| (request.processors, request.limit, run))
        .collect();
    jobs.sort_unstable();
    let alike = jobs.chunk_by(|a, b| a == b);
    alike
        .map(|alike| {
            let (width, requested, run) = alike[0];
            Combination { width, requested, run, jobs: alike.len() as u64 }
        })
        .collect()
}

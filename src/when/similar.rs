//! The start that similar jobs of the weeks before promise: what a person would guess from the waits of others.

use super::past::Past;
use crate::workload::{JobId, Seconds};
use rustc_hash::FxHashMap;

/// From how far back waits count, seconds.
const SPAN: Seconds = 28 * 86_400;

/// Jobs that are similar: of one partition, with widths and requested times of the same power of two.
type Kind = (i32, u32, u32);

/// The waits of jobs that started in the weeks before a moment, by kind.
pub(super) struct Waits {
    medians: FxHashMap<Kind, Seconds>,
    of_all: Seconds,
}

fn kind(past: &Past, job: JobId) -> Kind {
    let request = past.workload().request(job);
    (request.partition, request.processors.ilog2(), (request.limit.max(1) as u64).ilog2())
}

fn median(waits: &mut [Seconds]) -> Seconds {
    waits.sort_unstable();
    waits.get(waits.len() / 2).copied().unwrap_or(0)
}

impl Waits {
    pub(super) fn known(past: &Past, now: Seconds) -> Self {
        let mut kinds: FxHashMap<Kind, Vec<Seconds>> = FxHashMap::default();
        let mut all = Vec::new();
        let from = past.submitted(now - 2 * SPAN) as u32;
        for job in (from..past.submitted(now) as u32).map(JobId) {
            let Some(start) = past.started(job, now).filter(|start| now - start <= SPAN) else { continue };
            let wait = start - past.workload().request(job).submit;
            kinds.entry(kind(past, job)).or_default().push(wait);
            all.push(wait);
        }
        let medians = kinds.into_iter().map(|(kind, mut waits)| (kind, median(&mut waits))).collect();
        Waits { medians, of_all: median(&mut all) }
    }

    /// When a job that waits at `now` starts, seconds from then, if it waits as long as half of the similar jobs.
    pub(super) fn start(&self, past: &Past, job: JobId, now: Seconds) -> Seconds {
        let wait = self.medians.get(&kind(past, job)).copied().unwrap_or(self.of_all);
        (past.workload().request(job).submit + wait - now).max(0)
    }
}

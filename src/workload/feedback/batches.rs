//! Batches: what a user submitted without waiting for any of it, and what the user had waited for before.

use super::reactions::{Dependency, WaitedFor};
use crate::workload::Seconds;

/// The last batch of a user, as far as it is known.
struct Open {
    batch: u32,
    begin: Seconds,
    /// When the first of its jobs ended. A job submitted after that is not of this batch.
    soonest_end: Seconds,
    end: Seconds,
}

#[derive(Default)]
pub(super) struct UserBatches {
    open: Option<Open>,
    /// Earlier batches on which later ones may still depend, as (end, begin, batch).
    before: Vec<(Seconds, Seconds, u32)>,
    /// The latest begin of a batch that had ended before a later batch began.
    latest: Option<Seconds>,
}

impl UserBatches {
    /// The batch that a job submitted at `submit` joins, if it does: no job of it had ended by then.
    pub(super) fn joined(&self, submit: Seconds) -> Option<u32> {
        self.open.as_ref().filter(|open| submit < open.soonest_end).map(|open| open.batch)
    }

    pub(super) fn join(&mut self, end: Seconds) {
        if let Some(open) = &mut self.open {
            open.soonest_end = open.soonest_end.min(end);
            open.end = open.end.max(end);
        }
    }

    /// Begins the next batch with a job that was submitted at `submit` and ended at `end`. The batch depends on those
    /// that had ended by `submit`, except those on which another such batch depends.
    pub(super) fn begin(&mut self, batch: u32, submit: Seconds, end: Seconds, depends: &mut Vec<Dependency>) {
        if let Some(Open { batch, begin, end, .. }) = self.open.take() {
            self.before.push((end, begin, batch));
        }
        let ended = self.before.iter().filter(|(end, ..)| *end <= submit);
        self.latest = self.latest.max(ended.map(|&(_, begin, _)| begin).max());
        if let Some(latest) = self.latest {
            // the batch that began at `latest` depends on all that had ended by then, directly or not: later batches
            // need not
            self.before.retain(|&(end, ..)| end > latest);
        }
        let direct = self.before.iter().filter(|(end, ..)| *end <= submit);
        depends.extend(direct.map(|&(end, begin, batch)| Dependency {
            on: WaitedFor::Batch(batch),
            think: submit - end,
            begin,
            end,
        }));
        self.open = Some(Open { batch, begin: submit, soonest_end: end, end });
    }
}

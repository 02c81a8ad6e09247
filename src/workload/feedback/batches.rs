//! What a user submitted without waiting for any of it, and what was waited for before it.

use super::reactions::{Dependency, WaitedFor};
use crate::workload::Seconds;

/// A batch of a user as far as it is known.
struct Open {
    batch: u32,
    /// When its first job was submitted.
    begin: Seconds,
    /// When the first of its jobs ended: who comes later has not been submitted with it.
    soonest_end: Seconds,
    /// When the last one did.
    end: Seconds,
}

/// The batches of one user, in the order of submissions.
#[derive(Default)]
pub(super) struct UserBatches {
    open: Option<Open>,
    /// Batches before, as (end, begin, batch), that others may yet depend on.
    before: Vec<(Seconds, Seconds, u32)>,
    /// When the last of those began that had ended by the last submission looked at.
    latest: Option<Seconds>,
}

impl UserBatches {
    /// The batch that a job submitted at `submit` joins, if it does: no job of it had ended by then.
    pub(super) fn joined(&self, submit: Seconds) -> Option<u32> {
        self.open.as_ref().filter(|open| submit < open.soonest_end).map(|open| open.batch)
    }

    /// A job that ended at `end` is of the batch that is open.
    pub(super) fn join(&mut self, end: Seconds) {
        if let Some(open) = &mut self.open {
            open.soonest_end = open.soonest_end.min(end);
            open.end = open.end.max(end);
        }
    }

    /// The next batch begins, with a job that was submitted and ended at these times. What it depends on: batches that had
    /// ended by then, but for those that another such one depends on.
    pub(super) fn begin(&mut self, batch: u32, submit: Seconds, end: Seconds, depends: &mut Vec<Dependency>) {
        if let Some(Open { batch, begin, end, .. }) = self.open.take() {
            self.before.push((end, begin, batch));
        }
        let ended = self.before.iter().filter(|(end, ..)| *end <= submit);
        self.latest = self.latest.max(ended.map(|&(_, begin, _)| begin).max());
        if let Some(latest) = self.latest {
            // who had ended when that one began is one that it depends on, directly or not; and so it stays
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

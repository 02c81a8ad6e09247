//! A queue kept in an order.

use super::order::{Key, Order};
use crate::simulation::Waiting;
use crate::workload::{JobId, Seconds};

/// What comes first among jobs whose first key is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// The order's own second key, then log order (the list family).
    SecondKey,
    /// Log order at once (the EASY family).
    LogOrder,
}

/// Waiting jobs in the order of their keys.
#[derive(Debug)]
pub(super) struct Queue {
    order: Order,
    ties: Ties,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    job: Waiting,
}

impl Entry {
    fn rank(&self) -> (f64, f64, JobId) {
        (self.key.0, self.key.1, self.job.job)
    }
}

impl Queue {
    pub(super) fn new(order: Order, ties: Ties) -> Self {
        Queue { order, ties, entries: Vec::new() }
    }

    fn key(&self, job: &Waiting, now: Seconds) -> Key {
        let (first, second) = self.order.key(job, now);
        match self.ties {
            Ties::SecondKey => (first, second),
            Ties::LogOrder => (first, 0.0),
        }
    }

    /// A job enters at `now`.
    pub(super) fn insert(&mut self, job: Waiting, now: Seconds) {
        let entry = Entry { key: self.key(&job, now), job };
        let i = self.entries.partition_point(|e| e.rank() < entry.rank());
        self.entries.insert(i, entry);
    }

    /// Brings the order up to date, for keys that change as time passes.
    pub(super) fn refresh(&mut self, now: Seconds) {
        if !self.order.depends_on_now() {
            return;
        }
        for i in 0..self.entries.len() {
            self.entries[i].key = self.key(&self.entries[i].job, now);
        }
        // keys are never NaN, for estimates are above 0
        self.entries.sort_unstable_by(|a, b| a.rank().partial_cmp(&b.rank()).unwrap());
    }

    /// The jobs in order.
    pub(super) fn jobs(&self) -> impl DoubleEndedIterator<Item = &Waiting> + ExactSizeIterator {
        self.entries.iter().map(|e| &e.job)
    }

    /// Takes out the jobs at these places, which ascend.
    pub(super) fn remove(&mut self, places: &[usize]) {
        let Some(&first) = places.first() else { return };
        let mut taken = places.iter().peekable();
        let mut kept = first;
        for i in first..self.entries.len() {
            if taken.next_if(|&&p| p == i).is_none() {
                self.entries[kept] = self.entries[i];
                kept += 1;
            }
        }
        self.entries.truncate(kept);
    }

    /// Takes out one job, which must be in the queue.
    pub(super) fn remove_job(&mut self, job: &Waiting, now: Seconds) {
        let entry = Entry { key: self.key(job, now), job: *job };
        let i = if self.order.depends_on_now() {
            self.entries.iter().position(|e| e.job.job == job.job)
        } else {
            Some(self.entries.partition_point(|e| e.rank() < entry.rank()))
        };
        if let Some(i) = i {
            debug_assert_eq!(self.entries[i].job.job, job.job);
            self.entries.remove(i);
        }
    }
}

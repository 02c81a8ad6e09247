//! Places of jobs in queues, and how many jobs may get reservations.

use super::block::CAPACITY;

/// A place in a [`super::queue::Queue`]: a block, and an index in it.
///
/// Places ascend in the order of the queue and hold until it changes. A search goes on at the place after a job. If
/// there is no job at that place, it stands for the first job of a later block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct QueuePlace(usize);

impl QueuePlace {
    pub(super) const HEAD: QueuePlace = QueuePlace(0);

    #[inline(always)]
    pub(super) fn new(block: usize, index: usize) -> Self {
        QueuePlace(block * CAPACITY + index)
    }

    #[inline(always)]
    pub(super) fn block(self) -> usize {
        self.0 / CAPACITY
    }

    /// The index in the block.
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        self.0 % CAPACITY
    }

    /// The place after this one.
    #[inline(always)]
    pub(super) fn next(self) -> Self {
        QueuePlace(self.0 + 1)
    }

    /// An upper bound of the number of jobs before this place. Fewer are before it if blocks before it are not full.
    #[inline(always)]
    pub(super) fn most_before(self) -> usize {
        self.0
    }
}

/// A place in a queue that is kept as a list, as by the schedulers with guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListPlace(usize);

impl ListPlace {
    #[inline]
    pub(super) fn new(index: usize) -> Self {
        ListPlace(index)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        self.0
    }

    /// The place after this one.
    #[inline]
    pub(super) fn next(self) -> Self {
        ListPlace(self.0 + 1)
    }
}

/// The most blocked jobs that get reservations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Depth(Option<usize>);

impl Depth {
    /// Reads a setting; none means that every blocked job gets one.
    pub(super) fn new(jobs: Option<i64>) -> Self {
        Depth(jobs.map(|jobs| usize::try_from(jobs).unwrap_or_default()))
    }

    #[inline(always)]
    pub(super) fn is_limited(self) -> bool {
        self.0.is_some()
    }

    /// Whether no further job gets a reservation after `reserved` jobs have one.
    #[inline(always)]
    pub(super) fn is_reached(self, reserved: usize) -> bool {
        self.0 == Some(reserved)
    }

    /// The first jobs of a queue, as many as may get reservations.
    pub(super) fn of<T>(self, jobs: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
        jobs.take(self.0.unwrap_or(usize::MAX))
    }
}

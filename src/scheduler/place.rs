//! Places of jobs, and how many jobs may get reservations.

use super::block::CAPACITY;

/// A place in a [`super::queue::Queue`]: a block, and an index in it.
///
/// Places ascend in the order of the queue and hold until it changes. The place after a job is where a search goes on,
/// also if no job is there: then it stands for the first job of a later block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct QueuePlace(usize);

impl QueuePlace {
    /// The head of the queue.
    pub(super) const HEAD: QueuePlace = QueuePlace(0);

    /// At an index of a block.
    #[inline(always)]
    pub(super) fn new(block: usize, index: usize) -> Self {
        QueuePlace(block * CAPACITY + index)
    }

    /// The number of its block.
    #[inline(always)]
    pub(super) fn block(self) -> usize {
        self.0 / CAPACITY
    }

    /// The index in its block.
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        self.0 % CAPACITY
    }

    /// The place after this one.
    #[inline(always)]
    pub(super) fn next(self) -> Self {
        QueuePlace(self.0 + 1)
    }

    /// At most so many jobs are before this place; fewer if blocks before it are not full.
    #[inline(always)]
    pub(super) fn most_before(self) -> usize {
        self.0
    }
}

/// A place in a queue that is a list, as the schedulers with guarantees keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListPlace(usize);

impl ListPlace {
    /// The place with this index.
    #[inline]
    pub(super) fn new(index: usize) -> Self {
        ListPlace(index)
    }

    /// The index of the job in the list.
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

/// How many blocked jobs get reservations at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Depth(Option<usize>);

impl Depth {
    /// From a setting: no number means every blocked job.
    pub(super) fn new(jobs: Option<i64>) -> Self {
        Depth(jobs.map(|jobs| usize::try_from(jobs).unwrap_or_default()))
    }

    /// Whether there is a limit at all.
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

//! Upper bounds of free capacity, learned from failed searches.

use super::block::CAPACITY;
use super::contenders::ShortestByWidth;

/// Upper bounds of how long so many processors are free in one piece. They are valid as long as capacity is only taken.
#[derive(Clone, Debug, Default)]
pub(super) struct CapacityBounds {
    /// Sorted by processors, fewest first; the fewer, the longer.
    bounds: Vec<CapacityBound>,
}

/// A bound: this many processors are nowhere free for longer than `longest` seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct CapacityBound {
    processors: u32,
    longest: f64,
}

impl CapacityBound {
    /// Whether a job of this width and estimate fits nowhere.
    #[inline(always)]
    pub(super) fn excludes(&self, processors: u32, estimate: f64) -> bool {
        processors >= self.processors && estimate > self.longest
    }
}

impl CapacityBounds {
    /// Forgets all bounds.
    pub(super) fn clear(&mut self) {
        self.bounds.clear();
    }

    #[inline]
    pub(super) fn are_known(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// The bound that excludes the most jobs; without any, one that excludes none.
    #[inline(always)]
    pub(super) fn first(&self) -> CapacityBound {
        let none = CapacityBound { processors: u32::MAX, longest: f64::INFINITY };
        self.bounds.first().copied().unwrap_or(none)
    }

    /// Whether a job of this width and estimate fits nowhere.
    #[inline(always)] // most often the first bound says it
    pub(super) fn exclude(&self, processors: u32, estimate: f64) -> bool {
        let Some(first) = self.bounds.first() else { return false };
        if estimate > first.longest {
            return processors >= first.processors; // the first bound has the fewest processors and the longest time
        }
        self.exclude_after_first(processors, estimate)
    }

    /// [`CapacityBounds::exclude`], where the first bound does not decide.
    #[inline(never)]
    fn exclude_after_first(&self, processors: u32, estimate: f64) -> bool {
        let wider = self.bounds.partition_point(|bound| bound.processors <= processors);
        wider.checked_sub(1).is_some_and(|last| self.bounds[last].longest < estimate)
    }

    /// Whether no job of a set fits anywhere, given the shortest jobs of the set by width.
    pub(super) fn exclude_all(&self, jobs: &ShortestByWidth) -> bool {
        jobs.least().all(|(processors, estimate)| self.exclude(processors, estimate))
    }

    /// Adds the bound that `processors` are nowhere free for longer than `longest` seconds. No other bound may imply it
    /// yet.
    #[inline(never)]
    pub(super) fn learn(&mut self, processors: u32, longest: f64) {
        let narrower = self.bounds.partition_point(|bound| bound.processors < processors);
        let weaker = self.bounds[narrower..].iter().take_while(|bound| bound.longest >= longest).count();
        let bound = CapacityBound { processors, longest };
        if weaker > 0 {
            self.bounds[narrower] = bound;
            self.bounds.drain(narrower + 1..narrower + weaker);
        } else {
            self.bounds.insert(narrower, bound);
        }
    }
}

// Places of jobs in queues, and how many jobs may get reservations.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_as_wide_as_a_bound_and_longer_are_excluded() {
        let mut learned = CapacityBounds::default();
        let bounds = [(4, 50.0), (8, 20.0), (2, 90.0), (6, 30.0), (3, 40.0), (5, 15.0)];
        for (i, &(processors, longest)) in bounds.iter().enumerate() {
            assert!(!learned.exclude(processors, longest));
            learned.learn(processors, longest);
            for processors in 1..10 {
                for estimate in (10..100).map(f64::from) {
                    let excludes = |&(wide, longest): &(u32, f64)| processors >= wide && estimate > longest;
                    let is_excluded = bounds[..=i].iter().any(excludes);
                    assert_eq!(learned.exclude(processors, estimate), is_excluded);
                    let one = ShortestByWidth::of(std::iter::once((processors, estimate)));
                    assert!(is_excluded || !learned.exclude_all(&one), "{processors} for {estimate}");
                }
            }
        }
        assert_eq!(learned.bounds.len(), 3, "a bound that another implies is dropped");
    }
}

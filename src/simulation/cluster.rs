//! The cluster as a scheduler sees it.

use crate::workload::{JobId, Seconds};

/// A job in the queue, as a scheduler sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    /// Which job.
    pub job: JobId,
    /// Submit time s.
    pub submit: Seconds,
    /// Processors r.
    pub processors: u32,
    /// Current estimate E of the run time, seconds, above 0; fractional where it is distorted.
    pub estimate: f64,
}

impl Waiting {
    /// Estimated area r E, processor-seconds.
    pub fn area(&self) -> f64 {
        f64::from(self.processors) * self.estimate
    }
}

/// When a running job is expected to give its processors back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    /// Estimated end, start + E.
    pub at: f64,
    /// Processors that become free then.
    pub processors: u32,
    /// The running job.
    pub job: JobId,
    /// How many jobs had started before it.
    pub started: u32,
}

/// The processors: how many there are, and how many of them nobody holds.
#[derive(Clone, Debug)]
pub struct Cluster {
    processors: u32,
    free: u32,
    now: Seconds,
    /// Picked in the present round, in the order of picking.
    started: Vec<Waiting>,
}

impl Cluster {
    /// An idle cluster.
    pub fn new(processors: u32) -> Self {
        Cluster { processors, free: processors, now: Seconds::MIN, started: Vec::new() }
    }

    /// Size of the machine, R.
    pub fn processors(&self) -> u32 {
        self.processors
    }

    /// Processors that nobody holds now.
    #[inline]
    pub fn free(&self) -> u32 {
        self.free
    }

    /// The present instant.
    #[inline]
    pub fn now(&self) -> Seconds {
        self.now
    }

    /// Starts a waiting job now.
    ///
    /// # Panics
    /// Where fewer processors are free than it needs: a scheduler's mistake.
    #[inline]
    pub fn start(&mut self, job: Waiting) {
        assert!(job.processors <= self.free, "{job:?} was started with only {} processors free", self.free);
        self.free -= job.processors;
        self.started.push(job);
    }

    /// Moves to the instant `now`.
    pub(super) fn advance(&mut self, now: Seconds) {
        self.now = now;
    }

    /// A running job gives its processors back.
    pub(super) fn release(&mut self, processors: u32) {
        self.free += processors;
    }

    /// The jobs picked since they were last forgotten, in the order of picking.
    pub(super) fn started(&self) -> &[Waiting] {
        &self.started
    }

    /// Forgets who was picked.
    pub(super) fn forget_started(&mut self) {
        self.started.clear();
    }
}

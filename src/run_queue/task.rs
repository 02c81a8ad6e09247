//! What workers are given to do.

use super::protocol::{LogId, Ticket};
use super::row::RunSettings;
use crate::study::{Run, Treatment};
use std::ops::Range;

/// A run, or a part of one, that waits for a worker or is with one.
#[derive(Clone)]
pub(super) struct RunTask {
    pub ticket: Ticket,
    pub run: Run,
    pub settings: RunSettings,
    pub log: LogId,
    pub work: Work,
    /// When a worker began it, in milliseconds of the page's clock.
    pub begun: f64,
    /// When it was simulated and its measuring began, likewise; none before.
    pub simulated: Option<f64>,
}

impl RunTask {
    pub fn new(ticket: Ticket, run: Run, settings: RunSettings, log: LogId, work: Work) -> Self {
        RunTask { ticket, run, settings, log, work, begun: 0.0, simulated: None }
    }

    /// What is done to the log before it is simulated: the study's treatment, with the run's own shrinking factor.
    pub fn treatment(&self) -> Treatment {
        self.run.treatment(&self.settings.treatment)
    }
}

/// What is to be done of a run.
#[derive(Clone)]
pub(super) enum Work {
    /// Simulate and measure it.
    Run,
    /// Compute the fair start times of these jobs: that part of [`FairWork`].
    FairStarts { part: usize, jobs: Range<usize> },
    /// Measure it with its fair start times.
    Measure,
}

/// The workload that runs are on. The log worker makes it once for all runners.
pub(super) struct Packed<B> {
    pub log: LogId,
    pub treatment: Treatment,
    /// Names the log worker's answer.
    pub ticket: Ticket,
    /// Its encoded form; none until it is made.
    pub bytes: Option<B>,
}

impl<B> Packed<B> {
    pub fn is_of(&self, log: LogId, treatment: &Treatment) -> bool {
        self.log == log && self.treatment == *treatment
    }
}

/// A computation of fair start times, in parts.
pub(super) struct FairWork<B> {
    pub run: Run,
    pub settings: RunSettings,
    /// How long the run's simulation took, seconds.
    pub wall_s: f64,
    pub schedule: B,
    /// Jobs in all.
    pub jobs: usize,
    /// How many jobs of each part are done.
    pub done: Vec<usize>,
    /// The parts that have come.
    pub parts: Vec<Option<B>>,
    /// When it was begun, in milliseconds of the page's clock.
    pub begun: f64,
}

impl<B> FairWork<B> {
    pub fn is_of(&self, task: &RunTask) -> bool {
        self.run == task.run && self.settings == task.settings
    }
}

//! The tasks of workers.

use super::protocol::{LogId, Ticket};
use super::row::RunSettings;
use packfair_study::{Run, Treatment};
use std::ops::Range;

#[derive(Clone)]
pub(super) struct RunTask {
    pub ticket: Ticket,
    pub run: Run,
    pub settings: RunSettings,
    pub log: LogId,
    pub work: Work,
    pub wanted: Wanted,
    /// How many jobs its worker had completed when it first reported, and after how many seconds. What a worker does once,
    /// as loading its code, is before that and tells nothing of the rest.
    pub reported: Option<(usize, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Nobody has asked for it: it waits for a word once it shows that it takes long.
    Unasked,
    Asked,
}

impl RunTask {
    /// The treatment of the log before the simulation: the study's, with the run's own shrinking factor.
    pub fn treatment(&self) -> Treatment {
        self.run.treatment(&self.settings.treatment)
    }
}

#[derive(Clone)]
pub(super) enum Work {
    Run,
    /// Compute the fair start times of these jobs: a part of a [`FairWork`].
    FairStarts {
        part: usize,
        jobs: Range<usize>,
    },
    /// Measure the run with its fair start times.
    Measure,
}

/// The workload of the runs. The log worker makes it once for all runners.
pub(super) struct Packed<B> {
    pub log: LogId,
    pub treatment: Treatment,
    pub ticket: Ticket,
    /// The encoded workload; `None` until it is made.
    pub bytes: Option<B>,
}

impl<B> Packed<B> {
    pub fn is_of(&self, log: LogId, treatment: &Treatment) -> bool {
        self.log == log && self.treatment == *treatment
    }
}

pub(super) struct FairWork<B> {
    pub run: Run,
    pub settings: RunSettings,
    /// How long the run's simulation took, seconds.
    pub wall_s: f64,
    pub schedule: B,
    pub jobs: usize,
    pub done: Vec<usize>,
    pub parts: Vec<Option<B>>,
    /// How long workers have been at each part, seconds.
    pub spent: Vec<f64>,
}

impl<B> FairWork<B> {
    pub fn is_of(&self, task: &RunTask) -> bool {
        self.run == task.run && self.settings == task.settings
    }
}

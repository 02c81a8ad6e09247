//! What metrics of the machine need of all jobs, made in one pass. [`capacity`](super::capacity) defines these metrics one
//! by one; sums are in whole numbers, so every digit is the same.

use super::Outcome;
use super::capacity::Available;
use super::killed::{KilledRun, lost_area};
use super::sum::ratio;
use crate::workload::Seconds;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) first_submit: Seconds,
    pub(super) last_submit: Seconds,
    pub(super) last_end: Seconds,
    /// Processor-seconds of the executions that completed.
    area: i128,
}

impl Totals {
    /// The totals over these jobs; `None` without jobs.
    pub(super) fn of(all: &[Outcome]) -> Option<Self> {
        let first = all.first()?;
        let (submit, last_end) = (first.submit, first.completion());
        let mut totals = Totals { first_submit: submit, last_submit: submit, last_end, area: 0 };
        for job in all {
            totals.first_submit = totals.first_submit.min(job.submit);
            totals.last_submit = totals.last_submit.max(job.submit);
            totals.last_end = totals.last_end.max(job.completion());
            totals.area += i128::from(job.processors) * i128::from(job.run);
        }
        Some(totals)
    }

    /// [`makespan`](super::capacity::makespan).
    pub(super) fn makespan(&self) -> f64 {
        (self.last_end - self.first_submit) as f64
    }

    /// [`utilisation`](super::capacity::utilisation).
    pub(super) fn utilisation(&self, killed: &[KilledRun], available: &Available) -> Option<f64> {
        self.share(self.area + lost_area(killed), available)
    }

    /// [`useful_utilisation`](super::capacity::useful_utilisation).
    pub(super) fn useful_utilisation(&self, available: &Available) -> Option<f64> {
        self.share(self.area, available)
    }

    /// These processor-seconds as a share of those that there were.
    pub(super) fn share(&self, area: i128, available: &Available) -> Option<f64> {
        ratio(area as f64, available.area(self.first_submit, self.last_end))
    }

    /// [`lost_share`](super::killed::lost_share).
    pub(super) fn lost_share(&self, killed: &[KilledRun]) -> Option<f64> {
        ratio(lost_area(killed) as f64, self.area as f64)
    }
}

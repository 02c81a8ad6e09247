//! The outcome of each job in a schedule.

use crate::model::Schedule;
use crate::workload::{JobId, Seconds, Workload};

/// The outcome of a job. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    pub job: JobId,
    pub processors: u32,
    pub submit: Seconds,
    pub start: Seconds,
    /// Completion time c.
    pub end: Seconds,
    /// Actual run time D of the execution that completed.
    pub run: Seconds,
}

impl Outcome {
    /// Completion time c.
    pub fn completion(&self) -> Seconds {
        self.end
    }

    /// Wait Q = b - s; it includes the time of killed executions.
    pub fn wait(&self) -> Seconds {
        self.start - self.submit
    }

    /// Response time F = c - s.
    pub fn response(&self) -> Seconds {
        self.completion() - self.submit
    }

    /// Area r D, processor-seconds.
    pub fn area(&self) -> f64 {
        self.width() * self.run as f64
    }

    /// Processors r, as a number to weight with.
    pub(super) fn width(&self) -> f64 {
        f64::from(self.processors)
    }

    /// Bounded slowdown max(1, F / max(D, bound)) (METRICS §II).
    pub fn bounded_slowdown(&self, bound: f64) -> f64 {
        (self.response() as f64 / (self.run as f64).max(bound)).max(1.0)
    }

    /// Slowdown of times of at least `bound`, max(F, bound) / max(D, bound) (DYNP §5.1).
    pub(super) fn slowdown_of_at_least(&self, bound: f64) -> f64 {
        (self.response() as f64).max(bound) / (self.run as f64).max(bound)
    }
}

/// The outcomes of all jobs, in log order. Jobs that never started are left out.
pub fn outcomes(workload: &Workload, schedule: &Schedule) -> Vec<Outcome> {
    let started = workload.jobs().zip(&schedule.starts).filter(|&(_, &start)| start != Seconds::MIN);
    let outcome = |(job, &start): (JobId, &Seconds)| {
        let request = workload.request(job);
        Outcome {
            job,
            processors: request.processors,
            submit: request.submit,
            start,
            end: schedule.end(job),
            run: workload.run(job),
        }
    };
    started.map(outcome).collect()
}

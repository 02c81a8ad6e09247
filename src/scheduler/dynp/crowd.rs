//! The waiting jobs, whatever their order.

use super::quality::Quality;
use crate::model::Waiting;

/// What all plans of a round have in common of the waiting jobs.
#[derive(Clone, Debug)]
pub(super) struct Crowd {
    /// Weights summed up.
    pub(super) weight: u64,
    /// Width of the narrowest, at the present round.
    pub(super) narrowest: u32,
    /// Whether weights are widths.
    pub(super) weighs_by_width: bool,
    /// By ascending estimate; kept only where weights are widths.
    pub(super) by_estimate: Vec<Waiting>,
}

impl Crowd {
    /// Nobody waits.
    pub(super) fn new(quality: Quality) -> Self {
        let weighs_by_width = quality == Quality::Artww;
        Crowd { weight: 0, narrowest: u32::MAX, weighs_by_width, by_estimate: Vec::new() }
    }

    /// A job enters the queue.
    pub(super) fn insert(&mut self, job: Waiting, quality: Quality) {
        self.weight += u64::from(quality.weight(job.processors));
        if self.weighs_by_width {
            let place = self.by_estimate.partition_point(|other| other.estimate <= job.estimate);
            self.by_estimate.insert(place, job);
        }
    }

    /// A job leaves the queue.
    pub(super) fn remove(&mut self, job: &Waiting, quality: Quality) {
        self.weight -= u64::from(quality.weight(job.processors));
        let first = self.by_estimate.partition_point(|other| other.estimate < job.estimate);
        if let Some(place) = self.by_estimate[first..].iter().position(|other| other.job == job.job) {
            self.by_estimate.remove(first + place);
        }
    }

    /// Jobs were estimated anew, in log order.
    pub(super) fn reestimated(&mut self, estimates: &[f64]) {
        for job in &mut self.by_estimate {
            job.estimate = estimates[job.job.index()];
        }
        self.by_estimate.sort_by(|a, b| a.estimate.total_cmp(&b.estimate));
    }
}

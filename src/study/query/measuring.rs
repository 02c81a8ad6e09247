//! Runs of which only some metrics are wanted, one after the other.

use super::Answer;
use crate::metric::{Measure, Metric};
use crate::study::{Rules, Run, measured};
use crate::workload::Workload;

/// Such runs under way. They are on a part of the workload, which is their own.
pub struct Measuring {
    pub(super) part: Workload,
    pub(super) runs: Vec<Run>,
    pub(super) rules: Rules,
    pub(super) measure: Measure,
    pub(super) metrics: Vec<Metric>,
    /// Of the runs that have ended; no values where a run has none.
    pub(super) values: Vec<Option<Vec<Option<f64>>>>,
}

impl Measuring {
    /// Goes on by one run; the answer, once it is there.
    pub(super) fn advance(&mut self) -> Option<Answer> {
        if let Some(run) = self.runs.get(self.values.len()) {
            let values = measured(run, &self.part, self.rules, &self.measure, &self.metrics);
            self.values.push(values.ok());
        }
        (self.values.len() >= self.runs.len())
            .then(|| Answer::Measured { jobs: self.part.len(), values: std::mem::take(&mut self.values) })
    }
}

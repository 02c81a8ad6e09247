//! Runs for which only some metrics are wanted, one after the other.

use super::Answer;
use crate::metric::{Measure, Metric};
use crate::study::{Rules, Run, measured};
use crate::workload::Workload;
use std::rc::Rc;

/// Such runs under way on a part of a workload.
pub struct Measuring {
    part: Rc<Workload>,
    runs: Vec<Run>,
    rules: Rules,
    measure: Measure,
    metrics: Vec<Metric>,
    /// The values of the runs that have ended; `None` for a run that cannot be made.
    values: Vec<Option<Vec<Option<f64>>>>,
}

impl Measuring {
    /// Prepares the runs; none has begun.
    pub fn begin(part: Rc<Workload>, runs: Vec<Run>, rules: Rules, measure: Measure, metrics: Vec<Metric>) -> Self {
        Measuring { part, runs, rules, measure, metrics, values: Vec::new() }
    }

    /// Makes one more run; gives the answer once all runs have ended.
    pub fn advance(&mut self) -> Option<Answer> {
        if let Some(run) = self.runs.get(self.values.len()) {
            let values = measured(run, &self.part, self.rules, &self.measure, &self.metrics);
            self.values.push(values.ok());
        }
        (self.values.len() >= self.runs.len())
            .then(|| Answer::Measured { jobs: self.part.len(), values: std::mem::take(&mut self.values) })
    }
}

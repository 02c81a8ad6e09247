//! Runs for which only some metrics are wanted, one after the other.

use super::Answer;
use crate::{GroupedWaits, Losses, Rules, Run, measured};
use packfair_engine::metric::{Measure, Metric};
use packfair_workload::Workload;
use std::rc::Rc;

/// Such runs under way on a part of a workload.
pub struct Measuring {
    part: Rc<Workload>,
    runs: Vec<Run>,
    rules: Rules,
    measure: Measure,
    metrics: Vec<Metric>,
    losses: Option<Box<Losses>>,
    /// The waits of groups that losses are measured against, once the run that they are of has ended; `None` if it
    /// cannot be made.
    before: Option<Option<Vec<GroupedWaits>>>,
    /// The values of the runs that have ended; `None` for a run that cannot be made.
    values: Vec<Option<Vec<Option<f64>>>>,
}

impl Measuring {
    /// Prepares the runs; none has begun. Of each, these metrics and losses are measured.
    pub fn begin(
        part: Rc<Workload>,
        runs: Vec<Run>,
        rules: Rules,
        measure: Measure,
        (metrics, losses): (Vec<Metric>, Option<Box<Losses>>),
    ) -> Self {
        Measuring { part, runs, rules, measure, metrics, losses, before: None, values: Vec::new() }
    }

    /// Makes one more run; gives the answer once all runs have ended.
    pub fn advance(&mut self) -> Option<Answer> {
        if let Some(run) = self.runs.get(self.values.len()) {
            let losses = || self.losses.as_ref().map_or(Ok(Vec::new()), |losses| losses.before(&self.part, self.rules));
            let before = self.before.get_or_insert_with(|| losses().ok());
            let values = before
                .as_ref()
                .and_then(|before| measured(run, &self.part, self.rules, &self.measure, &self.metrics, before).ok());
            self.values.push(values);
        }
        (self.values.len() >= self.runs.len())
            .then(|| Answer::Measured { jobs: self.part.len(), values: std::mem::take(&mut self.values) })
    }
}

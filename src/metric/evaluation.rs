//! Measures one schedule.

use super::{Curves, Measure, Metric};
use crate::simulation::Schedule;
use crate::workload::Workload;
use std::collections::BTreeMap;

/// A schedule under measurement: which jobs count, and what follows from them.
pub struct Evaluation<'a> {
    workload: &'a Workload,
    schedule: &'a Schedule,
    measure: Measure,
}

impl<'a> Evaluation<'a> {
    /// Of a schedule of `workload`.
    pub fn new(workload: &'a Workload, schedule: &'a Schedule, measure: &Measure) -> Self {
        Evaluation { workload, schedule, measure: *measure }
    }

    /// How many jobs count.
    pub fn jobs(&self) -> usize {
        let _ = (self.schedule, self.measure);
        self.workload.len()
    }

    /// Every metric that is defined for this schedule.
    pub fn values(&self) -> BTreeMap<Metric, f64> {
        BTreeMap::new()
    }

    /// The curves.
    pub fn curves(&self) -> Curves {
        Curves::default()
    }
}

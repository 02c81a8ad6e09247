//! One run of a study: a scheduler and the estimates it works with.

use super::report::{RunReport, RunResult};
use crate::estimator::Estimate;
use crate::metric::Measure;
use crate::scheduler::Policy;
use crate::simulation::{Correction, Options, Progress, Simulation};
use crate::workload::Workload;
use serde::{Deserialize, Serialize};

/// A scheduler and the estimates it works with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The scheduler.
    pub scheduler: Policy,
    /// What it is told of run times.
    pub estimate: Estimate,
}

impl Run {
    /// As file names and the keys of results: `scheduler__estimator`.
    pub fn id(&self) -> String {
        format!("{}__{}", self.scheduler, self.estimate)
    }
}

/// A run under way, that can be advanced bit by bit.
pub struct Running<'a> {
    run: Run,
    workload: &'a Workload,
    simulation: Simulation<'a>,
}

impl<'a> Running<'a> {
    /// Begins `run` on `workload`.
    pub fn begin(run: &Run, workload: &'a Workload, correction: Correction) -> Self {
        let simulation =
            Simulation::new(workload, run.scheduler.build(), run.estimate.build(workload), Options { correction });
        Running { run: run.clone(), workload, simulation }
    }

    /// Lives through up to `instants` further instants.
    pub fn advance(&mut self, instants: usize) -> Progress {
        self.simulation.advance(instants)
    }

    /// Runs to the end and measures. `seconds` is the time the simulation took, where it was timed.
    pub fn finish(self, measure: &Measure, seconds: f64) -> RunResult {
        let schedule = self.simulation.finish();
        let report = RunReport::of(self.run, self.workload, &schedule, measure, seconds);
        RunResult { report, schedule }
    }
}

/// Runs `run` on `workload` from beginning to end.
pub fn execute(run: &Run, workload: &Workload, correction: Correction, measure: &Measure) -> RunResult {
    Running::begin(run, workload, correction).finish(measure, 0.0)
}

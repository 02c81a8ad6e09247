//! Studies: what was asked, and what came out.
//!
//! A [`Study`] is plain data that the page, the command line, a file and a link carry alike. The
//! same study on the same trace gives the same [`Report`], on any machine and any number of workers.

pub mod query;
mod report;
mod run;
mod source;

pub use report::{Report, RunReport, RunResult};
pub use run::{Run, Running, execute};
pub use source::{Generated, Source, Treatment};

use crate::estimator::{Estimate, Method};
use crate::metric::{Measure, Metric};
use crate::scheduler::Policy;
use crate::simulation::Correction;
use serde::{Deserialize, Serialize};

/// What was asked: a workload, the runs on it, and how to measure and show them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// What the jobs come from.
    pub source: Source,
    /// What is done to them before they are simulated.
    pub treatment: Treatment,
    /// Schedulers, in the order of the table.
    pub schedulers: Vec<Policy>,
    /// Estimation methods.
    pub methods: Vec<Method>,
    /// Distortion factors k, each applied to every method.
    pub distortions: Vec<f64>,
    /// What becomes of estimates that run out.
    pub correction: Correction,
    /// Runs of the product of schedulers, methods and distortions that were taken out.
    pub removed: Vec<Run>,
    /// Which jobs count, and the metrics' parameters.
    pub measure: Measure,
    /// The table's columns.
    pub columns: Vec<Metric>,
    /// What values are compared with.
    pub baseline: Baseline,
}

/// What the values of a run are compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Baseline {
    /// Nothing: absolute values.
    None,
    /// One run.
    Run(Run),
    /// The run of this scheduler with the same estimates, as METRICS Table II.
    Scheduler(Policy),
    /// The run of the same scheduler with these estimates, as METRICS Table III.
    Estimate(Estimate),
}

impl Study {
    /// All its runs, in the order of the table: scheduler, then method, then k.
    pub fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        for scheduler in &self.schedulers {
            for &method in &self.methods {
                for &k in &self.distortions {
                    let run = Run { scheduler: scheduler.clone(), estimate: Estimate { method, k } };
                    if !self.removed.contains(&run) && !runs.contains(&run) {
                        runs.push(run);
                    }
                }
            }
        }
        runs
    }

    /// The run that `run` is compared with, if any.
    pub fn baseline_of(&self, run: &Run) -> Option<Run> {
        match &self.baseline {
            Baseline::None => None,
            Baseline::Run(baseline) => Some(baseline.clone()),
            Baseline::Scheduler(scheduler) => Some(Run { scheduler: scheduler.clone(), estimate: run.estimate }),
            Baseline::Estimate(estimate) => Some(Run { scheduler: run.scheduler.clone(), estimate: *estimate }),
        }
    }
}

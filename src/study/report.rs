//! What came out of a study.

use super::logged::{self, Overfull};
use super::{Run, Study};
use crate::estimator::Method;
use crate::metric::{Curves, Evaluation, MachineUse, Measure, Metric, Saturation};
use crate::model::Schedule;
use crate::workload::{Machine, Summary, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What came out of a study: plain data, from which tables, charts, files and links are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub study: Study,
    pub summary: Summary,
    /// One report for each run that ended well, in the order of [`Study::runs`].
    pub runs: Vec<RunReport>,
}

/// What came out of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    pub run: Run,
    #[serde(default = "unshrunk")]
    pub shrink: f64,
    /// How many jobs count.
    pub jobs: usize,
    pub values: BTreeMap<Metric, f64>,
    /// Curves, reduced to what a chart can show.
    pub curves: Curves,
    /// How long the simulation alone took, seconds; 0 where it was not timed.
    pub wall_s: f64,
    /// Where and by how much the log's own schedule exceeds the machine; `None` for any other schedule.
    #[serde(default)]
    pub overfull: Option<Overfull>,
    /// How the queue grew to the end of the log, where it did; averages mean nothing then.
    #[serde(default)]
    pub saturation: Option<Saturation>,
    /// Whether much work waits at the end of the log, which is too short to tell whether the queue grew.
    #[serde(default)]
    pub is_too_short: bool,
    /// The machine of the run. `None` in a link, which carries only the machine of the study's workload.
    #[serde(default)]
    pub machine: Option<Machine>,
    /// How the cells and resources of the machine were used; `None` where the machine is only a number of processors.
    #[serde(default)]
    pub machine_use: Option<Box<MachineUse>>,
    /// Whether the plain scheduler ran because the fast one does not know such machines. A link does not carry this.
    #[serde(default)]
    pub is_plain: bool,
}

/// A run's report, and the schedule itself.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult {
    pub report: RunReport,
    /// The schedule: when every job started.
    pub schedule: Schedule,
}

impl RunReport {
    pub fn of(run: Run, workload: &Workload, schedule: &Schedule, measure: &Measure, wall_s: f64) -> Self {
        let evaluation = Evaluation::new(workload, schedule, measure);
        let report = RunReport::without_curves(run, workload, schedule, &evaluation, wall_s);
        RunReport { curves: evaluation.curves(), ..report }
    }

    /// Measures a schedule, with metrics but without [`Evaluation::curves`].
    pub fn without_curves(
        run: Run,
        workload: &Workload,
        schedule: &Schedule,
        evaluation: &Evaluation<'_>,
        wall_s: f64,
    ) -> Self {
        let (jobs, mut values) = (evaluation.jobs(), evaluation.values());
        if run.estimate.method == Method::requested() && !workload.names_requested_times() {
            // Run times stand in for requested times that nobody named. To measure them against themselves says
            // nothing.
            for metric in Metric::OF_ESTIMATES {
                values.remove(&metric);
            }
        }
        let overfull = run.scheduler.is_as_logged().then(|| logged::overfull(workload, schedule)).flatten();
        let saturation = evaluation.saturation();
        let machine = Some(workload.machine);
        let machine_use = evaluation.machine_use().cloned().map(Box::new);
        let is_plain = run.scheduler.is_plain_on(workload.cells());
        RunReport {
            run,
            shrink: workload.shrunk(),
            jobs,
            values,
            curves: Curves::default(),
            wall_s,
            machine,
            machine_use,
            overfull,
            saturation,
            is_too_short: evaluation.is_too_short_to_tell(),
            is_plain,
        }
    }
}

fn unshrunk() -> f64 {
    1.0
}

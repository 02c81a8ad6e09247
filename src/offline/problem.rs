//! All jobs of a workload as one problem.

use super::goal::{OfflineGoal, OfflineTotal};
use crate::workload::{Seconds, Workload};

/// A job of the problem. Times are seconds from the first submission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfflineJob {
    /// Submit time.
    pub submit: Seconds,
    /// For how long it takes its processors: its run time, at least a second.
    pub length: Seconds,
    /// Processors r.
    pub processors: i32,
    /// Processors r.
    pub width: f64,
    /// Run time D, seconds.
    pub run: f64,
}

/// The jobs, the machine and the objective.
#[derive(Clone, Debug)]
pub struct OfflineProblem {
    /// The first submission, seconds of the workload's clock.
    pub origin: Seconds,
    /// Size of the machine.
    pub processors: i32,
    /// In log order.
    pub jobs: Vec<OfflineJob>,
    /// What is minimised.
    pub goal: OfflineGoal,
}

impl OfflineProblem {
    /// That of a workload.
    pub fn new(workload: &Workload, goal: OfflineGoal) -> Self {
        let requests = workload.requests();
        let origin = requests.iter().map(|request| request.submit).min().unwrap_or(0);
        let job = |(request, &run): (&crate::workload::Request, &Seconds)| OfflineJob {
            submit: request.submit - origin,
            length: run.max(1),
            processors: whole(request.processors),
            width: f64::from(request.processors),
            run: run as f64,
        };
        let jobs = requests.iter().zip(workload.runs()).map(job).collect();
        OfflineProblem { origin, processors: whole(workload.machine.processors), jobs, goal }
    }

    /// What a job adds that starts then.
    #[inline]
    pub fn cost(&self, job: u32, start: Seconds) -> OfflineTotal {
        let job = &self.jobs[job as usize];
        self.goal.cost(job, (start - job.submit) as f64)
    }

    /// What all jobs come to with these starts, in log order.
    pub fn total(&self, starts: &[Seconds]) -> OfflineTotal {
        let costs = (0..).zip(starts).map(|(job, &start)| self.cost(job, start));
        costs.fold(OfflineTotal::default(), OfflineTotal::plus)
    }
}

/// A number of processors in a profile; a machine has fewer than 2³¹.
fn whole(processors: u32) -> i32 {
    i32::try_from(processors).unwrap_or(i32::MAX)
}

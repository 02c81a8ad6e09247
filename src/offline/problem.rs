//! All jobs of a workload as one problem.

use super::goal::{OfflineGoal, OfflineTotal};
use super::job::OfflineJob;
use crate::workload::{Seconds, Workload};

/// The jobs, the machine and the objective.
#[derive(Clone, Debug)]
pub struct OfflineProblem {
    /// The time of the first submission, on the workload's clock.
    pub origin: Seconds,
    pub processors: i32,
    pub jobs: Vec<OfflineJob>,
    pub goal: OfflineGoal,
}

impl OfflineProblem {
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

    /// What a job adds to the total if it starts at `start`.
    #[inline]
    pub fn cost(&self, job: u32, start: Seconds) -> OfflineTotal {
        let job = &self.jobs[job as usize];
        self.goal.cost(job, (start - job.submit) as f64)
    }

    pub fn total(&self, starts: &[Seconds]) -> OfflineTotal {
        let costs = (0..).zip(starts).map(|(job, &start)| self.cost(job, start));
        costs.fold(OfflineTotal::default(), OfflineTotal::plus)
    }
}

/// A number of processors, as profiles count them. No machine has 2³¹.
fn whole(processors: u32) -> i32 {
    i32::try_from(processors).unwrap_or(i32::MAX)
}

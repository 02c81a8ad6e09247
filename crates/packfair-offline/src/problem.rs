//! All jobs of a workload as one problem.

use super::goal::{OfflineGoal, OfflineTotal};
use packfair_schedulers::Profile;
use packfair_workload::{Seconds, Workload};

/// A job of the problem. Times are seconds from the first submission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfflineJob {
    pub submit: Seconds,
    /// How long it takes its processors, seconds: its run time, at least 1.
    pub length: Seconds,
    /// Processors r, as the profile counts them.
    pub processors: u32,
    /// Processors r, as objectives count them.
    pub width: f64,
    /// Run time D, seconds.
    pub run: f64,
}

impl OfflineJob {
    /// Reserves for the job at its earliest time, and returns that.
    pub fn place(&self, profile: &mut Profile) -> Seconds {
        let start = profile.earliest_after(self.submit as f64, self.processors, self.length as f64) as Seconds;
        self.reserve(profile, start);
        start
    }

    /// Reserves for the job at `start`.
    pub fn reserve(&self, profile: &mut Profile, start: Seconds) {
        profile.reserve(start as f64, (start + self.length) as f64, self.processors);
    }

    /// Gives back what was reserved for the job at `start`.
    pub fn release(&self, profile: &mut Profile, start: Seconds) {
        profile.release(start as f64, (start + self.length) as f64, self.processors);
    }
}

/// The jobs, the machine and the objective.
#[derive(Clone, Debug)]
pub struct OfflineProblem {
    /// The time of the first submission, on the workload's clock.
    pub origin: Seconds,
    pub processors: u32,
    pub jobs: Vec<OfflineJob>,
    pub goal: OfflineGoal,
}

impl OfflineProblem {
    pub fn new(workload: &Workload, goal: OfflineGoal) -> Self {
        let requests = workload.requests();
        let origin = requests.iter().map(|request| request.submit).min().unwrap_or(0);
        let job = |(request, &run): (&packfair_workload::Request, &Seconds)| OfflineJob {
            submit: request.submit - origin,
            length: run.max(1),
            processors: request.processors,
            width: f64::from(request.processors),
            run: run as f64,
        };
        let jobs = requests.iter().zip(workload.runs()).map(job).collect();
        OfflineProblem { origin, processors: workload.machine.processors, jobs, goal }
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

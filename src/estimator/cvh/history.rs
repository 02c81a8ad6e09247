//! The history of a user.

use crate::workload::{JobId, Request, Seconds};

/// The completed and running jobs of a user.
#[derive(Clone, Debug, Default)]
pub(super) struct UserHistory {
    last: [Option<CompletedJob>; 3],
    completed: u32,
    runs: Seconds,
    processors: i64,
    /// The time of the last completion; 0 if there is none.
    last_completion: Seconds,
    running: Vec<RunningOfUser>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CompletedJob {
    pub(super) submit: Seconds,
    pub(super) run: Seconds,
}

#[derive(Clone, Copy, Debug)]
struct RunningOfUser {
    job: JobId,
    start: Seconds,
    processors: u32,
}

/// Sums over a user's running jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Load {
    pub(super) jobs: f64,
    pub(super) processors: f64,
    /// The total time that they have run, seconds.
    pub(super) elapsed: f64,
    /// The longest time that one of them has run, seconds.
    pub(super) longest: f64,
}

impl UserHistory {
    pub(super) fn started(&mut self, job: JobId, processors: u32, now: Seconds) {
        self.running.push(RunningOfUser { job, start: now, processors });
    }

    pub(super) fn killed(&mut self, job: JobId) {
        self.running.retain(|other| other.job != job);
    }

    pub(super) fn completed(&mut self, job: JobId, request: &Request, run: Seconds, now: Seconds) {
        self.running.retain(|other| other.job != job);
        let [first, second, _] = self.last;
        self.last = [Some(CompletedJob { submit: request.submit, run }), first, second];
        self.completed += 1;
        self.runs += run;
        self.processors += i64::from(request.processors);
        self.last_completion = now;
    }

    /// The number of completed jobs.
    pub(super) fn jobs(&self) -> u32 {
        self.completed
    }

    pub(super) fn running(&self) -> usize {
        self.running.len()
    }

    /// The last completed jobs, latest first.
    pub(super) fn last(&self) -> [Option<CompletedJob>; 3] {
        self.last
    }

    /// The mean run time of the completed jobs, seconds; 0 if there is none.
    pub(super) fn mean_run(&self) -> f64 {
        self.mean(self.runs).unwrap_or(0.0)
    }

    /// `processors` over the mean width of the completed jobs; 0 if there is none.
    pub(super) fn relative_width(&self, processors: u32) -> f64 {
        self.mean(self.processors).map_or(0.0, |mean| f64::from(processors) / mean)
    }

    fn mean(&self, sum: i64) -> Option<f64> {
        (self.completed > 0).then(|| sum as f64 / f64::from(self.completed))
    }

    /// The time since the last completion, seconds; 0 if there is none.
    pub(super) fn idle(&self, now: Seconds) -> f64 {
        // As in the method's program, a completion at time 0 counts as none.
        if self.last_completion == 0 { 0.0 } else { (now - self.last_completion) as f64 }
    }

    /// Sums over the running jobs at `now`.
    pub(super) fn load(&self, now: Seconds) -> Load {
        let mut load = Load { jobs: self.running.len() as f64, ..Load::default() };
        for job in &self.running {
            let elapsed = (now - job.start) as f64;
            load.processors += f64::from(job.processors);
            load.elapsed += elapsed;
            load.longest = load.longest.max(elapsed);
        }
        load
    }
}

//! Jobs for tests of estimators, one after the other.

use super::{Estimator, Method};
use crate::workload::{Header, JobId, Machine, MachineSource, Request, Seconds, Workload};

/// A request of 1,000 s for 2 processors, to be varied.
pub(super) fn request() -> Request {
    Request {
        number: 1,
        submit: 0,
        processors: 2,
        limit: 1_000,
        user: 1,
        group: -1,
        executable: 1,
        queue: -1,
        partition: -1,
    }
}

/// An estimator, and the time.
pub(super) struct Learner {
    pub(super) estimator: Box<dyn Estimator>,
    pub(super) now: Seconds,
    jobs: u32,
}

impl Learner {
    /// A learned estimator by its text form.
    pub(super) fn new(method: &str) -> Self {
        let machine = Machine { processors: 100, source: MachineSource::Given };
        // no learned method looks at the workload; leaking an empty one lets it outlive the call
        let workload = Box::leak(Box::new(Workload::empty("none", machine, Header::default())));
        let method: Method = method.parse().unwrap();
        Learner { estimator: method.build(workload), now: 0, jobs: 0 }
    }

    /// A job is submitted; its number and estimate.
    pub(super) fn submit(&mut self, request: &Request) -> (JobId, f64) {
        let job = JobId(self.jobs);
        self.jobs += 1;
        (job, self.estimator.estimate(job, request, self.now))
    }

    /// The estimate of a job that is submitted now, and waits.
    pub(super) fn estimate(&mut self, request: &Request) -> f64 {
        self.submit(request).1
    }

    /// The estimate of a job that is submitted now, starts at once and completes after `run` seconds.
    pub(super) fn run(&mut self, request: &Request, run: Seconds) -> f64 {
        let (job, estimate) = self.submit(request);
        self.estimator.started(job, self.now);
        self.now += run;
        self.estimator.completed(job, request, run, self.now);
        estimate
    }
}

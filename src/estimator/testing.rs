//! Helpers for tests of estimators, which submit jobs one after the other.

use super::{Estimator, Explanation, Method};
use crate::workload::{Header, JobId, Machine, MachineSource, Request, Seconds, Workload};

/// A request of 1,000 s for 2 processors, which tests vary.
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

/// An estimator with the jobs that it has seen, and the time.
pub(super) struct Learner {
    pub(super) estimator: Box<dyn Estimator>,
    pub(super) now: Seconds,
    method: Method,
    requests: Vec<Request>,
    happened: Vec<Event>,
}

#[derive(Clone, Copy)]
enum Event {
    Submitted(JobId, Seconds),
    Started(JobId, Seconds),
    Completed(JobId, Seconds, Seconds),
}

impl Learner {
    pub(super) fn new(method: &str) -> Self {
        let method: Method = method.parse().unwrap();
        let estimator = estimator(&method, &[]);
        Learner { estimator, now: 0, method, requests: Vec::new(), happened: Vec::new() }
    }

    fn tell(&mut self, event: Event) -> f64 {
        self.happened.push(event);
        tell(&mut *self.estimator, &self.requests, event)
    }

    /// Submits a job; gives its index and estimate.
    pub(super) fn submit(&mut self, request: &Request) -> (JobId, f64) {
        let job = JobId(self.requests.len() as u32);
        self.requests.push(request.clone());
        // An estimator is made for a workload with known jobs. So a new one with one more job goes through all events
        // again.
        self.estimator = estimator(&self.method, &self.requests);
        for &event in &self.happened {
            tell(&mut *self.estimator, &self.requests, event);
        }
        (job, self.tell(Event::Submitted(job, self.now)))
    }

    /// Starts a submitted job.
    pub(super) fn start(&mut self, job: JobId) {
        self.tell(Event::Started(job, self.now));
    }

    /// Submits a job that waits, and gives its estimate.
    pub(super) fn estimate(&mut self, request: &Request) -> f64 {
        self.submit(request).1
    }

    /// Submits a job that starts at once and completes after `run` seconds, and gives its estimate.
    pub(super) fn run(&mut self, request: &Request, run: Seconds) -> f64 {
        let (job, estimate) = self.submit(request);
        self.start(job);
        self.now += run;
        self.tell(Event::Completed(job, run, self.now));
        estimate
    }

    /// Submits a job, and explains its estimate.
    pub(super) fn explain(&mut self, request: &Request) -> Explanation {
        let (job, _) = self.submit(request);
        self.estimator.explain(job, request, self.now)
    }
}

fn estimator(method: &Method, requests: &[Request]) -> Box<dyn Estimator> {
    let machine = Machine { processors: 100, source: MachineSource::Given };
    let mut workload = Workload::empty("jobs", machine, Header::default());
    for request in requests {
        // No learning method looks at run times before a job completes.
        workload.push(request.clone(), 0, -1, 0);
    }
    // The workload is leaked so that it outlives the call.
    method.build(Box::leak(Box::new(workload)))
}

/// Tells the estimator an event; gives the estimate at a submission, and NaN otherwise.
fn tell(estimator: &mut dyn Estimator, requests: &[Request], event: Event) -> f64 {
    match event {
        Event::Submitted(job, now) => return estimator.estimate(job, &requests[job.index()], now),
        Event::Started(job, now) => estimator.started(job, now),
        Event::Completed(job, run, now) => estimator.completed(job, &requests[job.index()], run, now),
    }
    f64::NAN
}

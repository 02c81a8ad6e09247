//! Jobs for tests of estimators, one after the other.

use super::{Estimator, Explanation, Method};
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
    method: Method,
    requests: Vec<Request>,
    happened: Vec<Event>,
}

/// What an estimator was told, and when.
#[derive(Clone, Copy)]
enum Event {
    Submitted(JobId, Seconds),
    Started(JobId, Seconds),
    Completed(JobId, Seconds, Seconds),
}

impl Learner {
    /// A learned estimator by its text form.
    pub(super) fn new(method: &str) -> Self {
        let method: Method = method.parse().unwrap();
        let estimator = estimator(&method, &[]);
        Learner { estimator, now: 0, method, requests: Vec::new(), happened: Vec::new() }
    }

    fn tell(&mut self, event: Event) -> f64 {
        self.happened.push(event);
        tell(&mut *self.estimator, &self.requests, event)
    }

    /// A job is submitted; its number and estimate.
    pub(super) fn submit(&mut self, request: &Request) -> (JobId, f64) {
        let job = JobId(self.requests.len() as u32);
        self.requests.push(request.clone());
        // an estimator is made for a workload of known jobs: here with one more, it lives through all again
        self.estimator = estimator(&self.method, &self.requests);
        for &event in &self.happened {
            tell(&mut *self.estimator, &self.requests, event);
        }
        (job, self.tell(Event::Submitted(job, self.now)))
    }

    /// A job that was submitted starts.
    pub(super) fn start(&mut self, job: JobId) {
        self.tell(Event::Started(job, self.now));
    }

    /// The estimate of a job that is submitted now, and waits.
    pub(super) fn estimate(&mut self, request: &Request) -> f64 {
        self.submit(request).1
    }

    /// The estimate of a job that is submitted now, starts at once and completes after `run` seconds.
    pub(super) fn run(&mut self, request: &Request, run: Seconds) -> f64 {
        let (job, estimate) = self.submit(request);
        self.start(job);
        self.now += run;
        self.tell(Event::Completed(job, run, self.now));
        estimate
    }

    /// Why the next job would be estimated as it would be.
    pub(super) fn explain(&mut self, request: &Request) -> Explanation {
        let (job, _) = self.submit(request);
        self.estimator.explain(job, request, self.now)
    }
}

fn estimator(method: &Method, requests: &[Request]) -> Box<dyn Estimator> {
    let machine = Machine { processors: 100, source: MachineSource::Given };
    let mut workload = Workload::empty("jobs", machine, Header::default());
    for request in requests {
        // no learned method looks at run times before a job completes
        workload.push(request.clone(), 0, -1, 0);
    }
    // leaking it lets it outlive the call
    method.build(Box::leak(Box::new(workload)))
}

/// What the estimator says to an event, where it says something.
fn tell(estimator: &mut dyn Estimator, requests: &[Request], event: Event) -> f64 {
    match event {
        Event::Submitted(job, now) => return estimator.estimate(job, &requests[job.index()], now),
        Event::Started(job, now) => estimator.started(job, now),
        Event::Completed(job, run, now) => estimator.completed(job, &requests[job.index()], run, now),
    }
    f64::NAN
}

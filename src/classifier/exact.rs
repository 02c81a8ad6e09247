//! Classifiers that learn nothing but dividers, and what each user's last job did.

use super::divider::Dividers;
use super::options::{By, Known, Options};
use super::{Because, Class, Classified, Classifier, Weeks};
use crate::workload::{JobId, Request, Seconds, Workload};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A classifier that needs no training.
pub(super) struct Exact<'a> {
    mind: Rc<Mind<'a>>,
    /// Who has completed, in order of time, and is not taken to heart yet: jobs that arrive know of those who
    /// completed before their instant, and a fork that is asked for nobody never needs a mind of its own.
    pending: Vec<Completed>,
    /// When each running job started, where that matters.
    started: FxHashMap<JobId, Seconds>,
}

/// A job that has completed.
#[derive(Clone, Copy, Debug)]
struct Completed {
    now: Seconds,
    start: Seconds,
    user: i32,
    run: Seconds,
}

#[derive(Clone)]
struct Mind<'a> {
    options: Options,
    workload: &'a Workload,
    weeks: Weeks,
    dividers: Dividers,
    /// Of each user, the job that completed last; of those that completed at one instant, the one that started later.
    last: FxHashMap<i32, Completed>,
}

impl<'a> Exact<'a> {
    pub(super) fn new(options: Options, workload: &'a Workload) -> Self {
        let (weeks, dividers) = (Weeks::of(workload), Dividers::new(&options, workload));
        let mind = Mind { options, workload, weeks, dividers, last: FxHashMap::default() };
        Exact { mind: Rc::new(mind), pending: Vec::new(), started: FxHashMap::default() }
    }

    /// Whether it matters who starts and completes.
    fn listens(&self) -> bool {
        self.mind.options.by == By::Last || self.mind.options.known == Known::Online
    }
}

impl Mind<'_> {
    fn hear(&mut self, completed: Completed) {
        if self.options.known == Known::Online {
            self.dividers.completed(completed.run, completed.now);
        }
        if completed.user >= 0 {
            let last = self.last.entry(completed.user).or_insert(completed);
            // jobs that started together complete in log order
            if (completed.now, completed.start) >= (last.now, last.start) {
                *last = completed;
            }
        }
    }

    fn judge(&self, job: JobId, request: &Request, divider: Seconds) -> (Class, Because) {
        match self.options.by {
            By::Request => (Class::small_if(request.limit <= divider), Because::Request(request.limit)),
            By::All => (Class::Small, Because::Everybody),
            By::Last => {
                let run = self.last.get(&request.user).map(|last| last.run);
                let class = run.map_or(Class::Large, |run| Class::of(run, divider));
                (class, Because::LastRun(run))
            }
            // the others learn more than this
            By::Clairvoyant | By::Forest | By::Best => {
                let run = self.workload.run(job);
                (Class::of(run, divider), Because::Run(run))
            }
        }
    }
}

impl Classifier for Exact<'_> {
    fn classify(&mut self, job: JobId, request: &Request, now: Seconds) -> Classified {
        let mind = Rc::make_mut(&mut self.mind);
        let before = self.pending.partition_point(|completed| completed.now < now);
        self.pending.drain(..before).for_each(|completed| mind.hear(completed));
        let divider = mind.dividers.of(mind.weeks.week(now));
        let (class, because) = match divider {
            None => (Class::Large, Because::NoDivider),
            Some(0) => (Class::Large, Because::ZeroDivider),
            Some(divider) => mind.judge(job, request, divider),
        };
        Classified { class, divider, because }
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        if self.mind.options.by == By::Last {
            self.started.insert(job, now);
        }
    }

    fn completed(&mut self, job: JobId, request: &Request, run: Seconds, now: Seconds) {
        if self.listens() {
            let start = self.started.remove(&job).unwrap_or(now - run);
            self.pending.push(Completed { now, start, user: request.user, run });
        }
    }

    fn fork<'b>(&self) -> Box<dyn Classifier + 'b>
    where
        Self: 'b,
    {
        let (mind, pending) = (Rc::clone(&self.mind), self.pending.clone());
        Box::new(Exact { mind, pending, started: self.started.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{classify, of, request};
    use super::super::{WEEK, build};
    use super::*;

    /// Jobs of users 1 and 2 in the second week, after two of the first that make the divider 100 s.
    fn jobs() -> Workload {
        let job = |submit, user, limit, run| (Request { user, limit, ..request(submit) }, run);
        of([
            job(0, 1, 500, 50),
            job(1, 2, 500, 150),
            job(WEEK, 1, 100, 99),
            job(WEEK + 99, 1, 101, 100),
            job(WEEK + 300, 1, 50, 20),
            job(WEEK + 400, 3, 900, 500),
        ])
    }

    fn said(by: By, known: Known) -> Vec<bool> {
        let options = Options { by, known, ..Options::default() };
        let said = classify(&options, &jobs());
        assert!(said[..2].iter().all(|c| c.class == Class::Large && c.because == Because::NoDivider));
        assert!(said[2..].iter().all(|c| c.divider == Some(100)));
        said[2..].iter().map(|c| c.class.is_small()).collect()
    }

    #[test]
    fn each_has_its_rule() {
        for known in [Known::Online, Known::Decoupled] {
            assert_eq!(said(By::Clairvoyant, known), [true, false, true, false]);
            assert_eq!(said(By::Request, known), [true, false, true, false]);
            assert_eq!(said(By::All, known), [true; 4]);
            // at WEEK + 99 the job of 99 s is not known to have completed: the one of 50 s is the last
            assert_eq!(said(By::Last, known), [true, true, false, false]);
        }
    }

    #[test]
    fn of_jobs_that_complete_together_the_one_that_started_later_is_the_last() {
        let job = |submit, run| (request(submit), run);
        let workload = of([job(0, 100), job(1, 300), job(WEEK, 10), job(WEEK + 1, 390), job(WEEK + 500, 1)]);
        let options = Options { by: By::Last, known: Known::Decoupled, ..Options::default() };
        for started_later in [2, 3] {
            let mut classifier = build(&options, &workload);
            let mut ask = |job: u32| {
                let request = workload.request(JobId(job));
                classifier.classify(JobId(job), request, request.submit)
            };
            for job in 0..4 {
                ask(job);
            }
            for job in [5 - started_later, started_later] {
                classifier.started(JobId(job), WEEK + 10 + Seconds::from(job == started_later));
            }
            for job in [2, 3] {
                classifier.completed(JobId(job), workload.request(JobId(job)), workload.run(JobId(job)), WEEK + 400);
            }
            let request = workload.request(JobId(4));
            let said = classifier.classify(JobId(4), request, request.submit);
            assert_eq!(said.because, Because::LastRun(Some(if started_later == 2 { 10 } else { 390 })));
        }
    }
}

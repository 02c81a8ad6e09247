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

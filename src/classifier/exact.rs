//! Classifiers without training: a rule on the job itself, or on the user's last job.

use super::divider::Dividers;
use super::options::{By, ClassifierOptions};
use super::{Because, Class, Classified, Classifier, Weeks};
use crate::workload::{JobId, Request, Seconds, Workload};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A classifier that needs no training.
pub(super) struct Exact<'a> {
    options: ClassifierOptions,
    workload: &'a Workload,
    weeks: Weeks,
    dividers: Dividers,
    /// The last job of each user. Kept only where the rule needs it, because it costs time at every start and
    /// completion.
    last_jobs: Option<LastJobs>,
}

impl<'a> Exact<'a> {
    pub(super) fn new(options: ClassifierOptions, workload: &'a Workload) -> Self {
        Exact {
            options,
            workload,
            weeks: Weeks::of_days(workload, options.retrain),
            dividers: Dividers::new(&options, workload),
            last_jobs: (options.by == By::Last).then(|| LastJobs::new(workload.len())),
        }
    }

    fn predict(&self, place: JobId, request: &Request, divider: Seconds) -> (Class, Because) {
        match self.options.by {
            By::Request => (Class::small_if(request.limit <= divider), Because::Request(request.limit)),
            By::All => (Class::Small, Because::EveryJob),
            By::Last => {
                let run = self.last_jobs.as_ref().and_then(|last| last.run(request.user));
                let class = run.map_or(Class::Large, |run| Class::of(run, divider));
                (class, Because::LastRun(run))
            }
            // forests are in another type
            By::Clairvoyant | By::Forest => {
                let run = self.workload.run(place);
                (Class::of(run, divider), Because::Run(run))
            }
        }
    }
}

impl Classifier for Exact<'_> {
    fn classify(&mut self, place: JobId, request: &Request, now: Seconds) -> Classified {
        if let Some(last_jobs) = &mut self.last_jobs {
            last_jobs.update(now);
        }
        let divider = self.dividers.of(self.weeks.week(now));
        let (class, because) = match divider {
            None => (Class::Large, Because::NoDivider),
            Some(0) => (Class::Large, Because::ZeroDivider),
            Some(divider) => self.predict(place, request, divider),
        };
        self.dividers.submitted(self.workload.run(place), now);
        Classified { class, divider, because }
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        if let Some(last_jobs) = &mut self.last_jobs {
            last_jobs.starts[job.index()] = now;
        }
    }

    fn completed(&mut self, job: JobId, request: &Request, run: Seconds, now: Seconds) {
        self.dividers.completed(run, now);
        if let Some(last_jobs) = &mut self.last_jobs {
            let start = last_jobs.starts[job.index()];
            last_jobs.completed.push_back(CompletedRun { now, start, user: request.user, run });
        }
    }
}

/// The job of each user that completed last.
struct LastJobs {
    /// Completions that an arriving job may not know yet, in order of time: it knows those before its own instant.
    completed: VecDeque<CompletedRun>,
    /// The last start of each job.
    starts: Vec<Seconds>,
    /// The last job of each user. Of jobs that complete at one instant, the one that started later is the last.
    of_users: FxHashMap<i32, CompletedRun>,
}

/// A job that has completed.
#[derive(Clone, Copy)]
struct CompletedRun {
    now: Seconds,
    start: Seconds,
    user: i32,
    run: Seconds,
}

impl LastJobs {
    fn new(jobs: usize) -> Self {
        LastJobs { completed: VecDeque::new(), starts: vec![0; jobs], of_users: FxHashMap::default() }
    }

    /// Learns of the completions before `now`.
    fn update(&mut self, now: Seconds) {
        while let Some(completed) = self.completed.pop_front_if(|completed| completed.now < now) {
            if completed.user < 0 {
                continue;
            }
            let last = self.of_users.entry(completed.user).or_insert(completed);
            // jobs that started together complete in log order
            if (completed.now, completed.start) >= (last.now, last.start) {
                *last = completed;
            }
        }
    }

    /// Run time of a user's last job.
    fn run(&self, user: i32) -> Option<Seconds> {
        self.of_users.get(&user).map(|last| last.run)
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::Known;
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
        let options = ClassifierOptions { by, known, ..ClassifierOptions::default() };
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
        let options = ClassifierOptions { by: By::Last, known: Known::Decoupled, ..ClassifierOptions::default() };
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

//! The known jobs of each category, in the order in which they became known.

use super::options::Labels;
use super::table::{Categories, KINDS, NONE};
use super::{Class, KnownClasses};
use packfair_workload::{JobId, Request, Seconds};

/// In `History::runs`: the job is not known.
const UNKNOWN: Seconds = -1;

/// In `History::runs`: the job still runs, and has run for its divider, so it is known to be large.
pub(super) const LARGE: Seconds = Seconds::MAX;

/// A known job among those of its category.
#[derive(Clone, Copy, Debug)]
struct CategoryLink {
    /// The job that became known before it; [`NONE`] for the first.
    before: u32,
    /// How many jobs are known, up to this one.
    known: u32,
    /// How many of these are small.
    small: u32,
}

/// The known jobs.
#[derive(Debug)]
pub(super) struct History {
    categories: Categories,
    rule: Labels,
    /// The divider in force, seconds; 0 where there is none.
    divider: Seconds,
    /// The divider of the first week that has one.
    first_divider: Option<Seconds>,
    /// The divider of each job's own week.
    own: Vec<Option<Seconds>>,
    /// Run time of each job; or [`UNKNOWN`], or [`LARGE`].
    runs: Vec<Seconds>,
    is_small: Vec<bool>,
    /// The known jobs, in the order in which they became known.
    order: Vec<JobId>,
    /// Latest known job of each category, kind by kind.
    latest: [Vec<u32>; KINDS],
    /// For each job and kind: its link, once it is known.
    links: Vec<CategoryLink>,
    /// For each job and kind: the latest known job of its category when it was submitted.
    seen: Vec<u32>,
    /// Whether a job changed its class since the small ones were counted.
    is_stale: bool,
}

impl History {
    /// A history before the first of `jobs` jobs.
    pub(super) fn new(categories: Categories, rule: Labels, jobs: usize) -> Self {
        History {
            rule,
            divider: 0,
            first_divider: None,
            own: Vec::with_capacity(jobs),
            runs: Vec::with_capacity(jobs),
            is_small: Vec::with_capacity(jobs),
            order: Vec::new(),
            latest: [const { Vec::new() }; KINDS],
            links: Vec::with_capacity(jobs * KINDS),
            seen: Vec::with_capacity(jobs * KINDS),
            is_stale: false,
            categories,
        }
    }

    /// The categories of the jobs.
    pub(super) fn categories(&self) -> &Categories {
        &self.categories
    }

    /// Takes the next submitted job, which runs for `run` seconds, in a week with this divider. It is classified by the
    /// jobs that are known now.
    pub(super) fn submitted(&mut self, request: &Request, run: Seconds, divider: Option<Seconds>) -> JobId {
        let job = JobId(self.own.len() as u32);
        self.categories.add(request, run);
        self.own.push(divider);
        self.runs.push(UNKNOWN);
        self.is_small.push(false);
        let none = CategoryLink { before: NONE, known: 0, small: 0 };
        let numbers = self.categories.numbers(job);
        for ((&category, latest), &count) in numbers.iter().zip(&mut self.latest).zip(&self.categories.counts) {
            latest.resize(count, NONE);
            self.links.push(none);
            self.seen.push(if category == NONE { NONE } else { latest[category as usize] });
        }
        job
    }

    /// Makes a job known, with its run time or as [`LARGE`].
    pub(super) fn add_known(&mut self, job: JobId, run: Seconds) {
        let before = std::mem::replace(&mut self.runs[job.index()], run);
        if before == UNKNOWN {
            self.order.push(job);
            self.is_small[job.index()] = self.class(job).is_small();
            self.enter(job);
        } else if run == LARGE {
            self.runs[job.index()] = before;
        } else {
            let is_small = self.class(job).is_small();
            self.is_stale |= is_small != self.is_small[job.index()];
            self.is_small[job.index()] = is_small;
        }
    }

    /// Makes a job the latest known one of its categories.
    fn enter(&mut self, job: JobId) {
        let is_small = u32::from(self.is_small[job.index()]);
        for (kind, &category) in self.categories.numbers(job).iter().enumerate() {
            if category != NONE {
                let before = std::mem::replace(&mut self.latest[kind][category as usize], job.0);
                let (known, small) = match before {
                    NONE => (0, 0),
                    _ => {
                        let link = &self.links[before as usize * KINDS + kind];
                        (link.known, link.small)
                    }
                };
                self.links[job.index() * KINDS + kind] =
                    CategoryLink { before, known: known + 1, small: small + is_small };
            }
        }
    }

    /// The class of a known job.
    fn class(&self, job: JobId) -> Class {
        let divider = match self.rule {
            Labels::Now => self.divider,
            Labels::Then => self.own[job.index()].or(self.first_divider).unwrap_or(0),
        };
        Class::of(self.runs[job.index()], divider)
    }

    /// Begins a week: all known jobs are classified anew, by its divider.
    pub(super) fn divide(&mut self, divider: Option<Seconds>) {
        self.divider = divider.unwrap_or(0);
        self.first_divider = self.first_divider.or(divider);
        for i in 0..self.order.len() {
            let job = self.order[i];
            self.is_small[job.index()] = self.class(job).is_small();
        }
        self.is_stale = true;
        self.count();
    }

    /// Counts the small jobs anew if some changed their class.
    pub(super) fn count(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        for &job in &self.order {
            let is_small = u32::from(self.is_small[job.index()]);
            for (kind, &category) in self.categories.numbers(job).iter().enumerate() {
                if category != NONE {
                    let link = self.links[job.index() * KINDS + kind];
                    let before =
                        if link.before == NONE { 0 } else { self.links[link.before as usize * KINDS + kind].small };
                    self.links[job.index() * KINDS + kind].small = before + is_small;
                }
            }
        }
    }

    /// Known jobs, in the order in which they became known.
    pub(super) fn known(&self) -> &[JobId] {
        &self.order
    }

    /// Whether a known job is small.
    pub(super) fn is_small(&self, job: JobId) -> bool {
        self.is_small[job.index()]
    }

    /// The divider of the week of a job's submission.
    pub(super) fn divider_of(&self, job: JobId) -> Option<Seconds> {
        self.own[job.index()]
    }

    /// The known jobs of a job's category when it was submitted, latest first.
    pub(super) fn seen(&self, job: JobId, kind: usize) -> impl Iterator<Item = JobId> + '_ {
        let first = self.seen[job.index() * KINDS + kind];
        let next = move |&job: &u32| Some(self.links[job as usize * KINDS + kind].before).filter(|&job| job != NONE);
        std::iter::successors(Some(first).filter(|&job| job != NONE), next).map(JobId)
    }

    /// How many jobs of a job's category were known when it was submitted, and how many of these are small.
    pub(super) fn counts(&self, job: JobId, kind: usize) -> (u32, u32) {
        match self.seen[job.index() * KINDS + kind] {
            NONE => (0, 0),
            latest => {
                let link = &self.links[latest as usize * KINDS + kind];
                (link.known, link.small)
            }
        }
    }

    /// Classes of the known jobs of a job's category, when it was submitted.
    pub(super) fn known_classes(&self, job: JobId, kind: usize) -> KnownClasses {
        let (known, small) = self.counts(job, kind);
        let mut latest = [None; 3];
        for (latest, job) in latest.iter_mut().zip(self.seen(job, kind)) {
            *latest = Some(Class::small_if(self.is_small(job)));
        }
        KnownClasses { latest, known, small }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::workload;
    use super::*;
    use packfair_workload::Workload;

    /// Five jobs that run for 10 s to 50 s, of which some have been submitted, in weeks with these dividers.
    struct Submitted {
        jobs: Workload,
        history: History,
    }

    impl Submitted {
        fn new(rule: Labels, dividers: &[Option<Seconds>]) -> Self {
            let jobs = workload(&[(0, 10), (0, 20), (0, 30), (0, 40), (0, 50)]);
            let history = History::new(Categories::before(&jobs), rule, jobs.len());
            let mut submitted = Submitted { jobs, history };
            dividers.iter().for_each(|&divider| submitted.next(divider));
            submitted
        }

        fn next(&mut self, divider: Option<Seconds>) {
            let next = JobId(self.history.own.len() as u32);
            let job = self.history.submitted(self.jobs.request(next), self.jobs.run(next), divider);
            assert_eq!(job, next);
        }
    }

    #[test]
    fn a_job_sees_what_was_known_when_it_was_submitted() {
        let mut jobs = Submitted::new(Labels::Now, &[None; 3]);
        jobs.history.divide(Some(25));
        for job in [2, 0, 1] {
            jobs.history.add_known(JobId(job), [10, 20, 30][job as usize]);
        }
        jobs.next(Some(25));
        jobs.history.add_known(JobId(3), 40);
        let classes = jobs.history.known_classes(JobId(3), 0);
        assert_eq!(
            classes,
            KnownClasses { latest: [Some(Class::Small), Some(Class::Small), Some(Class::Large)], known: 3, small: 2 }
        );
        jobs.history.divide(Some(15));
        let classes = jobs.history.known_classes(JobId(3), 0);
        assert_eq!(
            classes,
            KnownClasses { latest: [Some(Class::Large), Some(Class::Small), Some(Class::Large)], known: 3, small: 1 }
        );
        jobs.next(Some(15));
        assert_eq!(jobs.history.counts(JobId(4), 0), (4, 1));
    }

    #[test]
    fn classes_may_stay_what_they_were_then() {
        let mut history = Submitted::new(Labels::Then, &[None, Some(15)]).history;
        history.divide(Some(15));
        history.add_known(JobId(0), 10);
        history.add_known(JobId(1), 20);
        history.divide(Some(1_000));
        assert!(history.is_small(JobId(0)), "by the first divider");
        assert!(!history.is_small(JobId(1)), "by its own");
    }

    #[test]
    fn a_job_known_to_be_large_may_become_small_when_it_has_completed() {
        let mut jobs = Submitted::new(Labels::Now, &[None; 3]);
        jobs.history.divide(Some(15));
        jobs.history.add_known(JobId(0), LARGE);
        jobs.history.add_known(JobId(1), 10);
        jobs.next(Some(15));
        jobs.history.divide(Some(25));
        assert_eq!(jobs.history.counts(JobId(3), 0), (2, 1));
        jobs.history.add_known(JobId(0), 20);
        jobs.history.count();
        assert_eq!(jobs.history.counts(JobId(3), 0), (2, 2));
        jobs.history.add_known(JobId(0), LARGE);
        assert_eq!(jobs.history.runs[0], 20, "its run time stays");
    }
}

//! Categories: jobs of one user that have more in common, such as the requested time. Earlier jobs of a category help to
//! predict the next one.

use super::calendar::{Calendar, Day};
use crate::workload::{JobId, Reason, Request, Seconds, Workload};
use rustc_hash::FxHashMap;

/// No job, or no category.
pub(super) const NONE: u32 = u32::MAX;

/// A kind of category: what its jobs have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Category {
    /// User and requested time.
    UserLimit,
    /// User and processors.
    UserWidth,
    /// User and day of the week.
    UserWeekday,
}

/// All kinds of categories (CLASSIFY Table 4).
pub const CATEGORIES: [Category; KINDS] = [Category::UserLimit, Category::UserWidth, Category::UserWeekday];

/// How many kinds of categories there are.
pub(super) const KINDS: usize = 3;

impl Category {
    /// Its place among [`CATEGORIES`].
    pub(super) fn place(self) -> usize {
        self as usize
    }

    /// In the symbols of the papers: u user, L requested time, q processors, d day of the week.
    pub fn symbols(self) -> &'static str {
        match self {
            Category::UserLimit => "u, L",
            Category::UserWidth => "u, q",
            Category::UserWeekday => "u, d",
        }
    }

    /// What a job has in common with the others of its category; `None` if that is not known of it.
    fn key(self, facts: &JobFacts) -> Option<i64> {
        match self {
            Category::UserLimit => Some(facts.limit).filter(|&limit| limit >= 0),
            Category::UserWidth => Some(i64::from(facts.width)),
            Category::UserWeekday => Some(i64::from(facts.day.weekday)),
        }
    }
}

/// Facts of a job by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct JobFacts {
    /// When it was submitted.
    pub submit: Seconds,
    /// Processors q.
    pub width: u32,
    /// Requested time, seconds; -1 where it is missing.
    pub limit: i64,
    /// Hour of its submission.
    pub hour: u8,
    /// Day of its submission.
    pub day: Day,
}

/// Jobs by categories, in the order in which they come.
#[derive(Debug)]
pub(super) struct Categories {
    /// The facts of each job.
    facts: Vec<JobFacts>,
    /// Number of each job's category of each kind, job by job; [`NONE`] where it has none.
    numbers: Vec<u32>,
    /// How many categories of each kind there are.
    pub counts: [usize; KINDS],
    /// The numbers of the known categories, by kind, user and what their jobs have in common.
    known: FxHashMap<(Category, i32, i64), u32>,
    calendar: Calendar,
    /// Whether the workload has jobs without a requested time.
    lacks_limits: bool,
}

impl Categories {
    /// The categories of a workload before its first job.
    pub(super) fn before(workload: &Workload) -> Self {
        Categories {
            facts: Vec::with_capacity(workload.len()),
            numbers: Vec::with_capacity(workload.len() * KINDS),
            counts: [0; KINDS],
            known: FxHashMap::default(),
            calendar: Calendar::of(&workload.header),
            lacks_limits: without_limit(workload) > 0,
        }
    }

    /// The categories of all jobs of a workload.
    pub(super) fn of(workload: &Workload) -> Self {
        let mut categories = Categories::before(workload);
        workload.jobs().for_each(|job| categories.add(workload.request(job), workload.run(job)));
        categories
    }

    /// Adds the next job, which runs for `run` seconds.
    pub(super) fn add(&mut self, request: &Request, run: Seconds) {
        let (hour, day) = self.calendar.look_up(request.submit);
        // Where a requested time is missing, the workload has the run time in its place, and does not say for which
        // jobs. A classifier must not see that. So in a log with such jobs, a job that ran for all of its requested
        // time is taken for one of them.
        let is_missing = self.lacks_limits && request.limit == run.max(1);
        let &Request { submit, processors: width, user, .. } = request;
        let limit = if is_missing { -1 } else { request.limit };
        let facts = JobFacts { submit, width, limit, hour, day };
        for (kind, count) in CATEGORIES.into_iter().zip(&mut self.counts) {
            let key = kind.key(&facts).filter(|_| user >= 0);
            self.numbers.push(key.map_or(NONE, |key| {
                *self.known.entry((kind, user, key)).or_insert_with(|| {
                    *count += 1;
                    *count as u32 - 1
                })
            }));
        }
        self.facts.push(facts);
    }

    /// What is known of a job by itself.
    pub(super) fn facts(&self, job: JobId) -> &JobFacts {
        &self.facts[job.index()]
    }

    /// The numbers of a job's categories, in the order of [`CATEGORIES`].
    pub(super) fn numbers(&self, job: JobId) -> &[u32] {
        &self.numbers[job.index() * KINDS..][..KINDS]
    }
}

/// How many jobs of a workload name no requested time.
pub(super) fn without_limit(workload: &Workload) -> u64 {
    workload.account.count(Reason::NoRequestedTime)
}

//! Training rows: features of jobs, column by column, as ranks among the values of each feature.

use super::feature::{Calendar, Day};
use packfair_workload::{JobId, Reason, Request, Seconds, Workload};
use rustc_hash::FxHashMap;

/// The most training rows; of more a sample is drawn. A row's number and a value's rank fit into 16 bits.
pub(super) const MOST_ROWS: usize = 20_000;

/// Whole numbers that span no more than this are ranked by counting.
const COUNTED: f64 = 262_144.0;

/// A feature of all rows.
#[derive(Clone, Debug)]
pub(super) struct FeatureColumn {
    /// The rank of each row's value.
    pub ranks: Vec<u16>,
    /// The values by their ranks.
    pub values: Vec<f64>,
}

/// Features and classes of jobs.
#[derive(Clone, Debug)]
pub(super) struct FeatureTable {
    /// A column for each feature.
    pub columns: Vec<FeatureColumn>,
    /// Whether the job of each row is small.
    pub is_small: Vec<bool>,
}

impl FeatureTable {
    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.is_small.len()
    }
}

impl FeatureColumn {
    /// The column of these values, one for each row.
    pub(super) fn of(rows: &[f64]) -> Self {
        debug_assert!(rows.len() <= MOST_ROWS);
        let low = rows.iter().copied().fold(f64::INFINITY, f64::min);
        let high = rows.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_whole = |value: &f64| f64::from(*value as i32) == *value;
        if high - low < COUNTED && rows.iter().all(is_whole) {
            Self::counted(rows, low, high)
        } else {
            Self::sorted(rows)
        }
    }

    fn counted(rows: &[f64], low: f64, high: f64) -> Self {
        let place = |value: f64| (value - low) as usize;
        let mut ranks_of = vec![0_u16; place(high) + 1];
        rows.iter().for_each(|&value| ranks_of[place(value)] = 1);
        let mut values = Vec::new();
        for (place, rank) in ranks_of.iter_mut().enumerate() {
            if *rank != 0 {
                *rank = values.len() as u16;
                values.push(low + place as f64);
            }
        }
        FeatureColumn { ranks: rows.iter().map(|&value| ranks_of[place(value)]).collect(), values }
    }

    fn sorted(rows: &[f64]) -> Self {
        let mut values = rows.to_vec();
        radsort::sort(&mut values);
        values.dedup();
        let rank = |value: &f64| values.partition_point(|other| other < value) as u16;
        FeatureColumn { ranks: rows.iter().map(rank).collect(), values }
    }

    /// A threshold midway between the values of two ranks. The lower value is not above it, the higher one is.
    pub(super) fn midway(&self, low: u16, high: u16) -> f64 {
        let (low, high) = (self.values[usize::from(low)], self.values[usize::from(high)]);
        let middle = low + (high - low) / 2.0;
        if middle < high { middle } else { low }
    }
}

// Categories: jobs of one user that have more in common, such as the requested time. Earlier jobs of a category help to
// predict the next one.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_sorted_values() {
        for rows in [vec![5.0, -1.0, 5.0, 3.0], vec![0.5, -1.0, 0.25, 0.5], vec![1e9, -1.0, 7.0], vec![4.0]] {
            let column = FeatureColumn::of(&rows);
            assert!(column.values.windows(2).all(|pair| pair[0] < pair[1]));
            let back: Vec<f64> = column.ranks.iter().map(|&rank| column.values[usize::from(rank)]).collect();
            assert_eq!(back, rows);
            assert!(column.values.iter().all(|value| rows.contains(value)));
        }
    }

    #[test]
    fn a_threshold_lies_between_its_values() {
        let (low, high) = (1.0, 1.0 + f64::EPSILON);
        let column = FeatureColumn { ranks: Vec::new(), values: vec![-1.0, low, high, 9.0] };
        assert_eq!(column.midway(0, 1), 0.0);
        assert_eq!(column.midway(1, 2), low, "no number lies between them");
    }
}

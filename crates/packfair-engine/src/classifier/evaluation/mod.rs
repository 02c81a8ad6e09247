//! How good a classifier is, and what can be learned from a log (CLASSIFY §3 and §4).

mod autocorrelation;
mod replay;
mod shares;

pub use autocorrelation::{Autocorrelation, autocorrelation};
pub use replay::replay;
pub use shares::{Parts, Shares, shares};

use super::{Class, Classified, Weeks};
use packfair_workload::Workload;

/// Jobs by their predicted and their true class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Confusion {
    /// Small jobs classified as small.
    pub true_small: u64,
    /// Large jobs classified as large.
    pub true_large: u64,
    /// Large jobs classified as small.
    pub false_small: u64,
    /// Small jobs classified as large.
    pub false_large: u64,
}

impl Confusion {
    /// Counts a job.
    pub fn count(&mut self, predicted: Class, actual: Class) {
        let count = match (predicted, actual) {
            (Class::Small, Class::Small) => &mut self.true_small,
            (Class::Large, Class::Large) => &mut self.true_large,
            (Class::Small, Class::Large) => &mut self.false_small,
            (Class::Large, Class::Small) => &mut self.false_large,
        };
        *count += 1;
    }

    /// Adds the counts of another confusion.
    pub fn add(&mut self, other: &Confusion) {
        self.true_small += other.true_small;
        self.true_large += other.true_large;
        self.false_small += other.false_small;
        self.false_large += other.false_large;
    }

    /// The number of jobs.
    pub fn jobs(&self) -> u64 {
        self.true_small + self.true_large + self.false_small + self.false_large
    }

    /// Share of jobs that were classified correctly; `None` without jobs, as below.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.true_small + self.true_large, self.jobs())
    }

    /// Share of small ones among the jobs classified as small.
    pub fn precision(&self) -> Option<f64> {
        share(self.true_small, self.true_small + self.false_small)
    }

    /// Share of small jobs that were classified as small.
    pub fn recall(&self) -> Option<f64> {
        share(self.true_small, self.true_small + self.false_large)
    }

    /// Share of small jobs classified as large among all jobs.
    pub fn false_large_share(&self) -> Option<f64> {
        share(self.false_large, self.jobs())
    }

    /// Share of large jobs classified as small among all jobs.
    pub fn false_small_share(&self) -> Option<f64> {
        share(self.false_small, self.jobs())
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The jobs of each week, from week 0 on. Jobs without a divider do not count, so week 0 has none. `classified` has an
/// entry for each job of the workload, in log order.
pub fn weekly(workload: &Workload, classified: &[Classified]) -> Vec<Confusion> {
    let weeks = Weeks::of(workload);
    let mut weekly = Vec::new();
    for ((request, &run), classified) in workload.requests().iter().zip(workload.runs()).zip(classified) {
        let week = weeks.week(request.submit);
        if weekly.len() <= week {
            weekly.resize(week + 1, Confusion::default());
        }
        if let Some(divider) = classified.divider {
            weekly[week].count(classified.class, Class::of(run, divider));
        }
    }
    weekly
}

/// The jobs of all weeks from `first` on.
pub fn from_week(first: usize, weekly: &[Confusion]) -> Confusion {
    let mut all = Confusion::default();
    weekly.iter().skip(first).for_each(|week| all.add(week));
    all
}

#[cfg(test)]
mod tests {
    use super::super::testing::workload;
    use super::super::{Because, WEEK};
    use super::*;

    fn classified(class: Class, divider: Option<i64>) -> Classified {
        Classified { class, divider, because: Because::EveryJob }
    }

    #[test]
    fn shares_are_of_the_right_jobs() {
        let confusion = Confusion { true_small: 30, true_large: 40, false_small: 10, false_large: 20 };
        assert_eq!(confusion.jobs(), 100);
        assert_eq!(confusion.accuracy(), Some(0.7));
        assert_eq!(confusion.precision(), Some(0.75));
        assert_eq!(confusion.recall(), Some(0.6));
        assert_eq!((confusion.false_large_share(), confusion.false_small_share()), (Some(0.2), Some(0.1)));
        assert_eq!((Confusion::default().accuracy(), Confusion::default().recall()), (None, None));
    }

    #[test]
    fn jobs_count_in_their_weeks_by_the_divider_that_they_were_given() {
        let workload = workload(&[(0, 5), (WEEK, 10), (WEEK + 1, 10), (3 * WEEK, 10)]);
        let classified = [
            classified(Class::Large, None),
            classified(Class::Small, Some(11)),
            classified(Class::Small, Some(10)),
            classified(Class::Large, Some(11)),
        ];
        let weekly = weekly(&workload, &classified);
        assert_eq!(weekly.len(), 4);
        assert_eq!(weekly[0], Confusion::default());
        assert_eq!(weekly[1], Confusion { true_small: 1, false_small: 1, ..Confusion::default() });
        assert_eq!(weekly[2].jobs(), 0);
        assert_eq!(from_week(1, &weekly), Confusion { true_small: 1, false_small: 1, false_large: 1, true_large: 0 });
        assert_eq!(from_week(2, &weekly).jobs(), 1);
    }
}

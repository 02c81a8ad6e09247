//! How often jobs were taken for what they turned out to be (CLASSIFY §4.3).
//!
//! A job is small if it runs for less than the divider in force at its submission. Jobs of the first week, when there is
//! no divider, do not count.

use super::Outcome;
use super::sum::ratio;
use crate::model::{Class, Schedule};

/// Jobs by what they were taken for and what they were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Taken for small, and small.
    pub true_small: u64,
    /// Taken for large, and large.
    pub true_large: u64,
    /// Taken for small, and large.
    pub false_small: u64,
    /// Taken for large, and small.
    pub false_large: u64,
}

impl Confusion {
    /// Of these jobs of a schedule; none if no job was classified.
    pub fn of(jobs: &[Outcome], schedule: &Schedule) -> Option<Confusion> {
        let mut counts = Confusion::default();
        for job in jobs {
            let Some(taken) = schedule.classes.get(job.job.index()) else { continue };
            let Some(divider) = taken.divider else { continue };
            let count = match (taken.class, Class::of(job.run, divider)) {
                (Class::Small, Class::Small) => &mut counts.true_small,
                (Class::Large, Class::Large) => &mut counts.true_large,
                (Class::Small, Class::Large) => &mut counts.false_small,
                (Class::Large, Class::Small) => &mut counts.false_large,
            };
            *count += 1;
        }
        (counts != Confusion::default()).then_some(counts)
    }

    /// Share of jobs that were taken for what they were.
    pub fn accuracy(&self) -> Option<f64> {
        let right = self.true_small + self.true_large;
        ratio(right as f64, (right + self.false_small + self.false_large) as f64)
    }

    /// Share of those taken for small that were.
    pub fn precision(&self) -> Option<f64> {
        ratio(self.true_small as f64, (self.true_small + self.false_small) as f64)
    }

    /// Share of small jobs that were taken for small.
    pub fn recall(&self) -> Option<f64> {
        ratio(self.true_small as f64, (self.true_small + self.false_large) as f64)
    }

    /// Jobs of all four kinds.
    pub fn jobs(&self) -> u64 {
        self.true_small + self.true_large + self.false_small + self.false_large
    }

    /// Share of all jobs that were small and taken for large.
    pub fn false_large_share(&self) -> Option<f64> {
        ratio(self.false_large as f64, self.jobs() as f64)
    }

    /// Share of all jobs that were large and taken for small.
    pub fn false_small_share(&self) -> Option<f64> {
        ratio(self.false_small as f64, self.jobs() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcomes;
    use super::*;
    use crate::model::SizeClass;
    use crate::simulation::test_jobs;

    #[test]
    fn jobs_are_counted_by_what_they_were_and_what_they_were_taken_for() {
        let runs = [5, 5, 50, 50, 50, 10];
        let jobs: Vec<_> = runs.iter().map(|&run| (0, 1, run, 100)).collect();
        let workload = test_jobs::workload(8, &jobs);
        let mut schedule = Schedule::of_starts(&workload, vec![0; 6]);
        assert_eq!(Confusion::of(&outcomes(&workload, &schedule), &schedule), None);
        let taken = [Class::Small, Class::Large, Class::Small, Class::Large, Class::Large, Class::Small];
        schedule.classes = taken.iter().map(|&class| SizeClass { class, divider: Some(10) }).collect();
        schedule.classes[4].divider = None;
        let counts = Confusion::of(&outcomes(&workload, &schedule), &schedule).expect("five jobs were classified");
        assert_eq!(counts, Confusion { true_small: 1, true_large: 1, false_small: 2, false_large: 1 });
        assert_eq!((counts.accuracy(), counts.precision(), counts.recall()), (Some(0.4), Some(1.0 / 3.0), Some(0.5)));
        assert_eq!((counts.false_large_share(), counts.false_small_share()), (Some(0.2), Some(0.4)));
    }
}

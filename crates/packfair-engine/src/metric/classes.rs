//! How often jobs were classified correctly (CLASSIFY §4.3).
//!
//! A job is small if it runs for less than the divider in force at its submission. Jobs of the first week do not count,
//! because there is no divider yet.

use super::Outcome;
use crate::classifier::evaluation::Confusion;
use crate::model::{Class, Schedule};

/// Counts these jobs of a schedule by predicted and true class; `None` if no job was classified.
pub(super) fn confusion(jobs: &[Outcome], schedule: &Schedule) -> Option<Confusion> {
    // Most schedulers have no classes.
    if schedule.classes.is_empty() {
        return None;
    }
    let mut counts = Confusion::default();
    for job in jobs {
        let Some(taken) = schedule.classes.get(job.job.index()) else { continue };
        let Some(divider) = taken.divider else { continue };
        counts.count(taken.class, Class::of(job.run, divider));
    }
    (counts != Confusion::default()).then_some(counts)
}

#[cfg(test)]
mod tests {
    use super::super::outcomes;
    use super::*;
    use crate::model::SizeClass;
    use packfair_workload::test_jobs;

    #[test]
    fn jobs_are_counted_by_predicted_and_true_class() {
        let runs = [5, 5, 50, 50, 50, 10];
        let jobs: Vec<_> = runs.iter().map(|&run| (0, 1, run, 100)).collect();
        let workload = test_jobs::workload(8, &jobs);
        let mut schedule = Schedule::of_starts(&workload, vec![0; 6]);
        assert_eq!(confusion(&outcomes(&workload, &schedule), &schedule), None);
        let taken = [Class::Small, Class::Large, Class::Small, Class::Large, Class::Large, Class::Small];
        schedule.classes = taken.iter().map(|&class| SizeClass { class, divider: Some(10) }).collect();
        schedule.classes[4].divider = None;
        let counts = confusion(&outcomes(&workload, &schedule), &schedule).expect("five jobs were classified");
        assert_eq!(counts, Confusion { true_small: 1, true_large: 1, false_small: 2, false_large: 1 });
        assert_eq!((counts.accuracy(), counts.precision(), counts.recall()), (Some(0.4), Some(1.0 / 3.0), Some(0.5)));
        assert_eq!((counts.false_large_share(), counts.false_small_share()), (Some(0.2), Some(0.4)));
    }
}

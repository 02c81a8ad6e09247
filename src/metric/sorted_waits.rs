//! The jobs that count, sorted by wait once, for the distribution of waits and for ranks.

use super::Outcome;
use super::sorting::with_positions;
use crate::workload::Seconds;

/// Waits, and the positions of their jobs among those that count. The shortest wait comes first; equal waits are in log
/// order.
pub(super) struct SortedWaits(Vec<(Seconds, u32)>);

impl SortedWaits {
    pub(super) fn of(jobs: &[Outcome]) -> Self {
        SortedWaits(with_positions(jobs.iter().map(Outcome::wait)))
    }

    /// The wait and the position of each job, sorted.
    pub(super) fn jobs(&self) -> &[(Seconds, u32)] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::JobId;

    #[test]
    fn jobs_are_sorted_by_wait_then_in_log_order() {
        for waits in [vec![], vec![5], vec![0, 7, 0, 3, 7, 0, 3], vec![9, 4, 4, 9], vec![-1, 0, 2, -1]] {
            let job = |&wait: &i64| Outcome {
                job: JobId(0),
                processors: 1,
                submit: 100,
                start: 100 + wait,
                end: 200 + wait,
                run: 100,
            };
            let mut plain: Vec<(i64, u32)> = waits.iter().copied().zip(0..).collect();
            plain.sort();
            assert_eq!(SortedWaits::of(&waits.iter().map(job).collect::<Vec<_>>()).jobs(), plain);
        }
    }
}

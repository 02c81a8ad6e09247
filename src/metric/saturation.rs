//! Whether the queue grew to the end of the log.
//!
//! Where more is asked for than a scheduler can serve, the longer a log is, the longer its jobs wait: averages tell the
//! length of the log, not what the scheduler does, and mean nothing. DYNP's curves end where that begins.

use super::Outcome;
use crate::workload::Seconds;
use serde::{Deserialize, Serialize};

/// The least work that is left, as a share of what the whole machine does over the span of the submissions. A log of a
/// year then leaves 18 days of work, which no stable queue of the archive's logs comes near; where the load exceeds
/// what can be served by 5 %, that much is left.
const LEAST_LEFT: f64 = 0.05;

/// By how much the average backlog of the second half exceeds that of the first. In a queue that grows evenly it is
/// three times that; in one that goes up and down it is as often less.
const GROWTH: f64 = 1.5;

/// By how much the work left exceeds the average backlog. In a queue that grows evenly it is twice that; after a crowd
/// that is being served it is less.
const TOP: f64 = 1.25;

/// A queue that grew to the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saturation {
    /// How long the whole machine needs for the work that waits at the last submission, seconds.
    pub left_s: f64,
    /// The same as a share of the span of the submissions.
    pub share: f64,
}

impl Saturation {
    /// Of all jobs of a schedule on so many processors; none where the queue is stable.
    ///
    /// Backlog is the work of the jobs that wait, processors times run time, so that a job counts as much as it takes.
    /// It has to be large at the last submission ([`LEAST_LEFT`]), larger than it was on average ([`TOP`]), and larger
    /// in the second half of the submissions' span than in the first ([`GROWTH`]): the first alone would also be true of
    /// a short log that ends in a crowd, the others alone of a queue that is short all the time.
    pub(super) fn of(jobs: &[Outcome], processors: u32) -> Option<Saturation> {
        let first = jobs.iter().map(|job| job.submit).min()?;
        let last = jobs.iter().map(|job| job.submit).max()?;
        let span = (last - first) as f64;
        let middle = first + (last - first) / 2;
        let waits_within =
            |job: &Outcome, from: Seconds, until: Seconds| (job.start.min(until) - job.submit.max(from)).max(0) as f64;
        let (mut early, mut late, mut left) = (0.0, 0.0, 0.0);
        for job in jobs {
            let work = job.area();
            early += work * waits_within(job, first, middle);
            late += work * waits_within(job, middle, last);
            // who is submitted last starts then or later, and is not left over from before
            if job.submit < last && job.start > last {
                left += work;
            }
        }
        let mean = (early + late) / span;
        let left_s = left / f64::from(processors);
        let share = left_s / span;
        let grows = share >= LEAST_LEFT && late >= GROWTH * early && left >= TOP * mean;
        grows.then_some(Saturation { left_s, share })
    }
}

impl std::fmt::Display for Saturation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "The queue grows to the end: at the last submission work for {:.1} days of the whole machine waits, {:.0} % \
             of the time that the log spans. Averages of this run tell how long the log is and mean nothing",
            self.left_s / 86_400.0,
            100.0 * self.share
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::JobId;

    /// Jobs of one processor on a machine of one, first come, first served: (submit, run time).
    fn of(jobs: impl Iterator<Item = (Seconds, Seconds)>) -> Option<Saturation> {
        let mut free = 0;
        let outcome = |(i, (submit, run)): (usize, (Seconds, Seconds))| {
            let start = free.max(submit);
            free = start + run;
            Outcome { job: JobId(i as u32), processors: 1, submit, start, end: start + run, run }
        };
        Saturation::of(&jobs.enumerate().map(outcome).collect::<Vec<_>>(), 1)
    }

    #[test]
    fn a_queue_that_grows_evenly_is_found_with_what_is_left() {
        let found = of((0..1_000).map(|i| (10 * i, 12))).expect("a fifth more than the machine can do");
        assert!((found.share - 0.2).abs() < 0.01, "{found:?}");
        assert!((found.left_s - 2_000.0).abs() < 50.0, "{found:?}");
        assert!(found.to_string().contains("20 % of the time"), "{found}");
        assert!(of((0..1_000).map(|i| (10 * i, 11))).is_some(), "a tenth more");
    }

    #[test]
    fn a_queue_that_grows_after_a_while_is_found_too() {
        let quiet = (0..300).map(|i| (10 * i, 8));
        assert!(of(quiet.chain((0..700).map(|i| (3_000 + 10 * i, 13)))).is_some());
    }

    #[test]
    fn stable_queues_are_not() {
        assert_eq!(of((0..1_000).map(|i| (10 * i, 10))), None, "full, and nobody waits");
        assert_eq!(of((0..1_000).map(|i| (10 * i, 10 + (i * 7_919 % 11) - 6))), None, "up and down");
        // a crowd in the middle that has been served by the end
        let crowd = |i: i64| if (400..600).contains(&i) { 15 } else { 7 };
        assert_eq!(of((0..1_000).map(|i| (10 * i, crowd(i)))), None);
        // a long job shortly before the end: much waits, but not for long
        assert_eq!(of((0..1_000).map(|i| (10 * i, if i == 990 { 300 } else { 9 }))), None);
        // a crowd at the begin, never quite served: the queue gets shorter
        assert_eq!(of((0..1_000).map(|i| (10 * i, if i < 200 { 30 } else { 8 }))), None);
    }

    #[test]
    fn what_has_no_span_has_no_growth() {
        assert_eq!(of(std::iter::empty()), None);
        assert_eq!(of((0..50).map(|_| (5, 100))), None, "all come at once");
        assert_eq!(of([(0, 10)].into_iter()), None);
    }
}

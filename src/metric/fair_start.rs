//! Guaranteed and fair start times (FAIRNESS §2, §3.1).

use super::Outcome;
use super::sum::mean;
use crate::workload::Seconds;

/// How many jobs started later than they were guaranteed at their submission; none where nothing was
/// guaranteed to any.
pub fn later_than_promised(jobs: &[Outcome]) -> Option<f64> {
    let mut promised = jobs.iter().filter_map(|job| Some(job.start > job.promise?)).peekable();
    promised.peek()?;
    Some(promised.filter(|&late| late).count() as f64)
}

/// Average unfairness, seconds (FAIRNESS §3.1): the mean over all jobs of max(0, b - fair start), with
/// strict or relaxed fair starts ([`crate::simulation::FairStarts`]). Both columns are in log order.
pub fn average_unfairness(starts: &[Seconds], fair: &[Seconds]) -> Option<f64> {
    debug_assert_eq!(starts.len(), fair.len());
    mean(starts.iter().zip(fair).map(|(start, fair)| (start - fair).max(0) as f64))
}

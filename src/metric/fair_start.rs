//! Guaranteed and fair start times (FAIRNESS §2, §3.1).

use super::Outcome;
use super::sum::mean;
use crate::model::FairStarts;
use crate::workload::Seconds;

/// Number of jobs that started later than they were guaranteed at submission; `None` if no start was guaranteed.
/// `promises` are in log order.
pub fn later_than_promised(jobs: &[Outcome], promises: &[Seconds]) -> Option<f64> {
    let is_late = |job: &Outcome| Some(job.start > *promises.get(job.job.index())?);
    let mut promised = jobs.iter().filter_map(is_late).peekable();
    promised.peek()?;
    Some(promised.filter(|&late| late).count() as f64)
}

/// The fair start with which a start is compared ([`crate::model::FairStarts`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fair {
    Strict,
    Relaxed,
}

/// Unfairness of each job, seconds (FAIRNESS §3.1): max(0, b - fair start). `None` where `fair_starts` does not cover
/// all jobs.
pub fn unfairness(jobs: &[Outcome], fair_starts: &FairStarts, fair: Fair) -> Option<Vec<Seconds>> {
    let of = |job: &Outcome| {
        let (strict, relaxed) = fair_starts.of(job.job)?;
        let fair = match fair {
            Fair::Strict => strict,
            Fair::Relaxed => relaxed,
        };
        Some((job.start - fair).max(0))
    };
    jobs.iter().map(of).collect()
}

/// Average unfairness, seconds (FAIRNESS §3.1): the mean over the jobs of their [`unfairness`].
pub fn average_unfairness(jobs: &[Outcome], fair_starts: &FairStarts, fair: Fair) -> Option<f64> {
    mean(unfairness(jobs, fair_starts, fair)?.into_iter().map(|seconds| seconds as f64))
}

/// Average lateness, seconds: the mean over the jobs of max(0, b − fair start), for fair starts other than the strict
/// and the relaxed ones (FAIRNESS §5). `fair` is in log order. `None` where it does not cover all jobs.
pub fn average_lateness(jobs: &[Outcome], fair: &[Seconds]) -> Option<f64> {
    let late: Option<Vec<Seconds>> =
        jobs.iter().map(|job| Some((job.start - fair.get(job.job.index())?).max(0))).collect();
    mean(late?.into_iter().map(|seconds| seconds as f64))
}

/// Average fair turnaround time, seconds: the mean over the jobs of `fair` start − s + D (Sabin et al. 2004, which
/// FAIRNESS §5 cites).
pub fn fair_turnaround(jobs: &[Outcome], fair: &[Seconds]) -> Option<f64> {
    mean(fair_turnarounds(jobs, fair)?.into_iter().map(|seconds| seconds as f64))
}

/// Average fair slowdown: the mean of fair turnaround times over run times (Sabin and Sadayappan 2005, which FAIRNESS §5
/// cites), bounded as slowdowns are: max(1, fair turnaround / max(D, `bound`)).
pub fn fair_slowdown(jobs: &[Outcome], fair: &[Seconds], bound: f64) -> Option<f64> {
    let fair = fair_turnarounds(jobs, fair)?;
    mean(jobs.iter().zip(fair).map(|(job, fair)| (fair as f64 / (job.run as f64).max(bound)).max(1.0)))
}

/// Fair start − s + D of each job, seconds; `fair` holds fair starts in log order.
fn fair_turnarounds(jobs: &[Outcome], fair: &[Seconds]) -> Option<Vec<Seconds>> {
    jobs.iter().map(|job| Some(fair.get(job.job.index())? - job.submit + job.run)).collect()
}

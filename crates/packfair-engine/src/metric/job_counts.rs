//! How many jobs have at most a certain value of a quantity, counted at points that are the same for every log.
//! Distributions of several schedules are compared by these counts.

use crate::model::{Schedule, Suspension};
use packfair_workload::{JobId, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// Bits of a number's fraction that distinguish points: there are 2 to this power of points from one power of 2 to the
/// next.
const BITS: u32 = 3;

/// The distance between two points, as bits of a number.
const STEP: u64 = 1 << (f64::MANTISSA_DIGITS - 1 - BITS);

/// The last power of 2 with a point: in seconds, 68 years.
const LAST_POWER: usize = 31;

/// The number of points: 0, and those from 1 to 2 to the [`LAST_POWER`].
const POINTS: usize = 2 + (LAST_POWER << BITS);

/// The quantity of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum JobDistribution {
    /// Wait Q, seconds.
    Waits,
    /// Response time F, seconds.
    Responses,
    /// Bounded slowdown (METRICS §II).
    Slowdowns,
}

impl JobDistribution {
    pub const ALL: [JobDistribution; 3] =
        [JobDistribution::Waits, JobDistribution::Responses, JobDistribution::Slowdowns];

    /// The quantity of a job. `bound` is the τ of the slowdown, seconds.
    fn of(self, job: &Outcome, bound: f64) -> f64 {
        match self {
            JobDistribution::Waits => job.wait() as f64,
            JobDistribution::Responses => job.response() as f64,
            JobDistribution::Slowdowns => job.bounded_slowdown(bound),
        }
    }
}

/// How many jobs have at most 0, 1, 1 1/8, 1 2/8, ... 2, 2 2/8, ... of a quantity. There are eight evenly spaced points
/// from one power of 2 to the next. So the number of points does not depend on the number of jobs, and the points are
/// the same for every log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobCounts {
    /// The count at each point, up to the first point that includes all jobs.
    up_to: Vec<u32>,
}

impl JobCounts {
    /// Counts the jobs that count. Jobs without a finite value are left out: the slowdown of a job that takes no time,
    /// if there is no bound.
    pub(super) fn of(kept: &[Outcome], distribution: JobDistribution, bound: f64) -> Self {
        // One more entry for values beyond the last point.
        let mut up_to = vec![0; POINTS + 1];
        for value in kept.iter().map(|job| distribution.of(job, bound)).filter(|value| value.is_finite()) {
            up_to[place(value)] += 1;
        }
        let needed = up_to.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        up_to.truncate(needed);
        let mut sum = 0;
        for count in &mut up_to {
            sum += *count;
            *count = sum;
        }
        JobCounts { up_to }
    }

    /// The number of points up to the first that includes all jobs.
    pub fn len(&self) -> usize {
        self.up_to.len()
    }

    /// Whether there is no job.
    pub fn is_empty(&self) -> bool {
        self.up_to.is_empty()
    }

    /// The value of the point with this index, in the unit of the quantity; `None` beyond the last point.
    pub fn point(index: usize) -> Option<f64> {
        match index {
            0 => Some(0.0),
            _ if index < POINTS => Some(f64::from_bits(1.0_f64.to_bits() + (index - 1) as u64 * STEP)),
            _ => None,
        }
    }

    /// The share of jobs with at most the value of the point with this index; `None` without jobs.
    pub fn share(&self, index: usize) -> Option<f64> {
        let all = *self.up_to.last()?;
        let count = self.up_to.get(index).copied().unwrap_or(all);
        Some(f64::from(count) / f64::from(all))
    }
}

/// The index of the first point that is at least `value`; one more than the last index where none is.
fn place(value: f64) -> usize {
    if value <= 0.0 {
        return 0;
    }
    // Positive numbers are in the order of their bits.
    let beyond = value.max(1.0).to_bits() - 1.0_f64.to_bits();
    (1 + beyond.div_ceil(STEP) as usize).min(POINTS)
}

// Times in which jobs were suspended, so that their processors were others'.

/// A suspension and the processors that were free because of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SuspendedRun {
    pub(super) processors: u32,
    pub(super) suspension: Suspension,
}

/// The suspensions of a schedule.
pub(super) fn suspended_runs(workload: &Workload, schedule: &Schedule) -> Vec<SuspendedRun> {
    let run =
        |&suspension: &Suspension| SuspendedRun { processors: workload.request(suspension.job).processors, suspension };
    schedule.suspended.iter().map(run).collect()
}

impl SuspendedRun {
    pub(super) fn job(&self) -> JobId {
        self.suspension.job
    }
}

/// Processor-seconds of suspensions within [begin, end).
pub(super) fn suspended_area_within(suspended: &[SuspendedRun], begin: Seconds, end: Seconds) -> i128 {
    let area = |run: &SuspendedRun| i128::from(run.processors) * i128::from(run.suspension.within(begin, end));
    suspended.iter().map(area).sum()
}

/// The processors of suspended jobs as a step function of time: from each moment on, so many.
pub(super) fn suspended_steps(suspended: &[SuspendedRun]) -> Vec<(Seconds, i64)> {
    let changes = suspended.iter().flat_map(|run| {
        let processors = i64::from(run.processors);
        [(run.suspension.from, processors), (run.suspension.until, -processors)]
    });
    let mut steps: Vec<(Seconds, i64)> = changes.collect();
    steps.sort_unstable();
    let mut sum = 0;
    for (_, processors) in &mut steps {
        sum += *processors;
        *processors = sum;
    }
    steps
}

// The outcome of each job in a schedule.

/// The outcome of a job. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    pub job: JobId,
    pub processors: u32,
    pub submit: Seconds,
    pub start: Seconds,
    /// Completion time c.
    pub end: Seconds,
    /// Actual run time D of the execution that completed.
    pub run: Seconds,
}

impl Outcome {
    /// Completion time c.
    pub fn completion(&self) -> Seconds {
        self.end
    }

    /// Wait Q = b - s; it includes the time of killed executions.
    pub fn wait(&self) -> Seconds {
        self.start - self.submit
    }

    /// Response time F = c - s.
    pub fn response(&self) -> Seconds {
        self.completion() - self.submit
    }

    /// Area r D, processor-seconds.
    pub fn area(&self) -> f64 {
        self.width() * self.run as f64
    }

    /// Processors r, as a number to weight with.
    pub(super) fn width(&self) -> f64 {
        f64::from(self.processors)
    }

    /// Bounded slowdown max(1, F / max(D, bound)) (METRICS §II).
    pub fn bounded_slowdown(&self, bound: f64) -> f64 {
        (self.response() as f64 / (self.run as f64).max(bound)).max(1.0)
    }

    /// Slowdown of times of at least `bound`, max(F, bound) / max(D, bound) (DYNP §5.1).
    pub(super) fn slowdown_of_at_least(&self, bound: f64) -> f64 {
        (self.response() as f64).max(bound) / (self.run as f64).max(bound)
    }
}

/// The outcomes of all jobs, in log order. Jobs that never started are left out.
pub fn outcomes(workload: &Workload, schedule: &Schedule) -> Vec<Outcome> {
    let started = workload.jobs().zip(&schedule.starts).filter(|&(_, &start)| start != Seconds::MIN);
    let outcome = |(job, &start): (JobId, &Seconds)| {
        let request = workload.request(job);
        Outcome {
            job,
            processors: request.processors,
            submit: request.submit,
            start,
            end: schedule.end(job),
            run: workload.run(job),
        }
    };
    started.map(outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::JobId;

    /// A job that waits for `wait` and then runs for `run` seconds.
    fn job(wait: i64, run: i64) -> Outcome {
        Outcome { job: JobId(0), processors: 1, submit: 5, start: 5 + wait, end: 5 + wait + run, run }
    }

    #[test]
    fn points_are_eight_to_a_doubling() {
        let points: Vec<f64> = (0..POINTS).map_while(JobCounts::point).collect();
        assert_eq!(points.len(), POINTS);
        assert_eq!(points[..4], [0.0, 1.0, 1.125, 1.25]);
        assert!(points.windows(2).all(|pair| pair[0] < pair[1]));
        assert!((1..=16).all(|second| points.contains(&f64::from(second))), "the first seconds are told apart");
        assert_eq!(points.last(), Some(&2_147_483_648.0));
        assert_eq!(JobCounts::point(POINTS), None);
    }

    #[test]
    fn counts_are_those_of_a_plain_look_at_every_point() {
        // As many jobs of each size as a log may have, in no order, and some beyond the last point.
        let waits = (0..2_000_i64).map(|i| (i * i * i * 7_919) % (1 << (i % 34)));
        let jobs: Vec<Outcome> = waits.enumerate().map(|(i, wait)| job(wait, (i as i64 * 31) % 500)).collect();
        for distribution in JobDistribution::ALL {
            for bound in [0.0, 10.0] {
                let counts = JobCounts::of(&jobs, distribution, bound);
                let values: Vec<f64> = jobs.iter().map(|job| distribution.of(job, bound)).collect();
                let finite = values.iter().filter(|value| value.is_finite()).count() as f64;
                for (index, point) in (0..).map_while(|i| Some((i, JobCounts::point(i)?))) {
                    let plain = values.iter().filter(|&&value| value <= point).count() as f64 / finite;
                    assert_eq!(counts.share(index), Some(plain), "{distribution:?} at {point}");
                }
                assert_eq!(counts.share(POINTS), Some(1.0));
            }
        }
    }

    #[test]
    fn counts_stop_where_all_jobs_are_and_nothing_has_none() {
        let counts = JobCounts::of(&[job(0, 10), job(3, 1), job(2, 1)], JobDistribution::Waits, 10.0);
        assert_eq!(counts.len(), 14, "0, 1 to 2 and 2 to 3");
        assert_eq!(counts.share(13), Some(1.0));
        assert_eq!(JobCounts::of(&[], JobDistribution::Waits, 10.0), JobCounts::default());
        assert_eq!(JobCounts::default().share(0), None);
        assert!(JobCounts::default().is_empty());
    }
}

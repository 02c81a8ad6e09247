//! How much of the machine was used. These tell of the cluster rather than of its jobs: they always
//! take in all jobs, whichever count elsewhere.

use super::Outcome;
use super::counted::steady_window;
use super::killed::{KilledRun, lost_area, lost_area_within};
use super::sum::ratio;
use super::timeline::Timeline;
use crate::workload::Seconds;

/// Makespan, max c - min s, seconds (CP §3.1).
pub fn makespan(all: &[Outcome]) -> Option<f64> {
    let begin = all.iter().map(|job| job.submit).min()?;
    let end = all.iter().map(Outcome::completion).max()?;
    Some((end - begin) as f64)
}

/// Utilisation over the makespan, Σ r D / (R × makespan) (CP §3.1).
pub fn utilisation(all: &[Outcome], killed: &[KilledRun], processors: u32) -> Option<f64> {
    ratio((area(all) + lost_area(killed)) as f64, f64::from(processors) * makespan(all)?)
}

/// Share of the machine, over the makespan, that executions which completed used.
pub fn useful_utilisation(all: &[Outcome], processors: u32) -> Option<f64> {
    ratio(area(all) as f64, f64::from(processors) * makespan(all)?)
}

/// Processor-seconds of the executions that completed.
fn area(all: &[Outcome]) -> i128 {
    all.iter().map(|job| i128::from(job.processors) * i128::from(job.run)).sum()
}

/// Utilisation without warming up and emptying: processor time in use between the completion that
/// ends the first 1 % (rounded down) of completions and the last submission, over R × that window
/// (after CP §3.1, Tsafrir et al. 2007). None if nothing is submitted after that completion.
pub fn steady_utilisation(all: &[Outcome], killed: &[KilledRun], processors: u32) -> Option<f64> {
    utilisation_within(all, killed, processors, steady_window_of(all)?)
}

/// The window of [`steady_utilisation`].
pub(super) fn steady_window_of(all: &[Outcome]) -> Option<(Seconds, Seconds)> {
    let ((begin, _), end) = steady_window(all)?;
    Some((begin, end))
}

/// The share of the machine in use within a window of time.
pub(super) fn utilisation_within(
    all: &[Outcome],
    killed: &[KilledRun],
    processors: u32,
    (begin, end): (Seconds, Seconds),
) -> Option<f64> {
    let inside = |job: &Outcome| (job.completion().min(end) - job.start.max(begin)).max(0);
    let busy: i128 = all.iter().map(|job| i128::from(job.processors) * i128::from(inside(job))).sum();
    let lost = lost_area_within(killed, begin, end);
    ratio((busy + lost) as f64, f64::from(processors) * (end - begin) as f64)
}

/// Loss of capacity LOC (METRICS §VII): the integral over time of min(width waiting, processors
/// idle), from the first submission to the last completion, over R × that span.
pub fn loss_of_capacity(all: &[Outcome], killed: &[KilledRun], processors: u32) -> Option<f64> {
    lost(&Timeline::new(all, killed), processors)
}

/// [`loss_of_capacity`] of a timeline that is there already.
pub(super) fn lost(timeline: &Timeline, processors: u32) -> Option<f64> {
    let (begin, end): (Seconds, Seconds) = timeline.span()?;
    let machine = i64::from(processors);
    let lost = timeline.levels().map(|level| {
        let unused = level.width.min(machine - level.busy);
        i128::from(unused) * i128::from(level.until - level.from)
    });
    ratio(lost.sum::<i128>() as f64, f64::from(processors) * (end - begin) as f64)
}

//! How much of the machine was used. These metrics describe the cluster rather than its jobs, so they always include
//! all jobs, whichever count elsewhere.

use super::Outcome;
use super::counted::{KilledRun, lost_area, lost_area_within, steady_window};
use super::job_counts::{SuspendedRun, suspended_area_within};
use super::sums::{Sum, Sums, ratio};
use super::timeline::{Level, Timeline, Viewer};
use packfair_workload::{Seconds, Workload};

/// The number of processors of a machine over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Available {
    processors: u32,
    /// Each time at which the number changes, with the number from then on, in order of time; empty where it never
    /// changes.
    steps: Vec<(Seconds, i64)>,
}

impl Available {
    /// The processors of a workload's machine, according to its calendar.
    pub fn of(workload: &Workload) -> Self {
        let mut changes: Vec<(Seconds, i64)> = Vec::new();
        if let Some(cluster) = workload.cluster() {
            for change in cluster.machine.calendar() {
                let processors = change.nodes * cluster.machine.cells()[change.cell].node[0] as i64;
                changes.push((change.from, processors));
                changes.extend(change.until.map(|until| (until, -processors)));
            }
        }
        changes.sort_unstable_by_key(|change| change.0);
        let mut there = i64::from(workload.machine.processors);
        let step = |(at, more): (Seconds, i64)| {
            there += more;
            (at, there)
        };
        Available { processors: workload.machine.processors, steps: changes.into_iter().map(step).collect() }
    }

    /// The lengths of the spans of [begin, end) between changes, each with the number of processors in it.
    fn spans(&self, begin: Seconds, end: Seconds) -> impl Iterator<Item = (Seconds, i64)> + '_ {
        let ends = self.steps.iter().map(|step| step.0).chain([Seconds::MAX]);
        let first = [(Seconds::MIN, i64::from(self.processors))];
        let each = first.into_iter().chain(self.steps.iter().copied()).zip(ends);
        each.map(move |((from, there), until)| (until.min(end).saturating_sub(from.max(begin)), there))
            .filter(|&(span, _)| span > 0)
    }

    /// The processor-seconds that there were in [begin, end).
    pub(super) fn area(&self, begin: Seconds, end: Seconds) -> f64 {
        if self.steps.is_empty() {
            return f64::from(self.processors) * (end - begin) as f64;
        }
        self.spans(begin, end).map(|(span, there)| i128::from(span) * i128::from(there)).sum::<i128>() as f64
    }

    /// The processor-seconds in [begin, end) that idled while jobs waited for them. `width` processors are waited for
    /// and `busy` are in use, all the time.
    fn unused(&self, (begin, end): (Seconds, Seconds), width: i64, busy: i64) -> i128 {
        let unused = |there: i64| i128::from(width.min(there - busy));
        if self.steps.is_empty() {
            return unused(i64::from(self.processors)) * i128::from(end - begin);
        }
        // Where nodes drain, more processors are busy than there are.
        self.spans(begin, end).map(|(span, there)| i128::from(span) * unused(there).max(0)).sum()
    }
}

/// Makespan, max c - min s, seconds (CP §3.1).
pub fn makespan(all: &[Outcome]) -> Option<f64> {
    span(all).map(|(begin, end)| (end - begin) as f64)
}

/// First submission and last completion.
fn span(all: &[Outcome]) -> Option<(Seconds, Seconds)> {
    Some((all.iter().map(|job| job.submit).min()?, all.iter().map(Outcome::completion).max()?))
}

/// Utilisation over the makespan, Σ r D / (R × makespan) (CP §3.1). Killed executions count as use, and R × makespan is
/// the processor-seconds that there were.
pub fn utilisation(all: &[Outcome], killed: &[KilledRun], available: &Available) -> Option<f64> {
    let (begin, end) = span(all)?;
    ratio((area(all) + lost_area(killed)) as f64, available.area(begin, end))
}

/// Variance over the makespan of the share of `processors` in use (CP §3.1); killed executions count as use.
pub fn utilisation_variance(all: &[Outcome], killed: &[KilledRun], processors: u32) -> Option<f64> {
    let (timeline, mut shares) = (Timeline::new(all, killed), BusyShares::of(processors));
    timeline.show(&mut shares);
    shares.variance(&timeline)
}

/// Sums of the lengths of levels, and of these times the share of processors in use.
pub(super) struct BusyShares {
    processors: f64,
    sums: Sums<2>,
    /// The length of each level and the processors in use.
    levels: Vec<(u32, u32)>,
    /// Whether both fit into 32 bits for all levels.
    has_all: bool,
}

impl BusyShares {
    pub(super) fn of(processors: u32) -> Self {
        BusyShares { processors: f64::from(processors), sums: Sums::default(), levels: Vec::new(), has_all: true }
    }

    /// [`utilisation_variance`], once these are the sums over a timeline.
    pub(super) fn variance(self, timeline: &Timeline) -> Option<f64> {
        let [whole, shares] = self.sums.values();
        let mean = ratio(shares, whole)?;
        let mut squares = Squares { processors: self.processors, mean, sum: Sum::default() };
        if self.has_all {
            self.levels.iter().for_each(|&(span, busy)| squares.add(f64::from(span), f64::from(busy)));
        } else {
            timeline.show(&mut squares);
        }
        ratio(squares.sum.value(), whole)
    }
}

impl Viewer for BusyShares {
    #[inline(always)]
    fn level(&mut self, level: &Level) {
        let span = level.until - level.from;
        self.sums.add([span as f64, span as f64 * (level.busy as f64 / self.processors)]);
        match (u32::try_from(span), u32::try_from(level.busy)) {
            (Ok(span), Ok(busy)) => self.levels.push((span, busy)),
            _ => self.has_all = false,
        }
    }
}

/// The sum of the lengths of levels times the squared distance of the share in use from its mean.
struct Squares {
    processors: f64,
    mean: f64,
    sum: Sum,
}

impl Squares {
    #[inline(always)]
    fn add(&mut self, span: f64, busy: f64) {
        let off = busy / self.processors - self.mean;
        self.sum.add(span * (off * off));
    }
}

impl Viewer for Squares {
    #[inline(always)]
    fn level(&mut self, level: &Level) {
        self.add((level.until - level.from) as f64, level.busy as f64);
    }
}

/// Utilisation over the makespan by executions that completed, without killed ones.
pub fn useful_utilisation(all: &[Outcome], available: &Available) -> Option<f64> {
    let (begin, end) = span(all)?;
    ratio(area(all) as f64, available.area(begin, end))
}

/// Processor-seconds of the executions that completed.
fn area(all: &[Outcome]) -> i128 {
    all.iter().map(|job| i128::from(job.processors) * i128::from(job.run)).sum()
}

/// Utilisation without warming up and emptying (after CP §3.1, Tsafrir et al. 2007): the processor time in use between
/// the completion that ends the first 1 % (rounded down) of completions and the last submission, over R × that window.
/// `None` if nothing is submitted after that completion.
pub fn steady_utilisation(all: &[Outcome], killed: &[KilledRun], available: &Available) -> Option<f64> {
    utilisation_within(all, (killed, &[]), available, steady_window_of(all)?)
}

/// The window of [`steady_utilisation`].
pub(super) fn steady_window_of(all: &[Outcome]) -> Option<(Seconds, Seconds)> {
    let ((begin, _), end) = steady_window(all.iter().enumerate())?;
    Some((begin, end))
}

/// Utilisation within a window of time.
pub(super) fn utilisation_within(
    all: &[Outcome],
    (killed, suspended): (&[KilledRun], &[SuspendedRun]),
    available: &Available,
    (begin, end): (Seconds, Seconds),
) -> Option<f64> {
    let inside = |job: &Outcome| (job.completion().min(end) - job.start.max(begin)).max(0);
    let busy: i128 = all.iter().map(|job| i128::from(job.processors) * i128::from(inside(job))).sum();
    let lost = lost_area_within(killed, begin, end);
    let idle = suspended_area_within(suspended, begin, end);
    ratio((busy + lost - idle) as f64, available.area(begin, end))
}

/// Loss of capacity LOC (METRICS §VII): the integral over time of min(width waiting, processors idle), from the first
/// submission to the last completion, over R × that span.
pub fn loss_of_capacity(all: &[Outcome], killed: &[KilledRun], available: &Available) -> Option<f64> {
    let mut unused = Unused::of(available);
    Timeline::new(all, killed).show(&mut unused);
    let (begin, end) = span(all)?;
    ratio(unused.area as f64, available.area(begin, end))
}

/// The processor-seconds that idled while jobs waited for them.
pub(super) struct Unused<'a> {
    available: &'a Available,
    pub(super) area: i128,
}

impl<'a> Unused<'a> {
    pub(super) fn of(available: &'a Available) -> Self {
        Unused { available, area: 0 }
    }
}

impl Viewer for Unused<'_> {
    #[inline(always)]
    fn level(&mut self, level: &Level) {
        self.area += self.available.unused((level.from, level.until), level.width, level.busy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_neither_used_nor_lost() {
        let constant = Available { processors: 4, steps: Vec::new() };
        assert_eq!((constant.area(5, 15), constant.unused((5, 15), 3, 2)), (40.0, 20));
        // Two of four processors are away from 10 to 20.
        let window = Available { processors: 4, steps: vec![(10, 2), (20, 4)] };
        assert_eq!(window.area(5, 25), 20.0 + 20.0 + 20.0);
        assert_eq!(window.area(12, 15), 6.0);
        assert_eq!(window.unused((5, 25), 1, 1), 5 + 10 + 5, "one waits and there is room for it");
        assert_eq!(window.unused((5, 25), 4, 3), 5 + 5, "three are busy where two are left: they drain");
    }
}

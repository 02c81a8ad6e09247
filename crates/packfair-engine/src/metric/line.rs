//! Step functions, reduced to what a chart can show.

use super::Envelope;
use super::counted::{KilledRun, killed_runs};
use super::curve::{Binning, policies};
use super::job_counts::{Outcome, outcomes};
use super::power::power_over_time;
use super::sorting::{sort_reals, sort_whole};
use super::timeline::{Level, Timeline, Viewer};
use crate::model::Schedule;
use packfair_workload::{Seconds, Workload};
use serde::{Deserialize, Serialize};

/// Most points of a reduced [`Line`]: about as many as a chart has pixels across.
pub(super) const POINTS: usize = 600;

/// Number of bisections in which [`Line::reduced`] looks for the smallest share; each halves the interval.
const BISECTIONS: u32 = 10;

/// A line or step function: `y[i]` holds from `x[i]` on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub x: Vec<f64>,
    /// The values, as many as `x`.
    pub y: Vec<f64>,
}

impl Line {
    /// The cumulative fraction of `values`: the share of them that is at most x.
    pub(super) fn distribution(mut values: Vec<f64>) -> Line {
        // Often many values equal the least; these need no sorting.
        let least = values.iter().copied().min_by(f64::total_cmp).unwrap_or_default();
        let count = values.len();
        values.retain(|&value| value != least);
        let above = values.len();
        let mut line = Line::default();
        if above < count {
            line.x.push(least);
            line.y.push((count - above) as f64 / count as f64);
        }
        line.rise(count, count - above, sort_reals(values.into_iter()));
        line
    }

    /// The cumulative fraction of times in whole seconds.
    pub(super) fn distribution_of_times(values: Vec<Seconds>) -> Line {
        Line::distribution_of_sorted(values.len(), sort_whole(values))
    }

    /// The cumulative fraction of `count` times in whole seconds, which are sorted already.
    pub(super) fn distribution_of_sorted(count: usize, values: impl Iterator<Item = Seconds>) -> Line {
        let mut line = Line::default();
        line.rise(count, 0, values.map(|seconds| seconds as f64));
        line
    }

    /// The cumulative fraction of the whole numbers from 0 on; `counts` has how often each occurs.
    pub(super) fn distribution_of_counts(counts: &[u32]) -> Line {
        let count = counts.iter().map(|&count| u64::from(count)).sum::<u64>() as f64;
        let mut line = Line::default();
        let mut up_to = 0;
        for (value, &count_of_value) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            up_to += u64::from(count_of_value);
            line.x.push(value as f64);
            line.y.push(up_to as f64 / count);
        }
        line
    }

    /// Continues with `values`, which ascend. `before` smaller values come before them, and `count` is the number of
    /// all values.
    fn rise(&mut self, count: usize, before: usize, values: impl Iterator<Item = f64>) {
        let (mut up_to, mut last) = (before, None);
        for value in values {
            if let Some(last) = last.replace(value).filter(|last| *last != value) {
                self.x.push(last);
                self.y.push(up_to as f64 / count as f64);
            }
            up_to += 1;
        }
        if let Some(last) = last {
            self.x.push(last);
            self.y.push(up_to as f64 / count as f64);
        }
    }

    /// Reduces a line that never falls to at most `most` of its points; `most` is at least 4.
    ///
    /// The first and the last point stay, and so do both ends of every step higher than a certain share of the whole
    /// rise. Between points that stay, the line rises by no more than that share. The share is as small as `most`
    /// allows.
    pub(super) fn reduced(self, most: usize) -> Line {
        let (Some(first), Some(last)) = (self.y.first(), self.y.last()) else { return self };
        if self.x.len() <= most {
            return self;
        }
        // Every rise by a share keeps two points, and the first and the last point stay: this share is large enough.
        let mut enough = (last - first) / (most.saturating_sub(2) / 2).max(1) as f64;
        let mut too_little = 0.0;
        let mut kept = self.outline(enough, usize::MAX);
        for _ in 0..BISECTIONS {
            let middle = (enough + too_little) / 2.0;
            let outline = self.outline(middle, most);
            if outline.is_some() {
                (enough, kept) = (middle, outline);
            } else {
                too_little = middle;
            }
        }
        let (x, y) = kept.into_iter().flatten().map(|i| (self.x[i], self.y[i])).unzip();
        Line { x, y }
    }

    /// The points between which the line rises by no more than `share`, with both ends of higher steps; `None` if these
    /// are more than `most` points.
    fn outline(&self, share: f64, most: usize) -> Option<Vec<usize>> {
        let (mut kept, last) = (vec![0], self.y.len() - 1);
        let mut at = 0;
        while at < last {
            let level = self.y[at];
            let rise = at + 1 + first_where(&self.y[at + 1..], |y| y - level > share);
            if rise > last {
                kept.push(last);
                break;
            }
            at = rise;
            if kept.last() != Some(&(rise - 1)) {
                kept.push(rise - 1);
            }
            kept.push(rise);
            if kept.len() > most {
                return None;
            }
        }
        (kept.len() <= most).then_some(kept)
    }
}

/// The first place from which on `holds` is true, or the number of values if there is none. The search begins near the
/// first value.
fn first_where(values: &[f64], holds: impl Fn(f64) -> bool) -> usize {
    let (mut from, mut step) = (0, 1);
    while from + step <= values.len() && !holds(values[from + step - 1]) {
        from += step;
        step *= 2;
    }
    let until = (from + step).min(values.len());
    from + values[from..until].partition_point(|&value| !holds(value))
}

// What a cluster did over time: queue, utilisation, offered load.

/// What a cluster did in a window of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeSeries {
    /// Waiting jobs (CP Fig. 5).
    pub queue_jobs: Envelope,
    /// Width of the waiting jobs, processors (CP Fig. 5).
    pub queue_width: Envelope,
    /// Share of processors in use.
    pub utilisation: Envelope,
    /// Load offered by submissions, as a share of the machine: for each bin Σ r D of the jobs submitted in it over R ×
    /// its length.
    pub offered: Line,
    /// The policy in force over time, as in [`Curves::policies`](super::Curves::policies).
    pub policies: Line,
    /// What is drawn, kW; empty where no watts are known (docs/power.md).
    #[serde(default)]
    pub power: Envelope,
}

/// The series over [from, until), in `bins` bins of equal length that keep extremes. All jobs count. An empty window,
/// or no bins, gives empty series.
///
/// This looks once at every job submitted before `until`, and only sorts the jobs that touch the window.
pub fn time_series(workload: &Workload, schedule: &Schedule, from: f64, until: f64, bins: usize) -> TimeSeries {
    let touches = |job: &Outcome| (job.submit as f64) < until && job.completion() as f64 >= from;
    let jobs: Vec<Outcome> = outcomes(workload, schedule).into_iter().filter(touches).collect();
    let touches = |run: &KilledRun| jobs.binary_search_by_key(&run.job, |job| job.job).is_ok();
    let killed: Vec<KilledRun> = killed_runs(workload, schedule).into_iter().filter(touches).collect();
    let processors = workload.machine.processors;
    let series = binned(&jobs, &Timeline::new(&jobs, &killed), processors, (from, until), bins);
    if series.offered.x.is_empty() {
        series
    } else {
        let power = power_over_time(workload, schedule, (from, until), bins);
        TimeSeries { policies: policies(schedule, (from, until)), power, ..series }
    }
}

/// The series from `jobs`, which include all jobs that touch the window, and from their timeline; without policies and
/// power.
pub(super) fn binned(
    jobs: &[Outcome],
    timeline: &Timeline,
    processors: u32,
    (from, until): (f64, f64),
    bins: usize,
) -> TimeSeries {
    let Some(mut series) = SeriesInBins::new(timeline, processors, (from, until), bins) else {
        return TimeSeries::default();
    };
    timeline.show(&mut series);
    series.finish(jobs.iter())
}

/// The series as time passes.
pub(super) struct SeriesInBins {
    binning: Binning<3>,
    processors: u32,
    window: (f64, f64),
    bins: usize,
}

impl SeriesInBins {
    /// Begins the series of a timeline; `None` where the window or the number of bins is empty.
    pub(super) fn new(timeline: &Timeline, processors: u32, (from, until): (f64, f64), bins: usize) -> Option<Self> {
        if bins == 0 || !(until - from).is_finite() || until <= from {
            return None;
        }
        let mut binning = Binning::new(from, until, bins);
        if let Some((first, _)) = timeline.span() {
            binning.extend(first as f64, [0.0; 3]);
        }
        Some(SeriesInBins { binning, processors, window: (from, until), bins })
    }

    /// The series without policies and power, once everything has happened to these jobs.
    pub(super) fn finish<'a>(mut self, jobs: impl Iterator<Item = &'a Outcome>) -> TimeSeries {
        self.binning.extend(self.window.1, [0.0; 3]);
        let [queue_jobs, queue_width, utilisation] = self.binning.finish();
        let offered = offered(jobs, self.processors, self.window, self.bins);
        TimeSeries { queue_jobs, queue_width, utilisation, offered, ..TimeSeries::default() }
    }
}

impl Viewer for SeriesInBins {
    #[inline(always)]
    fn level(&mut self, level: &Level) {
        let utilisation = level.busy as f64 / f64::from(self.processors);
        self.binning.extend(level.until as f64, [level.waiting as f64, level.width as f64, utilisation]);
    }
}

fn offered<'a>(
    jobs: impl Iterator<Item = &'a Outcome>,
    processors: u32,
    (from, until): (f64, f64),
    bins: usize,
) -> Line {
    let step = (until - from) / bins as f64;
    let mut areas = vec![0.0; bins];
    for job in jobs {
        let at = (job.submit as f64 - from) / step;
        if at >= 0.0 && (job.submit as f64) < until {
            areas[(at as usize).min(bins - 1)] += job.area();
        }
    }
    Line {
        x: (0..bins).map(|bin| from + bin as f64 * step).collect(),
        y: areas.iter().map(|area| area / (f64::from(processors) * step)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_counts_what_is_at_most_x() {
        let line = Line::distribution(vec![3.0, 1.0, 1.0, 7.0]);
        assert_eq!(line, Line { x: vec![1.0, 3.0, 7.0], y: vec![0.5, 0.75, 1.0] });
        assert_eq!(Line::distribution(Vec::new()), Line::default());
        assert_eq!(Line::distribution(vec![2.5; 4]), Line { x: vec![2.5], y: vec![1.0] });
        assert_eq!(Line::distribution_of_times(vec![3, 1, 1, 7]), line);
        assert_eq!(Line::distribution_of_sorted(4, [1, 1, 3, 7].into_iter()), line);
        assert_eq!(Line::distribution_of_times(Vec::new()), Line::default());
    }

    #[test]
    fn a_reduced_line_keeps_ends_and_steps_and_errs_little() {
        let x: Vec<f64> = (0..10_000).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|&x| x.sqrt() + if x >= 5_000.0 { 300.0 } else { 0.0 }).collect();
        let line = Line { x, y };
        let reduced = line.clone().reduced(100);
        assert!(reduced.x.len() <= 100 && reduced.x.len() > 90, "{}", reduced.x.len());
        assert_eq!((reduced.x[0], reduced.y[0]), (0.0, 0.0));
        assert_eq!(reduced.x.last(), Some(&9_999.0));
        assert!(reduced.x.windows(2).any(|pair| pair == [4_999.0, 5_000.0]), "the step stays a step");
        let share = 100.0 / 48.0;
        for (x, y) in line.x.iter().zip(&line.y) {
            let shown = reduced.y[reduced.x.partition_point(|r| r <= x) - 1];
            assert!((0.0..=share).contains(&(y - shown)), "at {x}: {y} shown as {shown}");
        }
        assert_eq!(line.clone().reduced(10_000), line);
    }
}

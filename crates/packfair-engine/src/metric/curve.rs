//! Curves of a schedule, reduced to what a chart can show.

use super::fairness::{Fair, unfairness};
use super::line::{POINTS, TimeSeries};
use super::measure::Places;
use super::power::power_over_time;
use super::response::SortedWaits;
use super::timeline::QueueLengths;
use super::{Line, Outcome};
use crate::model::Schedule;
use crate::model::note::dynp::POLICY;
use packfair_workload::Workload;
use serde::{Deserialize, Serialize};

/// Number of bins into which the whole time of a schedule is reduced.
pub(super) const BINS: usize = 1_000;

/// The curves of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curves {
    /// Cumulative wait area against job area (METRICS Fig. 3, bottom).
    pub cwa: Line,
    /// Cumulative fraction of jobs against wait, seconds.
    pub waits: Line,
    /// Cumulative fraction of jobs against response, seconds.
    pub responses: Line,
    /// Cumulative fraction of jobs against bounded slowdown.
    pub slowdowns: Line,
    /// Cumulative fraction of scheduling rounds against the number of jobs in the queue (CP Fig. 7).
    pub queue_lengths: Line,
    /// Cumulative fraction of jobs against strict unfairness, seconds; empty without fair start times.
    pub strict_unfairness: Line,
    /// Cumulative fraction of jobs against relaxed unfairness, seconds; empty without fair start times.
    pub relaxed_unfairness: Line,
    /// Waiting jobs over time (CP Fig. 5).
    pub queue_jobs: Envelope,
    /// Width of the waiting jobs over time, processors.
    pub queue_width: Envelope,
    /// Share of processors in use over time.
    pub utilisation: Envelope,
    /// The policy in force over time, for a scheduler that changes it: from each x on, the index of the policy in
    /// dynP's list of all policies. Where it changes more often than a chart can show, the
    /// one that ruled longest.
    #[serde(default)]
    pub policies: Line,
    /// Load offered by submissions over time, as a share of the machine, in the same bins.
    pub offered: Line,
    /// Waiting jobs of the group that alone counts, over time; empty where all jobs count.
    #[serde(default)]
    pub counted_jobs: Envelope,
    /// Width of the waiting jobs of that group over time, processors; empty where all jobs count.
    #[serde(default)]
    pub counted_width: Envelope,
    /// What is drawn over time, kW; empty where no watts are known (docs/power.md).
    #[serde(default)]
    pub power: Envelope,
}

impl Curves {
    /// The curves of a schedule. `kept` are the jobs that count, whose waits are sorted already; `series` are those of
    /// all jobs, in [`BINS`], and `lengths` the lengths of their queue. `window` is the time of the schedule. `bound` is
    /// the τ of the slowdown, seconds. `of_group` are the series of the group that alone counts, if any.
    pub(super) fn of(
        workload: &Workload,
        schedule: &Schedule,
        (kept, waits): (&[Outcome], &SortedWaits),
        (series, lengths): (TimeSeries, &QueueLengths),
        window: (f64, f64),
        of_group: Option<TimeSeries>,
        bound: f64,
    ) -> Curves {
        let TimeSeries { queue_jobs, queue_width, utilisation, offered, .. } = series;
        let of_group = of_group.unwrap_or_default();
        let slowdowns = kept.iter().map(|job| job.bounded_slowdown(bound)).filter(|slowdown| slowdown.is_finite());
        let unfairness = |fair| {
            let of_each = schedule.fair.as_ref().and_then(|fair_starts| unfairness(kept, fair_starts, fair));
            Line::distribution_of_times(of_each.unwrap_or_default()).reduced(POINTS)
        };
        Curves {
            cwa: cumulative_wait_area(workload, kept).reduced(POINTS),
            waits: waits_of(waits).reduced(POINTS),
            responses: Line::distribution_of_times(kept.iter().map(Outcome::response).collect()).reduced(POINTS),
            slowdowns: Line::distribution(slowdowns.collect()).reduced(POINTS),
            queue_lengths: Line::distribution_of_counts(&lengths.0).reduced(POINTS),
            strict_unfairness: unfairness(Fair::Strict),
            relaxed_unfairness: unfairness(Fair::Relaxed),
            queue_jobs,
            queue_width,
            utilisation,
            offered,
            policies: policies(schedule, window),
            counted_jobs: of_group.queue_jobs,
            counted_width: of_group.queue_width,
            power: power_over_time(workload, schedule, window, BINS),
        }
    }
}

fn waits_of(waits: &SortedWaits) -> Line {
    Line::distribution_of_sorted(waits.jobs().len(), waits.jobs().iter().map(|&(wait, _)| wait))
}

/// CWA(x) = Σ Q r over the jobs with an area r D of at most x, processor-seconds (METRICS §V, Fig. 3). Jobs have the
/// same areas in every schedule, so they are sorted once for all schedules.
fn cumulative_wait_area(workload: &Workload, kept: &[Outcome]) -> Line {
    let places = Places::of(workload, kept);
    let jobs =
        workload.by_area().iter().filter_map(|&job| Some((workload.whole_area(job), &kept[places.of_job(job)?])));
    let (mut line, mut total, mut last) = (Line::default(), 0_i128, None);
    for (area, job) in jobs {
        if let Some(last) = last.replace(area).filter(|last| *last != area) {
            line.x.push(last as f64);
            line.y.push(total as f64);
        }
        total += i128::from(waited_area(job));
    }
    if let Some(last) = last {
        line.x.push(last as f64);
        line.y.push(total as f64);
    }
    line
}

/// Q r in whole processor-seconds. 2^32 processors for 68 years are 2^63, so no real value saturates.
fn waited_area(job: &Outcome) -> i64 {
    i64::from(job.processors).saturating_mul(job.wait())
}

// Which of several states held at what time, such as the policies of dynP.

/// Number of stretches of equal length into which a course of policies is reduced where it changes more often.
const STRETCHES: usize = 4_000;

/// The policies in force in a window of time: from each x on, the index of the policy in dynP's list of all policies.
pub(super) fn policies(schedule: &Schedule, (from, until): (f64, f64)) -> Line {
    let course = schedule.notes.course(POLICY);
    let begin = course.partition_point(|&(at, _)| at as f64 <= from).saturating_sub(1);
    let end = course.partition_point(|&(at, _)| (at as f64) < until).max(begin);
    let in_window = &course[begin..end];
    let whole = Line {
        x: in_window.iter().map(|&(at, _)| (at as f64).max(from)).collect(),
        y: in_window.iter().map(|&(_, policy)| policy).collect(),
    };
    if whole.x.len() <= STRETCHES { whole } else { longest(&whole, (from, until), STRETCHES) }
}

/// Reduces a course, whose y holds from its x on, to `stretches` stretches of equal length. Each stretch takes the
/// state that held longest in it. The result only has points where that state changes.
pub fn longest(course: &Line, (first, last): (f64, f64), stretches: usize) -> Line {
    let mut line = Line::default();
    let step = (last - first) / stretches as f64;
    let mut changes = course.x.iter().copied().zip(course.y.iter().copied()).peekable();
    let mut state = None;
    for stretch in 0..stretches {
        let (mut from, end) = (first + step * stretch as f64, first + step * (stretch + 1) as f64);
        let begin = from;
        // How long each state held.
        let mut held: Vec<(f64, f64)> = Vec::new();
        loop {
            let until = changes.peek().map_or(end, |change| change.0.clamp(from, end));
            if let Some(state) = state {
                match held.iter_mut().find(|(of, _)| *of == state) {
                    Some((_, time)) => *time += until - from,
                    None => held.push((state, until - from)),
                }
            }
            from = until;
            let Some(change) = changes.next_if(|change| change.0 < end) else { break };
            state = Some(change.1);
        }
        let longest = held.into_iter().reduce(|best, other| if other.1 > best.1 { other } else { best });
        if let Some((state, _)) = longest.filter(|(state, _)| line.y.last() != Some(state)) {
            line.x.push(begin);
            line.y.push(state);
        }
    }
    line
}

// Series over time, reduced to bins that keep the extremes.

/// A series over time, reduced to bins of equal length that keep the extremes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    pub begin: f64,
    /// Length of a bin.
    pub step: f64,
    /// Smallest value in each bin.
    pub low: Vec<f64>,
    /// Largest value in each bin.
    pub high: Vec<f64>,
    /// Time average in each bin.
    pub mean: Vec<f64>,
}

impl Envelope {
    /// Whether there are no bins.
    pub fn is_empty(&self) -> bool {
        self.mean.is_empty()
    }
}

/// Collects envelopes of several series over a window of time, from its begin to its end.
pub(super) struct Binning<const SERIES: usize> {
    envelopes: [Envelope; SERIES],
    bins: usize,
    /// The time up to which the series are known.
    at: f64,
    full: usize,
    bin: [Bin; SERIES],
    /// The end of the bin in progress; that of the last bin is the window's end.
    bin_end: f64,
    until: f64,
}

/// The smallest and the largest value in a bin, and the integral over time.
#[derive(Clone, Copy)]
struct Bin {
    low: f64,
    high: f64,
    integral: f64,
}

impl Bin {
    const EMPTY: Bin = Bin { low: f64::INFINITY, high: f64::NEG_INFINITY, integral: 0.0 };
}

impl<const SERIES: usize> Binning<SERIES> {
    /// Begins envelopes over [begin, until), which is not empty, with `bins` bins, at least 1.
    pub(super) fn new(begin: f64, until: f64, bins: usize) -> Self {
        let step = (until - begin) / bins as f64;
        let envelopes = std::array::from_fn(|_| {
            let [low, high, mean] = std::array::from_fn(|_| Vec::with_capacity(bins));
            Envelope { begin, step, low, high, mean }
        });
        let bin_end = if bins == 1 { until } else { begin + step };
        Binning { envelopes, bins, at: begin, full: 0, bin: [Bin::EMPTY; SERIES], bin_end, until }
    }

    /// Continues the series with these values, from the time up to which they are known to `end`. Parts outside the
    /// window do not matter.
    pub(super) fn extend(&mut self, end: f64, values: [f64; SERIES]) {
        let end = end.min(self.until);
        while self.at < end {
            let upto = end.min(self.bin_end);
            let span = upto - self.at;
            for (Bin { low, high, integral }, value) in self.bin.iter_mut().zip(values) {
                // These comparisons are used instead of `min` and `max`, which also check for NaN.
                if value < *low {
                    *low = value;
                }
                if value > *high {
                    *high = value;
                }
                *integral += value * span;
            }
            self.at = upto;
            if upto == self.bin_end {
                self.next_bin();
            }
        }
    }

    fn next_bin(&mut self) {
        for (envelope, bin) in self.envelopes.iter_mut().zip(&mut self.bin) {
            envelope.low.push(bin.low);
            envelope.high.push(bin.high);
            envelope.mean.push(bin.integral / envelope.step);
            *bin = Bin::EMPTY;
        }
        self.full += 1;
        let Envelope { begin, step, .. } = &self.envelopes[0];
        // The last bin ends with the window, whatever rounding does to the steps.
        let is_last = self.full + 1 >= self.bins;
        self.bin_end = if is_last { self.until } else { begin + (self.full + 1) as f64 * step };
    }

    /// The envelopes. The series must be known up to the end of the window.
    pub(super) fn finish(mut self) -> [Envelope; SERIES] {
        debug_assert!(self.at >= self.until, "the series end before the window");
        // In a window too short for its bins, rounding may skip the last ones.
        while self.full < self.bins {
            self.next_bin();
        }
        self.envelopes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::testing::workload;

    /// The same curve, by sorting the jobs of the schedule.
    fn plain(kept: &[Outcome]) -> Line {
        let mut jobs: Vec<(i64, i64)> =
            kept.iter().map(|job| (i64::from(job.processors) * job.run, waited_area(job))).collect();
        jobs.sort_by_key(|job| job.0);
        let (mut line, mut total) = (Line::default(), 0);
        for (i, &(area, waited)) in jobs.iter().enumerate() {
            total += i128::from(waited);
            if jobs.get(i + 1).is_none_or(|next| next.0 != area) {
                line.x.push(area as f64);
                line.y.push(total as f64);
            }
        }
        line
    }

    #[test]
    fn wait_areas_add_up_as_by_sorting_the_jobs_anew() {
        for count in [0, 1, 2, 300] {
            let jobs: Vec<(i64, i64, u32)> =
                (0..count).map(|i| (i, (i * i * 7_919) % 23 * 10, 1 + (i * 31) as u32 % 8)).collect();
            let workload = workload(8, &jobs);
            let starts =
                workload.jobs().map(|job| workload.request(job).submit + (i64::from(job.0) * 37) % 91).collect();
            let all = super::super::outcomes(&workload, &Schedule::of_starts(&workload, starts));
            let some: Vec<Outcome> = all.iter().filter(|job| job.job.0 % 3 != 1).copied().collect();
            assert_eq!(cumulative_wait_area(&workload, &all), plain(&all));
            assert_eq!(cumulative_wait_area(&workload, &some), plain(&some));
        }
    }
}

#[cfg(test)]
mod course_tests {
    use super::*;

    #[test]
    fn of_each_stretch_the_state_that_held_longest_stays() {
        let course = Line { x: vec![2.0, 11.0, 12.0, 14.0, 31.0], y: vec![1.0, 0.0, 1.0, 2.0, 1.0] };
        let reduced = longest(&course, (0.0, 40.0), 4);
        assert_eq!(reduced, Line { x: vec![0.0, 10.0, 30.0], y: vec![1.0, 2.0, 1.0] });
        assert_eq!(longest(&course, (20.0, 40.0), 2), Line { x: vec![20.0, 30.0], y: vec![2.0, 1.0] });
        assert_eq!(longest(&Line::default(), (0.0, 1.0), 3), Line::default());
    }
}

#[cfg(test)]
mod envelope_tests {
    use super::*;

    #[test]
    fn bins_keep_the_extremes_and_the_average() {
        let mut binning = Binning::new(10.0, 50.0, 4);
        for (end, value) in [(5.0, 7.0), (20.0, 2.0), (23.0, 9.0), (24.0, 0.0), (45.0, 4.0), (90.0, 6.0), (95.0, 9.0)] {
            binning.extend(end, [value]);
        }
        let [envelope] = binning.finish();
        assert_eq!((envelope.begin, envelope.step), (10.0, 10.0));
        assert_eq!(envelope.low, [2.0, 0.0, 4.0, 4.0]);
        assert_eq!(envelope.high, [2.0, 9.0, 4.0, 6.0]);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(envelope.mean.iter().zip([2.0, 5.1, 4.0, 5.0]).all(|(a, b)| close(*a, b)), "{:?}", envelope.mean);
    }
}
